/* SPDX-License-Identifier: MIT */
#include "ui/window/controllers.h"

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/base/language.h"
#include "core/run/group/group.h"
#include "core/run/sweep/command-line.h"
#include "ui/help/help.h"

enum { RESCUE_STEPS = 100 };

/* ---- what runs ---- */

typedef void (*Command) (gpointer what);

/* What can be run, paused, stepped and rewound: a session, a pair, a group. */
typedef struct
{
  Command run, pause, step, rewind;
} Runnable;

/* True when a new run is to train: the user has not paused this one. */
static gboolean
is_to_run (SlSession *session)
{
  return sl_session_is_loading (session) ? sl_session_goes (session)
                                         : sl_session_state (session) != SL_PAUSED;
}

static void
restart_session (SlSession *session, uint64_t seed)
{
  sl_session_restart (session, NULL, seed, is_to_run (session));
}

static void
rewind_session (gpointer session)
{
  restart_session (session, sl_session_seed (session));
}

static void
rewind_group (gpointer group)
{
  sl_group_restart (group, sl_group_seed (group));
}

static const Runnable a_session = { (Command) sl_session_run, (Command) sl_session_pause,
                                    (Command) sl_session_step, rewind_session },
                      a_pair = { (Command) sl_pair_run, (Command) sl_pair_pause,
                                 (Command) sl_pair_step, (Command) sl_pair_rewind },
                      a_group = { (Command) sl_group_run, (Command) sl_group_pause,
                                  (Command) sl_group_step, rewind_group };

/* What is shown, and the functions that run, pause, step and rewind it. */
static const Runnable *
find_runnable (SlWindow *self, gpointer *what)
{
  if (sl_window_shows_overview (self))
    {
      *what = sl_window_get_group (self);
      return &a_group;
    }
  *what = sl_window_get_pair (self);
  if (*what != NULL)
    return &a_pair;
  *what = sl_window_get_session (self);
  return &a_session;
}

gboolean
sl_window_is_running (SlWindow *self)
{
  return sl_window_shows_overview (self)
           ? sl_group_is_running (sl_window_get_group (self))
           : sl_session_state (sl_window_get_session (self)) == SL_RUNNING;
}

/* run, pause, toggle, step, rewind */
static void
on_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char     *name = g_action_get_name (G_ACTION (action));
  gpointer        what;
  const Runnable *how = find_runnable (data, &what);

  if (g_str_equal (name, "toggle"))
    name = sl_window_is_running (data) ? "pause" : "run";
  (g_str_equal (name, "run")     ? how->run
   : g_str_equal (name, "pause") ? how->pause
   : g_str_equal (name, "step")  ? how->step
                                 : how->rewind) (what);
}

/* A pair's sessions both get the other seed. */
static void
on_reseed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint64 seed = (guint64) g_random_int_range (1, 1000000);

  if (sl_window_shows_overview (data))
    sl_group_restart (sl_window_get_group (data), seed);
  else
    restart_session (sl_window_get_session (data), seed);
}

static void
on_seed (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  restart_session (sl_window_get_session (data), g_variant_get_uint64 (parameter));
}

static void
on_data (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession *session = sl_window_get_session (data);

  sl_session_restart (session, g_variant_get_string (parameter, NULL), sl_session_seed (session),
                      is_to_run (session));
}

/* "": the defaults. */
static void
on_preset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession      *session = sl_window_get_session (data);
  const SlLab    *lab = sl_session_lab (session);
  const char     *id = g_variant_get_string (parameter, NULL);
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
    sl_window_pin_panels (data, preset->panels);
  sl_session_start (session, lab, &settings, NULL, sl_session_seed (session), is_to_run (session));
}

static void
on_reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession   *session = sl_window_get_session (data);
  const SlLab *lab = sl_session_lab (session);
  SlSettings   settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (session, lab, &settings, NULL, sl_session_seed (session), is_to_run (session));
}

static void
start_lab (SlWindow *self, const SlLab *lab, const char *spec, guint64 seed)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_session_start (sl_window_get_session (self), lab, &settings, spec, seed, TRUE);
}

static void
on_lab (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab = sl_lab_find (g_variant_get_string (parameter, NULL));
  SlSession   *session = sl_window_get_session (data);
  guint64      seed;

  if (lab == NULL)
    {
      sl_window_toast (data, _ ("There is no lab of this name"));
      return;
    }
  if (sl_window_shows_runs (data) && lab == sl_session_lab (session))
    {
      g_action_group_change_action_state (data, "runs", g_variant_new_boolean (FALSE));
      return;
    }
  if (sl_window_in_lesson (data) && lab == sl_session_lab (session)
      && !sl_window_shows_overview (data))
    return;
  sl_window_leave_runs (data);
  seed = sl_window_seed (data);
  sl_window_show_own (data);
  if (lab != sl_session_lab (sl_window_get_session (data)) && !sl_window_return_to_lab (data, lab))
    start_lab (data, lab, NULL, seed);
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
  sl_session_set_limit (sl_window_get_session (data), g_variant_get_uint64 (parameter));
}

