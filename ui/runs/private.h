/* SPDX-License-Identifier: MIT
 *
 * The inside of the page, shared by its files: page.c (what it is made of), curves.c and pictures.c (of stored
 * runs), place.c (the sweep that is shown), export.c (files and clipboard), state.c
 * (brushes as a filter, what there is to show and room for).  */
#pragma once

#include "core/run/foreign/trials.h"
#include "plot/charts/gallery.h"
#include "plot/charts/overlay.h"
#include "plot/charts/runs.h"
#include "plot/charts/trade.h"
#include "ui/charts/front-view.h"
#include "ui/charts/gap-view.h"
#include "ui/charts/parallel-view.h"
#include "ui/plot-view/view.h"
#include "ui/runs/axis-chooser.h"
#include "ui/runs/files.h"
#include "ui/runs/multiples.h"
#include "ui/runs/page.h"
#include "ui/runs/set.h"
#include "ui/runs/table/table.h"
#include "ui/runs/untimed-bar.h"
#include "ui/sweep/bar.h"

struct _SlRunsPage
{
  GtkWidget parent_instance;

  SlSweepBar           *sweep;
  SlRunTable           *table;
  SlFrontView          *front;
  SlPlotView           *curves, *pictures;
  SlParallelView       *parallel;
  SlRunMultiples       *multiples;
  SlCurveFiles         *files; /* of other programs */
  GtkStack             *views;
  GtkDropDown          *scope, *panel;
  SlAxisChooser        *x_axis, *y_axis;
  GtkToggleButton      *bands, *range, *difference, *log_x, *log_y;
  GtkWidget            *parallel_tools;
  GtkLabel             *hint;
  GtkFileChooserNative *chooser; /* while it is open */

  SlStore   *store;
  SlRunList *list;
  SlRunSet   set;     /* what the charts show */
  SlRunSet   all;     /* what the parallel coordinates show, in brushes or not */
  GPtrArray *sweeps;  /* titles of sweeps, as in `scope` behind "all runs" */
  SlTrials  *trials;  /* of another program, the last item there; NULL: none */
  guint      later;   /* idle source that brings the charts up to date */
  guint      fitting; /* idle source that fits the page to its height */
  gboolean   filling;

  struct SlRunCurves   *drawn;  /* of curves.c */
  struct SlRunPictures *loaded; /* of pictures.c */
  GCancellable         *closing;
};

/* curves.c: curves of the runs in `set` */
void sl_runs_page_add_curves (SlRunsPage *self);
/* Draws what is loaded, loads what is missing, and is called again when it is there. */
void sl_runs_page_update_curves (SlRunsPage *self);
void sl_runs_page_drop_curves (SlRunsPage *self);

/* The panels of the set's lab that are curves over steps, and the files alone where there are some; TRUE when it is
 * another lab.  */
gboolean sl_runs_page_fill_panels (SlRunsPage *self);

/* File number i of another program is there. */
void sl_runs_page_filed (SlRunsPage *self, guint i);

/* Whether curves of files are shown without those of runs. */
gboolean sl_runs_page_shows_files_alone (SlRunsPage *self);

/* pictures.c: pictures of the runs in `set` */
void sl_runs_page_add_pictures (SlRunsPage *self);
/* Shows what is loaded, loads what is missing, and is called again when it is there. */
void sl_runs_page_update_pictures (SlRunsPage *self);
void sl_runs_page_drop_pictures (SlRunsPage *self);
/* Whether there are pictures, or will be. */
gboolean sl_runs_page_has_pictures (SlRunsPage *self);

/* Scores that are parts of a whole, of the runs in `set`. */
void      sl_runs_page_add_parts (SlRunsPage *self);
void      sl_runs_page_update_parts (SlRunsPage *self);
SlFigure *sl_runs_page_parts_figure (SlRunsPage *self);

/* ---- export.c ---- */

/* Opens the dialog of ui/export for what is in view. */
void sl_runs_page_export (SlRunsPage *self);
/* Opens a file dialog for the table. */
void sl_runs_page_export_table (SlRunsPage *self);
/* Writes what is in view. */
void sl_runs_page_export_to (SlRunsPage *self, const char *path);

/* Opens a file dialog, and writes the curves of the selected runs, or of all that are shown, as
 * one table or with `events` as event files in a folder.  A thread writes them; a toast says when
 * it is done.  */
void sl_runs_page_export_curves (SlRunsPage *self, gboolean events);
/* The same to a path. */
void sl_runs_page_export_curves_to (SlRunsPage *self, const char *path, gboolean events);
/* Copies what is in view to the clipboard. */
void sl_runs_page_copy (SlRunsPage *self);

/* ---- state.c ---- */

/* The brushes changed. */
void sl_runs_page_brushed (SlRunsPage *self);
/* Whether there are brushes. */
gboolean sl_runs_page_is_brushed (SlRunsPage *self);
/* Shows the parallel coordinates of the selected runs, or of all that the table would show
 * without brushes.  */
void sl_runs_page_update_parallel (SlRunsPage *self);

/* Shows what a chart lacks, and offers what can be done about it. */
void sl_runs_page_show_hint (SlRunsPage *self);
/* That is to be done. */
void sl_runs_page_take_offer (SlRunsPage *self);
/* Shows the sweep where there is something to sweep. */
void sl_runs_page_show_form (SlRunsPage *self);
/* Has the sweep take less room in a low window. */
void sl_runs_page_watch_height (SlRunsPage *self);

/* Charts follow in a moment, many changes at once. */
void sl_runs_page_update_soon (SlRunsPage *self);

/* ---- place.c ---- */

/* Fills the list with "All runs", each opened file and each sweep, the newest first. */
void sl_runs_page_fill_scopes (SlRunsPage *self);
/* The user chose another item of that list. */
void sl_runs_page_scoped (SlRunsPage *self);
/* The sweep to show when the list of runs is there, or NULL. */
const char *sl_runs_page_wanted_sweep (SlRunsPage *self);
/* Sets that sweep. */
void sl_runs_page_want_sweep (SlRunsPage *self, const char *title);
/* The sweep that is shown or will be, or NULL. */
const char *sl_runs_page_chosen_sweep (SlRunsPage *self);
/* The place of the first sweep in that list. */
guint sl_runs_page_first_sweep (SlRunsPage *self);

/* ---- trials.c ---- */

/* The place of the sweep of another program, behind those of runs. */
guint sl_runs_page_trials_place (SlRunsPage *self);

/* Whether the sweep of another program is chosen. */
gboolean sl_runs_page_shows_trials (SlRunsPage *self);
/* Its trade-off. */
void sl_runs_page_draw_trials (SlRunsPage *self);
void sl_runs_page_drop_trials (SlTrials *trials);

/* ---- page.c ---- */

/* The difference of two groups. */
SlGapView *sl_runs_page_gaps (SlRunsPage *self);

/* Emits "toast". */
void sl_runs_page_notify (SlRunsPage *self, const char *sentence);
