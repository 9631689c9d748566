/* SPDX-License-Identifier: MIT
 *
 * Pages of flowing text and drawings for paper of 210 × 297 mm: what worksheets are written with.  Lines
 * are broken and pages turned as they fill; without a context nothing is drawn and only the pages are
 * counted.  Lengths are px of 1/96 inch.  One thread.  */
#pragma once

#include <cairo.h>

#include "plot/base/text.h"

#define SL_PAPER_PX(mm) ((mm) *96.0 / 25.4)

typedef struct
{
  cairo_t    *cr; /* scaled to px; NULL: nothing is drawn */
  SlText     *text;
  double      type;                     /* px of running text */
  double      left, right, top, bottom; /* px of the column */
  double      y;                        /* upper edge of what comes next */
  unsigned    pages;                    /* begun so far */
  unsigned    only; /* the one page that is drawn, from 1, and not ended; 0: all are */
  const char *foot; /* under each page, or NULL; borrowed */
} SlPaper;

/* Begins the first page. */
void sl_paper_begin (SlPaper *paper, cairo_t *cr, SlText *text, double type, const char *foot);

/* Ends the last one. */
void sl_paper_end (SlPaper *paper);

/* Goes to the next page unless `height` px are left on this one. */
void sl_paper_need (SlPaper *paper, double height);
void sl_paper_turn (SlPaper *paper);

/* Words between these two are underlined, as if they were written into a blank. */
#define SL_PAPER_FILLED "\001"
#define SL_PAPER_FILLED_END "\002"

/* A paragraph, `indent` px from the left, in `size` times the running type, with `gap` times that type
 * below.  Empty texts take no room.  */
void sl_paper_words (SlPaper *paper, const char *words, double indent, double size, bool bold,
                     double gap);

/* The height that it would have. */
double sl_paper_height (const SlPaper *paper, const char *words, double indent, double size,
                        double gap);

/* A line of text at a place, `grey` from 0, black, to 1. */
void sl_paper_put (SlPaper *paper, double x, double baseline, const char *words, double size,
                   bool bold, double grey);
/* A rule. */
void sl_paper_rule (SlPaper *paper, double x1, double y1, double x2, double y2, double width,
                    double grey);
