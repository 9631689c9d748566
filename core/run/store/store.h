/* SPDX-License-Identifier: MIT
 *
 * Runs on disk: an SQLite file that keeps every run with its recipe, samples, flags, figures and
 * checkpoints, written by a thread of its own in batches, so that neither trainer nor window waits.
 * writer.h is the way in for a run that goes on; here is everything else.
 *
 * A store may be used by several programs at once (write-ahead log; a writer waits up to half a
 * minute for another).  A program that is killed loses what its last second held, never a run that
 * was stored.  Files are recognised by application_id 0x536c7563 ("Sluc") and by user_version, 2
 * here; 1, whose states are not compressed, becomes 2 when it is opened for writing; a newer one is refused with a
 * sentence.
 *
 * A notebook can read it.  Tables (numbers are little-endian in blobs):
 *   run         a row per run: uuid, name, colour, lab, recipe (JSON), seed, status, step
 *   channel     run, number, name ("signs.recall.2"), n samples, last value
 *   block       run, channel, position, n, first step, stride, data, sum.  With a stride, `data`
 *               is n float64 values at first, first + stride, …; with stride 0, n int64 steps come
 *               before the values.  n is 500 in all blocks of a channel but the last.  `sum` is the
 *               CRC-32 of `data`.
 *   flag        run, number, step, text
 *   figure      run, name, value: scores ("test.error") and what else a whole run has to show
 *   checkpoint  run, step, changes and flags made until then, seconds, bytes, data, sum.  `data` is a
 *               state of so many bytes (core/train/checkpoint.h, it begins with text), or a Zstandard
 *               frame of it in which byte 0 of all its float32 comes first, then byte 1, 2, 3 and what
 *               is left over; the settings are those of the recipe with its first `changes` changes.
 *   picture     run, data: a PNG file, of runs of a sweep whose lab makes a picture
 *   edits       run, text: what can be taken back of it, as JSON (core/run/record/edits.h)
 *   visit       run, step, present, data, sum: the earlier state that was shown of it when it stood at
 *               `present`, as in a checkpoint
 *   annotation  run, note, tags: what the user wrote of it; tags with commas between (annotation.h)
 *   workspace   id (0), text: what the window showed last, as JSON (workspace.h)
 * and two views, samples_of_run (run, channel, name, position, n, first, stride, data) and runs
 * (those not deleted, times as text).
 *
 * Functions are for the main thread unless they say otherwise, and take and give UTF-8.  Errors are
 * in SL_ERROR: SL_EIO the system refused (full, read-only, locked, missing), SL_EFORMAT not a store
 * or a damaged one, SL_EUNSUPPORTED a newer version, SL_EINVAL no such run.  */
#pragma once

#include <glib-object.h>

#include "core/base/packed.h"
#include "core/run/base/error.h"
#include "core/run/record/edits.h"
#include "core/run/record/history.h"
#include "core/run/record/outcome.h"
#include "core/run/record/recipe.h"
#include "core/run/record/record.h"

G_BEGIN_DECLS

/* Signals, on the main context that was the thread's default when it was opened:
 *   "changed"  runs were added, edited, or went on by at least a second
 *   "changed-elsewhere"  another program wrote into the file, while the store is watched
 *   "trouble"  nothing can be written any more, or again: see sl_store_error() */
#define SL_TYPE_STORE (sl_store_get_type ())
G_DECLARE_FINAL_TYPE (SlStore, sl_store, SL, STORE, GObject)

typedef enum {
  SL_RUN_RUNNING, /* some program is at it */
  SL_RUN_PAUSED,
  SL_RUN_FINISHED, /* reached its limit */
  SL_RUN_DIVERGED,
  SL_RUN_CUT_OFF, /* the program that was at it is gone */
  SL_RUN_FAILED,
  SL_RUN_PRUNED, /* an earlier version gave it up at that step; it can go on, and is on no trade-off */
  SL_N_RUN_STATUSES,
} SlRunStatus;

/* "running", "paused", "finished", "diverged", "cut-off", "failed", "pruned"; as in the file. */
const char *sl_run_status_text (SlRunStatus status);

/* The other way round; failed for any other word. */
SlRunStatus sl_run_status_of (const char *text);

/* A figure or the last value of a channel. */
typedef struct
{
  const char *name; /* interned: compare pointers of g_intern_string() */
  double      value;
} SlRunScore;

/* One line of the table of runs, in little room: a store may have a hundred thousand.  Texts that many runs share are
 * interned.  */
