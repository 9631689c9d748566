/* SPDX-License-Identifier: MIT
 *
 * Choosing what to export and how, with a preview of the very page that will be written.  */
#pragma once

#include "ui/export/job.h"
#include "ui/kit/prefs.h"
#include "ui/window/window.h"

G_BEGIN_DECLS

#define SL_TYPE_EXPORT_DIALOG (sl_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (SlExportDialog, sl_export_dialog, SL, EXPORT_DIALOG, AdwWindow)

/* Opens it on a panel, or with -1 on all plots. */
SlExportDialog *sl_export_dialog_open (SlWindow *window, SlPrefs *prefs, int panel);

/* Chosen plots on one page, and these switched on after those that are. */
void sl_export_dialog_choose (SlExportDialog *self, const SlExportPanels *panels);

/* Writes what is chosen now to a path, as after the file dialog. */
gboolean sl_export_dialog_save (SlExportDialog *self, const char *path, GError **error);

G_END_DECLS
