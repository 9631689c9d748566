/* SPDX-License-Identifier: MIT
 *
 * The plots that go on one page: a switch for each that has data.  They are lettered in the
 * order in which they are switched on.  */
#pragma once

#include <adwaita.h>

#include "ui/export/source.h"

#define SL_TYPE_EXPORT_PLOTS (sl_export_plots_get_type ())
G_DECLARE_FINAL_TYPE (SlExportPlots, sl_export_plots, SL, EXPORT_PLOTS, AdwPreferencesGroup)

/* Signal "chosen": another choice.
 *
 * A row for every plot of the source, which is borrowed for its life; none is on. */
void sl_export_plots_set_source (SlExportPlots *self, const SlExportSource *source);

/* Shows the rows of the plots that have data by now; returns how many. */
unsigned sl_export_plots_refresh (SlExportPlots *self);

/* The chosen plots.  Here n = 0 means none, where elsewhere it means all. */
const SlExportPanels *sl_export_plots_get (SlExportPlots *self);
