/* SPDX-License-Identifier: MIT
 *
 * Names for files that are being written.  Which process a name belongs to can be read off it, so that
 * what a killed program left is removed by the next one that writes into the folder.  */
#pragma once

#include <glib.h>

/* When a process of this computer began, in ticks since the computer did; 0: there is none. */
unsigned long long sl_process_started (long pid);

/* A name in the folder of `path` that no file has, short whatever the length of the file's name.  Removes
 * what killed programs left there.  The caller frees it.  Any thread.  */
char *sl_temporary_name (const char *path);

/* A private folder for what is to leave nothing behind, where the system keeps temporary files; removes those of
 * programs that are gone.  The caller frees the name.  */
char *sl_temporary_folder (void);

/* Removes a file, or a folder with all that is in it, that belongs to this user; follows no links. */
void sl_temporary_remove (const char *path);
