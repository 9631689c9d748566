/* SPDX-License-Identifier: MIT
 *
 * What the papers on early exits and mixtures of depths say of their order, on a toy.  */
#include "reproduce/orders.h"

enum { LAST, SURE_60, SURE_30, LEARNED, RANKED, ALL, ROWS };
enum { ERROR, COST, COLUMNS };

static const char *const rows[ROWS + 1] = {
  "last exit",      "margin 0.6",    "margin 0.3", "controllers, λ 0.9",
  "depths, 12.5 %", "depths, 100 %", NULL,
};

#define STAGES "decisions=2 width=16 "
#define BLOCKS "architecture=depths width=32 high=1008 "

static const char *const words[ROWS] = {
  STAGES "architecture=exits exit-threshold=1",
  STAGES "architecture=exits exit-threshold=0.6",
  STAGES "architecture=exits exit-threshold=0.3",
  STAGES "architecture=cascade every-exit=0.5 rewards=expected explore-for=300 lambda=0.9",
  BLOCKS "share=0.125",
  BLOCKS "share=1",
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [COST] = { "cost", "% of most expensive", SL_SAME_SHAPE },
};

static const SlTableOrder orders[] = {
  { SURE_60, LAST, ERROR, "leaving early can mend errors (BranchyNet)" },
  { RANKED, ALL, COST, "an eighth in every other block is cheaper (Raposo et al.)" },
  { RANKED, ALL, ERROR, "and errs no more (Raposo et al.)" },
};

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "selective-execution",
                       .data = "fashion-mnist",
                       .settings = "static-nets=no evaluate-every=500",
                       .rows = words,
                       .budget = { .steps = r->quick ? 200 : 1500 },
                       .read = sl_reproduction_error_and_cost };
  SlExit      code = sl_reproduction_runs (r, &runs);
  double      times;

  if (code != SL_EXIT_FINE)
    return code;
  times = sl_reproduction_mean (r, LAST, COST) / sl_reproduction_mean (r, SURE_60, COST);
  sl_reproduction_claim (r, times >= 2.0,
                         "2 to 6 times fewer (BranchyNet), up to 3 times (CALM): here %.1f times",
                         times);
  sl_reproduction_claim (
    r, sl_reproduction_mean (r, SURE_60, ERROR) <= sl_reproduction_mean (r, LEARNED, ERROR),
    "ours: a threshold errs no more than learned controllers, whatever they cost: here %.2f at "
    "%.1f %%, "
    "%.2f at %.1f %%",
    sl_reproduction_mean (r, SURE_60, ERROR), sl_reproduction_mean (r, SURE_60, COST),
    sl_reproduction_mean (r, LEARNED, ERROR), sl_reproduction_mean (r, LEARNED, COST));
  sl_reproduction_orders (r, orders, G_N_ELEMENTS (orders));
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_today_exits = {
  .id = "today-exits",
  .title = "today's early exits and mixtures of depths, equally expensive at most",
  .source = "Teerapittayanon et al. 2016 (BranchyNet), Schuster et al. 2022 (CALM), Raposo et al. 2024 (mixture of depths)",
  .time = "4 min",
  .quick_time = "1 min",
  .conditions = "Published: deep networks for pictures, and language models. Here: Fashion-MNIST, three dense stages or "
                "four residual blocks of 283 thousand multiplications on the most expensive path, 1500 updates; "
                "multiplications are of examples alone, predictors and exits on the way included.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
