/* SPDX-License-Identifier: MIT
 *
 * Runs to points, points to the front, all of it to curves; see front.h.  */
#include "plot/charts/front.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/language.h"

/* Numbers that a point has in `store`: x, y, both spreads and its tone. */
enum { X, Y, X_SPREAD, Y_SPREAD, TONE, COLUMNS };

void
sl_front_clear (SlFront *front)
{
  free (front->point);
  free (front->store);
  *front = (SlFront) { 0 };
}

void
sl_front_empty (SlFront *front)
{
  front->n = 0;
}

/* Welford's update, so that close values keep their spread. */
static void
take (double value, unsigned n, double *mean, double *squares, double *spread)
{
  double off = value - *mean;

  *mean += off / n;
  *squares += off * (value - *mean);
  *spread = n > 1 ? sqrt (*squares / (n - 1)) : 0.0;
}

static SlFrontPoint *
find (SlFront *front, const SlFrontRun *run)
{
  SlFrontPoint *larger;

  for (unsigned i = 0; i < front->n; i++)
    if (front->point[i].key == run->key)
      return &front->point[i];
  if (front->n == front->capacity)
    {
      unsigned capacity = front->capacity > 0 ? 2 * front->capacity : 32;

      larger = realloc (front->point, capacity * sizeof *larger);
      if (larger == NULL)
        return NULL;
      front->point = larger;
      front->capacity = capacity;
    }
  front->point[front->n] = (SlFrontPoint) { .key = run->key,
                                            .tone = run->tone,
                                            .shape = MIN (run->shape, SL_FRONT_SHAPES - 1),
                                            .tag = run->tag };
  g_strlcpy (front->point[front->n].title, run->title, SL_FRONT_TITLE);
  return &front->point[front->n++];
}

bool
sl_front_add (SlFront *front, const SlFrontRun *run)
{
  SlFrontPoint *point;

  if (!isfinite (run->x) || !isfinite (run->y))
    return true;
  point = find (front, run);
  if (point == NULL)
    return false;
  point->n++;
  take (run->x, point->n, &point->x, &point->x_squares, &point->x_spread);
  take (run->y, point->n, &point->y, &point->y_squares, &point->y_spread);
  return true;
}

static int
by_cost (const void *a, const void *b)
{
  const SlFrontPoint *p = *(SlFrontPoint *const *) a, *q = *(SlFrontPoint *const *) b;

  if (p->x != q->x)
    return p->x > q->x ? 1 : -1;
  if (p->y != q->y)
    return p->y > q->y ? 1 : -1;
  /* Whatever the sort does with equals, the same picture each time. */
  return (p > q) - (p < q);
}

/* All points in rising order of cost; free with g_free(). */
static SlFrontPoint **
sorted (const SlFront *front)
{
  SlFrontPoint **order = g_new (SlFrontPoint *, MAX (front->n, 1));

  for (unsigned i = 0; i < front->n; i++)
    order[i] = &front->point[i];
  qsort (order, front->n, sizeof *order, by_cost);
  return order;
}

/* A point is on the front when none that costs as little or less is as good.  Twins both are. */
static void
find_front (SlFront *front)
{
  g_autofree SlFrontPoint **order = sorted (front);
  double                    least = HUGE_VAL;
  const SlFrontPoint       *last = NULL;

  for (unsigned i = 0; i < front->n; i++)
    {
      SlFrontPoint *point = order[i];

      point->best
        = point->y < least || (last != NULL && point->x == last->x && point->y == last->y);
      if (point->best)
        {
          least = point->y;
          last = point;
        }
    }
}

/* How far a point is below the line between the ends of the front; 1 at the corner. */
static double
gain (const SlFrontPoint *point, const SlFrontPoint *cheap, const SlFrontPoint *good)
{
  return 1.0 - (point->x - cheap->x) / (good->x - cheap->x)
         - (point->y - good->y) / (cheap->y - good->y);
}

static SlFrontPoint *
find_knee (SlFront *front)
{
  const SlFrontPoint *cheap = NULL, *good = NULL;
  SlFrontPoint       *knee = NULL;
  double              most = 1e-9; /* rounding makes no knee of a straight line */

  for (unsigned i = 0; i < front->n; i++)
    {
      SlFrontPoint *point = &front->point[i];

      point->knee = false;
      if (point->best && (cheap == NULL || point->x < cheap->x))
        cheap = point;
      if (point->best && (good == NULL || point->y < good->y))
        good = point;
    }
  for (unsigned i = 0; i < front->n; i++)
    {
      SlFrontPoint *point = &front->point[i];

      if (point->best && gain (point, cheap, good) > most)
        {
          most = gain (point, cheap, good);
          knee = point;
        }
    }
  if (knee != NULL)
    knee->knee = true;
  return knee;
}

