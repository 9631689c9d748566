/* SPDX-License-Identifier: MIT
 *
 * What a window shows, and what waits behind it: the runs that it has, which of them are in sight, and what
 * running, pausing, going back or choosing a lab means there.  Only what is shown trains; the rest is paused
 * and goes on when it is shown again.  Without a display; for the main thread.
 *
 * Runs are in these places:
 *   own      the session for labs that are chosen and files that are opened, always there
 *   group    the runs of the overview, from when it is first shown
 *   pair     two runs side by side, while they are shown; what was shown before waits behind them
 *   lesson   a session and a group that lessons run in, so that data, seeds and changes of a lesson stay there
 *   unseen   runs of other labs that go on in the background (core/run/group/unseen.h)
 *
 * The property "session" (notify) is the session that form and plots are about: what is shown or, on the
 * overview and behind the list of runs, what was shown before.  Signals, whose handlers run in any order:
 *   "leaving"      what is shown is about to be replaced: another place, or another run of the session
 *   "shown"        another place is shown; "session" is up to date
 *   "restarted"    another run of the session began, also in what follows the session itself
 *   "state"        something changed that can be done or said of what is shown; also after those two
 *   "progress"     what is shown went on; also after "state"
 *   "locked"       a lab that is not offered was to be shown, and is not
 *   "begin-group"  (SlGroup *group): a group for the overview is there; TRUE: its runs are begun by the handler
 *   "opened"       (SlOpened *opened): a stored run was loaded, and goes to its session next; or was not
 */
#pragma once

#include <glib-object.h>

#include "core/run/follow/opening.h"
#include "core/run/group/group.h"
#include "core/run/group/pair.h"
#include "core/run/group/unseen.h"

G_BEGIN_DECLS

#define SL_TYPE_STAGE (sl_stage_get_type ())
G_DECLARE_FINAL_TYPE (SlStage, sl_stage, SL, STAGE, GObject)

typedef enum {
  SL_SHOWN_NOTHING,   /* the own session without a run: none was chosen, or it is on its way */
  SL_SHOWN_OVERVIEW,  /* the runs of the group side by side */
  SL_SHOWN_CLOSER,    /* one of them */
  SL_SHOWN_LAB,       /* a run of the own session */
  SL_SHOWN_STORED,    /* the same, set up as a stored one was and not trained yet */
  SL_SHOWN_RECORDING, /* the same, on recorded routing */
  SL_SHOWN_LESSON,    /* a run of the lesson, also when the lesson is over */
  SL_SHOWN_LESSON_OVERVIEW, /* the runs of the lesson side by side */
  SL_SHOWN_PAIR,            /* one side of the pair, with the other one's curves */
  SL_SHOWN_LIST,            /* the list of runs, over the session */
  SL_N_SHOWN,
  /* In the table of transitions alone: */
  SL_SHOWN_OWN
  = SL_N_SHOWN,    /* what the own session has: nothing, a lab, a stored run or a recording */
  SL_SHOWN_BEHIND, /* what waits behind the pair or the list; the overview where that is nothing */
} SlShown;

typedef enum {
  SL_STAGE_OVERVIEW,
  SL_STAGE_CLOSER,
  SL_STAGE_OWN,
  SL_STAGE_LESSON,
  SL_STAGE_LESSON_OVERVIEW,
  SL_STAGE_PAIR,
  SL_STAGE_LIST,
  SL_STAGE_BACK,
  SL_STAGE_CHANGED, /* the own session has another run, or its run trains */
  SL_N_STAGE_EVENTS,
} SlStageEvent;

/* The table of transitions. */
SlShown sl_stage_next (SlShown from, SlStageEvent event);

SlStage *sl_stage_new (void);

/* Takes a reference on the own session, which may have a run already, and shows it; once, before all else. */
void sl_stage_set_own (SlStage *stage, SlSession *own);

/* ---- what is shown; all borrowed ---- */

SlShown    sl_stage_shown (SlStage *stage);
gboolean   sl_stage_shows_overview (SlStage *stage); /* also that of a lesson */
gboolean   sl_stage_shows_list (SlStage *stage);
SlShown    sl_stage_beneath (SlStage *stage); /* without the list over it */
SlSession *sl_stage_session (SlStage *stage);
SlSession *sl_stage_own (SlStage *stage);
SlSession *sl_stage_lesson (SlStage *stage);       /* NULL: no lesson was taken */
SlGroup   *sl_stage_group (SlStage *stage);        /* of the overview, or NULL */
SlGroup   *sl_stage_lesson_group (SlStage *stage); /* or NULL */
SlGroup   *sl_stage_shown_group (SlStage *stage);  /* that the overview shows, or would */
SlPair    *sl_stage_pair (SlStage *stage);         /* or NULL */
SlSession *sl_stage_behind (SlStage *stage);       /* what waits behind the pair, or NULL */
SlStore   *sl_stage_store (SlStage *stage);        /* or NULL */

/* Whether a session trains, or will when it is shown again. */
gboolean sl_stage_goes (SlStage *stage, SlSession *session);

gboolean sl_stage_is_closer (SlStage *stage, SlSession *session); /* it is one of the overview's */

/* The seed that a lab chosen now begins with. */
uint64_t sl_stage_seed (SlStage *stage);

/* Does something with every session, whether it is shown or not. */
void sl_stage_each (SlStage *stage, SlForSession what, gpointer data);
void sl_stage_each_unseen (SlStage *stage, SlForSession what, gpointer data);

/* ---- showing ---- */

