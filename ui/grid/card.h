/* SPDX-License-Identifier: MIT
 *
 * A plot with its title, what it means, the way back to following the data, and its menu.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/grid/map-bar.h"
#include "ui/plot-view/view.h"

#define SL_TYPE_PLOT_CARD (sl_plot_card_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotCard, sl_plot_card, SL, PLOT_CARD, GtkWidget)

/* As sl_plot_view_set_panel(). */
void sl_plot_card_set_panel (SlPlotCard *self, const SlRecord *record, unsigned panel);

SlPlotView *sl_plot_card_get_view (SlPlotCard *self);

/* What stands above a gating map; hidden for other panels. */
SlMapBar *sl_plot_card_get_bar (SlPlotCard *self);
