/* SPDX-License-Identifier: MIT
 *
 * The page that asks how a data file is read, with what each answer leads to.  The file is read in threads; what is
 * shown in the window stays until it is opened.  */
#pragma once

#include <adwaita.h>

#include "core/run/import/import.h"

#define SL_TYPE_IMPORT_PAGE (sl_import_page_get_type ())
G_DECLARE_FINAL_TYPE (SlImportPage, sl_import_page, SL, IMPORT_PAGE, AdwWindow)

/* Signal "open" (char *spec, guint kind): the file is to be opened like this; its SlDataNeeds. */

/* Presents it over a window, which destroys it, for a file or a specification of one.  `look` is what was seen of it, and
 * taken; NULL: the page looks itself.  */
SlImportPage *sl_import_page_open (GtkWindow *parent, const char *spec, SlImport *look);
