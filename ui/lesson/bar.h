/* SPDX-License-Identifier: MIT
 *
 * The bar at the bottom of the window while a lesson is taken: title, text, question, reveal, and
 * the way back and on.  It shows what a player says; its buttons are actions of the window
 * (window.h), but for the answer, which is a signal.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/lesson/player.h"

/* Signal: "answer" (char *text)  as sl_lesson_player_answer(); NULL: what was drawn on the plot */
#define SL_TYPE_LESSON_BAR (sl_lesson_bar_get_type ())
G_DECLARE_FINAL_TYPE (SlLessonBar, sl_lesson_bar, SL, LESSON_BAR, GtkWidget)

/* The lesson to show; a reference is taken.  NULL: nothing, and the bar is hidden. */
void sl_lesson_bar_set_player (SlLessonBar *self, SlLessonPlayer *player);

/* Whether there is something drawn that could be the answer. */
void sl_lesson_bar_set_drawn (SlLessonBar *self, gboolean drawn);
