/* SPDX-License-Identifier: MIT
 *
 * A matrix of values as colours, with numbers where they fit and lines that lie on the cells.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/cells.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/laying.h"
#include "plot/screen/cells.h"

static unsigned
count (const SlFigure *figure)
{
  return figure->matrix.rows;
}

static void
take (SlFigure *figure, const SlRecord *record, const SlSnapshot *snapshot)
{
  sl_panel_take_matrix (figure, record, snapshot);
  sl_panel_take_curves (figure, record, snapshot);
  if (snapshot->left < snapshot->right)
    {
      figure->x.lo = snapshot->left;
      figure->x.hi = snapshot->right;
    }
}

static bool
fit_x (const SlFigure *figure, SlRange *range)
{
  *range = sl_kind_axis (&figure->x, figure->matrix.columns);
  return true;
}

static bool
fit_y (const SlFigure *figure, SlRange *range)
{
  *range = sl_kind_axis (&figure->y, figure->matrix.rows);
  return true;
}

/* Type in which the columns of a text have their letters side by side, all of them, since a letter
 * says little without its neighbours; 0 where the names are no letters or could not be read.  */
static double
letter_type (const SlLaying *job, double pitch)
{
  double widest = 0.0, type = job->theme->type, fits;
  char   name[SL_FRAME_TEXT];

  for (unsigned i = 0; sl_figure_column_name (job->figure, i, name, sizeof name); i++)
    {
      if (g_utf8_strlen (name, -1) > 1)
        return 0.0;
      widest = MAX (widest, sl_text_width (job->text, name, type, false));
    }
  /* The widest may touch: most letters are narrower. */
  fits = 1.15 * pitch / MAX (widest, 1.0);
  return job->figure->matrix.columns <= SL_TICKS_MAX && fits >= 0.7 ? type * MIN (fits, 1.0) : 0.0;
}

/* px that the names of the columns need when they stand upright, 0 when they fit side by side (or
 * there are none).  */
static double
tall_names (const SlLaying *job, double width, double height)
{
  const SlFigure *figure = job->figure;
  double          longest = 0.0, type = job->theme->type;
  char            name[SL_FRAME_TEXT];

  for (unsigned i = 0; sl_figure_column_name (figure, i, name, sizeof name); i++)
    longest = MAX (longest, sl_text_width (job->text, name, type, false));
  if (longest == 0.0 || longest <= width / MAX (figure->matrix.columns, 1) - 0.4 * type
      || letter_type (job, 0.93 * width / MAX (figure->matrix.columns, 1)) > 0.0)
    return 0.0;
  return MIN (longest, MAX (0.3 * height, 2.0 * type)) + 2.0;
}

/* Names under the columns of a heat map, lying or upright, none cut by its neighbour. */
static void
lay_names (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  const SlMatrix *m = &figure->matrix;
  double          pitch = frame->plot.w / m->columns, type = job->theme->type;
  unsigned every = job->tall > 0.0 ? (unsigned) ceil (1.05 * job->line / MAX (pitch, 0.1)) : 1;
  double   room = job->tall > 0.0 ? job->tall : pitch - 0.3 * type;
  double   letters = job->tall > 0.0 ? 0.0 : letter_type (job, pitch);
  char     name[SL_FRAME_TEXT];

  frame->upright = job->tall > 0.0;
  if (letters > 0.0)
    {
      frame->x_type = type = letters;
      room = HUGE_VAL;
    }
  every = MAX (every, (m->columns + SL_TICKS_MAX - 1) / SL_TICKS_MAX);
  for (unsigned i = 0; i < m->columns && frame->n_x_ticks < SL_TICKS_MAX; i += every)
    {
      SlTick *tick = &frame->x_tick[frame->n_x_ticks];

      if (!sl_figure_column_name (figure, i, name, sizeof name))
        return;
      sl_text_ellipsise (job->text, name, type, false, room, tick->label, sizeof tick->label);
      tick->value = i + 1;
      frame->x_at[frame->n_x_ticks++] = frame->plot.x + (i + 0.5) * pitch;
    }
}

static void
prepare_layout (SlLaying *job, double width, double height)
{
  job->tall = tall_names (job, width - 12.0 * job->theme->type, height);
}

static void
lay_x (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;

  if (sl_matrix_named (&figure->matrix))
    lay_names (job, frame);
  else
    sl_lay_numbers (job, frame, figure->integer_x || !(figure->x.lo < figure->x.hi));
}

static void
hatch_matrix (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlMatrix *m = &figure->matrix;
  const SlRect   *plot = &d->frame->plot;
  double          w = plot->w / m->columns, h = plot->h / m->rows;
  GArray         *path = g_array_new (FALSE, FALSE, sizeof (SlXY));

  for (unsigned i = 0; i < m->rows * m->columns; i++)
    if (m->cell[i] == 0.0)
      sl_draw_hatch (
        d, &(SlRect) { plot->x + w * (i % m->columns), plot->y + h * (i / m->columns), w, h },
        path);
  sl_draw_hatching (d, path);
  g_array_unref (path);
}

