/* SPDX-License-Identifier: MIT
 *
 * What pruned sweeps find: ten small sweeps of several labs, each of four costs and six learning rates over three
 * decades, are made whole, and what each run had shown at a rung then decides which ones a pruned sweep would have
 * made to the end (its runs are the same to the last bit: tests/core/run/test-halving.c).  Found is a sweep when
 * all settings on the front of test error against cost, means over the seeds, are left.  */
#include <math.h>
#include <string.h>

#include "bench/bench.h"
#include "core/labs/registry.h"
#include "core/run/record/tradeoff.h"
#include "core/run/sweep/halving.h"
#include "core/run/sweep/run.h"

enum { AXES = 2, SEEDS = 2, UPDATES = 480, PRUNE = 2 };

#define DIGITS "digits:images=6000,valid=0.2,test=0.2"
#define GRAMMAR "grammar:length=40000,valid=0.2,test=0.2"
#define RATES "learning-rate=0.0002,0.0008,0.003,0.0125,0.05,0.2"
#define GATE_RATES "learning-rate=0.002,0.008,0.03,0.125,0.5,2"

static const struct
{
  const char *name, *lab, *data, *settings;
  const char *axes[AXES];
} sweeps[] = {
  { "signs-digits",
    "sign-estimator",
    DIGITS,
    "hidden=64-32 batch=64 evaluate-every=20",
    { "rank=2-2,4-4,8-8,16-16", RATES } },
  { "signs-moons",
    "sign-estimator",
    "moons:points=6000,noise=0.25,valid=0.25,test=0.25",
    "hidden=24-16 batch=64 evaluate-every=20",
    { "rank=1-1,2-2,4-4,8-8", RATES } },
  { "experts-digits",
    "experts",
    DIGITS,
    "hidden=8 batch=64 evaluate-every=20",
    { "k=1,2,4,8", RATES } },
  { "experts-spirals",
    "experts",
    "spirals:points=6000,valid=0.25,test=0.25",
    "hidden=8 batch=64 evaluate-every=20",
    { "k=1,2,4,8", RATES } },
  { "gates-digits",
    "stochastic-gates",
    DIGITS,
    "experts=128 gater-hidden=16 evaluate-every=20",
    { "target-density=0.05,0.1,0.2,0.4", GATE_RATES } },
  { "concrete-digits",
    "stochastic-gates",
    DIGITS,
    "gate=hard-concrete experts=128 gater-hidden=16 evaluate-every=20",
    { "target-density=0.05,0.1,0.2,0.4", GATE_RATES } },
  { "tree-digits",
    "prefix-tree",
    DIGITS,
    "hidden=64 batch=64 evaluate-every=20",
    { "k=0,2,4,6", RATES } },
  { "recurrence-grammar",
    "gated-recurrence",
    GRAMMAR,
    "units=48 batch=16 length=16 evaluate-every=20 evaluate-letters=4000",
    { "s=-1,-0.5,0,0.5", RATES } },
  { "paths-digits",
    "selective-execution",
    DIGITS,
    "low=8 high=64 controller=8 batch=64 evaluate-every=20 explore-for=200",
    { "lambda=0.7,0.9,0.95,1", RATES } },
  { "experts-text",
    "experts-text",
    GRAMMAR,
    "symbols=letters units=24 experts=8 hidden=16 evaluate-every=20 evaluate-symbols=4000",
    { "k=1,2,4,6", RATES } },
};

/* A run that is over. */
typedef struct
{
  SlSeries error, cost; /* of its training, that points are compared by */
  double   test, executed;
} Shown;

typedef struct
{
  SlSweep    sweep;
  GArray    *jobs;
  unsigned   points;
  Shown     *shown; /* (jobs->len) */
  GMainLoop *loop;
} Whole;

/* Means over the seeds of a setting. */
typedef struct
{
  SlMean test, executed;
  bool   best, left; /* on the front of the whole sweep; made to its end by the pruned one */
} Point;

/* What a pruned sweep finds. */
typedef struct
{
  unsigned members, lost;
  unsigned lost_clearly; /* by more than a standard error */
  double   share;        /* of all updates */
} Found;

/* ---- the whole sweep ---- */

