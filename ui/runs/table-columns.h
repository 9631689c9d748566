/* SPDX-License-Identifier: MIT
 *
 * The columns of the table of runs: what stands in them and how they sort.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/item.h"

typedef void (*SlRunRenamed) (gpointer data, SlRunItem *item, const char *name);

/* Adds all columns; `renamed` is called when a name was edited. */
void sl_run_table_add_columns (GtkColumnView *view, SlRunRenamed renamed, gpointer data);
