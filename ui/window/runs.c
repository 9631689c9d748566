/* SPDX-License-Identifier: MIT
 *
 * The page of runs and trade-offs in the window: coming and going, what sweeps vary around, and
 * stored runs that are opened.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "ui/runs/page.h"
#include "ui/window/private.h"

enum { MEASURE_US = 4000000 };

/* Sweeps vary around what the run is set to that was looked at before. */
static void
tell_base (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (self->session);
  SlSettings   settings;

  if (lab != NULL)
    {
      sl_runs_page_set_base (self->runs, lab, sl_session_settings (self->session),
                             sl_session_spec (self->session));
      return;
    }
  lab = sl_labs[0];
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  sl_runs_page_set_base (self->runs, lab, &settings, sl_source_default_for (lab->data));
}

/* A run that is made again ends where it ended.  From then on, and for every other one, what was the
 * limit before is it again.  */
static void
follow_limit (SlWindow *self)
{
  const SlSessionInfo *info = sl_session_info (self->own);

  /* It could not be made. */
  if (self->limit_due > 0 && !sl_session_is_loading (self->own)
      && sl_session_generation (self->own) == self->before_remade)
    self->limit_due = 0;
  if (self->remade == 0 || self->limit_due > 0
      || (self->remade == sl_session_generation (self->own)
          && sl_session_state (self->own) != SL_FINISHED))
    return;
  self->remade = 0;
  if (info->limit != self->limit_before)
    sl_session_set_limit (self->own, self->limit_before);
}

void
sl_window_runs_restarted (SlWindow *self)
{
  if (self->limit_due > 0 && sl_session_generation (self->own) != self->before_remade)
    {
      if (self->remade == 0)
        self->limit_before = sl_session_info (self->own)->limit;
      self->remade = sl_session_generation (self->own);
      sl_session_set_limit (self->own, self->limit_due);
      /* Until it goes on from there it is a second copy, which is not to count among the seeds. */
      self->measured = (SlMeasured) { .session = self->own,
                                      .generation = self->remade,
                                      .step = self->limit_due,
                                      .settings = *sl_session_settings (self->own) };
      self->limit_due = 0;
      sl_session_run (self->own);
    }
  follow_limit (self);
}

/* A run is among the others with its error on a whole split.  That takes a while, so it is measured
 * where somebody looks, now and then while the run goes on, and at its end.  */
static void
measure (SlWindow *self)
{
  SlMeasured          *last = &self->measured;
  const SlSessionInfo *info = sl_session_info (self->session);
  const SlSettings    *settings = sl_session_settings (self->session);
  unsigned             generation = sl_session_generation (self->session);
  gboolean             running = sl_session_state (self->session) == SL_RUNNING;
  gboolean             same = self->session == last->session && generation == last->generation
                  && memcmp (settings, &last->settings, sizeof *settings) == 0;
  gint64 now = g_get_monotonic_time ();

  if (sl_session_lab (self->session) == NULL || info->step == 0
      || sl_session_is_visiting (self->session)
      || (same && (info->step == last->step || (running && now - last->time < MEASURE_US))))
    return;
  *last = (SlMeasured) { .session = self->session,
                         .generation = generation,
                         .step = info->step,
                         .settings = *settings,
                         .time = now };
  sl_session_score (self->session, SL_TEST);
}

void
sl_window_runs_changed (SlWindow *self)
{
  follow_limit (self);
  if (self->comparing || sl_session_state (self->session) == SL_FINISHED)
    measure (self);
  if (!self->comparing)
    return;
  sl_runs_page_set_store (self->runs, sl_session_store (self->own));
  tell_base (self);
  adw_window_title_set_title (self->title, _ ("Runs and trade-offs"));
  adw_window_title_set_subtitle (self->title, "");
}

static void
set_state (SlWindow *self, gboolean comparing)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "runs");

  self->comparing = comparing;
  sl_sidebar_set_away (self->sidebar, comparing);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (comparing));
}

void
sl_window_leave_runs (SlWindow *self)
{
  if (self->comparing)
    set_state (self, FALSE);
}

