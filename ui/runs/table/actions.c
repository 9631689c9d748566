/* SPDX-License-Identifier: MIT
 *
 * What is done with the rows of the table.  */
#include "ui/runs/table/annotate.h"
#include "ui/runs/table/changes.h"
#include "ui/runs/table/private.h"
#include "ui/runs/table/selection.h"

/* Actions on all selected runs, and on one. */
static const char *const on_selected[]
  = { "table.annotate", "table.colour", "table.pin", "table.delete" };
static const char *const on_one[] = { "table.rename", "table.open", NULL };

static void delete (SlRunTable *self, GPtrArray *items)
{
  g_strfreev (self->deleted);
  self->deleted = sl_run_changes_delete (sl_run_list_store (self->list), items);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.undelete",
                                 sl_run_table_can_undelete (self));
  g_signal_emit_by_name (self, "deleted", g_strv_length (self->deleted),
                         items->len - g_strv_length (self->deleted));
}

gboolean
sl_run_table_can_undelete (SlRunTable *self)
{
  g_return_val_if_fail (SL_IS_RUN_TABLE (self), FALSE);
  return self->deleted != NULL && self->deleted[0] != NULL;
}

static void
undelete (SlRunTable *self)
{
  if (self->deleted != NULL)
    sl_run_changes_undelete (sl_run_list_store (self->list), self->deleted);
  g_clear_pointer (&self->deleted, g_strfreev);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "table.undelete", FALSE);
}

static void
on_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlRunTable *self = SL_RUN_TABLE (widget);
  g_autoptr (GPtrArray) items = sl_run_table_get_selected (self);
  g_autoptr (SlRunItem) one = sl_run_selection_first (GTK_SELECTION_MODEL (self->selection));
  SlStore *store = self->list != NULL ? sl_run_list_store (self->list) : NULL;

  if (g_str_equal (name, "table.filter"))
    gtk_widget_grab_focus (GTK_WIDGET (self->filter));
  else if (g_str_equal (name, "table.clear-filter"))
    sl_run_filter_clear (self->filter);
  else if (g_str_equal (name, "table.unselect"))
    sl_run_table_unselect (self);
  else if (g_str_equal (name, "table.undelete"))
    undelete (self);
  else if (g_str_equal (name, "table.group"))
    sl_run_group_chooser_set (self->group, g_variant_get_string (parameter, NULL));
  else if (items->len == 0 || store == NULL || (one == NULL && g_strv_contains (on_one, name)))
    return;
  else if (g_str_equal (name, "table.open"))
    g_signal_emit_by_name (self, "open", one);
  else if (g_str_equal (name, "table.rename"))
    sl_run_item_edit (one);
  else if (g_str_equal (name, "table.annotate"))
    sl_run_annotate (widget, store, items);
  else if (g_str_equal (name, "table.pin"))
    sl_run_changes_pin (store, items);
  else if (g_str_equal (name, "table.delete"))
    delete (self, items);
  else
    sl_run_changes_colour (store, items, g_variant_get_uint32 (parameter));
}

void
sl_run_table_renamed (SlRunTable *self, SlRunItem *item, const char *name)
{
  if (self->list != NULL)
    sl_store_rename (sl_run_list_store (self->list), sl_run_item_run (item)->uuid, name);
}

void
sl_run_table_allow_actions (SlRunTable *self, guint n, gboolean one)
{
  for (unsigned i = 0; i < G_N_ELEMENTS (on_selected); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), on_selected[i], n > 0);
  for (unsigned i = 0; on_one[i] != NULL; i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), on_one[i], one);
}

void
sl_run_table_install_actions (GtkWidgetClass *widget)
{
  static const char *const plain[]
    = { "table.open",     "table.rename", "table.annotate",     "table.pin",     "table.delete",
        "table.undelete", "table.filter", "table.clear-filter", "table.unselect" };

  for (unsigned i = 0; i < G_N_ELEMENTS (plain); i++)
    gtk_widget_class_install_action (widget, plain[i], NULL, on_action);
  gtk_widget_class_install_action (widget, "table.colour", "u", on_action);
  gtk_widget_class_install_action (widget, "table.group", "s", on_action);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_Delete, 0, "table.delete", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_F2, 0, "table.rename", NULL);
  gtk_widget_class_add_binding_action (widget, GDK_KEY_z, GDK_CONTROL_MASK, "table.undelete", NULL);
}
