/* SPDX-License-Identifier: MIT
 *
 * Runs that are made again from their recipes in the own session: those of sweeps and figures, which have
 * no checkpoint to go on from.  Their stored curves are there at once; they train when the user chooses so,
 * up to where they ended.  */
#include "core/run/stage/private.h"

static gboolean
is_there (SlStage *self)
{
  return !self->stored.due && self->stored.generation > 0
         && self->stored.generation == sl_session_generation (self->own);
}

/* From the end of such a run on, and for every other one, what was the limit before is it again. */
static void
follow_limit (SlStage *self)
{
  SlStageStored *stored = &self->stored;
  unsigned       generation = sl_session_generation (self->own);

  /* The run could not be made. */
  if (stored->due && !sl_session_is_loading (self->own) && generation == stored->before)
    {
      stored->due = FALSE;
      sl_record_clear (&stored->stored);
    }
  if (stored->generation == 0 || stored->due
      || (stored->generation == generation && sl_session_state (self->own) != SL_FINISHED))
    return;
  stored->generation = 0;
  if (sl_session_info (self->own)->limit != stored->limit_before)
    sl_session_set_limit (self->own, stored->limit_before);
}

void
sl_stage_stored_follow (SlStage *self)
{
  follow_limit (self);
  sl_stage_own_changed (self);
}

/* The session shows what was stored, and the stage keeps a copy for its plots. */
static void
show_stored (SlStage *self)
{
  SlRecord copy;

  if (self->stored.stored.lab == NULL
      || !sl_record_copy (&copy, &self->stored.stored, sl_session_settings (self->own)))
    return;
  copy.generation = sl_session_generation (self->own);
  sl_session_show_stored (self->own, &copy, self->stored.limit);
}

void
sl_stage_stored_restarted (SlStage *self)
{
  SlStageStored *stored = &self->stored;

  if (stored->due && sl_session_generation (self->own) != stored->before)
    {
      if (stored->generation == 0)
        stored->limit_before = sl_session_info (self->own)->limit;
      stored->due = FALSE;
      stored->generation = sl_session_generation (self->own);
      show_stored (self);
      if (stored->limit > 0)
        sl_session_set_limit (self->own, stored->limit);
    }
  sl_stage_stored_follow (self);
}

void
sl_stage_stored_begin (SlStage *self, const SlRecipe *recipe, SlRecord *stored)
{
  sl_record_clear (&self->stored.stored);
  self->stored.stored = *stored;
  *stored = (SlRecord) { 0 };
  self->stored.has_curves = self->stored.stored.lab != NULL;
  self->stored.before = sl_session_generation (self->own);
  self->stored.limit = recipe->step;
  self->stored.due = TRUE;
  sl_session_replay (self->own, recipe, FALSE);
}

gboolean
sl_stage_stored (SlStage *stage, SlStoredEnd *end)
{
  if (end != NULL)
    *end = (SlStoredEnd) { stage->stored.limit, stage->stored.has_curves };
  return is_there (stage);
}

gboolean
sl_stage_take_stored (SlStage *stage, SlRecord *stored)
{
  if (stage->stored.stored.lab == NULL || stage->stored.due)
    return FALSE;
  *stored = stage->stored.stored;
  stage->stored.stored = (SlRecord) { 0 };
  return TRUE;
}
