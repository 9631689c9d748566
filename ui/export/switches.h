/* SPDX-License-Identifier: MIT
 *
 * The switches of the dialog: what is on the page, and what is in the file.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/export/choice.h"

/* Binds those in the template of a dialog, whose children they then are. */
void sl_export_switches_bind (GtkWidgetClass *dialog);

/* From the switches to the choice, and back. */
void sl_export_switches_read (GtkWidget *dialog, SlExportChoice *choice);
void sl_export_switches_show (GtkWidget *dialog, const SlExportChoice *choice);
