/* SPDX-License-Identifier: MIT
 *
 * Curves of stored runs for other programs.  Names of runs have "-" for what no folder can be called, and the beginning of
 * the id behind one that an earlier run of the list has.  `uuids` ends with NULL; any thread.  */
#pragma once

#include "core/run/store/store.h"

/* One table of all runs, as in sl_wide_csv(), a column of a run called after its name.  All are in memory at once.
 * NULL with a sentence; free with g_free().  */
char *sl_stored_wide (SlStore *store, const char *const *uuids, GError **error);

/* An event file of TensorBoard for each run, in a folder that has its name, within a folder that is made if it is not
 * there.  FALSE with a sentence; what was written before stays.  */
gboolean sl_stored_events (SlStore *store, const char *const *uuids, const char *folder,
                           GError **error);
