/* SPDX-License-Identifier: MIT
 *
 * Figures in words; see describe.h.  */
#include "plot/export/describe.h"

#include <math.h>

#include "plot/draw/curves.h"

enum { DIGITS = 4, CURVES_TOLD = 16, CHANGES_TOLD = 12 };

static void
append_number (GString *out, double value, const char *unit)
{
  char text[40];

  g_string_append (out, sl_number_text (value, DIGITS, text, sizeof text));
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (out, "\302\240%s", unit);
}

/* " at update 100", " at router". */
static void
append_place (GString *out, const SlFigure *figure, double x)
{
  g_string_append (out, " at ");
  if (figure->categories.name != NULL && x >= 0.0 && x < figure->categories.n && floor (x) == x)
    {
      g_string_append (out, figure->categories.name[(unsigned) x]);
      return;
    }
  if (figure->x.label != NULL)
    g_string_append_printf (out, "%s ", sl_figure_label (figure, figure->x.label));
  append_number (out, x, figure->x.unit);
}

static void
append_value (GString *out, const SlFigure *figure, const SlCurve *curve, const SlPoints *points,
              size_t i)
{
  append_number (out, points->y[i], curve->unit);
  append_place (out, figure, points->x[i]);
}

typedef struct
{
  size_t n, first, last, lowest, highest; /* n finite ones */
} Extremes;

static Extremes
find_extremes (const SlPoints *points, size_t begin, size_t end)
{
  Extremes found = { 0 };

  for (size_t i = begin; i < end; i++)
    {
      if (!isfinite (points->y[i]))
        continue;
      if (found.n++ == 0)
        found.first = found.lowest = found.highest = i;
      if (points->y[i] < points->y[found.lowest])
        found.lowest = i;
      if (points->y[i] > points->y[found.highest])
        found.highest = i;
      found.last = i;
    }
  return found;
}

/* Each name with its value and half of its interval. */
static void
append_named (GString *out, const SlFigure *figure, const SlCurve *curve)
{
  for (size_t i = 0; i < curve->n; i++)
    {
      double place = figure->categories.n - 1 - curve->y[i];

      if (!(place >= 0.0 && place < figure->categories.n))
        continue;
      g_string_append_printf (out, "%s%s ", i > 0 ? ", " : "",
                              sl_figure_label (figure, figure->categories.name[(unsigned) place]));
      append_number (out, curve->x[i], NULL);
      if (curve->spread_x != NULL && curve->spread_x[i] > 0.0)
        {
          g_string_append (out, " \302\261 ");
          append_number (out, curve->spread_x[i], NULL);
        }
    }
  g_string_append_c (out, '.');
}

/* The values as they were measured, which its line may show smoothed. */
static void
append_curve (GString *out, const SlFigure *figure, const SlCurve *curve)
{
  SlPoints points = sl_points_of_curve (curve);
  SlScale  x = sl_figure_x (figure);
  size_t   begin = 0, end = points.n;
  Extremes found;
  char     title[SL_CURVE_TITLE];

  sl_message_show (curve->title, NULL, title, sizeof title);
  g_string_append_printf (out, " %s: ", *title != '\0' ? title : figure->title);
  if (figure->categories.down)
    {
      append_named (out, figure, curve);
      return;
    }
  if (points.n > 0 && !curve->scatter && !sl_figure_kind (figure)->bars)
    sl_points_visible (&points, &x, &begin, &end);
  found = find_extremes (&points, begin, end);
  if (found.n == 0)
    {
      g_string_append (out, "no value.");
      return;
    }
  if (found.n > 1 && curve->scatter)
    g_string_append_printf (out, "%zu points", found.n);
  else
    append_value (out, figure, curve, &points, found.first);
  if (found.n > 1 && !curve->scatter)
    {
      g_string_append (out, ", ends with ");
      append_value (out, figure, curve, &points, found.last);
    }
  if (found.n > 1)
    {
      g_string_append (out, "; lowest ");
      append_value (out, figure, curve, &points, found.lowest);
      g_string_append (out, ", highest ");
      append_value (out, figure, curve, &points, found.highest);
    }
  g_string_append_c (out, '.');
}

