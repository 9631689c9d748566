/* SPDX-License-Identifier: MIT
 *
 * The popover of the i button of a parameter or a plot: two sentences, the formula, the source, and
 * the way to the help.  */
#pragma once

#include <gtk/gtk.h>

#define SL_TYPE_HELP_POPOVER (sl_help_popover_get_type ())
G_DECLARE_FINAL_TYPE (SlHelpPopover, sl_help_popover, SL, HELP_POPOVER, GtkPopover)

/* That of a button, which gets it now if it has none. */
SlHelpPopover *sl_help_popover_of (GtkMenuButton *button);

/* `markup` is what it says; formula and source are plain texts, NULL or "" for none.  The link leads
 * to what the help says of `descriptor` (borrowed); it is not there for one without a page.  */
void sl_help_popover_describe (SlHelpPopover *self, const char *markup, const char *formula,
                               const char *source, gconstpointer descriptor);