static void
draw (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlMatrix *m = &figure->matrix;

  sl_draw_group (d, "cells", NULL, 1.0);
  if (sl_draw_by_values (d))
    sl_draw_cells (d, m->cell, m->rows, m->columns,
                   sl_tint_colour (d->theme, &figure->colours.tint, NAN));
  else
    sl_draw_tile (d, 0, &d->frame->plot);
  if (figure->colours.zero != NULL)
    hatch_matrix (d);
  sl_draw_end (d);
}

/* Numbers in the cells, if all of them fit. */
static void
draw_numbers (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlMatrix *m = &figure->matrix;
  const SlFrame  *f = d->frame;
  double          w = f->plot.w / m->columns, h = f->plot.h / m->rows;
  double          size = 0.9 * d->theme->type;
  char            label[32];

  if (w < 2.0 * size || h < 1.6 * size)
    return;
  for (unsigned i = 0; i < m->rows * m->columns; i++)
    {
      sl_number_text (m->cell[i], 2, label, sizeof label);
      if (isfinite (m->cell[i]) && sl_text_width (d->canvas->text, label, size, false) > w - 4.0)
        return;
    }
  sl_draw_group (d, "numbers", NULL, 1.0);
  for (unsigned i = 0; i < m->rows * m->columns; i++)
    {
      SlRgba cell = sl_tint_colour (d->theme, &figure->colours.tint, m->cell[i]);

      /* What is hatched needs no number, and would be hard to read. */
      if (!isfinite (m->cell[i]) || (figure->colours.zero != NULL && m->cell[i] == 0.0))
        continue;
      sl_number_text (m->cell[i], 2, label, sizeof label);
      sl_draw_words (d, f->plot.x + w * (i % m->columns + 0.5),
                     f->plot.y + h * (i / m->columns + 0.5) + 0.36 * size, label, size, false,
                     SL_ANCHOR_MIDDLE, sl_ink_on (cell));
    }
  sl_draw_end (d);
}

/* A line on a clear one that is wider, so that it stands off cells of any colour. */
static void
draw_haloed (const SlDrawing *d, const SlXY *points, size_t n, double width)
{
  d->canvas->line (d->canvas, points, n, d->theme->plot, 2.4 * width, NULL);
  d->canvas->line (d->canvas, points, n, d->theme->ink, width, NULL);
}

/* Draws all points in their order: a line over cells may go in any direction. */
static void
draw_line (const SlDrawing *d, const SlCurve *curve)
{
  const SlFrame   *f = d->frame;
  g_autofree SlXY *point = g_new (SlXY, MAX (curve->n, 1));
  SlPen            pen = sl_curve_pen (d->theme, curve);

  for (size_t i = 0; i < curve->n; i++)
    {
      point[i] = (SlXY) { NAN, NAN };
      if (isfinite (curve->x[i]) && isfinite (curve->y[i]))
        point[i] = (SlXY) { sl_frame_x (f, curve->x[i]), sl_frame_y (f, curve->y[i]) };
    }
  sl_draw_group (d, curve->id, NULL, 1.0);
  draw_haloed (d, point, curve->n, pen.width);
  sl_draw_end (d);
}

/* Lines over the cells, and the mark. */
static void
draw_lines (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double at = sl_draw_sharp (d, f->mark), stub = MIN (1.2 * d->theme->type, 0.1 * f->plot.h);
  double bottom = f->plot.y + f->plot.h;
  /* Only at both ends: the cells under the mark are often those that matter. */
  SlXY mark[5] = {
    { at, f->plot.y }, { at, f->plot.y + stub }, { NAN, NAN }, { at, bottom - stub }, { at, bottom }
  };

  sl_draw_group (d, "lines", &f->plot, 1.0);
  for (unsigned c = 0; c < d->figure->n_curves; c++)
    if (!d->figure->curve[c].hidden && d->figure->curve[c].series == NULL)
      draw_line (d, &d->figure->curve[c]);
  if (isfinite (f->mark))
    draw_haloed (d, mark, 5, 1.3 * sl_draw_hair (d));
  sl_draw_end (d);
}

static void
draw_over (const SlDrawing *d)
{
  draw_numbers (d);
  draw_lines (d);
}

static void
raster (const SlScreen *screen)
{
  SlShades shades;

  sl_shades_init (&shades, screen);
  sl_raster_tile (screen, &shades, 0, &screen->frame->plot);
  sl_shades_clear (&shades);
}

/* clang-format off */
const SlFigureKind sl_kind_heatmap = {
  .words = "a heat map",
  .axes = true, .row_axis = true, .linear_x = true, .cells = true, .tinted = true, .log_tint = true,
  .data_names = true,
  .legend_from = 1, /* lines are no part of the cells: even one has its name */
  .count = count, .empty = sl_matrix_empty, .take = take, .fit_x = fit_x, .fit_y = fit_y,
  .prepare_layout = prepare_layout, .lay_x = lay_x,
  .draw = draw, .draw_over = draw_over, .raster = raster,
};
/* clang-format on */
