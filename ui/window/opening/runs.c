/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/opening.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/sweep/sweep.h"

enum { MEASURE_US = 4000000 };

/* The state of a run that was measured last. */
typedef struct
{
  const SlSession *session; /* only compared */
  unsigned         generation;
  uint64_t         step;
  SlSettings       settings;
  gint64           time; /* µs */
} Measured;

typedef struct SlWindowRuns
{
  Measured measured;
} Runs;

static Runs *
runs_of (SlWindow *self)
{
  return sl_window_parts (self)->runs;
}

/* ---- what the page shows ---- */

/* Sweeps vary around what the run is set to that was looked at before. */
static void
set_base (SlWindow *self, SlRunsPage *page)
{
  SlSession   *session = sl_window_get_session (self);
  const SlLab *lab = sl_session_lab (session);
  SlSettings   settings;

  if (lab != NULL)
    {
      sl_runs_page_set_base (page, lab, sl_session_settings (session), sl_session_spec (session));
      return;
    }
  lab = sl_labs[0];
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_runs_page_set_base (page, lab, &settings, sl_source_default_for (lab->data));
}

/* A run is among the others with its error on a whole split.  That takes a while, so it is measured
 * for the run that is shown, now and then while it goes on, and at its end.  */
static void
measure (SlWindow *self)
{
  Measured            *last = &runs_of (self)->measured;
  SlSession           *session = sl_window_get_session (self);
  const SlSessionInfo *info = sl_session_info (session);
  const SlSettings    *settings = sl_session_settings (session);
  unsigned             generation = sl_session_generation (session);
  gboolean             running = sl_session_state (session) == SL_RUNNING;
  gboolean             same = session == last->session && generation == last->generation
                  && memcmp (settings, &last->settings, sizeof *settings) == 0;
  gint64 now = g_get_monotonic_time ();

  if (sl_session_lab (session) == NULL || info->step == 0 || sl_session_is_visiting (session)
      || (same && (info->step == last->step || (running && now - last->time < MEASURE_US))))
    return;
  *last = (Measured) { session, generation, info->step, *settings, now };
  sl_session_score (session, SL_TEST);
}

/* Until a run that is made again goes on from where it ended it is a second copy, which is not to count among
 * the seeds.  */
static void
on_restarted (SlWindow *self)
{
  SlStage    *stage = sl_window_stage (self);
  SlSession  *own = sl_stage_own (stage);
  SlStoredEnd end;

  if (sl_stage_session (stage) == own && sl_stage_stored (stage, &end))
    runs_of (self)->measured = (Measured) { .session = own,
                                            .generation = sl_session_generation (own),
                                            .step = end.limit,
                                            .settings = *sl_session_settings (own) };
}

static void
update (SlWindow *self)
{
  SlRunsPage *page = sl_window_child (self, "runs");
  gboolean    shown = sl_stage_shows_list (sl_window_stage (self));

  if (sl_window_shows_overview (self))
    return;
  if (shown || sl_session_state (sl_window_get_session (self)) == SL_FINISHED)
    measure (self);
  if (!shown)
    return;
  sl_runs_page_set_store (page, sl_window_get_store (self));
  set_base (self, page);
}

/* ---- coming and going ---- */

/* Measures the runs of the overview that are paused meanwhile. */
static void
measure_group (SlWindow *self)
{
  SlGroup *group = sl_stage_group (sl_window_stage (self));

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    {
      SlSession *session = sl_group_session (group, i);

      if (session != sl_window_get_session (self) && sl_session_info (session)->step > 0)
        sl_session_score (session, SL_TEST);
    }
}

/* The list came or went. */
static void
on_shown (SlWindow *self)
{
  gboolean shown = sl_stage_shows_list (sl_window_stage (self));

  if (shown && !sl_window_is_on (self, "runs"))
    measure_group (self);
  sl_window_set_state (self, "runs", g_variant_new_boolean (shown));
}

static void
on_runs (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlStage *stage = sl_window_stage (data);

  if (g_variant_get_boolean (state))
    sl_stage_show_list (stage);
  else if (sl_stage_shows_list (stage))
    sl_stage_back (stage);
}

/* Set up and in sight, and one click from the start. */
static void
on_sweep (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char  *id = g_variant_get_string (parameter, NULL);
  const SlLab *lab = sl_session_lab (sl_stage_own (sl_window_stage (data)));

  if (lab != NULL && sl_sweep_hint (lab, id) == NULL)
    {
      g_autofree char *words
        = g_strdup_printf (_ ("%s has no suggested sweep “%s”"), sl_words (lab->title), id);

      sl_window_toast (data, words);
      return;
    }
  sl_stage_show_list (sl_window_stage (data));
  if (!sl_runs_page_suggest (sl_window_child (data, "runs"), id))
    sl_window_toast (data, _ ("A sweep is running: set this one up when it has finished"));
}

/* The stored run that could not go on. */
static void
on_begin_anew (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_begin_anew (sl_window_get_session (data));
}

static void
on_undelete (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_runs_page_undelete (sl_window_child (data, "runs"));
  sl_stage_changed (sl_window_stage (data));
}

void
sl_window_runs_open (SlWindow *self, SlRunItem *item)
{
  sl_stage_look_up (sl_window_stage (self), sl_run_item_run (item)->uuid);
}

/* Pauses the runs of the window, so that the sweep has all cores and its times mean something. */
void
sl_window_runs_sweeping (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  if (sl_session_goes (session))
    sl_session_pause (session);
  sl_stage_rest_unseen (sl_window_stage (self));
}

void
sl_window_runs_deleted (SlWindow *self, const char *sentence)
{
  sl_window_toast_button (self, sentence, _ ("Undo"), "win.undelete");
  sl_stage_changed (sl_window_stage (self));
}

void
sl_window_add_runs (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "runs", .state = "false", .change_state = on_runs },
    { .name = "undelete", .activate = on_undelete },
    { .name = "begin-anew", .activate = on_begin_anew },
    { .name = "sweep", .parameter_type = "s", .activate = on_sweep },
  };

  sl_window_parts (self)->runs = g_new0 (Runs, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "restarted", on_restarted);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_runs (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->runs, g_free);
}
