/* SPDX-License-Identifier: MIT
 *
 * The line below the plots: what the run costs and how well it does, as three bars, and the way from the front page
 * to all plots and back.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/record/record.h"

#define SL_TYPE_PLOT_FOOT (sl_plot_foot_get_type ())
G_DECLARE_FINAL_TYPE (SlPlotFoot, sl_plot_foot, SL, PLOT_FOOT, GtkWidget)

/* Brings the bars up to date, a few times a second at most; `now` in µs. */
void sl_plot_foot_show (SlPlotFoot *self, const SlRecord *record, gint64 now);

/* Whether it is shown, and whether all plots are in sight now. */
void sl_plot_foot_set_place (SlPlotFoot *self, gboolean shown, gboolean all);

/* All figures in words; borrowed. */
const char *sl_plot_foot_text (SlPlotFoot *self);
