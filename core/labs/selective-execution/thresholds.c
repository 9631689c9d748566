/* SPDX-License-Identifier: MIT
 *
 * Exits by a threshold in the lab `selective-execution`: one pass with all exits on validation examples, from
 * which every threshold and its promise follow.  The first half of the examples calibrates, the second reports.  */
#include "core/labs/selective-execution/probes.h"

#include <math.h>

enum { CURVE = 257 /* points of a drawn curve */ };

/* Share of all calibrations in which the promise may fail (Angelopoulos et al. 2021). */
static const double DOUBT = 0.05;

/* Least value that is drawn on an axis of probabilities. */
static const double floor_of_axis = 1e-4;

void
sl_selective_carve_thresholds (SlSelectiveLab *s)
{
  SlArena *scratch = &s->base.scratch;
  size_t   n = s->net.ruled ? s->base.dataset->n[SL_VALID] : 0, most = n * s->n_paths;

  s->thresholds.sureness = sl_arena_carve (scratch, most, sizeof *s->thresholds.sureness);
  s->thresholds.right = sl_arena_carve (scratch, most, 1);
  s->thresholds.agrees = sl_arena_carve (scratch, most, 1);
  s->thresholds.positive = sl_arena_carve (scratch, n, 1);
  s->thresholds.moves = sl_arena_carve (scratch, most, sizeof *s->thresholds.moves);
  s->thresholds.points = sl_arena_carve (scratch, most + 1, sizeof *s->thresholds.points);
}

/* Notes what the exits said about a batch that begins at example `first`. */
static void
note_batch (SlSelectiveLab *s, size_t first, size_t batch)
{
  SlSelectiveThresholds *t = &s->thresholds;
  unsigned               node[MOST_PATHS], exits = sl_selective_exits (s, node);

  for (size_t e = 0; e < batch; e++)
    t->positive[first + e] = s->n_positive > 0 && s->label[e] != 0;
  for (unsigned k = exits; k-- > 0;)
    {
      const sl_real *y = s->dag.turn[node[k]].y;

      sl_selective_decide_classes (batch, s->classes, y, s->said);
      for (size_t e = 0; e < batch; e++)
        {
          size_t at = (first + e) * exits + k;

          if (k + 1 == exits)
            s->any[e] = s->said[e];
          t->sureness[at] = sl_exit_sureness (s->rule.measure, s->classes, y + e * s->classes);
          t->right[at] = s->said[e] == s->label[e];
          t->agrees[at] = s->said[e] == s->any[e];
        }
    }
}

SlExitPass
sl_selective_half (const SlSelectiveLab *s, unsigned half)
{
  const SlSelectiveThresholds *t = &s->thresholds;
  size_t                       begin = half == 0 ? 0 : t->n / 2, end = half == 0 ? t->n / 2 : t->n;

  return (SlExitPass) { .measure = s->rule.measure,
                        .n = end - begin,
                        .exits = s->n_paths,
                        .sureness = t->sureness + begin * s->n_paths,
                        .right = t->right + begin * s->n_paths,
                        .agrees = t->agrees + begin * s->n_paths,
                        .positive = t->positive + begin,
                        .cost = t->cost };
}

const SlSelectiveThresholds *
sl_selective_thresholds (SlSelectiveLab *s)
{
  SlSelectiveThresholds *t = &s->thresholds;
  size_t                 first = sl_dataset_first (s->base.dataset, SL_VALID);
  size_t                 n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES));
  SlExitPass             second;

  s->rule = sl_selective_rule (s);
  if (t->n == n && t->at == s->base.now.t)
    return t;
  for (size_t done = 0, take; done < n; done += take)
    {
      take = n - done < MOST_BATCH ? n - done : MOST_BATCH;
      sl_selective_load (s, first + done, take);
      s->dag.all = true;
      s->dag.ask = false;
      sl_dag_forward (&s->dag, take, s->x, NULL);
      note_batch (s, done, take);
    }
  for (unsigned k = 0; k < s->n_paths; k++)
    t->cost[k] = sl_selective_exit_cost (s, k);
  t->n = n;
  t->at = s->base.now.t;
  second = sl_selective_half (s, 1);
  t->n_points = sl_exit_curve (&second, t->moves, t->points);
  return t;
}

