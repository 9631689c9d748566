/* SPDX-License-Identifier: MIT
 *
 * What the parts of the window's lessons share.  */
#pragma once

#include "ui/lesson/player.h"
#include "ui/lesson/sketch.h"
#include "ui/window/lesson/lesson.h"

typedef struct SlWindowLesson
{
  GHashTable     *players;  /* id or path to SlLessonPlayer, of this window's time */
  SlLessonPlayer *player;   /* that is taken, borrowed; or NULL */
  SlLessonPlayer *left;     /* the last one that was left, borrowed; or NULL */
  SlLessonSketch *sketch;   /* while the step has a curve as its question */
  GtkWidget      *ringed;   /* what the step points at; weak */
  guint           pointing; /* tick callback of it, until the focus is there */
  unsigned        frames;   /* that this has waited for */
  gboolean        earlier;  /* guesses of others are shown */
  gboolean        withheld; /* plots wait for an answer that they would give away */
  GtkWidget      *notes;    /* the window with a teacher's, weak; or NULL */
  AdwToast       *goodbye;  /* of the last lesson, weak; or NULL */

  GtkFileChooserNative *chooser;      /* of a step to save, while it is open */
  char                 *title, *text; /* of that step; or whose answers are saved */
  gboolean              existing;     /* it goes into a lesson that exists */
  SlLesson             *paper;        /* whose worksheet or key is to be saved, or NULL */
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
/* Shows the curve to draw, where the step has one. */
void sl_window_lesson_show_sketch (SlWindow *self);

/* Removes the ring around what a step points at. */
void sl_window_lesson_unpoint (SlWindow *self);

/* Sets the sliders of the start page. */
void sl_window_lesson_set_headlines (SlWindow *self);
/* Lets the runs of the start page train, unless an answer is due. */
void sl_window_lesson_let_group_go (SlWindow *self);

/* ---- save.c: what is kept of a lesson, with the actions of that ---- */

/* The id or path of a lesson. */
const char *sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player);
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
