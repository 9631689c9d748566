/* SPDX-License-Identifier: MIT
 *
 * Runs to points, points to the front, all of it to curves; see front.h.  */
#include "plot/charts/front.h"

#include <glib.h>
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "core/run/tradeoff/mean.h"
#include "core/run/tradeoff/tradeoff.h"

/* Numbers that a point has in `store`: x, y, halves of both intervals and its tone. */
enum { X, Y, X_HALF, Y_HALF, TONE, COLUMNS };

void
sl_front_clear (SlFront *front)
{
  g_free (front->point);
  g_free (front->x);
  g_free (front->y);
  g_free (front->choice);
  g_free (front->point_of);
  g_free (front->store);
  g_free (front->words);
  g_free (front->order);
  g_clear_pointer (&front->place, g_hash_table_unref);
  g_clear_pointer (&front->beside, g_array_unref);
  *front = (SlFront) { 0 };
}

void
sl_front_empty (SlFront *front)
{
  front->n = front->n_runs = front->n_ordered = 0;
  if (front->place != NULL)
    g_hash_table_remove_all (front->place);
  if (front->beside != NULL)
    g_array_set_size (front->beside, 0);
}

static SlFrontPoint *
find (SlFront *front, const SlFrontRun *run)
{
  gpointer place;

  if (front->place == NULL)
    front->place = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  place = g_hash_table_lookup (front->place, &run->key);
  if (place != NULL)
    return &front->point[GPOINTER_TO_UINT (place) - 1];
  if (front->n == front->capacity)
    {
      front->capacity = MAX (2 * front->capacity, 32);
      front->point = g_renew (SlFrontPoint, front->point, front->capacity);
    }
  front->point[front->n] = (SlFrontPoint) { .key = run->key,
                                            .tone = run->tone,
                                            .shape = MIN (run->shape, SL_FRONT_SHAPES - 1),
                                            .tag = run->tag,
                                            .apart = run->apart };
  g_strlcpy (front->point[front->n].title, run->title, SL_FRONT_TITLE);
  g_hash_table_insert (front->place, g_memdup2 (&run->key, sizeof run->key),
                       GUINT_TO_POINTER (++front->n));
  return &front->point[front->n - 1];
}

void
sl_front_add (SlFront *front, const SlFrontRun *run)
{
  SlFrontPoint *point;

  if (!isfinite (run->x) || !isfinite (run->y))
    return;
  if (front->n_runs == front->runs_capacity)
    {
      front->runs_capacity = MAX (2 * front->runs_capacity, 32);
      front->x = g_renew (double, front->x, front->runs_capacity);
      front->y = g_renew (double, front->y, front->runs_capacity);
      front->choice = g_renew (double, front->choice, front->runs_capacity);
      front->point_of = g_renew (unsigned, front->point_of, front->runs_capacity);
    }
  front->x[front->n_runs] = run->x;
  front->y[front->n_runs] = run->y;
  front->choice[front->n_runs] = front->chosen ? run->choice : run->y;
  point = find (front, run);
  point->apart = point->apart && run->apart;
  front->point_of[front->n_runs++] = (unsigned) (point - front->point);
}

void
sl_front_add_beside (SlFront *front, const SlFrontBeside *beside)
{
  if (front->beside == NULL)
    front->beside = g_array_new (FALSE, FALSE, sizeof (SlFrontBeside));
  g_array_append_vals (front->beside, beside, 1);
}

static double
half_of (const SlMean *mean)
{
  return mean->n > 1 ? mean->half : 0.0;
}

/* The points as means of their runs, and which of them nothing beats. */
static void
settle (SlFront *front)
{
  g_autofree SlMean     *mean = g_new0 (SlMean, 3 * front->n + 1);
  SlMean                *x = mean, *y = mean + front->n, *choice = y + front->n;
  g_autofree SlTradeoff *setting = g_new0 (SlTradeoff, front->n + 1);

  front->order = g_renew (unsigned, front->order, front->n + 1);
  sl_mean_groups (front->x, front->point_of, front->n_runs, x, front->n);
  sl_mean_groups (front->y, front->point_of, front->n_runs, y, front->n);
  sl_mean_groups (front->choice, front->point_of, front->n_runs, choice, front->n);
  for (unsigned i = 0; i < front->n; i++)
    setting[i] = (SlTradeoff) { .cost = x[i].mean, .error = y[i].mean };
  sl_tradeoff_front (setting, front->n, front->order);
  /* What is on other data has its place in the order, but beats nothing. */
  for (unsigned i = 0; i < front->n; i++)
    setting[i].error = front->point[i].apart ? (double) NAN : choice[i].mean;
  sl_tradeoff_front (setting, front->n, NULL);
  front->n_ordered = front->n;
  for (unsigned i = 0; i < front->n; i++)
    {
      SlFrontPoint *point = &front->point[i];

      point->n = x[i].n;
      point->x = x[i].mean;
      point->y = y[i].mean;
      point->x_half = half_of (&x[i]);
      point->y_half = half_of (&y[i]);
      point->best = setting[i].best;
      point->knee = setting[i].knee;
    }
}

