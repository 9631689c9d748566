/* SPDX-License-Identifier: MIT
 *
 * What the papers on stochastic gates of today say of their order, on a toy.  */
#include "reproduce/orders.h"

enum { BINARY, STRAIGHT, GUMBEL, SOFT, CONCRETE, ROWS };
enum { ERROR, COST, COLUMNS };

static const char *const rows[ROWS + 1] = {
  "stochastic binary", "straight-through", "Gumbel, straight-through",
  "Gumbel, soft",      "hard concrete",    NULL,
};

static const char *const words[ROWS] = {
  "gate=sbn", "gate=straight-through", "gate=gumbel", "gate=gumbel hard=no", "gate=hard-concrete",
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [COST] = { "cost", "% of dense", SL_SAME_SHAPE },
};

static const SlTableOrder orders[] = {
  { GUMBEL, STRAIGHT, ERROR, "Gumbel beats the other estimators (Jang et al., abstract)" },
  { GUMBEL, BINARY, ERROR, "and the score function (Jang et al., abstract)" },
};

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "stochastic-gates",
                       .data = "fashion-mnist",
                       .settings = "experts=400 gater-hidden=80 batch=100 target-density=0.1 "
                                   "evaluate-every=500",
                       .rows = words,
                       .budget = { .steps = r->quick ? 200 : 1000 },
                       .read = sl_reproduction_error_and_cost };
  SlExit      code = sl_reproduction_runs (r, &runs);

  double soft, binary;

  if (code != SL_EXIT_FINE)
    return code;
  sl_reproduction_orders (r, orders, G_N_ELEMENTS (orders));
  soft = sl_reproduction_mean (r, SOFT, ERROR);
  binary = sl_reproduction_mean (r, GUMBEL, ERROR);
  sl_reproduction_claim (
    r, binary < soft,
    "ours: gates that are used binary learn better as binary ones: here %.2f, %.2f", binary, soft);
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_today_gates = {
  .id = "today-gates",
  .title = "today's stochastic gates, at the same target density",
  .source = "Jang et al. 2016 (Gumbel-softmax), Louizos et al. 2018 (hard concrete)",
  .time = "2 min",
  .quick_time = "1 min",
  .conditions = "Published: other tasks (generative models; gates of weights that do not see the input). Here: "
                "Fashion-MNIST, 400 units and a gater of 80, asked for a tenth of the units, 1000 updates. Hard "
                "concrete has no threshold, so that what it executes differs: the cost stands beside.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
