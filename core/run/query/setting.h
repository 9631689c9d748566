/* SPDX-License-Identifier: MIT
 *
 * Settings of runs: in words, as what was varied in a sweep, and as what runs have in common that differ in nothing
 * but the seed.  Plain data; one thread at a time.  */
#pragma once

#include "core/run/query/data-sets.h"
#include "core/run/query/group.h"

G_BEGIN_DECLS

/* What differs among the runs of each sweep. */
typedef struct SlVaried SlVaried;

SlVaried *sl_varied_new (void);
SlVaried *sl_varied_ref (SlVaried *varied);
void      sl_varied_unref (SlVaried *varied);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlVaried, sl_varied_unref)

/* Takes a run into account, also one that it has; nothing is borrowed.  TRUE when its sweep varies more than before. */
gboolean sl_varied_add (SlVaried *varied, const SlStoreRun *run);

/* How many parameters vary in the run's sweep, and which, in the order of the lab; 0 in no sweep.  It never falls. */
unsigned sl_varied_params (const SlVaried *varied, const SlStoreRun *run, const unsigned **param);

/* "gate × k", or "" where nothing but the seed was varied.  Free with g_free(). */
char *sl_varied_text (const SlVaried *varied, const SlStoreRun *run);

/* "gate=noisy k=4", with " " between the settings and "=" before their values: what varies in the run's sweep
 * (`varied` NULL: that is not known), then what was set to another value than the default and matters, of a sweep's
 * runs also s, rank and k, one of which is what most sweeps vary.  "" where the lab is not known.  Free with
 * g_free().  */
char *sl_run_settings_text (const SlStoreRun *run, const SlVaried *varied, const char *between,
                            const char *is);

/* Almost surely the same for two runs of one lab, data and settings, whatever their seeds, and for no others. */
guint64 sl_run_setting_key (const SlStoreRun *run);

/* Numbers the settings of runs as the next does, in the order of their first runs; how many there are.  `data` are the data
 * sets of these runs.  */
guint sl_run_number_settings (const GPtrArray *runs, const SlDataSets *data,
                              unsigned *setting /* (runs->len) */);

/* As sl_run_groups(), those of one lab, data and settings each: runs that differ in nothing but the seed.  `named`:
 * their values are the settings that differ among all of `runs`, "gate noisy, k 4"; else they have none, and are in the
 * order of their first runs, which takes less time.  */
GArray *sl_run_setting_groups (const GPtrArray *runs, gboolean named,
                               unsigned *group /* (runs->len) */);

G_END_DECLS
