/* SPDX-License-Identifier: MIT
 *
 * See halving.h.  */
#include "core/run/sweep/halving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the updates at which points are compared, and which part of all points goes on there, where rungs fall
 * on these places exactly: 1/8 + 3/4 · 1/8 + 3/8 · 3/4 = 1/2, and 1/8 + 1/2 · 1/8 + 3/16 · 3/4 < 1/3.  */
enum { STAGES = 2 };

static const struct
{
  unsigned part; /* 1/part of the updates */
  double   kept;
} stages[][STAGES]
  = { [2] = { { 8, 3.0 / 4 }, { 4, 3.0 / 8 } }, [3] = { { 8, 1.0 / 2 }, { 4, 3.0 / 16 } } };

struct SlHalving
{
  unsigned        prune;
  uint64_t        rung[SL_HALVING_RUNGS_MAX];
  double          kept[SL_HALVING_RUNGS_MAX]; /* parts of all points that go on to it: 1 first */
  unsigned        n_rungs, at;                /* rungs, and the one under way */
  unsigned        jobs, points;
  unsigned       *point_of; /* (jobs) */
  SlHalvingPoint *figures;  /* (jobs) at the rung under way */
  SlHalvingNext  *next;     /* (jobs) */
  double          made;     /* runs of full length that the rungs before came to */
};

/* How often a lab evaluates under these settings, or 1. */
static uint64_t
evaluates_every (const SlSweep *sweep)
{
  int p = sl_param_find (sweep->lab->params, sweep->lab->n_params, "evaluate-every");

  return p >= 0 && sweep->settings.value[p].v[0] >= 1 ? (uint64_t) sweep->settings.value[p].v[0]
                                                      : 1;
}

/* The rungs, and in `kept` which part of all points goes on to each. */
static unsigned
find_rungs (const SlSweep *sweep, uint64_t *rung, double *kept)
{
  uint64_t steps = sweep->budget.steps, every = evaluates_every (sweep);
  unsigned n = 0;

  kept[0] = 1;
  for (unsigned i = 0; i < STAGES; i++)
    {
      uint64_t part = stages[sweep->prune][i].part, at = (steps + part - 1) / part;

      at = (at + every - 1) / every * every;
      if (at >= steps || (n > 0 && at <= rung[n - 1]))
        continue;
      rung[n++] = at;
      kept[n] = stages[sweep->prune][i].kept;
    }
  rung[n++] = steps;
  return n;
}

unsigned
sl_halving_rungs (const SlSweep *sweep, uint64_t rung[SL_HALVING_RUNGS_MAX])
{
  double kept[SL_HALVING_RUNGS_MAX];

  return find_rungs (sweep, rung, kept);
}

double
sl_halving_value (const SlSeries *series, uint64_t step)
{
  for (size_t i = series->n; i > 0; i--)
    if (series->step[i - 1] <= (double) step && isfinite (series->value[i - 1]))
      return series->value[i - 1];
  return NAN;
}

const char *
sl_halving_error_channel (const SlLab *lab)
{
  return lab->valid;
}

const char *
sl_halving_cost_channel (const SlLab *lab)
{
  SlCosts costs = sl_lab_costs (lab);

  return costs.executed != NULL ? costs.executed : costs.expected;
}

/* ---- the order of points ---- */

typedef struct
{
  double   error, cost, margin;
  unsigned number;
} Ranked;

