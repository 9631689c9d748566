/* SPDX-License-Identifier: MIT
 *
 * The question of a step in the editor.  Rows of an expander row, which show what its kind needs.  */
#pragma once

#include <adwaita.h>

#include "core/run/lesson/edit.h"

typedef struct SlQuestionRows SlQuestionRows;

/* Adds the rows to `to`, with the question of a step, from 0, of the lesson, which is borrowed.  Free with
 * sl_question_rows_free() when the rows are gone.  */
SlQuestionRows *sl_question_rows_new (AdwExpanderRow *to, SlLesson *lesson, unsigned step);
void            sl_question_rows_free (SlQuestionRows *self);

/* Puts what was typed into the lesson. */
void sl_question_rows_take (SlQuestionRows *self);

/* A row with a text of several lines, which is `*view`. */
GtkWidget *sl_text_row_new (const char *title, const char *text, GtkTextView **view);
/* What is in it; free with g_free(). */
char *sl_text_row_dup (GtkTextView *view);

/* A row with a number, which has at least `digits` decimals, and more where the value needs them; a value beyond the bounds
 * widens them.  */
GtkWidget *sl_number_row_new (const char *title, const char *subtitle, double lo, double hi,
                              double value, int digits, GtkSpinButton **spin);
