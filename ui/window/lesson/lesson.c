/* SPDX-License-Identifier: MIT
 *
 * Lessons in the window: which one is taken, the keys of a clicker, one step after another; and the place in one
 * when the program ends, to which it returns at its next start.  */
#include <glib/gi18n.h>

#include "ui/kit/toast.h"
#include "ui/lesson/bar.h"
#include "ui/lesson/chooser.h"
#include "ui/lesson/ending.h"
#include "ui/lesson/progress.h"
#include "ui/status/line.h"
#include "ui/window/lesson/private.h"

static void
update_actions (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  gboolean        taken = player != NULL;
  gboolean        asks = taken && !sl_lesson_player_may_go_on (player);

  sl_window_enable (self, "lesson-back", taken && sl_lesson_player_get_number (player) > 0);
  sl_window_enable (self, "lesson-next", taken && !asks);
  sl_window_enable (self, "lesson-leave", taken);
  sl_window_enable (self, "lesson-answer", asks);
  sl_window_enable (self, "lesson-ask-again",
                    taken && sl_lesson_player_get_guess (player)->answered);
  sl_window_enable (self, "lesson-start", taken);
  sl_window_enable (self, "lesson-worksheet-to", taken);
  sl_window_enable (self, "lesson-save-answers", sl_window_lesson_answered (self) != NULL);
  sl_window_enable (self, "lesson-save-answers-to", sl_window_lesson_answered (self) != NULL);
  sl_window_enable (self, "lesson-resume", !taken && sl_window_lesson (self)->left != NULL);
}

static void
hide_best (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  sl_status_line_hide_best (sl_window_child (self, "status"),
                            player != NULL && !sl_lesson_player_may_go_on (player));
}

static void
on_moved (SlWindow *self)
{
  sl_window_lesson_unpoint (self);
  sl_window_lesson_clear_guess (self);
  if (sl_lesson_player_get_lab (sl_window_lesson (self)->player) == NULL)
    {
      sl_window_lesson_set_headlines (self);
      sl_window_lesson_let_group_go (self);
    }
  sl_window_lesson_set_screen (self);
  sl_window_lesson_set_speed (self, sl_lesson_player_get_speed (sl_window_lesson (self)->player));
  sl_window_lesson_keep_progress (self, FALSE);
  update_actions (self);
  hide_best (self);
}

/* Shows what a step takes place on before the step begins, not the list of runs over it. */
static void
show_place (SlWindow *self, const SlLesson *lesson, unsigned step)
{
  SlStage      *stage = sl_window_stage (self);
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, step, &state);

  if (sl_ok (&status) && state.lab == NULL)
    sl_stage_show_lesson_group (stage);
  else
    sl_stage_show_lesson (stage);
  g_free (state.data);
}

static void
go_to (SlWindow *self, unsigned step)
{
  show_place (self, sl_lesson_player_get_lesson (sl_window_lesson (self)->player), step);
  sl_lesson_player_go (sl_window_lesson (self)->player, step);
}

static void
on_answered (SlWindow *self)
{
  const SlGuess *guess = sl_lesson_player_get_guess (sl_window_lesson (self)->player);

  if (sl_window_lesson (self)->sketch != NULL && guess->skipped)
    g_clear_object (&sl_window_lesson (self)->sketch);
  else if (sl_window_lesson (self)->sketch != NULL)
    {
      sl_lesson_sketch_set (sl_window_lesson (self)->sketch, guess->sketch);
      sl_lesson_sketch_set_open (sl_window_lesson (self)->sketch, FALSE);
    }
  else
    sl_window_lesson_show_guess (self);
  if (sl_window_lesson (self)->withheld)
    sl_window_lesson_show_plots (self);
  if (sl_lesson_player_get_lab (sl_window_lesson (self)->player) == NULL)
    sl_window_lesson_let_group_go (self);
  update_actions (self);
  hide_best (self);
}

/* ---- taking and leaving ---- */

static void
end_lesson (SlWindow *self)
{
  Lesson    *lesson = sl_window_lesson (self);
  SlSession *session = sl_stage_lesson (sl_window_stage (self));

  if (lesson->player == NULL)
    return;
  g_signal_handlers_disconnect_by_data (lesson->player, self);
  sl_lesson_player_set_session (lesson->player, NULL);
  sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), NULL);
  lesson->left = lesson->player;
  lesson->player = NULL;
  if (sl_session_info (session)->limit > 0)
    sl_session_set_limit (session, 0);
  sl_session_set_pace (session, 0.0);
  sl_window_lesson_set_speed (self, 0);
  sl_window_lesson_clear_screen (self);
  sl_stage_end_lesson_group (sl_window_stage (self));
  update_actions (self);
  hide_best (self);
}

/* The next lesson is not to begin under these words. */
static void
say_goodbye (SlWindow *self, const char *sentence, const char *label, const char *action)
{
  g_set_weak_pointer (&sl_window_lesson (self)->goodbye,
                      sl_window_toast_button (self, sentence, label, action));
}

