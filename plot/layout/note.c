/* SPDX-License-Identifier: MIT
 *
 * The places of the user's notes on a plot.  */
#include <glib.h>
#include <math.h>

#include "plot/layout/private.h"

/* Rows and bands have no values along y that would outlast sorting. */
static bool
has_values (const SlFrame *frame)
{
  const SlFigureKind *kind = sl_frame_kind (frame);

  return kind->axes && !kind->rows && !kind->row_axis;
}

void
sl_frame_place (const SlFrame *frame, double px, double py, double *x, double *y)
{
  const SlRect *p = &frame->plot;
  double height = MAX (p->h - 2.0 * frame->inset, 1.0), down = (py - p->y - frame->inset) / height;

  *x = sl_frame_kind (frame)->axes ? sl_frame_value_x (frame, px) : (px - p->x) / MAX (p->w, 1.0);
  *y = has_values (frame) ? sl_scale_unmap (&frame->y, 1.0 - down) : (py - p->y) / MAX (p->h, 1.0);
}

/* A note whose x is not in view is not shown; one above or below what is stays at the edge. */
bool
sl_frame_find (const SlFrame *frame, const SlNote *note, double *px, double *py)
{
  const SlRect *p = &frame->plot;

  *px = sl_frame_kind (frame)->axes ? sl_frame_x (frame, note->x) : p->x + note->x * p->w;
  *py = has_values (frame) ? sl_frame_y (frame, note->y) : p->y + note->y * p->h;
  if (isnan (*py))
    *py = p->y + p->h; /* not above 0 on a logarithmic axis */
  *py = CLAMP (*py, p->y, p->y + p->h);
  return *px >= p->x - 0.5 && *px <= p->x + p->w + 0.5;
}

static void
lay_box (const SlFrame *frame, SlFrameNote *at, SlText *text, const char *words)
{
  const SlRect *p = &frame->plot;
  double        size = 0.92 * frame->type, pad = 0.45 * size, away = 0.9 * size;
  double        ascent, descent, width = 0.0, room = MIN (0.5 * p->w, 20.0 * size);
  gsize         used = 0;
  g_auto (GStrv) line = sl_text_wrap (text, words, size, MAX (room, 1.0), SL_FRAME_NOTE_LINES);

  for (at->n_lines = 0; line[at->n_lines] != NULL && used < sizeof at->line; at->n_lines++)
    {
      width = MAX (width, sl_text_width (text, line[at->n_lines], size, false));
      used += g_strlcpy (at->line + used, line[at->n_lines], sizeof at->line - used) + 1;
    }
  sl_text_metrics (text, size, &ascent, &descent);
  at->step = ascent + descent;
  at->pad = pad;
  at->first = pad + ascent;
  at->box.w = width + 2.0 * pad;
  at->box.h = at->n_lines * at->step + 2.0 * pad;
  at->box.x = at->x + away + at->box.w <= p->x + p->w ? at->x + away : at->x - away - at->box.w;
  at->box.y = at->y - away - at->box.h >= p->y ? at->y - away - at->box.h : at->y + away;
  at->box.x = CLAMP (at->box.x, p->x, MAX (p->x + p->w - at->box.w, p->x));
  at->box.y = CLAMP (at->box.y, p->y, MAX (p->y + p->h - at->box.h, p->y));
}

void
sl_lay_notes (SlFrame *frame, const SlFigure *figure, SlText *text)
{
  for (unsigned i = 0; i < figure->notes.n && !frame->empty; i++)
    {
      SlFrameNote *at = &frame->user_note[frame->n_user_notes];

      if (!sl_frame_find (frame, &figure->notes.at[i], &at->x, &at->y))
        continue;
      at->number = i + 1;
      lay_box (frame, at, text, figure->notes.at[i].text);
      frame->n_user_notes++;
    }
}

unsigned
sl_frame_note (const SlFrame *frame, double x, double y)
{
  for (unsigned i = frame->n_user_notes; i > 0; i--)
    if (sl_rect_contains (&frame->user_note[i - 1].box, x, y))
      return frame->user_note[i - 1].number;
  return 0;
}
