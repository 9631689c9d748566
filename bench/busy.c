/* SPDX-License-Identifier: MIT
 *
 * What a person reads while the machine does other work: timed ratios beside four busy threads against
 * those of a quiet machine, and the updates of each lab beside two, with the threads that they have in
 * the window.  */
#include <math.h>

#include "bench/bench.h"
#include "bench/run.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"

enum { MOST_BUSY = 4, FIRST = 20, QUIET = 5, TRIES = 12, LOADED = 10 };

static const double at_once = 0.15, rate_seconds = 4, most_apart = 15, fewest_updates = 25;

/* ---- other work ---- */

typedef struct
{
  GThread *thread[MOST_BUSY];
  unsigned n;
  gint     stop;
} Others;

static gpointer
compute (gpointer stop)
{
  volatile double number = 0;

  while (!g_atomic_int_get ((gint *) stop))
    for (int i = 0; i < 1000; i++)
      number = number + i;
  return NULL;
}

static void
begin_others (Others *others, unsigned n)
{
  *others = (Others) { .n = n };
  for (unsigned i = 0; i < n; i++)
    others->thread[i] = g_thread_new ("busy", compute, &others->stop);
}

static void
end_others (Others *others)
{
  g_atomic_int_set (&others->stop, 1);
  for (unsigned i = 0; i < others->n; i++)
    g_thread_join (others->thread[i]);
}

/* ---- ratios ---- */

/* What the clock says at this moment: NaN when it is withheld.  False: there is nothing to time. */
static bool
read_ratio (SlHeadlessRun *run, double *timed)
{
  SlClockRounds rounds = { 0 };
  SlClockAnswer answer = SL_CLOCK_MORE;

  while (answer == SL_CLOCK_MORE)
    answer = sl_trainer_time (run->trainer, &rounds, at_once, NULL);
  *timed = 100 * sl_clock_times (&rounds).share[1].value;
  return answer == SL_CLOCK_DONE;
}

/* The median of readings that were not withheld; NaN where there are too few. */
static bool
read_quiet (SlHeadlessRun *run, double *quiet)
{
  double   reading[QUIET];
  unsigned n = 0;
  bool     timed = true;

  for (unsigned i = 0; i < TRIES && n < QUIET && timed; i++)
    {
      timed = read_ratio (run, &reading[n]);
      n += isfinite (reading[n]);
    }
  *quiet = n == QUIET ? sl_median (reading, QUIET) : (double) NAN;
  return timed;
}

static void
compare (SlBench *bench, SlHeadlessRun *run)
{
  const SlLab     *lab = run->recipe.lab;
  g_autofree char *name = g_strdup_printf ("busy.%s.ratio", lab->id);
  g_autofree char *note = NULL;
  double           quiet, loaded, apart = 0;
  unsigned         withheld = 0;
  Others           others;

  if (!read_quiet (run, &quiet))
    return;
  begin_others (&others, MOST_BUSY);
  for (unsigned i = 0; i < LOADED; i++)
    {
      read_ratio (run, &loaded);
      withheld += isnan (loaded);
      if (isfinite (loaded))
        apart = fmax (apart, 100 * fabs (loaded / quiet - 1));
    }
  end_others (&others);
  note = g_strdup_printf ("%.1f %% of dense when quiet; %u of %u withheld beside four busy threads",
                          quiet, withheld, LOADED);
  sl_bench_result (bench, name, isnan (quiet) ? (double) NAN : apart, "%", SL_BAR_MOST, most_apart,
                   note);
}

static SlExit
open_run (SlHeadlessRun *run, const SlLab *lab, unsigned threads)
{
  const char *data = lab->data == SL_NEEDS_NOTHING ? NULL : sl_source_default_for (lab->data);

  return sl_bench_open (run, lab->id, data, "", threads);
}

static SlExit
bench_ratio (SlBench *bench, const SlLab *lab)
{
  SlHeadlessRun run;
  SlExit        code = open_run (&run, lab, 1);

  if (code != SL_EXIT_FINE)
    return code;
  if (lab->clock != NULL)
    code = sl_bench_train (&run, FIRST);
  if (lab->clock != NULL && code == SL_EXIT_FINE)
    compare (bench, &run);
  sl_headless_clear (&run);
  return code;
}

/* ---- rates ---- */

typedef struct
{
  const SlLab *lab;
  double       rate; /* updates a second of the clock */
  SlExit       code;
} Rate;

static gpointer
train (gpointer data)
{
  Rate         *rate = data;
  SlHeadlessRun run;
  double        begin, seconds = 0;
  unsigned      updates = 0;

  rate->code = open_run (&run, rate->lab, 0);
  if (rate->code != SL_EXIT_FINE)
    return NULL;
  rate->code = sl_bench_train (&run, FIRST);
  begin = sl_clock_wall ();
  for (; rate->code == SL_EXIT_FINE && seconds < rate_seconds; updates++)
    {
      rate->code = sl_bench_train (&run, 1);
      seconds = sl_clock_wall () - begin;
    }
  rate->rate = updates / seconds;
  sl_headless_clear (&run);
  return NULL;
}

/* In a thread of its own, as in the window. */
static SlExit
bench_rate (SlBench *bench, const SlLab *lab)
{
  g_autofree char *name = g_strdup_printf ("busy.%s.rate", lab->id);
  Rate             rate = { .lab = lab };
  Others           others;

  begin_others (&others, 2);
  g_thread_join (g_thread_new ("train", train, &rate));
  end_others (&others);
  if (rate.code == SL_EXIT_FINE)
    sl_bench_result (bench, name, rate.rate, "updates/s", SL_BAR_LEAST, fewest_updates,
                     "beside two busy threads, settings of the start");
  return rate.code;
}

/* A picture takes as long as it takes, and a recording is replayed at a pace. */
static SlExit
bench_busy (SlBench *bench)
{
  SlExit code = SL_EXIT_FINE;

  for (unsigned i = 0; sl_labs[i] != NULL && code == SL_EXIT_FINE; i++)
    code = bench_ratio (bench, sl_labs[i]);
  for (unsigned i = 0; sl_labs[i] != NULL && code == SL_EXIT_FINE; i++)
    if (sl_labs[i]->data != SL_NEEDS_PICTURES && sl_labs[i]->objective != NULL)
      code = bench_rate (bench, sl_labs[i]);
  return code;
}

const SlBenchGroup sl_bench_busy
  = { "busy", "timed ratios and rates of each lab while the machine does other work", true,
      bench_busy };
