/* SPDX-License-Identifier: MIT
 *
 * What is selected among rows of SlRunItem and SlRunGroupRow.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/runs/list/item.h"

/* The first that is a run; NULL: there is none. */
SlRunItem *sl_run_selection_first (GtkSelectionModel *rows);

/* Those rows that are groups. */
GPtrArray *sl_run_selection_groups (GtkSelectionModel *rows);

/* The runs, those of selected groups among them, each once. */
GPtrArray *sl_run_selection_runs (GtkSelectionModel *rows);
