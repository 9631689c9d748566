/* SPDX-License-Identifier: MIT
 *
 * How each digit is written: pen strokes through points in the unit square, x to the right
 * and y down.  A stroke is a Catmull-Rom spline; a point given twice is a corner.  */
#pragma once

enum {
  SL_GLYPH_STROKES = 2,  /* at most, of one way of writing */
  SL_GLYPH_POINTS = 14,  /* at most, of one stroke */
  SL_GLYPH_VARIANTS = 3, /* at most, of one digit */
};

typedef struct
{
  unsigned n;
  float    at[SL_GLYPH_POINTS][2];
} SlStroke;

typedef struct
{
  unsigned n;
  SlStroke stroke[SL_GLYPH_STROKES];
} SlGlyph;

typedef struct
{
  unsigned n;
  SlGlyph  glyph[SL_GLYPH_VARIANTS];
} SlGlyphs;

/* The ways of writing the digits 0 to 9. */
extern const SlGlyphs sl_digit_glyphs[10];
