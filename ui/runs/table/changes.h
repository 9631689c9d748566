/* SPDX-License-Identifier: MIT
 *
 * What is done at once with several stored runs (SlRunItem).  */
#pragma once

#include <glib.h>

#include "core/run/store/store.h"

/* Pins them; where all are pinned, unpins them. */
void sl_run_changes_pin (SlStore *store, GPtrArray *items);

/* Gives them a colour of the theme, or with 0 takes theirs away. */
void sl_run_changes_colour (SlStore *store, GPtrArray *items, guint32 which);

/* Deletes those that no process trains, and returns their names, with which the deletion can be
 * undone.  Free with g_strfreev().  */
char **sl_run_changes_delete (SlStore *store, GPtrArray *items);
void   sl_run_changes_undelete (SlStore *store, char **names);
