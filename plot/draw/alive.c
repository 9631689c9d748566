/* SPDX-License-Identifier: MIT
 *
 * Units and their input; see alive.h.  */
#include "plot/draw/alive.h"

#include <math.h>

SlRgba
sl_draw_alive_faint (const SlTheme *theme)
{
  return sl_mix (theme->plot, theme->ink, 0.35);
}

void
sl_draw_alive_mark (const SlDrawing *d, const SlAliveMark *m)
{
  SlCanvas *canvas = d->canvas;
  SlRgba    faint = sl_draw_alive_faint (d->theme);
  double    size = m->pitch > 4.0 ? 0.8 * m->pitch : 0.9 * m->pitch, half = size / 2.0;
  double    stroke = MAX (0.16 * size, 0.5), reach = half * (0.7 + 0.3 * m->lost);

  switch (m->state)
    {
    case SL_ALIVE_USED:
      canvas->rect (canvas, &(SlRect) { m->x - half, m->y - half, size, size },
                    sl_mix (d->theme->plot, m->colour, 0.35 + 0.65 * sl_draw_shade (d, m->value)));
      break;
    case SL_ALIVE_IN_VAIN:
      canvas->disc (canvas, m->x, m->y, half - stroke / 2.0,
                    sl_mix (d->theme->plot, m->colour, 0.8), stroke);
      break;
    case SL_ALIVE_MISSED:
      for (int side = -1; side <= 1; side += 2)
        sl_draw_segment (d, m->x - reach, m->y - side * reach, m->x + reach, m->y + side * reach,
                         d->theme->alarm, MAX (0.22 * size, 1.0), NULL);
      break;
    case SL_ALIVE_CLOSED:
      sl_draw_segment (d, m->x - half, m->y + half, m->x + half, m->y - half, d->theme->soft,
                       MAX (0.2 * size, 1.0), NULL);
      break;
    case SL_ALIVE_SKIPPED:
    case SL_ALIVE_DEAD:
    case SL_N_ALIVE_STATES:
      canvas->disc (canvas, m->x, m->y, MAX (0.12 * m->pitch, 0.4), faint, 0.0);
      break;
    }
}

/* The pixels as an image: grey ones from the ground to ink, so that they belong to both kinds of theme. */
static cairo_surface_t *
make_image (const SlTheme *theme, const SlAlive *alive)
{
  cairo_surface_t *image
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) alive->width, (int) alive->height);
  unsigned char *data = cairo_image_surface_get_data (image);
  int            stride = cairo_image_surface_get_stride (image);
  const double  *pixel = alive->pixel;

  for (unsigned i = 0; data != NULL && i < alive->height; i++)
    for (unsigned j = 0; j < alive->width; j++, pixel += SL_ALIVE_COLUMNS)
      {
        uint32_t *to = (uint32_t *) (void *) (data + (size_t) i * (size_t) stride) + j;

        *to
          = sl_packed (alive->input == SL_ALIVE_GREY
                         ? sl_mix (theme->plot, theme->ink, pixel[1])
                         : (SlRgba) { (float) pixel[1], (float) pixel[2], (float) pixel[3], 1.0F });
      }
  cairo_surface_mark_dirty (image);
  return image;
}

static void
draw_plane (const SlDrawing *d, const SlAlive *alive)
{
  const SlRect *at = &d->frame->alive.input;
  double        inset = 0.06 * at->w, dot = MAX (0.011 * at->w, 0.8);

  for (unsigned i = 0; i < alive->n_points; i++)
    {
      const double *point = alive->pixel + (size_t) i * SL_ALIVE_COLUMNS;
      double        x = at->x + inset + point[1] * (at->w - 2.0 * inset);
      double        y = at->y + at->h - inset - point[2] * (at->h - 2.0 * inset);

      if (point[3] > 0.0)
        {
          d->canvas->disc (d->canvas, x, y, 5.0 * dot, d->theme->plot, 0.0);
          d->canvas->disc (d->canvas, x, y, 3.6 * dot, d->theme->ink, 0.0);
        }
      else
        d->canvas->disc (d->canvas, x, y, dot, sl_draw_alive_faint (d->theme), 0.0);
    }
}

void
sl_draw_alive_input (const SlDrawing *d, const SlAlive *alive)
{
  const SlRect *at = &d->frame->alive.input;
  double        bottom = at->y + at->h;

  if (at->w <= 0.0)
    return;
  if (alive->input == SL_ALIVE_LINE)
    {
      sl_draw_alive_line (d, alive);
      return;
    }
  if (alive->input == SL_ALIVE_LAMP)
    sl_draw_alive_lamp (d, alive);
  else if (alive->input == SL_ALIVE_PLANE)
    draw_plane (d, alive);
  else if (alive->width > 0 && alive->height > 0)
    {
      cairo_surface_t *image = make_image (d->theme, alive);

      d->canvas->image (d->canvas, at, image);
      cairo_surface_destroy (image);
    }
  if (alive->input != SL_ALIVE_LAMP)
    sl_draw_alive_outline (d, at, sl_draw_alive_faint (d->theme), sl_draw_hair (d));
  sl_draw_words (d, at->x + at->w / 2.0, bottom + 1.25 * d->frame->alive.small,
                 d->frame->alive.caption, d->frame->alive.small, false, SL_ANCHOR_MIDDLE,
                 d->theme->soft);
}
