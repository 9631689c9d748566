/* SPDX-License-Identifier: MIT
 *
 * Lists of figures, for the command that only checks files.  */
#pragma once

#include <glib.h>

/* What a list of figures is, in the user's language, or a sentence with the number of the first figure that is
 * refused.  What figures are made of is not opened.  Free with g_free().  */
char *sl_figures_describe (const char *path, GError **error);
