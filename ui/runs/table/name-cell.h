/* SPDX-License-Identifier: MIT
 *
 * The first cell of a row: a run's colour, its name, which can be edited in its place, and whether it is pinned; a
 * group's arrow, which folds and unfolds it, and what it is called.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/list/item.h"

typedef void (*SlRunRenamed) (gpointer data, SlRunItem *item, const char *name);

/* Makes such cells; `renamed` is called when a name was edited. */
GtkListItemFactory *sl_name_cell_factory (SlRunRenamed renamed, gpointer data);
