/* SPDX-License-Identifier: MIT
 *
 * The colour axis of a figure: values to colours, on a sequential map or, where a neutral value
 * lies inside the range, on a diverging one.  Plain C.  */
#pragma once

#include "plot/base/scale.h"
#include "plot/base/theme.h"

typedef struct
{
  SlScale scale;        /* values of the ends; linear or logarithmic */
  double  centre;       /* lo < centre < hi: the neutral value of a diverging map */
  bool    below, above; /* some values lie beyond that end and have its colour */
} SlTint;

/* A range, made usable as by sl_scale_new(). */
SlTint sl_tint_new (double lo, double hi, double centre, bool logarithmic);

/* Colour of a value; what is beyond an end (or cannot be shown on a logarithmic axis) has the
 * colour of the end, not-a-number and infinities are pale alarm.  */
SlRgba sl_tint_colour (const SlTheme *theme, const SlTint *tint, double value);

/* The same at a position on the axis, 0 at lo, 1 at hi; for tables of colours. */
SlRgba sl_tint_at (const SlTheme *theme, const SlTint *tint, double position);

/* Of the lines of a hatching over a colour: where they lie, in px, and how they look. */
double sl_hatch_pitch (const SlTheme *theme);
double sl_hatch_width (const SlTheme *theme);
SlRgba sl_hatch_ink (SlRgba under);
