/* SPDX-License-Identifier: MIT
 *
 * A strip under the plots on which the user goes back over the checkpoints of a run: drag to an
 * earlier one, look at maps and weights as they were, come back or go on from there.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"

#define SL_TYPE_TIMELINE (sl_timeline_get_type ())
G_DECLARE_FINAL_TYPE (SlTimeline, sl_timeline, SL, TIMELINE, GtkWidget)

/* Follows this session (a reference is taken); NULL: none. */
void sl_timeline_set_session (SlTimeline *self, SlSession *session);

/* Brings it up to date with the session, which has changed. */
void sl_timeline_update (SlTimeline *self);
