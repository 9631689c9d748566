/* SPDX-License-Identifier: MIT */
#include "ui/kit/field.h"

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
