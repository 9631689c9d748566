/* SPDX-License-Identifier: MIT
 *
 * Tiles of pixels, grey or in colour, with names below them.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/draw/cells.h"
#include "plot/figure/panel.h"
#include "plot/kinds/kinds.h"
#include "plot/layout/laying.h"
#include "plot/screen/cells.h"

enum { CAPTION_LINES = 2 };

/* px of a cell when so many tiles are side by side. */
static double
cell_size (const SlMatrix *m, const SlRect *area, const SlFrameTiles *t, unsigned across)
{
  unsigned down = (m->tiles + across - 1) / across;

  return MIN ((area->w - t->gap * (across - 1)) / ((double) across * m->columns),
              (area->h - t->gap * (down - 1) - t->caption * down) / ((double) down * m->rows));
}

/* As the figure says or, on a page of another shape, with rows as columns. */
static double
arrange_table (const SlMatrix *m, const SlRect *area, SlFrameTiles *t)
{
  unsigned across = MIN (m->across, m->tiles);
  unsigned down = (m->tiles + across - 1) / across;
  double   upright = cell_size (m, area, t, across);
  double   turned = cell_size (m, area, t, down);

  t->turned = across * down == m->tiles && turned > 1.2 * upright;
  t->across = t->turned ? down : across;
  t->down = t->turned ? across : down;
  return t->turned ? turned : upright;
}

/* The arrangement that makes the tiles largest or, where it costs little, one that leaves fewer
 * places of the last row empty; returns px of a cell, 0 where nothing fits.  */
static double
arrange_tiles (const SlMatrix *m, const SlRect *area, SlFrameTiles *t)
{
  double   largest = 0.0, best = 0.0;
  unsigned fewest = G_MAXUINT;

  if (m->across > 0)
    return arrange_table (m, area, t);
  for (unsigned across = 1; across <= m->tiles; across++)
    largest = MAX (largest, cell_size (m, area, t, across));
  for (unsigned across = 1; across <= m->tiles; across++)
    {
      unsigned down = (m->tiles + across - 1) / across, empty = across * down - m->tiles;
      double   cell = cell_size (m, area, t, across);

      if (!(cell >= 0.88 * largest) || !(cell > 0.0) || empty > fewest
          || (empty == fewest && cell <= best))
        continue;
      fewest = empty;
      best = cell;
      t->across = across;
      t->down = down;
    }
  return best;
}

/* The first of a few images in colour is the main one: it is at the left and the others are in a
 * column beside it, where that makes it much larger.  */
static bool
lay_leading (const SlFigure *figure, SlFrame *frame, double alike)
{
  enum { FEW = 4 };
  const SlMatrix *m = &figure->matrix;
  SlRect         *area = &frame->plot;
  SlFrameTiles   *t = &frame->tiles;
  double          ratio = (double) m->columns / m->rows, others = m->tiles - 1.0;
  double          between = (others - 1.0) * (t->caption + t->gap), h, side;

  if (!sl_figure_coloured (figure) || m->tiles < 2 || m->tiles > FEW || m->across > 0 || m->alike)
    return false;
  h = MIN (area->h - t->caption,
           (area->w - t->gap + ratio * between / others) / (ratio * (1.0 + 1.0 / others)));
  side = (h - between) / others;
  if (!(h > 1.2 * alike * m->rows) || !(side > 0.2 * h))
    return false;
  t->across = t->down = 1;
  t->w = ratio * h;
  t->h = h;
  t->side_w = ratio * side;
  t->side_h = side;
  area->x = floor (area->x + (area->w - ratio * (h + side) - t->gap) / 2.0);
  area->w = ratio * (h + side) + t->gap;
  area->h = h + t->caption;
  return true;
}

/* Of a tile's name that is wider than `width` px the first words whole rather than all of them cut:
 * "Content" of "Content: houses".  */
static void
shorten (SlText *text, char *name, double size, double width)
{
  char *colon = strstr (name, ": ");

  if (colon != NULL && sl_text_width (text, name, size, false) > width)
    *colon = '\0';
}

