/* SPDX-License-Identifier: MIT
 *
 * Fields of a form whose changes are taken back by the window, not by the text: Ctrl+Z in a number
 * field undoes the last change of a parameter, as it does everywhere else.  */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `show` (GObject *owner) puts the value that holds into the field; the owner holds the field. */
void sl_field_leave_undo (GtkEditable *field, GCallback show, gpointer owner);

/* The field that a widget with the focus belongs to, or NULL. */
GtkEditable *sl_field_with (GtkWidget *focus);

/* Shows the value that holds instead of what is typed; FALSE: it was there already. */
gboolean sl_field_drop_typed (GtkEditable *field);

/* A number as it may be typed, with the comma of a decimal made a point: of one comma and no point.  Free
 * with g_free().  */
char *sl_field_dup_number (const char *typed);

/* A field of a number also takes a decimal comma. */
void sl_field_take_comma (GtkSpinButton *field);

G_END_DECLS
