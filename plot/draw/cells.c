/* SPDX-License-Identifier: MIT
 *
 * Values as colours on a canvas: matrices, histories, and the bar that tells which colour is
 * which.  A cell that is exactly 0 is hatched where the panel has a word for that.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/draw/private.h"
#include "plot/figure/rows.h"

/* An image to be filled row by row, (height, stride); NULL when memory ran out. */
static uint32_t *
pixels_of (cairo_surface_t *image, size_t *stride)
{
  *stride = (size_t) cairo_image_surface_get_stride (image) / 4;
  return (uint32_t *) (void *) cairo_image_surface_get_data (image);
}

static void
put_image (const SlDrawing *d, const SlRect *place, cairo_surface_t *image)
{
  cairo_surface_mark_dirty (image);
  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    d->canvas->image (d->canvas, place, image);
  cairo_surface_destroy (image);
}

/* The lines of a hatching inside a rectangle, added to a path that lifts the pen at points that are
 * not numbers.  All hatchings of a figure are parts of one, x + y = a multiple of the pitch.  */
static void
hatch (const SlDrawing *d, const SlRect *r, GArray *path)
{
  double pitch = sl_hatch_pitch (d->theme), right = r->x + r->w, bottom = r->y + r->h;

  for (double k = ceil ((r->x + r->y) / pitch) * pitch; k < right + bottom; k += pitch)
    {
      SlXY from = { MAX (r->x, k - bottom), 0.0 }, to = { MIN (right, k - r->y), 0.0 };
      SlXY lift = { NAN, NAN };

      from.y = k - from.x;
      to.y = k - to.x;
      if (!(to.x > from.x))
        continue;
      g_array_append_val (path, from);
      g_array_append_val (path, to);
      g_array_append_val (path, lift);
    }
}

static void
draw_hatching (const SlDrawing *d, GArray *path)
{
  SlRgba ink = sl_hatch_ink (sl_tint_colour (d->theme, &d->figure->tint, 0.0));

  if (path->len == 0)
    return;
  sl_draw_group (d, "zeros", &d->frame->plot, 1.0);
  d->canvas->line (d->canvas, (SlXY *) (void *) path->data, path->len, ink,
                   sl_hatch_width (d->theme), NULL);
  sl_draw_end (d);
}

/* A pixel of a picture in colour; clear where a number is missing. */
static uint32_t
pixel_of (const SlFigure *figure, unsigned tile, unsigned row, unsigned column)
{
  uint32_t pixel = 0xff;

  for (unsigned plane = 0; plane < 3; plane++)
    {
      double value = sl_figure_cell (figure, tile, plane, row, column);

      if (!isfinite (value))
        return 0;
      pixel = pixel << 8 | (uint32_t) lround (255.0 * CLAMP (value, 0.0, 1.0));
    }
  return pixel;
}

static void
draw_tile (const SlDrawing *d, unsigned tile, const SlRect *place)
{
  const SlFigure  *figure = d->figure;
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) figure->columns, (int) figure->rows);
  size_t    stride;
  uint32_t *pixels = pixels_of (image, &stride);

  for (unsigned r = 0; pixels != NULL && r < figure->rows; r++)
    for (unsigned c = 0; c < figure->columns; c++)
      pixels[r * stride + c]
        = sl_figure_coloured (figure)
            ? pixel_of (figure, tile, r, c)
            : sl_packed (
              sl_tint_colour (d->theme, &figure->tint, sl_figure_cell (figure, tile, 0, r, c)));
  put_image (d, place, image);
}

static void
hatch_matrix (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlRect   *plot = &d->frame->plot;
  double          w = plot->w / figure->columns, h = plot->h / figure->rows;
  GArray         *path = g_array_new (FALSE, FALSE, sizeof (SlXY));

  for (unsigned i = 0; i < figure->rows * figure->columns; i++)
    if (figure->matrix[i] == 0.0)
      hatch (d,
             &(SlRect) { plot->x + w * (i % figure->columns), plot->y + h * (i / figure->columns),
                         w, h },
             path);
  draw_hatching (d, path);
  g_array_unref (path);
}

static void
draw_tiles (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  for (unsigned tile = 0; f->tiles_across > 0 && tile < d->figure->tiles; tile++)
    {
      SlRect place = sl_frame_tile (f, tile);

      draw_tile (d, tile, &place);
    }
}

