/* SPDX-License-Identifier: MIT
 *
 * Files of runs that were opened: the store has their runs, and each file is known by them until the window is closed.  */
#pragma once

#include "ui/runs/list/list.h"

typedef struct
{
  char       *path;
  GHashTable *uuids; /* names of its runs when it was opened */
  gboolean    there; /* some were in the list of runs */
} SlOpenedFile;

/* An array of SlOpenedFile, owned. */
GPtrArray *sl_opened_files_new (void);

/* Adds a file with the names of its runs, or has them replace those that it had; returns its place. */
guint sl_opened_files_keep (GPtrArray *files, const char *path, const char *const *uuids);

/* "runs.sluice, 8 runs": how many of its runs are in a list; before that is read (or NULL), all.  Free with g_free(). */
char *sl_opened_file_title (SlOpenedFile *file, SlRunList *list);
