/* SPDX-License-Identifier: MIT
 *
 * The data sets that some runs are on.  Errors on different data say nothing about each other, so charts that show
 * several say which.  */
#pragma once

#include "core/run/store/store.h"

typedef struct
{
  GArray     *name;              /* of SlChoice: specification and title, ended by an id of NULL */
  GArray     *hash;              /* of guint64, of each */
  GHashTable *by_name, *by_hash; /* 1 + the place of the first that has it */
} SlDataSets;

/* Those of `runs` (of SlStoreRun), each once, in their order. */
void sl_data_sets_init (SlDataSets *sets, const GPtrArray *runs);
void sl_data_sets_clear (SlDataSets *sets);

guint sl_data_sets_count (const SlDataSets *sets);

/* Place of the one that the run is on, which is among them. */
guint sl_data_sets_find (const SlDataSets *sets, const SlStoreRun *run);

/* Their names, ended by an id of NULL; and the title of one.  A file is called without its folder,
 * and options are left out where the others are enough to tell it apart.  They stay until the sets
 * are cleared.  */
const SlChoice *sl_data_sets_names (const SlDataSets *sets);
const char     *sl_data_sets_title (const SlDataSets *sets, const SlStoreRun *run);

/* A specification with all options written out, as runs keep it; of a file the path alone, since
 * the file itself says how it is split where no option does.  Free with g_free().  */
char *sl_data_sets_full_spec (const char *spec);

/* Whether the run is on the data of such a specification. */
gboolean sl_run_is_on (const SlStoreRun *run, const char *full);

/* The same numbers are the same data, wherever they were read. */
gboolean sl_run_is_on_other_data (const SlStoreRun *a, const SlStoreRun *b);
