/* SPDX-License-Identifier: MIT
 *
 * From one place to the next.  */
#include "core/run/lesson/walk.h"
#include "core/run/stage/private.h"

enum { LESSON_SEED = 1 };

/* ---- what a session is ---- */

static gboolean
is_in_group (SlGroup *group, SlSession *session)
{
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_group_session (group, i) == session)
      return TRUE;
  return FALSE;
}

static SlShown
own_kind (SlStage *self)
{
  const SlLab *lab = sl_session_lab (self->own);

  if (lab == NULL)
    return SL_SHOWN_NOTHING;
  if (sl_stage_stored (self, NULL) && sl_session_state (self->own) == SL_PAUSED
      && sl_session_info (self->own)->step == 0)
    return SL_SHOWN_STORED;
  return lab->data == SL_NEEDS_ROUTING ? SL_SHOWN_RECORDING : SL_SHOWN_LAB;
}

static SlShown
kind_of (SlStage *self, SlSession *session)
{
  return session == self->lesson              ? SL_SHOWN_LESSON
         : is_in_group (self->group, session) ? SL_SHOWN_CLOSER
         : session == self->own               ? own_kind (self)
                                              : SL_SHOWN_PAIR;
}

gboolean
sl_stage_is_closer (SlStage *stage, SlSession *session)
{
  return is_in_group (stage->group, session);
}

SlShown
sl_stage_beneath (SlStage *stage)
{
  return stage->shown == SL_SHOWN_LIST ? kind_of (stage, stage->session) : stage->shown;
}

/* ---- what the session reports ---- */

static void
on_leaving (SlStage *self)
{
  sl_stage_emit (self, SL_STAGE_LEAVING);
}

static void
on_restarted (SlStage *self)
{
  sl_stage_emit (self, SL_STAGE_RESTARTED);
}

static void
on_state (SlStage *self)
{
  if (!sl_stage_shows_overview (self))
    sl_stage_emit (self, SL_STAGE_STATE);
}

static void
on_progress (SlStage *self)
{
  if (!sl_stage_shows_overview (self))
    sl_stage_emit (self, SL_STAGE_PROGRESS);
}

static void
on_group (SlStage *self, SlGroup *group)
{
  if (sl_stage_shows_overview (self) && group == sl_stage_shown_group (self))
    sl_stage_emit (self, SL_STAGE_STATE);
}

