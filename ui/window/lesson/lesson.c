/* SPDX-License-Identifier: MIT
 *
 * Lessons in the window: which one is taken, the keys of a clicker, one step after another.  */
#include <glib/gi18n.h>

#include "ui/window/lesson/private.h"

static void
enable (SlWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (
    G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static void
update_actions (SlWindow *self)
{
  SlLessonPlayer *player = self->lesson->player;
  gboolean        taken = player != NULL;

  enable (self, "lesson-back", taken && sl_lesson_player_get_number (player) > 0);
  enable (self, "lesson-next", taken && sl_lesson_player_may_go_on (player));
  enable (self, "lesson-leave", taken);
  enable (self, "lesson-answer", taken && !sl_lesson_player_may_go_on (player));
  enable (self, "lesson-ask-again", taken && sl_lesson_player_get_guess (player)->answered);
  enable (self, "lesson-resume", !taken && self->lesson->left != NULL);
}

static void
on_moved (SlWindow *self)
{
  sl_window_lesson_unpoint (self);
  g_clear_object (&self->lesson->sketch);
  if (sl_lesson_player_get_lab (self->lesson->player) == NULL)
    {
      sl_window_lesson_set_headlines (self);
      sl_window_lesson_let_group_go (self);
    }
  else
    sl_window_lesson_stop_waiting (self);
  sl_window_lesson_set_stage (self);
  update_actions (self);
}

/* Shows what a step takes place on before the step begins. */
static void
show_place (SlWindow *self, const SlLesson *lesson, unsigned step)
{
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, step, &state);

  self->lesson->going = TRUE;
  if (sl_ok (&status) && state.lab == NULL)
    sl_window_show_overview (self);
  else
    sl_window_show_own (self);
  self->lesson->going = FALSE;
  g_free (state.data);
}

static void
go_to (SlWindow *self, unsigned step)
{
  show_place (self, sl_lesson_player_get_lesson (self->lesson->player), step);
  sl_lesson_player_go (self->lesson->player, step);
}

static void
on_answered (SlWindow *self)
{
  const SlGuess *guess = sl_lesson_player_get_guess (self->lesson->player);

  if (self->lesson->sketch != NULL && guess->skipped)
    g_clear_object (&self->lesson->sketch);
  else if (self->lesson->sketch != NULL)
    {
      sl_lesson_sketch_set (self->lesson->sketch, guess->sketch);
      sl_lesson_sketch_set_open (self->lesson->sketch, FALSE);
    }
  if (self->lesson->withheld)
    sl_window_lesson_show_plots (self);
  if (sl_lesson_player_get_lab (self->lesson->player) == NULL)
    sl_window_lesson_let_group_go (self);
  update_actions (self);
}

gboolean
sl_window_lesson_locks (SlWindow *self, const char *param)
{
  SlParamRow *row = sl_param_form_row (sl_sidebar_get_form (self->sidebar), param);

  if (row == NULL || !sl_param_row_is_locked (row))
    return FALSE;
  sl_window_toast (self, _ ("Locked by the lesson"));
  return TRUE;
}

/* ---- taking and leaving ---- */

static void
leave (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  if (desk->player == NULL)
    return;
  sl_window_lesson_stop_waiting (self);
  g_signal_handlers_disconnect_by_data (desk->player, self);
  sl_lesson_player_set_session (desk->player, NULL);
  sl_lesson_bar_set_player (self->lesson_bar, NULL);
  desk->left = desk->player;
  desk->player = NULL;
  sl_window_lesson_clear_stage (self);
  update_actions (self);
}

/* The next lesson is not to begin under these words. */
static void
say_goodbye (SlWindow *self, const char *sentence, const char *label, const char *action)
{
  g_set_weak_pointer (&self->lesson->goodbye,
                      sl_window_toast_button (self, sentence, label, action));
}

static void
take (SlWindow *self, SlLessonPlayer *player, gboolean resume)
{
  SlLessonDesk *desk = self->lesson;

  leave (self);
  if (desk->goodbye != NULL)
    adw_toast_dismiss (desk->goodbye);
  desk->player = player;
  desk->left = NULL;
  show_place (self, sl_lesson_player_get_lesson (player),
              resume ? sl_lesson_player_get_number (player) : 0);
  sl_lesson_player_set_session (player, self->own);
  g_signal_connect_swapped (player, "moved", G_CALLBACK (on_moved), self);
  g_signal_connect_swapped (player, "answered", G_CALLBACK (on_answered), self);
  if (resume)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_lesson_player_begin (player);
  sl_lesson_bar_set_player (self->lesson_bar, player);
}

gboolean
sl_window_open_lesson (SlWindow *self, const char *name, GError **error)
{
  g_autoptr (GFile) file = sl_window_lesson_file (name);
  SlLesson       *lesson = sl_lesson_load (file, error);
  SlLessonPlayer *player = g_hash_table_lookup (self->lesson->players, name);

  if (lesson == NULL)
    return FALSE;
  /* Who takes a lesson once more meets the guesses of the last time; a file may have changed. */
  if (player != NULL && sl_lesson_player_get_lesson (player)->steps->len == lesson->steps->len
      && !g_file_is_native (file))
    sl_lesson_free (lesson);
  else
    {
      leave (self);
      self->lesson->left = NULL;
      player = sl_lesson_player_new (lesson);
      g_hash_table_replace (self->lesson->players, g_strdup (name), player);
    }
  take (self, player, FALSE);
  return TRUE;
}

static void
on_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!sl_window_open_lesson (self, g_variant_get_string (parameter, NULL), &error))
    sl_window_report (self, error->message);
}