static bool
set_words (SlSweep *sweep, const char *words)
{
  g_auto (GStrv) word = g_strsplit (words, " ", -1);
  const SlLab *lab = sweep->lab;

  for (char **w = word; *w != NULL; w++)
    {
      char    *value = strchr (*w, '=');
      SlStatus status;

      *value = '\0';
      status = sl_settings_set (&sweep->settings, lab->params, lab->n_params, *w, value + 1);
      if (!sl_ok (&status))
        {
          sl_cli_fail (&status);
          return false;
        }
    }
  return true;
}

static bool
begin (Whole *whole, size_t s)
{
  SlSweep *sweep = &whole->sweep;
  GError  *error = NULL;
  bool     fine;

  sl_sweep_init (sweep, sl_lab_find (sweeps[s].lab));
  g_free (sweep->data);
  sweep->data = g_strdup (sweeps[s].data);
  sweep->budget.steps = UPDATES;
  sweep->prune = PRUNE;
  fine = set_words (sweep, sweeps[s].settings);
  for (unsigned a = 0; a < AXES && fine; a++)
    fine = sl_sweep_add_axis (sweep, sweeps[s].axes[a], &error);
  fine = fine && sl_sweep_set_seeds (sweep, "1-2", &error) && sl_sweep_check (sweep, &error);
  if (error != NULL)
    sl_cli_fail_error (error);
  whole->jobs = fine ? sl_sweep_expand (sweep) : NULL;
  whole->shown = fine ? g_new0 (Shown, whole->jobs->len) : NULL;
  whole->points = fine ? whole->jobs->len / SEEDS : 0;
  return fine;
}

static void
take (const SlSweepResult *result, const char *channel, SlSeries *series)
{
  int at = channel != NULL ? sl_layout_find (&result->record.layout, channel) : -1;

  for (size_t i = 0; at >= 0 && i < result->record.series[at].n; i++)
    sl_series_append (series, result->record.series[at].step[i],
                      result->record.series[at].value[i]);
}

static void
on_arrived (SlSweepRun *run, const SlSweepResult *result, Whole *whole)
{
  Shown       *shown = &whole->shown[result->job.number];
  const SlLab *lab = whole->sweep.lab;

  shown->test = shown->executed = NAN;
  if (!sl_ok (&result->status))
    return;
  take (result, sl_halving_error_channel (lab), &shown->error);
  take (result, sl_halving_cost_channel (lab), &shown->cost);
  shown->test = result->outcome.error;
  shown->executed = result->outcome.executed;
}

static void
make (Whole *whole)
{
  const SlSweepPool pool = { 0 };
  SlSweep           plain = whole->sweep; /* borrows */
  SlSweepRun       *run;

  plain.prune = 0;
  run = sl_sweep_run_new (&plain, whole->jobs, &pool);
  whole->loop = g_main_loop_new (NULL, FALSE);
  g_signal_connect (run, "arrived", G_CALLBACK (on_arrived), whole);
  g_signal_connect_swapped (run, "ended", G_CALLBACK (g_main_loop_quit), whole->loop);
  sl_sweep_run_start (run);
  g_main_loop_run (whole->loop);
  g_main_loop_unref (whole->loop);
  g_object_unref (run);
}

static void
clear (Whole *whole)
{
  for (guint i = 0; whole->jobs != NULL && i < whole->jobs->len; i++)
    {
      sl_series_clear (&whole->shown[i].error);
      sl_series_clear (&whole->shown[i].cost);
    }
  g_free (whole->shown);
  g_clear_pointer (&whole->jobs, g_array_unref);
  sl_sweep_clear (&whole->sweep);
}

/* ---- the pruned one ---- */

