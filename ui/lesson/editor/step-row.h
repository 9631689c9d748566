/* SPDX-License-Identifier: MIT
 *
 * One step of a lesson in the editor: its words, how far and how fast its run goes, and its question.  */
#pragma once

#include <adwaita.h>

#include "core/run/lesson/lesson.h"

#define SL_TYPE_STEP_ROW (sl_step_row_get_type ())
G_DECLARE_FINAL_TYPE (SlStepRow, sl_step_row, SL, STEP_ROW, AdwExpanderRow)

/* Shows step `number`, from 0, of a lesson, which is borrowed and outlives the row.
 * Signals: "move" (int: -1 earlier, 1 later), "remove"  */
SlStepRow *sl_step_row_new (SlLesson *lesson, unsigned number);

/* Puts what was typed into the lesson. */
void sl_step_row_take (SlStepRow *self);
