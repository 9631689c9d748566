/* SPDX-License-Identifier: MIT
 *
 * Table 3.2 and figure 3.4 of Davis 2016 in their shape: the published network with five ranks of the sign
 * estimator, on a few pictures of CIFAR-10 instead of the street numbers of SVHN.  */
#include <math.h>

#include "reproduce/reproduce.h"

enum { CONTROL, ROWS = 6 };
enum { TEST, LOST, COLUMNS };
enum { EPOCHS = 40, QUICK_EPOCHS = 4 };

static const char lab_id[] = "sign-estimator";

static const char settings[]
  = "hidden=1500-700-400-200 input-dropout=0.2 hidden-dropout=0.5 optimiser=adam batch=64 "
    "learning-rate=0.0003 schedule=cosine refresh-when=epoch report-every=1000 evaluate-every=42 "
    "evaluate-examples=600";

static const char *const rows[ROWS + 1] = {
  "control, no estimator", "200-100-75-15", "100-75-50-25", "75-50-40-30",
  "50-40-40-35",           "25-25-15-15",   NULL,
};

static const char *const words[ROWS] = {
  "estimator=off",
  "estimator=on rank=200-100-75-15",
  "estimator=on rank=100-75-50-25",
  "estimator=on rank=75-50-40-30",
  "estimator=on rank=50-40-40-35",
  "estimator=on rank=25-25-15-15",
};

static const double published[ROWS][2]
  = { { 7.0079, 0.0572 }, { 7.7866, 0.0981 }, { 7.9483, 0.1105 },
      { 8.3405, 0.1425 }, { 8.5084, 0.1307 }, { 9.7726, 0.1422 } };

static const SlTableColumn columns[COLUMNS] = {
  [TEST] = { "test", "% wrong", SL_SAME_SHAPE },
  [LOST] = { "above the same weights without estimator", "points", SL_SAME_SHAPE },
};

static void
read_run (SlReproduction *r, unsigned row, const SlSweepResult *result)
{
  const SlRecord *record = &result->record;
  const SlSeries *valid = &record->series[sl_layout_find (&record->layout, "error.valid")];
  double          error = sl_reproduction_score (result, "error");

  sl_reproduction_ours (r, row, TEST, error);
  if (row != CONTROL)
    sl_reproduction_ours (r, row, LOST, error - sl_reproduction_score (result, "error-dense"));
  if (result->job.seed == 1)
    sl_reproduction_curve (r, row, "validation error", rows[row], valid->n, valid->step,
                           valid->value);
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

  for (unsigned row = 0; row < ROWS; row++)
    sl_reproduction_published (r, row, TEST, published[row][0], published[row][1]);
  code = sl_reproduction_runs (r, &runs);
  if (code != SL_EXIT_FINE)
    return code;
  for (unsigned row = 1; row < ROWS; row++)
    kept += sl_reproduction_mean (r, row, TEST) >= sl_reproduction_mean (r, row - 1, TEST);
  sl_reproduction_claim (r, kept == ROWS - 1,
                         "smaller ranks err more: %u of %d rows at least as wrong as the one above",
                         kept, ROWS - 1);
  sl_reproduction_claim (
    r, sl_reproduction_mean (r, ROWS - 1, TEST) > sl_reproduction_mean (r, CONTROL, TEST),
    "25-25-15-15 errs more than the control: %.1f %% against %.1f %%",
    sl_reproduction_mean (r, ROWS - 1, TEST), sl_reproduction_mean (r, CONTROL, TEST));
  return SL_EXIT_FINE;
}

/* clang-format off */
const SlPaperTable sl_table_davis_32 = {
  .id = "davis-3.2",
  .title = "test errors with a sign estimator of five ranks, the shape of the table for SVHN",
  .source = "Davis 2016, table 3.2 and figure 3.4",
  .time = "15 min",
  .quick_time = "2 min",
  .conditions = "Published: SVHN, ten runs. Here: 4000 pictures of CIFAR-10, 15 % of them to validate and 15 % to "
                "test, standardised pixel by pixel, in the published network behind 3072 inputs; ours are the "
                "rate and 40 epochs along a cosine. Only the order of the rows can be compared.",
  .needs = SL_NEEDS_CIFAR,
  .usual_seeds = 3,
  .rows = rows, .columns = columns, .n_columns = COLUMNS, .run = run,
};
/* clang-format on */
