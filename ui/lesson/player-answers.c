/* SPDX-License-Identifier: MIT
 *
 * The user's answers in a lesson, with what the runs then measured.  */
#include <math.h>

#include "core/run/lesson/formula.h"
#include "ui/lesson/player-private.h"

void
sl_lesson_player_measure (SlLessonPlayer *self)
{
  const SlQuestion *question = &sl_lesson_player_get_step (self)->question;
  const SlGuess    *guess = sl_lesson_player_get_guess (self);
  SlStepResult     *measured = &self->measured[self->number];

  if (!guess->answered || guess->skipped || self->session == NULL
      || sl_lesson_player_is_short (self))
    return;
  if (question->kind == SL_ASK_NUMBER
      && !sl_formula_value (question->answer, sl_lesson_player_value, self, &measured->number,
                            NULL))
    measured->number = (double) NAN;
  if (question->kind != SL_ASK_CURVE)
    return;
  if (measured->curve == NULL)
    measured->curve = g_new (double, SL_SKETCH_POINTS);
  sl_lesson_curve (question, sl_session_record (self->session), measured->curve);
  measured->number
    = sl_lesson_distance (question, guess->sketch, sl_session_record (self->session));
}

static void
add_answer (SlLessonPlayer *self, SlAnswers *answers, unsigned step)
{
  const SlGuess      *guess = &self->guess[step];
  const SlStepResult *measured = &self->measured[step];
  SlAnswer           *answer = sl_answers_add (answers, self->lesson, step);

  answer->option = guess->option;
  answer->number = guess->number;
  answer->measured = measured->number;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      answer->sketch[i] = guess->sketch[i];
      answer->curve[i] = measured->curve != NULL ? measured->curve[i] : (double) NAN;
    }
}

SlAnswers *
sl_lesson_player_dup_answers (SlLessonPlayer *self, const char *name)
{
  SlAnswers *answers;

  g_return_val_if_fail (SL_IS_LESSON_PLAYER (self) && name != NULL, NULL);
  answers = sl_answers_new (self->lesson, name);
  sl_lesson_player_measure (self);
  for (unsigned i = 0; i < self->lesson->steps->len; i++)
    if (self->guess[i].answered && !self->guess[i].skipped)
      add_answer (self, answers, i);
  if (answers->answers->len > 0)
    return answers;
  sl_answers_free (answers);
  return NULL;
}