static void
on_leave (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (self->lesson->going)
    return;
  leave (self);
  say_goodbye (self, _ ("The lesson can be resumed from the menu"), _ ("Resume"),
               "win.lesson-resume");
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  take (self, self->lesson->left, TRUE);
}

/* After the last step a lesson is over. */
static void
on_next (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow       *self = data;
  SlLessonPlayer *player = self->lesson->player;
  unsigned        next = sl_lesson_player_get_number (player) + 1;

  if (next < sl_lesson_player_get_lesson (player)->steps->len)
    go_to (self, next);
  else
    {
      g_autofree char *follows = sl_window_lesson_after (self, player);

      leave (self);
      say_goodbye (self, _ ("That was the lesson. The run is yours now."),
                   follows != NULL ? _ ("Next lesson") : NULL, follows);
    }
}

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  go_to (self, sl_lesson_player_get_number (self->lesson->player) - 1);
}

static void
on_answer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!sl_lesson_player_answer (self->lesson->player, g_variant_get_string (parameter, NULL),
                                &error))
    sl_window_toast (self, error->message);
}

static void
on_ask_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_lesson_player_ask_again (SL_WINDOW (data)->lesson->player);
}

static void
on_earlier (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  g_simple_action_set_state (action, state);
  self->lesson->earlier = g_variant_get_boolean (state);
  if (self->lesson->sketch == NULL)
    return;
  g_clear_object (&self->lesson->sketch);
  sl_window_lesson_show_sketch (self);
}

static void
on_bar_answer (SlWindow *self, const char *text)
{
  g_autofree char *drawn = text == NULL && self->lesson->sketch != NULL
                             ? sl_lesson_sketch_dup_answer (self->lesson->sketch)
                             : NULL;

  if (text == NULL)
    text = drawn;
  if (text != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), "lesson-answer",
                                    g_variant_new_string (text));
}

/* ---- keys, beginning and end ---- */

/* Before plots and sliders, which have uses of their own for these keys. */
static void
add_keys (SlWindow *self)
{
  static const struct
  {
    guint       key;
    const char *action;
  } keys[] = { { GDK_KEY_Page_Down, "action(win.lesson-next)" },
               { GDK_KEY_Page_Up, "action(win.lesson-back)" } };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (unsigned i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (controller),
      gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, 0),
                        gtk_shortcut_action_parse_string (keys[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

void
sl_window_add_lesson_actions (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson", .activate = on_lesson, .parameter_type = "s" },
    { .name = "lesson-next", .activate = on_next },
    { .name = "lesson-back", .activate = on_back },
    { .name = "lesson-leave", .activate = on_leave },
    { .name = "lesson-resume", .activate = on_resume },
    { .name = "lesson-answer", .activate = on_answer, .parameter_type = "s" },
    { .name = "lesson-ask-again", .activate = on_ask_again },
    { .name = "lesson-earlier", .state = "false", .change_state = on_earlier },
    { .name = "lesson-save-step", .activate = sl_window_lesson_save_step },
    { .name = "lesson-save-step-to",
      .activate = sl_window_lesson_save_step_to,
      .parameter_type = "(sss)" },
  };

  self->lesson = g_new0 (SlLessonDesk, 1);
  self->lesson->players = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  update_actions (self);
}

void
sl_window_add_lessons (SlWindow *self)
{
  g_signal_connect_object (self->lesson_bar, "answer", G_CALLBACK (on_bar_answer), self,
                           G_CONNECT_SWAPPED);
  sl_window_lesson_fill_menu (self);
  add_keys (self);
}

void
sl_window_drop_lessons (SlWindow *self)
{
  SlLessonDesk *desk = self->lesson;

  if (desk == NULL)
    return;
  sl_window_lesson_unpoint (self);
  g_clear_weak_pointer (&desk->goodbye);
  g_clear_object (&desk->sketch);
  sl_window_lesson_stop_waiting (self);
  if (desk->player != NULL)
    {
      g_signal_handlers_disconnect_by_data (desk->player, self);
      sl_lesson_player_set_session (desk->player, NULL);
      sl_lesson_bar_set_player (self->lesson_bar, NULL);
    }
  g_hash_table_unref (desk->players);
  g_free (desk);
  self->lesson = NULL;
}
