/* SPDX-License-Identifier: MIT
 *
 * The columns of the table of runs: what they show and how they sort.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/table/name-cell.h"

/* With runs (of SlRunItem) a column for each setting that differs among them, in the place of the usual ones of settings
 * and seed; with NULL those again.  */
void sl_run_table_set_differences (GtkColumnView *view, const GPtrArray *items);

/* With rows of groups above those of runs, which are then indented. */
void sl_run_table_show_grouped (GtkColumnView *view, gboolean grouped);

/* Whether the column of labs is there: only where there are several. */
void sl_run_table_show_labs (GtkColumnView *view, gboolean shown);

/* Whether the column of tags is there: only where some run has one. */
void sl_run_table_show_tags (GtkColumnView *view, gboolean shown);

/* Adds all columns; `renamed` is called when a name was edited. */
void sl_run_table_add_columns (GtkColumnView *view, SlRunRenamed renamed, gpointer data);

/* The list would keep the row that was the first in its place. */
void sl_run_table_scroll_to_top (GtkColumnView *view);
