/* SPDX-License-Identifier: MIT
 *
 * Rows that are trained one after another with all threads and changed on the way; see measures.h.  */
#include "app/cli/plan.h"
#include "app/cli/stop.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "reproduce/measures.h"
#include "reproduce/readings.h"

typedef struct
{
  const SlReproduction *reproduction;
  const char           *what;
  double                shown; /* s of sl_clock_wall() */
} Watch;

/* Says how far it is, now and then; false after Ctrl+C. */
static bool
watch (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Watch *self = data;

  if (sl_clock_wall () - self->shown >= 30)
    {
      self->shown = sl_clock_wall ();
      sl_reproduction_note (self->reproduction, "%s: epoch %.1f", self->what, progress->epochs);
    }
  return !sl_stop_asked ();
}

static SlExit
exit_of (SlStatus status)
{
  return sl_ok (&status)                ? SL_EXIT_FINE
         : status.code == SL_ECANCELLED ? SL_EXIT_STOPPED
                                        : sl_cli_fail (&status);
}

/* To so many updates or epochs, whichever the form counts. */
static SlExit
train_to (const SlReproduction *r, SlHeadlessRun *run, unsigned row, double end)
{
  bool  steps = sl_reproduction_number (r, "steps") > 0;
  Watch self = { r, r->table->row[row].label, sl_clock_wall () };

  run->budget = (SlBudget) { .steps = steps ? (uint64_t) end : 0, .epochs = steps ? 0 : end };
  return exit_of (sl_headless_train (run, watch, &self));
}

/* Scores of a row that is trained, into its cells. */
static SlExit
read_row (SlReproduction *r, SlHeadlessRun *run, unsigned row, uint64_t seed)
{
  SlSweepResult result
    = { .job = { .number = row, .seed = seed }, .record = run->record, .seconds = run->seconds };
  SlStatus status
    = sl_trainer_score (run->trainer, SL_TEST, result.score[SL_TEST], &result.n_scores[SL_TEST]);

  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_outcome_read (&result.outcome, &run->record, result.score[SL_TEST], result.n_scores[SL_TEST],
                   (double) run->recipe.step);
  sl_readings_take (r, &result);
  sl_reproduction_note (r, "%s: %.2f %%", r->table->row[row].label, result.outcome.error);
  return SL_EXIT_FINE;
}

/* From where all rows part, or the row's own way is as long, to its end. */
static SlExit
finish (SlReproduction *r, SlHeadlessRun *run, unsigned row, uint64_t seed)
{
  const char *then = sl_table_row_word (r->table, row, "then");
  double      end
    = sl_reproduction_number (r, "steps") + sl_reproduction_number (r, "epochs"); /* one is 0 */
  SlExit code = SL_EXIT_FINE;
  g_auto (GStrv) word = g_strsplit (then != NULL ? then : "", " ", -1);

  for (char **w = word; *w != NULL && code == SL_EXIT_FINE; w++)
    code = sl_cli_change_run (run, *w);
  if (code == SL_EXIT_FINE)
    code = train_to (r, run, row, end);
  return code == SL_EXIT_FINE ? read_row (r, run, row, seed) : code;
}

static const char *
data_of (const SlReproduction *r)
{
  return r->data != NULL ? r->data : sl_table_word (r->table, "table", "data");
}

/* Trains a row up to where it changes.  *run is to be cleared also after a failure. */
static SlExit
begin (SlReproduction *r, SlHeadlessRun *run, unsigned row, uint64_t seed)
{
  g_autofree char *words = sl_reproduction_settings (r, (int) row);
  SlPlan           plan;
  SlExit           code;

  sl_plan_init (&plan, sl_lab_find (sl_table_word (r->table, "table", "lab")));
  plan.data = g_strdup (data_of (r));
  plan.seed = seed;
  plan.threads = sl_blas_cores ();
  code = sl_plan_set_words (&plan, words);
  if (code == SL_EXIT_FINE)
    code = exit_of (sl_headless_open (run, &plan, NULL));
  if (code == SL_EXIT_FINE)
    code = train_to (r, run, row, sl_reproduction_number (r, "at"));
  sl_plan_clear (&plan);
  return code;
}

/* All rows of a seed, from a checkpoint of the trunk. */
static SlExit
part (SlReproduction *r, unsigned trunk, uint64_t seed)
{
  SlHeadlessRun run = { 0 };
  SlCheckpoint  fork = { 0 };
  SlExit        code = begin (r, &run, trunk, seed);

  if (code == SL_EXIT_FINE)
    code = exit_of (sl_trainer_save (run.trainer, &fork));
  for (unsigned row = 0; row < r->table->n_rows && code == SL_EXIT_FINE; row++)
    {
      code = exit_of (sl_trainer_restore (run.trainer, &fork));
      if (code == SL_EXIT_FINE)
        code = finish (r, &run, row, seed);
    }
  sl_checkpoint_clear (&fork);
  sl_headless_clear (&run);
  return code;
}

static SlExit
alone (SlReproduction *r, unsigned row, uint64_t seed)
{
  SlHeadlessRun run = { 0 };
  SlExit        code = begin (r, &run, row, seed);

  if (code == SL_EXIT_FINE)
    code = finish (r, &run, row, seed);
  sl_headless_clear (&run);
  return code;
}

SlExit
sl_measure_turns (SlReproduction *r)
{
  const char *trunk = sl_table_word (r->table, r->cells->quick ? "quick" : "full", "trunk");
  SlExit      code = SL_EXIT_FINE;

  for (unsigned row = 0; row < r->table->n_rows; row++)
    {
      g_autofree char *words = sl_reproduction_settings (r, (int) row);

      sl_reproduction_recipe (r, data_of (r), words);
    }
  for (uint64_t seed = r->first; seed < r->first + r->cells->seeds && code == SL_EXIT_FINE; seed++)
    if (trunk != NULL)
      code = part (r, (unsigned) sl_table_find_row (r->table, trunk), seed);
    else
      for (unsigned row = 0; row < r->table->n_rows && code == SL_EXIT_FINE; row++)
        code = alone (r, row, seed);
  return code;
}
