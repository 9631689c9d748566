/* SPDX-License-Identifier: MIT
 *
 * A sentence, its buttons and the one that closes it: beside each other, or where there is no room for
 * that the buttons below.  The first child is the label, which wraps, and the last one stays in the corner.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_BANNER_LAYOUT (sl_banner_layout_get_type ())
G_DECLARE_FINAL_TYPE (SlBannerLayout, sl_banner_layout, SL, BANNER_LAYOUT, GtkLayoutManager)
