/* SPDX-License-Identifier: MIT
 *
 * What Cho and Bengio 2014 leave open in section 4: whether bits that nothing trains are enough, or one of
 * the ways of training them is better.  */
#include <math.h>

#include "reproduce/reproduce.h"

enum { EPOCHS = 8, QUICK_EPOCHS = 1 };
enum { ERROR, LOSS, COLUMNS };
enum {
  DENSE,
  NONE,
  THROUGH,
  SLOPE,
  TANH,
  AMPLIFY,
  SAMPLED_NONE,
  REINFORCE,
  SAMPLED_THROUGH,
  SAMPLED_SLOPE,
  ROWS
};

static const double clear = 2.0; /* standard errors */

static const char *const rows[ROWS + 1] = {
  [DENSE] = "no bits: one dense layer",
  [NONE] = "thresholds, nothing trains them",
  [THROUGH] = "thresholds, straight-through",
  [SLOPE] = "thresholds, straight-through × σ′",
  [TANH] = "thresholds, tanh as printed",
  [AMPLIFY] = "thresholds, tanh amplifying",
  [SAMPLED_NONE] = "sampled, nothing trains them",
  [REINFORCE] = "sampled, REINFORCE",
  [SAMPLED_THROUGH] = "sampled, straight-through",
  [SAMPLED_SLOPE] = "sampled, straight-through × σ′",
};

static const char *const words[ROWS] = {
  [DENSE] = "k=0",
  [NONE] = "k=6 bits=threshold credit=none",
  [THROUGH] = "k=6 bits=threshold credit=straight-through",
  [SLOPE] = "k=6 bits=threshold credit=straight-through-slope",
  [TANH] = "k=6 bits=threshold credit=tanh",
  [AMPLIFY] = "k=6 bits=threshold credit=tanh-amplifying",
  [SAMPLED_NONE] = "k=6 bits=sampled credit=none",
  [REINFORCE] = "k=6 bits=sampled credit=reinforce",
  [SAMPLED_THROUGH] = "k=6 bits=sampled credit=straight-through",
  [SAMPLED_SLOPE] = "k=6 bits=sampled credit=straight-through-slope",
};

static const SlTableColumn columns[COLUMNS] = {
  [ERROR] = { "error", "% wrong", SL_SAME_SHAPE },
  [LOSS] = { "cross entropy", "nats", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  sl_reproduction_ours (r, row, ERROR, sl_reproduction_score (result, "error"));
  sl_reproduction_ours (r, row, LOSS, sl_reproduction_score (result, "loss"));
}

/* The row with the least error from `first` to `last`. */
static unsigned
best_of (const SlReproduction *r, unsigned first, unsigned last)
{
  unsigned best = first;

  for (unsigned row = first; row <= last; row++)
    if (sl_reproduction_mean (r, row, ERROR) < sl_reproduction_mean (r, best, ERROR))
      best = row;
  return best;
}

/* The hypothesis for one kind of bits: no way of training them, from `first` to `last`, is clearly better
 * than none.  */
static void
claim_enough (SlReproduction *r, const char *bits, unsigned none, unsigned first, unsigned last)
{
  unsigned best = best_of (r, first, last);
  double   gain = sl_reproduction_mean (r, none, ERROR) - sl_reproduction_mean (r, best, ERROR);
  double   errors = sl_reproduction_errors_below (r, best, none, ERROR);

  sl_reproduction_claim (
    r, isnan (errors) ? gain <= 0 : errors <= clear,
    "%s that nothing trains are enough: the best credit is \"%s\", %+.2f points", bits, rows[best],
    -gain);
}

static void
claim (SlReproduction *r)
{
  double dense = sl_reproduction_mean (r, DENSE, ERROR);
  double none = sl_reproduction_mean (r, NONE, ERROR);

  claim_enough (r, "thresholds", NONE, THROUGH, AMPLIFY);
  claim_enough (r, "sampled bits", SAMPLED_NONE, REINFORCE, SAMPLED_SLOPE);
  sl_reproduction_claim (r, none < dense,
                         "a tree of 64 leaves is better than the dense layer: %.2f against %.2f %%",
                         none, dense);
}

static SlExit
run (SlReproduction *r)
{
  int              epochs = r->quick ? QUICK_EPOCHS : EPOCHS;
  g_autofree char *settings = g_strdup_printf (
    "hidden=128 units=64 batch=128 schedule=cosine schedule-epochs=%d report-every=100 "
    "evaluate-every=1000000",
    epochs);
  SlTableRuns runs = { .lab = "prefix-tree",
                       .data = "fashion-mnist",
                       .settings = settings,
                       .rows = words,
                       .budget = { .epochs = epochs },
                       .read = read_run };
  SlExit      code = sl_reproduction_runs (r, &runs);

  if (code == SL_EXIT_FINE)
    claim (r);
  return code;
}

/* clang-format off */
const SlPaperTable sl_table_cho_4 = {
  .id = "cho-credit",
  .title = "whether the bits of a prefix tree need training, on Fashion-MNIST",
  .source = "Cho and Bengio 2014, section 4",
  .time = "10 min",
  .quick_time = "20 s",
  .conditions = "The paper states a hypothesis, that bits which nothing trains are enough, and asks for this "
                "comparison; it has no numbers. Ours: data, sizes (784-128, a tree of 6 bits with 64 units, "
                "10), rate and length; thresholds follow the running median.",
  .needs = SL_NEEDS_NO_FILE,
  .usual_seeds = 5,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
