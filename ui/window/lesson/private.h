/* SPDX-License-Identifier: MIT
 *
 * What the parts of the window's lessons share.  */
#pragma once

#include "ui/lesson/player.h"
#include "ui/lesson/sketch.h"
#include "ui/window/controllers.h"

typedef struct SlWindowLesson
{
  GHashTable     *players;  /* id or path to SlLessonPlayer, of this window's time */
  SlLessonPlayer *player;   /* that is taken, borrowed; or NULL */
  SlLessonPlayer *left;     /* the last one that was left, borrowed; or NULL */
  SlSession      *session;  /* of the last one that was taken, or NULL */
  SlGroup        *group;    /* that its steps on the start page are about, or NULL */
  gboolean        held;     /* it was running when another one was shown */
  SlLessonSketch *sketch;   /* while the step has a curve as its question */
  GtkWidget      *ringed;   /* what the step points at; weak */
  guint           pointing; /* tick callback of it, until the focus is there */
  unsigned        frames;   /* that this has waited for */
  gboolean        earlier;  /* guesses of others are shown */
  gboolean        withheld; /* plots wait for an answer that they would give away */
  AdwToast       *goodbye;  /* of the last lesson, weak; or NULL */
  gboolean        going;    /* the lesson itself goes to the start page */

  GtkFileChooserNative *chooser;      /* of a step to save, while it is open */
  char                 *title, *text; /* of that step; or whose answers are saved */
  gboolean              existing;     /* it goes into a lesson that exists */
  SlLesson             *paper;        /* whose worksheet or key is to be saved, or NULL */
  GCancellable         *papers;       /* of worksheets and keys that are being made, or NULL */
} Lesson;

Lesson *sl_window_lesson (SlWindow *self);

/* ---- lesson.c ---- */

/* The player of a lesson, by an id or a path, for the lesson to be begun. */
SlLessonPlayer *sl_window_lesson_load (SlWindow *self, const char *name, GError **error);
/* Connects the player's signals, and gives it the session that it drives. */
void sl_window_lesson_attach (SlWindow *self, SlLessonPlayer *player);
/* Ends the lesson. */
void sl_window_lesson_end (SlWindow *self);

/* ---- session.c ---- */

/* Makes a new session for the lesson. */
void sl_window_lesson_renew (SlWindow *self);
/* Shows the session of the lesson. */
void sl_window_lesson_show (SlWindow *self);

/* ---- point.c ---- */

/* Puts a ring around what a step points at, and the focus into it. */
void sl_window_lesson_point (SlWindow *self, const SlLessonStep *step);
/* Removes the ring. */
void sl_window_lesson_unpoint (SlWindow *self);

/* ---- stage.c ---- */

/* Shows everything, as without a lesson. */
void sl_window_lesson_clear_stage (SlWindow *self);
/* Shows only the plots of the step, and what the step points at. */
void sl_window_lesson_show_plots (SlWindow *self);
/* Shows the curve to draw, where the step has one. */
void sl_window_lesson_show_sketch (SlWindow *self);

/* ---- overview.c: steps on the start page ---- */

/* Shows the runs of the step on the start page. */
void sl_window_lesson_show_group (SlWindow *self);
/* Ends these runs. */
void sl_window_lesson_drop_group (SlWindow *self);
/* The number of a slider by its name in lessons; SL_HEADLINE_NONE: none has it. */
SlHeadline sl_window_lesson_headline (const char *id);
/* Sets the sliders. */
void sl_window_lesson_set_headlines (SlWindow *self);
/* Lets the runs train, unless an answer is due. */
void sl_window_lesson_let_group_go (SlWindow *self);

/* ---- place.c ---- */

/* The action that shows the list of lessons. */
void sl_window_lesson_list (GSimpleAction *action, GVariant *parameter, gpointer window);
/* The id or path of a lesson. */
const char *sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player);
/* The action, with its target, that begins the one of the program's own lessons after this one;
 * NULL: none.  Free with g_free().  */
char *sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player);
/* Stores how far the lesson in progress is, for the list. */
void sl_window_lesson_keep_progress (SlWindow *self, gboolean over);

/* paper.c: its actions. */
void sl_window_lesson_add_paper (SlWindow *self);
void sl_window_lesson_drop_paper (SlWindow *self);

/* save.c: actions that save a step and answers. */
void sl_window_lesson_save_step (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_answers (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_answers_to (GSimpleAction *action, GVariant *parameter, gpointer window);
