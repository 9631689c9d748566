/* SPDX-License-Identifier: MIT
 *
 * What the parts of the lesson bar share: bar.c shows a step, bar-ask.c its question, bar-room.c gives it room.  */
#pragma once

#include "ui/lesson/bar.h"

struct _SlLessonBar
{
  GtkWidget parent_instance;

  GtkLabel  *title, *lesson, *count, *text, *reveal, *room_label, *prompt, *unit, *hint;
  GtkWidget *head, *scroller, *ask, *number, *scale, *answer, *skip, *again, *earlier, *reveal_line;
  GtkWidget *actions, *way; /* below: what can be answered, and back and next */
  GtkBox    *body, *options;
  GtkImage  *verdict;
  GtkSpinButton *spin;
  GtkAdjustment *adjustment;

  SlLessonPlayer *player;
  gboolean        narrow;
  gboolean        revealed;  /* the reveal is shown there, rather than what it waits for */
  guint           scrolling; /* timeout that brings the reveal into sight */
  guint           folding;   /* idle source that puts question and text side by side or not */

  struct
  {
    const SlLessonStep *step; /* shown only to be measured; NULL: that of the player is shown */
    SlGuess             guess;
    GPtrArray          *options; /* of GtkWidget, that are shown else */
    double              number;  /* that is typed meanwhile, */
    gboolean            drawn;   /* and whether there is something drawn */
  } posed;
  struct
  {
    int    width;      /* that the others were measured for; 0: none */
    int    body, foot; /* the most that a step needs */
    double type;       /* its size */
  } room;
};

/* Shows a step as it is before or after its answer, with room for its numbers, until the second shows
 * again what the player says.  */
void sl_lesson_bar_pose (SlLessonBar *self, const SlLessonStep *step, gboolean answered);
void sl_lesson_bar_unpose (SlLessonBar *self);

/* The step that is shown or measured, and the guess at its question. */
const SlLessonStep *sl_lesson_bar_step (SlLessonBar *self);
const SlGuess      *sl_lesson_bar_guess (SlLessonBar *self);

/* A text with room for a number of seven signs in each place of a value; free with g_free(). */
char *sl_lesson_bar_widen (const char *text);

/* Makes the question of the step anew; shows it as it is answered or not. */
void sl_lesson_bar_make_question (SlLessonBar *self);
void sl_lesson_bar_show_question (SlLessonBar *self);

/* Marks which of the options was chosen, and which is the right one as soon as that is said. */
void sl_lesson_bar_mark_options (SlLessonBar *self, const SlGuess *guess, SlAnswerMark verdict);

/* Of the buttons: passes the question, and answers it. */
void sl_lesson_bar_skip (SlLessonBar *self);
void sl_lesson_bar_answer (SlLessonBar *self);

/* Puts question and text side by side or not, as there is width for. */
void sl_lesson_bar_fit_ask (SlLessonBar *self);

/* Finds the room that the lesson needs, for a width (-1: that of the window); and soon, when the width or the
 * type is another one.  */
void sl_lesson_bar_gauge (SlLessonBar *self, int width);
void sl_lesson_bar_gauge_soon (SlLessonBar *self);

/* Of the class of the widget. */
GtkSizeRequestMode sl_lesson_bar_get_request_mode (GtkWidget *widget);
void sl_lesson_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                            int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline);
void sl_lesson_bar_size_allocate (GtkWidget *widget, int width, int height, int baseline);
