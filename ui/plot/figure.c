/* SPDX-License-Identifier: MIT
 *
 * The figure as data: its curves, what is kept up to date beside them (smoothing, holes), the
 * ranges of its axes and reading values off it; see figure.h.  */
#include "ui/plot/figure.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/plot/graph.h"
#include "ui/plot/reduce.h"
#include "ui/plot/rows.h"

/* Columns that stand for a curve where only its extent matters. */
enum { FIT_COLUMNS = 256, FIT_TICKS = 5, FEW_POINTS = 100 };

#define SHRINK_AFTER 2.0 /* seconds */

static void
curve_clear (SlCurve *curve)
{
  sl_series_clear (&curve->smooth);
  free (curve->hole);
  curve->hole = NULL;
  curve->n_holes = curve->holes_capacity = 0;
}

void
sl_figure_clear (SlFigure *figure)
{
  for (unsigned c = 0; c < figure->curves_capacity; c++)
    curve_clear (&figure->curve[c]);
  free (figure->curve);
  *figure = (SlFigure) { 0 };
}

int
sl_figure_find (const SlFigure *figure, const char *id)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (strcmp (figure->curve[c].id, id) == 0)
      return (int) c;
  return -1;
}

static bool
grow (SlFigure *figure)
{
  unsigned capacity = figure->curves_capacity > 0 ? 2 * figure->curves_capacity : 8;
  SlCurve *larger = realloc (figure->curve, capacity * sizeof *larger);

  if (larger == NULL)
    return false;
  memset (larger + figure->curves_capacity, 0,
          (capacity - figure->curves_capacity) * sizeof *larger);
  figure->curve = larger;
  figure->curves_capacity = capacity;
  return true;
}

SlCurve *
sl_figure_curve (SlFigure *figure, const char *id)
{
  int found = sl_figure_find (figure, id);
  SlCurve *place, swap;

  if (found >= 0 && (unsigned) found < figure->placed)
    return &figure->curve[found];
  if (found < 0)
    {
      if (figure->n_curves == SL_CURVES_MAX
          || (figure->n_curves == figure->curves_capacity && !grow (figure)))
        return NULL;
      found = (int) figure->n_curves++;
      curve_clear (&figure->curve[found]);
      figure->curve[found] = (SlCurve) { 0 };
      g_strlcpy (figure->curve[found].id, id, sizeof figure->curve[found].id);
    }
  place = &figure->curve[figure->placed++];
  swap = *place;
  *place = figure->curve[found];
  figure->curve[found] = swap;
  return place;
}

void
sl_figure_begin (SlFigure *figure)
{
  figure->placed = 0;
}

void
sl_figure_end (SlFigure *figure)
{
  figure->n_curves = figure->placed;
}

void
sl_figure_look (SlFigure *figure, const SlView *view)
{
  figure->view = *view;
  figure->view_set = true;
  figure->fitted = false;
  figure->version++;
}

void
sl_figure_hide (SlFigure *figure, unsigned curve, bool hidden)
{
  if (curve >= figure->n_curves || figure->curve[curve].hidden == hidden)
    return;
  figure->curve[curve].hidden = hidden;
  figure->fitted = false;
  figure->version++;
}

/* Length of the beginning that all curve titles share up to a ", ": "recall, layer 1",
 * "recall, layer 2".  */
static size_t
shared_prefix (const SlFigure *figure)
{
  const char *first = figure->n_curves > 0 ? figure->curve[0].title : "";
  const char *comma = strstr (first, ", ");
  size_t length = comma != NULL ? (size_t) (comma - first) + 2 : 0;

  if (length == 0 || figure->n_curves < 2)
    return 0;
  for (unsigned c = 1; c < figure->n_curves; c++)
    if (strncmp (figure->curve[c].title, first, length) != 0)
      return 0;
  return length;
}

const char *
sl_figure_name (const SlFigure *figure, unsigned curve)
{
  return figure->curve[curve].title + shared_prefix (figure);
}

