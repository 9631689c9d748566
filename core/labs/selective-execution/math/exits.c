/* SPDX-License-Identifier: MIT */
#include "core/labs/selective-execution/math/exits.h"

#include <assert.h>
#include <math.h>

double
sl_exit_sureness (SlExitMeasure measure, size_t classes, const sl_real *logits)
{
  double top = -HUGE_VAL, next = -HUGE_VAL, sum = 0.0, moment = 0.0, second;

  assert (classes > 0);
  for (size_t c = 0; c < classes; c++)
    {
      double y = (double) logits[c];

      if (isnan (y))
        return NAN;
      next = y > top ? top : fmax (next, y);
      top = fmax (top, y);
    }
  if (!isfinite (top))
    return NAN;
  for (size_t c = 0; c < classes; c++)
    {
      double off = (double) logits[c] - top, p = exp (off);

      sum += p;
      moment += p > 0.0 ? p * off : 0.0;
    }
  if (measure == SL_EXIT_ENTROPY)
    return fmax (log (sum) - moment / sum, 0.0);
  second = measure == SL_EXIT_MARGIN ? exp (next - top) : 0.0;
  return (1.0 - second) / sum;
}

bool
sl_exit_leaves (SlExitMeasure measure, double sureness, double threshold)
{
  return measure == SL_EXIT_ENTROPY ? sureness < threshold : sureness >= threshold;
}

double
sl_exit_never (SlExitMeasure measure)
{
  return measure == SL_EXIT_ENTROPY ? -HUGE_VAL : HUGE_VAL;
}

size_t
sl_exit_of (const SlExitPass *pass, size_t example, double threshold)
{
  size_t exit = 0;

  while (
    exit + 1 < pass->exits
    && !sl_exit_leaves (pass->measure, pass->sureness[example * pass->exits + exit], threshold))
    exit++;
  return exit;
}

SlExitPoint
sl_exit_point (const SlExitPass *pass, double threshold)
{
  SlExitPoint point = { .threshold = threshold };

  for (size_t e = 0; e < pass->n; e++)
    {
      size_t exit = sl_exit_of (pass, e, threshold), at = e * pass->exits + exit;

      point.cost += pass->cost[exit] / (double) pass->n;
      point.errors += !pass->right[at];
      point.missed += pass->positive[e] && !pass->right[at];
      point.disagree += !pass->agrees[at];
    }
  return point;
}

/* False where either is not a number. */
static bool
is_surer (SlExitMeasure measure, double a, double b)
{
  return measure == SL_EXIT_ENTROPY ? a < b : a > b;
}

/* True when a comes behind b: less sure, or as sure and later in the pass. */
static bool
is_behind (SlExitMeasure measure, const SlExitMove *a, const SlExitMove *b)
{
  if (a->sureness != b->sureness)
    return is_surer (measure, b->sureness, a->sureness);
  return a->example != b->example ? a->example > b->example : a->exit > b->exit;
}

/* Lets moves[root] sink in the heap of n, the root of which comes last. */
static void
sink_move (SlExitMeasure measure, SlExitMove *moves, size_t n, size_t root)
{
  SlExitMove move = moves[root];

  for (size_t child; (child = 2 * root + 1) < n; root = child)
    {
      if (child + 1 < n && is_behind (measure, &moves[child + 1], &moves[child]))
        child++;
      if (!is_behind (measure, &moves[child], &move))
        break;
      moves[root] = moves[child];
    }
  moves[root] = move;
}

/* The surest first, in place. */
static void
sort_moves (SlExitMeasure measure, SlExitMove *moves, size_t n)
{
  for (size_t root = n / 2; root-- > 0;)
    sink_move (measure, moves, n, root);
  for (size_t left = n; left-- > 1;)
    {
      SlExitMove last = moves[0];

      moves[0] = moves[left];
      moves[left] = last;
      sink_move (measure, moves, left, 0);
    }
}

/* Lists where examples could leave: an exit that is no surer than an earlier one gets no
 * example.  */
static size_t
list_moves (const SlExitPass *pass, SlExitMove *moves)
{
  size_t n = 0;

  for (size_t e = 0; e < pass->n; e++)
    {
      double best = pass->measure == SL_EXIT_ENTROPY ? HUGE_VAL : -HUGE_VAL;

      for (size_t k = 0; k + 1 < pass->exits; k++)
        {
          double sureness = pass->sureness[e * pass->exits + k];

          if (!is_surer (pass->measure, sureness, best))
            continue;
          best = sureness;
          moves[n++] = (SlExitMove) { sureness, (uint32_t) e, (uint32_t) k };
        }
    }
  return n;
}

/* The exit that an example has before this move: the next one that is surer, which has moved already, or
 * the last.  */
static size_t
exit_before (const SlExitPass *pass, const SlExitMove *move)
{
  const double *sureness = pass->sureness + (size_t) move->example * pass->exits;
  size_t        exit = move->exit + 1;

  while (exit + 1 < pass->exits && !is_surer (pass->measure, sureness[exit], move->sureness))
    exit++;
  return exit;
}

size_t
sl_exit_curve (const SlExitPass *pass, SlExitMove *moves, SlExitPoint *points)
{
  size_t      n = list_moves (pass, moves), count = 0;
  SlExitPoint now = sl_exit_point (pass, sl_exit_never (pass->measure));

  assert (pass->n > 0 && pass->n <= UINT32_MAX && pass->exits > 0 && pass->exits <= UINT32_MAX);
  sort_moves (pass->measure, moves, n);
  points[count++] = now;
  for (size_t i = 0; i < n; i++)
    {
      size_t before = exit_before (pass, &moves[i]), row = (size_t) moves[i].example * pass->exits;
      size_t was_wrong = !pass->right[row + before], is_wrong = !pass->right[row + moves[i].exit];

      now.cost += (pass->cost[moves[i].exit] - pass->cost[before]) / (double) pass->n;
      now.errors += is_wrong;
      now.errors -= was_wrong;
      now.missed += pass->positive[moves[i].example] ? is_wrong : 0;
      now.missed -= pass->positive[moves[i].example] ? was_wrong : 0;
      now.disagree += !pass->agrees[row + moves[i].exit];
      now.disagree -= !pass->agrees[row + before];
      now.threshold = moves[i].sureness;
      if (i + 1 == n || moves[i + 1].sureness != moves[i].sureness)
        points[count++] = now;
    }
  return count;
}

const SlExitPoint *
sl_exit_at (SlExitMeasure measure, const SlExitPoint *points, size_t count, double threshold)
{
  size_t low = 0, high = count;

  /* The first point always holds. */
  while (high - low > 1)
    {
      size_t middle = low + (high - low) / 2;

      if (sl_exit_leaves (measure, points[middle].threshold, threshold))
        low = middle;
      else
        high = middle;
    }
  return &points[low];
}