typedef struct
{
  char         uuid[SL_UUID];
  char        *name;   /* given by the user, or "quiet heron 7" (name.h) */
  unsigned     colour; /* of the palette, from 1 */
  const SlLab *lab;    /* NULL: of a lab that this version does not have */
  const char  *lab_id;
  SlPacked    *settings;   /* at the end, changes included; NULL where lab is NULL */
  unsigned     recipe_sum; /* the same for the same recipe; sl_store_recipe() reads that */
  const char  *data;       /* specification, or "" */
  uint64_t     data_hash, seed;
  const char  *kernel, *version;
  unsigned     threads;
  SlRunStatus  status;
  const char  *problem; /* why it failed or diverged, or "" */
  uint64_t     step;
  double       seconds; /* of training */
  double       created; /* seconds since 1970, UTC */
  double       touched; /* the same: when it went on last, by the clock of the computer that trained
                         * it */
  const char  *sweep;   /* name of the sweep that it belongs to, or "" */
  unsigned     cell;    /* number of the run in the sweep; of no sweep: among runs side by side,
                           * from 1, or 0 */
  gboolean     pinned, deleted;
  gboolean     resumable;   /* has a checkpoint */
  char        *note, *tags; /* annotation.h; NULL: none */
  SlRunScore  *figure;      /* (n_figures) figures, then channels with their last value */
  unsigned     n_figures;
  double       valid_at; /* update of the last value of the lab's channel `valid`; NaN: not known */
  int          shared;   /* references besides the first */
} SlStoreRun;

/* A further reference, in whatever thread; sl_store_run_free() drops one. */
const SlStoreRun *sl_store_run_share (const SlStoreRun *run);

void   sl_store_run_free (SlStoreRun *run);
double sl_store_run_score (const SlStoreRun *run, const char *name); /* NaN: has none */

/* Whether a run that was trained has no state to go on from: it begins anew when it is resumed.  Not said of runs of
 * a sweep, none of which keeps one when it is finished.  */
gboolean sl_store_run_is_curves_only (const SlStoreRun *run);

/* Its settings, or one of them, where the lab is known. */
void    sl_store_run_settings (const SlStoreRun *run, SlSettings *settings);
SlValue sl_store_run_value (const SlStoreRun *run, unsigned param);

/* Whether a word is the beginning of its id, or its name, which may have "-" for spaces. */
gboolean sl_store_run_is_called (const SlStoreRun *run, const char *word);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlStoreRun, sl_store_run_free)

/* The errors of a run in the unit of the lab's `error`, each with the update that it was measured at; not-a-number: has
 * none, or not known.  */
typedef struct
{
  double test, test_at;   /* of all test examples */
  double valid, valid_at; /* of all validation examples, or as evaluated in training since */
} SlStoreErrors;

void sl_store_run_errors (const SlStoreRun *run, SlStoreErrors *errors);

/* What it has to show in a trade-off, as far as it was kept with it. */
void sl_store_run_outcome (const SlStoreRun *run, SlOutcome *outcome);

/* Everything of one run, as it was at its newest checkpoint or at the end of its samples. */
typedef struct
{
  char         uuid[SL_UUID];
  SlRecipe     recipe;     /* with all changes that were made */
  SlRecord     record;     /* generation 1 */
  SlCheckpoint checkpoint; /* data NULL: none, begin at step 0 */
  SlHistory    earlier;    /* to resume: checkpoints before that one, to look back at */
  SlCheckpoint
          visited; /* to resume: the one that was shown instead of the newest; data NULL: none */
  SlEdits edits;   /* to resume: what can be taken back; lists NULL: nothing known */
  GBytes           *
    moments; /* to resume: pictures of it as it learned, as sl_store_set_moments() had them; NULL: none */
  unsigned    changes;      /* how many of the recipe's come before the checkpoint */
  unsigned    made, marked; /* to resume: the changes and flags made until then, at its step too */
  double      seconds;      /* of training until there */
  SlRunStatus status;
  gboolean    deleted;
  gboolean
    curves_only; /* to resume: it has no state left, and begins anew as another run: uuid is "" */
  char *view;    /* as in sl_store_set_view(), or NULL */
} SlStoredRun;

void sl_stored_run_clear (SlStoredRun *run);

/* Opens a store, or makes one (and its folder).  NULL with a sentence.  The store writes until
 * the last reference is dropped, which waits for what is under way; of a store in trouble that is one more
 * try, with two seconds for another program's lock.  */
SlStore *sl_store_open (const char *path, GError **error);

/* The same for a file that is only looked at and stays as it is; its trouble is that nothing can be
 * written.  */
SlStore *sl_store_open_to_read (const char *path, GError **error);

