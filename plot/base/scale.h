/* SPDX-License-Identifier: MIT
 *
 * One axis as mathematics: a range, linear or base-10 logarithmic, mapped to 0..1, its
 * round tick values (1-2-5, or decades) and their labels.  Plain C; no drawing.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SL_TICKS_MAX = 64, SL_TICK_LABEL = 40 };

typedef struct
{
  double lo, hi; /* finite, lo < hi; both positive when logarithmic */
  double foot; /* logarithmic: the part of the length before `lo`, with zero at its end; 0: none */
  bool   logarithmic;
} SlScale;

typedef struct
{
  double value;
  bool   minor;                /* a shorter line, no label */
  char   label[SL_TICK_LABEL]; /* "0.3", "20 k", "10⁻³"; "" when minor */
} SlTick;

/* The one place where awkward ranges are made usable: lo = hi gets a range around it, lo > hi
 * is swapped, no finite value gives 0..1 (1..10 when logarithmic), and a logarithmic range
 * that reaches down to or below zero is cut at 1e-6 of its top.  */
SlScale sl_scale_new (double lo, double hi, bool logarithmic);

/* Widens the ends to round numbers, so that an axis that follows its data rarely moves.  About
 * `ticks` intervals.  */
void sl_scale_widen (SlScale *scale, unsigned ticks);

/* The value at the beginning of the axis: lo, or the zero of a foot. */
double sl_scale_least (const SlScale *scale);

/* Position of a value: 0 at lo, 1 at hi, outside beyond.  Where there is a foot, zero is at 0 and
 * values below lo are on the way to it.  A value that a logarithmic axis cannot show is -HUGE_VAL;
 * not-a-number stays one.  */
double sl_scale_map (const SlScale *scale, double value);

/* The value at a position; the inverse of sl_scale_map(). */
double sl_scale_unmap (const SlScale *scale, double position);

/* Ticks inside [lo, hi], and at the zero of a foot, in increasing order, about `wanted` with labels; at
 * most SL_TICKS_MAX.  Returns how many; at least two have labels unless `wanted` < 2.  `integers`: no
 * tick between whole numbers, even if that leaves less.  */
unsigned sl_scale_ticks (const SlScale *scale, unsigned wanted, bool integers,
                         SlTick ticks[SL_TICKS_MAX]);

/* A number to be read: at most `digits` significant digits, no trailing zeros, a real minus sign,
 * "12 k" and "3.4 M" from ten thousand on, powers of ten for the very small.  Always the C locale.
 * Returns `text`.  */
const char *sl_number_text (double value, int digits, char *text, size_t size);

/* The same with its spread, "1.83 ± 0.05": with decimals as far as the first digit of the spread.
 * Without one where that is no positive number, or too small to show.  */
const char *sl_spread_text (double value, double spread, int digits, char *text, size_t size);

/* The same with two digits of the half width of an interval, "1.83 ± 0.052" or "12.31 k ± 452", which two
 * means that are compared need.  */
const char *sl_interval_text (double value, double half, int digits, char *text, size_t size);

/* A share of something in percent, never longer than "> 999": whole from 10 on. */
const char *sl_percent_text (double percent, char *text, size_t size);
