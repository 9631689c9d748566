/* SPDX-License-Identifier: MIT
 *
 * How soon after a change of a setting the time of a forward pass is known, in a session of each lab and in
 * those of the start page, which share the cores.  */
#include <math.h>

#include "bench/bench.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/group/group.h"

enum { ROUNDS = 5, MOST_SIDE = 8 };

static const double in_a_lab = 0.6, on_the_start_page = 1.2, patience = 20, training = 1.0;

static void
run_for (double seconds)
{
  double end = sl_clock_wall () + seconds;

  while (sl_clock_wall () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static bool
is_timed (SlSession *session)
{
  const SlRecord *record = sl_session_record (session);

  return record->lab == NULL || record->lab->clock == NULL || record->times.batch > 0
         || record->times.never;
}

/* Seconds until all of these sessions (n) have a figure; not-a-number: they have none. */
static double
wait_for (SlSession *const *session, unsigned n)
{
  double   begin = sl_clock_wall ();
  unsigned timed = 0;

  while (timed < n && sl_clock_wall () - begin < patience)
    {
      run_for (0.002);
      for (timed = 0; timed < n && is_timed (session[timed]);)
        timed++;
    }
  return timed == n ? sl_clock_wall () - begin : (double) NAN;
}

/* Moves the learning rate a little. */
static void
change (SlSession *session, unsigned round)
{
  const SlLab *lab = sl_session_lab (session);
  int          rate = sl_param_find (lab->params, lab->n_params, "learning-rate");
  SlValue      value;

  if (rate < 0)
    return;
  value = sl_session_settings (session)->value[rate];
  value.v[0] *= round % 2 == 0 ? 0.5 : 2;
  sl_session_set (session, "learning-rate", &value, NULL);
  while (is_timed (session) && lab->clock != NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* The median over a few changes. */
static void
measure (SlBench *bench, const char *name, SlSession *const *session, unsigned n, double bar)
{
  double seconds[ROUNDS];

  wait_for (session, n);
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      double begin = sl_clock_wall ();

      run_for (training / ROUNDS);
      begin = sl_clock_wall ();
      for (unsigned i = 0; i < n; i++)
        change (session[i], round);
      wait_for (session, n);
      seconds[round] = sl_clock_wall () - begin;
    }
  sl_bench_result (
    bench, name, sl_median (seconds, ROUNDS), "s", SL_BAR_MOST, bar,
    "from a change of the learning rate to a figure, if only that the machine is busy");
}

static void
measure_lab (SlBench *bench, const SlLab *lab)
{
  SlSession       *session = sl_session_new ();
  g_autofree char *name = g_strconcat ("clock.", lab->id, NULL);
  SlSettings       settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, sl_source_default_for (lab->data), 1, TRUE);
  while (sl_session_is_loading (session))
    g_main_context_iteration (NULL, TRUE);
  measure (bench, name, &session, 1, in_a_lab);
  g_object_unref (session);
}

static void
measure_group (SlBench *bench)
{
  SlGroup   *group = sl_group_new ();
  SlSession *session[MOST_SIDE];
  unsigned   n = 0;

  sl_group_start (group, NULL, 1, TRUE);
  for (unsigned i = 0; i < sl_group_size (group) && n < MOST_SIDE; i++)
    {
      while (sl_session_is_loading (sl_group_session (group, i)))
        g_main_context_iteration (NULL, TRUE);
      if (sl_group_lab (group, i)->clock != NULL)
        session[n++] = sl_group_session (group, i);
    }
  measure (bench, "clock.overview", session, n, on_the_start_page);
  g_object_unref (group);
}

static SlExit
bench_clock (SlBench *bench)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    if (sl_labs[i]->clock != NULL)
      measure_lab (bench, sl_labs[i]);
  measure_group (bench);
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_clock
  = { "clock", "from a change of a setting to the time of a forward pass, for each lab", true,
      bench_clock };