static void
add_knee (SlFront *front, SlFigure *figure, double *at)
{
  const SlFrontPoint *knee = NULL;
  SlCurve            *curve;

  for (unsigned i = 0; i < front->n && front->frontier; i++)
    if (front->point[i].knee)
      knee = &front->point[i];
  curve = knee != NULL ? sl_figure_curve (figure, "knee") : NULL;
  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, N_ ("knee"), sizeof curve->title);
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
  SlCurve *curve;
  size_t   n = 0;

  for (unsigned i = 0; i < front->n; i++)
    {
      const SlFrontPoint *point = &front->point[front->order[i]];

      if (!point->best)
        continue;
      if (n > 0)
        {
          x[n] = point->x;
          y[n] = y[n - 1];
          n++;
        }
      x[n] = point->x;
      y[n++] = point->y;
    }
  curve = n > 1 ? sl_figure_curve (figure, "front") : NULL;
  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, N_ ("Pareto front"), sizeof curve->title);
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

static bool
is_on_front (const SlFront *front, unsigned shape)
{
  for (unsigned i = 0; i < front->n; i++)
    if (front->point[i].shape == shape && front->point[i].best)
      return true;
  return false;
}

/* What the legend calls the points of a curve.  The dominated ones are one entry, but for a shape that is
 * named nowhere else.  */
static void
name_curve (const SlFront *front, SlCurve *curve, unsigned shape, bool best)
{
  const char *title = front->shape_title[shape];

  /* The curve may be one of before, with other points. */
  curve->group = front->frontier && !best && (*title == '\0' || is_on_front (front, shape)) ? 1 : 0;
  g_strlcpy (curve->group_title, curve->group != 0 ? N_ ("dominated") : "",
             sizeof curve->group_title);
  if (*title == '\0')
    title = !front->frontier ? N_ ("runs") : best ? N_ ("on the front") : N_ ("dominated");
  g_strlcpy (curve->title, title, sizeof curve->title);
}

/* What becomes a curve: the points of one shape that are on the front, that are not, and those that are on
 * other data.  */
typedef enum {
  DOMINATED,
  BEST,
  APART, /* of all shapes */
} Part;

static Part
part_of (const SlFront *front, const SlFrontPoint *point)
{
  if (point->apart)
    return APART;
  return front->frontier && !point->best ? DOMINATED : BEST;
}

static void
name_part (char *id, size_t size, Part part, unsigned shape)
{
  if (part == APART)
    g_strlcpy (id, "apart", size);
  else
    g_snprintf (id, size, "%s-%u", part == BEST ? "points" : "dominated", shape + 1);
}

static bool
add_points (const SlFront *front, SlFigure *figure, unsigned shape, Part part, double *at,
            size_t stride, SlCurvePoint *words)
{
  SlCurve *curve;
  char     id[32];
  size_t   n = 0;

  for (unsigned i = 0; i < front->n; i++)
    {
      const SlFrontPoint *point = &front->point[i];

      if (part_of (front, point) != part || (part < APART && point->shape != shape))
        continue;
      at[X * stride + n] = point->x;
      at[Y * stride + n] = point->y;
      at[X_HALF * stride + n] = point->x_half;
      at[Y_HALF * stride + n] = point->y_half;
      at[TONE * stride + n] = point->tone;
      words[n++] = (SlCurvePoint) { .title = point->title,
                                    .n = point->n,
                                    .best = front->frontier && point->best,
                                    .knee = front->frontier && point->knee };
    }
  if (n == 0)
    return true;
  name_part (id, sizeof id, part, shape);
  curve = sl_figure_curve (figure, id);
  if (curve == NULL)
    return false;
  sl_figure_follow (curve, NULL);
  if (part == APART)
    g_strlcpy (curve->title, N_ ("on other data"), sizeof curve->title);
  else
    name_curve (front, curve, shape, part == BEST);
  g_strlcpy (curve->unit, figure->y.unit != NULL ? figure->y.unit : "", sizeof curve->unit);
  curve->slot = part == APART ? (unsigned) SL_MARKER_PLUS : shape;
  curve->ghost = part != BEST;
  curve->scatter = true;
  curve->x = at + X * stride;
  curve->y = at + Y * stride;
  curve->spread_x = at + X_HALF * stride;
  curve->spread = at + Y_HALF * stride;
  curve->tone = is_toned (front) ? at + TONE * stride : NULL;
  curve->point = words;
  curve->n = n;
  return true;
}