static bool
names_fit (const SlLaying *job, double width)
{
  char name[SL_FRAME_TEXT];

  for (unsigned tile = 0; tile < job->figure->matrix.tiles
                          && sl_figure_column_name (job->figure, tile, name, sizeof name);
       tile++)
    {
      shorten (job->text, name, job->theme->type, width);
      if (sl_text_width (job->text, name, job->theme->type, false) > width)
        return false;
    }
  return true;
}

/* Room below each tile for names of so many lines; px of a cell. */
static double
arrange_named (const SlLaying *job, SlFrame *frame, unsigned lines)
{
  frame->tiles.caption_lines = lines;
  frame->tiles.caption = lines > 0 ? lines * job->line + 1.0 : 0.0;
  return arrange_tiles (&job->figure->matrix, &frame->plot, &frame->tiles);
}

static void
lay_plot (const SlLaying *job, SlFrame *frame)
{
  const SlFigure *figure = job->figure;
  const SlMatrix *m = &figure->matrix;
  SlRect         *area = &frame->plot;
  SlFrameTiles   *t = &frame->tiles;
  bool            named = sl_matrix_named (m);
  double          best, w, h;
  double          least; /* below it a name is cut after its first letters and is not readable */

  t->gap = MAX (2.0, (sl_figure_coloured (figure) ? 0.6 : 0.2) * job->theme->type);
  least = named ? 3.0 * job->theme->type / m->columns : 0.0;
  best = arrange_named (job, frame, named ? 1 : 0);
  if (!(best >= least))
    best = arrange_named (job, frame, 0);
  if (!(best > 0.0) || lay_leading (figure, frame, best))
    return;
  if (t->caption > 0.0 && !names_fit (job, best * m->columns))
    best = arrange_named (job, frame, CAPTION_LINES);
  if (!(best >= least))
    best = arrange_named (job, frame, 0);
  if (!(best > 0.0))
    return;
  /* Whole pixels per cell look even, where they do not cost too much size. */
  if (best >= 5.0)
    best = floor (best);
  t->w = best * m->columns;
  t->h = best * m->rows;
  w = t->across * (t->w + t->gap) - t->gap;
  h = t->down * (t->h + t->caption + t->gap) - t->gap;
  area->x = floor (area->x + (area->w - w) / 2.0);
  area->y = floor (area->y + MIN ((area->h - h) / 2.0, 2.0 * job->theme->type));
  area->w = w;
  area->h = h;
}

static void
draw (const SlDrawing *d)
{
  const SlFrame *f = d->frame;

  sl_draw_group (d, "cells", NULL, 1.0);
  for (unsigned tile = 0; f->tiles.across > 0 && tile < d->figure->matrix.tiles; tile++)
    {
      SlRect place = sl_frame_tile (f, tile);

      sl_draw_tile (d, tile, &place);
    }
  sl_draw_end (d);
}

/* The names under the tiles. */
static void
draw_captions (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         ascent, descent, size = d->theme->type;
  char           name[SL_FRAME_TEXT];

  if (f->tiles.caption == 0.0 || f->tiles.across == 0)
    return;
  sl_text_metrics (d->canvas->text, size, &ascent, &descent);
  sl_draw_group (d, "captions", NULL, 1.0);
  for (unsigned tile = 0;
       tile < d->figure->matrix.tiles && sl_figure_column_name (d->figure, tile, name, sizeof name);
       tile++)
    {
      SlRect place = sl_frame_tile (f, tile);
      double y = place.y + place.h + ascent + 1.0;
      g_auto (GStrv) line = NULL;

      shorten (d->canvas->text, name, size, place.w);
      line = sl_text_wrap (d->canvas->text, name, size, place.w, f->tiles.caption_lines);
      for (unsigned i = 0; line[i] != NULL; i++)
        sl_draw_words (d, place.x + place.w / 2.0,
                       y + i * (f->tiles.caption - 1.0) / f->tiles.caption_lines, line[i], size,
                       false, SL_ANCHOR_MIDDLE, d->theme->ink);
    }
  sl_draw_end (d);
}

/* A tile and where it goes, in pixels that need not be whole. */
typedef struct
{
  const SlFigure *figure;
  unsigned        tile;
  double          left, top, across, down; /* cells per pixel */
} Tile;

/* Adds the cells of [c0, c1) × [r0, r1) to `sum` by what is covered of each; returns the sum of
 * these weights.  Cells with a number missing in any plane do not count.  */
