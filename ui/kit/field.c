/* SPDX-License-Identifier: MIT */
#include "ui/kit/field.h"

#include <string.h>

static G_DEFINE_QUARK (sl - field - show, show)

  void sl_field_leave_undo (GtkEditable *field, GCallback show, gpointer owner)
{
  GClosure *closure;

  g_return_if_fail (GTK_IS_EDITABLE (field) && show != NULL && G_IS_OBJECT (owner));
  closure = g_cclosure_new_object_swap (show, owner);
  g_closure_set_marshal (closure, g_cclosure_marshal_VOID__VOID);
  g_closure_ref (closure);
  g_closure_sink (closure);
  g_object_set_qdata_full (G_OBJECT (field), show_quark (), closure,
                           (GDestroyNotify) g_closure_unref);
  gtk_editable_set_enable_undo (field, FALSE);
}

GtkEditable *
sl_field_with (GtkWidget *focus)
{
  for (; focus != NULL; focus = gtk_widget_get_parent (focus))
    if (g_object_get_qdata (G_OBJECT (focus), show_quark ()) != NULL)
      return GTK_EDITABLE (focus);
  return NULL;
}

gboolean
sl_field_drop_typed (GtkEditable *field)
{
  GClosure        *show;
  GValue           instance = G_VALUE_INIT;
  g_autofree char *typed = NULL;

  g_return_val_if_fail (GTK_IS_EDITABLE (field), FALSE);
  show = g_object_get_qdata (G_OBJECT (field), show_quark ());
  g_return_val_if_fail (show != NULL, FALSE);
  typed = g_strdup (gtk_editable_get_text (field));
  g_value_init (&instance, G_TYPE_OBJECT);
  g_value_set_object (&instance, field);
  g_closure_invoke (show, NULL, 1, &instance, NULL);
  g_value_unset (&instance);
  gtk_editable_set_position (field, -1);
  return !g_str_equal (typed, gtk_editable_get_text (field));
}

char *
sl_field_dup_number (const char *typed)
{
  char *text = g_strstrip (g_strdup (typed)), *comma = strchr (text, ',');

  if (comma != NULL && strchr (comma + 1, ',') == NULL && strchr (text, '.') == NULL)
    *comma = '.';
  return text;
}

static int
on_input (GtkSpinButton *field, double *number)
{
  g_autofree char *text = sl_field_dup_number (gtk_editable_get_text (GTK_EDITABLE (field)));
  char            *end;

  *number = g_ascii_strtod (text, &end);
  return end == text || *end != '\0' ? GTK_INPUT_ERROR : TRUE;
}

void
sl_field_take_comma (GtkSpinButton *field)
{
  g_return_if_fail (GTK_IS_SPIN_BUTTON (field));
  gtk_spin_button_set_numeric (field, FALSE); /* which would not let it be typed */
  gtk_spin_button_set_update_policy (field, GTK_UPDATE_IF_VALID);
  g_signal_connect (field, "input", G_CALLBACK (on_input), NULL);
}
