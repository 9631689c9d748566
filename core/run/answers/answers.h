/* SPDX-License-Identifier: MIT
 *
 * What one person answered in a lesson, as a small JSON file with a name or code of the person's choice
 * and nothing else about the person:
 *
 *   { "sluice-answers": 1, "lesson": "…" (title), "of": "0123456789abcdef" (hash of the lesson),
 *     "name": "…", "answers": [
 *       { "step": 2, "kind": "choice", "prompt": "…", "options": [ "…", "…" ], "right": 2, "guess": 1 },
 *       { "step": 3, "kind": "number", "prompt": "…", "range": [ 0, 100 ], "unit": "%", "tolerance": 5,
 *         "guess": 20, "measured": 24.0 },
 *       { "step": 4, "kind": "curve", "prompt": "…", "range": [ 0, 100 ], "along": [ 0, 800 ],
 *         "tolerance": 8, "off": 5.5, "guess": [ 33 numbers ], "measured": [ 33 numbers or null ] } ] }
 *
 * Steps count from 1.  "right", "tolerance", "measured" and "off" may be left out: a class can be drawn without the
 * lesson, and an answer without them is not marked.  "off" is the mean distance of the curves at what was measured.
 * Plain data, one thread.  */
#pragma once

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

enum {
  SL_ANSWERS_BYTES = 1 << 16, /* of a file, at most */
  SL_ANSWERS_NAME = 60,       /* bytes of a name */
};

typedef struct
{
  unsigned  step; /* from 1 */
  SlAskKind kind; /* never NOTHING */
  char     *prompt;
  char    **options; /* CHOICE: ended by NULL */
  char     *unit;    /* NUMBER; never NULL */
  double    lo, hi, from, to;
  unsigned  right, option; /* CHOICE: from 1; right 0: none is */
  double    number;        /* NUMBER */
  double    measured;      /* NUMBER; of a CURVE its mean distance; not-a-number: unknown */
  double    tolerance;     /* not-a-number: is not marked */
  double sketch[SL_SKETCH_POINTS], curve[SL_SKETCH_POINTS]; /* CURVE: guess and measurement, which
                                                                  * may have not-a-numbers */
} SlAnswer;

typedef struct
{
  char      *lesson, *name;
  uint64_t   of;
  GPtrArray *answers; /* of SlAnswer, by step */
} SlAnswers;

typedef enum {
  SL_ANSWER_OPEN, /* not marked, or not yet */
  SL_ANSWER_WRONG,
  SL_ANSWER_RIGHT,
} SlAnswerMark;

/* Of an option, from 1, where `right` is the right one, 0: none is; and of a number or a curve that is so far off. */
SlAnswerMark sl_mark_option (unsigned right, unsigned option);
SlAnswerMark sl_mark_distance (double off, double tolerance);
/* The same of an answer. */
SlAnswerMark sl_answer_mark (const SlAnswer *answer);

/* Mean distance of a drawn curve from the measured one: as the file says, or that of its points. */
double sl_answer_distance (const SlAnswer *answer);

/* Without answers; free with sl_answers_free(). */
SlAnswers *sl_answers_new (const SlLesson *lesson, const char *name);
void       sl_answers_free (SlAnswers *answers);

/* The program's own lesson that they are answers to; NULL: it is none of those.  Free with sl_lesson_free(). */
SlLesson *sl_answers_find_lesson (const SlAnswers *answers);

/* Adds one to the question of a step, counted from 0, which has one: the guess and what was measured are
 * still to be filled in.  In the order of the steps.  */
SlAnswer *sl_answers_add (SlAnswers *answers, const SlLesson *lesson, unsigned step);

/* FALSE with a sentence: not empty, not too long, one line. */
gboolean sl_answers_check_name (const char *name, GError **error);

/* The JSON text; free with g_free(). */
char *sl_answers_write (const SlAnswers *answers);

/* Reads it.  Everything is checked; NULL with a sentence that names `subject`, line and key. */
SlAnswers *sl_answers_parse (const char *text, gsize length, const char *subject, GError **error);
SlAnswers *sl_answers_load (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlAnswers, sl_answers_free)

G_END_DECLS
