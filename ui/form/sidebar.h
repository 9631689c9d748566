/* SPDX-License-Identifier: MIT
 *
 * What can be set: the form of the lab that runs, and its data.
 * It drives the session itself and follows it.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/form/data-group.h"
#include "ui/form/form.h"

#define SL_TYPE_SIDEBAR (sl_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (SlSidebar, sl_sidebar, SL, SIDEBAR, GtkWidget)

/* Signal "refused" (char *sentence): a value was not taken.  A data file is chosen by the action win.open, a folder
 * by win.choose-folder, of the window around it.  */

/* The session to drive and follow; a reference is taken.  NULL: none. */
void sl_sidebar_set_session (SlSidebar *self, SlSession *session);

/* Shows the sliders that matter to an audience, and a switch for all others; FALSE: shows all. */
void sl_sidebar_set_brief (SlSidebar *self, gboolean brief);

/* Shows only the rows that a lesson offers, without data, presets, search and length of the run. */
void sl_sidebar_set_taught (SlSidebar *self, gboolean taught);

/* Puts the form into another box, with its rows side by side; NULL: back.  FALSE: it is there.  Rows are
 * made anew, as they are seen.  */
gboolean sl_sidebar_lend_form (SlSidebar *self, GtkBox *to);

SlParamForm *sl_sidebar_get_form (SlSidebar *self);
SlDataGroup *sl_sidebar_get_data (SlSidebar *self);
