/* SPDX-License-Identifier: MIT
 *
 * What the program remembers between starts.  Kept in GSettings where the schema is installed;
 * without it (a program run from where it was built) they are properties with defaults.  */
#pragma once

#include <glib-object.h>

#define SL_TYPE_PREFS (sl_prefs_get_type ())
G_DECLARE_FINAL_TYPE (SlPrefs, sl_prefs, SL, PREFS, GObject)

/* Properties, each also a key of the schema:
 *   "window-width", "window-height" (int), "window-maximized", "sidebar" (boolean)
 *   "colour-scheme" (string: system, light, dark), "type-size" (int, 50..300 %)
 *   "threads" (int, 0: all cores), "redraw-rate" (double, redraws a second of each plot)
 *   "export-format" (string: png, svg, pdf, csv, json), "export-preset" (string of export.h),
 *   "export-width", "export-height", "export-dpi" (double, mm and dots per inch),
 *   "export-theme" (string: light, dark, grey), "export-palette" (string: bright, strong, deep),
 *   "export-style" (string: name of a style, or empty),
 *   "export-smooth", "export-flags", "export-recipe" (boolean)
 *   "resume" (boolean: begin with what was shown last), "labs-go-on" (boolean: a lab chosen again goes on),
 *   "labs-train-unseen" (boolean: the run of a lab goes on while another one is shown),
 *   "panels" (string: a line for each lab, as ui/window/plots/look.c writes it),
 *   "lessons" (string: a line for each lesson that was taken, as ui/lesson/progress.c writes it),
 *   "run-filters" (string: a line for each filter of runs that is kept)
 *   "classroom" (boolean: starts are fresh), "classroom-lessons", "classroom-labs" (string: ids with blanks between,
 *   or SL_PREFS_ALL)
 *   "keep-runs" (int, unpinned ones without a name), "keep-mebibytes" (int, of the store, beyond which old runs lose their states)  */
SlPrefs *sl_prefs_new (void);

/* Those of a fresh start, which leaves nothing behind: window, panels, lessons and filters are as at the very first
 * start, and of all changes only those of Classroom are kept.  `folder`: for what the program would keep in files.  */
SlPrefs *sl_prefs_new_fresh (const char *folder);

/* That folder; NULL: the start was not fresh. */
const char *sl_prefs_get_private (SlPrefs *self);

/* The program's own file or folder of a name, among the user's data or in that folder; free with g_free(). */
char *sl_prefs_dup_data (SlPrefs *self, const char *name);

/* Whether "classroom-lessons" or "classroom-labs" leaves some out, and whether this id is offered. */
#define SL_PREFS_ALL "*"
gboolean sl_prefs_chooses (SlPrefs *self, const char *name);
gboolean sl_prefs_offers (SlPrefs *self, const char *name, const char *id);

int      sl_prefs_get_int (SlPrefs *self, const char *name);
gboolean sl_prefs_get_boolean (SlPrefs *self, const char *name);
double   sl_prefs_get_double (SlPrefs *self, const char *name);
char    *sl_prefs_get_string (SlPrefs *self, const char *name); /* free with g_free() */

/* A string may have lines that each begin with a key and a blank.  What is behind that of a key, or NULL; free
 * with g_free().  Sets it; NULL takes the line out.  */
char *sl_prefs_get_line (SlPrefs *self, const char *name, const char *key);
void  sl_prefs_set_line (SlPrefs *self, const char *name, const char *key, const char *text);
