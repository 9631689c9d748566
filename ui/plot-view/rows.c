/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/rows.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "plot/figure/rows.h"
#include "ui/plot-view/alive.h"
#include "ui/plot-view/inside.h"

enum { BANDS_MAX = SL_THEME_COLOURS };

/* "layer 7": the axis and the name that the row has there; false where it has none. */
static bool
named_row (const SlFigure *figure, unsigned i, char *out, gsize size)
{
  char        row[SL_FRAME_TEXT];
  const char *label = figure->y.label != NULL ? figure->y.label : "";

  if (!sl_figure_row_name (figure, i, row, sizeof row))
    return false;
  g_snprintf (out, size, "%s%s%s", label, *label != '\0' ? " " : "", row);
  return true;
}

/* "expert 7", as the curve says or, in a matrix, the axis. */
static void
name_row (const SlPlotCursor *self, unsigned number, char *out, gsize size)
{
  const SlFigure *figure = self->figure;
  char            from[40], to[40];

  if (sl_figure_has_bins (figure))
    {
      double bin = (figure->y.hi - figure->y.lo) / MAX (figure->rows.n, 1);
      double at = figure->y.lo + bin * (figure->rows.n - sl_figure_row_of (figure, number));

      g_snprintf (out, size, _ ("%s %s to %s%s%s"), figure->y.label,
                  sl_number_text (at, 3, from, sizeof from),
                  sl_number_text (at + bin, 3, to, sizeof to),
                  *figure->y.unit != '\0' ? "\302\240" : "", figure->y.unit);
    }
  else if (figure->kind == SL_ALIVE)
    g_snprintf (out, size, _ ("expert %u"),
                number - 1); /* parts of a way, which are numbered from 0 */
  else if (sl_figure_kind (figure)->rows)
    g_strlcpy (out, sl_figure_name (figure, number - 1), size);
  else if (!named_row (figure, number - 1, out, size))
    g_snprintf (out, size, "%s %u",
                figure->y.label != NULL && *figure->y.label != '\0' ? figure->y.label : _ ("row"),
                sl_figure_first_element (figure, number));
}

/* Number of the row at the cursor, from 1; 0: none. */
static unsigned
number_at (const SlPlotCursor *self)
{
  if (self->figure->kind == SL_ALIVE)
    return self->celled ? sl_plot_alive_part (self->figure, self->row) : 0;
  if (sl_figure_kind (self->figure)->rows)
    return sl_figure_row_of (self->figure, self->number) > 0 ? self->number : 0;
  return self->celled ? sl_figure_row_number (self->figure, self->row + 1) : 0;
}

gboolean
sl_plot_rows_pick (const SlPlotCursor *self)
{
  unsigned number = number_at (self);

  if (!self->figure->picks.possible || number == 0)
    return FALSE;
  g_signal_emit_by_name (self->view, "pick", sl_figure_first_element (self->figure, number));
  return TRUE;
}

void
sl_plot_rows_hover (SlPlotCursor *self, double px, double py)
{
  unsigned row = sl_frame_row (sl_plot_view_get_frame (self->view), self->figure, px, py);

  self->number = sl_figure_row_number (self->figure, row);
}

void
sl_plot_rows_move (SlPlotCursor *self, int by)
{
  const SlFigure *figure = self->figure;
  long            at = sl_figure_row_of (figure, self->number);

  if (figure->rows.n == 0)
    return;
  if (at > 0)
    at = CLAMP (at + by, 1, (long) figure->rows.n);
  else
    at = MAX (sl_figure_row_of (figure, sl_figure_picked_row (figure)), 1);
  self->number = sl_figure_row_number (figure, (unsigned) at);
  self->curve = self->number - 1;
}

static void
add_value (const SlPlotCursor *self, GString *line, double value, const char *unit)
{
  char number[40];

  g_string_append (line, isfinite (value) ? sl_number_text (value, 4, number, sizeof number)
                                          : _ ("no value"));
  if (isfinite (value) && unit != NULL && *unit != '\0')
    g_string_append_printf (line, "\302\240%s", unit);
  if (value == 0.0 && self->figure->colours.zero != NULL)
    g_string_append_printf (line, " (%s)", self->figure->colours.zero);
}

/* "expert 7: 0.43". */
static void
add_row (const SlPlotCursor *self, GString *markup, unsigned row, double value)
{
  const SlCurve *curve = &self->figure->curve[self->figure->rows.curve[row]];
  g_autoptr (GString) line = g_string_new (NULL);
  char name[SL_CURVE_TITLE];

  name_row (self, self->figure->rows.curve[row] + 1, name, sizeof name);
  g_string_append_printf (line, "%s: ", name);
  add_value (self, line, value, curve->unit);
  sl_plot_reading_add_line (markup, line->str);
}