/* Runs of zeros in one row, hatched as one. */
static void
hatch_row (const SlDrawing *d, const SlMean *mean, unsigned columns, const SlRect *row,
           GArray *path)
{
  double w = row->w / columns;

  for (unsigned from = 0, to; from < columns; from = to)
    {
      to = from + 1;
      if (!mean[from].zero)
        continue;
      while (to < columns && mean[to].zero)
        to++;
      hatch (d, &(SlRect) { row->x + from * w, row->y, (to - from) * w, row->h }, path);
    }
}

/* One column per px, as on the screen; gaps stay clear. */
static void
draw_history (const SlDrawing *d)
{
  const SlFigure    *figure = d->figure;
  const SlRect      *plot = &d->frame->plot;
  unsigned           columns = (unsigned) MAX (ceil (plot->w), 1.0), n = figure->n_rows;
  g_autofree double *edge = g_new (double, columns + 1);
  g_autofree SlMean *mean = g_new (SlMean, (size_t) MAX (n, 1) * columns);
  cairo_surface_t   *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) columns, (int) MAX (n, 1));
  GArray   *path = g_array_new (FALSE, FALSE, sizeof (SlXY));
  size_t    stride;
  uint32_t *pixels = pixels_of (image, &stride);

  sl_edges (&d->frame->x, columns, edge);
  sl_rows_means (figure, edge, columns, mean);
  for (unsigned r = 0; pixels != NULL && r < n; r++)
    {
      SlRect        row = { plot->x, plot->y + plot->h * r / n, plot->w, plot->h / n };
      const SlMean *at = mean + (size_t) r * columns;

      for (unsigned c = 0; c < columns; c++)
        pixels[r * stride + c]
          = isnan (at[c].mean) ? 0
                               : sl_packed (sl_tint_colour (d->theme, &figure->tint, at[c].mean));
      if (figure->zero != NULL)
        hatch_row (d, at, columns, &row, path);
    }
  put_image (d, plot, image);
  draw_hatching (d, path);
  g_array_unref (path);
}

void
sl_draw_cells (const SlDrawing *d)
{
  sl_draw_group (d, "cells", NULL, 1.0);
  if (d->frame->kind == SL_HISTORY)
    draw_history (d);
  else if (d->frame->kind == SL_IMAGE)
    draw_tiles (d);
  else
    {
      draw_tile (d, 0, &d->frame->plot);
      if (d->figure->zero != NULL)
        hatch_matrix (d);
    }
  sl_draw_end (d);
}

void
sl_draw_captions (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         ascent, descent, size = d->theme->type;
  char           name[SL_FRAME_TEXT];

  if (f->caption == 0.0 || f->tiles_across == 0)
    return;
  sl_text_metrics (d->canvas->text, size, &ascent, &descent);
  sl_draw_group (d, "captions", NULL, 1.0);
  for (unsigned tile = 0;
       tile < d->figure->tiles && sl_figure_column_name (d->figure, tile, name, sizeof name);
       tile++)
    {
      SlRect place = sl_frame_tile (f, tile);
      double y = place.y + place.h + ascent + 1.0;
      g_auto (GStrv) line = NULL;

      sl_frame_shorten (d->canvas->text, name, size, place.w);
      line = sl_text_wrap (d->canvas->text, name, size, place.w, f->caption_lines);
      for (unsigned i = 0; line[i] != NULL; i++)
        sl_draw_words (d, place.x + place.w / 2.0, y + i * (f->caption - 1.0) / f->caption_lines,
                       line[i], size, false, SL_ANCHOR_MIDDLE, d->theme->ink);
    }
  sl_draw_end (d);
}

static void
draw_ramp (const SlDrawing *d)
{
  enum { STEPS = 64 };
  cairo_surface_t *ramp = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1, STEPS);
  size_t           stride;
  uint32_t        *pixels = pixels_of (ramp, &stride);

  for (unsigned i = 0; pixels != NULL && i < STEPS; i++)
    pixels[i * stride]
      = sl_packed (sl_tint_at (d->theme, &d->frame->tint, 1.0 - (i + 0.5) / STEPS));
  put_image (d, &d->frame->key, ramp);
}

