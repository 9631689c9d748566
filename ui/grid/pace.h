/* SPDX-License-Identifier: MIT
 *
 * When the plots of a scrolled page are redrawn: at most one in a frame, in turn, each only so often,
 * only where something of it is in sight and it has news.  */
#pragma once

#include <gtk/gtk.h>

typedef struct SlPlotPace SlPlotPace;

/* Of these widgets, of which `update` redraws one that has news and says whether it had.  Both are
 * borrowed, and widgets may come and go.  `scroller`, where there is one, is what they are scrolled in:
 * those out of sight are not redrawn.  */
SlPlotPace *sl_plot_pace_new (GPtrArray *cards, GtkWidget *scroller,
                              gboolean (*update) (gpointer card));
void        sl_plot_pace_free (SlPlotPace *self);

/* How often a second each plot is redrawn at most, 10 when nothing is said; 0: all that have news, in
 * every frame.  */
void sl_plot_pace_set_rate (SlPlotPace *self, double rate);

/* How much of a plot's height is in sight, 0..1. */
float sl_plot_pace_visible (SlPlotPace *self, unsigned card);

/* Redraws what is due at a time in µs.  FALSE when no plot has any news: no frame is needed until there
 * may be some.  */
gboolean sl_plot_pace_tick (SlPlotPace *self, gint64 now);

/* Plots redrawn so far. */
guint64 sl_plot_pace_redraws (SlPlotPace *self);
