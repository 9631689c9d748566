/* SPDX-License-Identifier: MIT
 *
 * The bar above a gating map: what its colours say, which plane it shows, and the brush.  */
#pragma once

#include <gtk/gtk.h>

#include "core/lab/map/map.h"

#define SL_TYPE_MAP_BAR (sl_map_bar_get_type ())
G_DECLARE_FINAL_TYPE (SlMapBar, sl_map_bar, SL, MAP_BAR, GtkWidget)

/* Properties: "plane" (guint, SlPlaneMode), "brush" (gint, the class that is painted, -1: none).
 * Signals:
 *   "look"  another plane through the inputs was chosen: sl_map_bar_get_view()  */

/* What the data allow: painting with two features, a choice of planes with more. */
void sl_map_bar_set_data (SlMapBar *self, unsigned features, unsigned classes);

SlMapView sl_map_bar_get_view (SlMapBar *self);
SlMapView sl_map_view_usual (void); /* of a bar on which nothing was chosen */
