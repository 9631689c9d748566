/* SPDX-License-Identifier: MIT */
#include "ui/kit/widget.h"
#include "ui/lesson/player-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/error.h"
#include "core/run/lesson/formula.h"

G_DEFINE_FINAL_TYPE (SlLessonPlayer, sl_lesson_player, G_TYPE_OBJECT)

enum { CHANGED_MS = 250 };

static SlGuess *
own_guess (SlLessonPlayer *self)
{
  return &self->guess[self->number];
}

static gboolean
is_asked (SlLessonPlayer *self)
{
  return sl_lesson_player_get_step (self)->question.kind != SL_ASK_NOTHING
         && !own_guess (self)->answered;
}

/* ---- the session ---- */

/* True when the step needs another run than the one that is there. */
static gboolean
needs_new_run (SlLessonPlayer *self, const SlLessonState *state)
{
  const SlSettings *now = sl_session_settings (self->session);
  SlSessionState    is = sl_session_state (self->session);

  if (sl_lesson_player_get_step (self)->restart || sl_session_is_loading (self->session)
      || sl_session_lab (self->session) != state->lab || is == SL_DIVERGED || is == SL_FAILED
      || sl_session_seed (self->session) != state->seed
      || (state->data != NULL && g_strcmp0 (sl_session_spec (self->session), state->data) != 0))
    return TRUE;
  for (unsigned i = 0; i < state->lab->n_params; i++)
    if (state->lab->params[i].effect == SL_RESTART
        && !sl_value_same (&now->value[i], &state->settings.value[i]))
      return TRUE;
  return FALSE;
}

/* Live parameters, each with its flag. */
static void
set_changed (SlLessonPlayer *self, const SlLessonState *state)
{
  for (unsigned i = 0; i < state->lab->n_params; i++)
    if (!sl_value_same (&sl_session_settings (self->session)->value[i], &state->settings.value[i]))
      sl_session_set (self->session, state->lab->params[i].id, &state->settings.value[i], NULL);
}

/* Lets the run go as far as the step says. */
static void
let_go (SlLessonPlayer *self)
{
  const SlLessonStep *step = sl_lesson_player_get_step (self);

  if (step->go == SL_GO_PAUSE || (step->go == SL_GO_ON && !self->renewed))
    return;
  self->until = 0;
  if (!self->renewed && sl_session_is_visiting (self->session))
    sl_session_visit (self->session, UINT64_MAX);
  if (step->go == SL_GO_UNTIL)
    self->until = (self->renewed ? 0 : sl_session_present (self->session)) + step->updates;
  sl_session_set_limit (self->session, self->until);
  sl_session_run (self->session);
}

/* Unless another pace was chosen since. */
static void
slow_down (SlLessonPlayer *self)
{
  if (self->pace > 0.0 && sl_session_pace (self->session) <= 0.0)
    sl_session_set_pace (self->session, self->pace);
  self->pace = 0.0;
}

static void
apply (SlLessonPlayer *self)
{
  const SlLessonStep *step = sl_lesson_player_get_step (self);
  SlLessonState       state;
  SlStatus            status = sl_lesson_state (self->lesson, self->number, &state);

  slow_down (self);
  self->lab = sl_ok (&status) ? state.lab : NULL;
  self->renewed = FALSE;
  self->until = 0;
  self->generation = sl_session_generation (self->session);
  if (self->lab != NULL)
    {
      self->renewed = needs_new_run (self, &state);
      if (self->renewed)
        sl_session_start (self->session, state.lab, &state.settings, state.data, state.seed, FALSE);
      else
        set_changed (self, &state);
      if (step->go == SL_GO_PAUSE || (is_asked (self) && step->go != SL_GO_ON))
        sl_session_pause (self->session);
      if (!is_asked (self))
        let_go (self);
    }
  g_free (state.data);
}

/* ---- going and answering ---- */

/* Values for later steps, as this one leaves them: where the user went on early they are those of a
 * shorter run.  */
static void
keep (SlLessonPlayer *self)
{
  const SlLessonStep *step = sl_lesson_player_get_step (self);

  self->leaving = TRUE;
  sl_lesson_player_measure (self);
  for (guint i = 0; i < step->keep->len; i++)
    {
      const SlLessonKept *kept = g_ptr_array_index (step->keep, i);
      double              value;

      if (sl_formula_value (kept->formula, sl_lesson_player_value, self, &value, NULL))
        g_hash_table_insert (self->kept, g_strdup (kept->name), g_memdup2 (&value, sizeof value));
    }
  self->leaving = FALSE;
}

