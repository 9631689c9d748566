/* SPDX-License-Identifier: MIT
 *
 * What the window can do, as actions.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/files/table.h"
#include "ui/window/private.h"

enum { RESCUE_STEPS = 100 };

static void
on_run (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!sl_window_overview_does (data, "run") && !sl_window_pair_does (data, "run"))
    sl_session_run (SL_WINDOW (data)->session);
}

static void
on_pause (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!sl_window_overview_does (data, "pause") && !sl_window_pair_does (data, "pause"))
    sl_session_pause (SL_WINDOW (data)->session);
}

static void
on_toggle (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (sl_window_overview_does (self, "toggle") || sl_window_pair_does (self, "toggle"))
    return;
  if (sl_session_state (self->session) == SL_RUNNING)
    sl_session_pause (self->session);
  else
    sl_session_run (self->session);
}

static void
on_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!sl_window_overview_does (data, "step") && !sl_window_pair_does (data, "step"))
    sl_session_step (SL_WINDOW (data)->session);
}

/* Begins again; it runs unless somebody paused it. */
static void
start (SlWindow *self, const SlSettings *settings, const char *spec, uint64_t seed)
{
  sl_session_start (self->session, sl_session_lab (self->session), settings, spec, seed,
                    sl_session_state (self->session) != SL_PAUSED);
}

static void
on_rewind (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow  *self = data;
  SlSettings settings = *sl_session_settings (self->session);

  if (sl_window_overview_does (self, "rewind") || sl_window_pair_does (self, "rewind"))
    return;
  start (self, &settings, NULL, sl_session_seed (self->session));
}

static void
on_reseed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow  *self = data;
  SlSettings settings = *sl_session_settings (self->session);

  if (sl_window_overview_does (self, "reseed"))
    return;
  start (self, &settings, NULL, (guint64) g_random_int_range (1, 1000000));
}

static void
on_seed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow  *self = data;
  SlSettings settings = *sl_session_settings (self->session);

  start (self, &settings, NULL, g_variant_get_uint64 (parameter));
}

static void
on_data (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow  *self = data;
  SlSettings settings = *sl_session_settings (self->session);

  start (self, &settings, g_variant_get_string (parameter, NULL), sl_session_seed (self->session));
}

static void
on_reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_session_lab (self->session);
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  start (self, &settings, NULL, sl_session_seed (self->session));
}

static void
start_lab (SlWindow *self, const SlLab *lab, const char *spec, guint64 seed)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (self->session, lab, &settings, spec, seed, TRUE);
}

static void
on_lab (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_lab_find (g_variant_get_string (parameter, NULL));
  gboolean     back;
  guint64      seed;

  if (lab == NULL)
    {
      sl_window_toast (self, _ ("There is no lab of this name"));
      return;
    }
  if (self->comparing && lab == sl_session_lab (self->session))
    {
      g_action_group_change_action_state (G_ACTION_GROUP (self), "runs",
                                          g_variant_new_boolean (FALSE));
      return;
    }
  sl_window_leave_runs (self);
  /* Chosen while it is there, it begins anew; after a look elsewhere, it goes on. */
  back = self->in_overview || self->session != self->own;
  seed = sl_window_seed (self);
  sl_window_show_own (self);
  if (!back || lab != sl_session_lab (self->session))
    start_lab (self, lab, NULL, seed);
}

/* After a first run that could not start. */
static void
on_start_over (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  start_lab (data, sl_labs[0], sl_source_default (), sl_window_seed (data));
}

static void
on_limit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_set_limit (SL_WINDOW (data)->session, g_variant_get_uint64 (parameter));
}

static void
on_set (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_session_lab (self->session);
  const char  *id, *text;
  int          i;
  SlSettings   settings = *sl_session_settings (self->session);
  SlStatus     status;
  g_autoptr (GError) error = NULL;

  g_variant_get (parameter, "(&s&s)", &id, &text);
  status = sl_settings_set (&settings, lab->params, lab->n_params, id, text);
  if (!sl_ok (&status))
    {
      g_autofree char *sentence = sl_status_sentence (&status);

      sl_window_toast (self, sentence);
      return;
    }
  i = sl_param_find (lab->params, lab->n_params, id);
  if (!sl_session_set (self->session, id, &settings.value[i], &error))
    sl_window_toast (self, error->message);
}

static gboolean
rescue (SlWindow *self)
{
  if (sl_session_rescue (self->session, RESCUE_STEPS))
    return TRUE;
  sl_window_toast (self, _ ("There is no checkpoint yet: rewind with R"));
  return FALSE;
}

static void
on_rescue (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (rescue (self))
    sl_session_run (self->session);
}

static void
on_rescue_halve (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_session_lab (self->session);
  int          i = sl_param_find (lab->params, lab->n_params, "learning-rate");
  SlValue      rate;

  if (i < 0)
    {
      on_rescue (action, parameter, data);
      return;
    }
  rate = sl_session_settings (self->session)->value[i];
  rate.v[0] = MAX (lab->params[i].lo, rate.v[0] / 2.0);
  if (!rescue (self))
    return;
  sl_session_set (self->session, "learning-rate", &rate, NULL);
  sl_session_run (self->session);
}

