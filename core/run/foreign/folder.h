/* SPDX-License-Identifier: MIT
 *
 * Folders of logs: what TensorBoard takes for runs.  */
#pragma once

#include <glib.h>

typedef struct
{
  char *path; /* of a folder with event files in it */
  char
    *title; /* relative to the folder that was looked through: "run2/train"; of itself its name */
} SlForeignRun;

/* Runs in a folder and in its folders, by title, at most 64: an array of SlForeignRun, to be freed with
 * g_ptr_array_unref().  What a link leads to is left out.  *more (or NULL): there are more, or the folder is too
 * large to be looked through.  */
GPtrArray *sl_foreign_runs_in (const char *folder, gboolean *more);
