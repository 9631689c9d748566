/* SPDX-License-Identifier: MIT
 *
 * The places of the figures, the scale and the key of the cost strip in a given width.  */
#pragma once

#include "ui/overview/cost-row.h"

G_BEGIN_DECLS

/* What is to be placed, and how wide a text is, px. */
typedef struct
{
  const SlStripRow *row; /* (n) */
  unsigned          n;
  double            type; /* size, px */
  int (*width_of) (gpointer widget, const char *text);
  gpointer widget;
} SlStripSizes;

/* Px from the left. */
typedef struct
{
  double   error, dense;           /* right ends of columns; dense 0: there is none */
  double   left, right;            /* of the scale; left = right: there is no room for it */
  double   figure[SL_STRIP_COSTS]; /* right ends */
  double   key;                    /* the key's left end */
  gboolean spread, two_lines;      /* figures with their spread, a key on a line of its own */
} SlStripColumns;

SlStripColumns sl_strip_columns (const SlStripSizes *sizes, double width);

/* The least width has names and figures without a scale, the natural one a scale that can be read. */
void sl_strip_measure_width (const SlStripSizes *sizes, int *minimum, int *natural);

G_END_DECLS
