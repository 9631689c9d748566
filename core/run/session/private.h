/* SPDX-License-Identifier: MIT
 *
 * The inside of a session, shared by session.c (commands of the caller), state.c (what callers
 * read), command.c, begin.c, event.c and drain.c.  Everything is for the main thread.  */
#pragma once

#include <string.h>

#include "core/run/session/idle.h"
#include "core/run/session/kept-moments.h"
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
  SL_NOTICE_PREDICTED = 1 << 6,
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
  uint64_t  steps;            /* that it has made here or before; a run without any is not kept */
  bool      running;          /* by what the file says */
  bool      recipe_due;       /* changes are to be written */
  unsigned  checkpoints;      /* that came */
  bool      look;             /* it began as the lab comes, and nothing was changed */
  bool      visited;          /* the file has an earlier state that is shown */
  unsigned  changes, markers; /* of an earlier run: how many it had in the end, */
  bool      changed_late;     /* unless one more came after that */
} SlJournal;

/* A run that was left for one of another lab; the store has what can be taken back of it. */
typedef struct
{
  const SlLab *lab;
  char         uuid[SL_UUID];
  bool         running;
} SlLeft;

enum { SL_DATA_KEPT = 2 };

struct _SlSession
{
  GObject parent;

  SlWorker *worker;
  gboolean  threaded; /* the worker's thread was started */
  bool      unseen;
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
    SlLoader  *renewal; /* of the data of this run once more, or NULL */
    unsigned   renewing;   /* its generation */
    SlSharedData *renewed; /* on their way to the worker, or NULL */
    bool given_up; /* what is being loaded takes over no more: the session was asked to stop */
  } loading;

  struct
  {
    uint64_t sent, mode_sent, set_sent[SL_PARAMS_MAX]; /* their numbers */
    uint64_t restored; /* the last one carried out that took updates back, */
    uint64_t course;   /* and how many did */
    GArray  *backlog;  /* of SlCommand: what did not fit into the ring */
  } commands;

  /* This run. */
  SlRecord      record;    /* its lab is NULL before the first run */
  SlRecord     *before;    /* of the run whose place this one took; its lab is NULL: none */
  SlRecipe      recipe;    /* with the changes made so far */
  SlSettings    settings;  /* as the caller set them */
  SlSettings   *effective; /* as the worker has them */
  SlSharedData *data;
  SlSharedData *earlier_data[SL_DATA_KEPT]; /* of earlier runs, still open; the newest first */
  SlIdle        idle;
  unsigned      generation;
  bool      is_new; /* it began in this session, if only from an earlier update of another one */
  bool      watched[SL_PANELS_MAX];
  SlSubject subject; /* what pictures of one example show */
  double    pace;
  unsigned  threads; /* of products, in runs to come; 0: what is best for the lab */
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

  const SlWorkerState *early; /* the newest one, where it is of after events to come; or NULL */

  /* What else this run showed. */
  struct
  {
    SlPredictions *predictions; /* NULL: none */
    SlKeptMoments  moments;     /* of its picture of one example */
    SlRecord      *stored;      /* of the stored run that it makes again; its lab is NULL: none */
    unsigned       stored_of;   /* the generation of that */
    uint64_t       stored_step; /* its last */
  } shown;

  struct
  {
    SlBitmap bitmap; /* the last one, until the caller takes it */
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
    SlEdits  lists;
    bool     due;    /* the store does not have them as they are */
    GArray  *left;   /* of SlLeft, one per lab at most */
    GArray  *turned; /* the one that got the change last taken back or made again */
    bool     busy;   /* a change is being taken back or made again */
    uint64_t sent;   /* the command that it became */
  } edits;

  /* What is written into the store. */
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
void sl_session_fail (SlSession *self, const SlStatus *status);
void sl_session_set_state (SlSession *self, SlSessionState state);
void sl_session_notify (SlSession *self);

