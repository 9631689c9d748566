/* SPDX-License-Identifier: MIT
 *
 * What lies along an axis of the trade-off: a list of all numbers that the runs have, in which words search.
 *
 * Signal "chosen": the user chose another one.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/compare/measure.h"

#define SL_TYPE_AXIS_CHOOSER (sl_axis_chooser_get_type ())
G_DECLARE_FINAL_TYPE (SlAxisChooser, sl_axis_chooser, SL, AXIS_CHOOSER, GtkWidget)

/* What a screen reader calls it. */
void sl_axis_chooser_name (SlAxisChooser *self, const char *name);

/* What is wanted, where runs have it; NULL: what is usual.  Interned. */
void        sl_axis_chooser_want (SlAxisChooser *self, const char *id);
const char *sl_axis_chooser_wanted (SlAxisChooser *self);

/* What these names (interned, of sl_measures() of `runs`) offer of it: what is wanted, else `usual`. */
const char *sl_axis_chooser_among (SlAxisChooser *self, const GPtrArray *names, const char *usual);

/* Lists these numbers of runs (of SlStoreRun) of a lab, and shows one of them. */
void sl_axis_chooser_show (SlAxisChooser *self, const SlLab *lab, const GPtrArray *runs,
                           GPtrArray *names, const char *id);
