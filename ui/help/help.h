/* SPDX-License-Identifier: MIT
 *
 * The help as a window beside the others: a list of pages, words to look for, and a page that can
 * be read, scrolled and copied from by keyboard.  */
#pragma once

#include <adwaita.h>

#define SL_TYPE_HELP (sl_help_get_type ())
G_DECLARE_FINAL_TYPE (SlHelp, sl_help, SL, HELP, AdwWindow)

/* Shows a page (core/run/manual/manual.h; one that is not there becomes the first) in the help that belongs
 * to `parent`, which is opened when there is none yet.  */
SlHelp *sl_help_open (GtkWindow *parent, const char *page);

/* The same at what tells of a descriptor (SlLab, SlParam, SlPanel, SlSource). */
SlHelp *sl_help_open_about (GtkWindow *parent, gconstpointer descriptor);