/* The sample of a row whose cell is at x, of at least one. */
static size_t
sample_at (const SlPoints *points, double x)
{
  size_t i = MIN (sl_points_find (points, x, 0), points->n - 1);

  return i > 0 && x - points->x[i - 1] <= points->x[i] - x ? i - 1 : i;
}

double
sl_plot_rows_place (const SlPlotCursor *self)
{
  const SlFigure *figure = self->figure;
  unsigned        at = MAX (sl_figure_row_of (figure, self->number), 1);
  SlPoints        points;

  if (at > figure->rows.n)
    return self->at;
  points = sl_points_of_curve (&figure->curve[figure->rows.curve[at - 1]]);
  return points.n > 0 ? points.x[sample_at (&points, self->at)] : self->at;
}

/* From half-way to the sample before to half-way to the next, as it is drawn; but to be seen. */
static SlRect
cell_of (const SlFigure *figure, const SlFrame *frame, const SlPoints *points, size_t i,
         unsigned row)
{
  enum { LEAST = 3 };
  double height = frame->plot.h / figure->rows.n, x = points->x[i];
  double before = i > 0 ? (points->x[i - 1] + x) / 2.0 : x;
  double after = i + 1 < points->n ? (x + points->x[i + 1]) / 2.0 : x;
  double left = MAX (sl_frame_x (frame, before), frame->plot.x), right = sl_frame_x (frame, after);

  if (!(right - left >= LEAST))
    {
      left = sl_frame_x (frame, x) - LEAST / 2.0;
      right = left + LEAST;
    }
  return (SlRect) { left, frame->plot.y + height * row, right - left, height };
}

static void
read_history (const SlPlotCursor *self, GString *markup, SlMarks *marks, const SlCellMean *mean)
{
  const SlFigure *figure = self->figure;
  unsigned        at = sl_figure_row_of (figure, self->number);
  SlPoints        points;
  size_t          i;

  if (at == 0)
    return;
  points = sl_points_of_curve (&figure->curve[figure->rows.curve[at - 1]]);
  i = points.n > 0 ? sample_at (&points, self->at) : 0;
  marks->boxed = points.n > 0 && !isnan (mean[at - 1].mean);
  add_row (self, markup, at - 1, marks->boxed ? points.y[i] : mean[at - 1].mean);
  if (marks->boxed)
    marks->box = cell_of (figure, sl_plot_view_get_frame (self->view), &points, i, at - 1);
}

static void
add_share (const SlPlotCursor *self, GString *markup, unsigned row, double share)
{
  unsigned curve = self->figure->rows.curve[row];
  SlRgba   colour = sl_rows_colour (
      self->figure, sl_plot_canvas_get_theme (sl_plot_view_get_canvas (self->view)), curve);
  char             name[SL_CURVE_TITLE], number[40];
  gboolean         bold = self->number == curve + 1;
  g_autofree char *line = NULL;

  name_row (self, curve + 1, name, sizeof name);
  line = g_markup_printf_escaped ("%s<span foreground=\"#%06x\">■</span> %s: %s\302\240%%",
                                  markup->len > 0 ? "\n" : "", sl_packed (colour) & 0xffffff, name,
                                  sl_number_text (100.0 * share, 3, number, sizeof number));
  if (bold)
    g_string_append_printf (markup, "<b>%s</b>", line);
  else
    g_string_append (markup, line);
}

/* All bands where they are few, else the one pointed at. */
static void
read_shares (const SlPlotCursor *self, GString *markup, SlMarks *marks, const SlCellMean *mean)
{
  const SlFigure *figure = self->figure;
  const SlFrame  *frame = sl_plot_view_get_frame (self->view);
  unsigned        at = sl_figure_row_of (figure, self->number);
  double          begin[SL_CURVES_MAX + 1];

  if (!sl_rows_stack (mean, figure->rows.n, 1, begin))
    return;
  for (unsigned r = 0; r < figure->rows.n; r++)
    if (figure->rows.n <= BANDS_MAX || r + 1 == at)
      add_share (self, markup, r, begin[r + 1] - begin[r]);
  if (at > 0)
    {
      marks->boxed = TRUE;
      marks->box = (SlRect) { marks->x - 3.0, frame->plot.y + frame->plot.h * begin[at - 1], 7.0,
                              frame->plot.h * (begin[at] - begin[at - 1]) };
    }
}

