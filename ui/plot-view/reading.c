/* SPDX-License-Identifier: MIT
 *
 * What a plot's cursor says: values, marks on the plot and words for assistive tools.  */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/base/language.h"
#include "ui/kit/number.h"
#include "ui/plot-view/map.h"
#include "ui/plot-view/private.h"
#include "ui/plot-view/rows.h"

enum { LINES_MAX = 12, LINES_MIN = 3, DESCRIBE_US = G_USEC_PER_SEC / 2 };

/* A number along x, rounded as the user would write it. */
static char *
place_text (const SlFigure *figure, double x)
{
  char number[32];

  if (figure->integer_x && x >= 0.0)
    return sl_grouped ((guint64) rint (x));
  return g_strdup (sl_number_text (x, 4, number, sizeof number));
}

/* Adds a reading; one at another place than the cursor's has its x behind it. */
static void
add_reading (SlPlotView *self, GString *markup, const SlReading *reading)
{
  const SlCurve *curve = &self->figure.curve[reading->curve];
  SlRgba         colour
    = sl_theme_curve (sl_plot_canvas_get_theme (self->layers.canvas), curve->slot, curve->style);
  char             text[256];
  g_autofree char *at = place_text (&self->figure, reading->x);
  g_autofree char *here = place_text (&self->figure, self->cursor.read);
  g_autofree char *elsewhere = sl_figure_kind (&self->figure)->bars || strcmp (at, here) == 0
                                 ? g_strdup ("")
                                 : g_strdup_printf (" (%s %s)", self->figure.x.label, at);
  g_autofree char *line = g_markup_printf_escaped (
    "<span foreground=\"#%02x%02x%02x\">■</span> %s%s", (unsigned) lroundf (colour.r * 255.0f),
    (unsigned) lroundf (colour.g * 255.0f), (unsigned) lroundf (colour.b * 255.0f),
    sl_reading_text (&self->figure, reading, text, sizeof text), elsewhere);

  g_string_append_printf (markup, "%s%s", markup->len > 0 ? "\n" : "", line);
}

void
sl_plot_reading_add_line (GString *markup, const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append_printf (markup, "%s%s", markup->len > 0 ? "\n" : "", escaped);
}

static void
add_flag (SlPlotView *self, GString *markup)
{
  for (unsigned i = 0; i < self->figure.flags.n; i++)
    if (self->figure.flags.at[i].number == self->cursor.flag)
      {
        g_autofree char *step = sl_grouped ((guint64) self->figure.flags.at[i].step);
        char             words[2 * SL_MESSAGE_SIZE];
        /* Translators: number and step of a flag, and what was changed: "⚑ 2 at 120: rank 9 → 5". */
        g_autofree char *text = g_strdup_printf (
          _ ("⚑ %u at %s: %s"), self->cursor.flag, step,
          sl_message_show (self->figure.flags.at[i].text, sl_words, words, sizeof words));

        sl_plot_reading_add_line (markup, text);
      }
}

/* "update 1 230" or, for bars, the category. */
static void
add_place (SlPlotView *self, GString *markup)
{
  const SlFigure *figure = &self->figure;

  if (sl_figure_kind (figure)->bars && figure->categories.name != NULL)
    {
      long i = (long) floor (self->cursor.at);

      if (i >= 0 && i < (long) figure->categories.n)
        sl_plot_reading_add_line (markup, sl_figure_words (figure, figure->categories.name[i]));
    }
  else
    {
      g_autofree char *at = place_text (figure, self->cursor.read);
      g_autofree char *text = g_strdup_printf ("%s %s%s%s", figure->x.label, at,
                                               *figure->x.unit != '\0' ? " " : "", figure->x.unit);

      sl_plot_reading_add_line (markup, text);
    }
}

/* The curve that the keys follow is read first, the others in their order. */
static void
put_followed_first (const SlPlotView *self, SlReading *readings, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    if (readings[i].curve == self->cursor.curve)
      {
        SlReading followed = readings[i];

        memmove (readings + 1, readings, i * sizeof *readings);
        readings[0] = followed;
        return;
      }
}

/* Where the values are that are read at the cursor: at the sample next to it, if there is one. */
static double
place_of (const SlPlotView *self, const SlReading *readings, unsigned n)
{
  double at = self->cursor.at, nearest = HUGE_VAL;

  if (sl_figure_kind (&self->figure)->bars)
    return at;
  if (sl_figure_kind (&self->figure)->rows)
    return sl_plot_rows_place (&self->cursor);
  for (unsigned i = 0; i < n; i++)
    if (fabs (readings[i].x - self->cursor.at) < nearest)
      {
        at = readings[i].x;
        nearest = fabs (at - self->cursor.at);
      }
  return at;
}

