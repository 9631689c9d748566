/* SPDX-License-Identifier: MIT
 *
 * What a store may take, and giving pages of the file back.  For the writing thread.  */
#pragma once

#include "core/run/store/store.h"

/* While the file is over the budget of the store, runs lose states, never curves: first those that were shown
 * instead of the newest, then those before the last one, then the last of unpinned runs, each time of deleted runs and
 * then of the run that was trained longest ago.  Runs in training and the one that was trained last keep theirs.  */
gboolean sl_store_make_room (SlStore *store, GError **error);

/* Gives some free pages back to the disk; true while there are more. */
bool sl_store_shrink (SlStore *store);