static int
by_cost (const void *a, const void *b)
{
  const Ranked *p = a, *q = b;

  if (p->cost != q->cost)
    return p->cost < q->cost ? -1 : 1;
  if (p->error != q->error)
    return p->error < q->error ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

static int
by_margin (const void *a, const void *b)
{
  const Ranked *p = a, *q = b;

  if (p->margin != q->margin)
    return p->margin < q->margin ? -1 : 1;
  return by_cost (a, b);
}

/* How far the error of each lies above the least of all others that cost no more; below it, that is negative.
 * Sorted by cost and then error, so that of those that cost the same the first is the best.  */
static void
find_margins (Ranked *point, unsigned n)
{
  double least = INFINITY; /* of those that cost less */

  for (unsigned begin = 0, end; begin < n; begin = end)
    {
      for (end = begin + 1; end < n && point[end].cost == point[begin].cost; end++)
        point[end].margin = point[end].error - MIN (least, point[begin].error);
      point[begin].margin
        = point[begin].error - (end > begin + 1 ? MIN (least, point[begin + 1].error) : least);
      least = MIN (least, point[begin].error);
    }
}

void
sl_halving_choose (const SlHalvingPoint *point, unsigned n, unsigned most, bool *kept)
{
  g_autofree Ranked *ranked = g_new0 (Ranked, MAX (n, 1));
  unsigned           known = 0;
  bool               costs = true;

  for (unsigned i = 0; i < n; i++)
    costs = costs && (isnan (point[i].error) || isfinite (point[i].cost));
  for (unsigned i = 0; i < n; i++)
    {
      kept[i] = isnan (point[i].error);
      if (!kept[i])
        ranked[known++]
          = (Ranked) { .error = point[i].error, .cost = costs ? point[i].cost : 0, .number = i };
    }
  qsort (ranked, known, sizeof *ranked, by_cost);
  find_margins (ranked, known);
  qsort (ranked, known, sizeof *ranked, by_margin);
  for (unsigned i = 0; i < known; i++)
    kept[ranked[i].number] = i + (n - known) < most;
}

/* ---- a sweep ---- */

/* Jobs of one point are those that only the seed tells apart. */
static void
find_points (SlHalving *halving, const SlSweep *sweep, const GArray *jobs)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gpointer number;

  for (guint i = 0; i < jobs->len; i++)
    {
      const SlSweepJob *job = &g_array_index (jobs, SlSweepJob, i);
      char              id[SL_SWEEP_ID];

      sl_sweep_name (sweep->lab, &job->settings, sweep->data, 0, &sweep->budget, id);
      if (!g_hash_table_lookup_extended (known, id, NULL, &number))
        {
          number = GUINT_TO_POINTER (halving->points++);
          g_hash_table_insert (known, g_strdup (id), number);
        }
      halving->point_of[i] = GPOINTER_TO_UINT (number);
    }
}

/* What a job that is not over has to do at the rung under way. */
static SlHalvingNext
way_on (const SlHalving *halving)
{
  return halving->at + 1 < halving->n_rungs ? SL_HALVING_GO_ON : SL_HALVING_FINISH;
}

SlHalving *
sl_halving_new (const SlSweep *sweep, const GArray *jobs)
{
  SlHalving *halving = g_new0 (SlHalving, 1);

  halving->prune = sweep->prune;
  halving->n_rungs = find_rungs (sweep, halving->rung, halving->kept);
  halving->jobs = jobs->len;
  halving->point_of = g_new (unsigned, jobs->len);
  halving->figures = g_new0 (SlHalvingPoint, jobs->len);
  halving->next = g_new (SlHalvingNext, jobs->len);
  find_points (halving, sweep, jobs);
  for (guint i = 0; i < jobs->len; i++)
    halving->next[i] = way_on (halving);
  return halving;
}

void
sl_halving_free (SlHalving *halving)
{
  if (halving == NULL)
    return;
  g_free (halving->point_of);
  g_free (halving->figures);
  g_free (halving->next);
  g_free (halving);
}

SlHalvingNext
sl_halving_next (const SlHalving *halving, unsigned job)
{
  return halving->next[job];
}

uint64_t
sl_halving_rung (const SlHalving *halving)
{
  return halving->rung[halving->at];
}

uint64_t
sl_halving_rung_before (const SlHalving *halving)
{
  return halving->at > 0 ? halving->rung[halving->at - 1] : 0;
}

