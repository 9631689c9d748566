/* SPDX-License-Identifier: MIT
 *
 * The line under the plots: how far the run is, how fast, how good, and on what.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/group/group.h"

#define SL_TYPE_STATUS_LINE (sl_status_line_get_type ())
G_DECLARE_FINAL_TYPE (SlStatusLine, sl_status_line, SL, STATUS_LINE, GtkWidget)

/* Shows a session as it is now. */
void sl_status_line_update (SlStatusLine *self, SlSession *session);

/* The same for a few runs side by side. */
void sl_status_line_sum_up (SlStatusLine *self, SlGroup *group);

/* The best value so far would answer an open question: it is left out meanwhile. */
void sl_status_line_hide_best (SlStatusLine *self, gboolean hidden);