static void
add_knee (SlFront *front, SlFigure *figure, double *at)
{
  const SlFrontPoint *knee = find_knee (front);
  SlCurve *curve = knee != NULL && front->frontier ? sl_figure_curve (figure, "knee") : NULL;

  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, "knee", sizeof curve->title);
  at[X] = knee->x;
  at[Y] = knee->y;
  curve->slot = SL_MARKER_RING;
  curve->scatter = true;
  curve->around = true;
  curve->x = &at[X];
  curve->y = &at[Y];
  curve->n = 1;
}

/* The front as stairs: what costs more than a point is reached at least as well. */
static void
add_stairs (const SlFront *front, SlFigure *figure, double *x, double *y)
{
  g_autofree SlFrontPoint **order = sorted (front);
  SlCurve                  *curve;
  size_t                    n = 0;

  for (unsigned i = 0; i < front->n; i++)
    if (order[i]->best)
      {
        if (n > 0)
          {
            x[n] = order[i]->x;
            y[n] = y[n - 1];
            n++;
          }
        x[n] = order[i]->x;
        y[n++] = order[i]->y;
      }
  curve = n > 1 ? sl_figure_curve (figure, "front") : NULL;
  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, "Pareto front", sizeof curve->title);
  curve->slot = SL_THEME_COLOURS - 1;
  curve->bare = true;
  curve->x = x;
  curve->y = y;
  curve->n = n;
}

static bool
is_toned (const SlFront *front)
{
  for (unsigned i = 0; i < front->n; i++)
    if (isfinite (front->point[i].tone))
      return true;
  return false;
}

/* What the legend calls the points of a curve. */
static void
name_curve (const SlFront *front, SlCurve *curve, unsigned shape, bool best)
{
  const char *title = front->shape_title[shape];

  if (front->frontier && !best)
    {
      curve->group = 1;
      g_strlcpy (curve->group_title, "dominated", sizeof curve->group_title);
    }
  if (*title == '\0')
    title = !front->frontier ? "runs" : best ? "on the front" : "dominated";
  g_strlcpy (curve->title, title, sizeof curve->title);
}

/* The points of one shape that are on the front, or that are not. */
static bool
add_points (const SlFront *front, SlFigure *figure, unsigned shape, bool best, double *at,
            size_t stride)
{
  SlCurve *curve;
  char     id[32];
  size_t   n = 0;

  for (unsigned i = 0; i < front->n; i++)
    {
      const SlFrontPoint *point = &front->point[i];

      if (point->shape != shape || (front->frontier && point->best != best))
        continue;
      at[X * stride + n] = point->x;
      at[Y * stride + n] = point->y;
      at[X_SPREAD * stride + n] = point->x_spread;
      at[Y_SPREAD * stride + n] = point->y_spread;
      at[TONE * stride + n] = point->tone;
      n++;
    }
  if (n == 0)
    return true;
  g_snprintf (id, sizeof id, "%s-%u", best ? "points" : "dominated", shape + 1);
  curve = sl_figure_curve (figure, id);
  if (curve == NULL)
    return false;
  sl_figure_follow (curve, NULL);
  name_curve (front, curve, shape, best);
  g_strlcpy (curve->unit, figure->y.unit != NULL ? figure->y.unit : "", sizeof curve->unit);
  curve->slot = shape;
  curve->ghost = front->frontier && !best;
  curve->scatter = true;
  curve->x = at + X * stride;
  curve->y = at + Y * stride;
  curve->spread_x = at + X_SPREAD * stride;
  curve->spread = at + Y_SPREAD * stride;
  curve->tone = is_toned (front) ? at + TONE * stride : NULL;
  curve->n = n;
  return true;
}