/* session.c: back to a checkpoint, by SL_COMMAND_RESCUE or SL_COMMAND_REWIND.  FALSE when there is
 * none.  */
gboolean sl_session_go_back (SlSession *self, const SlCommand *command);

/* command.c: puts a command on its way without waiting, and returns its number.
 * post() leaves a sleeping thread alone; send() starts it.  */
uint64_t sl_session_post (SlSession *self, SlCommand command);
uint64_t sl_session_send (SlSession *self, SlCommand command);
void     sl_session_send_mode (SlSession *self, SlCommandKind kind);
void     sl_session_send_set (SlSession *self, unsigned param);
void     sl_session_flush (SlSession *self); /* what did not fit into the ring */

/* begin.c */
void sl_session_choose_data (SlSession *self, SlRequest *request, const char *spec);
void sl_session_want (SlSession *self, SlRequest *request);
void sl_session_finish_loading (SlSession *self);
/* The loader is through with data that are renewed; `use`: the worker gets what it has.  Then that took it, or not. */
void sl_session_finish_renewal (SlSession *self, gboolean use);
void sl_session_renewed (SlSession *self, const SlEvent *event);

/* event.c */
void sl_session_on_event (SlSession *self, const SlEvent *event);
void sl_session_free_event (const SlEvent *event); /* and what it carries that was not taken over */

/* ---- undo.c ---- */

/* A parameter was changed; `same_drag`: once more in the same drag. */
void sl_session_undo_note (SlSession *self, unsigned param, const SlValue *from, const SlValue *to,
                           uint64_t step, gboolean same_drag);
/* The worker went back to `step`. */
void sl_session_undo_restored (SlSession *self, uint64_t step);
/* Another run has nothing to take back. */
void sl_session_undo_forget (SlSession *self);
/* The request begins in place of the run `left` (as SlEdit.run). */
void sl_session_undo_left (SlSession *self, SlRequest *begun, const char *left);
/* No run could be made for the request. */
void sl_session_undo_refused (SlSession *self, SlRequestCause cause);
/* Another run took the place of this one; a run that goes on from its past is one, too. */
void sl_session_undo_replaced (SlSession *self, SlEditKind kind, uint64_t step, const char *left);

/* ---- keep.c ---- */

/* Writes what can be taken back, unless a change is on its way that will end the run. */
void sl_session_keep_edits (SlSession *self);
/* Call before another run takes over.  `left` gets the name of this one, "" where it has no update
 * or no name.  */
void sl_session_keep_leave (SlSession *self, char left[SL_UUID]);
/* A run begins, or goes on from `stored`. */
void sl_session_keep_begin (SlSession *self, const SlStoredRun *stored);
/* Writes all that there is of this run under the name `uuid` (NULL: a new one). */
void sl_session_keep_late (SlSession *self, const char *uuid);
/* This run stays in the store as it is, under the name `left`. */
void sl_session_keep_branch (SlSession *self, char left[SL_UUID]);
/* A run that was left stays as it was then, whatever its thread did since. */
void sl_session_keep_unchanged (SlSession *self, unsigned generation);
void sl_session_keep_sample (SlSession *self, const SlSample *sample);
void sl_session_keep_event (SlSession *self, const SlEvent *event);
/* Call at the end of a drain. */
void sl_session_keep_up (SlSession *self);
/* Writes the state before an update that is not waited for. */
void sl_session_keep_spare (SlSession *self, const SlEvent *event);
/* The update of the newest sample. */
uint64_t sl_session_keep_steps (SlSession *self);
/* The thread has ended, or is left behind. */
void sl_session_keep_end (SlSession *self);
/* Writes nothing any more. */
void sl_session_keep_nothing (SlSession *self);

/* state.c */
void sl_session_schedule (SlSession *self); /* the next drain */

/* drain.c */
gboolean sl_session_drain (gpointer session);
void     sl_session_take_state (SlSession *self);
void     sl_session_end_threads (SlSession *self);
