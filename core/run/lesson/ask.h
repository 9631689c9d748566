/* SPDX-License-Identifier: MIT
 *
 * How a question of a lesson is put to a person: the order of its options, and in words how near a guess has to
 * be.  In the window, on paper and in files for other programs.  */
#pragma once

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

/* The options of a CHOICE in the order of one person, drawn from the person's seed and the number of the step, from
 * 0: the option shown at place i is order[i], from 0.  Returns how many there are.  The same seed gives the same
 * order everywhere.  */
unsigned sl_question_order (const SlQuestion *question, unsigned step, uint64_t seed,
                            unsigned order[SL_LESSON_OPTIONS]);

/* How near a guess has to be, in the user's language: "within 5 points", of a curve "within 0.2 on average".  NULL: any
 * guess is taken.  Free with g_free().  */
char *sl_question_tolerance (const SlQuestion *question);

/* How to answer, and how near the guess has to be, in the user's language; NULL: nothing is to be said.  Free with
 * g_free().  */
char *sl_question_hint (const SlQuestion *question);

/* Whether a panel says the answer before it is given.  Where the step changes something, curves over updates go on after
 * the answer; but what follows from settings alone is drawn at once (a map of an untrained network gives nothing
 * away).  */
gboolean sl_question_told_by (const SlLessonStep *step, const SlPanel *panel);

/* Where a guess is drawn: the panel of curves that has the channel which is asked for, from whose layout *channel is, and
 * *at, the place along x that is asked for (curves over updates: at any).  Negative: on none, as of a formula.  */
int sl_question_panel (const SlQuestion *question, const SlLab *lab, const SlLayout *layout,
                       unsigned *channel, double *at);

/* Whether a formula of a step, from 0, has a number of the clock in it, which is another on each machine: a channel of
 * the panel "speed", or what an earlier step kept of one.  */
gboolean sl_formula_is_timed (const SlLesson *lesson, unsigned step, const char *formula);

G_END_DECLS