static gboolean
is_outside (const SlFigure *figure, double x)
{
  double lo, hi;

  return sl_figure_extent (figure, &lo, &hi) && (x < lo || x > hi);
}

/* Where another plot is read: the line alone, as values are said by that plot. */
static void
follow (SlPlotView *self, SlMarks *marks)
{
  const SlFrame *frame = sl_plot_view_get_frame (self);

  marks->crosshair
    = !sl_figure_empty (&self->figure) && !is_outside (&self->figure, self->cursor.at);
  marks->x = sl_frame_x (frame, self->cursor.at);
}

/* Under the pointer a small plot is told of its first curves alone, so that it stays in sight; by keys of all. */
static unsigned
most_lines (const SlPlotView *self)
{
  const double LINE = 1.4, SHARE = 0.55;
  double       type = sl_plot_canvas_get_theme (self->layers.canvas)->type;
  double       room = SHARE * sl_plot_view_get_frame ((SlPlotView *) self)->plot.h / (LINE * type);

  return self->cursor.pinned ? LINES_MAX : (unsigned) CLAMP (room - 1.0, LINES_MIN, LINES_MAX);
}

/* The first lines of a text of several. */
static void
keep_lines (GString *markup, unsigned n)
{
  const char *at = markup->str;

  while (at != NULL && n-- > 0)
    {
      at = strchr (at, '\n');
      at += at != NULL && n > 0;
    }
  if (at != NULL)
    g_string_truncate (markup, (gsize) (at - markup->str));
}

static void
read_curves (SlPlotView *self, GString *markup, SlMarks *marks)
{
  const SlFrame *frame = sl_plot_view_get_frame (self);
  SlReading      readings[SL_MARKS_MAX];
  unsigned       n = sl_figure_read (&self->figure, self->cursor.at,
                                     sl_frame_pixel (frame, self->cursor.at), readings, SL_MARKS_MAX);

  unsigned most = most_lines (self);

  put_followed_first (self, readings, n);
  self->cursor.read = place_of (self, readings, n);
  marks->x = sl_frame_x (frame, self->cursor.read);
  marks->crosshair = !sl_figure_kind (&self->figure)->bars;
  /* After a new run began, the cursor may be at an update that there is not yet. */
  if (n == 0 && is_outside (&self->figure, self->cursor.at) && sl_figure_kind (&self->figure)->steps
      && (!sl_figure_kind (&self->figure)->rows || sl_figure_empty (&self->figure)))
    return;
  add_place (self, markup);
  if (sl_figure_kind (&self->figure)->rows)
    {
      sl_plot_rows_read (&self->cursor, markup, marks);
      return;
    }
  if (sl_figure_kind (&self->figure)->bars)
    {
      marks->boxed = TRUE;
      marks->box = (SlRect) { frame->plot.x + floor (self->cursor.at) * frame->bar, frame->plot.y,
                              frame->bar, frame->plot.h };
    }
  for (unsigned i = 0; i < n; i++)
    {
      const SlCurve *curve = &self->figure.curve[readings[i].curve];
      double         value = isfinite (readings[i].smooth) ? readings[i].smooth : readings[i].value;

      if (i < most)
        add_reading (self, markup, &readings[i]);
      if (!isfinite (value) || sl_figure_kind (&self->figure)->bars)
        continue;
      marks->dot_x[marks->n_dots] = sl_frame_x (frame, readings[i].x);
      marks->dot_y[marks->n_dots] = sl_frame_y (frame, value);
      marks->dot[marks->n_dots++] = sl_theme_curve (sl_plot_canvas_get_theme (self->layers.canvas),
                                                    curve->slot, curve->style);
    }
  if (n > most && most == LINES_MAX)
    {
      g_autofree char *more = g_strdup_printf (_ ("… and %u more"), n - LINES_MAX);

      sl_plot_reading_add_line (markup, more);
    }
}