/* A threshold of the form as it is compared with, from 0 to 1. */
static double
compared (const SlSelectiveLab *s, double threshold)
{
  return s->rule.measure == SL_EXIT_ENTROPY ? threshold * log ((double) s->classes) : threshold;
}

const SlExitPoint *
sl_selective_point (SlSelectiveLab *s)
{
  const SlSelectiveThresholds *t = sl_selective_thresholds (s);

  return sl_exit_at (s->rule.measure, t->points, t->n_points, s->rule.threshold);
}

double
sl_selective_point_error (SlSelectiveLab *s, const SlExitPoint *point)
{
  SlExitPass       half = sl_selective_half (s, 1);
  SlSelectiveTally tally = { .n = (double) half.n, .right = (double) (half.n - point->errors) };

  for (size_t e = 0; e < half.n; e++)
    tally.true_positives += half.positive[e];
  tally.true_positives -= (double) point->missed;
  tally.false_negatives = (double) point->missed;
  tally.false_positives = (double) (point->errors - point->missed);
  return sl_selective_error (s, &tally);
}

/* Both halves need an example. */
static bool
has_examples (SlProbe *p)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);

  if (s->net.ruled && sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_EXAMPLES)) >= 2)
    return true;
  sl_probe_note (p, "Exits by a threshold and two validation examples are needed.");
  return false;
}

/* Cost and accuracy, or F1, of all thresholds, the cheapest first; of many points, so many that none is missed by
 * the eye.  */
void
sl_selective_draw_curve (SlProbe *p)
{
  SlSelectiveLab              *s = sl_selective_lab (p->state);
  const SlSelectiveThresholds *t = sl_selective_thresholds (s);
  double                       cost[CURVE], accuracy[CURVE];
  size_t                       n = t->n_points < CURVE ? t->n_points : CURVE;

  for (size_t i = 0; i < n; i++)
    {
      size_t             from = n > 1 ? (n - 1 - i) * (t->n_points - 1) / (n - 1) : 0;
      const SlExitPoint *point = &t->points[from];

      cost[i] = 100.0 * point->cost;
      accuracy[i] = 100.0 - sl_selective_point_error (s, point);
    }
  sl_probe_points (p, T_CURVE, 0, n, cost, accuracy);
}

void
sl_selective_probe_thresholds (SlProbe *p)
{
  SlSelectiveLab              *s = sl_selective_lab (p->state);
  const SlSelectiveThresholds *t;
  double                       x[2 * GRID - 1], y[3][2 * GRID - 1], all;
  const SlExitPoint           *point;

  if (!has_examples (p))
    return;
  t = sl_selective_thresholds (s);
  all = (double) (t->n - t->n / 2);
  for (int i = 0; i < 2 * GRID - 1; i++)
    {
      x[i] = i / (2.0 * GRID - 2.0);
      point = sl_exit_at (s->rule.measure, t->points, t->n_points, compared (s, x[i]));
      y[T_ERRORS_AT][i] = 100.0 * (double) point->errors / all;
      y[T_COST_AT][i] = 100.0 * point->cost;
      y[T_DISAGREE_AT][i] = 100.0 * (double) point->disagree / all;
    }
  for (unsigned trace = 0; trace < 3; trace++)
    sl_probe_points (p, trace, 0, 2 * GRID - 1, x, y[trace]);
  point = sl_selective_point (s);
  p->snapshot->mark = sl_value_of (&s->base, P_THRESHOLD);
  sl_probe_note (p,
                 "%.1f %% wrong at %.1f %% of the multiplications, %.1f %% other answers, on %.0f "
                 "validation examples",
                 100.0 * (double) point->errors / all, 100.0 * point->cost,
                 100.0 * (double) point->disagree / all, all);
}