void
sl_lesson_player_go (SlLessonPlayer *self, unsigned step)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self));
  if (step >= self->lesson->steps->len)
    return;
  if (step > self->number)
    keep (self);
  self->number = step;
  apply (self);
  g_signal_emit_by_name (self, "moved");
}

/* A guess becomes an earlier one. */
static void
shelve (SlLessonPlayer *self, unsigned step)
{
  SlGuess *guess = &self->guess[step];

  if (guess->answered && !guess->skipped)
    {
      if (self->earlier[step] == NULL)
        self->earlier[step] = g_array_new (FALSE, FALSE, sizeof (SlGuess));
      g_array_append_vals (self->earlier[step], guess, 1);
    }
  *guess = (SlGuess) { 0 };
  g_free (self->measured[step].curve);
  g_free (self->measured[step].prompt);
  self->measured[step] = (SlStepResult) { .number = (double) NAN };
}

void
sl_lesson_player_ask_again (SlLessonPlayer *self)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self));
  if (!own_guess (self)->answered)
    return;
  shelve (self, self->number);
  apply (self);
  g_signal_emit_by_name (self, "moved");
}

gboolean
sl_lesson_player_hurry (SlLessonPlayer *self)
{
  SlSessionState is;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), FALSE);
  if (is_asked (self) || !sl_lesson_player_is_short (self)
      || sl_session_pace (self->session) <= 0.0)
    return FALSE;
  is = sl_session_state (self->session);
  if (is != SL_PAUSED && is != SL_RUNNING)
    return FALSE;
  self->pace = sl_session_pace (self->session);
  sl_session_set_pace (self->session, 0.0);
  if (sl_session_is_visiting (self->session))
    sl_session_visit (self->session, UINT64_MAX);
  sl_session_run (self->session);
  return TRUE;
}

void
sl_lesson_player_begin (SlLessonPlayer *self)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self));
  for (unsigned i = 0; i < self->lesson->steps->len; i++)
    shelve (self, i);
  g_hash_table_remove_all (self->kept);
  self->person = g_random_int ();
  self->number = 0;
  sl_lesson_player_go (self, 0);
}

static gboolean
refuse (const char *found, const char *expected, GError **error)
{
  return sl_fail (error, SL_EINVAL, "answer", found, expected);
}

static gboolean
read_option (const SlQuestion *question, const char *text, SlGuess *guess, GError **error)
{
  guint64 option;

  if (!g_ascii_string_to_unsigned (text, 10, 1, g_strv_length (question->options), &option, NULL))
    return refuse (text, _ ("the number of an option"), error);
  guess->option = (unsigned) option;
  return TRUE;
}

static gboolean
read_number (const char *text, double *number, GError **error)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*number) ? TRUE
                                                           : refuse (text, _ ("a number"), error);
}

/* Fewer values than places are joined by lines. */
static gboolean
read_sketch (const char *text, double sketch[SL_SKETCH_POINTS], GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, " ", SL_SKETCH_POINTS + 1);
  guint  n = g_strv_length (words);
  double value[SL_SKETCH_POINTS];

  if (n < 2 || n > SL_SKETCH_POINTS)
    return refuse (text, _ ("2 to 33 values with a space between"), error);
  for (guint i = 0; i < n; i++)
    if (!read_number (words[i], &value[i], error))
      return FALSE;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      double   at = (double) i * (n - 1) / (SL_SKETCH_POINTS - 1);
      unsigned before = MIN ((unsigned) at, n - 2);

      sketch[i] = value[before] + (value[before + 1] - value[before]) * (at - before);
    }
  return TRUE;
}

gboolean
sl_lesson_player_answer (SlLessonPlayer *self, const char *text, GError **error)
{
  const SlQuestion *question;
  SlGuess           guess = { .answered = TRUE };

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self) && text != NULL, FALSE);
  question = &sl_lesson_player_get_step (self)->question;
  guess.skipped = *text == '\0';
  if (!is_asked (self))
    return refuse (question->kind == SL_ASK_NOTHING ? "no question" : "an answer given already",
                   NULL, error);
  if (!guess.skipped
      && !(question->kind == SL_ASK_CHOICE   ? read_option (question, text, &guess, error)
           : question->kind == SL_ASK_NUMBER ? read_number (text, &guess.number, error)
                                             : read_sketch (text, guess.sketch, error)))
    return FALSE;
  self->measured[self->number].prompt = sl_lesson_player_dup_prompt (self);
  *own_guess (self) = guess;
  if (self->lab != NULL)
    let_go (self);
  g_signal_emit_by_name (self, "answered");
  return TRUE;
}

