/* SPDX-License-Identifier: MIT
 *
 * A network of the start page as it decides about the input that is shown: name, picture, and the
 * sentence that counts.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/plot-view/view.h"

#define SL_TYPE_OVERVIEW_PICTURE (sl_overview_picture_get_type ())
G_DECLARE_FINAL_TYPE (SlOverviewPicture, sl_overview_picture, SL, OVERVIEW_PICTURE, GtkWidget)

/* The panel of a lab that a picture on the start page shows, or -1: it has none, or takes no input. */
int sl_overview_picture_panel (const SlLab *lab);

/* The picture of a lab that has such a panel; a reference to the session is taken.  Its colour has
 * the number `tint`.  Its actions:
 * win.closer (s: id of the lab).
 * Signals:
 *   "example" (int by)                     another example is to be shown, so many further
 *   "switch-off" (guint field, guint unit) as that of a view */
SlOverviewPicture *sl_overview_picture_new (SlSession *session, const SlLab *lab, unsigned tint);

/* Another run began, or the first one: other memory. */
void sl_overview_picture_restart (SlOverviewPicture *self);

/* Draws what is new.  TRUE when there was news. */
gboolean sl_overview_picture_update (SlOverviewPicture *self);

SlPlotView *sl_overview_picture_get_view (SlOverviewPicture *self);
SlSession  *sl_overview_picture_get_session (SlOverviewPicture *self);
