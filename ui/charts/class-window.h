/* SPDX-License-Identifier: MIT
 *
 * The answers of a class in a window of their own: a plot for each question, and what to export.  */
#pragma once

#include <gtk/gtk.h>

/* A window above `parent` with the answers of these files (NULL at the end), unless none can be read.  Each
 * file that is refused is named in what is returned, a line each, which the caller frees; NULL: none is.  */
char *sl_class_window_open (GtkWindow *parent, const char *const *paths);
