/* SPDX-License-Identifier: MIT
 *
 * A strip under the picture of one example, on which one goes back over the moments of the run (core/run/moments), and
 * plays them.  Hidden where there are fewer than two.
 *
 * Signal "moment": another one is chosen, or the run is followed again.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"

#define SL_TYPE_MOMENTS_BAR (sl_moments_bar_get_type ())
G_DECLARE_FINAL_TYPE (SlMomentsBar, sl_moments_bar, SL, MOMENTS_BAR, GtkWidget)

/* Has the moments of this session (a reference is taken; NULL: none) in this panel of its run, which it follows. */
void sl_moments_bar_set_session (SlMomentsBar *self, SlSession *session, unsigned panel);

/* A record with the picture of the chosen moment alone, good until the session is set again; NULL: the run is
 * followed.  */
const SlRecord *sl_moments_bar_get_record (SlMomentsBar *self);

/* Follows the run again; FALSE where it is followed. */
gboolean sl_moments_bar_go_to_now (SlMomentsBar *self);