void
sl_halving_tell (SlHalving *halving, unsigned job, const SlHalvingPoint *figures, bool failed)
{
  halving->figures[job] = *figures;
  if (failed)
    halving->next[job] = SL_HALVING_OVER;
}

/* Means over the jobs of each point that are not over, and how many those are. */
static void
average (const SlHalving *halving, SlHalvingPoint *mean, unsigned *runs)
{
  for (unsigned i = 0; i < halving->jobs; i++)
    if (halving->next[i] == SL_HALVING_GO_ON)
      {
        SlHalvingPoint *point = &mean[halving->point_of[i]];

        point->error += halving->figures[i].error;
        point->cost += halving->figures[i].cost;
        runs[halving->point_of[i]]++;
      }
  for (unsigned p = 0; p < halving->points; p++)
    if (runs[p] > 0)
      mean[p] = (SlHalvingPoint) { mean[p].error / runs[p], mean[p].cost / runs[p] };
}

/* The way from the rung before to this one, in runs. */
static double
stretch (const SlHalving *halving, unsigned rung)
{
  return (double) (halving->rung[rung] - (rung > 0 ? halving->rung[rung - 1] : 0))
         / (double) halving->rung[halving->n_rungs - 1];
}

/* What so many that go on to a rung make from there to the end, in runs, where later rungs keep the parts
 * that they are to keep.  */
static double
to_come (const SlHalving *halving, unsigned rung, double n)
{
  double runs = 0;

  for (unsigned r = rung; r < halving->n_rungs; r++)
    runs += n * halving->kept[r] / halving->kept[rung] * stretch (halving, r);
  return runs;
}

/* How many points can go on from the rung under way within 1/prune of all updates; at least one. */
static unsigned
affordable (const SlHalving *halving)
{
  double seeds = (double) halving->jobs / halving->points;
  double left = (double) halving->points / halving->prune - halving->made / seeds;

  return (unsigned) MAX (floor (left / to_come (halving, halving->at + 1, 1) + 1e-6), 1);
}

/* Finds out which points go on, of those that are left. */
static void
decide (const SlHalving *halving, bool *goes_on /* (points) */)
{
  g_autofree SlHalvingPoint *mean = g_new0 (SlHalvingPoint, halving->points);
  g_autofree unsigned       *runs = g_new0 (unsigned, halving->points);
  g_autofree unsigned       *number = g_new (unsigned, halving->points);
  g_autofree bool           *kept = g_new0 (bool, halving->points);
  unsigned                   left = 0;

  average (halving, mean, runs);
  for (unsigned p = 0; p < halving->points; p++)
    if (runs[p] > 0)
      {
        mean[left] = mean[p];
        number[left++] = p;
      }
  sl_halving_choose (mean, left, affordable (halving), kept);
  for (unsigned i = 0; i < left; i++)
    goes_on[number[i]] = kept[i];
}

static unsigned
going_on (const SlHalving *halving)
{
  unsigned n = 0;

  for (unsigned i = 0; i < halving->jobs; i++)
    n += halving->next[i] == SL_HALVING_GO_ON || halving->next[i] == SL_HALVING_FINISH;
  return n;
}

bool
sl_halving_advance (SlHalving *halving)
{
  g_autofree bool *goes_on = g_new0 (bool, halving->points);

  halving->made += going_on (halving) * stretch (halving, halving->at);
  if (halving->at + 1 == halving->n_rungs)
    return false;
  decide (halving, goes_on);
  halving->at++;
  for (unsigned i = 0; i < halving->jobs; i++)
    if (halving->next[i] == SL_HALVING_GO_ON)
      halving->next[i] = goes_on[halving->point_of[i]] ? way_on (halving) : SL_HALVING_PRUNE;
    else
      halving->next[i] = SL_HALVING_OVER;
  return true;
}

double
sl_halving_runs (const SlHalving *halving)
{
  return halving->made + to_come (halving, halving->at, going_on (halving));
}