const char *sl_store_path (SlStore *store);

/* Why nothing can be written, or NULL.  Meanwhile what is to be written waits in memory (of the
 * checkpoints of a run the newest), and the store tries again after 5 s, then less often, down to once a
 * minute.  */
const GError *sl_store_error (SlStore *store);

/* Where the file is that the store has open. */
typedef enum {
  SL_STORE_THERE,
  SL_STORE_GONE,     /* it was deleted, moved, or its folder was */
  SL_STORE_REPLACED, /* and another file has its name */
} SlStorePlace;

/* As of the last try to write. */
SlStorePlace sl_store_place (SlStore *store);

/* Whether it was opened to write, and will be written once there is no trouble. */
gboolean sl_store_writes (SlStore *store);

/* Tries again at once; a store that is gone is then made again at its path, with all that it had. */
void sl_store_retry (SlStore *store);

/* Goes on at another path, with all that the store has, in the place of what has this name unless another
 * program has that open.  In the background; until it is done, sl_store_error() says why not.  */
void sl_store_move (SlStore *store, const char *path);

/* Waits until all earlier jobs are in the file, or until there is trouble.  Any thread.  FALSE with the
 * trouble.  */
gboolean sl_store_flush (SlStore *store, GError **error);

/* The same at the end of a program: tries once more where there is trouble, and keeps the runs of a store that is
 * gone or replaced, if need be in a file beside it.  FALSE with what is not at the store's path.  */
gboolean sl_store_settle (SlStore *store, GError **error);

/* All runs in the order of their making, of SlStoreRun with sl_store_run_free(); deleted ones only
 * with `with_deleted`.  `sweep` NULL: of all sweeps and none.  Any thread.  NULL with a
 * sentence.  */
GPtrArray *sl_store_list (SlStore *store, const char *sweep, gboolean with_deleted, GError **error);

/* Those that are not deleted and went on after a time (seconds since 1970), likewise. */
GPtrArray *sl_store_list_since (SlStore *store, double touched, GError **error);

/* Page after page of those that are not deleted: at most so many behind the run `after` (NULL: from the first), likewise.
 * Between two pages other readers have their turn.  */
GPtrArray *sl_store_list_page (SlStore *store, const char *after, unsigned most, GError **error);

/* Those of these ids that are there and not deleted, likewise.  `uuids` ends with NULL. */
GPtrArray *sl_store_list_these (SlStore *store, const char *const *uuids, GError **error);

/* The ids of the runs that were written here since the last call, ended by NULL; NULL: any may have been, as before the first
 * call.  Free with g_strfreev().  Any thread.  */
char **sl_store_take_written (SlStore *store);

/* Has "changed-elsewhere" told while there are more calls with TRUE than with FALSE: the thread that writes then looks
 * at the file's version twice a second, without a lock.  */
void sl_store_watch (SlStore *store, gboolean watched);

/* One run of it, by its id, the beginning of an id, or its name, which may have "-" for spaces.  NULL with a sentence
 * where no run or several are called so.  Any thread.  */
SlStoreRun *sl_store_find (SlStore *store, const char *name, GError **error);

/* The recipe of a run as JSON; free with g_free().  Any thread.  NULL with a sentence. */
char *sl_store_recipe (SlStore *store, const char *uuid, GError **error);

/* Whether a run, also a deleted one, is on data whose specification has this text.  Any thread. */
gboolean sl_store_uses_data (SlStore *store, const char *text);

/* Whether no other process trains the run.  FALSE with a sentence that names the process, on this
 * computer or another one that wrote within the last ten minutes; a caller that goes on with a run
 * or deletes it calls this first.  Any thread.  */
gboolean sl_store_is_free (SlStore *store, const char *uuid, GError **error);

/* How many runs other processes train.  Any thread.  -1 with a sentence. */
int sl_store_at_work (SlStore *store, GError **error);

/* Reads the whole run.  With `to_resume` samples and flags behind the checkpoint are cut, because
 * going on makes them again; without, all are there.  `step` picks the newest checkpoint at or
 * before it, UINT64_MAX the newest.  Any thread.  FALSE with a sentence; *run then needs no
 * clearing.  */
gboolean sl_store_load (SlStore *store, const char *uuid, gboolean to_resume, uint64_t step,
                        SlStoredRun *run, GError **error);

/* Reads one channel, by the name that tables give it, also of a run that has it under a former name.
 * Any thread.  FALSE with a sentence when it
 * has none of this name or is damaged; *series is then empty.  */
gboolean sl_store_load_channel (SlStore *store, const char *uuid, const char *channel,
                                SlSeries *series, GError **error);

