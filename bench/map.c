/* SPDX-License-Identifier: MIT
 *
 * What the gating map costs the training that it shows: updates per second of a session while its
 * map is watched and while it is not, by turns in the same run.  */
#include "core/lab/map/map.h"
#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/run/session/session.h"

enum { PAIRS = 15 };

/* Seconds of one turn, and before the first: several pictures, and the first one of a watch, which
 * may come out of its turn, is a small part of them.  */
static const double TURN = 1.0, WARM = 1.0;

static const struct
{
  const char *name, *lab, *hidden, *note;
} cases[] = {
  { "map.experts", "experts", NULL, "of the unwatched updates/s, two moons" },
  { "map.sign-estimator", "sign-estimator", "64-64",
    "of the unwatched updates/s, two moons, 64-64" },
};

/* Lets the run go on for a while.  Returns updates per second and counts the pictures. */
static double
watch_for (SlSession *session, unsigned panel, double seconds, unsigned *pictures)
{
  const SlSnapshot *snapshot = &sl_session_record (session)->snapshot[panel];
  uint64_t          shown = snapshot->step, first = sl_session_info (session)->step;
  double            begin = sl_clock_wall (), end;

  do
    {
      g_main_context_iteration (NULL, TRUE);
      *pictures += snapshot->step != shown;
      shown = snapshot->step;
      end = sl_clock_wall ();
    }
  while (end - begin < seconds && sl_session_state (session) == SL_RUNNING);
  return (double) (sl_session_info (session)->step - first) / (end - begin);
}

static SlExit
measure (SlBench *bench, size_t i)
{
  const SlLab *lab = sl_lab_find (cases[i].lab);
  unsigned     panel = (unsigned) sl_lab_panel (lab, "map"), pictures = 0, none = 0;
  g_autoptr (SlSession) session = sl_session_new ();
  double           without[PAIRS], with[PAIRS];
  SlSettings       settings;
  g_autofree char *pace = NULL;

  sl_settings_default (&settings, lab->params, lab->n_params);
  if (cases[i].hidden != NULL)
    {
      SlStatus status
        = sl_settings_set (&settings, lab->params, lab->n_params, "hidden", cases[i].hidden);

      if (!sl_ok (&status))
        return sl_cli_fail (&status);
    }
  sl_session_set_threads (session, 1);
  sl_session_start (session, lab, &settings, "moons", 1, TRUE);
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  if (sl_session_error (session) != NULL)
    return sl_cli_fail_error (g_error_copy (sl_session_error (session)));
  watch_for (session, panel, WARM, &none);
  for (int pair = 0; pair < PAIRS; pair++)
    {
      without[pair] = watch_for (session, panel, TURN, &none);
      sl_session_watch (session, panel, TRUE);
      with[pair] = watch_for (session, panel, TURN, &pictures);
      sl_session_watch (session, panel, FALSE);
    }
  pace = g_strdup_printf (
    "%u x %u cells %.1f times a second; %s", sl_session_record (session)->snapshot[panel].rows,
    sl_session_record (session)->snapshot[panel].columns, pictures / (PAIRS * TURN), cases[i].note);
  sl_bench_result (bench, cases[i].name, sl_median (with, PAIRS) / sl_median (without, PAIRS), "",
                   SL_BAR_LEAST, 0.95, pace);
  return SL_EXIT_FINE;
}

static SlExit
bench_map (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (size_t i = 0; i < G_N_ELEMENTS (cases) && code == SL_EXIT_FINE; i++)
    code = measure (bench, i);
  return code;
}

const SlBenchGroup sl_bench_map = { "map", "what watching the gating map costs", false, bench_map };
