/* SPDX-License-Identifier: MIT
 *
 * Figures as tables; see values.h.  */
#include "plot/export/values.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/files/csv.h"
#include "plot/draw/curves.h"
#include "plot/export/export.h"
#include "plot/figure/parallel.h"

/* A line of a comment, whatever signs the text has. */
static void
add_comment (GString *csv, const char *text)
{
  g_autofree char *line = g_strdup (text);

  if (*g_strstrip (g_strdelimit (line, "\r\n", ' ')) != '\0')
    g_string_append_printf (csv, "# %s\n", line);
}

/* "error ± (%)" */
static void
add_heading (GString *csv, const char *label, const char *ending, const char *unit)
{
  g_autoptr (GString) words = g_string_new (label);

  g_string_append (words, ending);
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (words, " (%s)", unit);
  sl_csv_text (csv, words->str);
}

static const char *
name_of (const SlAxis *axis, const char *otherwise)
{
  return axis->label != NULL && *axis->label != '\0' ? axis->label : otherwise;
}

static bool
is_in_view (const SlFigure *figure, bool in_view, double x)
{
  return !in_view || !figure->view.zoomed || (x >= figure->view.x_lo && x <= figure->view.x_hi);
}

/* ---- points ---- */

static bool
has_words (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].point != NULL)
      return true;
  return false;
}

/* Points whose bars are along x, too, are no curves over x. */
static bool
has_points (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (figure->curve[c].scatter && figure->curve[c].spread_x != NULL)
      return true;
  return has_words (figure);
}

static bool
has_front (const SlFigure *figure)
{
  for (unsigned c = 0; c < figure->n_curves; c++)
    for (size_t i = 0; figure->curve[c].point != NULL && i < figure->curve[c].n; i++)
      if (figure->curve[c].point[i].best)
        return true;
  return false;
}

/* A single value has no interval, nor has a point without words whose bars have no length. */
static void
add_interval (GString *csv, const SlCurve *curve, const double *spread, size_t i)
{
  bool any = spread != NULL && (curve->point != NULL ? curve->point[i].n > 1 : spread[i] > 0.0);

  sl_csv_number (csv, any ? spread[i] : (double) NAN);
}

static void
add_axis_headings (GString *csv, const SlAxis *axis, const char *otherwise)
{
  add_heading (csv, name_of (axis, otherwise), "", axis->unit);
  add_heading (csv, name_of (axis, otherwise), " ±", axis->unit);
}

static void
add_point_headings (GString *csv, const SlFigure *figure, bool front)
{
  g_string_append (csv, has_words (figure) ? "point,n," : "point,");
  add_axis_headings (csv, &figure->x, "x");
  if (!figure->categories.down)
    add_axis_headings (csv, &figure->y, "y");
  if (figure->colours.toned)
    add_heading (csv, name_of (&figure->z, "colour"), "", figure->z.unit);
  g_string_append (csv, front ? "on the front,knee,curve\n" : "curve\n");
}

/* What a point is called, by itself or by its row; the first row is on top. */
static const char *
point_name (const SlFigure *figure, const SlCurve *curve, size_t i)
{
  const SlCategories *rows = &figure->categories;

  if (curve->point != NULL)
    return curve->point[i].title;
  return rows->down && curve->y[i] >= 0.0 && curve->y[i] < rows->n
           ? sl_figure_label (figure, rows->name[rows->n - 1 - (unsigned) curve->y[i]])
           : "";
}

static void
add_point (GString *csv, const SlFigure *figure, const SlCurve *curve, size_t i, bool front)
{
  const SlCurvePoint *words = curve->point != NULL ? &curve->point[i] : NULL;

  sl_csv_text (csv, point_name (figure, curve, i));
  if (has_words (figure))
    sl_csv_number (csv, words != NULL ? words->n : (double) NAN);
  sl_csv_number (csv, curve->x[i]);
  add_interval (csv, curve, curve->spread_x, i);
  if (!figure->categories.down)
    {
      sl_csv_number (csv, curve->y[i]);
      add_interval (csv, curve, curve->spread, i);
    }
  if (figure->colours.toned)
    sl_csv_number (csv, curve->tone != NULL ? curve->tone[i] : (double) NAN);
  if (front)
    {
      sl_csv_number (csv, words != NULL ? words->best : (double) NAN);
      sl_csv_number (csv, words != NULL ? words->knee : (double) NAN);
    }
  sl_csv_text (csv, curve->title);
  sl_csv_end (csv);
}

/* First the points that have words, then what is drawn beside them: single runs, baselines. */
static void
add_points (GString *csv, const SlFigure *figure, bool in_view)
{
  bool front = has_front (figure);

  add_point_headings (csv, figure, front);
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned c = 0; c < figure->n_curves; c++)
      {
        const SlCurve *curve = &figure->curve[c];

        if (!curve->scatter || curve->around || curve->hidden
            || (curve->point == NULL) != (pass == 1))
          continue;
        for (size_t i = 0; i < curve->n; i++)
          if (is_in_view (figure, in_view, curve->x[i]))
            add_point (csv, figure, curve, i, front);
      }
}

