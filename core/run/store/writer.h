/* SPDX-License-Identifier: MIT
 *
 * The pen that writes one run into a store while it goes on.  Nothing here waits for the disk:
 * what comes in is gathered and handed to the store's thread every second, or when there is much
 * of it.  Where the store cannot write, everything is dropped and the run goes on in memory.
 *
 * A keeper belongs to one thread at a time.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

typedef struct SlKeeper SlKeeper;

/* Begins a run.  `recipe` is what it is made of at step 0 and may have changes to come;
 * `layout` names its channels.  `uuid` NULL: a new name; a run of the same name is replaced.
 * `sweep` NULL: none; `cell` is then the place of the run among several side by side, from 1, which
 * is forgotten when it is gone on with, or 0.  */
SlKeeper *sl_keeper_new (SlStore *store, const char *uuid, const SlRecipe *recipe,
                         const SlLayout *layout, const char *sweep, unsigned cell);

/* Goes on with a run that the store has, from a checkpoint of it, at `step` and after `seconds` of
 * training.  `record` is the run as it was loaded to resume.  Nothing is written before the run
 * really goes on, so that one which is only looked at stays as it is, finished or not; what
 * lies behind the checkpoint in the file is cut then.  */
SlKeeper *sl_keeper_resume (SlStore *store, const char *uuid, const SlRecord *record, uint64_t step,
                            double seconds);

/* Hands over what was gathered, and frees; the status stays what it was set to.  NULL is fine. */
void sl_keeper_free (SlKeeper *keeper);

const char *sl_keeper_uuid (const SlKeeper *keeper);

/* A sample.  Copies 24 bytes. */
void sl_keeper_sample (SlKeeper *keeper, const SlSample *sample);

/* How far the run is.  Call it now and then: hands over what was gathered when a second has gone by
 * since the last time.  */
void sl_keeper_tick (SlKeeper *keeper, uint64_t step, double seconds);

/* Whether the next tick will hand over. */
gboolean sl_keeper_is_due (const SlKeeper *keeper);

/* Flags as they are now: new ones are added, and texts that grew follow. */
void sl_keeper_flags (SlKeeper *keeper, const SlRecord *record);

/* The recipe with the changes made so far. */
void sl_keeper_recipe (SlKeeper *keeper, const SlRecipe *recipe);

/* A checkpoint, whose data are taken over, with how many changes and flags were made before it and
 * the seconds of training until then.  The newest few are kept, within 256 MiB.  */
void sl_keeper_checkpoint (SlKeeper *keeper, SlCheckpoint *checkpoint, unsigned changes,
                           unsigned flags, double seconds);

/* Everything after `step` is taken back, checkpoints too; `flags` are left. */
void sl_keeper_truncate (SlKeeper *keeper, uint64_t step, unsigned flags);

/* Whether the run goes on, paused, is over; hands over at once.  `problem` NULL: none.  */
void sl_keeper_status (SlKeeper *keeper, SlRunStatus status, const char *problem);

/* The run was not worth keeping: removes it.  Only sl_keeper_free() comes after this. */
void sl_keeper_discard (SlKeeper *keeper);

/* A score or another figure of the whole run. */
void sl_keeper_figure (SlKeeper *keeper, const char *name, double value);

/* Everything that a record has so far, for a run that comes into the store late.  */
void sl_keeper_record (SlKeeper *keeper, const SlRecord *record);

/* True when the store was in trouble since this keeper began: what it wrote is not whole.  Begin
 * another one of the same name once the store works again.  */
gboolean sl_keeper_lost (const SlKeeper *keeper);

/* Seconds between two checkpoints of so many bytes that cost the disk next to nothing. */
double sl_keeper_checkpoint_seconds (size_t bytes);

G_END_DECLS
