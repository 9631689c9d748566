/* SPDX-License-Identifier: MIT
 *
 * A lesson on paper, A4, as PDF with text that can be selected: for the class its goal, steps, questions
 * with room and blank axes for the guess, places for the measured values and the state that it begins
 * from, on at most two pages; for the teacher a key with the misconception, the notes, the measured
 * values and plots.  In the user's language.  The same lesson gives the
 * same bytes; of a key all but what was timed.  */
#pragma once

#include <cairo.h>

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

enum { SL_WORKSHEET_PAGES = 2 };

/* The worksheet as PDF.  NULL with a sentence when memory ran out. */
GBytes *sl_worksheet_write (const SlLesson *lesson, GError **error);

/* The key.  Trains the runs of the lesson on the calling thread, which takes as long as a class without
 * people.  NULL with a sentence when a run fails.  */
GBytes *sl_worksheet_key (const SlLesson *lesson, GError **error);

/* Draws page `page` from 0 of the worksheet on a context whose unit is a point; for printers.  Returns
 * how many pages there are; cr NULL: only that.  */
unsigned sl_worksheet_draw (const SlLesson *lesson, cairo_t *cr, unsigned page);

G_END_DECLS
