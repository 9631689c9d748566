/* SPDX-License-Identifier: MIT
 *
 * The answers of a class in a window of their own: a plot for each question, and what to export.  */
#pragma once

#include <gtk/gtk.h>

/* Called with what is wrong with files, a line each; NULL: nothing. */
typedef void (*SlClassRefused) (gpointer parent, const char *sentence);

/* A window above `parent` with the answers of these files (NULL at the end), unless none can be read; or of
 * those that the user chooses.  Each file that is refused is named.  */
void sl_class_window_open (GtkWindow *parent, const char *const *paths, SlClassRefused refuse);
void sl_class_window_ask (GtkWindow *parent, SlClassRefused refuse);