/* ---- what there is to read ---- */

const SlLesson *
sl_lesson_player_get_lesson (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return self->lesson;
}

unsigned
sl_lesson_player_get_number (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), 0);
  return self->number;
}

const SlLessonStep *
sl_lesson_player_get_step (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return sl_lesson_step (self->lesson, self->number);
}

const SlLab *
sl_lesson_player_get_lab (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return self->lab;
}

unsigned
sl_lesson_player_get_speed (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), 0);
  return sl_lesson_speed (self->lesson, self->number);
}

const SlGuess *
sl_lesson_player_get_guess (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return own_guess (self);
}

unsigned
sl_lesson_player_order (SlLessonPlayer *self, unsigned order[SL_LESSON_OPTIONS])
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), 0);
  return sl_question_order (&sl_lesson_player_get_step (self)->question, self->number, self->person,
                            order);
}

const SlGuess *
sl_lesson_player_get_earlier (SlLessonPlayer *self, unsigned *n)
{
  const GArray *earlier;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self) && n != NULL, NULL);
  earlier = self->earlier[self->number];
  *n = earlier != NULL ? earlier->len : 0;
  return earlier != NULL ? (const SlGuess *) (const void *) earlier->data : NULL;
}

double
sl_lesson_player_get_end (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), 0.0);
  return (double) (self->until > 0         ? self->until
                   : self->session != NULL ? sl_session_present (self->session)
                                           : 0);
}

gboolean
sl_lesson_player_may_go_on (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), FALSE);
  return !is_asked (self);
}

/* ---- the object ---- */

static void
on_later (SlLessonPlayer *self)
{
  self->later = 0;
  g_signal_emit_by_name (self, "changed");
}

/* Numbers that change thirty times a second cannot be read. */
static void
on_changed (SlLessonPlayer *self)
{
  if (self->later == 0)
    self->later = g_timeout_add_once (CHANGED_MS, (GSourceOnceFunc) on_later, self);
}

void
sl_lesson_player_set_session (SlLessonPlayer *self, SlSession *session)
{
  g_return_if_fail (SL_IS_LESSON_PLAYER (self));
  g_clear_handle_id (&self->later, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_set_object (&self->session, session);
  if (session != NULL)
    g_signal_connect_swapped (session, "changed", G_CALLBACK (on_changed), self);
}

static void
sl_lesson_player_dispose (GObject *object)
{
  SlLessonPlayer *self = SL_LESSON_PLAYER (object);

  sl_lesson_player_set_session (self, NULL);
  for (unsigned i = 0; i < SL_LESSON_STEPS; i++)
    {
      g_clear_pointer (&self->earlier[i], g_array_unref);
      g_clear_pointer (&self->measured[i].curve, g_free);
      g_clear_pointer (&self->measured[i].prompt, g_free);
    }
  g_clear_pointer (&self->kept, g_hash_table_unref);
  g_clear_pointer (&self->lesson, sl_lesson_free);
  G_OBJECT_CLASS (sl_lesson_player_parent_class)->dispose (object);
}

static void
sl_lesson_player_class_init (SlLessonPlayerClass *klass)
{
  static const char *const names[] = { "moved", "answered", "changed" };

  G_OBJECT_CLASS (klass)->dispose = sl_lesson_player_dispose;
  for (unsigned i = 0; i < G_N_ELEMENTS (names); i++)
    sl_signal_new (SL_TYPE_LESSON_PLAYER, names[i], 0);
}

static void
sl_lesson_player_init (SlLessonPlayer *self)
{
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (unsigned i = 0; i < SL_LESSON_STEPS; i++)
    self->measured[i].number = (double) NAN;
}

SlLessonPlayer *
sl_lesson_player_new (SlLesson *lesson)
{
  SlLessonPlayer *self;

  g_return_val_if_fail (lesson != NULL, NULL);
  self = g_object_new (SL_TYPE_LESSON_PLAYER, NULL);
  self->lesson = lesson;
  return self;
}
