/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

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
  gboolean shown;
  Measured measured;
} Runs;

static Runs *
runs_of (SlWindow *self)
{
  return sl_window_parts (self)->runs;
}

gboolean
sl_window_shows_runs (SlWindow *self)
{
  return runs_of (self)->shown;
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

void
sl_window_runs_measured (SlWindow *self, uint64_t step)
{
  SlSession *own = sl_window_get_own (self);

  runs_of (self)->measured = (Measured) { .session = own,
                                          .generation = sl_session_generation (own),
                                          .step = step,
                                          .settings = *sl_session_settings (own) };
}

void
sl_window_runs_changed (SlWindow *self)
{
  SlRunsPage *page = sl_window_child (self, "runs");
  gboolean    shown = sl_window_shows_runs (self);

  if (shown || sl_session_state (sl_window_get_session (self)) == SL_FINISHED)
    measure (self);
  if (!shown)
    return;
  sl_runs_page_set_store (page, sl_session_store (sl_window_get_own (self)));
  set_base (self, page);
}

/* ---- coming and going ---- */

static void
set_shown (SlWindow *self, gboolean shown)
{
  runs_of (self)->shown = shown;
  sl_window_set_state (self, "runs", g_variant_new_boolean (shown));
}

void
sl_window_leave_runs (SlWindow *self)
{
  if (sl_window_shows_runs (self))
    set_shown (self, FALSE);
}

/* Measures the runs of the overview that are paused meanwhile. */
static void
measure_group (SlWindow *self)
{
  SlGroup *group = sl_window_get_own_group (self);

  for (unsigned i = 0; group != NULL && i < sl_group_size (group); i++)
    {
      SlSession *session = sl_group_session (group, i);

      if (session != sl_window_get_session (self) && sl_session_info (session)->step > 0)
        sl_session_score (session, SL_TEST);
    }
}

/* A run of the overview that was opened, or that of a lesson, stays the one that form, keys and sweeps are
 * about.  */
static void
show_runs (SlWindow *self)
{
  if (!sl_window_is_closer (self) && !sl_window_is_lesson (self))
    sl_window_show_own (self);
  measure_group (self);
  set_shown (self, TRUE);
  sl_window_set_session (self, sl_window_get_session (self));
}

void
sl_window_show_list (SlWindow *self)
{
  if (!sl_window_shows_runs (self))
    show_runs (self);
}

/* Back to the plots, or to the overview where nothing was begun. */
static void
hide_runs (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  sl_window_leave_runs (self);
  if (sl_session_lab (session) == NULL && !sl_session_is_loading (session))
    sl_window_show_overview (self);
  else
    sl_window_set_session (self, session);
}

static void
on_runs (GSimpleAction *action, GVariant *state, gpointer data)
{
  gboolean shown = g_variant_get_boolean (state);

  if (shown != sl_window_shows_runs (data))
    (shown ? show_runs : hide_runs) (data);
}

/* Set up and in sight, and one click from the start. */
static void
on_sweep (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char  *id = g_variant_get_string (parameter, NULL);
  const SlLab *lab = sl_session_lab (sl_window_get_own (data));

  if (lab != NULL && sl_sweep_hint (lab, id) == NULL)
    {
      g_autofree char *words
        = g_strdup_printf (_ ("%s has no suggested sweep “%s”"), sl_words (lab->title), id);

      sl_window_toast (data, words);
      return;
    }
  if (!sl_window_shows_runs (data))
    show_runs (data);
  if (!sl_runs_page_suggest (sl_window_child (data, "runs"), id))
    sl_window_toast (data, _ ("A sweep is running: this one can be set up when it has finished"));
}

/* The stored run that could not go on. */
static void
on_begin_anew (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_begin_anew (sl_window_get_session (data));
}

gboolean
sl_window_can_undelete (SlWindow *self)
{
  return sl_window_shows_runs (self) && sl_runs_page_can_undelete (sl_window_child (self, "runs"));
}

void
sl_window_undelete (SlWindow *self)
{
  sl_runs_page_undelete (sl_window_child (self, "runs"));
  sl_window_update_timeline (self);
}

static void
on_undelete (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_undelete (data);
}

void
sl_window_runs_open (SlWindow *self, SlRunItem *item)
{
  sl_window_open_run (self, sl_run_item_run (item)->uuid);
}

/* Pauses the runs of the window, so that the sweep has all cores and its times mean something. */
void
sl_window_runs_sweeping (SlWindow *self)
{
  SlSession *session = sl_window_get_session (self);

  if (sl_session_goes (session))
    sl_session_pause (session);
  sl_window_unseen_rest (self);
}

void
sl_window_runs_deleted (SlWindow *self, const char *sentence)
{
  sl_window_toast_button (self, sentence, _ ("Undo"), "win.undelete");
  sl_window_update_timeline (self);
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
}

void
sl_window_drop_runs (SlWindow *self)
{
  g_clear_pointer (&sl_window_parts (self)->runs, g_free);
}