static void
append_curves (GString *out, const SlFigure *figure)
{
  unsigned shown = 0;

  for (unsigned c = 0; c < figure->n_curves; c++)
    if (!figure->curve[c].hidden && shown++ < CURVES_TOLD)
      append_curve (out, figure, &figure->curve[c]);
  if (shown > CURVES_TOLD)
    g_string_append_printf (out, " And %u more.", shown - CURVES_TOLD);
}

static void
append_matrix (GString *out, const SlFigure *figure)
{
  const SlMatrix *m = &figure->matrix;
  size_t          n = (size_t) m->tiles * m->depth * m->rows * m->columns;
  double          lo = NAN, hi = NAN;

  if (m->cell == NULL || n == 0 || sl_figure_coloured (figure) || !sl_figure_kind (figure)->cells)
    return;
  for (size_t i = 0; i < n; i++)
    if (isfinite (m->cell[i]))
      {
        lo = fmin (lo, m->cell[i]);
        hi = fmax (hi, m->cell[i]);
      }
  g_string_append_printf (out, " %u \303\227 %u cells", m->rows, m->columns);
  if (m->tiles > 1)
    g_string_append_printf (out, " in each of %u", m->tiles);
  if (isfinite (lo))
    {
      g_string_append (out, ", from ");
      append_number (out, lo, figure->z.unit);
      g_string_append (out, " to ");
      append_number (out, hi, figure->z.unit);
    }
  g_string_append_c (out, '.');
}

static bool
has_intervals (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    {
      const SlCurve *curve = &figure->curve[c];

      if (!curve->hidden
          && (curve->spread != NULL || curve->spread_x != NULL || curve->low != NULL))
        return true;
    }
  return false;
}

/* The sentence says what there is to count, or what bars and bands are. */
static void
append_sentence (GString *out, const SlFigure *figure)
{
  char text[SL_NOTE_MAX];

  if ((figure->kind == SL_ALIVE || has_intervals (figure)) && figure->note[0] != '\0')
    g_string_append_printf (out, " %s", sl_message_show (figure->note, NULL, text, sizeof text));
}

static void
append_changes (GString *out, const SlFigure *figure)
{
  unsigned shown = 0;

  for (unsigned i = 0; i < figure->flags.n && sl_figure_kind (figure)->steps; i++)
    {
      const SlChangeMarker *flag = &figure->flags.at[i];
      char                  text[SL_CHANGE_MARKER_ENGLISH];

      if (!(flag->step >= figure->x_range.lo && flag->step <= figure->x_range.hi))
        continue;
      if (shown++ >= CHANGES_TOLD)
        continue;
      g_string_append_printf (out, "%s %u", shown == 1 ? " Changes:" : ";", flag->number);
      append_place (out, figure, flag->step);
      g_string_append_printf (out, ", %s", sl_message_show (flag->text, NULL, text, sizeof text));
    }
  if (shown > CHANGES_TOLD)
    g_string_append_printf (out, "; and %u more", shown - CHANGES_TOLD);
  if (shown > 0)
    g_string_append_c (out, '.');
}

static void
append_inset (GString *out, const SlFigure *figure)
{
  const SlView *view = &figure->view;

  if (!view->inset || !sl_figure_kind (figure)->lines)
    return;
  g_string_append (out, " An inset shows the part");
  append_place (out, figure, view->inset_x.lo);
  g_string_append (out, " to ");
  append_number (out, view->inset_x.hi, figure->x.unit);
  g_string_append_c (out, '.');
}

static void
append_figure (GString *out, const SlFigure *figure)
{
  g_string_append_printf (out, "%s: %s", figure->title, sl_figure_kind (figure)->words);
  if (figure->y.label != NULL && *figure->y.label != '\0')
    g_string_append_printf (out, " of %s", sl_figure_label (figure, figure->y.label));
  if (figure->x.label != NULL && *figure->x.label != '\0')
    g_string_append_printf (out, " over %s", sl_figure_label (figure, figure->x.label));
  g_string_append_c (out, '.');
  append_curves (out, figure);
  append_matrix (out, figure);
  append_sentence (out, figure);
  append_changes (out, figure);
  append_inset (out, figure);
}

char *
sl_export_describe (SlFigure *const *figures, unsigned n)
{
  GString *out = g_string_new (NULL);

  for (unsigned i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ' ');
      append_figure (out, figures[i]);
    }
  return g_string_free (out, FALSE);
}
