/* SPDX-License-Identifier: MIT
 *
 * A run with a thread of its own, seen from the main thread: commands go in, series
 * and snapshots come out.  Every function here is for the main thread (the one that
 * runs the default main context); none of them waits for the trainer but sl_session_stop().
 *
 * A session drains its queue from one timeout, window hidden or not; the timeout is gone
 * while nothing happens.  Signals, each at most once per drain and handler (session, …):
 *   "state"     state, error, settings, what is loading or can be taken back changed
 *   "progress"  info or the checkpoints changed
 *   "samples"   samples or snapshots came
 *   "changed"   any of these three
 *   "restarted" a new run began: layout, series, snapshots and flags are new
 *   "flagged"   a change flag was added or its text grew
 *   "pictured"  the picture that sl_session_ask_picture() asked for is there
 *   "predicted"   what sl_session_ask_predictions() asked for is there
 * A handler may call anything here and may drop the last reference.  */
#pragma once

#include <glib-object.h>

#include "core/lab/map/map.h"
#include "core/run/base/error.h"
#include "core/run/base/scheduler.h"
#include "core/run/moments/moments.h"
#include "core/run/record/recipe.h"
#include "core/run/record/record.h"
#include "core/run/store/store.h"
#include "core/train/predict.h"

G_BEGIN_DECLS

#define SL_TYPE_SESSION (sl_session_get_type ())
G_DECLARE_FINAL_TYPE (SlSession, sl_session, SL, SESSION, GObject)

typedef enum {
  SL_LOADING, /* reading data, making weights, for the first run */
  SL_PAUSED,  /* also: nothing to do yet */
  SL_RUNNING,
  SL_DIVERGED, /* stopped by a non-finite loss; see sl_session_rescue() */
  SL_FINISHED, /* reached the step limit, or nothing is left to do */
  SL_FAILED,   /* could not start; sl_session_error() says why */
} SlSessionState;

typedef struct
{
  uint64_t   step;
  SlProgress progress;
  double     steps_per_second; /* over the last second or so of training */
  double     gflops;           /* 2 × multiply-adds ÷ time of the steps, over the same */
  double     seconds;          /* of training; pauses, probes and scores left out */
  uint64_t   waits;            /* times the trainer had to wait for a full queue */
  uint64_t   limit;            /* steps to stop at, 0: none */
  SlMessage  ended;            /* finished: what a run says that has nothing left to do, or none */
} SlSessionInfo;

/* An idle session; sl_session_start() gives it something to do.  Checkpoints for
 * sl_session_rescue() may take half a GiB of memory.  */
SlSession *sl_session_new (void);

/* Begins a new run and lets it go if `run`.  Data are opened and weights made in a thread of their
 * own, unless the data set is the one in use; until then the old run goes on.  On failure (signal
 * "changed") the state is SL_FAILED if nothing ran before; otherwise the old run goes on untouched
 * and only the error is set.  `spec` NULL: keep the data set, or take sl_source_default_for() the
 * lab when there is none.  The last request counts.
 *
 * To rewind on the same seed, start again with sl_session_lab(), sl_session_settings() and
 * sl_session_seed(): the settings as changed meanwhile now hold from step 0.  */
void sl_session_start (SlSession *session, const SlLab *lab, const SlSettings *settings,
                       const char *spec, uint64_t seed, gboolean run);

/* Again from step 0, on `spec` (NULL: on the same data) and from this seed, with the lab and settings of now, or of
 * the run that is being loaded.  Nothing where there is no run.  */
void sl_session_restart (SlSession *session, const char *spec, uint64_t seed, gboolean run);

/* The same as sl_session_start() from a recipe, making its changes at their steps, which gives the same samples on
 * the same kernel and threads.  A rescue drops the changes still to come.  */
void sl_session_replay (SlSession *session, const SlRecipe *recipe, gboolean run);

void sl_session_run (SlSession *session);
void sl_session_pause (SlSession *session);
void sl_session_step (SlSession *session);                     /* one update, then pause */
void sl_session_set_limit (SlSession *session, uint64_t step); /* finish there; 0: never */

