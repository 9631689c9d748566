/* SPDX-License-Identifier: MIT
 *
 * A plot with its title, what it means, the way back to following the data, and its menu.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/grid/map-bar.h"
#include "ui/grid/moments-bar.h"
#include "ui/plot-view/view.h"

#define SL_TYPE_PLOT_CARD (sl_plot_card_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotCard, sl_plot_card, SL, PLOT_CARD, GtkWidget)

/* A choice of the menu; signal "arrange" (SlCardMove how). */
typedef enum { SL_CARD_HIDE, SL_CARD_UP, SL_CARD_DOWN, SL_CARD_PIN, SL_CARD_UNPIN } SlCardMove;

/* Brief: small, beside others on a front page, without controls of its own; so at first. */
void sl_plot_card_set_brief (SlPlotCard *self, gboolean brief);

/* What the menu can do: pin, hide, and move up and down; and whether the panel is pinned. */
void sl_plot_card_set_place (SlPlotCard *self, gboolean pin, gboolean hide, gboolean up,
                             gboolean down, gboolean pinned);

/* As sl_plot_view_set_panel(). */
void sl_plot_card_set_panel (SlPlotCard *self, const SlRecord *record, unsigned panel);

/* The run that the panel is of, after each sl_plot_card_set_panel(): of a picture of one example there are its moments to
 * go back to.  NULL: none.  */
void sl_plot_card_set_session (SlPlotCard *self, SlSession *session);

SlPlotView *sl_plot_card_get_view (SlPlotCard *self);

/* Whether its panel is as wide as two others. */
gboolean sl_plot_card_is_wide (SlPlotCard *self);

/* Its title line, by which it is dragged out. */
GtkWidget *sl_plot_card_get_title (SlPlotCard *self);

/* Of the data that the run learns, as sl_map_bar_set_data(). */
void sl_plot_card_set_data (SlPlotCard *self, unsigned features, unsigned classes);

/* The plane that its bar says; signal "look": another one was chosen. */
SlMapView sl_plot_card_get_look (SlPlotCard *self);

/* The bar above a gating map, and that below a picture of one example: made when it is first shown or got, hidden for
 * other panels.  */
SlMapBar     *sl_plot_card_get_bar (SlPlotCard *self);
SlMomentsBar *sl_plot_card_get_moments (SlPlotCard *self);
