/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/many.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/run/base/language.h"

gboolean
sl_many_is_settling (GtkFilterListModel *filtered, GtkSortListModel *sorted, SlRunList *list)
{
  return gtk_filter_list_model_get_pending (filtered) > 0
         || gtk_sort_list_model_get_pending (sorted) > 0
         || (list != NULL && sl_run_list_is_partial (list));
}

gboolean
sl_many_is_moving (GtkFilterListModel *filtered, GtkSortListModel *sorted, gboolean removed)
{
  return gtk_sort_list_model_get_pending (sorted) > 0
         || (removed && gtk_filter_list_model_get_pending (filtered) > 0);
}

gboolean
sl_many_have_tags (GListModel *runs)
{
  guint    n = g_list_model_get_n_items (runs);
  gboolean some = FALSE;

  for (guint i = 0; i < n && !some; i++)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (runs, i);

      some = sl_given (sl_run_item_run (item)->tags)[0] != '\0';
    }
  return some;
}

gboolean
sl_many_have_labs (GListModel *runs)
{
  guint       n = g_list_model_get_n_items (runs);
  const char *first = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (SlRunItem) item = g_list_model_get_item (runs, i);
      const char *lab = sl_run_item_run (item)->lab_id;

      if (first != NULL && !g_str_equal (lab, first))
        return TRUE;
      first = lab;
    }
  return FALSE;
}

void
sl_many_adapt (GtkFilterListModel *filtered, GtkSortListModel *sorted, SlRunList *list)
{
  gboolean many = list != NULL && g_list_model_get_n_items (G_LIST_MODEL (list)) > SL_MANY_CHARTED;

  gtk_filter_list_model_set_incremental (filtered, many);
  gtk_sort_list_model_set_incremental (sorted, many);
}

static char *
rows_text (guint selected, guint shown, guint all)
{
  if (selected > 0)
    return g_strdup_printf (ngettext ("%u of %u run selected", "%u of %u runs selected", shown),
                            selected, shown);
  if (shown < all)
    return g_strdup_printf (ngettext ("%u of %u run", "%u of %u runs", all), shown, all);
  if (shown > SL_MANY_CHARTED)
    return g_strdup_printf (_ ("%u runs, the newest %d in charts"), all, SL_MANY_CHARTED);
  return g_strdup_printf (ngettext ("%u run", "%u runs", all), all);
}

char *
sl_many_count_text (guint selected, guint shown, guint all, const SlLab *lab, guint charted)
{
  g_autofree char *rows = rows_text (selected, shown, all);

  /* Translators: %s is "10 runs", then the name of a lab; %u of its runs are in the charts. */
  return lab != NULL
           ? g_strdup_printf (_ ("%s; charts: %u of %s"), rows, charted, sl_words (lab->title))
           : g_steal_pointer (&rows);
}

static int
by_number (gconstpointer a, gconstpointer b)
{
  unsigned m = *(const unsigned *) a, n = *(const unsigned *) b;

  return (m > n) - (m < n);
}

void
sl_many_keep_charted (GPtrArray *items)
{
  g_autofree unsigned *number = g_new (unsigned, items->len + 1);
  unsigned             n = items->len, kept = 0;

  if (n <= SL_MANY_CHARTED)
    return;
  for (unsigned i = 0; i < n; i++)
    number[i] = sl_run_item_number (items->pdata[i]);
  qsort (number, n, sizeof *number, by_number);
  for (unsigned i = 0; i < n; i++)
    if (sl_run_item_number (items->pdata[i]) >= number[n - SL_MANY_CHARTED])
      {
        gpointer item = items->pdata[kept];

        items->pdata[kept++] = items->pdata[i];
        items->pdata[i] = item;
      }
  g_ptr_array_set_size (items, (int) kept);
}