/* Threads of the products of runs begun from now on, from 1; before, what sl_threads_for() says of
 * the lab (core/run/base/threads.h).  A run keeps its number, because another one would change its
 * last bits; a replay uses that of its recipe.  */
void sl_session_set_threads (SlSession *session, unsigned threads);

/* Makes updates in turns with other sessions (scheduler.h), so that a few runs side by side get the
 * same share of the cores; a reference is taken, NULL: no turns.  For a session that has no thread:
 * before its first run, or after sl_session_stop().  */
void sl_session_set_scheduler (SlSession *session, SlScheduler *scheduler);

/* The runs of this session are not watched: they have a lower priority than other work.  For a
 * session that has no run yet.  */
void sl_session_set_unseen (SlSession *session);

/* The first run uses the data set of `other`, if its request names none or the same one: two runs
 * on the same data then hold them in memory once.  For a session that has no run yet.  */
void sl_session_share_data (SlSession *session, SlSession *other);

/* Every run from now on is written into `store` while it goes on (a reference is taken), the
 * present one with what there is of it; NULL: none.  Where the store is in trouble the session goes
 * on in memory, and writes the run again when the store works again.  Runs that made no update are
 * not kept.  */
void        sl_session_set_store (SlSession *session, SlStore *store);
SlStore    *sl_session_store (SlSession *session);
const char *sl_session_uuid (SlSession *session); /* of this run in the store; NULL: not there */

/* This session is one of several side by side, from 1; 0, as at first: it is alone.  The store then
 * does not take a run of it for the one to go on with (sl_store_last_open()).  For runs to come.  */
void sl_session_set_place (SlSession *session, unsigned place);

/* Requests a checkpoint in the store now; sl_session_kept() counts those of this run that came. */
void     sl_session_keep_now (SlSession *session);
unsigned sl_session_kept (SlSession *session);

/* Goes on with a run that was loaded to resume, where it was left (if `go`, from its newest checkpoint;
 * else perhaps at a look at its past), with what could be taken back of it, bit for bit as if it had never stopped on the same
 * kernel and threads; what is in `run` is taken over.  In the session's store it goes on under its
 * name, so it should come from there; without a name (uuid "") it becomes a run of its own.
 * Failures as sl_session_start(), and when the data have changed since or the checkpoint is not of
 * this version's lab: then the run can begin anew, as sl_session_replay(), until the error is cleared
 * or another run begins.  */
void     sl_session_resume (SlSession *session, SlStoredRun *run, gboolean go);
gboolean sl_session_can_begin_anew (SlSession *session);
gboolean sl_session_begin_anew (SlSession *session); /* FALSE: there is no such run */

/* Opens the data of the run again, in a thread of its own, for files that grow: the run goes on with them from where it
 * is, to a new end, and the data set becomes another one (signal "changed").  Where there are more experts or layers it begins
 * again, as another run.  What cannot be opened or has not changed leaves all as it is.  */
void     sl_session_renew (SlSession *session);
gboolean sl_session_is_renewing (SlSession *session);

/* Ends the thread after the update it is at, and the loading of a new run when that is through
 * with opening its file; keeps everything published so far.  A later command starts the thread
 * again where it was.  Dropping the last reference does the same first.  */
void sl_session_stop (SlSession *session);

/* Waits until nothing is being loaded any more: what was wanted has begun, or could not. */
void sl_session_settle (SlSession *session);

/* The same as sl_session_stop() for a session that has no more use, which waits until `deadline` (as g_get_monotonic_time())
 * at most.  An update that is not through by then is made again when the run goes on: where updates are slow, what
 * is stored is the state before it.  The session then lives until its threads have ended.  */
void sl_session_leave (SlSession *session, gint64 deadline);

/* At the end of the process: closes what the store has of sessions whose threads are still at work, and
 * says how many there are.  They use what exit() takes down, so it has to be _exit() then.  */
unsigned sl_session_close_left (void);

