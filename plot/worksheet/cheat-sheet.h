/* SPDX-License-Identifier: MIT
 *
 * Two pages of A4 for all lessons: the words of the field in a line each, and how the four plots of the start page are read.
 * In the user's language.  */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The pages as PDF, the same bytes each time.  NULL with a sentence when memory ran out. */
GBytes *sl_worksheet_cheat_sheet (GError **error);

G_END_DECLS
