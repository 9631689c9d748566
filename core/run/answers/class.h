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

/* A row for each answer: name, step, kind, guess, measured, prompt; curves as 33 numbers with spaces
 * between.  Free with g_free().  */
char *sl_class_csv (const SlClass *class);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlClass, sl_class_free)

G_END_DECLS
