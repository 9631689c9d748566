/* SPDX-License-Identifier: MIT
 *
 * Files of other programs whose curves are shown among those of stored runs: TensorBoard event
 * files, tables, exported runs (core/run/foreign/foreign.h).  A button with the list of files and
 * of their curves; a curve that is chosen is drawn of every file that has one of this name.  Files
 * are read in a thread, once.
 *
 * Signals:
 *   "changed"             files or chosen curves are others
 *   "added" (guint i)     file number i is there; unless one of its curves is chosen then, its first one will be
 *   "said" (sentence)     why a file could not be read, or how one was */
#pragma once

#include <gtk/gtk.h>

#include "core/run/foreign/foreign.h"
#include "plot/charts/overlay.h"

#define SL_TYPE_CURVE_FILES (sl_curve_files_get_type ())
G_DECLARE_FINAL_TYPE (SlCurveFiles, sl_curve_files, SL, CURVE_FILES, GtkWidget)

/* Adds a file, or the folder of a run, when it has been read; one that is there already is read again.  `title`
 * NULL: its own.  */
void sl_curve_files_open (SlCurveFiles *self, const char *path, const char *title);

unsigned         sl_curve_files_count (SlCurveFiles *self);
const SlForeign *sl_curve_files_get (SlCurveFiles *self, unsigned i);

/* Whether curves of this name are drawn. */
void sl_curve_files_choose (SlCurveFiles *self, const char *name, gboolean chosen);

/* The title of curves that are drawn alone: "loss, val_loss"; free with g_free(). */
char *sl_curve_files_title (SlCurveFiles *self);
/* What the steps are called; borrowed. */
const char *sl_curve_files_steps (SlCurveFiles *self);

/* Draws the chosen curves into a figure between sl_overlay_begin…() and sl_overlay_end(), in colours that are not
 * `taken` (a bit each) as long as there are some.  `alone`: the title of the figure names them.  The figure borrows
 * them until the next call, also those of files that are removed meanwhile.  */
void sl_curve_files_draw (SlCurveFiles *self, SlFigure *figure, guint taken, gboolean alone);