/* Losses of the first half at a threshold, as the promise counts them. */
static size_t
losses_at (const SlSelectiveLab *s, const SlExitPass *half, double threshold)
{
  bool   errors = sl_value_of (&s->base, P_PROMISE) == PROMISE_ERRORS;
  size_t sum = 0;

  for (size_t e = 0; e < half->n; e++)
    {
      size_t row = e * half->exits, at = row + sl_exit_of (half, e, threshold);

      sum += errors ? !half->right[at] && half->right[row + half->exits - 1] : !half->agrees[at];
    }
  return sum;
}

/* From the strictest threshold on. */
static double
threshold_of (const SlSelectiveLab *s, int step)
{
  int at = s->rule.measure == SL_EXIT_ENTROPY ? step : GRID - 1 - step;

  return at / (GRID - 1.0);
}

static void
note_promise (SlProbe *p, const SlExitPass *first, long chosen)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);
  SlExitPass      second = sl_selective_half (s, 1);
  SlPromiseBound  bound = (SlPromiseBound) sl_value_of (&s->base, P_BOUND);
  double          delta = sl_value_of (&s->base, P_TOLERANCE), threshold;
  long            most = sl_promise_most (bound, first->n, delta, DOUBT);

  if (most < 0)
    {
      sl_probe_note (p, "Even without a loss, %zu examples cannot promise %.3g %%.", first->n,
                     100.0 * delta);
      return;
    }
  if (chosen < 0)
    {
      sl_probe_note (p, "No threshold passes: no example may leave early.");
      return;
    }
  threshold = threshold_of (s, (int) chosen);
  sl_probe_note (
    p,
    "Chosen: %.2f, with at most %ld of %zu losing; on the other half %.1f %% of the "
    "multiplications "
    "and %.2g %% losses",
    threshold, most, first->n, 100.0 * sl_exit_point (&second, compared (s, threshold)).cost,
    100.0 * (double) losses_at (s, &second, compared (s, threshold)) / (double) second.n);
}

void
sl_selective_probe_promise (SlProbe *p)
{
  SlSelectiveLab *s = sl_selective_lab (p->state);
  SlExitPass      first;
  double          delta = sl_value_of (&s->base, P_TOLERANCE), x[GRID];
  double          y[T_CHOSEN][GRID], chance[GRID];
  size_t          losses[GRID];
  long            chosen;

  if (!has_examples (p))
    return;
  sl_selective_thresholds (s);
  first = sl_selective_half (s, 0);
  for (int j = 0; j < GRID; j++)
    losses[j] = losses_at (s, &first, compared (s, threshold_of (s, j)));
  chosen = sl_promise_choose ((SlPromiseBound) sl_value_of (&s->base, P_BOUND), first.n, delta,
                              DOUBT, GRID, losses, chance);
  for (int j = 0; j < GRID; j++)
    {
      int from = s->rule.measure == SL_EXIT_ENTROPY ? j : GRID - 1 - j;

      x[j] = threshold_of (s, from);
      y[T_CHANCE][j] = fmax (chance[from], floor_of_axis);
      y[T_LOSSES][j] = fmax ((double) losses[from] / (double) first.n, floor_of_axis);
      y[T_DOUBT][j] = DOUBT;
      y[T_TOLERANCE][j] = delta;
    }
  for (unsigned trace = 0; trace < T_CHOSEN; trace++)
    sl_probe_points (p, trace, 0, GRID, x, y[trace]);
  if (chosen >= 0)
    {
      double at = threshold_of (s, (int) chosen), p_there = fmax (chance[chosen], floor_of_axis);

      sl_probe_points (p, T_CHOSEN, 0, 1, &at, &p_there);
    }
  p->snapshot->mark = sl_value_of (&s->base, P_THRESHOLD);
  note_promise (p, &first, chosen);
}
