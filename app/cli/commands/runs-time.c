/* SPDX-License-Identifier: MIT */
#include "app/cli/commands/runs-time.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>

#include "app/cli/show/list.h"
#include "app/cli/show/meter.h"
#include "app/cli/stop.h"
#include "app/cli/storing.h"
#include "core/run/headless/retime.h"
#include "plot/base/scale.h"

static bool
ask (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  SlMeter *meter = data;

  if (sl_meter_due (meter, done))
    sl_meter_show (meter, sl_trainer_steps (run->trainer), run->budget.steps, done, progress);
  return !sl_stop_asked ();
}

static SlExit
time_one (SlStore *store, const SlStoreRun *run)
{
  GError   *error = NULL;
  SlMeter   meter;
  SlOutcome outcome;
  gboolean  done;
  char      text[48];

  sl_meter_begin (&meter, false);
  done = sl_retime (store, run->uuid, ask, &meter, &outcome, &error);
  sl_meter_clear (&meter);
  if (!done && g_error_matches (error, SL_ERROR, SL_ECANCELLED))
    {
      g_error_free (error);
      return SL_EXIT_STOPPED;
    }
  if (!done)
    {
      sl_cli_report ("%s: %s", run->name, error->message);
      g_error_free (error);
      return SL_EXIT_FAILED;
    }
  if (outcome.busy)
    {
      sl_cli_report (_ ("%s: the machine is too busy to time it; try again later"), run->name);
      return SL_EXIT_FAILED;
    }
  printf (_ ("%s: %s %% of the dense time (batch %u)\n"), run->name,
          sl_spread_text (outcome.timed, outcome.timed_spread, 3, text, sizeof text),
          outcome.batch);
  fflush (stdout);
  return SL_EXIT_FINE;
}

/* The runs, of SlStoreRun; NULL after a complaint. */
static GPtrArray *
chosen (SlStore *store, char **words, const SlRunsTyped *typed, SlExit *code)
{
  GPtrArray *runs;

  *code = SL_EXIT_FAILED;
  if (words[0] != NULL)
    {
      g_auto (GStrv) names = sl_runs_named (store, words);

      return names != NULL ? sl_store_list_these (store, (const char *const *) names, NULL) : NULL;
    }
  runs = sl_cli_list_runs (store, typed->lab, typed->filter, code);
  for (guint i = runs != NULL ? runs->len : 0; i > 0; i--)
    if (!sl_retime_is_due (g_ptr_array_index (runs, i - 1)))
      g_ptr_array_remove_index (runs, i - 1);
  return runs;
}

SlExit
sl_runs_time (SlStore *store, char **words, SlRunsTyped *typed)
{
  SlStoring storing = { .store = store };
  SlExit    code;
  unsigned  timed = 0;
  g_autoptr (GPtrArray) runs = chosen (store, words, typed, &code);

  if (runs == NULL)
    return code;
  code = SL_EXIT_FINE;
  sl_stop_watch ();
  for (guint i = 0; i < runs->len && code != SL_EXIT_STOPPED; i++)
    {
      SlExit one = time_one (store, g_ptr_array_index (runs, i));

      timed += one == SL_EXIT_FINE;
      code = one != SL_EXIT_FINE ? one : code;
      sl_storing_look (&storing);
    }
  if (code == SL_EXIT_STOPPED)
    sl_cli_report (_ ("stopped; timed: %u of %u"), timed, runs->len);
  return sl_storing_end (&storing, code);
}
