/* SPDX-License-Identifier: MIT */
#include "ui/plot-view/cursor.h"

#include <math.h>

#include "plot/figure/reduce.h"
#include "ui/plot-view/alive.h"
#include "ui/plot-view/inside.h"
#include "ui/plot-view/rows.h"

static const double nowhere = (double) NAN;

void
sl_plot_cursor_init (SlPlotCursor *self, SlPlotView *view)
{
  self->view = view;
  self->figure = sl_plot_view_get_figure (view);
  self->at = nowhere;
}

gboolean
sl_plot_cursor_reads_cells (const SlPlotCursor *self)
{
  const SlFigureKind *kind = sl_figure_kind (self->figure);

  return !kind->values && !kind->rows;
}

gboolean
sl_plot_cursor_follows (const SlPlotCursor *self)
{
  return self->crosshair != NULL && sl_figure_kind (self->figure)->steps && !self->leads
         && isfinite (self->at);
}

/* Puts the crosshair at an x, here and, on time plots, everywhere.  One that another plot put there is
 * not taken away.  */
static void
put (SlPlotCursor *self, double at)
{
  gboolean shared = self->crosshair != NULL && sl_figure_kind (self->figure)->steps;

  if (shared && isnan (at) && !self->leads)
    at = sl_crosshair_get_step (self->crosshair);
  else
    self->leads = shared && !isnan (at);
  self->at = at;
  if (shared)
    sl_crosshair_set_step (self->crosshair, at);
  sl_plot_reading_show (self->view);
}

/* The crosshair of another plot moved. */
static void
on_moved (SlPlotCursor *self)
{
  double step = sl_crosshair_get_step (self->crosshair);

  if (!sl_figure_kind (self->figure)->steps || step == self->at
      || (isnan (step) && isnan (self->at)))
    return;
  self->at = step;
  self->leads = FALSE;
  if (isnan (step))
    self->pinned = FALSE;
  /* Plots that are folded away or scrolled off catch up when they are painted again, but they may come
   * back without being painted anew: a crosshair that is gone is gone there, too.  */
  if (gtk_widget_get_mapped (GTK_WIDGET (self->view))
      || (isnan (step) && sl_plot_reading_is_shown (self->view)))
    sl_plot_reading_show (self->view);
}

void
sl_plot_cursor_set_crosshair (SlPlotCursor *self, SlCrosshair *crosshair)
{
  if (self->crosshair != NULL)
    g_signal_handlers_disconnect_by_data (self->crosshair, self);
  g_set_object (&self->crosshair, crosshair);
  if (crosshair != NULL)
    g_signal_connect_swapped (crosshair, "moved", G_CALLBACK (on_moved), self);
}

void
sl_plot_cursor_hover (SlPlotCursor *self, double px, double py)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);
  double         value;

  sl_plot_view_catch_up (self->view);
  self->pinned = FALSE;
  self->flag = sl_frame_marker (frame, px, py);
  if (self->figure->kind == SL_ALIVE)
    {
      self->celled = sl_plot_alive_at (frame, self->figure, px, py, &self->row);
      self->tile = self->column = 0;
    }
  else if (sl_plot_cursor_reads_cells (self))
    self->celled
      = sl_frame_cell (frame, self->figure, px, py, &self->tile, &self->row, &self->column, &value);
  else if (sl_figure_kind (self->figure)->rows)
    sl_plot_rows_hover (self, px, py);
  put (self, sl_rect_contains (&frame->plot, px, py) ? sl_frame_value_x (frame, px) : nowhere);
}

void
sl_plot_cursor_leave (SlPlotCursor *self)
{
  self->flag = 0;
  if (self->pinned)
    return;
  self->celled = FALSE;
  self->number = 0;
  put (self, nowhere);
}

void
sl_plot_cursor_forget (SlPlotCursor *self)
{
  self->pinned = FALSE;
  sl_plot_reading_expire (self->view); /* A paused run would not bring the next one about. */
  sl_plot_cursor_leave (self);
}

void
sl_plot_cursor_clear (SlPlotCursor *self)
{
  self->leads = self->crosshair != NULL;
  sl_plot_cursor_forget (self);
}

/* The sample nearest to x, of at least one. */
static size_t
nearest (const SlPoints *points, double x)
{
  size_t i = MIN (sl_points_find (points, x, 0), points->n - 1);

  return i > 0 && x - points->x[i - 1] < points->x[i] - x ? i - 1 : i;
}

