/* SPDX-License-Identifier: MIT
 *
 * Things that GTK 4.8 leaves to those who write widgets.  */
#pragma once

#include <gtk/gtk.h>

/* Lets scroll events pass through a control to the page around it: who scrolls past a slider does
 * not mean to move it.  */
void sl_widget_pass_scroll (GtkWidget *widget);

/* For dispose(): takes the children out, those without an id in the template too, and then
 * disposes the template of `type`.  */
void sl_widget_drop_template (GtkWidget *widget, GType type);

/* Gives what is inside of drop-downs and column views below `root`, and takes the focus for them,
 * their names; assistive tools would read the names of classes.  */
void sl_widget_name_inner (GtkWidget *root);