/* Begins the same without waiting, for several that stop at once; sl_session_stop() or
 * sl_session_leave() has to follow, or the last reference be dropped, which wait no more once it has
 * stopped.  A run that is being loaded does not begin any more.  */
void     sl_session_ask_to_stop (SlSession *session);
gboolean sl_session_has_stopped (SlSession *session);

/* Changes a parameter: live ones from the next step (and adds a flag), restart ones by
 * a new run on the same seed and data.  Lists that follow another one are brought to its
 * length.  While a new run is loading, it gets the change too; while one of another lab is, a restart
 * parameter of the run that it will replace stays as it is.  SL_EINVAL as
 * sl_param_check(), for an unknown id, or when there is no run.  */
gboolean sl_session_set (SlSession *session, const char *id, const SlValue *value, GError **error);

/* Goes back to update `step` or to the nearest checkpoint before it (or the oldest there is), takes
 * the changes made since back too, and pauses; a diverged run can go on from there.  FALSE when there
 * is no checkpoint.  */
gboolean sl_session_rescue (SlSession *session, uint64_t step);

/* Steps of the checkpoints in memory, rising; *n of them.  */
const uint64_t *sl_session_checkpoints (SlSession *session, unsigned *n);

/* Pauses and shows the state of the newest checkpoint at or before `step`, or with UINT64_MAX the
 * present one again.  Nothing is lost by looking; running, stepping or changing something goes on
 * from there as a new run, and the one that went further is the run before (sl_session_undo_run());
 * without a store, what came after is taken back.  FALSE when there is no checkpoint or the run
 * diverged.  */
gboolean sl_session_visit (SlSession *session, uint64_t step);
gboolean sl_session_is_visiting (SlSession *session); /* info's step is an earlier one than */
uint64_t sl_session_present (SlSession *session);     /* this, of the newest update */

/* Takes back the last change of a parameter and trains on from here or, with `rewind`, from the
 * checkpoint before the change; the other way round makes it again from here.  One entry for each
 * drag; a run of something else has none.  `text` says what was done, as a flag does.  FALSE when
 * there is nothing.  */
gboolean sl_session_undo (SlSession *session, gboolean rewind, char text[SL_CHANGE_MARKER_TEXT]);
gboolean sl_session_redo (SlSession *session, char text[SL_CHANGE_MARKER_TEXT]);
gboolean sl_session_can_undo (SlSession *session);
gboolean sl_session_can_redo (SlSession *session);

/* A change that began another run is taken back by going on with the run before, which the store has
 * as it was: its name, for sl_session_resume(); NULL: the next change to take back is of another kind,
 * or that run had made no update.  Other runs that take the place of this one can be taken back so,
 * too.  sl_session_undo() does nothing then.  Borrowed until the next change.  */
const char *sl_session_undo_run (SlSession *session);
const char *sl_session_redo_run (SlSession *session);

/* The run of a lab that was left for one of another lab, and whether it was running, to go on with
 * it by sl_session_resume(); what could be taken back of it is there again then.  NULL: none, or no
 * store.  Borrowed until the next run begins.  sl_session_forget_left(): when the run cannot go
 * on.  */
const char *sl_session_run_left (SlSession *session, const SlLab *lab, gboolean *running);
void        sl_session_forget_left (SlSession *session, const SlLab *lab);

/* The run of a lab that an earlier session was left at, as if this one had left it. */
void sl_session_set_left (SlSession *session, const SlLab *lab, const char *uuid, gboolean running);

/* All that can be taken back and made again, borrowed until the next change; the lab is the run's. */
const SlEdits *sl_session_edits (SlSession *session);

/* The end of an earlier run of this session is still on its way into the store: wait for "state". */
gboolean sl_session_keeps_earlier (SlSession *session, const char *uuid);

/* Whether the run began in this session, rather than being resumed; a run that goes on from its
 * past becomes a new one, and its later updates stay in the store under the old name.  */
gboolean sl_session_is_new (SlSession *session);

/* Gives out the curves of the run whose place this one took, once; the caller clears them.  FALSE: there
 * are none.  */
gboolean sl_session_take_before (SlSession *session, SlRecord *before);

