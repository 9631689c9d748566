/* SPDX-License-Identifier: MIT
 *
 * Where a fresh start keeps what would be among the account's files: a private folder of the process, which goes with
 * it, or with the next fresh start if it crashed.  */
#pragma once

#include <gtk/gtk.h>

/* Makes a folder in it that is empty; free with g_free().  From the first one on, the toolkit keeps compiled shaders
 * nowhere, and its list of recent files there, anew each time; but one that it has read already is the account's.  */
char *sl_fresh_folder (void);

/* Removes a folder of it once an object is gone. */
void sl_fresh_remove_after (GObject *object, const char *folder);

/* Removes all, at the very end of the program. */
void sl_fresh_end (void);
