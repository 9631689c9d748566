/* SPDX-License-Identifier: MIT */
#include "core/nn/optim/lbfgs.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/vector.h"

/* Nocedal and Wright's constants for quasi-Newton directions. */
static const double decrease = 1e-4, curvature = 0.9;

enum { MOST_TRIALS = 20 }; /* evaluations of one line search */

void
sl_lbfgs_carve (SlLbfgs *o, size_t n, unsigned most, SlArena *kept, SlArena *scratch)
{
  o->n = n;
  o->most = most;
  o->memory = sl_arena_carve (kept, 1, sizeof *o->memory);
  o->s = sl_arena_reals (kept, most * n);
  o->y = sl_arena_reals (kept, most * n);
  o->gradient = sl_arena_reals (kept, n);
  o->direction = sl_arena_reals (scratch, n);
  o->x0 = sl_arena_reals (scratch, n);
  o->g0 = sl_arena_reals (scratch, n);
  o->best = sl_arena_reals (scratch, n);
}

void
sl_lbfgs_clear (SlLbfgs *o)
{
  o->memory->pairs = o->memory->next = 0;
  o->memory->begun = false;
}

void
sl_lbfgs_redraw (SlLbfgs *o)
{
  o->memory->begun = false;
}

/* Down the gradient, as far as `first`. */
static void
descend_gradient (SlLbfgs *o, double first)
{
  double norm = sqrt (sl_vector_inner (o->n, o->gradient, o->gradient));

  for (size_t i = 0; i < o->n; i++)
    o->direction[i] = (sl_real) (-first / norm * (double) o->gradient[i]);
}

/* Algorithm 7.4: what the inverse Hessian of the remembered differences makes of the gradient. */
static void
two_loops (SlLbfgs *o)
{
  size_t   n = o->n;
  unsigned last = (o->memory->next + o->most - 1) % o->most;
  double   alpha[SL_LBFGS_MOST], scale;

  for (size_t i = 0; i < n; i++)
    o->direction[i] = -o->gradient[i];
  for (unsigned k = 0; k < o->memory->pairs; k++)
    {
      unsigned j = (last + o->most - k) % o->most;

      alpha[j] = o->memory->rho[j] * sl_vector_inner (n, o->s + j * n, o->direction);
      sl_vector_add_scaled (n, (sl_real) -alpha[j], o->y + j * n, o->direction);
    }
  scale = 1.0 / (o->memory->rho[last] * sl_vector_inner (n, o->y + last * n, o->y + last * n));
  for (size_t i = 0; i < n; i++)
    o->direction[i] *= (sl_real) scale;
  for (unsigned k = o->memory->pairs; k-- > 0;)
    {
      unsigned j = (last + o->most - k) % o->most;
      double   beta = o->memory->rho[j] * sl_vector_inner (n, o->y + j * n, o->direction);

      sl_vector_add_scaled (n, (sl_real) (alpha[j] - beta), o->s + j * n, o->direction);
    }
}

/* A point of the line x0 + length · direction. */
typedef struct
{
  double length, loss, slope;
} Point;

typedef struct
{
  SlLbfgs        *o;
  sl_real        *x;
  SlLbfgsEvaluate evaluate;
  void           *data;
  unsigned        trials;
  Point           start, low; /* the lowest point that is low enough so far, or the start */
} Search;

static Point
try_at (Search *search, double length)
{
  SlLbfgs *o = search->o;
  Point    point = { .length = length };

  for (size_t i = 0; i < o->n; i++)
    search->x[i] = o->x0[i] + (sl_real) length * o->direction[i];
  search->evaluate (search->data, search->x, &point.loss, o->gradient);
  search->trials++;
  point.slope = sl_vector_inner (o->n, o->gradient, o->direction);
  if (point.loss < search->low.loss
      && point.loss <= search->start.loss + decrease * length * search->start.slope)
    {
      search->low = point;
      memcpy (o->best, o->gradient, o->n * sizeof *o->best);
    }
  return point;
}

static bool
is_high (const Search *search, const Point *point)
{
  return !(point->loss <= search->start.loss + decrease * point->length * search->start.slope);
}

static bool
is_flat (const Search *search, const Point *point)
{
  return fabs (point->slope) <= -curvature * search->start.slope;
}

