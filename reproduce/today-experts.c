/* SPDX-License-Identifier: MIT
 *
 * What the papers on today's gates of mixtures of experts say of their order, on a toy: which gates keep the load
 * even, what that costs in error and dropped examples, and whether they beat a network without a gate.  */
#include <math.h>

#include "reproduce/orders.h"

enum {
  NOISY,
  NO_LOSS,
  BIAS,
  BIAS_OFF,
  SWITCH,
  SWITCH_ONE_WIDE,
  SWITCH_ONE,
  CHOICE,
  RELU,
  SHARED,
  SPLIT,
  DENSE,
  NOISY_TWIN,
  BIAS_TWIN,
  ROWS
};
enum { ERROR, VIOLATION, DROPPED, COST, COLUMNS };

static const char *const rows[ROWS + 1] = {
  "noisy top-2",
  "noisy, no losses",
  "loss-free bias",
  "no bias",
  "Switch, top-2",
  "Switch, top-1, C 2",
  "Switch, top-1",
  "expert choice",
  "ReLU routing",
  "bias, 1 + 1 shared",
  "bias, split in 2",
  "dense mixture",
  "no gate, as noisy",
  "no gate, as bias",
  NULL,
};

/* Networks without a gate are trained beside a run, and have no run of their own. */
static const char *const words[ROWS] = {
  "gate=noisy twin=wide",
  "gate=noisy noise=no w-importance=0 w-load=0",
  "gate=bias twin=wide",
  "gate=bias bias-rule=off",
  "gate=switch",
  "gate=switch k=1 capacity=2",
  "gate=switch k=1",
  "gate=expert-choice",
  "gate=relu",
  "gate=bias k=1 shared=1 values=raw",
  "gate=bias split=2",
  "gate=dense",
  NULL,
  NULL,
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [VIOLATION] = { "MaxVio", "", SL_SAME_SHAPE },
  [DROPPED] = { "dropped", "%", SL_SAME_SHAPE },
  [COST] = { "cost", "% of dense", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  static const char *const id[COLUMNS] = { "error", "violation", "dropped", "executed" };
  double                   twin = sl_reproduction_score (result, "error-twin");

  for (unsigned c = 0; c < COLUMNS; c++)
    {
      double value = sl_reproduction_score (result, id[c]);

      if (isfinite (value)
          || c == DROPPED) /* only Switch has that figure: the others drop no token */
        sl_reproduction_ours (r, row, c, isfinite (value) ? value : 0.0);
    }
  if (isfinite (twin))
    sl_reproduction_ours (r, row == NOISY ? NOISY_TWIN : BIAS_TWIN, ERROR, twin);
}

static const SlTableOrder orders[] = {
  { NOISY, NO_LOSS, VIOLATION, "losses prevent collapse (Shazeer et al., table 6)" },
  { BIAS, BIAS_OFF, VIOLATION, "a bias prevents collapse without a loss (Wang et al.)" },
  { BIAS, SWITCH, VIOLATION,
    "a bias balances better than a loss, 0.04 against 0.72 (Wang et al.)" },
  { BIAS, SWITCH, ERROR, "and errs less, perplexity 9.50 against 9.56 (Wang et al.)" },
  { SWITCH_ONE_WIDE, SWITCH_ONE, DROPPED, "more capacity drops fewer (Fedus et al.)" },
  { SWITCH_ONE, SWITCH, ERROR, "top-1 errs less than top-2 (Fedus et al., table 1)" },
  { CHOICE, SWITCH, ERROR, "choice by experts errs less than top-2 (Zhou et al.)" },
  { RELU, SWITCH, ERROR, "ReLU routing errs less than top-k (ReMoE)" },
  { SHARED, BIAS, ERROR, "a shared expert helps at equal cost (DeepSeekMoE)" },
  { SPLIT, BIAS, ERROR, "finer experts help at equal cost of the experts (DeepSeekMoE)" },
  { DENSE, NOISY, ERROR, "asking everybody errs least (Jacobs et al.)" },
  { NOISY, NOISY_TWIN, ERROR, "experts beat a network of equal cost (Shazeer et al., table 7)" },
  { BIAS, BIAS_TWIN, ERROR, "experts beat a network of equal cost, with a bias (Wang et al.)" },
};

static SlExit
run (SlReproduction *r)
{
  SlTableRuns runs = { .lab = "experts",
                       .data = "fashion-mnist",
                       .settings = "experts=16 k=2 hidden=32 batch=200 evaluate-every=1000000",
                       .rows = words,
                       .budget = { .steps = r->quick ? 200 : 700 },
                       .read = read_run };
  SlExit      code = sl_reproduction_runs (r, &runs);

  if (code != SL_EXIT_FINE)
    return code;
  sl_reproduction_published (r, BIAS, VIOLATION, 0.04, NAN);
  sl_reproduction_published (r, SWITCH, VIOLATION, 0.72, NAN);
  sl_reproduction_orders (r, orders, G_N_ELEMENTS (orders));
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_today_experts = {
  .id = "today-experts",
  .title = "today's gates of mixtures of experts, at equal cost",
  .source = "Wang et al. 2024 (loss-free), Fedus et al. 2021, Zhou et al. 2022, Wang et al. 2024 (ReMoE), "
            "Dai et al. 2024, Shazeer et al. 2017",
  .time = "10 min",
  .quick_time = "1 min",
  .conditions = "Published: language models with up to billions of parameters. Here: Fashion-MNIST, 16 experts "
                "of 32 units straight on the pixels, 2 for each example where nothing else is said, batch 200, "
                "700 updates. At this size balance hardly buys error: an order of errors that is not shown says "
                "nothing against its paper. The shared expert stands beside one chosen with its score as weight, "
                "as scores that sum to 1 would be 1; finer experts have a gate twice as large.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
