/* SPDX-License-Identifier: MIT
 *
 * Rows of a published table as runs of a sweep whose settings are a list; see reproduce.h.  */
#include <math.h>
#include <string.h>

#include "app/cli/stop.h"
#include "core/labs/registry.h"
#include "core/run/sweep/run.h"
#include "reproduce/reproduce.h"

typedef struct
{
  SlReproduction    *reproduction;
  const SlTableRuns *runs;
  GMainLoop         *loop;
  SlExit             code;
  unsigned           over;
} Work;

/* One row with every seed; *sweep keeps the data and the budget of all. */
static SlExit
add_row (SlReproduction *reproduction, const SlTableRuns *runs, unsigned row, const SlSweep *sweep,
         GArray *jobs)
{
  SlPlan plan;
  SlExit code;

  sl_plan_init (&plan, sweep->lab);
  sl_reproduction_recipe (reproduction, runs->lab, sweep->data, runs->settings, runs->rows[row]);
  code = sl_plan_set_words (&plan, runs->settings);
  if (code == SL_EXIT_FINE)
    code = sl_plan_set_words (&plan, runs->rows[row]);
  for (unsigned s = 0; s < reproduction->seeds && code == SL_EXIT_FINE; s++)
    {
      SlSweepJob job = { .number = row, .seed = s + 1, .settings = plan.settings };

      sl_sweep_name (sweep->lab, &job.settings, sweep->data, job.seed, &sweep->budget, job.id);
      g_array_append_val (jobs, job);
    }
  sl_plan_clear (&plan);
  return code;
}

static void
on_arrived (SlSweepRun *run, const SlSweepResult *result, Work *work)
{
  SlSweepProgress progress;

  if (!sl_ok (&result->status))
    {
      work->code = sl_cli_fail (&result->status);
      sl_sweep_run_cancel (run);
      return;
    }
  work->runs->read (work->reproduction, result->job.number, result);
  sl_sweep_run_progress (run, &progress);
  sl_reproduction_note (work->reproduction, "%u of %u runs", progress.over, progress.runs);
}

static void
on_changed (SlSweepRun *run, Work *work)
{
  if (sl_stop_asked ())
    {
      work->code = SL_EXIT_STOPPED;
      sl_sweep_run_cancel (run);
    }
}

static void
on_ended (SlSweepRun *run, Work *work)
{
  if (work->code == SL_EXIT_FINE && sl_sweep_run_state (run) == SL_SWEEP_FAILED)
    {
      sl_cli_report ("%s", sl_sweep_run_error (run)->message);
      work->code = SL_EXIT_FAILED;
    }
  g_main_loop_quit (work->loop);
}

double
sl_reproduction_score (const SlSweepResult *result, const char *id)
{
  for (unsigned i = 0; i < result->n_scores[SL_TEST]; i++)
    if (strcmp (result->score[SL_TEST][i].id, id) == 0)
      return result->score[SL_TEST][i].value;
  return (double) NAN;
}

const SlTablePlot sl_validation_plot = {
  .name = "validation error",
  .x = { .label = "update", .whole = true },
  .y = { .label = "validation error", .unit = "% wrong" },
};

void
sl_reproduction_validation (SlReproduction *reproduction, unsigned row, const SlSweepResult *result)
{
  const SlRecord *record = &result->record;
  const SlSeries *valid = &record->series[sl_layout_find (&record->layout, "error.valid")];
  size_t          first = valid->n > 1 && valid->step[0] <= 1;

  if (result->job.seed == 1)
    sl_reproduction_curve (reproduction, row, sl_validation_plot.name,
                           reproduction->table->rows[row], valid->n - first, valid->step + first,
                           valid->value + first);
}

SlExit
sl_reproduction_runs (SlReproduction *reproduction, const SlTableRuns *runs)
{
  g_autoptr (GArray) jobs = g_array_new (FALSE, FALSE, sizeof (SlSweepJob));
  g_autoptr (SlSweepRun) run = NULL;
  Work    work = { .reproduction = reproduction, .runs = runs };
  SlSweep sweep;

  sl_sweep_init (&sweep, sl_lab_find (runs->lab));
  g_free (sweep.data);
  sweep.data = g_strdup (runs->data != NULL ? runs->data : reproduction->data);
  sweep.budget = runs->budget;
  for (unsigned row = 0; row < reproduction->n_rows && work.code == SL_EXIT_FINE; row++)
    if (runs->rows[row] != NULL)
      work.code = add_row (reproduction, runs, row, &sweep, jobs);
  if (work.code == SL_EXIT_FINE)
    {
      run = sl_sweep_run_new (&sweep, jobs,
                              &(SlSweepPool) { .keeps = true, .store = reproduction->store });
      reproduction->runs += jobs->len;
      work.loop = g_main_loop_new (NULL, FALSE);
      g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), &work);
      g_signal_connect (run, "changed", G_CALLBACK (on_changed), &work);
      g_signal_connect (run, "ended", G_CALLBACK (on_ended), &work);
      sl_sweep_run_start (run);
      g_main_loop_run (work.loop);
      g_main_loop_unref (work.loop);
    }
  sl_sweep_clear (&sweep);
  return work.code;
}