/* Jobs come seed by seed. */
static void
average (const Whole *whole, Point *point)
{
  g_autofree SlTradeoff *setting = g_new0 (SlTradeoff, whole->points);
  g_autofree unsigned   *group = g_new (unsigned, whole->jobs->len);
  g_autofree double     *test = g_new (double, whole->jobs->len);
  g_autofree double     *executed = g_new (double, whole->jobs->len);
  g_autofree SlMean     *mean = g_new (SlMean, whole->points);

  for (guint i = 0; i < whole->jobs->len; i++)
    {
      group[i] = i % whole->points;
      test[i] = whole->shown[i].test;
      executed[i] = whole->shown[i].executed;
    }
  sl_tradeoff_means (test, group, whole->jobs->len, mean, whole->points);
  for (unsigned p = 0; p < whole->points; p++)
    point[p].test = mean[p];
  sl_tradeoff_means (executed, group, whole->jobs->len, mean, whole->points);
  for (unsigned p = 0; p < whole->points; p++)
    {
      point[p].executed = mean[p];
      setting[p] = (SlTradeoff) { .cost = mean[p].mean, .error = point[p].test.mean };
    }
  sl_tradeoff_front (setting, whole->points, NULL);
  for (unsigned p = 0; p < whole->points; p++)
    point[p].best = setting[p].best;
}

/* Which points are made to the end; returns the share of all updates. */
static double
prune (const Whole *whole, Point *point)
{
  SlHalving *halving = sl_halving_new (&whole->sweep, whole->jobs);
  double     runs;

  do
    {
      for (guint i = 0; i < whole->jobs->len; i++)
        {
          const Shown   *shown = &whole->shown[i];
          uint64_t       rung = sl_halving_rung (halving);
          SlHalvingPoint figures
            = { sl_halving_value (&shown->error, rung), sl_halving_value (&shown->cost, rung) };

          point[i % whole->points].left = sl_halving_next (halving, i) == SL_HALVING_FINISH;
          sl_halving_tell (halving, i, &figures, isnan (shown->test));
        }
      runs = sl_halving_runs (halving);
    }
  while (sl_halving_advance (halving));
  sl_halving_free (halving);
  return runs / whole->jobs->len;
}

/* Whether a member of the front lies more than a standard error below what is left at its cost. */
static bool
is_clear (const Point *member, const Point *point, unsigned n)
{
  const Point *instead = NULL;
  double       variance;

  for (unsigned p = 0; p < n; p++)
    if (point[p].left && point[p].executed.mean <= member->executed.mean
        && (instead == NULL || point[p].test.mean < instead->test.mean))
      instead = &point[p];
  if (instead == NULL)
    return true;
  variance = member->test.sd * member->test.sd / member->test.n
             + instead->test.sd * instead->test.sd / instead->test.n;
  return !(instead->test.mean - member->test.mean <= sqrt (variance));
}

static void
compare (const Whole *whole, Found *found)
{
  g_autofree Point *point = g_new0 (Point, whole->points);

  *found = (Found) { 0 };
  average (whole, point);
  found->share = prune (whole, point);
  for (unsigned p = 0; p < whole->points; p++)
    if (point[p].best)
      {
        found->members++;
        found->lost += !point[p].left;
        found->lost_clearly += !point[p].left && is_clear (&point[p], point, whole->points);
      }
}

static void
report (SlBench *bench, const char *name, const Found *found)
{
  g_autofree char *id = g_strdup_printf ("halving.%s", name);
  g_autofree char *note = g_strdup_printf (
    "%s: %u of %u members lost, %u by more than a standard error",
    found->lost == 0 ? "found" : "not found", found->lost, found->members, found->lost_clearly);

  sl_bench_result (bench, id, found->share, "of updates", SL_BAR_MOST, 1.0 / PRUNE, note);
}

static SlExit
bench_halving (SlBench *bench)
{
  unsigned same = 0, clearly = 0;

  for (size_t s = 0; s < G_N_ELEMENTS (sweeps); s++)
    {
      Whole whole = { 0 };
      Found found = { 0 };
      bool  fine = begin (&whole, s);

      if (fine)
        {
          make (&whole);
          compare (&whole, &found);
          report (bench, sweeps[s].name, &found);
          same += found.lost == 0;
          clearly += found.lost_clearly == 0;
        }
      clear (&whole);
      if (!fine)
        return SL_EXIT_FAILED;
    }
  sl_bench_result (bench, "halving.found", same, "of 10", SL_BAR_LEAST, 9,
                   "sweeps whose front has the same members");
  sl_bench_result (bench, "halving.nearly", clearly, "of 10", SL_BAR_NONE, 0,
                   "sweeps that lose no member by more than a standard error");
  return SL_EXIT_FINE;
}

const SlBenchGroup sl_bench_halving
  = { "halving", "fronts that pruned sweeps find, of ten small sweeps", true, bench_halving };