/* Whether a run can go on from its newest checkpoint in this version, as far as its signature says; a
 * run without one begins anew.  Any thread.  FALSE with a sentence.  */
gboolean sl_store_goes_on (SlStore *store, const char *uuid, GError **error);

/* The run of no sweep, and not one of several side by side, that was at work last and is not now; NULL
 * when there is none.  Free with g_free().  Any thread.  */
char *sl_store_last_open (SlStore *store);

/* Edits, done in the background in this order; unknown runs are no error.  Any thread. */
void sl_store_rename (SlStore *store, const char *uuid, const char *name); /* "": as it was first */
void sl_store_set_colour (SlStore *store, const char *uuid, unsigned colour); /* 0: its own */
void sl_store_set_pinned (SlStore *store, const char *uuid, gboolean pinned);
/* A figure of the whole run; not-a-number removes it. */
void sl_store_set_score (SlStore *store, const char *uuid, const char *name, double value);
/* The scores (n) of a lab on a split of its data, as "test.error", with the update that they were measured at, as
 * "scored.test".  */
void sl_store_set_scores (SlStore *store, const char *uuid, SlSplit split, const SlScore *score,
                          unsigned n, uint64_t at);
/* Removes the scores of all splits: the run is not what they were measured of. */
void sl_store_forget_scores (SlStore *store, const char *uuid);
/* The time of a forward pass, as "outcome.timed" with its spread and batch; removes it where it is not known. */
void sl_store_set_times (SlStore *store, const char *uuid, const SlTimes *times);
void sl_store_set_view (SlStore *store, const char *uuid, const char *json);
void sl_store_set_deleted (SlStore *store, const char *uuid, gboolean deleted); /* can be undone */
/* Deletes a run, unless the user pinned, named or annotated it. */
void sl_store_set_aside (SlStore *store, const char *uuid);

/* Whether runs of a few updates that began as their lab comes and were not changed are set aside when another
 * run takes their place or their session ends; no until it is set.  The main thread.  */
void     sl_store_set_drops_looks (SlStore *store, gboolean drops);
gboolean sl_store_drops_looks (SlStore *store);

/* Removes for good: deleted runs, and of the unpinned ones that the user gave no name, that no process trains and that
 * belong to no sweep the oldest beyond `runs`.  In the background.  Any thread.  */
void sl_store_prune (SlStore *store, unsigned runs);

/* What the file may take, in bytes; without a limit until then, so that a file that a person named keeps all.
 * Beyond it runs lose states, those that were trained longest ago first, and keep their curves: pictures of earlier
 * moments, earlier states, then the last one of unpinned runs.  Checked when a run stops and by sl_store_prune().  Any thread.  */
void sl_store_set_budget (SlStore *store, guint64 bytes);

/* What the file takes, in bytes, and of that the states of so many runs. */
typedef struct
{
  guint64  all, states;
  unsigned runs;
} SlStoreSizes;

/* Any thread.  FALSE with a sentence. */
gboolean sl_store_sizes (SlStore *store, SlStoreSizes *sizes, GError **error);

/* Copies into this store the runs of another file that it does not have, or of which the other one
 * has more (finished, or further).  One that another process trains in that file is a running one here,
 * which only that process goes on with, and the next call copies what it has done since.  *added (or NULL) counts
 * them.  The other file is not changed.  Waits.  All runs or none.  Any thread.  */
gboolean sl_store_merge (SlStore *store, const char *path, unsigned *added, GError **error);

/* Writes runs into a file of their own, in the place of what has its name, whole or not at all.  `uuids`
 * ended by NULL; NULL: all that are not deleted.  Refused for the store's own file, by whatever name, and for
 * a store that a program has open.  Waits.  Any thread.  */
gboolean sl_store_export (SlStore *store, const char *const *uuids, const char *path,
                          GError **error);

/* Reads the whole file to see that nothing in it is damaged.  Blocks; any thread.  FALSE with a
 * sentence that says what is.  */
gboolean sl_store_check (SlStore *store, GError **error);

/* Whether a path, by whatever links, leads to the store's own file.  Any thread. */
gboolean sl_store_is_at (SlStore *store, const char *path);

/* Whether a program has the file open to write it, or had when it was killed. */
gboolean sl_store_is_open (const char *path);

/* Whether a file begins as a store does.  Leaves the locks of stores that are open as they are.  Any thread. */
gboolean sl_store_is_store (const char *path);

/* A name for a run that nothing else has. */
void sl_store_new_uuid (char uuid[SL_UUID]);

G_END_DECLS
