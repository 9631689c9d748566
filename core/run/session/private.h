/* SPDX-License-Identifier: MIT
 *
 * The inside of a session, shared by session.c (what it can be told), session-state.c (what it
 * can be asked), session-command.c, session-begin.c, session-event.c and session-drain.c.
 * Everything is for the main thread.  */
#pragma once

#include <string.h>

#include "core/run/session/loader.h"
#include "core/run/session/session.h"
#include "core/run/session/worker.h"
#include "core/run/store/writer.h"

enum {
  SL_SESSION_FAST_US = 1000000, /* how long a new run is drained often */
  SL_SESSION_RATE_POINTS = 128,
  SL_SESSION_DRAG_US = 500000, /* changes closer together than this belong to one drag */
};

/* What to tell at the end of a drain. */
typedef enum {
  SL_NOTICE_STATE = 1 << 0,
  SL_NOTICE_PROGRESS = 1 << 1,
  SL_NOTICE_SAMPLES = 1 << 2,
  SL_NOTICE_CHANGED = SL_NOTICE_STATE | SL_NOTICE_PROGRESS | SL_NOTICE_SAMPLES,
  SL_NOTICE_RESTARTED = 1 << 3,
  SL_NOTICE_MARKED = 1 << 4,
  SL_NOTICE_PICTURE = 1 << 5,
  SL_NOTICE_SCORED = 1 << 6, /* and one bit further per split */
} SlNotice;

typedef struct
{
  double   seconds, multiplications;
  uint64_t step;
} SlRatePoint;

/* A run that is written into the store: this one, or an earlier one whose end is still to come. */
typedef struct
{
  SlWriter *writer;
  unsigned  generation;
  uint64_t  steps;       /* that it has made here or before; a run without any is not kept */
  bool      running;     /* by what the file says */
  bool      recipe_due;  /* changes are to be written */
  unsigned  checkpoints; /* that came */
  uint64_t  scored[SL_N_SPLITS]; /* the update that the scores on file are of, */
  SlScore   score[SL_N_SPLITS][SL_SCORES_MAX];
  unsigned  n_scores[SL_N_SPLITS]; /* if there are any */
} SlJournal;

/* A change that can be taken back. */
typedef struct
{
  unsigned param;
  SlValue  from, to;
  uint64_t step; /* that the change was made at; later ones have less to do with it */
} SlEdit;

struct _SlSession
{
  GObject parent;

  SlWorker *worker;
  gboolean  threaded; /* the worker's thread was started */
  unsigned  notices;
  bool      restarting; /* "restarted" is out: what else there is to tell comes after it */

  struct
  {
    guint  timer;
    gint64 fast_until;
  } drain;

  struct
  {
    SlRequest *wanted; /* the next run; NULL: none is on its way */
    unsigned   wanted_version, version;
    SlLoader  *loader;
    SlRequest *refused; /* a stored run that could not go on, to begin it anew; goes with `error` */
  } loading;

  struct
  {
    uint64_t sent, mode_sent, set_sent[SL_PARAMS_MAX]; /* their numbers */
    GArray  *backlog; /* of SlCommand: what did not fit into the ring */
  } commands;

  /* This run. */
  SlRecord       record;    /* its lab is NULL before the first run */
  SlRecipe       recipe;    /* with the changes made so far */
  SlSettings     settings;  /* as asked for */
  SlSettings     effective; /* as the worker has them */
  SlSharedData  *data;
  unsigned       generation;
  bool           watched[SL_PANELS_MAX];
  unsigned       threads; /* of products, in runs to come */
  SlSessionState state;
  SlSessionInfo  info;
  GError        *error;

  struct
  {
    unsigned n;
    uint64_t step[SL_HISTORY_MAX]; /* (n) of the checkpoints */
    bool     visiting;
    uint64_t present;
  } past;

  struct
  {
    SlScore  score[SL_N_SPLITS][SL_SCORES_MAX];
    unsigned n[SL_N_SPLITS];
  } scores;

  struct
  {
    SlBitmap bitmap; /* that came last, until somebody takes it */
    char    *recipe;
  } picture;

  struct
  {
    SlRatePoint point[SL_SESSION_RATE_POINTS];
    unsigned    n;
  } rate;

  /* Changes to take back, the last one last, and those taken back. */
  struct
  {
    GArray  *undo, *redo; /* of SlEdit */
    bool     busy;        /* a change is being taken back or made again */
    uint64_t sent;        /* the command that it became */
  } edits;

  /* Who writes into the store. */
  struct
  {
    SlStore *store;    /* NULL: none */
    unsigned place;    /* among sessions side by side, from 1; 0: alone */
    GArray  *journals; /* of SlJournal, by generation */
  } stored;

  /* The drag that the last change belongs to, and until when the next one does. */
  struct
  {
    uint64_t drag;
    gint64   until;
    unsigned param;
  } asked;

  /* The drag that the last change marker is about. */
  struct
  {
    uint64_t drag;
    gint64   until; /* where the changes are those of a recipe */
    unsigned param;
    SlValue  from;
  } marked;
};

/* session.c: what changed, and telling it.  The latter is the last thing in a public function or
 * drain, because handlers may do anything.  */
void sl_session_take_error (SlSession *self, GError *error); /* owned from now on; NULL: none */
void sl_session_set_state (SlSession *self, SlSessionState state);
void sl_session_notify (SlSession *self);

/* session.c: back to a checkpoint, by SL_COMMAND_RESCUE or SL_COMMAND_REWIND.  FALSE when there is
 * none.  */
gboolean sl_session_go_back (SlSession *self, const SlCommand *command);

/* session-command.c: puts a command on its way without waiting, and returns its number.
 * post() leaves a sleeping thread alone; send() starts it.  */
uint64_t sl_session_post (SlSession *self, SlCommand command);
uint64_t sl_session_send (SlSession *self, SlCommand command);
void     sl_session_send_mode (SlSession *self, SlCommandKind kind);
void     sl_session_send_set (SlSession *self, unsigned param);
void     sl_session_flush (SlSession *self); /* what did not fit into the ring */

/* session-begin.c */
void sl_session_choose_data (SlSession *self, SlRequest *request, const char *spec);
void sl_session_want (SlSession *self, SlRequest *request);
void sl_session_finish_loading (SlSession *self);

/* session-event.c */
void sl_session_on_event (SlSession *self, const SlEvent *event);

/* session-undo.c: a parameter was changed (once more in the same drag); the worker went back to
 * `step`; another run has nothing to take back.  */
void sl_session_undo_note (SlSession *self, unsigned param, const SlValue *from, const SlValue *to,
                           uint64_t step, gboolean same_drag);
void sl_session_undo_restored (SlSession *self, uint64_t step);
void sl_session_undo_forget (SlSession *self);

/* session-keep.c: another run is about to take over; it begins, or goes on from what was stored;
 * a sample, an event and the end of a drain; the thread has ended; nothing is kept
 * any more.  */
void sl_session_keep_leave (SlSession *self);
void sl_session_keep_begin (SlSession *self, const SlStoredRun *stored);
void sl_session_take_record (SlSession *self, SlStoredRun *stored, SlRecord *record);
void sl_session_keep_sample (SlSession *self, const SlSample *sample);
void sl_session_keep_event (SlSession *self, const SlEvent *event);
void sl_session_keep_up (SlSession *self);
void sl_session_keep_end (SlSession *self);
void sl_session_keep_nothing (SlSession *self);

/* session-drain.c */
void sl_session_schedule (SlSession *self);
void sl_session_take_state (SlSession *self);
void sl_session_end_threads (SlSession *self);
