/* SPDX-License-Identifier: MIT
 *
 * Guesses on the plots of a lesson: the curve to draw, and afterwards the number that was guessed beside what was
 * measured.  */
#include <glib/gi18n.h>
#include <math.h>

#include "ui/lesson/bar.h"
#include "ui/window/lesson/private.h"

/* Calls with each guess of others that is to be shown, the last first: there is room for a few. */
typedef void (*TakeEarlier) (Lesson *lesson, const SlGuess *guess);

static void
each_earlier (Lesson *lesson, TakeEarlier take)
{
  unsigned       n;
  const SlGuess *earlier = sl_lesson_player_get_earlier (lesson->player, &n);

  for (unsigned i = n; lesson->earlier && i-- > 0;)
    take (lesson, &earlier[i]);
}

/* ---- a curve ---- */

static void
on_sketched (SlWindow *self)
{
  g_autofree char *answer = sl_lesson_sketch_dup_answer (sl_window_lesson (self)->sketch);

  sl_lesson_bar_set_drawn (sl_window_child (self, "lesson_bar"), answer != NULL);
}

static void
add_earlier_curve (Lesson *lesson, const SlGuess *guess)
{
  sl_lesson_sketch_add_earlier (lesson->sketch, guess->sketch);
}

static void
show_sketch (SlWindow *self, SlPlotView *view, const SlLessonState *state)
{
  Lesson           *lesson = sl_window_lesson (self);
  const SlQuestion *question = &sl_lesson_player_get_step (lesson->player)->question;
  const SlGuess    *guess = sl_lesson_player_get_guess (lesson->player);

  lesson->sketch = sl_lesson_sketch_new (view, state->lab, &state->settings, question);
  if (lesson->sketch == NULL)
    return;
  if (guess->answered && !guess->skipped)
    sl_lesson_sketch_set (lesson->sketch, guess->sketch);
  each_earlier (lesson, add_earlier_curve);
  sl_lesson_sketch_set_open (lesson->sketch, !guess->answered);
  g_signal_connect_swapped (lesson->sketch, "changed", G_CALLBACK (on_sketched), self);
}

/* ---- a number ---- */

/* A level along the run; on a plot that is no curve over updates, at the place that was asked for. */
static void
add_number (Lesson *lesson, const char *title, double number)
{
  SlGhosts *numbers = &lesson->numbers;
  gboolean  level = numbers->lab->panels[numbers->panel].kind == SL_SERIES;
  double    end = sl_lesson_player_get_end (lesson->player);
  double    x[] = { level ? 0.0 : lesson->asked_at, MAX (end, 1.0) }, y[] = { number, number };

  sl_ghosts_add (numbers, title, x, y, level ? 2 : 1);
}

static void
add_earlier_number (Lesson *lesson, const SlGuess *guess)
{
  add_number (lesson, _ ("earlier guess"), guess->number);
}

static void
show_number (SlWindow *self, SlPlotView *view, const SlLessonState *state, const char *channel)
{
  Lesson        *lesson = sl_window_lesson (self);
  const SlGuess *guess = sl_lesson_player_get_guess (lesson->player);

  if (!guess->answered || guess->skipped
      || !sl_ghosts_init (&lesson->numbers, view, state->lab, &state->settings, channel))
    return;
  add_number (lesson, _ ("your guess"), guess->number);
  each_earlier (lesson, add_earlier_number);
}

/* ---- either ---- */

static void
show (SlWindow *self, const SlQuestion *question, const SlLessonState *state)
{
  Lesson     *lesson = sl_window_lesson (self);
  SlLayout    layout;
  unsigned    channel;
  int         panel;
  SlPlotCard *card;

  sl_layout_init (&layout, state->lab, &state->settings);
  panel = sl_question_panel (question, state->lab, &layout, &channel, &lesson->asked_at);
  card = panel >= 0 ? sl_plot_grid_get_card (sl_window_get_grid (self), (unsigned) panel) : NULL;
  if (card == NULL)
    return;
  if (question->kind == SL_ASK_CURVE)
    show_sketch (self, sl_plot_card_get_view (card), state);
  else
    show_number (self, sl_plot_card_get_view (card), state, layout.channel[channel].id);
}

void
sl_window_lesson_show_guess (SlWindow *self)
{
  Lesson           *lesson = sl_window_lesson (self);
  const SlQuestion *question = &sl_lesson_player_get_step (lesson->player)->question;
  SlLessonState     state;
  SlStatus          status;

  if (question->answer == NULL || lesson->sketch != NULL || lesson->numbers.record != NULL)
    return;
  status = sl_lesson_state (sl_lesson_player_get_lesson (lesson->player),
                            sl_lesson_player_get_number (lesson->player), &state);
  if (sl_ok (&status) && state.lab != NULL)
    show (self, question, &state);
  g_free (state.data);
}

void
sl_window_lesson_clear_guess (SlWindow *self)
{
  g_clear_object (&sl_window_lesson (self)->sketch);
  if (sl_window_lesson (self)->numbers.record != NULL)
    sl_ghosts_clear (&sl_window_lesson (self)->numbers);
}

/* ---- actions ---- */

static void
on_answer (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;
  g_autoptr (GError) error = NULL;

  if (!sl_lesson_player_answer (sl_window_lesson (self)->player,
                                g_variant_get_string (parameter, NULL), &error))
    sl_window_toast (self, error->message);
}

static void
on_ask_again (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_lesson_player_ask_again (sl_window_lesson (data)->player);
}

static void
on_earlier (GSimpleAction *action, GVariant *state, gpointer data)
{
  SlWindow *self = data;

  g_simple_action_set_state (action, state);
  sl_window_lesson (self)->earlier = g_variant_get_boolean (state);
  if (sl_window_lesson (self)->player == NULL)
    return;
  sl_window_lesson_clear_guess (self);
  sl_window_lesson_show_guess (self);
}

void
sl_window_lesson_answer (SlWindow *self, const char *text)
{
  g_autofree char *drawn = text == NULL && sl_window_lesson (self)->sketch != NULL
                             ? sl_lesson_sketch_dup_answer (sl_window_lesson (self)->sketch)
                             : NULL;

  if (text == NULL)
    text = drawn;
  if (text != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self), "lesson-answer",
                                    g_variant_new_string (text));
}

void
sl_window_lesson_add_guess (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "lesson-answer", .activate = on_answer, .parameter_type = "s" },
    { .name = "lesson-ask-again", .activate = on_ask_again },
    { .name = "lesson-earlier", .state = "false", .change_state = on_earlier },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
