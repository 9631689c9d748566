/* SPDX-License-Identifier: MIT
 *
 * One file among the options of a data source, made from its descriptor: title, the name of the
 * file, a button that opens a file dialog and one that removes the file.  A file can be dropped on
 * it.  */
#pragma once

#include <gtk/gtk.h>

#include "core/data/source/source.h"

#define SL_TYPE_FILE_ROW (sl_file_row_get_type ())
G_DECLARE_FINAL_TYPE (SlFileRow, sl_file_row, SL, FILE_ROW, GtkWidget)

/* `option` is borrowed for the row's life.
 *
 * Signal:
 *   "chosen" (char *path)  the user chose this file; "" for none */
SlFileRow *sl_file_row_new (const SlFileOption *option);

/* Shows a file without a signal; "" for none. */
void sl_file_row_set_path (SlFileRow *self, const char *path);

/* Whether the name of a file is one of the option's. */
gboolean sl_file_row_takes (const SlFileOption *option, const char *path);