/* The rectangle of a cell, found again by asking the frame where it begins and ends. */
static SlRect
cell_rect (SlPlotView *self, const SlFrame *frame)
{
  const SlFigure *figure = &self->figure;

  if (figure->kind == SL_ALIVE)
    {
      SlRect place = { 0 };

      sl_alive_find (frame, figure, self->cursor.row + 1, &place);
      return place;
    }
  if (figure->kind == SL_IMAGE)
    {
      SlRect tile
        = frame->tiles.across > 0 ? sl_frame_tile (frame, self->cursor.tile) : frame->plot;
      double w = tile.w / figure->matrix.columns, h = tile.h / figure->matrix.rows;

      /* Of a large picture, a place that can be seen. */
      return (SlRect) { tile.x + self->cursor.column * w, tile.y + self->cursor.row * h,
                        MAX (w, 3.0), MAX (h, 3.0) };
    }
  return (SlRect) {
    frame->plot.x + self->cursor.column * frame->plot.w / figure->matrix.columns,
    frame->plot.y + self->cursor.row * frame->plot.h / figure->matrix.rows,
    frame->plot.w / figure->matrix.columns,
    frame->plot.h / figure->matrix.rows,
  };
}

static void
read_cell (SlPlotView *self, GString *markup, SlMarks *marks)
{
  const SlFigure *figure = &self->figure;

  if (figure->matrix.cell == NULL || sl_figure_empty (figure)
      || self->cursor.tile >= figure->matrix.tiles || self->cursor.row >= figure->matrix.rows
      || self->cursor.column >= figure->matrix.columns)
    return;
  sl_plot_rows_read_cell (&self->cursor, markup);
  marks->boxed = TRUE;
  marks->box = cell_rect (self, sl_plot_view_get_frame (self));
  marks->x = marks->box.x;
}

/* Adds the captions of pictures. */
static void
add_names (SlPlotView *self, GString *out)
{
  const SlFigure *figure = &self->figure;
  unsigned        n = figure->matrix.tiles;
  char            name[SL_FRAME_TEXT];

  if (figure->kind != SL_IMAGE)
    return;
  for (unsigned i = 0;
       i < MIN (n, LINES_MAX) && sl_figure_column_name (figure, i, name, sizeof name); i++)
    g_string_append_printf (out, "%s%s", out->len > 0 ? "; " : "", name);
}

/* Assistive tools get the text of the cursor at once, and otherwise at most twice a second the
 * values of the curves.  */
static void
describe (SlPlotView *self, const char *text)
{
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GString) latest = NULL;
  double lo, hi;

  if (*text == '\0')
    {
      if (now - self->described < DESCRIBE_US)
        return;
      latest = g_string_new (self->figure.note);
      if (!sl_plot_cursor_reads_cells (&self->cursor) && sl_figure_extent (&self->figure, &lo, &hi))
        {
          SlReading readings[SL_MARKS_MAX];
          unsigned  n = sl_figure_read (&self->figure, hi, 0.0, readings, SL_MARKS_MAX);
          char      line[256];

          put_followed_first (self, readings, n);
          for (unsigned i = 0; i < MIN (n, LINES_MAX); i++)
            g_string_append_printf (
              latest, "%s%s", latest->len > 0 ? "; " : "",
              sl_reading_text (&self->figure, &readings[i], line, sizeof line));
        }
      add_names (self, latest);
      sl_plot_notes_describe (&self->notes, latest);
      if (sl_figure_empty (&self->figure))
        g_string_assign (latest,
                         *self->figure.note != '\0' ? self->figure.note : _ ("No data yet"));
      text = latest->str;
      sl_plot_alive_speak (GTK_WIDGET (self), self->spoken, sl_plot_view_get_frame (self),
                           &self->figure);
    }
  self->described = now;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

void
sl_plot_reading_expire (SlPlotView *self)
{
  self->described = 0;
}

