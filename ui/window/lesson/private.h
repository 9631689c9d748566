/* SPDX-License-Identifier: MIT
 *
 * What the parts of the window's lessons share.  */
#pragma once

#include "ui/lesson/ghosts.h"
#include "ui/lesson/paper.h"
#include "ui/lesson/player.h"
#include "ui/lesson/sketch.h"
#include "ui/window/lesson/lesson.h"

typedef struct SlWindowLesson
{
  GHashTable     *players; /* id or path to SlLessonPlayer, of this window's time */
  SlLessonPlayer *player;  /* that is taken, borrowed; or NULL */
  SlLessonPlayer *left;    /* the last one that was left, borrowed; or NULL */
  SlLessonSketch *sketch;  /* while the step has a curve as its question */
  SlGhosts        numbers; /* guesses at a number, once it was answered; without record: none */
  double     asked_at; /* the place along x of that number, where it is of no curve over updates */
  GtkWidget *ringed;   /* what the step points at; weak */
  guint      pointing; /* tick callback of it, until the focus is there */
  unsigned   frames;   /* that this has waited for */
  gboolean   earlier;  /* guesses of others are shown */
  unsigned   speed;    /* updates a second that the lesson gave last */
  gboolean   timeline; /* it is shown for the lesson */
  gboolean   withheld; /* plots wait for an answer that they would give away */
  GtkWidget *notes;    /* the window with a teacher's, weak; or NULL */
  AdwToast  *goodbye;  /* of the last lesson, weak; or NULL */

  GtkFileChooserNative *chooser; /* while it is open */
  char                 *title;   /* whose answers are saved */
  SlLesson             *paper;   /* that is to be saved as a `kind`, or NULL */
  SlLessonPaper         kind;
} Lesson;

static inline Lesson *
sl_window_lesson (SlWindow *self)
{
  return sl_window_parts (self)->lesson;
}

/* ---- screen.c ---- */

/* What the step shows, hides and locks, as far as its lab is in sight; also for a new run, whose rows and
 * plots may be others.  */
void sl_window_lesson_set_screen (SlWindow *self);
/* Shows everything, as without a lesson. */
void sl_window_lesson_clear_screen (SlWindow *self);
/* Shows only the plots of the step, and what the step points at. */
void sl_window_lesson_show_plots (SlWindow *self);
/* Shows the curve to draw, or where on a plot the number is that was guessed, as the step asks for; and removes
 * both.  */
void sl_window_lesson_show_guess (SlWindow *self);
void sl_window_lesson_clear_guess (SlWindow *self);

/* Answers with what the bar says; NULL: with the curve that was drawn. */
void sl_window_lesson_answer (SlWindow *self, const char *text);
/* Its actions. */
void sl_window_lesson_add_guess (SlWindow *self);

/* The runs train at so many updates a second, 0: as many as the machine makes, where the lesson did not say so before:
 * the user may have chosen another speed since.  What is trained slowly, to be watched, can be looked at again: the
 * timeline is there for it.  */
void sl_window_lesson_set_speed (SlWindow *self, unsigned speed);

/* Removes the ring around what a step points at. */
void sl_window_lesson_unpoint (SlWindow *self);

/* Sets the sliders of the start page. */
void sl_window_lesson_set_headlines (SlWindow *self);
/* Lets the runs of the start page train, unless an answer is due. */
void sl_window_lesson_let_group_go (SlWindow *self);

/* ---- save.c: what is kept of a lesson, with the actions of that ---- */

/* The id or path of a lesson. */
const char *sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player);
/* The lesson whose answers can be saved: in progress, or the last one that was left; NULL: none. */
SlLessonPlayer *sl_window_lesson_answered (SlWindow *self);
/* The action, with its target, that begins the one of the program's own lessons after this one;
 * NULL: none.  Free with g_free().  */
char *sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player);
/* Stores how far the lesson in progress is, for the list. */
void sl_window_lesson_keep_progress (SlWindow *self, gboolean over);

void sl_window_lesson_add_save (SlWindow *self);
void sl_window_lesson_drop_save (SlWindow *self);

/* notes.c: shows the teacher's notes of a lesson by its name, beside what an audience sees.  FALSE: it has none. */
gboolean sl_window_lesson_show_notes (SlWindow *self, const SlLesson *lesson, const char *name);

/* paper.c: its actions. */
void sl_window_lesson_add_paper (SlWindow *self);