static void
on_chosen (GtkNativeDialog *dialog, int response, SlWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *path = g_file_get_path (file);

      if (path != NULL)
        sl_window_open_file (self, path);
      else
        sl_window_toast (self, _ ("Only files on this computer can be opened"));
    }
  g_clear_object (&self->chooser);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (self->chooser != NULL)
    return;
  self->chooser
    = gtk_file_chooser_native_new (_ ("Open data or a figure"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
on_restore (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_open_file (data, g_variant_get_string (parameter, NULL));
}

static void
on_copy (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  int       panel = sl_plot_grid_get_focused (self->grid);

  g_signal_emit_by_name (self->grid, "copy", (guint) MAX (panel, 0));
}

static void
on_maximise (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_session_lab (self->session);

  sl_plot_grid_maximise (
    self->grid, lab != NULL ? sl_lab_panel (lab, g_variant_get_string (parameter, NULL)) : -1);
}

static void
on_restore_size (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (sl_plot_grid_get_maximised (self->grid) >= 0)
    sl_plot_grid_maximise (self->grid, -1);
  else if (self->presenting)
    sl_window_set_presenting (self, FALSE, NULL);
  else if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.lesson-leave", NULL);
}

static void
on_sidebar (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;
  gboolean  shown = g_variant_get_boolean (state);

  sl_window_show_sidebar (self, shown);
  /* What somebody does in a narrow window or before an audience is for this moment. */
  if (!self->narrow && !self->presenting)
    g_object_set (self->prefs, "sidebar", shown, NULL);
}

static void
on_fullscreen (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *window = data;

  if (gtk_window_is_fullscreen (window))
    gtk_window_unfullscreen (window);
  else
    gtk_window_fullscreen (window);
}

static void
on_close (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_window_close (data);
}

void
sl_window_add_actions (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "run", .activate = on_run },
    { .name = "pause", .activate = on_pause },
    { .name = "toggle", .activate = on_toggle },
    { .name = "step", .activate = on_step },
    { .name = "rewind", .activate = on_rewind },
    { .name = "reseed", .activate = on_reseed },
    { .name = "reset", .activate = on_reset },
    { .name = "seed", .activate = on_seed, .parameter_type = "t" },
    { .name = "limit", .activate = on_limit, .parameter_type = "t" },
    { .name = "data", .activate = on_data, .parameter_type = "s" },
    { .name = "lab", .activate = on_lab, .parameter_type = "s" },
    { .name = "set", .activate = on_set, .parameter_type = "(ss)" },
    { .name = "start-over", .activate = on_start_over },
    { .name = "rescue", .activate = on_rescue },
    { .name = "rescue-halve", .activate = on_rescue_halve },
    { .name = "open", .activate = on_open },
    { .name = "restore", .activate = on_restore, .parameter_type = "s" },
    { .name = "copy", .activate = on_copy },
    { .name = "maximise", .activate = on_maximise, .parameter_type = "s" },
    { .name = "restore-size", .activate = on_restore_size },
    { .name = "sidebar", .state = "true", .change_state = on_sidebar },
    { .name = "fullscreen", .activate = on_fullscreen },
    { .name = "close", .activate = on_close },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

static void
enable (SlWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  if (g_action_get_enabled (action) != enabled)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
sl_window_update_actions (SlWindow *self)
{
  static const char *const need_run[]
    = { "toggle", "step",   "rewind",    "reseed",       "reset", "seed",         "limit", "data",
        "set",    "export", "export-to", "export-again", "copy",  "copy-command", "twin" };
  SlSessionState state = sl_session_state (self->session);
  gboolean       there = sl_session_lab (self->session) != NULL && !self->in_overview;

  for (unsigned i = 0; i < G_N_ELEMENTS (need_run); i++)
    enable (self, need_run[i], there);
  enable (self, "save", sl_session_uuid (self->session) != NULL && !self->in_overview);
  enable (self, "save-as", sl_session_uuid (self->session) != NULL && !self->in_overview);
  enable (self, "toggle", there && state != SL_DIVERGED);
  enable (self, "step", there && state != SL_DIVERGED);
  enable (self, "run", there && state != SL_RUNNING && state != SL_DIVERGED);
  enable (self, "pause", state == SL_RUNNING);
  enable (self, "rescue", there);
  enable (self, "rescue-halve", there);
  if (self->in_overview)
    {
      static const char *const for_all[] = { "toggle", "step", "rewind", "reseed" };

      for (unsigned i = 0; i < G_N_ELEMENTS (for_all); i++)
        enable (self, for_all[i], TRUE);
      enable (self, "run", !sl_group_is_running (self->group));
      enable (self, "pause", sl_group_is_running (self->group));
    }
  sl_window_update_picture (self);
  sl_window_update_timeline (self);
}
