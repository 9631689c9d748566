/* SPDX-License-Identifier: MIT
 *
 * The event files of one run of TensorBoard: they lie in one folder, and a program that goes on begins another one.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

typedef struct
{
  char  *path;
  double began; /* as sl_events_began() */
} SlEventFile;

typedef struct
{
  SlEventFile
    *file; /* (n) in the order of the time at which they begin; those that do not say it are last */
  size_t n, room;
} SlEventFiles;

/* Whether a file is called as event files are. */
bool sl_event_file_named (const char *name);

/* Lists those in a folder, not in the folders in it; there may be none.  SL_ENOMEM.  To be cleared also after a failure. */
SlStatus sl_event_files_in (const char *folder, SlEventFiles *files);
void     sl_event_files_clear (SlEventFiles *files);

/* The one folder that has event files, `folder` or one in it, by a new path for the caller to free().  SL_EIO: none has;
 * SL_EFORMAT: several have, with what they are called; SL_ENOMEM.  What a link leads to is left out.  */
SlStatus sl_event_folder (const char *folder, char **path);
