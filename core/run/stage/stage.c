/* SPDX-License-Identifier: MIT
 *
 * See stage.h.  */
#include "core/run/stage/private.h"

G_DEFINE_FINAL_TYPE (SlStage, sl_stage, G_TYPE_OBJECT)

enum { FIRST_SEED = 1 };
enum { PROP_SESSION = 1 };
static guint signals[SL_N_STAGE_SIGNALS];

/* ---- signals ---- */

void
sl_stage_emit (SlStage *self, unsigned signal)
{
  g_autoptr (SlStage) held = g_object_ref (self);

  g_signal_emit (held, signals[signal], 0);
  if (signal == SL_STAGE_SHOWN || signal == SL_STAGE_RESTARTED)
    g_signal_emit (held, signals[SL_STAGE_STATE], 0);
  if (signal != SL_STAGE_LEAVING && signal != SL_STAGE_PROGRESS)
    g_signal_emit (held, signals[SL_STAGE_PROGRESS], 0);
}

void
sl_stage_emit_opened (SlStage *self, SlOpened *opened)
{
  g_signal_emit (self, signals[SL_STAGE_OPENED], 0, opened);
}

gboolean
sl_stage_emit_group (SlStage *self, SlGroup *group)
{
  gboolean begun = FALSE;

  g_signal_emit (self, signals[SL_STAGE_BEGIN_GROUP], 0, group, &begun);
  return begun;
}

void
sl_stage_changed (SlStage *stage)
{
  sl_stage_emit (stage, SL_STAGE_STATE);
}

/* ---- what is there ---- */

SlShown
sl_stage_shown (SlStage *stage)
{
  return stage->shown;
}

gboolean
sl_stage_shows_overview (SlStage *stage)
{
  return stage->shown == SL_SHOWN_OVERVIEW || stage->shown == SL_SHOWN_LESSON_OVERVIEW;
}

gboolean
sl_stage_shows_list (SlStage *stage)
{
  return stage->shown == SL_SHOWN_LIST;
}

SlSession *
sl_stage_session (SlStage *stage)
{
  return stage->session;
}

SlSession *
sl_stage_own (SlStage *stage)
{
  return stage->own;
}

SlSession *
sl_stage_lesson (SlStage *stage)
{
  return stage->lesson;
}

SlGroup *
sl_stage_group (SlStage *stage)
{
  return stage->group;
}

SlGroup *
sl_stage_lesson_group (SlStage *stage)
{
  return stage->lesson_group;
}

SlGroup *
sl_stage_shown_group (SlStage *stage)
{
  return stage->shown == SL_SHOWN_LESSON_OVERVIEW ? stage->lesson_group : stage->group;
}

SlPair *
sl_stage_pair (SlStage *stage)
{
  return stage->pair;
}

SlSession *
sl_stage_behind (SlStage *stage)
{
  return stage->behind;
}

SlStore *
sl_stage_store (SlStage *stage)
{
  return sl_session_store (stage->own);
}

uint64_t
sl_stage_seed (SlStage *stage)
{
  SlSession *session = stage->session == stage->lesson ? stage->own : stage->session;

  if (sl_session_lab (session) != NULL)
    return sl_session_seed (session);
  return stage->group != NULL ? sl_group_seed (stage->group) : FIRST_SEED;
}

gboolean
sl_stage_goes (SlStage *stage, SlSession *session)
{
  for (unsigned i = 0; stage->group != NULL && i < sl_group_size (stage->group); i++)
    if (sl_group_session (stage->group, i) == session)
      return sl_group_goes (stage->group, i);
  return (session == stage->own && stage->own_held)
         || (session == stage->lesson && stage->lesson_held)
         || sl_session_state (session) == SL_RUNNING;
}

static void
each_of_group (SlGroup *group, SlForSession what, gpointer data)
{
  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    what (sl_group_session (group, i), data);
}

