/* SPDX-License-Identifier: MIT
 *
 * A line across the page that says what happened and offers the way back.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_BANNER (sl_banner_get_type ())
G_DECLARE_FINAL_TYPE (SlBanner, sl_banner, SL, BANNER, GtkWidget)

/* Properties: "first-label", "first-action", "second-label", "second-action": its buttons; one
 * without a label is not shown.
 * Signal "closed": the user closed it.  */

/* Shows a sentence, broken into lines if it is long, or goes away with NULL. */
void sl_banner_show (SlBanner *self, const char *sentence);