bool
sl_front_update (SlFront *front, SlFigure *figure)
{
  /* Every shape has room for all points twice, the stairs for two corners of each, the knee for
   * itself.  */
  size_t  stride = MAX (front->n, 1), size = stride * (2 * SL_FRONT_SHAPES * COLUMNS + 4) + 2;
  double *store = realloc (front->store, size * sizeof *store);
  bool    all = true;

  if (store == NULL)
    return false;
  front->store = store;
  find_front (front);
  figure->kind = SL_PROFILE;
  figure->mark = NAN;
  figure->toned = is_toned (front);
  sl_figure_begin (figure);
  if (front->frontier)
    add_stairs (front, figure, store, store + 2 * stride);
  store += 4 * stride;
  for (unsigned shape = 0; shape < SL_FRONT_SHAPES; shape++)
    for (unsigned pale = 0; pale < (front->frontier ? 2 : 1); pale++, store += COLUMNS * stride)
      all = add_points (front, figure, shape, pale == 0, store, stride) && all;
  add_knee (front, figure, store);
  sl_figure_end (figure);
  figure->version++;
  return all;
}

/* False for a point that the legend switched off. */
static bool
shown (const SlFront *front, const SlFigure *figure, const SlFrontPoint *point)
{
  char id[32];
  int  curve;

  g_snprintf (id, sizeof id, "%s-%u", !front->frontier || point->best ? "points" : "dominated",
              point->shape + 1);
  curve = sl_figure_find (figure, id);
  return curve >= 0 && !figure->curve[curve].hidden;
}

int
sl_front_pick (const SlFront *front, const SlFigure *figure, const SlFrame *frame, double x,
               double y, double reach)
{
  double nearest = reach;
  int    found = -1;

  for (unsigned i = 0; i < front->n && !frame->empty; i++)
    {
      const SlFrontPoint *point = &front->point[i];
      double distance = hypot (sl_frame_x (frame, point->x) - x, sl_frame_y (frame, point->y) - y);

      if (distance <= nearest && shown (front, figure, point))
        {
          nearest = distance;
          found = (int) i;
        }
    }
  return found;
}

int
sl_front_next (const SlFront *front, const SlFigure *figure, int from, int by)
{
  g_autofree SlFrontPoint **order = sorted (front);
  int                       n = (int) front->n, at = by > 0 ? -1 : n;

  for (int i = 0; i < n && from >= 0; i++)
    if (order[i] == &front->point[from])
      at = i;
  for (at += by > 0 ? 1 : -1; at >= 0 && at<n; at += by> 0 ? 1 : -1)
    if (shown (front, figure, order[at]))
      return (int) (order[at] - front->point);
  return from;
}

/* "cost 31 ± 0.4 %" */
static void
add_axis (GString *out, const SlFigure *figure, const SlAxis *axis, double value, double spread,
          unsigned n)
{
  char number[40];

  if (axis->label != NULL && *axis->label != '\0')
    g_string_append_printf (out, "%s ", sl_figure_words (figure, axis->label));
  g_string_append (out, sl_number_text (value, 4, number, sizeof number));
  if (n > 1)
    g_string_append_printf (out, " \302\261 %s", sl_number_text (spread, 2, number, sizeof number));
  if (axis->unit != NULL && *axis->unit != '\0')
    g_string_append_printf (out, "\302\240%s", sl_figure_words (figure, axis->unit));
}

/* "rank 8, the knee, mean of 3" */
static char *
name_point (const SlFront *front, const SlFrontPoint *point)
{
  const char *knee = front->frontier && point->knee ? "the knee" : NULL;
  char        mean[40] = "";

  if (point->n > 1)
    g_snprintf (mean, sizeof mean, "mean of %u", point->n);
  return g_strconcat (point->title, knee != NULL ? ", " : "", knee != NULL ? knee : "",
                      *mean != '\0' ? ", " : "", mean, NULL);
}

const char *
sl_front_text (const SlFront *front, const SlFigure *figure, unsigned point, char *text,
               size_t size)
{
  const SlFrontPoint *of = &front->point[point];
  g_autofree char    *name = name_point (front, of);
  g_autofree char    *spoken = figure->translated ? sl_phrase (name) : NULL;
  g_autoptr (GString) out = g_string_new (spoken != NULL ? spoken : name);

  g_string_append (out, ": ");
  add_axis (out, figure, &figure->x, of->x, of->x_spread, of->n);
  g_string_append (out, ", ");
  add_axis (out, figure, &figure->y, of->y, of->y_spread, of->n);
  g_strlcpy (text, out->str, size);
  return text;
}
