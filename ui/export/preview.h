/* SPDX-License-Identifier: MIT
 *
 * What a file will look like: a page as a picture, a table by its first lines, and its size in words.  */
#pragma once

#include <gtk/gtk.h>

#include "ui/export/source.h"

/* The widgets that show it, borrowed. */
typedef struct
{
  GtkStack   *stack; /* "picture" or "text" */
  GtkPicture *picture;
  GtkLabel   *text, *facts;
} SlExportPreview;

/* Shows what these plots become with this choice, or why they cannot; FALSE then. */
gboolean sl_export_preview_show (const SlExportPreview *self, const SlExportSource *source,
                                 const SlExportPanels *plots, const SlExportChoice *choice);

/* Shows nothing but a sentence. */
void sl_export_preview_clear (const SlExportPreview *self, const char *sentence);
