/* SPDX-License-Identifier: MIT
 *
 * See halving.h.  */
#include "core/run/sweep/halving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct SlHalving
{
  unsigned        eta;
  uint64_t        rung[SL_HALVING_RUNGS_MAX];
  unsigned        n_rungs, at; /* rungs, and the one under way */
  unsigned        jobs, points;
  unsigned       *point_of; /* (jobs) */
  SlHalvingPoint *figures;  /* (jobs) at the rung under way */
  SlHalvingNext  *next;     /* (jobs) */
  double          made;     /* runs of full length that the rungs before came to */
};

/* The first rung: an eighth of the updates, or a ninth. */
static unsigned
rungs_before_the_last (unsigned eta)
{
  return eta == 2 ? 3 : 2;
}

/* How often a lab evaluates under these settings, or 1. */
static uint64_t
evaluates_every (const SlSweep *sweep)
{
  int p = sl_param_find (sweep->lab->params, sweep->lab->n_params, "evaluate-every");

  return p >= 0 && sweep->settings.value[p].v[0] >= 1 ? (uint64_t) sweep->settings.value[p].v[0]
                                                      : 1;
}

unsigned
sl_halving_rungs (const SlSweep *sweep, uint64_t rung[SL_HALVING_RUNGS_MAX])
{
  uint64_t steps = sweep->budget.steps, every = evaluates_every (sweep), parts = 1;
  unsigned n = 0;

  for (unsigned i = 0; i < rungs_before_the_last (sweep->prune); i++)
    parts *= sweep->prune;
  for (; parts > 1; parts /= sweep->prune)
    {
      uint64_t at = (steps + parts - 1) / parts;

      at = (at + every - 1) / every * every;
      if (at < steps && (n == 0 || at > rung[n - 1]))
        rung[n++] = at;
    }
  rung[n++] = steps;
  return n;
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
  double   error, cost;
  unsigned number, front;
  double   crowding; /* the larger, the emptier its surroundings */
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

/* Numbers the fronts, from 0, of points that are sorted by cost: one belongs to the first front whose
 * smallest error so far is larger.  Points that are the same lie on the same front.  */
static void
find_fronts (Ranked *point, unsigned n)
{
  g_autofree double *least = g_new (double, MAX (n, 1)); /* of each front, rising */
  unsigned           fronts = 0;

  for (unsigned i = 0; i < n; i++)
    {
      unsigned low = 0, high = fronts;

      if (i > 0 && point[i].cost == point[i - 1].cost && point[i].error == point[i - 1].error)
        {
          point[i].front = point[i - 1].front;
          continue;
        }
      while (low < high)
        {
          unsigned middle = (low + high) / 2;

          if (least[middle] > point[i].error)
            high = middle;
          else
            low = middle + 1;
        }
      point[i].front = low;
      least[low] = point[i].error;
      fronts = MAX (fronts, low + 1);
    }
}

static int
by_front (const void *a, const void *b)
{
  const Ranked *p = a, *q = b;

  return p->front != q->front ? (p->front < q->front ? -1 : 1) : by_cost (a, b);
}

static double
share_of (double part, double whole)
{
  return whole > 0 ? fabs (part) / whole : 0;
}

/* Distances to the neighbours on a front, which is sorted by cost and so by error; its ends have none. */
static void
crowd (Ranked *front, unsigned n)
{
  double costs = front[n - 1].cost - front[0].cost;
  double errors = fabs (front[n - 1].error - front[0].error);

  for (unsigned i = 0; i < n; i++)
    front[i].crowding = i == 0 || i == n - 1
                          ? (double) INFINITY
                          : share_of (front[i + 1].cost - front[i - 1].cost, costs)
                              + share_of (front[i + 1].error - front[i - 1].error, errors);
}

static int
by_rank (const void *a, const void *b)
{
  const Ranked *p = a, *q = b;

  if (p->front != q->front)
    return p->front < q->front ? -1 : 1;
  if (p->crowding != q->crowding)
    return p->crowding > q->crowding ? -1 : 1;
  return (p->number > q->number) - (p->number < q->number);
}

static void
rank (Ranked *point, unsigned n)
{
  qsort (point, n, sizeof *point, by_cost);
  find_fronts (point, n);
  qsort (point, n, sizeof *point, by_front);
  for (unsigned begin = 0, end; begin < n; begin = end)
    {
      for (end = begin + 1; end < n && point[end].front == point[begin].front; end++)
        ;
      crowd (point + begin, end - begin);
    }
  qsort (point, n, sizeof *point, by_rank);
}

void
sl_halving_choose (const SlHalvingPoint *point, unsigned n, unsigned least, bool *kept)
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
  rank (ranked, known);
  for (unsigned i = 0; i < known; i++)
    kept[ranked[i].number] = ranked[i].front == 0 || i < least;
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

  halving->eta = sweep->prune;
  halving->n_rungs = sl_halving_rungs (sweep, halving->rung);
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
  sl_halving_choose (mean, left, (left + halving->eta - 1) / halving->eta, kept);
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

/* The way from the rung before to this one, in runs. */
static double
stretch (const SlHalving *halving, unsigned rung)
{
  return (double) (halving->rung[rung] - (rung > 0 ? halving->rung[rung - 1] : 0))
         / (double) halving->rung[halving->n_rungs - 1];
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
  double runs = halving->made, left = going_on (halving);

  for (unsigned rung = halving->at; rung < halving->n_rungs; rung++, left /= halving->eta)
    runs += left * stretch (halving, rung);
  return runs;
}
