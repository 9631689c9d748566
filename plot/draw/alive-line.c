/* SPDX-License-Identifier: MIT
 *
 * Letters and words that a network reads, and the fields below them; see alive.h.  */
#include <glib.h>
#include <math.h>

#include "plot/draw/alive.h"

void
sl_draw_alive_field (const SlDrawing *d, const SlAliveGroup *group, const SlAlivePlace *place)
{
  SlRgba colour = sl_draw_alive_colour (d, group);
  double pitch = MIN (place->w, place->h), gap = pitch > 4.0 ? 0.1 * pitch : 0.05 * pitch;

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        at = sl_alive_cell_place (group, place, i);

      if (sl_alive_state (cell) == SL_ALIVE_USED)
        d->canvas->rect (
          d->canvas, &(SlRect) { at.x + gap, at.y + gap, at.w - 2.0 * gap, at.h - 2.0 * gap },
          sl_mix (d->theme->plot, colour, 0.35 + 0.65 * sl_draw_shade (d, sl_alive_value (cell))));
      else
        sl_draw_alive_mark (d, &(SlAliveMark) { sl_alive_state (cell), at.x + at.w / 2.0,
                                                at.y + at.h / 2.0, pitch, sl_alive_value (cell),
                                                cell[3], colour });
    }
}

/* In the colours of their parts beside a way. */
void
sl_draw_alive_bars (const SlDrawing *d, const SlAlive *alive, unsigned g)
{
  const SlAliveGroup *group = &alive->group[g];
  const SlAlivePlace *place = &d->frame->alive.group[g];
  bool                of_way = g > 0 && alive->group[g - 1].form == SL_ALIVE_WAY;
  double              gap = place->across > 1 ? MIN (0.12 * place->w, 0.4 * d->theme->type) : 0.0;

  for (unsigned i = 0; i < group->n; i++)
    {
      const double *cell = group->cell + (size_t) i * SL_ALIVE_COLUMNS;
      SlRect        at = sl_alive_cell_place (group, place, i);
      double        h = MIN (0.7 * at.h, 0.8 * d->theme->type), w = at.w - gap;
      SlRgba        colour
        = of_way ? sl_draw_alive_part_colour (d, cell) : sl_draw_alive_colour (d, group);

      if (of_way && sl_alive_state (cell) != SL_ALIVE_USED)
        continue;
      d->canvas->rect (d->canvas, &(SlRect) { at.x, at.y + (at.h - h) / 2.0, w, h },
                       d->theme->grid);
      if (sl_alive_value (cell) > 0.0)
        d->canvas->rect (
          d->canvas,
          &(SlRect) { at.x, at.y + (at.h - h) / 2.0, MAX (sl_alive_value (cell) * w, 1.0), h },
          colour);
    }
}

/* The tint of a token: a light ground and a line below it in full, or both by its strength. */
static void
draw_tint (const SlDrawing *d, const SlRect *at, const double *token, double size)
{
  SlRgba colour = sl_theme_curve (d->theme, (unsigned) token[1] - 1, SL_MEASURED);
  double line = MAX (0.14 * size, 1.0), strength = token[4];

  d->canvas->rect (
    d->canvas, at,
    sl_mix (d->theme->plot, colour, strength > 0.0 ? 0.45 * strength * strength : 0.2));
  d->canvas->rect (d->canvas, &(SlRect) { at->x, at->y + at->h - line, at->w, line },
                   strength > 0.0 ? sl_mix (d->theme->plot, colour, strength * strength) : colour);
}

/* A word on its tint. */
static void
draw_token (const SlDrawing *d, const SlAliveTokenPlace *place, const double *token, double size)
{
  const SlRect *at = &place->at;
  bool          looked_at = token[2] > 0.0;

  if (token[1] > 0.0)
    draw_tint (d, at, token, size);
  sl_draw_words (d, at->x + at->w / 2.0, at->y + at->h / 2.0 + 0.36 * size, place->text, size,
                 looked_at, SL_ANCHOR_MIDDLE,
                 looked_at || token[1] > 0.0 ? d->theme->ink : d->theme->soft);
}

/* The frame of the one that is looked at, down to the end of its column where it has one. */
static void
draw_frame (const SlDrawing *d, const SlAlive *alive, const SlRect *token)
{
  const SlRect *field = &d->frame->alive.group[0].area;
  SlRect        frame = *token;

  if (sl_alive_has_heads (alive))
    frame.h = field->y + field->h - token->y;
  sl_draw_alive_outline (d, &frame, d->theme->ink, MAX (1.2, sl_draw_hair (d)));
}

void
sl_draw_alive_line (const SlDrawing *d, const SlAlive *alive)
{
  const SlAliveFrame *f = &d->frame->alive;
  bool                heads = sl_alive_has_heads (alive);
  double size = heads ? MIN (d->theme->type, 1.5 * f->group[0].w) : 1.05 * d->theme->type;

  for (unsigned i = 0; i < f->n_tokens; i++)
    {
      const double *token = alive->pixel + (size_t) f->token[i].row * SL_ALIVE_COLUMNS;

      draw_token (d, &f->token[i], token, size);
      if (token[2] > 0.0)
        draw_frame (d, alive, &f->token[i].at);
    }
}