/* The runs of points that are means of several, small and pale behind them. */
static void
add_runs (const SlFront *front, SlFigure *figure, double *at)
{
  SlCurve *curve;
  size_t   n = 0;

  for (unsigned i = 0; i < front->n_runs; i++)
    if (front->point[front->point_of[i]].n > 1)
      {
        at[n] = front->x[i];
        at[front->n_runs + n++] = front->y[i];
      }
  curve = n > 0 ? sl_figure_curve (figure, "runs") : NULL;
  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, N_ ("single runs"), sizeof curve->title);
  curve->slot = SL_THEME_COLOURS - 1;
  curve->ghost = curve->scatter = curve->thin = curve->aside = true;
  curve->x = at;
  curve->y = at + front->n_runs;
  curve->n = n;
}

/* The points from `first` on that have one title; returns how many. */
static guint
add_beside (const SlFront *front, SlFigure *figure, guint first, double *at, size_t stride)
{
  const SlFrontBeside *of = &g_array_index (front->beside, SlFrontBeside, first);
  char                 id[32];
  SlCurve             *curve;
  size_t               n = 0;

  for (; first + n < front->beside->len && of[n].title == of->title; n++)
    {
      at[X * stride + n] = of[n].x;
      at[Y * stride + n] = of[n].y;
      at[X_HALF * stride + n] = of[n].x_half;
      at[Y_HALF * stride + n] = of[n].y_half;
    }
  g_snprintf (id, sizeof id, "beside-%u", first + 1);
  curve = sl_figure_curve (figure, id);
  if (curve == NULL)
    return (guint) n;
  sl_figure_follow (curve, NULL);
  g_strlcpy (curve->title, of->title, sizeof curve->title);
  g_strlcpy (curve->unit, sl_given (figure->y.unit), sizeof curve->unit);
  curve->slot = SL_MARKER_CROSS;
  curve->ghost = curve->scatter = curve->aside = true;
  curve->x = at + X * stride;
  curve->y = at + Y * stride;
  curve->spread_x = at + X_HALF * stride;
  curve->spread = at + Y_HALF * stride;
  curve->n = n;
  return (guint) n;
}

/* Room for the numbers of all curves: of every shape those of all points twice, of what is on other data once, two corners
 * of the stairs for each, the runs, what is beside them, and the knee.  */
static double *
make_room (SlFront *front, size_t stride, size_t beside)
{
  size_t size = stride * ((2 * SL_FRONT_SHAPES + 1) * COLUMNS + 4) + 2 * (size_t) front->n_runs
                + beside * COLUMNS + 2;

  return front->store = g_renew (double, front->store, size);
}

bool
sl_front_update (SlFront *front, SlFigure *figure)
{
  size_t        stride = MAX (front->n, 1), beside = front->beside != NULL ? front->beside->len : 0;
  double       *store = make_room (front, stride, beside);
  bool          all = true;
  SlCurvePoint *words = front->words
    = g_renew (SlCurvePoint, front->words, (2 * SL_FRONT_SHAPES + 1) * stride);

  settle (front);
  figure->kind = SL_PROFILE;
  figure->mark = front->dense ? 100.0 : (double) NAN;
  figure->colours.toned = is_toned (front);
  sl_figure_begin (figure);
  if (front->frontier)
    add_stairs (front, figure, store, store + 2 * stride);
  store += 4 * stride;
  add_runs (front, figure, store);
  store += 2 * (size_t) front->n_runs;
  /* What is on the front lies over what is not. */
  for (unsigned part = DOMINATED; part <= BEST; part++)
    for (unsigned shape = 0; shape < SL_FRONT_SHAPES;
         shape++, store += COLUMNS * stride, words += stride)
      all = add_points (front, figure, shape, (Part) part, store, stride, words) && all;
  all = add_points (front, figure, 0, APART, store, stride, words) && all;
  store += COLUMNS * stride;
  for (guint i = 0; i < beside;)
    i += add_beside (front, figure, i, store + i, beside);
  store += COLUMNS * beside;
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

  name_part (id, sizeof id, part_of (front, point), point->shape);
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
  int n = (int) front->n_ordered, at = by > 0 ? -1 : n;

  for (int i = 0; i < n && from >= 0; i++)
    if (front->order[i] == (unsigned) from)
      at = i;
  for (at += by > 0 ? 1 : -1; at >= 0 && at<n; at += by> 0 ? 1 : -1)
    if (shown (front, figure, &front->point[front->order[at]]))
      return (int) front->order[at];
  return from;
}
