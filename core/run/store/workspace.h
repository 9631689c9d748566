/* SPDX-License-Identifier: MIT
 *
 * What the program needs to go on exactly where the user left: what the window showed, what could
 * be undone of each run, and the earlier state that a run was left at.  Written in the background
 * after all earlier jobs, so that the file never names a run that it does not have; unknown runs
 * are no error.  Any thread.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

/* The text that the window wrote last (ui/window/place/workspace.c says what is in it), or NULL; free with
 * g_free().  Reading waits for the disk.  */
void  sl_store_set_workspace (SlStore *store, const char *json);
char *sl_store_workspace (SlStore *store);

/* What can be taken back of a run, as sl_edits_write(). */
void sl_store_set_edits (SlStore *store, const char *uuid, const char *json);

/* A run shows this earlier state instead of its newest checkpoint, or that one again (NULL).  Copies. */
void sl_store_set_visit (SlStore *store, const char *uuid, const SlCheckpoint *visited);

/* Pictures of a run as it learned (core/run/moments), the newest of this step; NULL: none.  They are the first thing
 * that goes where the store has no room.  */
void sl_store_set_moments (SlStore *store, const char *uuid, uint64_t step, GBytes *moments);

/* Those that there are, or NULL; the caller unrefs.  FALSE with a sentence. */
gboolean sl_store_moments (SlStore *store, const char *uuid, GBytes **moments, GError **error);

G_END_DECLS
