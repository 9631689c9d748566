/* SPDX-License-Identifier: MIT
 *
 * What there is to read of a lesson that is being taken: its texts with what was measured in them,
 * and what they wait for.  */
#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/language.h"
#include "core/run/lesson/formula.h"
#include "ui/kit/number.h"
#include "ui/kit/widget.h"
#include "ui/lesson/player-private.h"

static gboolean
has_run (SlLessonPlayer *self)
{
  return self->lab != NULL && self->session != NULL && sl_session_lab (self->session) == self->lab
         && !sl_session_is_loading (self->session)
         && (!self->renewed || sl_session_generation (self->session) > self->generation);
}

gboolean
sl_lesson_player_is_short (SlLessonPlayer *self)
{
  return has_run (self) && sl_session_present (self->session) < self->until;
}

/* The run of this step is there and, unless the step is being left, as far as it should be. */
static gboolean
is_there (SlLessonPlayer *self)
{
  return has_run (self) && (self->leaving || !sl_lesson_player_is_short (self));
}

/* Why a guess has a distance: the mean of how far the run was from it. */
static double
off_by (SlLessonPlayer *self)
{
  const SlGuess *guess = sl_lesson_player_get_guess (self);

  return guess->answered && !guess->skipped
           ? sl_lesson_distance (&sl_lesson_player_get_step (self)->question, guess->sketch,
                                 sl_session_record (self->session))
           : (double) NAN;
}

static double
guessed (SlLessonPlayer *self)
{
  const SlGuess *guess = sl_lesson_player_get_guess (self);

  if (!guess->answered || guess->skipped)
    return (double) NAN;
  return sl_lesson_player_get_step (self)->question.kind == SL_ASK_CURVE
           ? guess->sketch[SL_SKETCH_POINTS - 1]
           : guess->number;
}

static double
answer_now (SlLessonPlayer *self)
{
  const SlQuestion *question = &sl_lesson_player_get_step (self)->question;
  double            answer = (double) NAN;

  if (question->kind == SL_ASK_NUMBER || question->kind == SL_ASK_CURVE)
    sl_formula_value (question->answer, sl_lesson_player_value, self, &answer, NULL);
  return answer;
}

gboolean
sl_lesson_player_value (const char *name, double at, double *value, gpointer data)
{
  SlLessonPlayer *self = data;
  const double   *kept = g_hash_table_lookup (self->kept, name);

  if (g_str_equal (name, "guess"))
    *value = guessed (self);
  else if (g_str_equal (name, "answer"))
    *value = answer_now (self);
  else if (g_str_equal (name, "off"))
    *value = off_by (self);
  else if (kept != NULL)
    *value = *kept;
  else
    {
      if (!is_there (self)
          || !sl_lesson_channel (sl_session_record (self->session), name, at, value))
        *value = (double) NAN; /* of a run that is not there yet, or not any more */
      self->lacking = self->lacking || isnan (*value);
    }
  return TRUE;
}

/* ---- what there is to read ---- */

/* With the values in it, and without a line that begins with the unit of the one before. */
static char *
fill (SlLessonPlayer *self, const char *text)
{
  g_autofree char *filled = sl_formula_fill (sl_words (text), sl_lesson_player_value, self, NULL);
  GString         *joined = filled != NULL ? g_string_new (filled) : NULL;

  if (joined == NULL)
    return NULL;
  g_string_replace (joined, " %", "\302\240%", 0);
  g_string_replace (joined, " ×", "\302\240×", 0);
  g_free (filled);
  filled = g_string_free (joined, FALSE);
  return sl_dup_breakable (filled);
}

char *
sl_lesson_player_dup_text (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return fill (self, sl_lesson_player_get_step (self)->text);
}

char *
sl_lesson_player_dup_prompt (SlLessonPlayer *self)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  return sl_lesson_player_dup_asked (self, self->number);
}

char *
sl_lesson_player_dup_asked (SlLessonPlayer *self, unsigned step)
{
  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self) && step < self->lesson->steps->len, NULL);
  if (self->measured[step].prompt != NULL)
    return g_strdup (self->measured[step].prompt);
  return fill (self, sl_lesson_step (self->lesson, step)->question.prompt);
}

char *
sl_lesson_player_dup_reveal (SlLessonPlayer *self)
{
  const SlLessonStep *step;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  step = sl_lesson_player_get_step (self);
  if (step->reveal == NULL || !sl_lesson_player_may_go_on (self)
      || (self->lab != NULL && !is_there (self)))
    return NULL;
  return fill (self, step->reveal);
}

SlAnswerMark
sl_lesson_player_get_verdict (SlLessonPlayer *self)
{
  const SlQuestion *question;
  const SlGuess    *guess;
  double            off;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), SL_ANSWER_OPEN);
  question = &sl_lesson_player_get_step (self)->question;
  guess = sl_lesson_player_get_guess (self);
  if (!guess->answered || guess->skipped || (self->lab != NULL && !is_there (self)))
    return SL_ANSWER_OPEN;
  off = question->kind == SL_ASK_CURVE ? off_by (self) : fabs (guess->number - answer_now (self));
  return question->kind == SL_ASK_CHOICE ? sl_mark_option (question->right, guess->option)
                                         : sl_mark_distance (off, question->tolerance);
}

/* Whether there is a figure to come in a text. */
static gboolean
lacks (SlLessonPlayer *self, const char *text)
{
  self->lacking = FALSE;
  if (text != NULL)
    g_free (fill (self, text));
  return self->lacking;
}

static char *
say_how_far (SlLessonPlayer *self)
{
  g_autofree char *now = sl_grouped (sl_session_present (self->session));
  g_autofree char *end = sl_grouped (self->until);

  /* Translators: numbers of updates of a run, "120" and "600". */
  return g_strdup_printf (sl_session_state (self->session) == SL_PAUSED
                            ? _ ("Paused at update %s of %s")
                            : _ ("Update %s of %s …"),
                          now, end);
}

char *
sl_lesson_player_dup_waiting (SlLessonPlayer *self)
{
  const SlLessonStep *step;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self), NULL);
  step = sl_lesson_player_get_step (self);
  if (self->lab == NULL || self->session == NULL || !sl_lesson_player_may_go_on (self))
    return NULL;
  if (!has_run (self))
    return g_strdup (_ ("The run is being prepared …"));
  if (!is_there (self))
    return say_how_far (self);
  if (lacks (self, step->reveal) || lacks (self, step->text))
    return g_strdup (_ ("This machine is measuring …"));
  return NULL;
}
