/* SPDX-License-Identifier: MIT */
#include "ui/window/frame/frame.h"

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/sweep/command-line.h"

enum { RESCUE_STEPS = 100 };

/* ---- what runs ---- */

static SlStage *
stage_of (gpointer window)
{
  return sl_window_stage (window);
}

/* run, pause, toggle, step, rewind */
static void
on_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *name = g_action_get_name (G_ACTION (action));
  SlStage    *stage = stage_of (data);

  if (g_str_equal (name, "toggle"))
    name = sl_stage_is_running (stage) ? "pause" : "run";
  (g_str_equal (name, "run")     ? sl_stage_run
   : g_str_equal (name, "pause") ? sl_stage_pause
   : g_str_equal (name, "step")  ? sl_stage_step
                                 : sl_stage_rewind) (stage);
}

static void
on_reseed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_stage_reseed (stage_of (data), (guint64) g_random_int_range (1, 1000000));
}

static void
on_seed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_stage_restart (stage_of (data), NULL, g_variant_get_uint64 (parameter));
}

static void
on_data (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_stage_restart (stage_of (data), g_variant_get_string (parameter, NULL),
                    sl_session_seed (sl_window_get_session (data)));
}

/* "": the defaults. */
static void
on_preset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab    *lab = sl_session_lab (sl_window_get_session (data));
  const char     *id = parameter != NULL ? g_variant_get_string (parameter, NULL) : "";
  const SlPreset *preset = sl_lab_preset (lab, id);
  SlSettings      settings;
  SlStatus        status;

  if (*id != '\0' && preset == NULL)
    {
      sl_window_toast (data, _ ("The lab has no preset of this name"));
      return;
    }
  status = sl_preset_settings (lab, preset, &settings);
  g_return_if_fail (sl_ok (&status));
  if (preset != NULL && preset->panels != NULL)
    g_action_group_activate_action (data, "pin-panels", g_variant_new_string (preset->panels));
  sl_stage_reset (stage_of (data), &settings);
}

static void
on_lab (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab = sl_lab_find (g_variant_get_string (parameter, NULL));
  SlStage     *stage = stage_of (data);
  gboolean     same = lab == sl_session_lab (sl_stage_session (stage));

  if (lab == NULL)
    sl_window_toast (data, _ ("There is no lab of this name"));
  else if (same && sl_stage_shows_list (stage))
    sl_stage_back (stage);
  else if (!same || sl_stage_shows_overview (stage) || !sl_window_in_lesson (data))
    sl_stage_choose_lab (stage, lab);
}

/* After a first run that could not start. */
static void
on_start_over (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlStage   *stage = stage_of (data);
  SlSettings settings;

  sl_settings_default (&settings, sl_labs[0]->params, sl_labs[0]->n_params);
  sl_stage_begin (stage, sl_labs[0], &settings, sl_source_default (), sl_stage_seed (stage));
}

static void
on_limit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_session_set_limit (sl_window_get_session (data), g_variant_get_uint64 (parameter));
}

/* ---- parameters ---- */

static void
on_set (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession   *session = sl_window_get_session (data);
  const SlLab *lab = sl_session_lab (session);
  SlSettings   settings = *sl_session_settings (session);
  const char  *id, *text;
  SlStatus     status;

  g_variant_get (parameter, "(&s&s)", &id, &text);
  status = sl_settings_set (&settings, lab->params, lab->n_params, id, text);
  if (!sl_ok (&status))
    {
      g_autofree char *sentence = sl_status_sentence (&status);

      sl_window_toast (data, sentence);
      return;
    }
  sl_window_set_value (data, id, &settings.value[sl_param_find (lab->params, lab->n_params, id)]);
}

static void
set_number (SlWindow *self, const char *id, double number)
{
  SlParamRow *row = sl_param_form_row (sl_sidebar_get_form (sl_window_get_sidebar (self)), id);

  if (row != NULL && sl_param_row_is_locked (row))
    sl_window_toast (self, _ ("Locked by the lesson"));
  else
    sl_window_set_value (self, id, &(SlValue) { .n = 1, .v = { number } });
}

void
sl_window_pick (SlWindow *self, guint panel, guint number)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  const char  *picks = lab->panels[panel].picks;
  int          param = sl_param_find (lab->params, lab->n_params, picks);

  if (param >= 0)
    set_number (self, picks, lab->params[param].lo + number - 1.0);
}

void
sl_window_drag (SlWindow *self, guint panel, double value)
{
  set_number (self, sl_session_lab (sl_window_get_session (self))->panels[panel].drags, value);
}

static gboolean
rescue (SlWindow *self, uint64_t step)
{
  if (sl_session_rescue (sl_window_get_session (self), step))
    return TRUE;
  sl_window_toast (self, _ ("There is no checkpoint yet: rewind with R"));
  return FALSE;
}

/* Some updates before a run diverged. */
static uint64_t
some_before (SlWindow *self)
{
  uint64_t step = sl_session_info (sl_window_get_session (self))->step;

  return step > RESCUE_STEPS ? step - RESCUE_STEPS : 0;
}

static void
rescue_and_run (SlWindow *self, uint64_t step)
{
  if (rescue (self, step))
    sl_session_run (sl_window_get_session (self));
}

static void
on_rescue (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  rescue_and_run (data, some_before (data));
}

/* To before the trouble: what was learned since is taken back. */
static void
on_rescue_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  rescue_and_run (data, g_variant_get_uint64 (parameter));
}

