/* SPDX-License-Identifier: MIT
 *
 * Runs and trade-offs: a sweep is set up and watched, and stored runs are compared, as a trade-off
 * with its front, as curves over each other, against each parameter, as parallel coordinates, and
 * as a table.  What is selected in the table is what the charts show; with nothing selected, all
 * rows.  Brushes on the parallel coordinates leave in the table, and so in the other charts, the
 * runs that lie in them.
 *
 * Actions: runs.export (opens the dialog of ui/export), runs.export-to (s: file; .csv: the table),
 * runs.export-table (opens a file dialog), runs.copy, runs.view (s: front, curves, each, parallel),
 * and those of ui/sweep/bar.h, ui/runs/table/table.h and ui/charts/chart.h.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/base/json.h"
#include "ui/runs/list/list.h"
#include "ui/runs/set.h"

#define SL_TYPE_RUNS_PAGE (sl_runs_page_get_type ())
G_DECLARE_FINAL_TYPE (SlRunsPage, sl_runs_page, SL, RUNS_PAGE, GtkWidget)

/* Signals:
 *   "open" (SlRunItem)    a run was chosen, to be shown in the window
 *   "sweeping"            a sweep began; the run in the window should make room
 *   "toast" (sentence)    something to say
 *   "moved"               it shows something else
 *   "deleted" (sentence)  the same, with table.undelete as the way back  */

/* Where runs are; a reference is taken.  NULL: nowhere. */
void sl_runs_page_set_store (SlRunsPage *self, SlStore *store);

/* What sweeps vary around; see sl_sweep_bar_set_base(). */
void sl_runs_page_set_base (SlRunsPage *self, const SlLab *lab, const SlSettings *settings,
                            const char *data);

/* Sets the sweep up that the lab of the base suggests under this id; see sl_sweep_bar_suggest(). */
gboolean sl_runs_page_suggest (SlRunsPage *self, const char *id);

/* The first writes members of an object that say what the page shows and what sweep is set up.  The
 * second restores that, once the runs are there (NULL: nothing), unless the user has chosen
 * something before.  */
void sl_runs_page_write_place (SlRunsPage *self, SlJsonWriter *w);
void sl_runs_page_read_place (SlRunsPage *self, const SlJson *place);

/* Shows the runs of a file that was opened, once they are there, and keeps them as an item of the list of sweeps;
 * `uuids` are their names in the store, ended by NULL.  */
void sl_runs_page_show_file (SlRunsPage *self, const char *path, const char *const *uuids);

/* Shows the curves of another program's file or folder among those of runs, once it has been read; see files.h. */
void sl_runs_page_open_curves (SlRunsPage *self, const char *path, const char *title);

/* Shows the table of another program's sweep (core/run/foreign/trials.h) as a trade-off, once it has been read. */
void sl_runs_page_open_trials (SlRunsPage *self, const char *path);

/* As sl_sweep_bar_stop(). */
void sl_runs_page_stop (SlRunsPage *self);

/* Brings the runs back that were deleted last. */
void sl_runs_page_undelete (SlRunsPage *self);
/* Whether runs were deleted that can be brought back. */
gboolean sl_runs_page_can_undelete (SlRunsPage *self);

/* Brings the charts up to date now rather than in a moment. */
void sl_runs_page_update (SlRunsPage *self);