static double
add_cells (const Tile *tile, double c0, double c1, double r0, double r1, double sum[3])
{
  const SlFigure *figure = tile->figure;
  const SlMatrix *m = &figure->matrix;
  double          weight = 0.0;

  for (unsigned r = (unsigned) r0; r < m->rows && r < r1; r++)
    for (unsigned c = (unsigned) c0; c < m->columns && c < c1; c++)
      {
        double part = (fmin (r + 1.0, r1) - fmax (r, r0)) * (fmin (c + 1.0, c1) - fmax (c, c0));
        double value[3];
        bool   whole = true;

        for (unsigned plane = 0; plane < m->depth; plane++)
          {
            value[plane] = sl_figure_cell (figure, tile->tile, plane, r, c);
            whole = whole && isfinite (value[plane]);
          }
        for (unsigned plane = 0; whole && plane < m->depth; plane++)
          sum[plane] += part * value[plane];
        weight += whole ? part : 0.0;
      }
  return weight;
}

static uint32_t
colour_of (const double sum[3], double weight)
{
  uint32_t pixel = 0xff;

  for (unsigned plane = 0; plane < 3; plane++)
    pixel = pixel << 8 | (uint32_t) lround (255.0 * fmin (fmax (sum[plane] / weight, 0.0), 1.0));
  return pixel;
}

/* A tile whose pixels have the mean of what they cover, so that large images do not glitter when they
 * are shown small, and small ones keep their square cells.  */
static void
raster_means (const SlScreen *screen, const SlShades *shades, unsigned tile, const SlRect *place)
{
  const SlPixels *pixels = screen->pixels;
  const SlFigure *figure = screen->figure;
  double          scale = pixels->scale;
  int             x0 = (int) fmax (lround (place->x * scale), 0),
      y0 = (int) fmax (lround (place->y * scale), 0);
  int  x1 = (int) fmin (lround ((place->x + place->w) * scale), pixels->width);
  int  y1 = (int) fmin (lround ((place->y + place->h) * scale), pixels->height);
  Tile job = { figure,
               tile,
               place->x * scale,
               place->y * scale,
               figure->matrix.columns / (place->w * scale),
               figure->matrix.rows / (place->h * scale) };

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      {
        uint32_t *pixel = pixels->data + (size_t) y * (size_t) pixels->stride + x;
        double    c0 = fmax ((x - job.left) * job.across, 0.0),
               r0 = fmax ((y - job.top) * job.down, 0.0);
        double sum[3] = { 0.0, 0.0, 0.0 };
        double c1 = (x + 1 - job.left) * job.across, r1 = (y + 1 - job.top) * job.down;
        double weight = add_cells (&job, c0, c1, r0, r1, sum);

        if (figure->matrix.depth == 1)
          *pixel = weight > 0.0 && isfinite (sum[0] / weight)
                     ? sl_shade (shades, &figure->colours.tint, sum[0] / weight)
                     : shades->missing;
        else if (weight > 0.0)
          *pixel
            = sl_blend (*pixel, colour_of (sum, weight),
                        (uint32_t) lround (256.0 * fmin (weight / ((c1 - c0) * (r1 - r0)), 1.0)));
      }
}

static void
raster (const SlScreen *screen)
{
  const SlFrame  *f = screen->frame;
  const SlFigure *figure = screen->figure;
  double          pixel = f->tiles.w * screen->pixels->scale / MAX (figure->matrix.columns, 1);
  SlShades        shades;

  sl_shades_init (&shades, screen);
  for (unsigned tile = 0; f->tiles.across > 0 && tile < figure->matrix.tiles; tile++)
    {
      SlRect place = sl_frame_tile (f, tile);

      if (sl_figure_coloured (figure) || pixel < 1.0)
        raster_means (screen, &shades, tile, &place);
      else
        sl_raster_tile (screen, &shades, tile, &place);
    }
  sl_shades_clear (&shades);
}

/* clang-format off */
const SlFigureKind sl_kind_image = {
  .words = "images",
  .cells = true, .tinted = true, .log_tint = true,
  .empty = sl_matrix_empty, .take = sl_panel_take_matrix,
  .lay_plot = lay_plot,
  .draw = draw, .draw_over = draw_captions, .raster = raster,
};
/* clang-format on */
