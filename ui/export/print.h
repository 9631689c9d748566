/* SPDX-License-Identifier: MIT
 *
 * Plots and worksheets on paper, through the desktop's dialog.  */
#pragma once

#include "core/run/lesson/lesson.h"
#include "ui/grid/grid.h"

/* Called with a sentence where paper could not be printed on. */
typedef void (*SlPrintRefused) (gpointer window, const char *sentence);

/* The plot that fills the page or has the focus, else all; with `path` into that PDF file, without asking.
 * FALSE with an error: there is nothing to print.  */
gboolean sl_print_plots (GtkWindow *window, SlSession *session, SlPlotGrid *grid, const char *path,
                         SlPrintRefused refused, GError **error);

/* A page that is drawn already, in px and SL_PRINT_WIDTH mm wide, which is taken over. */
void sl_print_page (GtkWindow *window, cairo_surface_t *page, const char *path,
                    SlPrintRefused refused);

/* The beginning of a run, with the panel in view (-1: none), as a line of text (core/run/state), which stands
 * above its plots; free with g_free().  NULL with a sentence.  */
char *sl_export_state (SlSession *session, int panel, GError **error);

/* The worksheet of a lesson, which is read before this returns. */
void sl_print_lesson (GtkWindow *window, const SlLesson *lesson, SlPrintRefused refused);
