/* SPDX-License-Identifier: MIT
 *
 * Choosing what to export and how, with a preview of the very page that will be written.  */
#pragma once

#include <adwaita.h>

#include "ui/export/source.h"

#define SL_TYPE_EXPORT_DIALOG (sl_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (SlExportDialog, sl_export_dialog, SL, EXPORT_DIALOG, AdwWindow)

/* A file with these plots was written; `named`: it has another name than was proposed. */
typedef void (*SlExportWritten) (gpointer data, const SlExportChoice *choice,
                                 const SlExportPanels *panels, const char *path, gboolean named);

/* Opens it over `parent`, which destroys it, for the plots of a source, whose data it takes over and frees; on one
 * plot, or with -1 on those that are shown.  `written` is called after each file.  */
SlExportDialog *sl_export_dialog_open (GtkWindow *parent, SlExportSource source, SlPrefs *prefs,
                                       int plot, SlExportWritten written, gpointer data);

/* Writes what is chosen now to a path, as after the file dialog. */
gboolean sl_export_dialog_save (SlExportDialog *self, const char *path, GError **error);
