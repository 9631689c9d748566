/* SPDX-License-Identifier: MIT
 *
 * A lesson taken to its end without a window and without guesses, as the key of a worksheet needs it:
 * each step trains as long as the lesson says, and tells what it measured.  */
#pragma once

#include "core/run/frames/frames.h"
#include "core/run/lesson/lesson.h"
#include "core/run/record/recipe.h"

G_BEGIN_DECLS

/* A claim of a step (lesson.h) and what was measured. */
typedef struct
{
  const SlClaim *claim;
  double         left, right;
  gboolean       holds;
} SlClaimResult;

typedef struct
{
  unsigned        number; /* of the step, from 0 */
  const SlRecord *record; /* of its run at the end of the step; NULL: none, as on the start page */
  char           *text, *reveal; /* with what was measured in them; reveal NULL: none */
  char           *prompt;        /* the same; NULL: nothing is asked */
  double          answer;        /* not-a-number: none, or nothing was measured */
  GArray         *claims;        /* of SlClaimResult */

  /* What names of formulas are now (formula.h), for more texts than these; `guess` and `off` are not-a-number. */
  SlNamed  named;
  gpointer values;

  /* Of a walk that is watched, and of a step with a run; else NULL and 0: */
  const SlRecipe *recipe;
  const unsigned
    *panel; /* (n_panels) that the step shows; where it does not say, those of the front page */
  unsigned n_panels;
  const SlFrames
          *frames; /* of those that are no series, from the beginning of the step to its end */
  uint64_t began, ended; /* updates of the run then */
} SlLessonResult;

/* Threads of the products of a lesson's runs, in the window and on paper: with another number sums are made
 * in another order, and a small network may come out at another error.  */
enum { SL_LESSON_THREADS = 1 };

/* Called at the end of a step; `result` is valid during the call.  `panel` of the record can be drawn if
 * it is one of those that the step shows.  */
typedef void (*SlLessonTell) (const SlLessonResult *result, gpointer data);

/* Trains on the calling thread.  Blocks as long as the lesson's runs take.  `turn`: added to each seed of the lesson, 0 for
 * the lesson as it is.  */
SlStatus sl_lesson_walk (const SlLesson *lesson, unsigned turn, SlLessonTell tell, gpointer data);

/* The same of the lesson as it is, with at most `moments` (2 … SL_FRAMES_MAX) kept of each step.  A last step that runs
 * until it is stopped trains as long as the longest one before.  */
SlStatus sl_lesson_walk_watched (const SlLesson *lesson, unsigned moments, SlLessonTell tell,
                                 gpointer data);

G_END_DECLS
