/* SPDX-License-Identifier: MIT
 *
 * What the parts of a lesson that is being taken share.  */
#pragma once

#include "ui/lesson/player.h"

/* What the run of an answered step said when the step was left. */
typedef struct
{
  double  number; /* of a curve its distance from the guess; not-a-number: nothing */
  double *curve;  /* (SL_SKETCH_POINTS) or NULL */
  char   *prompt; /* as it was when it was answered, or NULL */
} SlStepResult;

struct _SlLessonPlayer
{
  GObject parent_instance;

  SlSession   *session;
  SlLesson    *lesson;
  unsigned     number;
  uint64_t     person; /* whose order of options it is; drawn at the beginning */
  SlGuess      guess[SL_LESSON_STEPS];
  SlStepResult measured[SL_LESSON_STEPS];
  GArray      *earlier[SL_LESSON_STEPS]; /* of SlGuess, or NULL */
  GHashTable  *kept;                     /* name to double */
  const SlLab *lab;                      /* of this step */
  unsigned     generation;               /* of the run that this step began with */
  gboolean     renewed;                  /* a new run was requested: it is a later generation */
  gboolean     leaving;                  /* the step is being left */
  uint64_t     until;   /* the update at which the reveal is measured; 0: at once */
  double       pace;    /* of the run before it hurried to the end of this step; 0: it has not */
  gboolean     lacking; /* what was read last has figures in it that are not measured yet */
  guint        later;
};

/* The run of this step is there, and has not come as far as it should. */
gboolean sl_lesson_player_is_short (SlLessonPlayer *self);

/* Notes what the run of this step says, if it was answered and the run came as far as it should. */
void sl_lesson_player_measure (SlLessonPlayer *self);

/* The current value of a name in a formula, as SlNamed; `data` is the player. */
gboolean sl_lesson_player_value (const char *name, double at, double *value, gpointer data);
