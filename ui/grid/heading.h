/* SPDX-License-Identifier: MIT
 *
 * The heading of a group of panels, which folds it.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_GROUP_HEADING (sl_group_heading_get_type ())
G_DECLARE_FINAL_TYPE (SlGroupHeading, sl_group_heading, SL, GROUP_HEADING, GtkWidget)

/* Signal "fold": it was clicked. */

/* What is below it, how much of it, and whether that is folded away. */
void sl_group_heading_show (SlGroupHeading *self, const char *title, unsigned n_panels,
                            gboolean folded);
