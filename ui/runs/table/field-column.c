/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/field-column.h"

#include "ui/kit/widget.h"
#include "ui/runs/list/group-row.h"

/* The value of a run; of a group FALSE where its runs have several. */
static gboolean
read_field (gpointer row, const SlField *field, SlFieldValue *value)
{
  GPtrArray   *items = SL_IS_RUN_GROUP_ROW (row) ? sl_run_group_row_items (row) : NULL;
  SlFieldValue other;

  sl_field_read (field, sl_run_item_run (items != NULL ? g_ptr_array_index (items, 0) : row),
                 value);
  for (guint i = 1; items != NULL && i < items->len; i++)
    {
      sl_field_read (field, sl_run_item_run (g_ptr_array_index (items, i)), &other);
      if (sl_field_compare (value, &other) != 0)
        return FALSE;
    }
  return TRUE;
}

static void
show_field (GtkListItem *cell)
{
  GtkWidget     *label = gtk_list_item_get_child (cell);
  const SlField *field = g_object_get_data (G_OBJECT (label), "field");
  SlFieldValue   value;
  char           text[SL_FIELD_TEXT_SIZE];

  if (!read_field (gtk_list_item_get_item (cell), field, &value))
    gtk_label_set_label (GTK_LABEL (label), "");
  else
    gtk_label_set_label (GTK_LABEL (label),
                         value.kind == SL_FIELD_NOTHING ? "–" : sl_field_text (&value, text));
}

static void
on_setup_field (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer field)
{
  GtkWidget *label = gtk_label_new (NULL);

  g_object_set_data_full (G_OBJECT (label), "field", g_memdup2 (field, sizeof (SlField)), g_free);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  sl_label_tell_when_cut (GTK_LABEL (label));
  sl_column_cell_set_child (cell, label);
}

static void
on_bind_field (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  show_field (cell);
  g_signal_connect_object (gtk_list_item_get_item (cell), "changed", G_CALLBACK (show_field), cell,
                           G_CONNECT_SWAPPED);
}

static void
on_unbind (GtkSignalListItemFactory *factory, GtkListItem *cell)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (cell), cell);
}

static int
compare_field (gconstpointer a, gconstpointer b, gpointer field)
{
  SlFieldValue x, y;

  read_field ((gpointer) a, field, &x);
  read_field ((gpointer) b, field, &y);
  return sl_field_compare (&x, &y);
}

GtkColumnViewColumn *
sl_field_column_new (const char *name)
{
  GtkListItemFactory  *factory = gtk_signal_list_item_factory_new ();
  SlField             *field = g_new (SlField, 1);
  GtkColumnViewColumn *column;
  g_autoptr (GtkSorter) sorter = NULL;

  sl_field_find (name, NULL, field);
  sorter
    = GTK_SORTER (gtk_custom_sorter_new (compare_field, g_memdup2 (field, sizeof *field), g_free));
  g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup_field), field,
                         (GClosureNotify) (void (*) (void)) g_free, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_field), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), NULL);
  column = gtk_column_view_column_new (name, factory);
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_resizable (column, TRUE);
  return column;
}