/* ---- parameters ---- */

void
sl_window_set_value (SlWindow *self, const char *id, const SlValue *value)
{
  g_autoptr (GError) error = NULL;

  if (!sl_session_set (sl_window_get_session (self), id, value, &error))
    sl_window_toast (self, error->message);
}

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
  if (!sl_window_lesson_locks (self, id))
    sl_window_set_value (self, id, &(SlValue) { .n = 1, .v = { number } });
}

void
sl_window_pick (SlWindow *self, guint panel, guint number)
{
  set_number (self, sl_session_lab (sl_window_get_session (self))->panels[panel].picks, number);
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

void
sl_window_rescue (SlWindow *self, uint64_t step)
{
  if (rescue (self, step))
    sl_session_run (sl_window_get_session (self));
}

/* Some updates before a run diverged. */
static uint64_t
some_before (SlWindow *self)
{
  uint64_t step = sl_session_info (sl_window_get_session (self))->step;

  return step > RESCUE_STEPS ? step - RESCUE_STEPS : 0;
}

static void
on_rescue (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_rescue (data, some_before (data));
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

  if (sl_plot_grid_get_maximised (grid) >= 0)
    sl_plot_grid_maximise (grid, -1);
  else if (sl_window_is_presenting (data))
    sl_window_set_presenting (data, FALSE, NULL);
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
on_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (data));

  if (!sl_window_lesson_show_notes (data))
    sl_help_open (data, lab != NULL ? lab->id : "start");
}

static void
on_help_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_help_open (data, g_variant_get_string (parameter, NULL));
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
    { .name = "run", .activate = on_command },
    { .name = "pause", .activate = on_command },
    { .name = "toggle", .activate = on_command },
    { .name = "step", .activate = on_command },
    { .name = "rewind", .activate = on_command },
    { .name = "reseed", .activate = on_reseed },
    { .name = "reset", .activate = on_reset },
    { .name = "preset", .activate = on_preset, .parameter_type = "s" },
    { .name = "seed", .activate = on_seed, .parameter_type = "t" },
    { .name = "limit", .activate = on_limit, .parameter_type = "t" },
    { .name = "data", .activate = on_data, .parameter_type = "s" },
    { .name = "lab", .activate = on_lab, .parameter_type = "s" },
    { .name = "set", .activate = on_set, .parameter_type = "(ss)" },
    { .name = "start-over", .activate = on_start_over },
    { .name = "rescue", .activate = on_rescue },
    { .name = "rescue-halve", .activate = on_rescue_halve },
    { .name = "copy-command", .activate = on_copy_command },
    { .name = "maximise", .activate = on_maximise, .parameter_type = "s" },
    { .name = "restore-size", .activate = on_restore_size },
    { .name = "fullscreen", .activate = on_fullscreen },
    { .name = "help", .activate = on_help },
    { .name = "help-page", .activate = on_help_page, .parameter_type = "s" },
    { .name = "close", .activate = on_close },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_update_actions (SlWindow *self)
{
  static const char *const need_run[]
    = { "reset",     "seed",         "limit", "data",         "set",         "export",
        "export-to", "export-again", "copy",  "copy-command", "copy-state",  "print",
        "print-to",  "panels",       "twin",  "rescue",       "rescue-halve" };
  static const char *const for_all[] = { "toggle", "step", "rewind", "reseed" };
  SlSession               *session = sl_window_get_session (self);
  SlSessionState           state = sl_session_state (session);
  gboolean overview = sl_window_shows_overview (self), running = sl_window_is_running (self);
  gboolean there = sl_session_lab (session) != NULL && !overview;
  gboolean stored = sl_session_uuid (session) != NULL && !overview;

  for (unsigned i = 0; i < G_N_ELEMENTS (need_run); i++)
    sl_window_enable (self, need_run[i], there);
  for (unsigned i = 0; i < G_N_ELEMENTS (for_all); i++)
    sl_window_enable (self, for_all[i], overview || (there && (i > 1 || state != SL_DIVERGED)));
  sl_window_enable (self, "preset", there && !sl_window_in_lesson (self));
  sl_window_enable (self, "save", stored);
  sl_window_enable (self, "save-as", stored);
  sl_window_enable (self, "run", !running && (overview || (there && state != SL_DIVERGED)));
  sl_window_enable (self, "pause", running);
  sl_window_update_picture (self);
  sl_window_update_network (self);
  sl_window_update_timeline (self);
}
