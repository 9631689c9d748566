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

/* A text of a step in the user's language with a blank for each number in braces or, `filled`, with the formulas
 * marked as what is filled in.  A number of the clock has an asterisk behind it.  Free with g_free().  */
char *sl_worksheet_blanks (const SlLesson *lesson, unsigned step, const char *text, bool filled);

/* A copy whose texts and prompts are filled so: a walk puts the numbers in.  Free with sl_lesson_free(). */
SlLesson *sl_worksheet_mark (const SlLesson *lesson);

/* Whether the number that a step asks for is one of the clock. */
bool sl_worksheet_asks_time (const SlLesson *lesson, unsigned step);
/* Whether there is an asterisk in a lesson. */
bool sl_worksheet_has_times (const SlLesson *lesson);

/* The letter of the option at place `place` of a choice, from 0, and which of the lesson's options, from 0, it is. */
char sl_worksheet_option (const SlLesson *lesson, unsigned step, unsigned place, unsigned *option);

/* Axes for a drawn curve, with a curve of SL_SKETCH_POINTS values in them or, NULL, without one. */
double sl_worksheet_axes_height (const SlPaper *paper);
void   sl_worksheet_axes (SlPaper *paper, const SlQuestion *question, const SlLab *lab,
                          const double *curve);

/* A PDF document of A4 pages that `draw` draws, px for units. */
typedef void (*SlWorksheetDraw) (cairo_t *cr, gpointer data);
GBytes *sl_worksheet_pdf (const char *title, SlWorksheetDraw draw, gpointer data, GError **error);

/* The font of all of it. */
SlText *sl_worksheet_text (void);