static void
attach (SlWindow *self, SlLessonPlayer *player)
{
  sl_lesson_player_set_session (player, sl_stage_lesson (sl_window_stage (self)));
  g_signal_connect_swapped (player, "moved", G_CALLBACK (on_moved), self);
  g_signal_connect_swapped (player, "answered", G_CALLBACK (on_answered), self);
}

/* The session has the run of the lesson that was left last. */
static void
take_lesson (SlWindow *self, SlLessonPlayer *player, gboolean resume)
{
  Lesson *lesson = sl_window_lesson (self);

  end_lesson (self);
  if (lesson->goodbye != NULL)
    sl_toast_dismiss (lesson->goodbye);
  if (!resume || player != lesson->left)
    sl_stage_renew_lesson (sl_window_stage (self));
  lesson->player = player;
  lesson->left = NULL;
  show_place (self, sl_lesson_player_get_lesson (player),
              resume ? sl_lesson_player_get_number (player) : 0);
  attach (self, player);
  if (resume)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_lesson_player_begin (player);
  sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), player);
}

/* A lesson taken once more shows the guesses of the last time; a file may have changed. */
static SlLessonPlayer *
load (SlWindow *self, const char *name, GError **error)
{
  Lesson *state = sl_window_lesson (self);
  g_autoptr (GFile) file = sl_lesson_file (name);
  SlLesson       *lesson = sl_lesson_load (file, error);
  SlLessonPlayer *player = g_hash_table_lookup (state->players, name);

  if (lesson == NULL)
    return NULL;
  if (player != NULL && sl_lesson_player_get_lesson (player)->steps->len == lesson->steps->len
      && !g_file_is_native (file))
    {
      sl_lesson_free (lesson);
      return player;
    }
  end_lesson (self);
  state->left = NULL;
  player = sl_lesson_player_new (lesson);
  g_hash_table_replace (state->players, g_strdup (name), player);
  return player;
}

gboolean
sl_window_open_lesson (SlWindow *self, const char *name, GError **error)
{
  SlLessonPlayer *player;

  g_return_val_if_fail (name != NULL, FALSE);
  player = load (self, name, error);
  if (player == NULL)
    return FALSE;
  take_lesson (self, player, FALSE);
  return TRUE;
}

/* ---- the next start ---- */

/* Parts of the place that cannot be restored are left out; without any, only the run is shown. */
void
sl_window_lesson_restore_place (SlWindow *self, const SlJson *place)
{
  Lesson         *lesson = sl_window_lesson (self);
  SlStage        *stage = sl_window_stage (self);
  const SlJson   *name = sl_json_member_of (place, "name", SL_JSON_TEXT);
  SlLessonPlayer *player = NULL;
  uint64_t        limit = 0;

  sl_stage_renew_lesson (stage);
  sl_stage_show_lesson (stage);
  if (sl_json_whole (sl_json_member (place, "limit"), G_MAXINT64, &limit))
    sl_session_set_limit (sl_stage_lesson (stage), limit);
  if (name != NULL)
    player = load (self, name->text, NULL);
  if (player == NULL)
    return;
  attach (self, player);
  lesson->player = player;
  if (sl_lesson_player_read_place (player, place))
    sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), player);
  else
    end_lesson (self);
}

void
sl_window_lesson_write_place (SlWindow *self, SlJsonWriter *w)
{
  Lesson *lesson = sl_window_lesson (self);

  sl_json_add_whole (w, "limit", sl_session_info (sl_stage_lesson (sl_window_stage (self)))->limit);
  if (lesson->player == NULL)
    return;
  sl_json_add_text (w, "name", sl_window_lesson_name (self, lesson->player));
  sl_lesson_player_write_place (lesson->player, w);
}

void
sl_window_lesson_begin_step (SlWindow *self)
{
  SlLessonPlayer *player = sl_window_lesson (self)->player;

  if (player != NULL)
    sl_lesson_player_go (player, sl_lesson_player_get_number (player));
  else
    sl_stage_show_overview (sl_window_stage (self));
}

/* ---- actions ---- */

/* Of the person; what the command line and the class begin with is free. */
static gboolean
is_offered (SlWindow *self, const char *name)
{
  gboolean offered = sl_prefs_offers (sl_window_get_prefs (self), "classroom-lessons", name);

  if (!offered)
    sl_window_toast (self, _ ("This lesson is not among those for the class"));
  return offered;
}

static void
on_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow   *self = data;
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;

  if (is_offered (self, name) && !sl_window_open_lesson (self, name, &error))
    sl_window_report (self, error->message);
}

/* At the step that it was left at, today or before. */
static void
on_go_on (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow   *self = data;
  Lesson     *lesson = sl_window_lesson (self);
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  SlLessonPlayer *player = NULL;

  if (!is_offered (self, name))
    return;
  player = load (self, name, &error);
  if (player == NULL)
    {
      sl_window_report (self, error->message);
      return;
    }
  if (player == lesson->player)
    return;
  if (player != lesson->left)
    sl_lesson_progress_put_back (sl_window_get_prefs (self), name, player);
  take_lesson (self, player, TRUE);
}

