/* SPDX-License-Identifier: MIT
 *
 * What the files of the lesson reader share.  Private to core/run.  Functions that return
 * gboolean give a sentence with line and key on FALSE.  */
#pragma once

#include "core/base/utf8.h"
#include "core/run/base/json.h"
#include "core/run/lesson/lesson.h"

typedef struct
{
  SlLesson     *lesson;
  const char   *subject;
  SlLessonState state;        /* at the step that is being read */
  SlLayout      layout;       /* of its lab */
  GHashTable   *kept;         /* names that steps before it kept */
  gboolean      asked, drawn; /* its question has a number for an answer; is a curve */
  GError      **error;
} SlLessonReader;

/* check.c: refuses what `at` has. */
gboolean sl_lesson_refuse (SlLessonReader *r, const SlJson *at, const char *found,
                           const char *expected);
gboolean sl_lesson_refuse_text (SlLessonReader *r, const SlJson *at, const char *found,
                                const char *expected); /* in quotes */
gboolean sl_lesson_refuse_status (SlLessonReader *r, const SlJson *at, const SlStatus *status);
gboolean sl_lesson_refuse_kind (SlLessonReader *r, const SlJson *at, const char *expected);
gboolean sl_lesson_refuse_value (SlLessonReader *r, const SlJson *at,
                                 const char *expected); /* its text or number, else its kind */

/* Only these keys, ended by NULL. */
gboolean sl_lesson_keys (SlLessonReader *r, const SlJson *object, const char *const *keys);

/* A member that must be there. */
gboolean sl_lesson_need (SlLessonReader *r, const SlJson *object, const char *key,
                         const SlJson **member);

/* In a reader of `at`: reads a member if it is there. */
#define SL_LESSON_MAYBE(key, read, ...)                                                            \
  ((member = sl_json_member (at, key)) == NULL || read (r, member, __VA_ARGS__))

gboolean sl_lesson_text (SlLessonReader *r, const SlJson *at, char **text);
gboolean sl_lesson_truth (SlLessonReader *r, const SlJson *at, gboolean *truth);
gboolean sl_lesson_whole (SlLessonReader *r, const SlJson *at, uint64_t lo, uint64_t *whole);
gboolean sl_lesson_check_formula (SlLessonReader *r, const SlJson *at);
gboolean sl_lesson_check_filled (SlLessonReader *r, const SlJson *at); /* a text with formulas */
/* One that reads the same before and after the answer. */
gboolean sl_lesson_check_asked (SlLessonReader *r, const SlJson *at);
gboolean sl_lesson_read_claims (SlLessonReader *r, const SlJson *at, SlLessonStep *step);

/* read.c */
gboolean sl_lesson_check_panel (SlLessonReader *r, const SlJson *at, const char *id);

/* question.c */
gboolean sl_lesson_read_question (SlLessonReader *r, const SlJson *at, SlLessonStep *step);