unsigned
sl_figure_row_number (const SlFigure *figure, unsigned row)
{
  if (sl_figure_has_rows (figure))
    return row >= 1 && row <= figure->n_rows ? figure->row[row - 1] + 1 : 0;
  if (figure->kind == SL_GRAPH)
    return row <= sl_graph_nodes (figure) ? row : 0;
  return figure->kind == SL_HEATMAP && row <= figure->rows ? row : 0;
}

unsigned
sl_figure_row_of (const SlFigure *figure, unsigned number)
{
  unsigned n = sl_figure_has_rows (figure) ? figure->n_rows : figure->rows;

  for (unsigned row = 1; row <= n; row++)
    if (number > 0 && sl_figure_row_number (figure, row) == number)
      return row;
  return 0;
}

bool
sl_figure_column_name (const SlFigure *figure, unsigned i, char *out, size_t size)
{
  const char *name = figure->names != NULL ? figure->names : "", *end = strchr (name, '\n');

  while (i > 0 && end != NULL)
    {
      i--;
      name = end + 1;
      end = strchr (name, '\n');
    }
  if (end == NULL)
    return false;
  g_snprintf (out, size, "%.*s", (int) (end - name), name);
  return true;
}

/* Remembers where the series is not finite, looking at new samples only. */
static bool
find_holes (SlCurve *curve)
{
  const SlSeries *series = curve->series;

  if (curve->cuts != series->cuts || curve->scanned > series->n)
    {
      curve->n_holes = 0;
      curve->scanned = 0;
      curve->cuts = series->cuts;
    }
  for (size_t i = curve->scanned; i < series->n; i++)
    {
      if (isfinite (series->value[i]))
        continue;
      if (curve->n_holes > 0 && curve->hole[curve->n_holes - 1].last + 1 == i)
        {
          curve->hole[curve->n_holes - 1].last = i;
          continue;
        }
      if (curve->n_holes == curve->holes_capacity)
        {
          size_t capacity = curve->holes_capacity > 0 ? 2 * curve->holes_capacity : 16;
          SlHole *larger = realloc (curve->hole, capacity * sizeof *larger);

          if (larger == NULL)
            {
              curve->scanned = i;
              return false;
            }
          curve->hole = larger;
          curve->holes_capacity = capacity;
        }
      curve->hole[curve->n_holes++] = (SlHole) { i, i };
    }
  curve->scanned = series->n;
  return true;
}

bool
sl_figure_refresh (SlFigure *figure)
{
  bool enough = true;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      SlCurve *curve = &figure->curve[c];
      double half_life = figure->view.half_life > 0.0 ? figure->view.half_life : 0.0;

      /* Rows and bands show means per pixel; a gap is left empty in them. */
      if (curve->series == NULL || sl_figure_has_rows (figure))
        continue;
      enough = find_holes (curve) && enough;
      if (curve->half_life != half_life || half_life == 0.0)
        {
          sl_series_clear (&curve->smooth);
          memset (curve->smooth_state, 0, sizeof curve->smooth_state);
          curve->half_life = half_life;
        }
      if (half_life > 0.0
          && !sl_series_smooth (curve->series, half_life, &curve->smooth, curve->smooth_state))
        {
          sl_series_clear (&curve->smooth);
          enough = false;
        }
    }
  return enough;
}

bool
sl_figure_empty (const SlFigure *figure)
{
  if (figure->kind == SL_HEATMAP || figure->kind == SL_IMAGE)
    return figure->matrix == NULL || figure->tiles == 0 || figure->rows == 0
           || figure->columns == 0;
  if (figure->kind == SL_GRAPH)
    return figure->matrix == NULL || sl_graph_nodes (figure) == 0;
  if (figure->kind == SL_MAP)
    return figure->plane.side == 0;
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (sl_points_of_curve (&figure->curve[c]).n > 0)
      return false;
  return true;
}

