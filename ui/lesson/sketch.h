/* SPDX-License-Identifier: MIT
 *
 * A guess that is drawn on a plot, by pointer or by key, and stays there as a ghost while the run
 * goes on; with it earlier guesses.
 *
 * Keys while it is open and the plot has the focus: Left and Right go along the guess, Up and Down
 * bend it there, with Shift by little.  */
#pragma once

#include "core/run/lesson/lesson.h"
#include "ui/plot-view/view.h"

#define SL_TYPE_LESSON_SKETCH (sl_lesson_sketch_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonSketch, sl_lesson_sketch, SL, LESSON_SKETCH, GObject)

/* On the plot of the question's panel, which shows a run of `lab` under these settings.  The
 * question is borrowed.  The plot keeps to the axes of the question as long as the sketch
 * lives.  NULL without memory.
 * Signal: "changed"  something was drawn  */
SlLessonSketch *sl_lesson_sketch_new (SlPlotView *view, const SlLab *lab,
                                      const SlSettings *settings, const SlQuestion *question);

/* Open: it may be drawn on.  At first it is not. */
void sl_lesson_sketch_set_open (SlLessonSketch *self, gboolean open);

/* Puts a guess there. */
void sl_lesson_sketch_set (SlLessonSketch *self, const double values[SL_SKETCH_POINTS]);

/* Adds an earlier guess, made by another user; only the last few are shown. */
void sl_lesson_sketch_add_earlier (SlLessonSketch *self, const double values[SL_SKETCH_POINTS]);

/* The values as sl_lesson_player_answer() takes them, or NULL as long as nothing was drawn. */
char *sl_lesson_sketch_dup_answer (SlLessonSketch *self);