/* ---- curves and bars ---- */

/* A curve on its way through its points in rising order of x. */
typedef struct
{
  const SlCurve *curve;
  SlPoints       points;
  unsigned      *order; /* (points.n) owned, of a scatter; NULL: they are in order */
  size_t         next;
} Walk;

static size_t
place_of (const Walk *walk)
{
  return walk->order != NULL ? walk->order[walk->next] : walk->next;
}

static double
next_x (const Walk *walk)
{
  return walk->next < walk->points.n ? walk->points.x[place_of (walk)] : (double) NAN;
}

/* A point without a place is in no row. */
static void
skip_nowhere (Walk *walk)
{
  while (walk->next < walk->points.n && isnan (next_x (walk)))
    walk->next++;
}

static int
compare_x (gconstpointer a, gconstpointer b, gpointer x)
{
  double of_a = ((const double *) x)[*(const unsigned *) a];
  double of_b = ((const double *) x)[*(const unsigned *) b];

  return (of_a > of_b) - (of_a < of_b);
}

static void
begin (Walk *walk, const SlCurve *curve)
{
  *walk = (Walk) { .curve = curve, .points = sl_points_of_curve (curve) };
  if (curve->scatter)
    {
      walk->order = g_new (unsigned, walk->points.n + 1);
      for (size_t i = 0; i < walk->points.n; i++)
        walk->order[i] = (unsigned) i;
      g_qsort_with_data (walk->order, (int) walk->points.n, sizeof *walk->order, compare_x,
                         (gpointer) walk->points.x);
    }
  skip_nowhere (walk);
}

static bool
is_banded (const SlCurve *curve)
{
  return curve->low != NULL && curve->high != NULL;
}

static void
add_curve_headings (GString *csv, const SlFigure *figure, const SlCurve *curve)
{
  const char *title = *curve->title != '\0' ? curve->title : name_of (&figure->y, "y");

  add_heading (csv, title, is_banded (curve) ? ", mean" : "", curve->unit);
  if (is_banded (curve))
    {
      add_heading (csv, title, ", low", curve->unit);
      add_heading (csv, title, ", high", curve->unit);
    }
  else if (curve->spread != NULL)
    add_heading (csv, title, " ±", curve->unit);
}

static double
at (const SlSeries *series, size_t i)
{
  return i < series->n ? series->value[i] : (double) NAN;
}

/* The cells of a curve in a row: empty unless this is its next point. */
static void
add_cells (GString *csv, Walk *walk, double x)
{
  const SlCurve *curve = walk->curve;
  bool           here = next_x (walk) == x;
  size_t         i = here ? place_of (walk) : 0;

  sl_csv_number (csv, here ? walk->points.y[i] : (double) NAN);
  if (is_banded (curve))
    {
      sl_csv_number (csv, here ? at (curve->low, i) : (double) NAN);
      sl_csv_number (csv, here ? at (curve->high, i) : (double) NAN);
    }
  else if (curve->spread != NULL)
    sl_csv_number (csv, here ? curve->spread[i] : (double) NAN);
  walk->next += here;
  skip_nowhere (walk);
}

static void
add_x (GString *csv, const SlFigure *figure, double x)
{
  const SlCategories *names = &figure->categories;

  if (names->name != NULL && !names->down && x >= 0.0 && x < names->n && floor (x) == x)
    sl_csv_text (csv, names->name[(unsigned) x]);
  else
    sl_csv_number (csv, x);
}

static double
least_x (const Walk *walk, unsigned n)
{
  double least = NAN;

  for (unsigned c = 0; c < n; c++)
    least = fmin (least, next_x (&walk[c]));
  return least;
}

static void
add_curves (GString *csv, const SlFigure *figure, bool in_view)
{
  g_autofree Walk *walk = g_new (Walk, figure->n_curves + 1);
  g_autoptr (GString) left_out = g_string_new (NULL);
  unsigned n = 0;
  double   x;

  add_heading (csv, name_of (&figure->x, "x"), "", figure->x.unit);
  for (unsigned c = 0; c < figure->n_curves; c++)
    if (!figure->curve[c].hidden)
      {
        add_curve_headings (csv, figure, &figure->curve[c]);
        begin (&walk[n++], &figure->curve[c]);
      }
  sl_csv_end (csv);
  while (!isnan (x = least_x (walk, n)))
    {
      GString *row = is_in_view (figure, in_view, x) ? csv : left_out;

      add_x (row, figure, x);
      for (unsigned c = 0; c < n; c++)
        add_cells (row, &walk[c], x);
      sl_csv_end (row);
      g_string_truncate (left_out, 0);
    }
  for (unsigned c = 0; c < n; c++)
    g_free (walk[c].order);
}

