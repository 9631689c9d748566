/* SPDX-License-Identifier: MIT
 *
 * What is on the screen as a step of a lesson, and whose answers are saved.  */
#pragma once

#include <adwaita.h>

#include "core/run/lesson/lesson.h"
#include "core/run/session/session.h"

/* What a step has beside the lab, data, seed and changed settings of the session. */
typedef struct
{
  const char        *title, *text;
  const char *const *show;  /* ids of panels, ended by NULL; or NULL */
  const char *const *locks; /* ids of parameters, likewise */
} SlStepSaved;

/* Appends a step to the lesson in a file, which begins with it where there is none.  It trains as far as the run has come,
 * as fast as the session does.  FALSE with a sentence; the file is then as it was.  */
gboolean sl_lesson_save_step (SlSession *session, const SlStepSaved *saved, const char *path,
                              GError **error);

/* Asks the user for title and text, and for which of the own lessons (own.h); `asked` is called with them unless the
 * user cancels.  Lesson NULL: a new one.  */
typedef void (*SlLessonAsked) (const char *title, const char *text, const char *lesson,
                               gpointer data);
void sl_lesson_ask_step (GtkWindow *parent, SlLessonAsked asked, gpointer data);

/* Asks for the name or code that the answers are saved under; `named` is called with one that is good, unless
 * the user cancels.  */
typedef void (*SlLessonNamed) (const char *name, gpointer data);
void sl_lesson_ask_name (GtkWindow *parent, SlLessonNamed named, gpointer data);
