/* SPDX-License-Identifier: MIT
 *
 * Table 3.2 and figures 3.4 and 3.5 of Davis 2016 in their shape: the published network with six ranks of the sign
 * estimator, on a few pictures of CIFAR-10 instead of the street numbers of SVHN.  The sixth is the coarse estimator
 * of figure 3.5, which the table does not have.  */
#include <math.h>

#include "reproduce/reproduce.h"

enum { CONTROL, FINE, OF_TABLE = 6, COARSE = OF_TABLE, ROWS };
enum { TEST, LOST, COLUMNS };
enum { EPOCHS = 40, QUICK_EPOCHS = 4 };

static const char lab_id[] = "sign-estimator";

static const char settings[]
  = "hidden=1500-700-400-200 input-dropout=0.2 hidden-dropout=0.5 optimiser=adam batch=64 "
    "learning-rate=0.0003 schedule=cosine refresh-when=epoch report-every=1000 evaluate-every=42 "
    "evaluate-examples=600";

static const char *const rows[ROWS + 1] = {
  "control, no estimator", "200-100-75-15", "100-75-50-25", "75-50-40-30",
  "50-40-40-35",           "25-25-15-15",   "25-25-25-25",  NULL,
};

static const char *const words[ROWS] = {
  "estimator=off",
  "estimator=on rank=200-100-75-15",
  "estimator=on rank=100-75-50-25",
  "estimator=on rank=75-50-40-30",
  "estimator=on rank=50-40-40-35",
  "estimator=on rank=25-25-15-15",
  "estimator=on rank=25-25-25-25",
};

static const double published[OF_TABLE][2]
  = { { 7.0079, 0.0572 }, { 7.7866, 0.0981 }, { 7.9483, 0.1105 },
      { 8.3405, 0.1425 }, { 8.5084, 0.1307 }, { 9.7726, 0.1422 } };

static const SlTableColumn columns[COLUMNS] = {
  [TEST] = { "test", "% wrong", SL_SAME_SHAPE },
  [LOST] = { "above the same weights without estimator", "points", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  double error = sl_reproduction_score (result, "error");

  sl_reproduction_ours (r, row, TEST, error);
  if (row != CONTROL)
    sl_reproduction_ours (r, row, LOST, error - sl_reproduction_score (result, "error-dense"));
  sl_reproduction_validation (r, row, result);
}

static void
claim_above (SlReproduction *r, unsigned coarse, unsigned fine)
{
  double more = sl_reproduction_mean (r, coarse, TEST), less = sl_reproduction_mean (r, fine, TEST);

  sl_reproduction_claim (r, more > less, "%s errs more than %s: %.1f %% against %.1f %%",
                         rows[coarse], fine == CONTROL ? "the control" : rows[fine], more, less);
}

static SlExit
run (SlReproduction *r)
{
  int              epochs = r->quick ? QUICK_EPOCHS : EPOCHS;
  unsigned         kept = 0;
  g_autofree char *all = g_strdup_printf ("%s schedule-epochs=%d", settings, epochs);
  SlTableRuns      runs = {
         .lab = lab_id, .settings = all, .rows = words, .budget = { .epochs = epochs }, .read = read_run
  };
  SlExit code;

  for (unsigned row = 0; row < OF_TABLE; row++)
    sl_reproduction_published (r, row, TEST, published[row][0], published[row][1]);
  code = sl_reproduction_runs (r, &runs);
  if (code != SL_EXIT_FINE)
    return code;
  for (unsigned row = 1; row < OF_TABLE; row++)
    kept += sl_reproduction_mean (r, row, TEST) >= sl_reproduction_mean (r, row - 1, TEST);
  sl_reproduction_claim (r, kept == OF_TABLE - 1,
                         "smaller ranks err more: %u of %d rows at least as wrong as the one above",
                         kept, OF_TABLE - 1);
  claim_above (r, OF_TABLE - 1, CONTROL);
  claim_above (r, COARSE, FINE);
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_davis_32 = {
  .id = "davis-3.2",
  .title = "test errors with a sign estimator of six ranks, the shape of the table for SVHN",
  .source = "Davis 2016, table 3.2, figures 3.4 and 3.5; here on CIFAR-10",
  .time = "20 min",
  .quick_time = "2 min",
  .conditions = "Published: SVHN, ten runs. Here: 4000 pictures of CIFAR-10, 15 % of them to validate and 15 % to "
                "test, standardised pixel by pixel, in the published network behind 3072 inputs; ours are the "
                "rate and 40 epochs along a cosine. Only the order of the rows can be compared.",
  .needs = SL_NEEDS_CIFAR,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .plots = &sl_validation_plot, .n_plots = 1, .run = run,
};
/* clang-format on */
