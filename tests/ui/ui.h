/* SPDX-License-Identifier: MIT
 *
 * What tests with widgets share: waiting for conditions, pressing keys, and a look at what an
 * assistive tool would read.  */
#pragma once

#include <adwaita.h>

typedef gboolean (*SlCondition) (gpointer data);

/* Runs the main loop until the condition holds; fails the test after some minutes, which is for a
 * busy machine and the sanitizers, and says by its name and place what did not come.  */
#define sl_wait(condition, ...) sl_wait_named (#condition, G_STRLOC, condition, __VA_ARGS__)
void sl_wait_named (const char *name, const char *place, SlCondition condition, gpointer data);

/* Runs the main loop until nothing is left to do at once; for some seconds at most, because on a busy
 * machine timers and frames may come faster than they are served.  What has to have happened
 * afterwards is for sl_wait().  */
void sl_settle (void);

/* A condition: this is the only reference to the object; a thread may be about to let its own go. */
gboolean sl_is_alone (gpointer object);

/* Activates the shortcut that a widget has for a key; FALSE when it has none. */
gboolean sl_press (GtkWidget *widget, guint key, GdkModifierType modifiers);

/* The gesture of a widget that drags with the primary button; the test fails where there is none. */
GtkGesture *sl_drag_of (GtkWidget *widget);

/* Presents a plain window around a widget (which it takes over) and waits until it is drawn. */
GtkWindow *sl_show (GtkWidget *widget, int width, int height);

/* The first window of a type, or NULL. */
gpointer sl_window_of (GType type);

/* The first descendant of a type, or NULL. */
GtkWidget *sl_find (GtkWidget *root, GType type);

/* A child of a widget by its id in the widget's template; the text of one that is a label. */
GtkWidget  *sl_child (gpointer widget, const char *id);
const char *sl_child_text (gpointer widget, const char *id);

/* What a plot or a chart reads at its cursor, one line per value; "" without one. */
const char *sl_readout (gpointer widget);

/* The exact entry, switch or drop-down of an SlParamRow. */
GtkWidget *sl_control (gpointer row);

/* What assistive tools read as the description of a widget; free with g_free(). */
char *sl_description (gpointer widget);

/* Fails the test when a visible control inside has neither an accessible label nor a text. */
void sl_assert_named (GtkWidget *root);

/* What a widget draws, 4 bytes a pixel: blue, green, red, opacity; free with g_free(). */
guchar *sl_draw (GtkWidget *widget, int *width, int *height);

/* How many pixels of a drawn widget differ by more than a little from its first. */
unsigned sl_drawn_pixels (GtkWidget *widget);

/* Waits until they are more than that: what a widget shows may come some frames after the widget. */
void sl_wait_drawn (GtkWidget *widget, unsigned pixels);

/* gtk_test_init() and what else a test program needs. */
void sl_ui_init (int *argc, char ***argv);

/* A label in a widget that is cut while nothing says what it says, or NULL. */
const char *sl_cut_in (GtkWidget *widget);
