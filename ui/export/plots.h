/* SPDX-License-Identifier: MIT
 *
 * The plots that go on one page: a switch for each that has data.  They are lettered in the
 * order in which they are switched on.  */
#pragma once

#include <adwaita.h>

#include "ui/export/job.h"

#define SL_TYPE_EXPORT_PLOTS (sl_export_plots_get_type ())
G_DECLARE_FINAL_TYPE (SlExportPlots, sl_export_plots, SL, EXPORT_PLOTS, AdwPreferencesGroup)

/* Signal "chosen": another choice.
 *
 * A row for every panel of the session's lab; none is on.  `session` is borrowed for its life. */
void sl_export_plots_set_session (SlExportPlots *self, SlSession *session);

/* Shows the rows of the panels that have data by now; returns how many. */
unsigned sl_export_plots_refresh (SlExportPlots *self);

/* The chosen panels.  Here n = 0 means none, where elsewhere it means all. */
const SlExportPanels *sl_export_plots_get (SlExportPlots *self);
