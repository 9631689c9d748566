/* SPDX-License-Identifier: MIT
 *
 * Reading a gating map.  */
#pragma once

#include "ui/plot-view/cursor.h"
#include "ui/plot-view/overlay.h"

/* What the map says at the cursor, and a mark around it. */
void sl_plot_map_read (const SlPlotCursor *cursor, GString *markup, SlMarks *marks);

/* Shows only the region of the pattern at the cursor; once more, and all of them are back. */
void sl_plot_map_isolate (const SlPlotCursor *cursor);