/* One sample on, or one pixel where a pixel holds several. */
static void
move_along (SlPlotCursor *self, int by)
{
  const SlFrame *frame = sl_plot_view_get_frame (self->view);
  SlPoints       points;
  size_t         i;
  double         x;

  if (self->figure->n_curves == 0)
    return;
  if (sl_figure_kind (self->figure)->rows && self->number == 0)
    sl_plot_rows_move (self, 0);
  self->curve = MIN (self->curve, self->figure->n_curves - 1);
  points = sl_points_of_curve (&self->figure->curve[self->curve]);
  if (points.n == 0)
    return;
  self->pinned = TRUE;
  if (sl_figure_kind (self->figure)->bars)
    {
      /* The middle of a category. */
      put (self, isnan (self->at) ? 0.5 : CLAMP (floor (self->at) + by, 0.0, points.n - 1.0) + 0.5);
      return;
    }
  if (isnan (self->at))
    {
      put (self, points.x[points.n - 1]);
      return;
    }
  x = self->at + by * sl_frame_pixel (frame, self->at);
  i = nearest (&points, self->at);
  if (by > 0 && points.x[nearest (&points, x)] <= points.x[i] && i + 1 < points.n)
    x = points.x[i + 1];
  else if (by < 0 && points.x[nearest (&points, x)] >= points.x[i] && i > 0)
    x = points.x[i - 1];
  else
    x = points.x[nearest (&points, x)];
  put (self, x);
}

/* To another example, or to another unit. */
static void
move_alive (SlPlotCursor *self, int columns, int rows)
{
  if (columns != 0)
    {
      g_signal_emit_by_name (self->view, "example", columns);
      return;
    }
  self->row = sl_plot_alive_next (sl_plot_view_get_frame (self->view), self->figure,
                                  self->celled ? self->row : 0, rows);
  self->tile = self->column = 0;
  self->celled = self->pinned = TRUE;
  sl_plot_reading_show (self->view);
}

static void
move_cell (SlPlotCursor *self, int columns, int rows)
{
  const SlFigure *figure = self->figure;
  long            column, row;

  if (sl_figure_empty (figure) || figure->matrix.rows == 0 || figure->matrix.columns == 0)
    return;
  if (figure->kind == SL_ALIVE)
    {
      move_alive (self, columns, rows);
      return;
    }
  if (figure->kind == SL_MAP)
    {
      /* From the middle, and across in some fifty steps however fine the cells are. */
      int step = MAX (1, (int) figure->matrix.rows / 48);

      columns *= step;
      rows *= step;
      if (!self->celled)
        self->row = self->column = figure->matrix.rows / 2;
      self->celled = TRUE;
    }
  if (figure->kind == SL_IMAGE)
    {
      columns *= MAX (1, (int) figure->matrix.columns / 32);
      rows *= MAX (1, (int) figure->matrix.rows / 32);
    }
  column = self->celled ? (long) self->column + columns : 0;
  row = self->celled ? (long) self->row + rows : 0;
  /* Past the edge of a tile comes the next tile. */
  if (column < 0 && self->tile > 0)
    self->tile--, column = figure->matrix.columns - 1;
  else if (column >= (long) figure->matrix.columns && self->tile + 1 < figure->matrix.tiles)
    self->tile++, column = 0;
  self->tile = MIN (self->tile, figure->matrix.tiles - 1);
  self->column = (unsigned) CLAMP (column, 0, (long) figure->matrix.columns - 1);
  self->row = (unsigned) CLAMP (row, 0, (long) figure->matrix.rows - 1);
  self->celled = self->pinned = TRUE;
  sl_plot_reading_show (self->view);
}

void
sl_plot_cursor_move (SlPlotCursor *self, int columns, int rows)
{
  sl_plot_view_catch_up (self->view);
  if (sl_plot_cursor_reads_cells (self))
    move_cell (self, columns, rows);
  else if (columns != 0)
    move_along (self, columns);
  else
    sl_plot_cursor_switch (self, rows);
}

gboolean
sl_plot_cursor_switch_off (SlPlotCursor *self)
{
  guint field, unit;

  if (self->figure->kind != SL_ALIVE || !self->celled
      || !sl_plot_alive_unit (self->figure, self->row, &field, &unit))
    return FALSE;
  g_signal_emit_by_name (self->view, "switch-off", field, unit);
  return TRUE;
}

void
sl_plot_cursor_switch (SlPlotCursor *self, int curves)
{
  long to = (long) self->curve + curves;

  sl_plot_view_catch_up (self->view);
  if (self->figure->n_curves == 0)
    return;
  if (sl_figure_kind (self->figure)->rows)
    {
      self->pinned = TRUE;
      sl_plot_rows_move (self, curves);
    }
  else
    self->curve = (unsigned) CLAMP (to, 0, (long) self->figure->n_curves - 1);
  if (isnan (self->at))
    move_along (self, 0);
  else
    sl_plot_reading_show (self->view);
}