/* The minimum of the cubic through two points and their slopes, kept away from the ends. */
static double
cubic_minimum (const Point *a, const Point *b)
{
  double width = b->length - a->length;
  double d1 = a->slope + b->slope - 3.0 * (b->loss - a->loss) / width;
  double square = d1 * d1 - a->slope * b->slope, d2 = copysign (sqrt (square), width), at;

  at = b->length - width * (b->slope + d2 - d1) / (b->slope - a->slope + 2.0 * d2);
  /* One that is not a number or outside: a tenth of the way when far too high, else the middle. */
  if (!(fabs (at - a->length - 0.5 * width) <= 0.4 * fabs (width)))
    at = a->length + (isfinite (b->loss) ? 0.5 : 0.1) * width;
  return at;
}

/* Algorithm 3.6: a point that satisfies both conditions lies between the two. */
static void
zoom_interval (Search *search, Point low, Point high)
{
  while (search->trials < MOST_TRIALS)
    {
      Point point = try_at (search, cubic_minimum (&low, &high));

      if (is_high (search, &point) || !(point.loss < low.loss))
        high = point;
      else
        {
          if (is_flat (search, &point))
            return;
          if (point.slope * (high.length - low.length) >= 0.0)
            high = low;
          low = point;
        }
      /* Closer than numbers can tell apart. */
      if (!(fabs (high.length - low.length) > 1e-12 * fabs (high.length)))
        return;
    }
}

/* Algorithm 3.5.  Leaves search->low. */
static void
line_search (Search *search)
{
  Point last = search->start;

  for (double length = 1.0; search->trials < MOST_TRIALS; length *= 2.0)
    {
      Point point = try_at (search, length);

      if (is_high (search, &point) || (last.length > 0.0 && !(point.loss < last.loss)))
        {
          zoom_interval (search, last, point);
          return;
        }
      if (is_flat (search, &point))
        return;
      if (point.slope >= 0.0)
        {
          zoom_interval (search, point, last);
          return;
        }
      last = point;
    }
}

/* Remembers how x and gradient changed, when the curvature along the step is positive. */
static void
remember_pair (SlLbfgs *o, const sl_real *x)
{
  sl_real *s = o->s + o->memory->next * o->n, *y = o->y + o->memory->next * o->n;
  double   product, square;

  for (size_t i = 0; i < o->n; i++)
    {
      s[i] = x[i] - o->x0[i];
      y[i] = o->gradient[i] - o->g0[i];
    }
  product = sl_vector_inner (o->n, s, y);
  square = sl_vector_inner (o->n, y, y);
  if (!(product > 1e-10 * square))
    return;
  o->memory->rho[o->memory->next] = 1.0 / product;
  o->memory->next = (o->memory->next + 1) % o->most;
  if (o->memory->pairs < o->most)
    o->memory->pairs++;
}

bool
sl_lbfgs_step (SlLbfgs *o, double first, sl_real *x, SlLbfgsEvaluate evaluate, void *data,
               SlLbfgsReport *report)
{
  size_t bytes = o->n * sizeof *x;
  Search search = { .o = o, .x = x, .evaluate = evaluate, .data = data };
  double square;

  *report = (SlLbfgsReport) { 0 };
  if (!o->memory->begun)
    {
      evaluate (data, x, &o->memory->loss, o->gradient);
      report->evaluations++;
    }
  o->memory->begun = true;
  square = sl_vector_inner (o->n, o->gradient, o->gradient);
  if (!isfinite (o->memory->loss) || !isfinite (square))
    {
      o->memory->begun = false;
      return false;
    }
  if (square == 0.0)
    return true;
  memcpy (o->x0, x, bytes);
  memcpy (o->g0, o->gradient, bytes);
  for (bool again = true; again;)
    {
      bool by_history = o->memory->pairs > 0;

      if (by_history)
        two_loops (o);
      else
        descend_gradient (o, first);
      search.start = (Point) { 0.0, o->memory->loss, sl_vector_inner (o->n, o->g0, o->direction) };
      search.low = search.start;
      search.trials = 0;
      if (search.start.slope < 0.0)
        line_search (&search);
      report->evaluations += search.trials;
      /* A history that leads nowhere is thrown away, and the gradient itself tried. */
      again = by_history && !(search.low.length > 0.0);
      if (again)
        {
          memcpy (o->gradient, o->g0, bytes);
          o->memory->pairs = o->memory->next = 0;
          report->restarted = true;
        }
    }
  o->memory->loss = search.low.loss;
  if (!(search.low.length > 0.0))
    {
      memcpy (x, o->x0, bytes);
      memcpy (o->gradient, o->g0, bytes);
      return true;
    }
  for (size_t i = 0; i < o->n; i++)
    x[i] = o->x0[i] + (sl_real) search.low.length * o->direction[i];
  memcpy (o->gradient, o->best, bytes);
  report->length = search.low.length * sqrt (sl_vector_inner (o->n, o->direction, o->direction));
  remember_pair (o, x);
  return true;
}