/* How the row at the cursor can be chosen. */
static void
add_hint (const SlPlotCursor *self, GString *markup)
{
  unsigned         number = number_at (self);
  char             name[SL_CURVE_TITLE];
  g_autofree char *line = NULL;

  if (!self->figure->picks.possible || number == 0 || number == sl_figure_picked_row (self->figure))
    return;
  name_row (self, number, name, sizeof name);
  line = g_strdup_printf (self->pinned ? _ ("Press Enter to select %s") : _ ("Click to select %s"),
                          name);
  sl_plot_reading_add_line (markup, line);
}

void
sl_plot_rows_read (const SlPlotCursor *self, GString *markup, SlMarks *marks)
{
  g_autofree SlCellMean *mean = g_new (SlCellMean, MAX (self->figure->rows.n, 1));

  if (self->figure->rows.n == 0)
    return;
  sl_rows_at (self->figure, self->at,
              sl_frame_pixel (sl_plot_view_get_frame (self->view), self->at), mean);
  if (self->figure->kind == SL_SHARES)
    read_shares (self, markup, marks, mean);
  else
    read_history (self, markup, marks, mean);
  add_hint (self, markup);
}

/* "expert 3", the number that the axis has or, where it has a range, the value in the middle. */
static void
add_index (GString *line, const SlAxis *axis, const char *fallback, unsigned i, unsigned n,
           unsigned number)
{
  const char *label = axis->label != NULL && *axis->label != '\0' ? axis->label : fallback;
  char        middle[40];

  if (axis->lo < axis->hi)
    g_string_append_printf (
      line, "%s %s%s%s", label,
      sl_number_text (axis->lo + (axis->hi - axis->lo) * (i + 0.5) / n, 4, middle, sizeof middle),
      axis->unit != NULL && *axis->unit != '\0' ? "\302\240" : "",
      axis->unit != NULL ? axis->unit : "");
  else
    g_string_append_printf (line, "%s %u", label, number);
}

/* "Picture, row 12, column 40: red 0.5, green 0.25, blue 0.1", or one value. */
static void
read_tile (const SlPlotCursor *self, GString *markup)
{
  const SlFigure   *figure = self->figure;
  const char *const colours[] = { _ ("red"), _ ("green"), _ ("blue") };
  g_autoptr (GString) line = g_string_new (NULL);
  char name[SL_FRAME_TEXT], number[40];

  if (sl_figure_column_name (figure, self->tile, name, sizeof name) && *name != '\0')
    g_string_append_printf (line, _ ("%s, row %u, column %u"), name, self->row + 1,
                            self->column + 1);
  else
    g_string_append_printf (line, _ ("tile %u, row %u, column %u"), self->tile + 1, self->row + 1,
                            self->column + 1);
  g_string_append (line, ": ");
  for (unsigned plane = 0; plane < figure->matrix.depth; plane++)
    {
      double value = sl_figure_cell (figure, self->tile, plane, self->row, self->column);

      /* A step of a file is 0.004: more digits say nothing. */
      if (sl_figure_coloured (figure) && isfinite (value))
        g_string_append_printf (line, "%s%s %s", plane > 0 ? ", " : "", colours[plane],
                                sl_number_text (value, 2, number, sizeof number));
      else if (plane == 0)
        add_value (self, line, value, figure->z.unit);
    }
  sl_plot_reading_add_line (markup, line->str);
}

void
sl_plot_rows_read_cell (const SlPlotCursor *self, GString *markup)
{
  const SlFigure *figure = self->figure;
  g_autoptr (GString) line = g_string_new (NULL);
  char name[SL_FRAME_TEXT], row[SL_CURVE_TITLE];

  if (figure->kind == SL_ALIVE)
    {
      g_autofree char *text
        = sl_plot_alive_text (figure, self->row, sl_plot_view_is_drawable (self->view));

      sl_plot_reading_add_line (markup, text);
    }
  else if (figure->kind == SL_IMAGE)
    read_tile (self, markup);
  else
    {
      if (named_row (figure, self->row, row, sizeof row))
        g_string_append (line, row);
      else
        add_index (line, &figure->y, _ ("row"), self->row, figure->matrix.rows,
                   sl_figure_first_element (figure, self->row + 1));
      g_string_append (line, ", ");
      if (sl_figure_column_name (figure, self->column, name, sizeof name))
        /* A number says nothing without what it counts. */
        g_string_append_printf (line, "%s%s%s", g_ascii_isdigit (*name) ? figure->x.label : "",
                                g_ascii_isdigit (*name) ? " " : "", name);
      else
        add_index (line, &figure->x, _ ("column"), self->column, figure->matrix.columns,
                   self->column + 1);
      g_string_append (line, ": ");
      add_value (self, line, sl_figure_cell (figure, 0, 0, self->row, self->column),
                 figure->z.unit);
      sl_plot_reading_add_line (markup, line->str);
    }
  add_hint (self, markup);
}
