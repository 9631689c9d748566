/* SPDX-License-Identifier: MIT
 *
 * The user's notes, each with a line to its place.  */

#include <string.h>

#include "plot/draw/private.h"

/* Where the line from the place ends: at the nearest point of the box. */
static SlXY
end_of (const SlFrameNote *at)
{
  return (SlXY) { CLAMP (at->x, at->box.x, at->box.x + at->box.w),
                  CLAMP (at->y, at->box.y, at->box.y + at->box.h) };
}

void
sl_draw_notes (const SlDrawing *d)
{
  const SlFrame *f = d->frame;
  double         hair = sl_draw_hair (d), size = 0.92 * f->type, dot = MAX (0.22 * f->type, 2.0);

  if (f->n_user_notes == 0)
    return;
  sl_draw_group (d, "remarks", NULL, 1.0);
  for (unsigned i = 0; i < f->n_user_notes; i++)
    {
      const SlFrameNote *at = &f->user_note[i];
      const SlRect      *b = &at->box;
      const char        *line = at->line;
      SlXY               end = end_of (at);
      SlXY               rim[5] = { { b->x, b->y },
                                    { b->x + b->w, b->y },
                                    { b->x + b->w, b->y + b->h },
                                    { b->x, b->y + b->h },
                                    { b->x, b->y } };

      sl_draw_segment (d, at->x, at->y, end.x, end.y, d->theme->plot, 3.0 * hair, NULL);
      sl_draw_segment (d, at->x, at->y, end.x, end.y, d->theme->ink, hair, NULL);
      d->canvas->disc (d->canvas, at->x, at->y, dot + 1.0, d->theme->plot, 0.0);
      d->canvas->disc (d->canvas, at->x, at->y, dot, d->theme->ink, 0.0);
      d->canvas->rect (d->canvas, b, d->theme->paper);
      d->canvas->line (d->canvas, rim, G_N_ELEMENTS (rim), d->theme->ink, hair, NULL);
      for (unsigned k = 0; k < at->n_lines; k++, line += strlen (line) + 1)
        sl_draw_words (d, b->x + at->pad, b->y + at->first + k * at->step, line, size, false,
                       SL_ANCHOR_START, d->theme->ink);
    }
  sl_draw_end (d);
}
