/* SPDX-License-Identifier: MIT
 *
 * Writes one run into a store while it goes on.  Nothing here waits for the disk:
 * what comes in is gathered and handed to the store's thread every second, or when there is much
 * of it.  Where the store cannot write, it waits there until the store can.
 *
 * A writer belongs to one thread at a time.  */
#pragma once

#include "core/run/store/store.h"

G_BEGIN_DECLS

typedef struct SlWriter SlWriter;

/* Begins a run.  `recipe` is what it is made of at step 0 and may have changes to come;
 * `layout` names its channels.  `uuid` NULL: a new name; a run of the same name is replaced.
 * `sweep` NULL: none; `cell` is then the place of the run among several side by side, from 1,
 * or 0.  */
SlWriter *sl_writer_new (SlStore *store, const char *uuid, const SlRecipe *recipe,
                         const SlLayout *layout, const char *sweep, unsigned cell);

/* Goes on with a run that the store has, from a checkpoint of it, at `step` and after `seconds` of
 * training.  `record` is the run as it was loaded to resume, `cell` its place now, unless it is of a sweep.  Nothing is written before the run
 * really goes on, so that one which is only looked at stays as it is, finished or not; what
 * lies behind the checkpoint in the file is cut then.  */
SlWriter *sl_writer_resume (SlStore *store, const char *uuid, const SlRecord *record, uint64_t step,
                            double seconds, unsigned cell);

/* Hands over what was gathered, and frees; the status stays what it was set to.  NULL is fine. */
void sl_writer_free (SlWriter *writer);

const char *sl_writer_uuid (const SlWriter *writer);

/* A sample.  Copies 24 bytes. */
void sl_writer_sample (SlWriter *writer, const SlSample *sample);

/* How far the run is.  Call it now and then: hands over what was gathered when a second has gone by
 * since the last time.  */
void sl_writer_tick (SlWriter *writer, uint64_t step, double seconds);

/* Hands over what was gathered, now. */
void sl_writer_hand_over (SlWriter *writer);

/* Whether the next tick will hand over. */
gboolean sl_writer_is_due (const SlWriter *writer);

/* Flags as they are now: new ones are added, and texts that grew follow. */
void sl_writer_markers (SlWriter *writer, const SlRecord *record);

/* The recipe with the changes made so far. */
void sl_writer_recipe (SlWriter *writer, const SlRecipe *recipe);

/* A checkpoint, whose data are taken over, with how many changes and flags were made before it and
 * the seconds of training until then.  The newest few are kept, within 256 MiB.  */
void sl_writer_checkpoint (SlWriter *writer, SlCheckpoint *checkpoint, unsigned changes,
                           unsigned flags, double seconds);

/* Everything after `step` is taken back, checkpoints too; `flags` are left. */
void sl_writer_truncate (SlWriter *writer, uint64_t step, unsigned flags);

/* Whether the run goes on, paused, is over; hands over at once.  `problem` NULL: none.  */
void sl_writer_status (SlWriter *writer, SlRunStatus status, const char *problem);

/* The run was not worth keeping: removes it.  Only sl_writer_free() comes after this. */
void sl_writer_discard (SlWriter *writer);

/* The scores (n) of a split, as sl_store_set_scores() has them. */
void sl_writer_scores (SlWriter *writer, SlSplit split, const SlScore *score, unsigned n,
                       uint64_t at);

/* Everything that a record has so far, for a run that comes into the store late.  */
void sl_writer_record (SlWriter *writer, const SlRecord *record);

/* True when the store refused something of the run for another reason than the disk, as another program that trains
 * it: what it wrote is not whole, and nothing more is written.  Begin another one of the same name once the
 * store works again.  */
gboolean sl_writer_lost (const SlWriter *writer);

/* Seconds between two checkpoints of so many bytes that cost the disk next to nothing. */
double sl_writer_checkpoint_seconds (size_t bytes);

G_END_DECLS
