/* SPDX-License-Identifier: MIT
 *
 * What is done with the runs of the stage.  */
#include "core/run/stage/private.h"

enum { PATIENCE = 500000 }; /* for its threads when it ends, µs */

/* ---- with what is shown ---- */

gboolean
sl_stage_is_running (SlStage *stage)
{
  return sl_stage_shows_overview (stage) ? sl_group_is_running (sl_stage_shown_group (stage))
                                         : sl_session_state (stage->session) == SL_RUNNING;
}

/* Does with what is shown what its kind has for it. */
static void
command (SlStage *self, void (*group) (SlGroup *), void (*pair) (SlPair *),
         void (*session) (SlSession *))
{
  if (sl_stage_shows_overview (self))
    group (sl_stage_shown_group (self));
  else if (self->pair != NULL)
    pair (self->pair);
  else
    session (self->session);
}

void
sl_stage_run (SlStage *stage)
{
  command (stage, sl_group_run, sl_pair_run, sl_session_run);
}

void
sl_stage_pause (SlStage *stage)
{
  command (stage, sl_group_pause, sl_pair_pause, sl_session_pause);
}

void
sl_stage_step (SlStage *stage)
{
  command (stage, sl_group_step, sl_pair_step, sl_session_step);
}

void
sl_stage_set_pace (SlStage *stage, double updates)
{
  enum { PAIR = 2 };
  SlGroup *group = sl_stage_shows_overview (stage) ? sl_stage_shown_group (stage) : NULL;

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    sl_session_set_pace (sl_group_session (group, i), updates);
  for (unsigned i = 0; group == NULL && stage->pair != NULL && i < PAIR; i++)
    sl_session_set_pace (sl_pair_session (stage->pair, i), updates);
  if (group == NULL && stage->pair == NULL)
    sl_session_set_pace (stage->session, updates);
}

double
sl_stage_pace (SlStage *stage)
{
  return sl_session_pace (sl_stage_shows_overview (stage)
                            ? sl_group_session (sl_stage_shown_group (stage), 0)
                            : stage->session);
}

/* TRUE when a new run is to train: the user has not paused this one. */
static gboolean
is_to_run (SlSession *session)
{
  return sl_session_is_loading (session) ? sl_session_goes (session)
                                         : sl_session_state (session) != SL_PAUSED;
}

static void
rewind_group (SlGroup *group)
{
  sl_group_restart (group, sl_group_seed (group));
}

static void
rewind_session (SlSession *session)
{
  sl_session_restart (session, NULL, sl_session_seed (session), is_to_run (session));
}

void
sl_stage_rewind (SlStage *stage)
{
  command (stage, rewind_group, sl_pair_rewind, rewind_session);
}

void
sl_stage_restart (SlStage *stage, const char *spec, uint64_t seed)
{
  sl_session_restart (stage->session, spec, seed, is_to_run (stage->session));
}

void
sl_stage_reseed (SlStage *stage, uint64_t seed)
{
  if (sl_stage_shows_overview (stage))
    sl_group_restart (sl_stage_shown_group (stage), seed);
  else
    sl_stage_restart (stage, NULL, seed);
}

void
sl_stage_reset (SlStage *stage, const SlSettings *settings)
{
  SlSession *session = stage->session;

  sl_session_start (session, sl_session_lab (session), settings, NULL, sl_session_seed (session),
                    is_to_run (session));
}

/* ---- labs ---- */

void
sl_stage_set_offers (SlStage *stage, SlStageOffers offers, gpointer data)
{
  stage->offers = offers;
  stage->offering = data;
}

gboolean
sl_stage_is_locked (SlStage *self, const SlLab *lab)
{
  if (self->offers == NULL || lab == NULL || self->offers (lab, self->offering))
    return FALSE;
  sl_stage_emit (self, SL_STAGE_LOCKED);
  return TRUE;
}

void
sl_stage_begin (SlStage *stage, const SlLab *lab, const SlSettings *settings, const char *spec,
                uint64_t seed)
{
  if (sl_stage_is_locked (stage, lab))
    return;
  sl_stage_show_own (stage);
  sl_session_start (stage->own, lab, settings, spec, seed, TRUE);
  sl_stage_changed (stage);
}

void
sl_stage_choose_lab (SlStage *stage, const SlLab *lab)
{
  uint64_t   seed = sl_stage_seed (stage);
  SlSettings settings;

  if (sl_stage_is_locked (stage, lab))
    return;
  sl_stage_show_own (stage);
  if (lab == sl_session_lab (stage->own) || sl_stage_return_to_lab (stage, lab))
    return;
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_stage_begin (stage, lab, &settings, NULL, seed);
}

/* ---- all of them ---- */

/* Runs that train unseen are in the store that they came from. */
void
sl_stage_set_store (SlStage *stage, SlStore *store)
{
  sl_session_set_store (stage->own, store);
  if (stage->lesson != NULL)
    sl_session_set_store (stage->lesson, store);
  for (unsigned i = 0; stage->pair != NULL && i < SL_PAIR_RUNS; i++)
    sl_session_set_store (sl_pair_session (stage->pair, i), store);
  if (stage->group != NULL)
    sl_group_set_store (stage->group, store);
  if (stage->lesson_group != NULL)
    sl_group_set_store (stage->lesson_group, store);
}

void
sl_stage_set_unseen (SlStage *stage, gboolean unseen)
{
  stage->trains_unseen = unseen;
  sl_stage_follow_unseen (stage);
}

void
sl_stage_set_going_on (SlStage *stage, gboolean going_on)
{
  stage->going_on = going_on;
}

void
sl_stage_rest_unseen (SlStage *stage)
{
  sl_unseen_follow (stage->unseen, FALSE);
}

static void
ask_to_stop (SlSession *session, gpointer data)
{
  sl_session_ask_to_stop (session);
}

static void
leave (SlSession *session, gpointer deadline)
{
  sl_session_leave (session, *(const gint64 *) deadline);
}

void
sl_stage_leave (SlStage *stage)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE;

  sl_stage_each (stage, ask_to_stop, NULL);
  if (stage->group != NULL)
    sl_group_leave (stage->group, deadline);
  if (stage->lesson_group != NULL)
    sl_group_leave (stage->lesson_group, deadline);
  sl_stage_each (stage, leave, &deadline);
}