static void
on_rescue_halve (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession   *session = sl_window_get_session (data);
  const SlLab *lab = sl_session_lab (session);
  int          i = sl_param_find (lab->params, lab->n_params, "learning-rate");
  SlValue      rate;

  if (i < 0)
    {
      on_rescue (action, parameter, data);
      return;
    }
  rate = sl_session_settings (session)->value[i];
  rate.v[0] = MAX (lab->params[i].lo, rate.v[0] / 2.0);
  if (!rescue (data, some_before (data)))
    return;
  sl_session_set (session, "learning-rate", &rate, NULL);
  sl_session_run (session);
}

static void
on_copy_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autofree char *json = sl_session_recipe (sl_window_get_session (data)), *command = NULL;
  g_autoptr (GError) error = NULL;
  SlRecipe recipe;

  if (json == NULL)
    return;
  if (!sl_recipe_read (json, &recipe, &error))
    {
      sl_window_toast (data, error->message);
      return;
    }
  command = sl_command_line_run (&recipe);
  sl_recipe_clear (&recipe);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), command);
  sl_window_toast (data, _ ("Copied the command that makes this run"));
}

/* ---- the look ---- */

static void
on_maximise (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (data));

  sl_plot_grid_maximise (sl_window_get_grid (data),
                         lab != NULL ? sl_lab_panel (lab, g_variant_get_string (parameter, NULL))
                                     : -1);
}

static void
on_restore_size (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlPlotGrid *grid = sl_window_get_grid (data);

  if (sl_window_leave_front (data))
    return;
  if (sl_plot_grid_get_maximised (grid) >= 0)
    sl_plot_grid_maximise (grid, -1);
  else if (sl_window_is_on (data, "present"))
    g_action_group_change_action_state (data, "present", g_variant_new_boolean (FALSE));
  else if (gtk_window_is_fullscreen (data))
    gtk_window_unfullscreen (data);
  else
    gtk_widget_activate_action (data, "win.lesson-leave", NULL);
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

static void
update (SlWindow *self)
{
  static const char *const need_run[] = { "reset",
                                          "seed",
                                          "limit",
                                          "data",
                                          "set",
                                          "export-again",
                                          "copy",
                                          "copy-command",
                                          "copy-state",
                                          "panels",
                                          "twin",
                                          "rescue",
                                          "rescue-halve",
                                          "lesson-save-step",
                                          "lesson-save-step-to" };
  static const char *const of_figures[] = { "export-to", "print", "print-to" };
  static const char *const for_all[] = { "toggle", "step", "rewind", "reseed", "pace" };
  SlSession               *session = sl_window_get_session (self);
  SlSessionState           state = sl_session_state (session);
  gboolean                 overview = sl_window_shows_overview (self),
           running = sl_stage_is_running (stage_of (self));
  gboolean there = sl_session_lab (session) != NULL && !overview;
  gboolean stored = sl_session_uuid (session) != NULL && !overview;

  for (unsigned i = 0; i < G_N_ELEMENTS (need_run); i++)
    sl_window_enable (self, need_run[i], there);
  for (unsigned i = 0; i < G_N_ELEMENTS (of_figures); i++)
    sl_window_enable (self, of_figures[i], there || overview);
  sl_window_enable (self, "export", there || overview || sl_stage_shows_list (stage_of (self)));
  for (unsigned i = 0; i < G_N_ELEMENTS (for_all); i++)
    sl_window_enable (self, for_all[i], overview || (there && (i > 1 || state != SL_DIVERGED)));
  sl_window_enable (self, "front", there && sl_lab_picture (sl_session_lab (session)) >= 0);
  sl_window_enable (self, "preset", there && !sl_window_in_lesson (self));
  sl_window_enable (self, "save", stored);
  sl_window_enable (self, "save-as", stored);
  sl_window_enable (self, "run", !running && (overview || (there && state != SL_DIVERGED)));
  sl_window_enable (self, "pause", running);
}

/* Made when it is asked for first: the toolkit would make one with each window.  From then on the action is the
 * toolkit's.  */
static void
on_shortcuts (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  g_autoptr (GtkBuilder) builder
    = gtk_builder_new_from_resource ("/org/sluice/Sluice/ui/kit/shortcuts.ui");
  GObject *shortcuts = gtk_builder_get_object (builder, "help_overlay");

  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (window),
                                           GTK_SHORTCUTS_WINDOW (shortcuts));
  gtk_window_present (GTK_WINDOW (shortcuts));
}

void
sl_window_add_actions (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "run", .activate = on_command },
    { .name = "pause", .activate = on_command },
    { .name = "toggle", .activate = on_command },
    { .name = "step", .activate = on_command },
    { .name = "rewind", .activate = on_command },
    { .name = "reseed", .activate = on_reseed },
    { .name = "reset", .activate = on_preset },
    { .name = "preset", .activate = on_preset, .parameter_type = "s" },
    { .name = "seed", .activate = on_seed, .parameter_type = "t" },
    { .name = "limit", .activate = on_limit, .parameter_type = "t" },
    { .name = "data", .activate = on_data, .parameter_type = "s" },
    { .name = "lab", .activate = on_lab, .parameter_type = "s" },
    { .name = "set", .activate = on_set, .parameter_type = "(ss)" },
    { .name = "start-over", .activate = on_start_over },
    { .name = "rescue", .activate = on_rescue },
    { .name = "rescue-halve", .activate = on_rescue_halve },
    { .name = "rescue-to", .activate = on_rescue_to, .parameter_type = "t" },
    { .name = "copy-command", .activate = on_copy_command },
    { .name = "maximise", .activate = on_maximise, .parameter_type = "s" },
    { .name = "restore-size", .activate = on_restore_size },
    { .name = "fullscreen", .activate = on_fullscreen },
    { .name = "close", .activate = on_close },
    { .name = "show-help-overlay", .activate = on_shortcuts },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "progress", update);
}
