/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/selection.h"

#include "ui/runs/list/grouped.h"

static GPtrArray *
selected_rows (GtkSelectionModel *rows)
{
  GPtrArray *out = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (rows);
  GtkBitsetIter iter;
  guint         i;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, selected, &i); more;
       more = gtk_bitset_iter_next (&iter, &i))
    g_ptr_array_add (out, g_list_model_get_item (G_LIST_MODEL (rows), i));
  return out;
}

SlRunItem *
sl_run_selection_first (GtkSelectionModel *rows)
{
  g_autoptr (GPtrArray) selected = selected_rows (rows);

  for (guint i = 0; i < selected->len; i++)
    if (SL_IS_RUN_ITEM (selected->pdata[i]))
      return g_object_ref (selected->pdata[i]);
  return NULL;
}

GPtrArray *
sl_run_selection_groups (GtkSelectionModel *rows)
{
  g_autoptr (GPtrArray) selected = selected_rows (rows);
  GPtrArray *groups = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < selected->len; i++)
    if (SL_IS_RUN_GROUP_ROW (selected->pdata[i]))
      g_ptr_array_add (groups, g_object_ref (selected->pdata[i]));
  return groups;
}

GPtrArray *
sl_run_selection_runs (GtkSelectionModel *rows)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) selected = selected_rows (rows);
  GPtrArray *out = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < selected->len; i++)
    {
      gpointer   row = g_ptr_array_index (selected, i);
      GPtrArray *items = SL_IS_RUN_GROUP_ROW (row) ? sl_run_group_row_items (row) : NULL;

      for (guint k = 0; k < (items != NULL ? items->len : 1); k++)
        {
          gpointer item = items != NULL ? g_ptr_array_index (items, k) : row;

          if (g_hash_table_add (seen, item))
            g_ptr_array_add (out, g_object_ref (item));
        }
    }
  return out;
}
