/* SPDX-License-Identifier: MIT
 *
 * Notes that a person wrote on a plot: each hangs on a place in units of the axes, where there are
 * some, and so stays with the data while they are zoomed or grow.  Plain data.  */
#pragma once

enum { SL_REMARKS_MAX = 12, SL_REMARK_TEXT = 256 };

typedef struct
{
  double x, y; /* units of the axis; without one, the part of the plot from the left or the top */
  char   text[SL_REMARK_TEXT]; /* UTF-8 */
} SlRemark;

typedef struct
{
  unsigned n;
  SlRemark at[SL_REMARKS_MAX]; /* (n) the last one lies on top */
} SlRemarks;

/* Copies a text, cut between letters to what a note holds. */
void sl_remark_set_text (SlRemark *remark, const char *text);
