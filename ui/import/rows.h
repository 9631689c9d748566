/* SPDX-License-Identifier: MIT
 *
 * The parts of the page: a row for each option, and what the file has and leads to.  */
#pragma once

#include <adwaita.h>

#include "core/run/import/import.h"

/* An option was chosen; "": as by default. */
typedef void (*SlImportChosen) (gpointer owner, const char *id, const char *value);

/* A row with a value ("" or NULL: as by default), which shows another one without a call. */
GtkWidget *sl_import_row_new (const SlImport *import, const char *id, const char *value,
                              SlImportChosen chosen, gpointer owner);
void       sl_import_row_show (GtkWidget *row, const char *value);

/* How the row says a value: "2", "column 3"; free it. */
char *sl_import_row_words (GtkWidget *row, const char *value);

/* Shows in a box what a file leads to, its first rows or its arrays. */
void sl_import_preview (GtkBox *box, const SlImport *import);
