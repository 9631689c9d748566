/* SPDX-License-Identifier: MIT
 *
 * The few settings of a lab's front page, and the way to all.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"

#define SL_TYPE_KNOBS (sl_knobs_get_type ())
G_DECLARE_FINAL_TYPE (SlKnobs, sl_knobs, SL, KNOBS, GtkWidget)

/* Signal "refused" (char *sentence): a value was not taken. */

/* The session to drive and follow; a reference is taken.  NULL: none. */
void sl_knobs_set_session (SlKnobs *self, SlSession *session);

/* How many settings it shows now. */
unsigned sl_knobs_get_n (SlKnobs *self);
