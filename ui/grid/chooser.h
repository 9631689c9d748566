/* SPDX-License-Identifier: MIT
 *
 * A list of all panels of a lab, with a search: which are shown, and the way to each.  */
#pragma once

#include <adwaita.h>

#include "ui/grid/grid.h"

#define SL_TYPE_PANEL_CHOOSER (sl_panel_chooser_get_type ())
G_DECLARE_FINAL_TYPE (SlPanelChooser, sl_panel_chooser, SL, PANEL_CHOOSER, AdwWindow)

/* Of the grid's lab, which has to have one; a reference to the grid is taken. */
SlPanelChooser *sl_panel_chooser_new (GtkWindow *parent, SlPlotGrid *grid, const SlLab *lab);
