/* SPDX-License-Identifier: MIT
 *
 * From plots on the screen to files and the clipboard.  What is written is drawn from the record
 * as the person views it: same zoom, same hidden curves.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/session.h"
#include "ui/plot/export.h"
#include "ui/sl-plot-grid.h"
#include "ui/sl-prefs.h"

G_BEGIN_DECLS

typedef enum
{
  SL_KIND_PNG,
  SL_KIND_SVG,
  SL_KIND_PDF,
  SL_KIND_CSV,
  SL_KIND_JSON,
  SL_N_KINDS,
} SlExportKind;

typedef struct
{
  SlExportKind   format;
  SlExportPreset preset; /* type size and line width */
  double         width, height, dpi;
  SlThemeKind    theme;
  gboolean       smooth; /* keep the smoothing of the screen */
  gboolean       flags, recipe;
} SlExportChoice;

/* "png", "svg", …; static. */
const char *sl_export_kind_id (SlExportKind kind);

/* What a path's ending asks for; PNG for any other. */
SlExportKind sl_export_kind_for (const char *path);

/* What was chosen last, for `n` plots on a page.  A remembered size is that of one plot;
 * several get the size that their preset gives them.  */
void sl_export_choice_load (SlExportChoice *choice, SlPrefs *prefs, unsigned n);
void sl_export_choice_store (const SlExportChoice *choice, SlPrefs *prefs, unsigned n);

/* The size that the preset gives to a page of `n` plots. */
void sl_export_choice_fit (SlExportChoice *choice, unsigned n);

/* One panel, or with -1 all that have data on one page (CSV and JSON: the whole table).  NULL
 * with a sentence when there is nothing to write or it cannot be drawn.  */
GBytes *sl_export_make (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                        int panel, GError **error);

/* The same into a file, whole or not at all. */
gboolean sl_export_write (const SlExportChoice *choice, SlSession *session, SlPlotGrid *grid,
                          int panel, const char *path, GError **error);

/* Offers a panel on a clipboard as PNG, SVG and CSV at once. */
gboolean sl_export_copy (GdkClipboard *clipboard, SlSession *session, SlPlotGrid *grid, int panel,
                         GError **error);

/* "sign-estimator-recall-seed7-step4210.svg"; free with g_free(). */
char *sl_export_name (const SlExportChoice *choice, SlSession *session, int panel);

G_END_DECLS
