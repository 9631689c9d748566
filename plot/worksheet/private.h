/* SPDX-License-Identifier: MIT
 *
 * What worksheet and key share.  */
#pragma once

#include "core/run/lesson/lesson.h"
#include "plot/worksheet/paper.h"

/* Title, place for a name, goal and duration, and the line of the state. */
void sl_worksheet_head (SlPaper *paper, const SlLesson *lesson, bool key);

/* "3  One unit in five  (What?)" */
void sl_worksheet_heading (SlPaper *paper, const SlLesson *lesson, unsigned step);

/* Blank axes for a drawn curve. */
double sl_worksheet_axes_height (const SlPaper *paper);
void   sl_worksheet_axes (SlPaper *paper, const SlQuestion *question, const SlLab *lab);

/* A PDF document of A4 pages that `draw` draws, px for units. */
typedef void (*SlWorksheetDraw) (cairo_t *cr, gpointer data);
GBytes *sl_worksheet_pdf (const char *title, SlWorksheetDraw draw, gpointer data, GError **error);

/* The font of all of it. */
SlText *sl_worksheet_text (void);
