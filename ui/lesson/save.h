/* SPDX-License-Identifier: MIT
 *
 * What is on the screen as a step of a lesson, and whose answers are saved.  */
#pragma once

#include <adwaita.h>

#include "core/run/lesson/lesson.h"
#include "core/run/session/session.h"

/* Appends a step with the lab, data, seed and changed settings of the session, and these locks
 * (ended by NULL, or NULL), to the lesson in a file; `anew`, or where there is none, it begins one.
 * FALSE with a sentence; the file is then as it was.  */
gboolean sl_lesson_save_step (SlSession *session, const char *const *locks, const char *path,
                              gboolean anew, const char *title, const char *text, GError **error);

/* Asks the user for title and text, and whether the lesson is a new one.  `asked` is called with
 * them unless the user cancels.  */
typedef void (*SlLessonAsked) (const char *title, const char *text, gboolean existing,
                               gpointer data);
void sl_lesson_ask_step (GtkWindow *parent, SlLessonAsked asked, gpointer data);

/* Asks for the name or code that the answers are saved under; `named` is called with one that is good, unless
 * the user cancels.  */
typedef void (*SlLessonNamed) (const char *name, gpointer data);
void sl_lesson_ask_name (GtkWindow *parent, SlLessonNamed named, gpointer data);
