/* SPDX-License-Identifier: MIT
 *
 * Coloured cells and stacked bands, pixel by pixel; see raster.h.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "plot/figure/rows.h"
#include "plot/screen/raster.h"

enum { SHADES = 512 };

/* A figure on its way to the pixels. */
typedef struct
{
  const SlPixels *pixels;
  const SlFigure *figure;
  const SlFrame  *frame;
  const SlTheme  *theme;
  uint32_t        shade[SHADES], missing, nought;
  uint32_t       *hatch; /* (width + height) zero at row + column i; NULL: plain */
} Cells;

/* Whole pixels of a rectangle, inside the image. */
typedef struct
{
  int x0, x1, y0, y1;
} Box;

static Box
box_of (const SlPixels *pixels, const SlRect *r)
{
  return (Box) { MAX ((int) lround (r->x * pixels->scale), 0),
                 MIN ((int) lround ((r->x + r->w) * pixels->scale), pixels->width),
                 MAX ((int) lround (r->y * pixels->scale), 0),
                 MIN ((int) lround ((r->y + r->h) * pixels->scale), pixels->height) };
}

static uint32_t *
line_of (const SlPixels *pixels, int y)
{
  return pixels->data + (size_t) y * (size_t) pixels->stride;
}

/* The lines x + y = a multiple of the pitch over the colour of a zero. */
static void
prepare_hatching (Cells *cells)
{
  const SlPixels *pixels = cells->pixels;
  int             n = pixels->width + pixels->height;
  double          pitch = sl_hatch_pitch (cells->theme), half = 0.5 * sl_hatch_width (cells->theme);
  SlRgba          zero = sl_tint_colour (cells->theme, &cells->figure->tint, 0.0);
  uint32_t        under = sl_packed (zero), ink = sl_packed (sl_hatch_ink (zero));

  cells->hatch = g_new (uint32_t, n);
  for (int i = 0; i < n; i++)
    {
      double along = fmod ((i + 1.0) / pixels->scale, pitch);
      double apart = MIN (along, pitch - along) * M_SQRT1_2;
      double covered = CLAMP ((half - apart) * pixels->scale + 0.5, 0.0, 1.0);

      cells->hatch[i] = sl_blend (under, ink, (uint32_t) lround (256.0 * covered));
    }
}

static void
prepare (Cells *cells)
{
  const SlTint *tint = &cells->figure->tint;

  for (int i = 0; i < SHADES; i++)
    cells->shade[i] = sl_packed (sl_tint_at (cells->theme, tint, i / (SHADES - 1.0)));
  cells->missing = sl_packed (sl_tint_colour (cells->theme, tint, NAN));
  if (cells->figure->zero != NULL && cells->frame->kind != SL_IMAGE)
    prepare_hatching (cells);
}

static uint32_t
shade_of (const Cells *cells, double value)
{
  double t = sl_scale_map (&cells->figure->tint.scale, value);

  return cells->shade[(int) (CLAMP (t, 0.0, 1.0) * (SHADES - 1) + 0.5)];
}

/* Copies the pixels [x0, x1) of a line to those below. */
static void
repeat_line (const SlPixels *pixels, int x0, int x1, int from, int to)
{
  for (int y = from + 1; y < to && x1 > x0; y++)
    memcpy (line_of (pixels, y) + x0, line_of (pixels, from) + x0,
            (size_t) (x1 - x0) * sizeof *pixels->data);
}

/* One tile, by the nearest cell. */
static void
fill_tile (const Cells *cells, unsigned tile, const SlRect *place)
{
  const SlFigure *figure = cells->figure;
  const double   *cell = figure->matrix + (size_t) tile * figure->rows * figure->columns;
  int             left = (int) lround (place->x * cells->pixels->scale);
  int             right = (int) lround ((place->x + place->w) * cells->pixels->scale);
  int             top = (int) lround (place->y * cells->pixels->scale);
  int             bottom = (int) lround ((place->y + place->h) * cells->pixels->scale);
  Box             box = box_of (cells->pixels, place);

  for (int y = box.y0, next; y < box.y1; y = next)
    {
      int       r = (int) ((int64_t) (y - top) * figure->rows / (bottom - top));
      uint32_t *line = line_of (cells->pixels, y);
      bool      hatched = false;

      for (int x = box.x0; x < box.x1; x++)
        {
          int    c = (int) ((int64_t) (x - left) * figure->columns / (right - left));
          double value = cell[(size_t) r * figure->columns + (size_t) c];

          if (cells->hatch != NULL && value == 0.0)
            {
              line[x] = cells->hatch[x + y];
              hatched = true;
            }
          else
            line[x] = isfinite (value) ? shade_of (cells, value) : cells->missing;
        }
      next = y + 1;
      while (!hatched && next < box.y1
             && (int) ((int64_t) (next - top) * figure->rows / (bottom - top)) == r)
        next++;
      repeat_line (cells->pixels, box.x0, box.x1, y, next);
    }
}

