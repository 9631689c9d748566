/* SPDX-License-Identifier: MIT
 *
 * Helpers for widgets that GTK 4.8 lacks.  */
#pragma once

#include <gtk/gtk.h>

/* Lets scroll events pass through a control to the page around it: scrolling past a slider must not
 * move it.  */
void sl_widget_pass_scroll (GtkWidget *widget);

/* Gives a class of widgets its template, a path below ui/ ("grid/card.ui"), and a dispose() for it. */
void sl_widget_class_set_template (GtkWidgetClass *klass, const char *name);

/* Binds children of the template to the fields of the same names, SL_CHILD (SlType, name), …, NULL; and
 * handlers that the template names, SL_CALLBACK (on_click), …, NULL.  */
#define SL_CHILD(Type, name) #name, G_STRUCT_OFFSET(Type, name)
#define SL_CALLBACK(handler) #handler, G_CALLBACK(handler)
void sl_widget_class_bind_children (GtkWidgetClass *klass, const char *name,
                                    ...) G_GNUC_NULL_TERMINATED;
void sl_widget_class_bind_callbacks (GtkWidgetClass *klass, const char *name,
                                     ...) G_GNUC_NULL_TERMINATED;

/* For the dispose() of a final class with a template: takes the children of a plain widget out, those
 * without an id in the template too, disposes the template and chains up.  */
void sl_widget_dispose (GObject *object);

/* Takes all children out. */
void sl_box_clear (GtkBox *box);

/* A button that does an action with a string. */
GtkWidget *sl_button_for (const char *title, const char *help, const char *action,
                          const char *target);

/* Gives a label, or a widget with labels, their whole text as a tooltip wherever one is cut. */
void sl_label_tell_when_cut (GtkLabel *label);
void sl_widget_tell_when_cut (GtkWidget *widget);

/* Sets a tooltip where it is another one than before: setting one costs time. */
void sl_widget_tip (GtkWidget *widget, const char *text);

/* Lets the button of a drop-down of strings be narrower than its longest one; `chars` wide, whatever is
 * chosen, unless 0.  */
void sl_drop_down_shorten (GtkDropDown *drop_down, int chars);

/* A key binding for each arrow key, with the arguments (int columns, int rows): -1, 0 or 1. */
void sl_widget_class_bind_arrows (GtkWidgetClass *klass, GdkModifierType modifiers,
                                  GtkShortcutFunc callback);

/* A signal with `n` arguments, of the types that follow, and without a default handler. */
void sl_signal_new (GType type, const char *name, unsigned n, ...);

/* A text for a label that wraps at words, which may break longer words than any language has as well; free with
 * g_free().  (GTK 4.8 measures labels that wrap at letters in two ways that do not agree.)  */
char *sl_dup_breakable (const char *text);

/* Sets the name that assistive tools read. */
void sl_widget_label (GtkWidget *widget, const char *label);

/* A text for a menu as it is: no mnemonic in it, and cut where it is wider than a menu.  Free with
 * g_free().  */
char *sl_widget_menu_label (const char *text);

/* How wide a widget would be at any height. */
int sl_widget_natural_width (GtkWidget *widget);

/* Gives what is inside of drop-downs and column views below `root`, and takes the focus for them,
 * their names; assistive tools would read the names of classes.  */
void sl_widget_name_inner (GtkWidget *root);

/* Names an expander row and the lists inside of it, which have no names of their own. */
void sl_expander_name (GtkWidget *row, const char *name);

/* Sets the child of a cell of a column view, and leaves selecting to the row: GTK 4.8 lets both answer a click, so that
 * one with Ctrl selected the row and at once no longer.  */
void sl_column_cell_set_child (GtkListItem *cell, GtkWidget *child);
