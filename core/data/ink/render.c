/* SPDX-License-Identifier: MIT
 *
 * From strokes to ink.  Strokes of the pen that follow one another are one layer, so that an outline may be drawn
 * in several; an eraser takes from what is below it.  */
#include <math.h>
#include <string.h>

#include "core/data/ink/ink.h"
#include "core/data/ink/private.h"

enum { SIDE = SL_SHEET_SIDE, RIM = SIDE + 2 /* the sheet with a way around it */ };

/* Pixels.  The pen is as wide as that of the digits that are made (core/data/make/digits.c). */
static const float PEN = 1.25f, ERASER = 2.2f;

/* Levels of a thing that is filled: most networks take clothes with a soft edge for what they are. */
static const float EDGE = 0.6f, INSIDE = 0.8f;

/* A stroke whose ends are nearer than this part of its length is closed. */
static const float NEARLY = 0.3f;

typedef struct
{
  SlSheet line; /* as drawn */
  SlSheet wall; /* and closed */
} Layer;

static void
trace (SlSheet *sheet, const SlInk *ink, const SlInkStroke *stroke)
{
  const float (*at)[2] = ink->at + stroke->first;

  sl_sheet_line (sheet, at[0], at[0]);
  for (unsigned i = 1; i < stroke->n; i++)
    sl_sheet_line (sheet, at[i - 1], at[i]);
}

static void
close_up (SlSheet *wall, const SlInk *ink, const SlInkStroke *stroke)
{
  const float (*at)[2] = ink->at + stroke->first;
  const float *last = at[stroke->n - 1];
  float        length = 0.0f;

  for (unsigned i = 1; i < stroke->n; i++)
    length += hypotf (at[i][0] - at[i - 1][0], at[i][1] - at[i - 1][1]);
  if (hypotf (last[0] - at[0][0], last[1] - at[0][1]) < NEARLY * length)
    sl_sheet_line (wall, at[0], last);
}

/* Goes round the walls from the rim; what it does not reach is inside. */
static void
flood (const SlSheet *wall, bool reached[RIM * RIM])
{
  static const int step[4] = { -1, 1, -RIM, RIM };
  short            todo[RIM * RIM];
  int              n = 1;

  memset (reached, 0, RIM * RIM * sizeof *reached);
  todo[0] = 0;
  reached[0] = true;
  while (n > 0)
    {
      int at = todo[--n];

      for (int i = 0; i < 4; i++)
        {
          int  to = at + step[i], x = to % RIM - 1, y = to / RIM - 1;
          bool on = x >= 0 && x < SIDE && y >= 0 && y < SIDE;

          /* A step beyond the end of a row comes out on the rim of the next. */
          if (to < 0 || to >= RIM * RIM || reached[to] || (on && wall->square[y * SIDE + x] < 1.0f))
            continue;
          reached[to] = true;
          todo[n++] = (short) to;
        }
    }
}

static void
draw_layer (const SlInk *ink, const Layer *layer, float *to)
{
  bool  reached[RIM * RIM];
  float line[SL_SHEET_PIXELS], edge = ink->style == SL_INK_FILLED ? EDGE : 1.0f;

  sl_sheet_ink (&layer->line, PEN, line);
  if (ink->style == SL_INK_FILLED)
    flood (&layer->wall, reached);
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    {
      bool outside = ink->style != SL_INK_FILLED || reached[(i / SIDE + 1) * RIM + i % SIDE + 1]
                     || layer->wall.square[i] < 1.0f;

      to[i] = fmaxf (to[i], fmaxf (edge * line[i], outside ? 0.0f : INSIDE));
    }
}

static void
erase_layer (const Layer *layer, float *to)
{
  float line[SL_SHEET_PIXELS];

  sl_sheet_ink (&layer->line, ERASER, line);
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    to[i] *= 1.0f - line[i];
}

/* Strokes of one kind from the first on; returns the first after them. */
static unsigned
collect (const SlInk *ink, unsigned first, Layer *layer)
{
  unsigned s = first;

  sl_sheet_clear (&layer->line);
  for (; s < ink->n_strokes && ink->stroke[s].erases == ink->stroke[first].erases; s++)
    trace (&layer->line, ink, &ink->stroke[s]);
  layer->wall = layer->line;
  for (unsigned i = first; i < s && ink->style == SL_INK_FILLED; i++)
    close_up (&layer->wall, ink, &ink->stroke[i]);
  return s;
}

void
sl_ink_render (const SlInk *ink, unsigned width, unsigned height, float *picture)
{
  float    sheet[SL_SHEET_PIXELS] = { 0 };
  Layer    layer;
  unsigned next;

  if (ink->grounded)
    memcpy (sheet, ink->ground, sizeof sheet);
  for (unsigned s = 0; s < ink->n_strokes; s = next)
    {
      next = collect (ink, s, &layer);
      if (ink->stroke[s].erases)
        erase_layer (&layer, sheet);
      else
        draw_layer (ink, &layer, sheet);
    }
  sl_ink_resize (sheet, SIDE, SIDE, picture, width, height);
}

/* The part of a pixel between two places, on one axis. */
static float
overlap (float lo, float hi, unsigned pixel)
{
  return fmaxf (fminf (hi, (float) pixel + 1.0f) - fmaxf (lo, (float) pixel), 0.0f);
}

static float
average (const float *from, unsigned width, unsigned height, float x0, float x1, float y0, float y1)
{
  float sum = 0.0f;

  for (unsigned y = (unsigned) y0; y < height && (float) y < y1; y++)
    for (unsigned x = (unsigned) x0; x < width && (float) x < x1; x++)
      sum += overlap (x0, x1, x) * overlap (y0, y1, y) * from[y * width + x];
  return sum / ((x1 - x0) * (y1 - y0));
}

void
sl_ink_resize (const float *from, unsigned from_width, unsigned from_height, float *to,
               unsigned width, unsigned height)
{
  float w = (float) from_width / (float) width, h = (float) from_height / (float) height;

  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      to[y * width + x] = average (from, from_width, from_height, w * (float) x,
                                   w * (float) (x + 1), h * (float) y, h * (float) (y + 1));
}
