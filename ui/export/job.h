/* SPDX-License-Identifier: MIT
 *
 * From plots on the screen to files and the clipboard.  What is written is drawn from the record
 * as the user views it: same zoom, same hidden curves.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "ui/export/source.h"
#include "ui/grid/grid.h"

/* A run and its plots at one moment, of which previews, names and files agree while the run goes on; the grid is borrowed.
 * There must be a run.  */
typedef struct SlExportMoment SlExportMoment;
SlExportMoment               *sl_export_moment_new (SlSession *session, SlPlotGrid *grid);
void                          sl_export_moment_free (SlExportMoment *moment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlExportMoment, sl_export_moment_free)

/* The updates in view in the first of these plots that is zoomed; FALSE when none is. */
gboolean sl_export_view (const SlExportPanels *panels, SlPlotGrid *grid, double *first,
                         double *last);

/* One panel, or several on one page (JSON: the whole record; CSV and NPY: the series of all unless it is
 * one panel).  NULL with a sentence when
 * there is nothing to write or it cannot be drawn.  */
GBytes *sl_export_make (const SlExportChoice *choice, const SlExportMoment *moment,
                        const SlExportPanels *panels, GError **error);

/* Makes their page as high as they need (export.h). */
void sl_export_fit_page (SlExportChoice *choice, const SlExportMoment *moment,
                         const SlExportPanels *panels);

/* The same plots as pages for a printer, each SL_PRINT_WIDTH × SL_PRINT_HEIGHT mm as vectors in px, with the
 * recipe below; at most SL_PRINT_PLOTS on a page.  Elements are cairo_surface_t; NULL with a sentence.  */
enum { SL_PRINT_WIDTH = 180, SL_PRINT_HEIGHT = 262, SL_PRINT_PLOTS = 6 };
GPtrArray *sl_export_print (SlSession *session, SlPlotGrid *grid, const SlExportPanels *panels,
                            GError **error);

/* The same into a file, whole or not at all. */
gboolean sl_export_write (const SlExportChoice *choice, const SlExportMoment *moment,
                          const SlExportPanels *panels, const char *path, GError **error);

/* Those that the grid shows now: of the front page, of a lesson, or all. */
SlExportPanels sl_export_shown (SlPlotGrid *grid);

/* Whether a panel has something to show, and how many of several have. */
gboolean sl_export_has_data (SlSession *session, unsigned panel);
unsigned sl_export_count (const SlExportPanels *panels, SlSession *session);

/* A panel as PNG, SVG and CSV at once, for a clipboard; with a folder also as a file in it, the PNG, for what
 * takes files.  NULL with a sentence.  */
GdkContentProvider *sl_export_offer (SlSession *session, SlPlotGrid *grid, int panel,
                                     const char *folder, GError **error);

/* "sign-estimator-recall-seed7-step4210.svg"; free with g_free(). */
char *sl_export_name (const SlExportChoice *choice, const SlExportMoment *moment,
                      const SlExportPanels *panels);

/* The plots of a grid and their session as a source for the dialog; a table can be any of their formats.  While it
 * is open, plots out of sight are measured, too.  */
SlExportSource sl_export_of_grid (SlSession *session, SlPlotGrid *grid);
