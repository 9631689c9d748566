/* SPDX-License-Identifier: MIT
 *
 * Cells as pixels, the hatching of zeros, and the bar that tells which colour is which.  */
#include "plot/draw/cells.h"

#include <math.h>

#include "plot/draw/private.h"

void
sl_draw_pixels (const SlDrawing *d, const SlRect *place, uint32_t *pixels, unsigned columns,
                unsigned rows)
{
  cairo_surface_t *image = cairo_image_surface_create_for_data (
    (unsigned char *) pixels, CAIRO_FORMAT_ARGB32, (int) columns, (int) rows, 4 * (int) columns);

  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    d->canvas->image (d->canvas, place, image);
  cairo_surface_destroy (image);
}

void
sl_draw_cells (const SlDrawing *d, const double *value, unsigned rows, unsigned columns,
               SlRgba missing)
{
  SlCanvasCells cells
    = { "cells", value, rows, columns, &d->figure->colours.tint, d->theme, missing };

  sl_draw_begin_values (d);
  d->canvas->cells (d->canvas, &cells);
  d->canvas->end_axes (d->canvas);
}

/* All hatchings of a figure are parts of one: x + y = a multiple of the pitch. */
void
sl_draw_hatch (const SlDrawing *d, const SlRect *r, GArray *path)
{
  double pitch = sl_hatch_pitch (d->theme), right = r->x + r->w, bottom = r->y + r->h;

  for (double k = ceil ((r->x + r->y) / pitch) * pitch; k < right + bottom; k += pitch)
    {
      SlXY from = { MAX (r->x, k - bottom), 0.0 }, to = { MIN (right, k - r->y), 0.0 };

      from.y = k - from.x;
      to.y = k - to.x;
      if (to.x > from.x)
        g_array_append_vals (path, (SlXY[]) { from, to, { NAN, NAN } }, 3);
    }
}

void
sl_draw_hatching (const SlDrawing *d, GArray *path)
{
  SlRgba ink = sl_hatch_ink (sl_tint_colour (d->theme, &d->figure->colours.tint, 0.0));

  if (path->len == 0)
    return;
  sl_draw_group (d, "zeros", &d->frame->plot, 1.0);
  d->canvas->line (d->canvas, (SlXY *) (void *) path->data, path->len, ink,
                   sl_hatch_width (d->theme), NULL);
  sl_draw_end (d);
}

/* A pixel of an image in colour; clear where a number is missing. */
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

void
sl_draw_tile (const SlDrawing *d, unsigned tile, const SlRect *place)
{
  const SlFigure      *figure = d->figure;
  unsigned             columns = figure->matrix.columns;
  g_autofree uint32_t *pixels = g_new (uint32_t, (size_t) figure->matrix.rows * columns);

  for (unsigned r = 0; r < figure->matrix.rows; r++)
    for (unsigned c = 0; c < columns; c++)
      pixels[(size_t) r * columns + c]
        = sl_figure_coloured (figure)
            ? pixel_of (figure, tile, r, c)
            : sl_packed (sl_tint_colour (d->theme, &figure->colours.tint,
                                         sl_figure_cell (figure, tile, 0, r, c)));
  sl_draw_pixels (d, place, pixels, columns, figure->matrix.rows);
}

static void
draw_ramp (const SlDrawing *d)
{
  enum { STEPS = 64 };
  uint32_t pixels[STEPS];

  for (unsigned i = 0; i < STEPS; i++)
    pixels[i] = sl_packed (sl_tint_at (d->theme, &d->frame->tint, 1.0 - (i + 0.5) / STEPS));
  sl_draw_pixels (d, &d->frame->key, pixels, 1, STEPS);
}

static void
draw_key_zero (const SlDrawing *d)
{
  const SlRect *field = &d->frame->key_zero;
  SlRgba        colour = sl_tint_colour (d->theme, &d->frame->tint, 0.0);
  GArray       *path = g_array_new (FALSE, FALSE, sizeof (SlXY));

  d->canvas->rect (d->canvas, field, colour);
  sl_draw_hatch (d, field, path);
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
      half = sl_text_width (d->canvas->text, f->key_title, t->type, false) / 2.0;
      sl_draw_upright (d, f->key_title_x, MAX (f->key.y + f->key.h / 2.0, f->plot.y + half),
                       f->key_title, SL_ANCHOR_MIDDLE, t->ink);
    }
  sl_draw_end (d);
}
