/* SPDX-License-Identifier: MIT
 *
 * The user's own lessons: the files *.lesson in a folder of the account, which is made when the first one is saved.  */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The folder; free with g_free(). */
char *sl_own_lessons_folder (void);

/* The paths of the lessons in it, by name, ended by NULL; free with g_strfreev(). */
char **sl_own_lessons (void);

/* A path in the folder, which is made, that no file has yet, named after a title; NULL with a sentence.  Free with
 * g_free().  */
char *sl_own_lesson_path (const char *title, GError **error);

G_END_DECLS