static uint32_t
shade_or_missing (const void *data, double value)
{
  const Cells *cells = data;

  return isfinite (value) ? shade_of (cells, value) : cells->missing;
}

static void
fill_tiles (const Cells *cells)
{
  const SlFrame *f = cells->frame;
  double         pixel = f->tile_w * cells->pixels->scale / MAX (cells->figure->columns, 1);

  for (unsigned tile = 0; f->tiles_across > 0 && tile < cells->figure->tiles; tile++)
    {
      SlRect place = sl_frame_tile (f, tile);

      if (cells->figure->depth == 3 || pixel < 1.0)
        sl_raster_tile (cells->pixels, cells->figure, tile, &place, shade_or_missing, cells);
      else
        fill_tile (cells, tile, &place);
    }
}

/* One row of a history; gaps stay paper. */
static void
fill_row (const Cells *cells, const SlMean *mean, int x0, int x1, int y0, int y1)
{
  uint32_t *line = line_of (cells->pixels, y0);
  bool      hatched = false;

  for (int x = x0; x < x1; x++)
    {
      const SlMean *at = &mean[x - x0];

      hatched = hatched || (at->zero && cells->hatch != NULL);
      if (!isnan (at->mean))
        line[x]
          = at->zero && cells->hatch != NULL ? cells->hatch[x + y0] : shade_of (cells, at->mean);
    }
  repeat_line (cells->pixels, x0, x1, y0, y1);
  for (int y = y0 + 1; y < y1 && hatched; y++)
    for (int x = x0; x < x1; x++)
      if (mean[x - x0].zero)
        line_of (cells->pixels, y)[x] = cells->hatch[x + y];
}

/* Means of all rows, (n_rows, columns); free with g_free(). */
static SlMean *
means_of (const Cells *cells, unsigned columns)
{
  g_autofree double *edge = g_new (double, columns + 1);
  SlMean            *mean = g_new (SlMean, (size_t) cells->figure->n_rows * columns);

  sl_edges (&cells->frame->x, columns, edge);
  sl_rows_means (cells->figure, edge, columns, mean);
  return mean;
}

static void
fill_history (const Cells *cells, const Box *box)
{
  unsigned           n = cells->figure->n_rows, columns = (unsigned) (box->x1 - box->x0);
  g_autofree SlMean *mean = means_of (cells, columns);
  double             height = box->y1 - box->y0;

  for (unsigned r = 0; r < n; r++)
    {
      int y0 = box->y0 + (int) lround (height * r / n);
      int y1 = box->y0 + (int) lround (height * (r + 1) / n);

      if (y1 > y0)
        fill_row (cells, mean + (size_t) r * columns, box->x0, box->x1, y0, y1);
    }
}

/* Bands of one pixel column; a pixel on a border has some of both colours. */
static void
fill_bands (const Cells *cells, const uint32_t *colour, const double *begin, int x, const Box *box)
{
  unsigned n = cells->figure->n_rows, r = 0;
  double   height = box->y1 - box->y0;

  for (int y = box->y0; y < box->y1; y++)
    {
      uint32_t *pixel = line_of (cells->pixels, y) + x;
      double    bottom = y + 1.0 - box->y0;

      *pixel = colour[r];
      while (r + 1 < n && begin[r + 1] * height < bottom)
        {
          r++;
          *pixel = sl_blend (*pixel, colour[r],
                             (uint32_t) lround (256.0 * MIN (bottom - begin[r] * height, 1.0)));
        }
    }
}