void
sl_plot_reading_show (SlPlotView *self)
{
  const SlFrame *frame = sl_plot_view_get_frame (self);
  const SlTheme *theme = sl_plot_canvas_get_theme (self->layers.canvas);
  g_autoptr (GString) markup = g_string_new (NULL);
  SlMarks     marks = { .plot = frame->plot, .ink = theme->ink };
  const char *chosen = NULL;

  sl_plot_view_catch_up (self);
  if (self->cursor.flag != 0)
    add_flag (self, markup);
  if (self->figure.kind == SL_MAP)
    sl_plot_brush_mark (&self->brush, &marks);
  if (self->figure.kind == SL_MAP && self->cursor.celled)
    {
      sl_plot_map_read (&self->cursor, markup, &marks);
      keep_lines (markup, most_lines (self));
    }
  else if (sl_plot_cursor_reads_cells (&self->cursor) && self->cursor.celled)
    read_cell (self, markup, &marks);
  else if (!sl_plot_cursor_reads_cells (&self->cursor) && isfinite (self->cursor.at)
           && frame->plot.w > 0 && !frame->empty)
    {
      if (sl_plot_cursor_follows (&self->cursor))
        follow (self, &marks);
      else
        read_curves (self, markup, &marks);
    }
  if (self->notes.chosen > 0)
    chosen = sl_plot_notes_mark (&self->notes, &marks);
  if (self->pointer.selecting)
    {
      marks.boxed = TRUE;
      marks.box = self->pointer.selection;
    }
  sl_plot_overlay_set_marks (self->layers.overlay, &marks);
  gtk_label_set_markup (self->layers.readout, markup->str);
  gtk_widget_set_visible (GTK_WIDGET (self->layers.readout), markup->len > 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  describe (self, chosen != NULL ? chosen : gtk_label_get_text (self->layers.readout));
}

gboolean
sl_plot_reading_is_shown (SlPlotView *self)
{
  return sl_plot_overlay_get_marks (self->layers.overlay)->crosshair
         || gtk_widget_get_visible (GTK_WIDGET (self->layers.readout));
}

/* How much the readout would hide at a place: curves, the crosshair, values that are read. */
static unsigned
hidden_by (SlPlotView *self, const SlRect *rect)
{
  enum { ON_CROSSHAIR = 1000, ON_DOT = 10000 };
  const SlMarks *marks = sl_plot_overlay_get_marks (self->layers.overlay);
  unsigned       hidden = sl_frame_hidden (sl_plot_view_get_frame (self), &self->figure, rect);

  if (marks->crosshair && marks->x >= rect->x && marks->x <= rect->x + rect->w)
    hidden += ON_CROSSHAIR;
  for (unsigned i = 0; i < marks->n_dots; i++)
    if (sl_rect_contains (rect, marks->dot_x[i], marks->dot_y[i]))
      hidden += ON_DOT;
  if (marks->boxed
      && sl_rect_contains (rect, marks->box.x + marks->box.w / 2.0,
                           marks->box.y + marks->box.h / 2.0))
    hidden += ON_DOT;
  return hidden;
}

/* The readout is where it hides least of the curves: at best in a corner away from the crosshair and at
 * the top, else beside the crosshair, over the legend, whose names it has, or at another height.  */
void
sl_plot_reading_place (SlPlotView *self)
{
  enum { GAP = 4, COLUMNS = 4, OVER = 2, ROWS = 8 };
  const SlMarks *marks = sl_plot_overlay_get_marks (self->layers.overlay);
  const SlRect  *plot = &marks->plot;
  GtkRequisition size;
  SlRect         best = { 0 };
  unsigned       least = 0;
  gboolean       left = marks->x >= plot->x + plot->w / 2.0, low;
  double         x[COLUMNS], foot;

  if (!sl_plot_layers_measure_readout (&self->layers, plot->w - 2 * GAP, &size))
    return;
  /* Below what decides there is only the legend. */
  low = self->figure.kind == SL_ALIVE
        || (self->figure.kind == SL_MAP && marks->y < plot->y + plot->h / 2.0);
  x[left ? 0 : 1] = plot->x + GAP;
  x[left ? 1 : 0] = MAX (plot->x + plot->w - size.width - GAP, plot->x);
  x[left ? 2 : 3] = CLAMP (marks->x - size.width - 2 * GAP, plot->x, MAX (x[0], x[1]));
  x[left ? 3 : 2] = CLAMP (marks->x + 2 * GAP, plot->x, MAX (x[0], x[1]));
  foot = MAX (plot->h - size.height - 2 * GAP, 0.0);
  for (unsigned place = 0; place < COLUMNS * ROWS; place++)
    {
      /* The upper and the lower edge, above the plot, then what is between the edges. */
      unsigned row = place / COLUMNS;
      double   down = row < OVER ? row : (double) (row - OVER) / (ROWS - OVER);
      SlRect   rect = { x[place % COLUMNS], plot->y + GAP + foot * (low ? 1.0 - down : down),
                        size.width, size.height };
      unsigned hidden;

      if (row == OVER)
        rect.y = MAX (plot->y - size.height, 0.0);
      hidden = hidden_by (self, &rect);
      if (place > 0 && hidden >= least)
        continue;
      least = hidden;
      best = rect;
    }
  sl_plot_layers_put_readout (&self->layers, &size, best.x, best.y);
}
