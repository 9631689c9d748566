/* SPDX-License-Identifier: MIT
 *
 * From plots on the screen to files and the clipboard.  What is written is drawn from the record
 * as the user views it: same zoom, same hidden curves.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session/session.h"
#include "plot/export/export.h"
#include "ui/grid/grid.h"
#include "ui/kit/prefs.h"

typedef enum {
  SL_KIND_PNG,
  SL_KIND_SVG,
  SL_KIND_PDF,
  SL_KIND_TIKZ,
  SL_KIND_MATPLOTLIB, /* so far as SlExportFormat */
  SL_KIND_CSV,
  SL_KIND_NPY,
  SL_KIND_JSON,
  SL_N_KINDS,
} SlExportKind;

typedef struct
{
  SlExportKind    format;
  SlExportPreset  preset;
  char            style[64]; /* name of the style whose font the page has (style.h), or "" */
  SlExportOptions page;      /* without its texts, which are made when it is drawn: */
  gboolean        caption;   /* settings and seed below the plots */
  gboolean        recipe;
  gboolean        same_colours; /* curves of one name have one colour */
  gboolean        smooth;       /* keep the smoothing of the screen */
  gboolean        in_view;      /* tables: only the updates that the zoomed plot shows */
} SlExportChoice;

/* Which plots, in the order of their letters; n = 0: all that have data. */
typedef struct
{
  unsigned n, panel[SL_PANELS_MAX];
} SlExportPanels;

/* The kind of a path's ending; PNG for an unknown one. */
SlExportKind sl_export_kind_for (const char *path);

/* A table rather than a page. */
gboolean sl_export_is_table (SlExportKind kind);

/* What was chosen last, for `n` plots on a page.  Remembered sizes of page, type and lines are those of
 * one plot; several get what their preset gives them.  */
void sl_export_choice_load (SlExportChoice *choice, SlPrefs *prefs, unsigned n);
void sl_export_choice_store (const SlExportChoice *choice, SlPrefs *prefs, unsigned n);

/* The sizes that the preset gives to a page of `n` plots, `across` of them side by side; 0: as it
 * has them.  */
void sl_export_choice_fit (SlExportChoice *choice, unsigned n, unsigned across);

/* The updates in view in the first of these plots that is zoomed; FALSE when none is. */
gboolean sl_export_view (const SlExportPanels *panels, SlPlotGrid *grid, double *first,
                         double *last);

/* One panel, or several on one page (JSON: the whole record; CSV and NPY: the series of all unless it is
 * one panel).  NULL with a sentence when
 * there is nothing to write or it cannot be drawn.  */
GBytes *sl_export_make (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                        const SlExportPanels *panels, GError **error);

/* The same plots as pages for a printer, each SL_PRINT_WIDTH × SL_PRINT_HEIGHT mm as vectors in px, with the
 * recipe below; at most SL_PRINT_PLOTS on a page.  Elements are cairo_surface_t; NULL with a sentence.  */
enum { SL_PRINT_WIDTH = 180, SL_PRINT_HEIGHT = 262, SL_PRINT_PLOTS = 6 };
GPtrArray *sl_export_print (SlSession *session, SlPlotGrid *grid, const SlExportPanels *panels,
                            GError **error);

/* The same into a file, whole or not at all. */
gboolean sl_export_write (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                          const SlExportPanels *panels, const char *path, GError **error);

/* The panel alone, or with -1 all. */
SlExportPanels sl_export_panels (int panel);

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
char *sl_export_name (const SlExportChoice *choice, SlSession *session,
                      const SlExportPanels *panels);
