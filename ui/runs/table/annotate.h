/* SPDX-License-Identifier: MIT
 *
 * The dialog with tags and note of runs.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/store/store.h"

/* Asks the user for tags of `items` (of SlRunItem), and for the note where there is only one, and
 * writes them into the store.  What several runs have in common is there at first; tags that are
 * added or taken away are so for all.  */
void sl_run_annotate (GtkWidget *parent, SlStore *store, const GPtrArray *items);
