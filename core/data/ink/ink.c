/* SPDX-License-Identifier: MIT */
#include "core/data/ink/ink.h"

#include <math.h>
#include <string.h>

#include "core/data/ink/private.h"

enum { SIDE = SL_SHEET_SIDE };

/* The longer side of the box of the points, in pixels: with the pen's width 20 or 28. */
static const float FIGURE = 18.0f, THING = 25.5f;

/* Points nearer to the last one say nothing new; those farther out are of no use. */
static const float APART = 0.25f, BEYOND = 2.0f * SIDE;

static const float MIDDLE = (SIDE - 1) / 2.0f;

SlInkStyle
sl_ink_style (const SlDataset *dataset)
{
  return sl_dataset_has (dataset, "data.filled")  ? SL_INK_FILLED
         : sl_dataset_has (dataset, "data.boxed") ? SL_INK_BOXED
                                                  : SL_INK_WEIGHED;
}

void
sl_ink_begin (SlInk *ink, SlInkStyle style)
{
  ink->style = style;
  ink->n_strokes = ink->n_points = 0;
  ink->grounded = false;
}

void
sl_ink_begin_on (SlInk *ink, SlInkStyle style, unsigned width, unsigned height,
                 const float *picture)
{
  sl_ink_begin (ink, style);
  ink->grounded = true;
  sl_ink_resize (picture, width, height, ink->ground, SIDE, SIDE);
}

static float
pixel (double part)
{
  return fminf (fmaxf ((float) (part * SIDE) - 0.5f, -BEYOND), BEYOND);
}

static bool
add (SlInk *ink, double x, double y)
{
  SlInkStroke *stroke = &ink->stroke[ink->n_strokes - 1];

  if (!isfinite (x) || !isfinite (y) || ink->n_points == SL_INK_POINTS)
    return false;
  ink->at[ink->n_points][0] = pixel (x);
  ink->at[ink->n_points][1] = pixel (y);
  ink->n_points++;
  stroke->n++;
  return true;
}

bool
sl_ink_press (SlInk *ink, double x, double y, bool erases)
{
  if (ink->n_strokes == SL_INK_STROKES)
    return false;
  ink->stroke[ink->n_strokes++] = (SlInkStroke) { ink->n_points, 0, erases };
  if (add (ink, x, y))
    return true;
  ink->n_strokes--;
  return false;
}

bool
sl_ink_move (SlInk *ink, double x, double y)
{
  const float *last;

  if (ink->n_strokes == 0)
    return false;
  last = ink->at[ink->n_points - 1];
  return hypotf (pixel (x) - last[0], pixel (y) - last[1]) < APART || add (ink, x, y);
}

/* What the strokes of the pen span where it was not erased. */
typedef struct
{
  float lo[2], hi[2];
} Box;

static bool
is_inked (const float *sheet, const float at[2])
{
  int x = (int) lrintf (at[0]), y = (int) lrintf (at[1]);

  return x >= 0 && x < SIDE && y >= 0 && y < SIDE && sheet[y * SIDE + x] > 0.2f;
}

static Box
box_of (const SlInk *ink, const float *sheet)
{
  Box box = { { HUGE_VALF, HUGE_VALF }, { -HUGE_VALF, -HUGE_VALF } };

  for (unsigned s = 0; s < ink->n_strokes; s++)
    for (unsigned i = 0; i < ink->stroke[s].n && !ink->stroke[s].erases; i++)
      {
        const float *at = ink->at[ink->stroke[s].first + i];

        for (int axis = 0; axis < 2 && is_inked (sheet, at); axis++)
          {
            box.lo[axis] = fminf (box.lo[axis], at[axis]);
            box.hi[axis] = fmaxf (box.hi[axis], at[axis]);
          }
      }
  return box;
}

/* From `from` to the middle of the sheet, larger by `scale`. */
static void
place (SlInk *ink, const float from[2], float scale)
{
  for (unsigned i = 0; i < ink->n_points; i++)
    for (int axis = 0; axis < 2; axis++)
      ink->at[i][axis]
        = fminf (fmaxf (MIDDLE + scale * (ink->at[i][axis] - from[axis]), -BEYOND), BEYOND);
}

static void
weigh (const float *sheet, float centre[2])
{
  float mass = 0.0f;

  centre[0] = centre[1] = 0.0f;
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    {
      mass += sheet[i];
      centre[0] += sheet[i] * (float) (i % SIDE);
      centre[1] += sheet[i] * (float) (i / SIDE);
    }
  for (int axis = 0; axis < 2; axis++)
    centre[axis] = mass > 0.0f ? centre[axis] / mass : MIDDLE;
}

/* A dot stays one. */
static float
scale_for (const SlInk *ink, const Box *box)
{
  float side = fmaxf (box->hi[0] - box->lo[0], box->hi[1] - box->lo[1]);
  float scale = (ink->style == SL_INK_FILLED ? THING : FIGURE) / fmaxf (side, 1.0f);

  return side < 2.0f ? 1.0f : scale;
}

void
sl_ink_settle (SlInk *ink)
{
  float sheet[SL_SHEET_PIXELS], centre[2];
  Box   box;

  if (ink->grounded)
    return;
  sl_ink_render (ink, SIDE, SIDE, sheet);
  box = box_of (ink, sheet);
  if (!(box.lo[0] <= box.hi[0]))
    return;
  for (int axis = 0; axis < 2; axis++)
    centre[axis] = (box.lo[axis] + box.hi[axis]) / 2.0f;
  place (ink, centre, scale_for (ink, &box));
  if (ink->style != SL_INK_WEIGHED)
    return;
  sl_ink_render (ink, SIDE, SIDE, sheet);
  weigh (sheet, centre);
  place (ink, centre, 1.0f);
}

static void
shift_ground (SlInk *ink, int right, int down)
{
  float before[SL_SHEET_PIXELS];

  memcpy (before, ink->ground, sizeof before);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      {
        int i = y - down, j = x - right;

        ink->ground[y * SIDE + x]
          = i >= 0 && i < SIDE && j >= 0 && j < SIDE ? before[i * SIDE + j] : 0.0f;
      }
}

void
sl_ink_shift (SlInk *ink, int right, int down)
{
  const float from[2] = { MIDDLE - (float) right, MIDDLE - (float) down };

  place (ink, from, 1.0f);
  if (ink->grounded)
    shift_ground (ink, right, down);
}

bool
sl_ink_is_empty (const SlInk *ink)
{
  float sheet[SL_SHEET_PIXELS], most = 0.0f;

  sl_ink_render (ink, SIDE, SIDE, sheet);
  for (int i = 0; i < SL_SHEET_PIXELS; i++)
    most = fmaxf (most, sheet[i]);
  return most < 0.05f;
}