bool
sl_figure_marked (const SlFigure *figure, unsigned curve)
{
  const SlCurve *self = &figure->curve[curve];

  if (self->ghost)
    return false;
  if (self->scatter
      || (self->style != SL_THEORY && sl_points_of_curve (self).n <= FEW_POINTS))
    return true;
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (c != curve && !figure->curve[c].hidden && !figure->curve[c].ghost
        && figure->curve[c].style == self->style)
      return true;
  return false;
}

bool
sl_figure_extent (const SlFigure *figure, double *lo, double *hi)
{
  double least = HUGE_VAL, most = -HUGE_VAL;

  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints points = sl_points_of_curve (curve);
      size_t first = 0;

      if (curve->hidden || points.n == 0)
        continue;
      if (curve->scatter)
        for (size_t i = 0; i < points.n; i++)
          {
            if (!isfinite (points.x[i]) || (figure->view.log_x && points.x[i] <= 0.0))
              continue;
            least = fmin (least, points.x[i]);
            most = fmax (most, points.x[i]);
          }
      else
        {
          if (figure->view.log_x)
            first = sl_points_find (&points, G_MINDOUBLE, 0);
          if (first < points.n)
            {
              least = fmin (least, points.x[first]);
              most = fmax (most, points.x[points.n - 1]);
            }
        }
    }
  if (!(least <= most))
    return false;
  *lo = least;
  *hi = most;
  return true;
}

