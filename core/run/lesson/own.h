/* SPDX-License-Identifier: MIT
 *
 * The user's own lessons: the files *.lesson in a folder of the account, which is made when the first one is saved.  Their
 * names are "mine:" and that of the file without its ending, beside those of the program's ("1-gate").  */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SL_OWN_LESSON "mine:"

/* The folder; free with g_free(). */
char *sl_own_lessons_folder (void);

/* The names of the lessons in it, sorted, ended by NULL; the second has the program's before them.  Files whose names
 * are no UTF-8 are not among them.  Free with g_strfreev().  */
char **sl_own_lessons (void);
char **sl_all_lessons (void);

/* The path of an own lesson; NULL: the name is none of one.  Free with g_free(). */
char *sl_own_lesson_find (const char *name);

/* A path in the folder, which is made, that no file has yet, named after a title; NULL with a sentence.  Free with
 * g_free().  */
char *sl_own_lesson_path (const char *title, GError **error);

G_END_DECLS
