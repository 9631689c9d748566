/* SPDX-License-Identifier: MIT
 *
 * One idea at a glance: its name, the sliders that move it, the figure in words, and the plot.  A
 * click on it or Enter opens its lab.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/plot-view/view.h"

#define SL_TYPE_OVERVIEW_CARD (sl_overview_card_get_type ())
G_DECLARE_FINAL_TYPE (SlOverviewCard, sl_overview_card, SL, OVERVIEW_CARD, GtkWidget)

/* A card of a lab that has a headline; a reference to the session is taken.  Its colour has
 * the number `tint`.  Its actions:
 * win.closer (s: id of the lab).  */
SlOverviewCard *sl_overview_card_new (SlSession *session, const SlLab *lab, unsigned tint);

/* Another run began, or the first one: other memory. */
void sl_overview_card_restart (SlOverviewCard *self);

/* Draws what is new.  TRUE when there was news. */
gboolean sl_overview_card_update (SlOverviewCard *self);

/* Where the window is low, the figure is beside the idea if it fits there. */
void sl_overview_card_set_low (SlOverviewCard *self, gboolean low);

SlPlotView *sl_overview_card_get_view (SlOverviewCard *self);
SlSession  *sl_overview_card_get_session (SlOverviewCard *self);