/* ---- lines and cells ---- */

static bool
is_brushed (const SlParallel *lines)
{
  for (unsigned a = 0; a < lines->n_axes; a++)
    if (lines->axis[a].brushed)
      return true;
  return false;
}

static void
add_value (GString *csv, const SlParallelAxis *axis, double value)
{
  unsigned n = 0;

  while (axis->choices != NULL && axis->choices[n].id != NULL)
    n++;
  if (value >= 0.0 && value < n)
    sl_csv_text (csv, axis->choices[(unsigned) value].id);
  else
    sl_csv_number (csv, value);
}

static void
add_lines (GString *csv, const SlParallel *lines)
{
  bool brushed = is_brushed (lines);

  for (unsigned a = 0; a < lines->n_axes; a++)
    add_heading (csv, lines->axis[a].title, "", lines->axis[a].unit);
  if (brushed || lines->n_axes == 0)
    g_string_append (csv, "selected,");
  sl_csv_end (csv);
  for (size_t line = 0; line < lines->n; line++)
    {
      for (unsigned a = 0; a < lines->n_axes; a++)
        add_value (csv, &lines->axis[a], lines->value[line * lines->n_axes + a]);
      if (brushed)
        sl_csv_whole (csv, sl_parallel_selected (lines, line));
      sl_csv_end (csv);
    }
}

/* What a column or a row of cells is called: by its name, else by its number. */
static void
add_cell_name (GString *csv, bool named, const char *name, unsigned number)
{
  if (named)
    sl_csv_text (csv, name);
  else
    sl_csv_whole (csv, number);
}

static void
add_matrix (GString *csv, const SlFigure *figure)
{
  const SlMatrix *m = &figure->matrix;
  const double   *cell = m->cell;
  bool            tiles = m->tiles > 1;
  char            name[SL_TICK_LABEL];

  g_string_append (csv, tiles ? "tile,row," : "row,");
  for (unsigned c = 0; c < m->columns; c++)
    add_cell_name (csv, !tiles && sl_figure_column_name (figure, c, name, sizeof name), name, c);
  sl_csv_end (csv);
  for (unsigned line = 0; line < m->tiles * m->rows; line++)
    {
      unsigned tile = line / m->rows, row = line % m->rows;

      if (tiles)
        add_cell_name (csv, sl_figure_column_name (figure, tile, name, sizeof name), name, tile);
      add_cell_name (csv, sl_figure_row_name (figure, row, name, sizeof name), name, row);
      for (unsigned c = 0; c < m->columns; c++)
        sl_csv_number (csv, *cell++);
      sl_csv_end (csv);
    }
}

/* ---- figures ---- */

static bool
is_matrix (const SlFigure *figure)
{
  return figure->matrix.cell != NULL && sl_figure_kind (figure)->cells && figure->matrix.depth == 1;
}

bool
sl_export_has_values (const SlFigure *figure)
{
  return figure->kind == SL_PARALLEL || is_matrix (figure) || sl_figure_kind (figure)->lines
         || sl_figure_kind (figure)->bars || sl_figure_kind (figure)->rows;
}

static void
add_figure (GString *csv, const SlFigure *figure, unsigned letter, bool in_view)
{
  char             letters[SL_FRAME_LETTERS] = "";
  g_autofree char *title = NULL;

  if (letter > 0)
    sl_frame_letters (letter, letters);
  title = g_strdup_printf ("%s %s", letters, figure->title);
  add_comment (csv, title);
  add_comment (csv, figure->note);
  if (figure->kind == SL_PARALLEL)
    add_lines (csv, figure->parallel);
  else if (is_matrix (figure))
    add_matrix (csv, figure);
  else if (has_points (figure))
    add_points (csv, figure, in_view);
  else
    add_curves (csv, figure, in_view);
}

char *
sl_export_values (SlFigure *const *figures, unsigned n, const char *caption, bool in_view,
                  GError **error)
{
  GString *csv = g_string_new (NULL);

  if (caption != NULL)
    add_comment (csv, caption);
  for (unsigned i = 0; i < n; i++)
    {
      SlFigure         spoken = *figures[i];
      g_autofree void *curves = g_memdup2 (spoken.curve, spoken.n_curves * sizeof *spoken.curve);

      if (!sl_export_has_values (figures[i]))
        {
          g_string_free (csv, TRUE);
          g_set_error_literal (error, SL_ERROR, SL_EINVAL,
                               _ ("A picture is no table of numbers; choose another format"));
          return NULL;
        }
      if (i > 0)
        g_string_append_c (csv, '\n');
      spoken.curve = curves;
      spoken.translated = false; /* as all files */
      sl_figure_show_messages (&spoken);
      add_figure (csv, &spoken, n > 1 ? i + 1 : 0, in_view);
    }
  return g_string_free (csv, FALSE);
}