/* A fine line of paper between two bands, without which neighbours of many are hard to tell
 * apart; joined to the column before where that hides little of them, and left out where bands are
 * as thin as it is.  */
static void
separate_bands (const Cells *cells, const double *before, const double *begin, int x,
                const Box *box)
{
  enum { THIN = 2, OPACITY = 205 };
  unsigned n = cells->figure->n_rows;
  uint32_t paper = sl_packed (cells->theme->plot);
  double   height = box->y1 - box->y0, last = 0.0;

  for (unsigned r = 1; r < n; r++)
    {
      double now = begin[r] * height, then = now;
      int    from, to;

      if (before != NULL && sl_rows_joined (before, begin, r))
        then = before[r] * height;
      from = (int) MIN (now, then);
      to = (int) MAX (now, then);
      if (now - last < THIN || height - now < THIN)
        continue;
      last = now;
      /* The corner belongs to the column before. */
      if (to > from && now > then)
        from++;
      else if (to > from)
        to--;
      for (int y = from; y <= to && y < (int) height; y++)
        {
          uint32_t *pixel = line_of (cells->pixels, box->y0 + y) + x;

          *pixel = sl_blend (*pixel, paper, OPACITY);
        }
    }
}

static void
fill_shares (const Cells *cells, const Box *box)
{
  unsigned             n = cells->figure->n_rows, columns = (unsigned) (box->x1 - box->x0);
  g_autofree SlMean   *mean = means_of (cells, columns);
  g_autofree double   *begin = g_new (double, 2 * (n + 1));
  g_autofree uint32_t *colour = g_new (uint32_t, n);
  const double        *before = NULL;

  for (unsigned r = 0; r < n; r++)
    colour[r] = sl_packed (sl_rows_colour (cells->figure, cells->theme, cells->figure->row[r]));
  for (unsigned c = 0; c < columns; c++)
    {
      double *now = begin + (c % 2) * (n + 1);
      bool    any = sl_rows_stack (mean + c, n, columns, now);

      if (any)
        {
          fill_bands (cells, colour, now, box->x0 + (int) c, box);
          separate_bands (cells, before, now, box->x0 + (int) c, box);
        }
      before = any ? now : NULL;
    }
}

/* A gating map by the nearest cell. */
static void
fill_plane (const Cells *cells, const Box *box)
{
  const SlFigure      *figure = cells->figure;
  unsigned             side = figure->plane.side;
  g_autofree uint32_t *cell = g_new (uint32_t, (size_t) side * side);

  sl_plane_fill (&figure->plane, cells->theme, figure->view.plane, (int) figure->view.alone - 1,
                 cell);
  for (int y = MAX (box->y0, 0); y < MIN (box->y1, cells->pixels->height); y++)
    {
      size_t    r = (size_t) (y - box->y0) * side / (size_t) (box->y1 - box->y0);
      uint32_t *row = cells->pixels->data + (size_t) y * (size_t) cells->pixels->stride;

      for (int x = MAX (box->x0, 0); x < MIN (box->x1, cells->pixels->width); x++)
        row[x] = cell[r * side + (size_t) (x - box->x0) * side / (size_t) (box->x1 - box->x0)];
    }
}

void
sl_raster_cells (const SlPixels *pixels, const SlFigure *figure, const SlFrame *frame,
                 const SlTheme *theme)
{
  Cells cells = { .pixels = pixels, .figure = figure, .frame = frame, .theme = theme };
  Box   box = box_of (pixels, &frame->plot);

  if (frame->empty || box.x1 <= box.x0 || box.y1 <= box.y0)
    return;
  if (frame->kind == SL_MAP)
    {
      fill_plane (&cells, &box);
      return;
    }
  if (frame->kind == SL_SHARES)
    {
      if (figure->n_rows > 0)
        fill_shares (&cells, &box);
      return;
    }
  if (frame->kind != SL_HEATMAP && frame->kind != SL_IMAGE && frame->kind != SL_HISTORY)
    return;
  prepare (&cells);
  if (frame->kind == SL_HEATMAP)
    fill_tile (&cells, 0, &frame->plot);
  else if (frame->kind == SL_IMAGE)
    fill_tiles (&cells);
  else if (figure->n_rows > 0)
    fill_history (&cells, &box);
  g_free (cells.hatch);
}
