/* SPDX-License-Identifier: MIT
 *
 * How long a forward pass takes beside the dense one, as timed last: two lines beside the knobs.  Hidden where
 * nothing is timed.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/record.h"

#define SL_TYPE_CLOCK_LINE (sl_clock_line_get_type ())
G_DECLARE_FINAL_TYPE (SlClockLine, sl_clock_line, SL, CLOCK_LINE, GtkWidget)

/* Shows the times of a run of `lab`; NULL: they are not known yet. */
void sl_clock_line_show (SlClockLine *self, const SlLab *lab, const SlTimes *times);

/* What the lines say; "" when they are hidden. */
const char *sl_clock_line_get_text (SlClockLine *self);
