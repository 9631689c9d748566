/* SPDX-License-Identifier: MIT
 *
 * The presets of a lab: a button with the name of the one in use, and a list of all, each with what it
 * shows.  A row does the action win.preset with the id, "" for the defaults.  */
#pragma once

#include <gtk/gtk.h>

#include "core/lab/lab.h"

#define SL_TYPE_PRESET_ROW (sl_preset_row_get_type ())
G_DECLARE_FINAL_TYPE (SlPresetRow, sl_preset_row, SL, PRESET_ROW, GtkWidget)

/* The lab, borrowed, and its settings of now, of which the button says what they are. */
void sl_preset_row_show (SlPresetRow *self, const SlLab *lab, const SlSettings *settings);