static void
leave (SlWindow *self)
{
  end_lesson (self);
  say_goodbye (self, _ ("Lesson paused"), _ ("Resume"), "win.lesson-resume");
}

static void
on_leave (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  leave (data);
}

/* A lesson is left where another place is shown than its own. */
static void
on_shown (SlWindow *self)
{
  SlShown shown = sl_stage_beneath (sl_window_stage (self));

  if (sl_window_lesson (self)->player != NULL && shown != SL_SHOWN_LESSON
      && shown != SL_SHOWN_LESSON_OVERVIEW)
    leave (self);
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  take_lesson (self, sl_window_lesson (self)->left, TRUE);
}

/* From the first step on, with a run of its own; guesses become earlier ones. */
static void
on_start (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  take_lesson (data, sl_window_lesson (data)->player, FALSE);
}

static void
finish (SlWindow *self, SlLessonPlayer *player)
{
  const char *name = sl_window_lesson_name (self, player);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (name));
  g_autofree char *again = g_action_print_detailed_name ("win.lesson", target);
  g_autofree char *next = sl_window_lesson_after (self, player);
  SlAnswers       *answers = sl_lesson_player_dup_answers (player, "");

  end_lesson (self);
  if (sl_lesson_asks (sl_lesson_player_get_lesson (player)))
    sl_lesson_ending_open (GTK_WINDOW (self), player, answers, again, next);
  else
    say_goodbye (self, _ ("The lesson is over. You can go on with this run."),
                 next != NULL ? _ ("Next lesson") : NULL, next);
}

/* First to the end of a run that is still on its way, and what it reveals; after the last step a lesson is over. */
static void
on_next (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow       *self = data;
  SlLessonPlayer *player = sl_window_lesson (self)->player;
  unsigned        next = sl_lesson_player_get_number (player) + 1;

  if (sl_lesson_player_hurry (player))
    return;
  if (next < sl_lesson_player_get_lesson (player)->steps->len)
    go_to (self, next);
  else
    {
      sl_window_lesson_keep_progress (self, TRUE);
      finish (self, player);
    }
}

static void
on_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  go_to (self, sl_lesson_player_get_number (sl_window_lesson (self)->player) - 1);
}

static void
on_list (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  gtk_window_present (
    GTK_WINDOW (sl_lesson_chooser_new (GTK_WINDOW (window), sl_window_get_prefs (window))));
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
sl_window_add_lesson (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lessons", .activate = on_list },
    { .name = "lesson", .activate = on_lesson, .parameter_type = "s" },
    { .name = "lesson-go-on", .activate = on_go_on, .parameter_type = "s" },
    { .name = "lesson-start", .activate = on_start },
    { .name = "lesson-next", .activate = on_next },
    { .name = "lesson-back", .activate = on_back },
    { .name = "lesson-leave", .activate = on_leave },
    { .name = "lesson-resume", .activate = on_resume },
  };

  sl_window_parts (self)->lesson = g_new0 (Lesson, 1);
  sl_window_lesson (self)->players
    = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_lesson_add_guess (self);
  sl_window_lesson_add_save (self);
  sl_window_lesson_add_paper (self);
  update_actions (self);
  sl_window_watch (self, "shown", on_shown);
  sl_window_watch (self, "restarted", sl_window_lesson_set_screen);
  /* What it points at may move between the sidebar and the strip below the plots. */
  g_signal_connect (self, "action-state-changed::present", G_CALLBACK (sl_window_lesson_set_screen),
                    NULL);
  g_signal_connect (self, "action-state-changed::sidebar", G_CALLBACK (sl_window_lesson_set_screen),
                    NULL);
}

void
sl_window_show_lessons (SlWindow *self)
{
  g_signal_connect_object (sl_window_child (self, "lesson_bar"), "answer",
                           G_CALLBACK (sl_window_lesson_answer), self, G_CONNECT_SWAPPED);
  add_keys (self);
}

void
sl_window_drop_lesson (SlWindow *self)
{
  Lesson *lesson = sl_window_lesson (self);

  sl_window_lesson_unpoint (self);
  g_clear_weak_pointer (&lesson->goodbye);
  g_clear_weak_pointer (&lesson->notes);
  sl_window_lesson_clear_guess (self);
  if (lesson->player != NULL)
    {
      g_signal_handlers_disconnect_by_data (lesson->player, self);
      sl_lesson_player_set_session (lesson->player, NULL);
      sl_lesson_bar_set_player (sl_window_child (self, "lesson_bar"), NULL);
    }
  g_hash_table_unref (lesson->players);
  g_signal_handlers_disconnect_by_func (self, sl_window_lesson_set_screen, NULL);
  sl_window_lesson_drop_save (self);
  g_clear_pointer (&sl_window_parts (self)->lesson, g_free);
}