void
sl_stage_each_unseen (SlStage *stage, SlForSession what, gpointer data)
{
  sl_unseen_each (stage->unseen, what, data);
}

void
sl_stage_each (SlStage *stage, SlForSession what, gpointer data)
{
  what (stage->own, data);
  for (unsigned i = 0; stage->pair != NULL && i < SL_PAIR_RUNS; i++)
    what (sl_pair_session (stage->pair, i), data);
  each_of_group (stage->group, what, data);
  each_of_group (stage->lesson_group, what, data);
  if (stage->lesson != NULL)
    what (stage->lesson, data);
  sl_stage_each_unseen (stage, what, data);
}

/* ---- the object ---- */

static void
sl_stage_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_object (value, SL_STAGE (object)->session);
}

static void
drop_group (SlStage *self, SlGroup **group)
{
  if (*group != NULL)
    g_signal_handlers_disconnect_by_data (*group, self);
  g_clear_object (group);
}

static void
sl_stage_dispose (GObject *object)
{
  SlStage *self = SL_STAGE (object);

  sl_stage_open_clear (self);
  if (self->session != NULL)
    sl_stage_disconnect (self);
  g_clear_pointer (&self->growth, sl_growth_free);
  if (self->own != NULL)
    g_signal_handlers_disconnect_by_data (self->own, self);
  if (self->pair != NULL)
    sl_pair_stop (self->pair);
  g_clear_object (&self->pair);
  g_clear_object (&self->behind);
  g_clear_pointer (&self->unseen, sl_unseen_free);
  drop_group (self, &self->lesson_group);
  drop_group (self, &self->group);
  g_clear_object (&self->lesson);
  g_clear_object (&self->session);
  g_clear_object (&self->own);
  sl_record_clear (&self->stored.stored);
  G_OBJECT_CLASS (sl_stage_parent_class)->dispose (object);
}

static void
sl_stage_class_init (SlStageClass *klass)
{
  static const char *const names[]
    = { [SL_STAGE_LEAVING] = "leaving",     [SL_STAGE_SHOWN] = "shown",
        [SL_STAGE_RESTARTED] = "restarted", [SL_STAGE_STATE] = "state",
        [SL_STAGE_PROGRESS] = "progress",   [SL_STAGE_LOCKED] = "locked" };
  GObjectClass *object = G_OBJECT_CLASS (klass);
  GType         type = G_TYPE_FROM_CLASS (klass);

  object->dispose = sl_stage_dispose;
  object->get_property = sl_stage_get_property;
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    signals[i]
      = g_signal_new (names[i], type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SL_STAGE_BEGIN_GROUP]
    = g_signal_new ("begin-group", type, G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled,
                    NULL, NULL, G_TYPE_BOOLEAN, 1, SL_TYPE_GROUP);
  signals[SL_STAGE_OPENED] = g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_POINTER);
  g_object_class_install_property (object, PROP_SESSION,
                                   g_param_spec_object ("session", NULL, NULL, SL_TYPE_SESSION,
                                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
sl_stage_init (SlStage *self)
{
  self->open.closing = g_cancellable_new ();
}

SlStage *
sl_stage_new (void)
{
  return g_object_new (SL_TYPE_STAGE, NULL);
}

/* The stage notes what its own session has before others hear of it. */
void
sl_stage_set_own (SlStage *stage, SlSession *own)
{
  stage->own = g_object_ref (own);
  stage->unseen = sl_unseen_new (own);
  stage->growth = sl_growth_new (own);
  g_signal_connect_swapped (own, "restarted", G_CALLBACK (sl_stage_stored_restarted), stage);
  g_signal_connect_swapped (own, "restarted", G_CALLBACK (sl_stage_follow_unseen), stage);
  g_signal_connect_swapped (own, "state", G_CALLBACK (sl_stage_stored_follow), stage);
  g_signal_connect_swapped (own, "progress", G_CALLBACK (sl_stage_stored_follow), stage);
  sl_stage_go (stage, SL_STAGE_OWN, own);
}
