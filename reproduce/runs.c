/* SPDX-License-Identifier: MIT
 *
 * Rows of a published table as runs of a sweep whose settings are a list; see reproduce.h.  */
#include <string.h>

#include "app/cli/plan.h"
#include "app/cli/stop.h"
#include "core/labs/registry.h"
#include "core/run/sweep/run.h"
#include "reproduce/readings.h"

typedef struct
{
  SlReproduction *reproduction;
  GMainLoop      *loop;
  SlExit          code;
} Work;

/* What the runs of a row are made of; free with g_free().  NULL: what the lab usually has. */
static char *
data_of (const SlReproduction *r, unsigned row)
{
  const char *own = sl_table_row_word (r->table, row, "data");

  if (own == NULL)
    own = r->data != NULL ? r->data : sl_table_word (r->table, "table", "data");
  return own != NULL ? sl_table_fill (r->table, r->cells->quick, own) : NULL;
}

/* The number of the data of a row among those of the sweep, which gets them. */
static unsigned
number_of_data (const SlReproduction *r, unsigned row, SlSweep *sweep)
{
  g_autofree char *data = data_of (r, row);
  unsigned         i = 0;

  if (data == NULL)
    return 0;
  while (i < sl_sweep_n_data (sweep) && g_strcmp0 (sl_sweep_data (sweep, i), data) != 0)
    i++;
  if (i == sl_sweep_n_data (sweep))
    g_ptr_array_add (sweep->also, g_steal_pointer (&data));
  return i;
}

/* How long a row is trained: as its table says, or itself. */
static SlBudget
budget_of (const SlReproduction *r, unsigned row)
{
  const char *own = sl_table_row_word (r->table, row, "epochs");

  return (SlBudget) { .steps = (uint64_t) sl_reproduction_number (r, "steps"),
                      .epochs = own != NULL ? g_ascii_strtod (own, NULL)
                                            : sl_reproduction_number (r, "epochs"),
                      .patience = sl_reproduction_number (r, "patience") };
}

/* One row with every seed. */
static SlExit
add_row (SlReproduction *r, unsigned row, SlSweep *sweep, GArray *jobs)
{
  g_autofree char *words = sl_reproduction_settings (r, (int) row);
  unsigned         number = number_of_data (r, row, sweep);
  const char      *data = sl_sweep_data (sweep, number);
  SlPlan           plan;
  SlExit           code;

  sl_plan_init (&plan, sweep->lab);
  sl_reproduction_recipe (r, data, words);
  code = sl_plan_set_words (&plan, words);
  for (unsigned s = 0; s < r->cells->seeds && code == SL_EXIT_FINE; s++)
    {
      SlSweepJob job = { .number = row,
                         .data = number,
                         .seed = r->first + s,
                         .budget = budget_of (r, row),
                         .settings = plan.settings };

      sl_sweep_name (sweep->lab, &job.settings, data, job.seed, &job.budget, job.id);
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
  sl_readings_take (work->reproduction, result);
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

static void
perform (Work *work, const SlSweep *sweep, const GArray *jobs)
{
  SlReproduction *r = work->reproduction;
  g_autoptr (SlSweepRun) run
    = sl_sweep_run_new (sweep, jobs, &(SlSweepPool) { .keeps = true, .store = r->store });

  r->runs += jobs->len;
  work->loop = g_main_loop_new (NULL, FALSE);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), work);
  g_signal_connect (run, "changed", G_CALLBACK (on_changed), work);
  g_signal_connect (run, "ended", G_CALLBACK (on_ended), work);
  sl_sweep_run_start (run);
  g_main_loop_run (work->loop);
  g_main_loop_unref (work->loop);
}

SlExit
sl_reproduction_runs (SlReproduction *r)
{
  g_autoptr (GArray) jobs = g_array_new (FALSE, FALSE, sizeof (SlSweepJob));
  char   *data = data_of (r, 0);
  Work    work = { .reproduction = r };
  SlSweep sweep;

  sl_sweep_init (&sweep, sl_lab_find (sl_table_word (r->table, "table", "lab")));
  if (data != NULL)
    {
      g_free (sweep.data);
      sweep.data = data;
    }
  for (unsigned row = 0; row < r->table->n_rows && work.code == SL_EXIT_FINE; row++)
    if (sl_reproduction_has_row (r, row))
      work.code = add_row (r, row, &sweep, jobs);
  if (work.code == SL_EXIT_FINE && jobs->len > 0)
    perform (&work, &sweep, jobs);
  sl_sweep_clear (&sweep);
  return work.code;
}
