/* SPDX-License-Identifier: MIT
 *
 * Light of the picture of a deciding network: a lamp, the layers that its light comes through, what arrives; and
 * pictures that glow where they change.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

/* Lines about the theory are so many standard deviations from its mean. */
static const double DEVIATIONS = 2.0;

static const double *
cell_of (const SlAliveGroup *group, unsigned i)
{
  return group->cell + (size_t) i * SL_ALIVE_COLUMNS;
}

static SlRgba
colour_of (const SlDrawing *d, const SlAliveGroup *group)
{
  return sl_theme_curve (d->theme, group->slot, SL_MEASURED);
}

/* A pixel for each cell. */
static cairo_surface_t *
make_light (const SlDrawing *d, const SlAliveGroup *group)
{
  unsigned         across = group->across, rows = group->n / across;
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) across, (int) rows);
  unsigned char *data = cairo_image_surface_get_data (image);
  size_t         stride = (size_t) cairo_image_surface_get_stride (image);
  SlRgba         dark = sl_mix (d->theme->plot, d->theme->ink, 0.05);

  for (unsigned i = 0; data != NULL && i < group->n; i++)
    ((uint32_t *) (void *) (data + i / across * stride))[i % across]
      = sl_packed (sl_mix (dark, colour_of (d, group), cell_of (group, i)[2]));
  cairo_surface_mark_dirty (image);
  return image;
}

/* Rows from the top to the mean of a column's theory, and its standard deviation. */
static void
find_spread (const SlAliveGroup *group, unsigned column, double *mean, double *std)
{
  double sum = 0.0, first = 0.0, second = 0.0;

  for (unsigned row = 0; row < group->n / group->across; row++)
    {
      double amplitude = cell_of (group, row * group->across + column)[3];
      double share = amplitude * amplitude, at = row + 0.5;

      sum += share;
      first += share * at;
      second += share * at * at;
    }
  *mean = sum > 0.0 ? first / sum : 0.0;
  *std = sum > 0.0 ? sqrt (MAX (second / sum - *mean * *mean, 0.0)) : 0.0;
}

static void
draw_theory (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place, double side)
{
  SlXY          point[SL_ALIVE_CELLS];
  const SlRect *area = &place->area;

  for (unsigned j = 0; j < group->across; j++)
    {
      double mean, std, y;

      find_spread (group, j, &mean, &std);
      y = area->y + (mean + side * DEVIATIONS * std) * place->h;
      point[j] = (SlXY) { area->x + (j + 0.5) * place->w, CLAMP (y, area->y, area->y + area->h) };
    }
  d->canvas->line (d->canvas, point, group->across, d->theme->ink,
                   MAX (0.09 * d->theme->type, sl_draw_hair (d)), NULL);
}

void
sl_draw_alive_light (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  cairo_surface_t *image = make_light (d, group);

  d->canvas->image (d->canvas, &place->area, image);
  cairo_surface_destroy (image);
  draw_theory (d, group, place, -1.0);
  draw_theory (d, group, place, 1.0);
}

/* Bars of what arrives, and the line of the theory over them. */
void
sl_draw_alive_profile (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlXY   point[SL_ALIVE_CELLS];
  double gap = MIN (0.15 * place->h, 1.0);

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = cell_of (group, i);
      SlRect        at = sl_alive_cell_place (group, place, i);

      d->canvas->rect (d->canvas, &(SlRect) { at.x, at.y + gap / 2.0, cell[2] * at.w, at.h - gap },
                       colour_of (d, group));
      point[i] = (SlXY) { at.x + cell[3] * at.w, at.y + at.h / 2.0 };
    }
  d->canvas->line (d->canvas, point, group->n, d->theme->ink,
                   MAX (0.09 * d->theme->type, sl_draw_hair (d)), NULL);
}

/* The colour of the glow covers at most this much of the picture. */
static const double GLOW = 0.85;

void
sl_draw_alive_picture (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  unsigned         across = group->across;
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) across, (int) (group->units / across));
  unsigned char *data = cairo_image_surface_get_data (image);
  size_t         stride = (size_t) cairo_image_surface_get_stride (image);

  for (unsigned i = 0; data != NULL && i < group->units; i++)
    {
      const double *pixel = group->pixel + (size_t) i * SL_ALIVE_COLUMNS;
      SlRgba        own = { (float) pixel[1], (float) pixel[2], (float) pixel[3], 1.0F };

      ((uint32_t *) (void *) (data + i / across * stride))[i % across]
        = sl_packed (sl_mix (own, colour_of (d, group), GLOW * pixel[4]));
    }
  cairo_surface_mark_dirty (image);
  d->canvas->image (d->canvas, &place->area, image);
  cairo_surface_destroy (image);
}

/* A bright core in a glow that fades. */
void
sl_draw_alive_lamp (const SlDrawing *d, const SlAlive *alive)
{
  enum { RINGS = 8 };
  const SlRect *at = &d->frame->alive.input;
  double        x = at->x + at->w / 2.0, y = at->y + at->h / 2.0, radius = 0.5 * at->w;
  SlRgba        colour = alive->n_groups > 0 ? colour_of (d, &alive->group[0]) : d->theme->neutral;

  for (unsigned i = 0; i < RINGS; i++)
    {
      double part = (double) i / RINGS;

      d->canvas->disc (d->canvas, x, y, radius * (1.0 - 0.8 * part),
                       sl_mix (d->theme->plot, colour, 0.06 + 0.5 * part * part), 0.0);
    }
  d->canvas->disc (d->canvas, x, y, 0.2 * radius, colour, 0.0);
}