/* Requests the scores of a whole split, which are stored with the run. */
void sl_session_score (SlSession *session, SlSplit split);

/* Requests the picture that the run makes, where it makes one, as it is at the next update; see
 * "pictured".  What came can be taken once: the caller clears the bitmap and frees the recipe of
 * the run up to that update.  FALSE: nothing (new) came.  */
void     sl_session_ask_picture (SlSession *session);
gboolean sl_session_take_picture (SlSession *session, SlBitmap *picture, char **recipe);

/* Requests what the network says to the first validation examples, as it is at the next update; see "predicted".  The
 * newest answer of this run, borrowed until the next change; NULL before it came, and from a lab without a map.  */
void                 sl_session_ask_predictions (SlSession *session);
const SlPredictions *sl_session_predictions (SlSession *session);

/* The pictures of one example that this run kept as it learned: of those that came while their panel was watched, with
 * an example and all units on.  Borrowed; another run begins with none.  */
const SlMoments *sl_session_moments (SlSession *session);

/* Surveys are made only for panels that are watched.  A new run of the same lab keeps the watches,
 * one of another lab begins with none.  */
void sl_session_watch (SlSession *session, unsigned panel, gboolean watched);

/* Chooses the plane of the gating map, in this run and those to come (map.h). */
void sl_session_set_view (SlSession *session, const SlMapView *view);

/* Chooses what pictures of one example show, in this run and those to come; copied. */
void             sl_session_set_subject (SlSession *session, const SlSubject *subject);
const SlSubject *sl_session_subject (SlSession *session);

/* Switches a unit off for these pictures, or on again; of too many, the one that was off longest is on again. */
void sl_session_switch_off (SlSession *session, unsigned field, unsigned unit);

/* Makes no more than so many updates a second, in this run and those to come; 0, as at first: as many as the machine
 * can.  A lab that has a pace of its own keeps that.  */
void   sl_session_set_pace (SlSession *session, double updates);
double sl_session_pace (SlSession *session);

/* The same with another validation example, from 0; beyond the last it begins again. */
void     sl_session_set_example (SlSession *session, unsigned example);
unsigned sl_session_example (SlSession *session);

SlSessionState sl_session_state (SlSession *session);
gboolean       sl_session_is_loading (SlSession *session); /* a new run is on its way */
gboolean       sl_session_goes (SlSession *session);       /* it runs; or will, once it is loaded */
/* It is paused, and a setting, other than where to look, has been changed since its last update. */
gboolean             sl_session_waits (SlSession *session);
const GError        *sl_session_error (SlSession *session); /* the last one, or NULL */
void                 sl_session_clear_error (SlSession *session);
const SlSessionInfo *sl_session_info (SlSession *session);
const SlLab         *sl_session_lab (SlSession *session);      /* NULL before the first run */
const SlSettings    *sl_session_settings (SlSession *session); /* as changed since the start */
const SlDataset     *sl_session_dataset (SlSession *session);  /* NULL while loading the first,
                                                                * and for labs that need none */
const char          *sl_session_spec (SlSession *session);     /* of the data, as the caller wrote
                                                                * it */
uint64_t             sl_session_seed (SlSession *session);
unsigned             sl_session_threads (SlSession *session);    /* 0 before the first run */
const SlRecord      *sl_session_record (SlSession *session);     /* empty before the first run */
unsigned             sl_session_generation (SlSession *session); /* 0 before the first run */

/* This run is a stored one that is made again: until it goes on, its record is what was stored of it, which is taken over.
 * `step` is its last update.  */
void     sl_session_show_stored (SlSession *session, SlRecord *stored, uint64_t step);
gboolean sl_session_shows_stored (SlSession *session);
uint64_t sl_session_stored_step (SlSession *session); /* while it is shown */

/* The lab of the run that is on its way, else sl_session_lab(). */
const SlLab *sl_session_lab_to_come (SlSession *session);

/* The recipe of this run as JSON text (recipe.h); free with g_free().  NULL before the first
 * run.  */
char *sl_session_recipe (SlSession *session);

G_END_DECLS