static void
draw_key_zero (const SlDrawing *d)
{
  const SlRect *field = &d->frame->key_zero;
  SlRgba        colour = sl_tint_colour (d->theme, &d->frame->tint, 0.0);
  GArray       *path = g_array_new (FALSE, FALSE, sizeof (SlXY));

  d->canvas->rect (d->canvas, field, colour);
  hatch (d, field, path);
  d->canvas->line (d->canvas, (SlXY *) (void *) path->data, path->len, sl_hatch_ink (colour),
                   sl_hatch_width (d->theme), NULL);
  g_array_unref (path);
  sl_draw_words (d, field->x + field->w + 4.0, field->y + 0.5 * field->h + 0.35 * d->theme->type,
                 d->frame->key_zero_text, d->theme->type, false, SL_ANCHOR_START, d->theme->soft);
}

void
sl_draw_key (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  const SlTheme *t = d->theme;
  double         right = f->key.x + f->key.w, half;

  if (f->key.w == 0.0)
    return;
  sl_draw_group (d, "key", NULL, 1.0);
  draw_ramp (d);
  /* No tick lines here: before a number they would read as a minus sign. */
  for (unsigned i = 0; i < f->n_key_ticks; i++)
    sl_draw_words (d, right + 4.0,
                   CLAMP (f->key_at[i] + 0.35 * t->type, f->key.y + 0.6 * t->type,
                          f->key.y + f->key.h + 0.1 * t->type),
                   f->key_tick[i].label, t->type, false, SL_ANCHOR_START, t->soft);
  if (f->key_zero.w > 0.0)
    draw_key_zero (d);
  if (f->key_title[0] != '\0')
    {
      SlLettering lettering
        = { .size = t->type, .upwards = true, .anchor = SL_ANCHOR_MIDDLE, .colour = t->ink };

      half = sl_text_width (d->canvas->text, f->key_title, t->type, false) / 2.0;
      d->canvas->words (d->canvas, f->key_title_x,
                        MAX (f->key.y + f->key.h / 2.0, f->plot.y + half), f->key_title,
                        &lettering);
    }
  sl_draw_end (d);
}

void
sl_draw_numbers (const SlDrawing *d)
{
  const SlFigure *figure = d->figure;
  const SlFrame  *f = d->frame;
  double          w = f->plot.w / figure->columns, h = f->plot.h / figure->rows;
  double          size = 0.9 * d->theme->type;
  SlRgba          black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };
  char            label[32];

  if (w < 2.0 * size || h < 1.6 * size)
    return;
  for (unsigned i = 0; i < figure->rows * figure->columns; i++)
    {
      sl_number_text (figure->matrix[i], 2, label, sizeof label);
      if (isfinite (figure->matrix[i])
          && sl_text_width (d->canvas->text, label, size, false) > w - 4.0)
        return;
    }
  sl_draw_group (d, "numbers", NULL, 1.0);
  for (unsigned i = 0; i < figure->rows * figure->columns; i++)
    {
      SlRgba cell = sl_tint_colour (d->theme, &figure->tint, figure->matrix[i]);

      /* What is hatched needs no number, and would be hard to read. */
      if (!isfinite (figure->matrix[i]) || (figure->zero != NULL && figure->matrix[i] == 0.0))
        continue;
      sl_number_text (figure->matrix[i], 2, label, sizeof label);
      sl_draw_words (d, f->plot.x + w * (i % figure->columns + 0.5),
                     f->plot.y + h * (i / figure->columns + 0.5) + 0.36 * size, label, size, false,
                     SL_ANCHOR_MIDDLE,
                     sl_contrast (cell, black) > sl_contrast (cell, white) ? black : white);
    }
  sl_draw_end (d);
}

void
sl_draw_picked (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  unsigned       n = f->kind == SL_HISTORY ? d->figure->n_rows : d->figure->rows;
  double         top = f->plot.y + f->plot.h * (f->picked - 1.0) / MAX (n, 1);
  double         bottom = f->plot.y + f->plot.h * f->picked / MAX (n, 1), width = sl_draw_hair (d);

  if (f->picked == 0 || f->picked > n)
    return;
  sl_draw_group (d, "picked", &f->plot, 1.0);
  for (unsigned i = 0; i < 2; i++)
    {
      double at = sl_draw_sharp (d, i == 0 ? top : bottom - width);

      sl_draw_segment (d, f->plot.x, at, f->plot.x + f->plot.w, at, d->theme->plot, 3.0 * width,
                       NULL);
      sl_draw_segment (d, f->plot.x, at, f->plot.x + f->plot.w, at, d->theme->ink, width, NULL);
    }
  sl_draw_end (d);
}
