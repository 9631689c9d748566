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

/* lesson.c: the player of a lesson, by an id or a path, for the one that is to be taken; its signals, and the
 * session that it drives; nobody takes the lesson any more.  */
SlLessonPlayer *sl_window_lesson_load (SlWindow *self, const char *name, GError **error);
void            sl_window_lesson_attach (SlWindow *self, SlLessonPlayer *player);
void            sl_window_lesson_end (SlWindow *self);

/* session.c: a new session for the lesson; shows it. */
void sl_window_lesson_renew (SlWindow *self);
void sl_window_lesson_show (SlWindow *self);

/* point.c: puts a ring around what a step points at and the focus into it; takes
 * the ring away.  */
void sl_window_lesson_point (SlWindow *self, const SlLessonStep *step);
void sl_window_lesson_unpoint (SlWindow *self);

/* stage.c: all as it is without a lesson; only the plots, and what the step points
 * at; the curve that is asked for, where there is one.  */
void sl_window_lesson_clear_stage (SlWindow *self);
void sl_window_lesson_show_plots (SlWindow *self);
void sl_window_lesson_show_sketch (SlWindow *self);

/* overview.c: a step on the start page.  Shows its runs there, or ends them; the number of a slider by its name
 * in lessons (SL_HEADLINE_NONE: none); sets the sliders; lets the runs go, unless an answer is due.  */
void       sl_window_lesson_show_group (SlWindow *self);
void       sl_window_lesson_drop_group (SlWindow *self);
SlHeadline sl_window_lesson_headline (const char *id);
void       sl_window_lesson_set_headlines (SlWindow *self);
void       sl_window_lesson_let_group_go (SlWindow *self);

/* place.c: the action that shows the list of lessons; the id or path of a lesson; the action, with its target,
 * that takes the one of the program's own after this one, or NULL (free with g_free()); what the list is to
 * say of the lesson that is taken.  */
void        sl_window_lesson_list (GSimpleAction *action, GVariant *parameter, gpointer window);
const char *sl_window_lesson_name (SlWindow *self, SlLessonPlayer *player);
char       *sl_window_lesson_after (SlWindow *self, SlLessonPlayer *player);
void        sl_window_lesson_keep_progress (SlWindow *self, gboolean over);

/* paper.c: its actions. */
void sl_window_lesson_add_paper (SlWindow *self);
void sl_window_lesson_drop_paper (SlWindow *self);

/* save.c: actions that save a step and answers. */
void sl_window_lesson_save_step (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_step_to (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_answers (GSimpleAction *action, GVariant *parameter, gpointer window);
void sl_window_lesson_save_answers_to (GSimpleAction *action, GVariant *parameter, gpointer window);