/* Takes a reference on a group, which has begun, and shows it. */
void sl_stage_set_group (SlStage *stage, SlGroup *group);

void sl_stage_show_overview (SlStage *stage);
void sl_stage_show_own (SlStage *stage);
/* The run of the overview that has this lab, also before it is there.  FALSE: none has. */
gboolean sl_stage_show_closer (SlStage *stage, const SlLab *lab);
/* The session of the lesson, which is made where there is none. */
void sl_stage_show_lesson (SlStage *stage);
/* The group of the lesson, whose runs are made, paused, where there are none; and its end. */
void sl_stage_show_lesson_group (SlStage *stage);
void sl_stage_end_lesson_group (SlStage *stage);
/* A new session for the lesson; where the last one is shown, it is shown. */
void sl_stage_renew_lesson (SlStage *stage);
/* Begins two runs like that of the session, and shows the second; or two that are yet to be begun. */
void    sl_stage_begin_pair (SlStage *stage);
SlPair *sl_stage_restore_pair (SlStage *stage, unsigned side);
void    sl_stage_show_side (SlStage *stage, unsigned side);
/* Whichever place a session is in. */
void sl_stage_show_session (SlStage *stage, SlSession *session);
/* The list of runs, over the own session, a run of the overview or one of the lesson. */
void sl_stage_show_list (SlStage *stage);
/* What waits behind the pair or the list; of anything else nothing changes but a run of the overview, behind
 * which that is.  */
void sl_stage_back (SlStage *stage);

/* ---- doing: with what is shown ---- */

gboolean sl_stage_is_running (SlStage *stage);
void     sl_stage_run (SlStage *stage);
void     sl_stage_pause (SlStage *stage);
void     sl_stage_step (SlStage *stage);
void     sl_stage_rewind (SlStage *stage);

/* As sl_session_set_pace(); the overview begins with a pace at which learning can be watched. */
void   sl_stage_set_pace (SlStage *stage, double updates);
double sl_stage_pace (SlStage *stage);

/* The same on another seed; a pair's sessions both get it. */
void sl_stage_reseed (SlStage *stage, uint64_t seed);
/* The run of the session again, on other data (NULL: the same) and from a seed; or with other settings.  It
 * trains unless the user paused the one before.  */
void sl_stage_restart (SlStage *stage, const char *spec, uint64_t seed);
void sl_stage_reset (SlStage *stage, const SlSettings *settings);

/* Which labs are offered: the others begin no run in the own session and are not shown closer.  Lessons go on as they
 * are.  Without this, all are.  */
typedef gboolean (*SlStageOffers) (const SlLab *lab, gpointer data);
void sl_stage_set_offers (SlStage *stage, SlStageOffers offers, gpointer data);

/* Shows the own session and begins a run there, which trains. */
void sl_stage_begin (SlStage *stage, const SlLab *lab, const SlSettings *settings, const char *spec,
                     uint64_t seed);
/* Goes on with the run that a lab had in the own session, or begins one with its defaults. */
void sl_stage_choose_lab (SlStage *stage, const SlLab *lab);

/* Says "state" of what is shown. */
void sl_stage_changed (SlStage *stage);

/* ---- the store, and the end ---- */

/* Every run from now on is written into a store; NULL: none. */
void sl_stage_set_store (SlStage *stage, SlStore *store);

/* Whether runs of other labs go on unseen, and whether one that is returned to goes on. */
void sl_stage_set_unseen (SlStage *stage, gboolean unseen);
void sl_stage_set_going_on (SlStage *stage, gboolean going_on);
/* Begins and ends what is to train unseen, after labs were given runs that they were left at. */
void sl_stage_follow_unseen (SlStage *stage);
/* Ends all that trains unseen, until the next run begins. */
void sl_stage_rest_unseen (SlStage *stage);

/* All threads at once end, within half a second, or are left behind. */
void sl_stage_leave (SlStage *stage);

/* ---- stored runs ---- */

typedef struct
{
  SlOpening     opening;
  gboolean      paused;    /* it does not go on at once */
  SlSession    *returning; /* that it is put back into; NULL: the own one */
  const SlLab  *lab;       /* that was chosen again and had it, else NULL */
  const GError *error;     /* why it was not loaded, or NULL */
} SlOpened;

/* The last request counts; each ends in "opened", unless a session of the stage has the run, which is
 * then shown.  */
/* Goes on with the run of a file, or shows it where it has no state.  The runs of a file that has several come into the
 * store, and none is shown.  */
void sl_stage_open_file (SlStage *stage, const char *path);
/* Sets up the run of a figure, without training. */
void sl_stage_open_figure (SlStage *stage, const char *path);
/* Shows a stored run, which does not go on; one without a checkpoint is set up to be made again. */
void sl_stage_look_up (SlStage *stage, const char *uuid);
/* Goes on with a stored run. */
void sl_stage_resume (SlStage *stage, const char *uuid, gboolean paused);
/* Puts a run whose place the present one took back into its session, paused as it was left. */
void sl_stage_return (SlStage *stage, const char *uuid);

/* A run of the own session that was set up as a stored one was, which ends where that ended.  FALSE: the
 * own session has another run.  */
typedef struct
{
  uint64_t limit; /* its updates */
  gboolean has_curves;
} SlStoredEnd;
gboolean sl_stage_stored (SlStage *stage, SlStoredEnd *end);
/* Hands its stored curves over, once; the caller clears them. */
gboolean sl_stage_take_stored (SlStage *stage, SlRecord *stored);

G_END_DECLS