void
sl_stage_connect (SlStage *self, SlSession *session)
{
  g_signal_connect_swapped (session, "restarted", G_CALLBACK (on_leaving), self);
  g_signal_connect_swapped (session, "state", G_CALLBACK (on_state), self);
  g_signal_connect_swapped (session, "progress", G_CALLBACK (on_progress), self);
  /* Behind form and plots, which have the new run then. */
  g_signal_connect_data (session, "restarted", G_CALLBACK (on_restarted), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
sl_stage_disconnect (SlStage *self)
{
  g_signal_handlers_disconnect_by_func (self->session, on_leaving, self);
  g_signal_handlers_disconnect_by_func (self->session, on_state, self);
  g_signal_handlers_disconnect_by_func (self->session, on_progress, self);
  g_signal_handlers_disconnect_by_func (self->session, on_restarted, self);
}

void
sl_stage_own_changed (SlStage *self)
{
  SlShown to = sl_stage_next (self->shown, SL_STAGE_CHANGED);

  self->shown = to == SL_SHOWN_OWN ? own_kind (self) : to;
}

void
sl_stage_follow_unseen (SlStage *stage)
{
  sl_unseen_follow (stage->unseen, stage->trains_unseen && sl_stage_store (stage) != NULL);
}

/* ---- going there ---- */

static void
rest (SlSession *session, gboolean *held)
{
  if (session == NULL || !sl_session_goes (session))
    return;
  *held = TRUE;
  sl_session_pause (session);
}

static void
let_go (SlSession *session, gboolean *held)
{
  if (*held)
    sl_session_run (session);
  *held = FALSE;
}

/* Pauses what is not shown, and lets go on what is. */
static void
settle (SlStage *self)
{
  SlSession *shown = sl_stage_shows_overview (self) ? NULL : self->session;

  if (shown != self->own)
    rest (self->own, &self->own_held);
  if (shown != self->lesson)
    rest (self->lesson, &self->lesson_held);
  /* A session of another group holds all of this one. */
  if (self->group != NULL)
    sl_group_focus (self->group, self->shown == SL_SHOWN_OVERVIEW ? NULL
                                 : shown != NULL                  ? shown
                                                 : sl_group_session (self->lesson_group, 0));
  if (self->lesson_group != NULL)
    sl_group_focus (self->lesson_group,
                    self->shown == SL_SHOWN_LESSON_OVERVIEW ? NULL : self->session);
  if (shown == self->own)
    let_go (self->own, &self->own_held);
  if (shown != NULL && shown == self->lesson)
    let_go (self->lesson, &self->lesson_held);
}

static void
take_session (SlStage *self, SlSession *session)
{
  if (session == self->session)
    return;
  if (self->session != NULL)
    sl_stage_disconnect (self);
  g_set_object (&self->session, session);
  sl_stage_connect (self, session);
  g_object_notify (G_OBJECT (self), "session");
}

/* The place that an entry of the table means now, and the session that it shows. */
static SlShown
resolve (SlStage *self, SlShown to, SlSession **session)
{
  SlShown place;

  if (to != SL_SHOWN_OWN && to != SL_SHOWN_BEHIND)
    return to;
  *session = to == SL_SHOWN_OWN ? self->own : self->behind != NULL ? self->behind : self->session;
  place = kind_of (self, *session);
  return to == SL_SHOWN_BEHIND && place == SL_SHOWN_NOTHING && !sl_session_is_loading (*session)
           ? SL_SHOWN_OVERVIEW
           : place;
}

/* The runs of a pair end when all that showed them shows something else. */
void
sl_stage_go (SlStage *self, SlStageEvent event, SlSession *session)
{
  SlShown                  to = resolve (self, sl_stage_next (self->shown, event), &session);
  g_autoptr (SlStage) held G_GNUC_UNUSED = g_object_ref (self);
  g_autoptr (SlPair) pair = NULL;
  g_autoptr (SlSession) behind = NULL;

  if (to == SL_SHOWN_OVERVIEW || to == SL_SHOWN_LESSON_OVERVIEW)
    sl_stage_begin_group (self);
  sl_stage_emit (self, SL_STAGE_LEAVING);
  self->shown = to;
  if (to != SL_SHOWN_PAIR)
    {
      pair = g_steal_pointer (&self->pair);
      behind = g_steal_pointer (&self->behind);
    }
  if (session != NULL)
    take_session (self, session);
  settle (self);
  sl_stage_emit (self, SL_STAGE_SHOWN);
  if (pair != NULL)
    sl_pair_stop (pair);
}

/* ---- the overview ---- */

/* Slow enough to be watched. */
static void
take_group (SlStage *self, SlGroup *group)
{
  enum { UPDATES_A_SECOND = 50 };

  self->group = g_object_ref (group);
  for (unsigned i = 0; i < sl_group_size (group); i++)
    sl_session_set_pace (sl_group_session (group, i), UPDATES_A_SECOND);
  g_signal_connect_swapped (group, "changed", G_CALLBACK (on_group), self);
}

void
sl_stage_begin_group (SlStage *self)
{
  g_autoptr (SlGroup) group = NULL;

  if (self->group != NULL)
    return;
  group = sl_group_new ();
  sl_group_set_store (group, sl_stage_store (self));
  if (!sl_stage_emit_group (self, group))
    sl_group_start (group, NULL, sl_stage_seed (self), TRUE);
  take_group (self, group);
}

void
sl_stage_set_group (SlStage *stage, SlGroup *group)
{
  take_group (stage, group);
  sl_stage_show_overview (stage);
}

void
sl_stage_show_overview (SlStage *stage)
{
  if (!sl_stage_shows_overview (stage))
    sl_stage_go (stage, SL_STAGE_OVERVIEW, NULL);
}

gboolean
sl_stage_show_closer (SlStage *stage, const SlLab *lab)
{
  if (sl_stage_is_locked (stage, lab))
    return FALSE;
  sl_stage_begin_group (stage);
  for (unsigned i = 0; i < sl_group_size (stage->group); i++)
    if (sl_group_lab (stage->group, i) == lab)
      {
        sl_stage_go (stage, SL_STAGE_CLOSER, sl_group_session (stage->group, i));
        return TRUE;
      }
  return FALSE;
}

/* ---- the own session ---- */

/* Its first run uses data that the overview has already. */
static void
share_data (SlSession *own, SlGroup *group)
{
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    if (sl_session_lab (own) == NULL && !sl_session_is_loading (own))
      sl_session_share_data (own, sl_group_session (group, i));
}

void
sl_stage_show_own (SlStage *stage)
{
  if (!sl_stage_shows_overview (stage) && stage->session == stage->own
      && stage->shown != SL_SHOWN_LIST)
    return;
  share_data (stage->own, stage->group);
  sl_stage_go (stage, SL_STAGE_OWN, NULL);
}

/* ---- lessons ---- */

void
sl_stage_renew_lesson (SlStage *stage)
{
  g_autoptr (SlSession) old = g_steal_pointer (&stage->lesson);

  stage->lesson = sl_session_new ();
  sl_session_set_threads (stage->lesson, SL_LESSON_THREADS);
  stage->lesson_held = FALSE;
  sl_session_set_store (stage->lesson, sl_stage_store (stage));
  if (old == NULL)
    return;
  sl_session_ask_to_stop (old);
  if (stage->session != old)
    return;
  if (!sl_stage_shows_overview (stage))
    sl_stage_go (stage, SL_STAGE_LESSON, stage->lesson);
  else
    take_session (stage, stage->lesson);
}

void
sl_stage_show_lesson (SlStage *stage)
{
  if (stage->lesson == NULL)
    sl_stage_renew_lesson (stage);
  if (stage->shown != SL_SHOWN_LESSON || stage->session != stage->lesson)
    sl_stage_go (stage, SL_STAGE_LESSON, stage->lesson);
}

void
sl_stage_show_lesson_group (SlStage *stage)
{
  if (stage->lesson_group == NULL)
    {
      stage->lesson_group = sl_group_new ();
      sl_group_set_store (stage->lesson_group, sl_stage_store (stage));
      sl_group_start (stage->lesson_group, NULL, LESSON_SEED, FALSE);
      g_signal_connect_swapped (stage->lesson_group, "changed", G_CALLBACK (on_group), stage);
    }
  if (stage->shown != SL_SHOWN_LESSON_OVERVIEW)
    sl_stage_go (stage, SL_STAGE_LESSON_OVERVIEW, NULL);
}

void
sl_stage_end_lesson_group (SlStage *stage)
{
  g_autoptr (SlGroup) group = NULL;

  if (stage->lesson_group == NULL)
    return;
  if (stage->shown == SL_SHOWN_LESSON_OVERVIEW)
    sl_stage_go (stage, SL_STAGE_BACK, NULL);
  group = g_steal_pointer (&stage->lesson_group);
  g_signal_handlers_disconnect_by_data (group, stage);
  sl_group_ask_to_stop (group);
}

/* ---- pairs ---- */

static void
take_pair (SlStage *self, SlPair *pair, unsigned side)
{
  self->pair = pair;
  self->behind = g_object_ref (self->session);
  sl_stage_show_side (self, side);
}

void
sl_stage_begin_pair (SlStage *stage)
{
  if (stage->pair == NULL)
    take_pair (stage, sl_pair_new (stage->session, TRUE), 1);
}

SlPair *
sl_stage_restore_pair (SlStage *stage, unsigned side)
{
  take_pair (stage, sl_pair_new_empty (sl_stage_store (stage)), side);
  return stage->pair;
}

void
sl_stage_show_side (SlStage *stage, unsigned side)
{
  sl_stage_go (stage, SL_STAGE_PAIR, sl_pair_session (stage->pair, side));
}

/* ---- any place ---- */

void
sl_stage_show_session (SlStage *stage, SlSession *session)
{
  switch (kind_of (stage, session))
    {
    case SL_SHOWN_PAIR: sl_stage_go (stage, SL_STAGE_PAIR, session); break;
    case SL_SHOWN_LESSON: sl_stage_go (stage, SL_STAGE_LESSON, session); break;
    case SL_SHOWN_CLOSER: sl_stage_go (stage, SL_STAGE_CLOSER, session); break;
    default: sl_stage_show_own (stage); break;
    }
}

void
sl_stage_show_list (SlStage *stage)
{
  SlShown  over = kind_of (stage, stage->session);
  gboolean kept
    = !sl_stage_shows_overview (stage) && (over == SL_SHOWN_CLOSER || over == SL_SHOWN_LESSON);

  if (stage->shown == SL_SHOWN_LIST)
    return;
  if (!kept)
    share_data (stage->own, stage->group);
  sl_stage_go (stage, SL_STAGE_LIST, kept ? stage->session : stage->own);
}

void
sl_stage_back (SlStage *stage)
{
  sl_stage_go (stage, SL_STAGE_BACK, NULL);
}
