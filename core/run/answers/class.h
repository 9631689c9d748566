/* SPDX-License-Identifier: MIT
 *
 * The answers of a class: those of one lesson, each file once, question by question.  Plain data, one
 * thread.  */
#pragma once

#include "core/run/answers/answers.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *people; /* of SlAnswers, by name */
} SlClass;

/* Free with sl_class_free(). */
SlClass *sl_class_new (void);
void     sl_class_free (SlClass *class);

/* Takes answers over.  FALSE with a sentence that names `subject`, and the answers are freed: they are of
 * another lesson, or the very same are there already.  */
gboolean sl_class_take (SlClass *class, SlAnswers *answers, const char *subject, GError **error);

/* The same from a file. */
gboolean sl_class_load (SlClass *class, const char *path, GError **error);

/* Steps from 1 that have an answer, in order, ended by 0, at most SL_LESSON_STEPS. */
void sl_class_steps (const SlClass *class, unsigned steps[SL_LESSON_STEPS + 1]);

/* What person `i` answered to a step; NULL: nothing. */
const SlAnswer *sl_class_answer (const SlClass *class, guint i, unsigned step);

/* Right ones of those that are marked. */
typedef struct
{
  unsigned right, marked;
} SlClassMarks;

/* Of the answers to a step. */
SlClassMarks sl_class_step_marks (const SlClass *class, unsigned step);

/* Of a person: `marked` counts the questions of the class that can be marked, also those that were not answered. */
SlClassMarks sl_class_person_marks (const SlClass *class, guint i);

/* A row for each person, one number a cell; a cell that is not known is empty.  Free with g_free().  Columns:
 *
 *   name
 *   step2_guess       the chosen option, in words, or the number; of a curve there is instead
 *   step2_distance    its mean distance from the measured one
 *   step2_measured    the right option or the number that was measured; none of a curve
 *   step2_right       1 or 0; empty: not answered, or not marked
 *   right, marked     right ones of the questions that are marked
 *   percent
 *
 * and the same of each other step with an answer, counted from 1.  What a spreadsheet would compute has an
 * apostrophe before it.  */
char *sl_class_csv (const SlClass *class);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlClass, sl_class_free)

G_END_DECLS