/* Those of the start page that rest meanwhile. */
static void
measure_group (SlWindow *self)
{
  for (unsigned i = 0; self->group != NULL && i < sl_group_size (self->group); i++)
    {
      SlSession *session = sl_group_session (self->group, i);

      if (session != self->session && sl_session_info (session)->step > 0)
        sl_session_score (session, SL_TEST);
    }
}

/* A run of the start page that was opened stays the one that form, keys and sweeps are about. */
static void
show_runs (SlWindow *self)
{
  if (!sl_window_is_closer (self))
    sl_window_show_own (self);
  measure_group (self);
  set_state (self, TRUE);
  sl_window_set_session (self, self->session);
}

/* Back to the plots, or to the start page where nothing was begun. */
static void
hide_runs (SlWindow *self)
{
  sl_window_leave_runs (self);
  if (sl_session_lab (self->session) == NULL && !sl_session_is_loading (self->session))
    sl_window_show_overview (self);
  else
    sl_window_set_session (self, self->session);
}

static void
on_runs (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  if (g_variant_get_boolean (state) && !self->comparing)
    show_runs (self);
  else if (!g_variant_get_boolean (state) && self->comparing)
    hide_runs (self);
}

/* Set up and in sight, and one click from the start. */
static void
on_sweep (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (!self->comparing)
    show_runs (self);
  if (!sl_runs_page_suggest (self->runs, g_variant_get_string (parameter, NULL)))
    sl_window_toast (self, _ ("A sweep is running: this one can be set up when it has finished"));
}

/* The stored run that could not go on. */
static void
on_begin_anew (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_begin_anew (SL_WINDOW (data)->session);
}

static void
on_undelete (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_runs_page_undelete (SL_WINDOW (data)->runs);
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

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

/* What a thread reads for the window. */
typedef struct
{
  SlStore *store;
  char    *uuid;
} Wanted;

static void
free_wanted (gpointer data)
{
  Wanted *wanted = data;

  g_object_unref (wanted->store);
  g_free (wanted->uuid);
  g_free (wanted);
}

static void
free_run (gpointer run)
{
  sl_stored_run_clear (run);
  g_free (run);
}

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Wanted      *wanted = data;
  SlStoredRun *run = g_new0 (SlStoredRun, 1);
  GError      *error = NULL;

  if (sl_store_load (wanted->store, wanted->uuid, TRUE, G_MAXUINT64, run, &error))
    g_task_return_pointer (task, run, free_run);
  else
    {
      g_free (run);
      g_task_return_error (task, error);
    }
}

/* A run with a checkpoint is there at once; one of a sweep has none and is made again, bit for bit,
 * up to where it was.  */
static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  SlWindow *self = SL_WINDOW (source);
  g_autoptr (GError) error = NULL;
  SlStoredRun *run = g_task_propagate_pointer (G_TASK (result), &error);

  if (run == NULL)
    {
      sl_window_toast (self, error->message);
      return;
    }
  /* The window may be closing. */
  if (self->own != NULL)
    {
      sl_window_leave_runs (self);
      self->own_held = FALSE;
      sl_window_show_own (self);
      sl_window_set_session (self, self->own);
      sl_window_view_expect (self, run->view);
      if (run->checkpoint.data != NULL)
        sl_session_resume (self->own, run, FALSE);
      else
        {
          self->before_remade = sl_session_generation (self->own);
          self->limit_due = run->recipe.step;
          sl_session_replay (self->own, &run->recipe, FALSE);
          sl_window_toast (self, _ ("The run is made again from its recipe"));
        }
    }
  free_run (run);
}

void
sl_window_open_run (SlWindow *self, SlRunItem *item, SlRunsPage *page)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_loaded, NULL);
  Wanted *wanted = g_new (Wanted, 1);

  *wanted = (Wanted) { g_object_ref (sl_runs_page_get_store (page)),
                       g_strdup (sl_run_item_run (item)->uuid) };
  g_task_set_task_data (task, wanted, free_wanted);
  g_task_run_in_thread (task, load);
}

/* Both cores are the sweep's, so that its times are worth something. */
void
sl_window_runs_sweeping (SlWindow *self)
{
  if (sl_session_state (self->session) == SL_RUNNING)
    sl_session_pause (self->session);
}

void
sl_window_runs_deleted (SlWindow *self, const char *sentence)
{
  sl_window_toast_button (self, sentence, _ ("Undo"), "win.undelete");
}
