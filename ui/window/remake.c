/* SPDX-License-Identifier: MIT
 *
 * Runs that are made again from their recipes: those of sweeps and figures, which have no
 * checkpoint to go on from.  Their stored curves are shown at once; they train when the user
 * chooses so.  */
#include <glib/gi18n.h>

#include "ui/kit/banner.h"
#include "ui/window/controllers.h"

typedef struct SlWindowRemake
{
  gboolean due; /* a run that is to be made again is on its way */
  uint64_t limit, limit_before;
  unsigned before, generation; /* before that run, and of it or 0 */
  SlRecord stored;             /* its curves as they were stored, until the plots take them */
  gboolean has_curves;
  gboolean offered; /* the banner of this run was shown, perhaps closed */
} Remake;

static Remake *
remake_of (SlWindow *self)
{
  return sl_window_parts (self)->remake;
}

/* A run that is made again ends where it ended.  From then on, and for every other one, what was the
 * limit before is it again.  */
static void
follow_limit (SlWindow *self)
{
  Remake    *remake = remake_of (self);
  SlSession *own = sl_window_get_own (self);
  unsigned   generation = sl_session_generation (own);

  /* The run could not be made. */
  if (remake->due && !sl_session_is_loading (own) && generation == remake->before)
    {
      remake->due = FALSE;
      sl_record_clear (&remake->stored);
    }
  if (remake->generation == 0 || remake->due
      || (remake->generation == generation && sl_session_state (own) != SL_FINISHED))
    return;
  remake->generation = 0;
  if (sl_session_info (own)->limit != remake->limit_before)
    sl_session_set_limit (own, remake->limit_before);
}

void
sl_window_remake_restarted (SlWindow *self)
{
  Remake    *remake = remake_of (self);
  SlSession *own = sl_window_get_own (self);

  if (remake->due && sl_session_generation (own) != remake->before)
    {
      if (remake->generation == 0)
        remake->limit_before = sl_session_info (own)->limit;
      remake->due = FALSE;
      remake->offered = FALSE;
      remake->generation = sl_session_generation (own);
      if (remake->limit > 0)
        sl_session_set_limit (own, remake->limit);
      /* Until it goes on from there it is a second copy, which is not to count among the seeds. */
      sl_window_runs_measured (self, remake->limit);
    }
  follow_limit (self);
}

void
sl_window_remake_run (SlWindow *self, const SlRecipe *recipe, SlRecord *stored)
{
  Remake    *remake = remake_of (self);
  SlSession *own = sl_window_get_own (self);

  sl_record_clear (&remake->stored);
  remake->stored = *stored;
  *stored = (SlRecord) { 0 };
  remake->has_curves = remake->stored.lab != NULL;
  remake->before = sl_session_generation (own);
  remake->limit = recipe->step;
  remake->due = TRUE;
  sl_session_replay (own, recipe, FALSE);
}

gboolean
sl_window_take_stored (SlWindow *self, SlRecord *stored)
{
  Remake *remake = remake_of (self);

  if (remake->stored.lab == NULL || remake->due)
    return FALSE;
  *stored = remake->stored;
  remake->stored = (SlRecord) { 0 };
  return TRUE;
}

/* ---- the offer to train ---- */

static gboolean
is_untrained (SlWindow *self)
{
  SlSession *own = sl_window_get_own (self);

  return !sl_window_shows_overview (self) && !sl_window_shows_runs (self)
         && sl_window_get_session (self) == own && !remake_of (self)->due
         && remake_of (self)->generation > 0
         && remake_of (self)->generation == sl_session_generation (own)
         && sl_session_state (own) == SL_PAUSED && sl_session_info (own)->step == 0;
}

void
sl_window_offer_changed (SlWindow *self)
{
  Remake          *remake = remake_of (self);
  gboolean         untrained = is_untrained (self);
  g_autofree char *sentence = NULL;

  follow_limit (self);
  if (untrained == remake->offered)
    return;
  remake->offered = untrained;
  if (untrained && remake->limit == 0)
    sentence
      = g_strdup (_ ("Not trained yet: these are the settings of a run that had made no update."));
  else if (untrained && remake->has_curves)
    sentence = g_strdup_printf (
      _ (
        "These are the stored curves of a run of %llu updates. Training makes the same run again."),
      (unsigned long long) remake->limit);
  else if (untrained)
    sentence = g_strdup_printf (
      _ ("Not trained yet: these are the settings of a run of %llu updates, without its curves."),
      (unsigned long long) remake->limit);
  sl_banner_show (sl_window_child (self, "untrained"), sentence);
}

void
sl_window_add_remake (SlWindow *self)
{
  sl_window_parts (self)->remake = g_new0 (Remake, 1);
}

void
sl_window_drop_remake (SlWindow *self)
{
  sl_record_clear (&remake_of (self)->stored);
  g_clear_pointer (&sl_window_parts (self)->remake, g_free);
}