static SlRange
fit_x (const SlFigure *figure)
{
  const SlView *view = &figure->view;
  double lo = NAN, hi = NAN;

  if (figure->kind == SL_BARS)
    return (SlRange) { 0.0, MAX (figure->n_categories, 1) };
  if (figure->kind == SL_MAP && figure->plane.side > 0)
    return (SlRange) { figure->plane.left, figure->plane.right };
  if (figure->kind == SL_HEATMAP && figure->x.lo < figure->x.hi)
    return (SlRange) { figure->x.lo, figure->x.hi };
  if (figure->kind == SL_HEATMAP || figure->kind == SL_IMAGE || figure->kind == SL_GRAPH)
    return (SlRange) { 0.5, MAX (figure->columns, 1) + 0.5 };
  if (view->zoomed && view->x_lo < view->x_hi)
    return (SlRange) { view->x_lo, view->x_hi };
  if (sl_figure_extent (figure, &lo, &hi))
    {
      if (view->window > 0.0)
        lo = MAX (lo, hi - view->window);
      else if (sl_panel_is_series (figure->kind) && !view->log_x)
        {
          /* A run begins at the origin, and its first samples do not fill the width. */
          lo = lo > 0.0 && lo < 0.05 * hi ? 0.0 : lo;
          hi = MAX (hi, lo + 10.0);
        }
      else if (figure->kind == SL_PROFILE && lo < hi)
        {
          /* Markers at both ends stand free of the edges. */
          SlScale shown = sl_scale_new (lo, hi, view->log_x);

          lo = sl_scale_unmap (&shown, -0.025);
          hi = sl_scale_unmap (&shown, 1.025);
        }
    }
  if (figure->x.lo < figure->x.hi)
    {
      lo = fmin (lo, figure->x.lo);
      hi = fmax (hi, figure->x.hi);
    }
  return (SlRange) { lo, hi };
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Leaves out what lies far outside the bulk of the column extrema. */
static void
trim_outliers (double *value, size_t n, double *lo, double *hi)
{
  double quarter, three, reach;

  if (n < 8)
    return;
  qsort (value, n, sizeof *value, compare);
  quarter = value[n / 4];
  three = value[n - 1 - n / 4];
  reach = 3.0 * (three - quarter);
  if (!(reach > 0.0))
    return;
  *lo = fmax (*lo, quarter - reach);
  *hi = fmin (*hi, three + reach);
}

/* Adds one value if the axis can show it. */
static void
widen (double value, bool logarithmic, double *lo, double *hi)
{
  if (isfinite (value) && (!logarithmic || value > 0.0))
    {
      *lo = fmin (*lo, value);
      *hi = fmax (*hi, value);
    }
}

static void
curve_extent (const SlFigure *figure, const SlCurve *curve, const SlScale *x, SlColumn *columns,
              double *value, size_t *n_values, double *lo, double *hi)
{
  bool logarithmic = figure->view.log_y;
  SlPoints points = sl_points_of_curve (curve);
  size_t first, last;

  if (figure->view.hide_raw && curve->smooth.n > 0)
    points = sl_points_of_series (&curve->smooth);
  if (curve->spread != NULL || curve->scatter || figure->kind == SL_BARS)
    {
      for (size_t i = 0; i < points.n; i++)
        if (figure->kind == SL_BARS || (points.x[i] >= x->lo && points.x[i] <= x->hi))
          {
            double spread = curve->spread != NULL && isfinite (curve->spread[i]) ? curve->spread[i]
                                                                                : 0.0;

            widen (points.y[i] - spread, logarithmic, lo, hi);
            widen (points.y[i] + spread, logarithmic, lo, hi);
          }
      return;
    }
  sl_points_visible (&points, x, &first, &last);
  if (!logarithmic && !figure->view.robust)
    {
      double least, most;

      if (sl_points_range (&points, first, last, &least, &most))
        {
          *lo = fmin (*lo, least);
          *hi = fmax (*hi, most);
        }
      return;
    }
  sl_reduce (&points, x, FIT_COLUMNS, columns);
  for (unsigned c = 0; c < FIT_COLUMNS; c++)
    {
      widen (columns[c].lo, logarithmic, lo, hi);
      widen (columns[c].hi, logarithmic, lo, hi);
      if (columns[c].lo <= columns[c].hi)
        {
          value[(*n_values)++] = columns[c].lo;
          value[(*n_values)++] = columns[c].hi;
        }
    }
}

static SlRange
fit_y (const SlFigure *figure)
{
  const SlView *view = &figure->view;
  SlScale x = sl_scale_new (figure->x_range.lo, figure->x_range.hi, view->log_x);
  double lo = HUGE_VAL, hi = -HUGE_VAL;
  size_t n_values = 0;
  g_autofree SlColumn *columns = NULL;
  g_autofree double *value = NULL;
  SlScale y;

  if (figure->kind == SL_HEATMAP && figure->y.lo < figure->y.hi)
    return (SlRange) { figure->y.lo, figure->y.hi };
  if (figure->kind == SL_HEATMAP || figure->kind == SL_IMAGE || figure->kind == SL_GRAPH)
    return (SlRange) { 0.5, MAX (figure->rows, 1) + 0.5 };
  if (figure->kind == SL_MAP && figure->plane.side > 0)
    return (SlRange) { figure->plane.bottom, figure->plane.top };
  if (sl_figure_has_bins (figure))
    return (SlRange) { figure->y.lo, figure->y.hi };
  if (figure->kind == SL_HISTORY)
    return (SlRange) { 0.5, MAX (figure->n_rows, 1) + 0.5 };
  if (figure->kind == SL_SHARES)
    return (SlRange) { 0.0, 100.0 };
  if (view->y_locked && view->y_lo < view->y_hi)
    return (SlRange) { view->y_lo, view->y_hi };
  columns = g_new (SlColumn, FIT_COLUMNS);
  value = g_new (double, 2 * FIT_COLUMNS * MAX (figure->n_curves, 1));
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (!figure->curve[c].hidden)
      curve_extent (figure, &figure->curve[c], &x, columns, value, &n_values, &lo, &hi);
  if (view->robust)
    trim_outliers (value, n_values, &lo, &hi);
  if (figure->kind == SL_BARS && !view->log_y)
    {
      widen (0.0, false, &lo, &hi);
      /* Room for the numbers above the bars. */
      if (hi > 0.0 && lo <= hi)
        hi += 0.1 * (hi - lo);
    }
  if (figure->y.lo < figure->y.hi)
    {
      widen (figure->y.lo, view->log_y, &lo, &hi);
      widen (figure->y.hi, view->log_y, &lo, &hi);
    }
  y = lo <= hi ? sl_scale_new (lo, hi, view->log_y) : sl_scale_new (NAN, NAN, view->log_y);
  sl_scale_widen (&y, FIT_TICKS);
  return (SlRange) { y.lo, y.hi };
}

/* Brings a range that is shown to the one that is needed: grown at once, shrunk after a while. */
static void
settle (SlRange *shown, SlRange need, double *smaller_since, double now)
{
  if (need.lo < shown->lo || need.hi > shown->hi)
    {
      shown->lo = MIN (shown->lo, need.lo);
      shown->hi = MAX (shown->hi, need.hi);
      *smaller_since = now;
    }
  else if (need.lo == shown->lo && need.hi == shown->hi)
    *smaller_since = now;
  else if (!(now - *smaller_since < SHRINK_AFTER))
    {
      *shown = need;
      *smaller_since = now;
    }
}

/* Extremes of what has a colour; false when nothing has one. */
static bool
colour_extent (const SlFigure *figure, double *lo, double *hi)
{
  SlScale x = sl_scale_new (figure->x_range.lo, figure->x_range.hi, figure->view.log_x);
  size_t n = (size_t) figure->tiles * figure->rows * figure->columns;
  bool graph = figure->kind == SL_GRAPH;

  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (unsigned r = 0; r < figure->n_rows; r++)
    {
      SlPoints points = sl_points_of_curve (&figure->curve[figure->row[r]]);
      double least, most;
      size_t first, last;

      sl_points_visible (&points, &x, &first, &last);
      if (sl_points_range (&points, first, last, &least, &most))
        {
          *lo = fmin (*lo, least);
          *hi = fmax (*hi, most);
        }
    }
  for (size_t i = graph ? SL_GRAPH_COLUMNS - 1 : 0; figure->matrix != NULL && i < n;
       i += graph ? SL_GRAPH_COLUMNS : 1)
    widen (figure->matrix[i], false, lo, hi);
  return *lo <= *hi;
}

/* The colours: as the panel or the snapshot says, else from the smallest to the largest value. */
static void
fit_tint (SlFigure *figure, bool at_once, double now)
{
  SlRange shown = { figure->tint.scale.lo, figure->tint.scale.hi }, need;
  double lo, hi, least;
  bool any = figure->kind == SL_MAP ? sl_plane_range (&figure->plane, figure->view.plane, &lo, &hi)
                                    : colour_extent (figure, &lo, &hi);

  if (figure->kind == SL_MAP)
    {
      figure->z = (SlAxis) { .label = sl_plane_mode_key (figure->view.plane), .unit = "" };
      if (any)
        shown = (SlRange) { lo, hi };
    }
  else if (figure->z.lo < figure->z.hi)
    shown = (SlRange) { figure->z.lo, figure->z.hi };
  else if (figure->lo < figure->hi)
    shown = (SlRange) { figure->lo, figure->hi };
  else
    {
      SlScale scale = any ? sl_scale_new (lo, hi, figure->view.log_y)
                          : sl_scale_new (NAN, NAN, figure->view.log_y);

      sl_scale_widen (&scale, FIT_TICKS);
      need = (SlRange) { scale.lo, scale.hi };
      if (at_once)
        {
          shown = need;
          figure->tint_smaller_since = now;
        }
      else
        settle (&shown, need, &figure->tint_smaller_since, now);
    }
  figure->tint = sl_tint_new (shown.lo, shown.hi, figure->centre,
                              figure->view.log_y && figure->kind != SL_MAP);
  /* By more than rounding. */
  least = 1e-9 * (figure->tint.scale.hi - figure->tint.scale.lo);
  figure->tint.below = any && lo < figure->tint.scale.lo - least;
  figure->tint.above = any && hi > figure->tint.scale.hi + least;
}

/* The note is about the one region that is shown, or about the plane. */
static void
tell_region (SlFigure *figure)
{
  if (figure->view.alone > 0)
    sl_plane_region_text (&figure->plane, figure->view.alone - 1, figure->note,
                          sizeof figure->note);
  else
    g_strlcpy (figure->note, figure->plane.note, sizeof figure->note);
}

void
sl_figure_fit (SlFigure *figure, double now)
{
  bool standing = !sl_figure_has_values (figure);
  bool at_once = !figure->fitted || now == HUGE_VAL;
  SlRange need;

  sl_figure_refresh (figure);
  if (figure->kind == SL_MAP && figure->plane.side > 0)
    tell_region (figure);
  figure->x_range = fit_x (figure);
  if (sl_figure_has_rows (figure))
    sl_rows_order (figure, at_once, now);
  if (figure->kind != SL_SHARES && standing)
    fit_tint (figure, at_once, now);
  need = fit_y (figure);
  if (at_once || figure->view.y_locked || standing)
    {
      figure->y_range = need;
      figure->smaller_since = now;
      figure->fitted = true;
    }
  else
    settle (&figure->y_range, need, &figure->smaller_since, now);
}

unsigned
sl_figure_read (const SlFigure *figure, double x, double width, SlReading *readings, unsigned max)
{
  unsigned n = 0;

  for (unsigned c = 0; c < figure->n_curves && n < max; c++)
    {
      const SlCurve *curve = &figure->curve[c];
      SlPoints points = sl_points_of_curve (curve);
      SlReading *reading = &readings[n];
      size_t first, last, nearest;

      if (curve->hidden || points.n == 0)
        continue;
      if (figure->kind == SL_BARS)
        {
          /* The category under the pointer. */
          if (!(x >= 0.0) || x >= (double) points.n)
            continue;
          nearest = (size_t) x;
          first = nearest;
          last = nearest + 1;
        }
      else if (curve->scatter)
        {
          nearest = 0;
          for (size_t i = 1; i < points.n; i++)
            if (fabs (points.x[i] - x) < fabs (points.x[nearest] - x))
              nearest = i;
          if (!(fabs (points.x[nearest] - x) <= width))
            continue;
          first = nearest;
          last = nearest + 1;
        }
      else
        {
          first = sl_points_find (&points, x - width / 2.0, 0);
          last = sl_points_find (&points, x + width / 2.0, first);
          nearest = sl_points_find (&points, x, first);
          if (nearest == points.n
              || (nearest > 0 && x - points.x[nearest - 1] <= points.x[nearest] - x))
            nearest = nearest > 0 ? nearest - 1 : 0;
          if (last == first)
            {
              if (x < points.x[0] - width || x > points.x[points.n - 1] + width)
                continue;
              first = nearest;
              last = nearest + 1;
            }
        }
      *reading = (SlReading) { .curve = c,
                               .x = points.x[nearest],
                               .value = points.y[nearest],
                               .smooth = nearest < curve->smooth.n ? curve->smooth.value[nearest]
                                                                   : (double) NAN,
                               .lo = NAN,
                               .hi = NAN,
                               .n = last - first };
      sl_points_range (&points, first, last, &reading->lo, &reading->hi);
      n++;
    }
  return n;
}

const char *
sl_reading_text (const SlFigure *figure, const SlReading *reading, char *text, size_t size)
{
  const SlCurve *curve = &figure->curve[reading->curve];
  const char *unit = curve->unit;
  char a[40], b[40], smooth[64] = "";

  if (isfinite (reading->smooth))
    {
      sl_number_text (reading->smooth, 4, a, sizeof a);
      g_snprintf (smooth, sizeof smooth, " (mean %s)", a);
    }
  sl_number_text (reading->n > 1 ? reading->lo : reading->value, 4, a, sizeof a);
  sl_number_text (reading->hi, 4, b, sizeof b);
  if (reading->n > 1 && strcmp (a, b) != 0)
    g_snprintf (text, size, "%s: %s to %s%s%s%s", curve->title, a, b,
                *unit != '\0' ? "\302\240" : "", unit, smooth);
  else
    g_snprintf (text, size, "%s: %s%s%s%s", curve->title, a, *unit != '\0' ? "\302\240" : "", unit,
                smooth);
  return text;
}
