/* SPDX-License-Identifier: MIT
 *
 * A drawing of the person's own as an input of a network: strokes of a soft pen and of an eraser on a sheet of
 * 28 × 28 pixels, moved to where the pictures of a data set have theirs.  Plain memory of a fixed size; any thread.
 *
 * Points are parts of the sheet, from 0 at the left or top to 1.  */
#pragma once

#include <stdbool.h>

#include "core/data/image/pen.h"
#include "core/data/set/dataset.h"

enum { SL_INK_POINTS = 4096, SL_INK_STROKES = 256 };

/* How the pictures of a data set lie on their sheets. */
typedef enum {
  SL_INK_WEIGHED, /* written figures of a size, their centre of mass in the middle */
  SL_INK_BOXED,   /* the same with the middle of their box there */
  SL_INK_FILLED,  /* things as wide or high as the sheet, grey within their outline */
} SlInkStyle;

typedef struct
{
  unsigned first, n; /* points */
  bool     erases;
} SlInkStroke;

typedef struct
{
  SlInkStyle  style;
  unsigned    n_strokes, n_points;
  SlInkStroke stroke[SL_INK_STROKES]; /* in the order in which they were drawn */
  float       at[SL_INK_POINTS][2];   /* pixels; their centres are whole numbers */
  bool        grounded;               /* there is a picture below the strokes */
  float       ground[SL_SHEET_PIXELS];
} SlInk;

/* The style of a data set, by its facts "boxed" and "filled". */
SlInkStyle sl_ink_style (const SlDataset *dataset);

/* An empty sheet. */
void sl_ink_begin (SlInk *ink, SlInkStyle style);

/* A sheet with a picture (height, width) of ink from 0 to 1 on it, which is never centred. */
void sl_ink_begin_on (SlInk *ink, SlInkStyle style, unsigned width, unsigned height,
                      const float *picture);

/* Puts the pen or the eraser down, and moves it on.  False, and nothing is changed, where the place is no number
 * or the sheet has no room for more.  */
bool sl_ink_press (SlInk *ink, double x, double y, bool erases);
bool sl_ink_move (SlInk *ink, double x, double y);

/* Scales and centres what is left of the strokes as the data set does; the pen stays as wide as it is. */
void sl_ink_settle (SlInk *ink);

/* Moves all of it by pixels of the sheet, from -28 to 28. */
void sl_ink_shift (SlInk *ink, int right, int down);

/* The picture (height, width), 0 to 1; at most 4096 pixels. */
void sl_ink_render (const SlInk *ink, unsigned width, unsigned height, float *picture);

/* True when the picture is blank. */
bool sl_ink_is_empty (const SlInk *ink);
