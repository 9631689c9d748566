/* SPDX-License-Identifier: MIT
 *
 * A run with a thread of its own, seen from the main thread: commands go in, series
 * and snapshots come out.  Every function here is for the main thread (the one that
 * runs the default main context); none of them blocks on the trainer.
 *
 * A session drains its queue from one timeout, window hidden or not.  Signals:
 *   "changed"   state, error or progress changed
 *   "restarted" a new run began: layout, series, snapshots and flags are new
 *   "flagged"   a change flag was added
 */
#pragma once

#include <glib-object.h>

#include "core/lab/lab.h"
#include "core/run/record.h"

G_BEGIN_DECLS

#define SL_TYPE_SESSION (sl_session_get_type ())
G_DECLARE_FINAL_TYPE (SlSession, sl_session, SL, SESSION, GObject)

#define SL_ERROR (sl_error_quark ())
GQuark sl_error_quark (void);

/* The one place where a status becomes a GError; the code is the SlCode. */
GError *sl_status_to_error (const SlStatus *status);

typedef enum
{
  SL_LOADING,  /* reading data, making weights */
  SL_PAUSED,
  SL_RUNNING,
  SL_DIVERGED, /* stopped by a non-finite loss; see sl_session_rescue() */
  SL_FINISHED, /* reached the step limit */
  SL_FAILED,   /* could not start; sl_session_error() says why */
} SlSessionState;

typedef struct
{
  uint64_t   step;
  SlProgress progress;
  double     steps_per_second;    /* over the last second or so */
  double     gflops;              /* 2 × multiply-adds ÷ time of the steps */
  double     seconds;             /* of training, pauses left out */
  uint64_t   waits;               /* times the trainer had to wait for a full queue */
  uint64_t   limit;               /* steps to stop at, 0: none */
} SlSessionInfo;

/* An idle session; sl_session_start() gives it something to do. */
SlSession *sl_session_new (void);

/* Begins a new run and lets it go if `run`.  The data set is opened by the worker
 * unless it is the one in use.  On failure (signal "changed") the state is SL_FAILED if
 * nothing ran before; otherwise the old run goes on untouched and only the error is
 * set.  `spec` NULL: keep the data set.  */
void sl_session_start (SlSession *session, const SlLab *lab, const SlSettings *settings,
                       const char *spec, uint64_t seed, gboolean run);

void sl_session_run (SlSession *session);
void sl_session_pause (SlSession *session);
void sl_session_step (SlSession *session);                     /* one update, then pause */
void sl_session_set_limit (SlSession *session, uint64_t step); /* pause there; 0: never */
void sl_session_stop (SlSession *session);                     /* joins the thread; at most a step */

/* Changes a parameter: live ones from the next step (and adds a flag), restart ones by
 * a new run on the same seed and data.  SL_EINVAL as sl_param_check().  */
gboolean sl_session_set (SlSession *session, const char *id, const SlValue *value, GError **error);

/* Takes back the last `steps` updates or so, to the nearest checkpoint before; a
 * diverged run can go on from there.  FALSE when there is no checkpoint yet.  */
gboolean sl_session_rescue (SlSession *session, uint64_t steps);

/* Asks for the figures of a whole split; "scored" is emitted with (split) when there. */
void           sl_session_score (SlSession *session, SlSplit split);
const SlScore *sl_session_scores (SlSession *session, SlSplit split, unsigned *n);

/* Surveys are made only for panels somebody watches. */
void sl_session_watch (SlSession *session, unsigned panel, gboolean watched);

SlSessionState       sl_session_state (SlSession *session);
const GError        *sl_session_error (SlSession *session); /* the last one, or NULL */
void                 sl_session_clear_error (SlSession *session);
const SlSessionInfo *sl_session_info (SlSession *session);
const SlLab         *sl_session_lab (SlSession *session);      /* NULL before the first run */
const SlSettings    *sl_session_settings (SlSession *session); /* as changed since the start */
const SlDataset     *sl_session_dataset (SlSession *session);  /* NULL while loading the first */
const char          *sl_session_spec (SlSession *session);     /* of the data, as asked for */
uint64_t             sl_session_seed (SlSession *session);
const SlRecord      *sl_session_record (SlSession *session);   /* empty before the first run */
unsigned             sl_session_generation (SlSession *session);

/* The recipe of this run as JSON text (recipe.h); free with g_free(). */
char *sl_session_recipe (SlSession *session);

G_END_DECLS
