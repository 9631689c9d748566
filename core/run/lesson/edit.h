/* SPDX-License-Identifier: MIT
 *
 * Changes of a lesson by its author.  What comes out is checked by reading what sl_lesson_write() makes of it.  */
#pragma once

#include "core/run/lesson/lesson.h"

G_BEGIN_DECLS

/* Puts step `from` at place `to`; both count from 0. */
void sl_lesson_move (SlLesson *lesson, unsigned from, unsigned to);
void sl_lesson_remove (SlLesson *lesson, unsigned step);

/* A channel that a question can be about: a curve over updates that the run of a step measures. */
typedef struct
{
  char *id;    /* "error.valid" */
  char *title; /* in the user's language: "Error: validation" */
  char *panel; /* id of its panel */
  char *unit;  /* "%" or "" */
} SlAskable;

/* Those of a step, in the order of the lab's panels; none on the start page.  Free with g_ptr_array_unref(). */
GPtrArray *sl_lesson_askable (const SlLesson *lesson, unsigned step);

/* Checks the lesson as a file of it would be: FALSE with a sentence that has line and key. */
gboolean sl_lesson_check (const SlLesson *lesson, GError **error);

G_END_DECLS
