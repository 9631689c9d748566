/* SPDX-License-Identifier: MIT
 *
 * A lesson in progress: its step, the guesses, the kept values, and what the run measured.  The
 * player drives the session; the lesson bar and the window show it.
 *
 * Predict first: a step with a question waits, paused, until sl_lesson_player_answer().  Then the
 * run goes on, and when it is as far as the step says, the reveal is measured on it.  */
#pragma once

#include "core/run/answers/answers.h"
#include "core/run/base/json.h"
#include "core/run/lesson/ask.h"
#include "core/run/session/session.h"

#define SL_TYPE_LESSON_PLAYER (sl_lesson_player_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonPlayer, sl_lesson_player, SL, LESSON_PLAYER, GObject)

/* A guess, also of users who took the step before. */
typedef struct
{
  gboolean answered, skipped;
  unsigned option;                   /* CHOICE: from 1 */
  double   number;                   /* NUMBER */
  double   sketch[SL_SKETCH_POINTS]; /* CURVE */
} SlGuess;

/* Takes the lesson over, at its first step: sl_lesson_player_begin() or _go() next.
 * Signals:
 *   "moved"    another step
 *   "answered" the question of this step was answered or skipped
 *   "changed"  the texts, a few times a second at most  */
SlLessonPlayer *sl_lesson_player_new (SlLesson *lesson);

/* The session to drive and to read; a reference is taken.  NULL: none, while the lesson is not in
 * progress.  */
void sl_lesson_player_set_session (SlLessonPlayer *self, SlSession *session);

/* Goes to the first step, with options in another order; guesses of the last time are earlier ones now. */
void sl_lesson_player_begin (SlLessonPlayer *self);

/* Goes to a step and brings the session to its state.  A step that was answered stays so. */
void sl_lesson_player_go (SlLessonPlayer *self, unsigned step);

/* Where the run of this step has not come as far as it should, and has a pace, it trains on as fast as it
 * can: what is measured and marked is what the step says.  FALSE: there is nothing to hurry.  */
gboolean sl_lesson_player_hurry (SlLessonPlayer *self);

/* Forgets the guess of this step, so that the next user is asked; the guess stays as an earlier
 * one.  */
void sl_lesson_player_ask_again (SlLessonPlayer *self);

/* Answers: "" skips; the number of an option; a number; or the values of a curve at equal
 * distances, two or more with spaces between.  In the C locale.  FALSE with a sentence.  */
gboolean sl_lesson_player_answer (SlLessonPlayer *self, const char *text, GError **error);

/* The first writes members of an object that say where the user is, with what was kept and guessed.
 * The second goes back there, with the run that the session will have next.  FALSE: the lesson has
 * no such step, or it has no run.  */
void     sl_lesson_player_write_place (SlLessonPlayer *self, SlJsonWriter *w);
gboolean sl_lesson_player_read_place (SlLessonPlayer *self, const SlJson *place);

/* The first writes members that say how far the user came, with what was kept.  The second reads
 * them, for sl_lesson_player_go().  FALSE: the lesson has no such step.  */
void     sl_lesson_player_write_progress (SlLessonPlayer *self, SlJsonWriter *w);
gboolean sl_lesson_player_read_progress (SlLessonPlayer *self, const SlJson *progress);

const SlLesson     *sl_lesson_player_get_lesson (SlLessonPlayer *self);
unsigned            sl_lesson_player_get_number (SlLessonPlayer *self); /* of the step, from 0 */
const SlLessonStep *sl_lesson_player_get_step (SlLessonPlayer *self);
const SlLab        *sl_lesson_player_get_lab (SlLessonPlayer *self);   /* NULL: the start page */
const SlGuess      *sl_lesson_player_get_guess (SlLessonPlayer *self); /* of this step */

/* The options of this step's question in the order of this person (ask.h); returns how many there are. */
unsigned sl_lesson_player_order (SlLessonPlayer *self, unsigned order[SL_LESSON_OPTIONS]);

/* Earlier guesses of this step, oldest first. */
const SlGuess *sl_lesson_player_get_earlier (SlLessonPlayer *self, unsigned *n);

/* Updates a second that this step is to be watched at; 0: as many as the machine makes. */
unsigned sl_lesson_player_get_speed (SlLessonPlayer *self);

/* The update at which the run of this step is as far as it is to go, or has come by now. */
double sl_lesson_player_get_end (SlLessonPlayer *self);

/* True unless a question waits. */
gboolean sl_lesson_player_may_go_on (SlLessonPlayer *self);

/* What there is to read now, in the user's language; the reveal is NULL until it is time. */
char *sl_lesson_player_dup_text (SlLessonPlayer *self);
char *sl_lesson_player_dup_prompt (SlLessonPlayer *self);
char *sl_lesson_player_dup_asked (SlLessonPlayer *self, unsigned step); /* the prompt of any step */
char *sl_lesson_player_dup_reveal (SlLessonPlayer *self);

/* What the figures in them, or the reveal, wait for: the run, how far it has to go, or the clock;
 * NULL: nothing, or an answer.  */
char *sl_lesson_player_dup_waiting (SlLessonPlayer *self);

/* The answers given so far, with what the runs measured, under a name; NULL: there are none. */
SlAnswers *sl_lesson_player_dup_answers (SlLessonPlayer *self, const char *name);

/* Open before it is revealed, and where there is no guess. */
SlAnswerMark sl_lesson_player_get_verdict (SlLessonPlayer *self);
