/* SPDX-License-Identifier: MIT
 *
 * Brushes of the parallel coordinates: what lies in them is what table and charts show.  The
 * parallel coordinates themselves keep the others, pale, so that a brush can be moved.  */
#include "ui/runs/private.h"
#include "ui/runs/table/many.h"

static gboolean
is_brushed (const SlParallel *parallel)
{
  for (unsigned a = 0; a < parallel->n_axes; a++)
    if (parallel->axis[a].brushed)
      return TRUE;
  return FALSE;
}

/* Names of the runs that lie in every brush; NULL without brushes. */
static GHashTable *
meant (SlRunsPage *self)
{
  const SlParallel *parallel = sl_parallel_view_get_parallel (self->parallel);
  GHashTable       *names;

  if (!is_brushed (parallel))
    return NULL;
  names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < self->all.items->len && i < parallel->n; i++)
    if (sl_parallel_selected (parallel, i))
      g_hash_table_add (names,
                        g_strdup (sl_run_item_run (g_ptr_array_index (self->all.items, i))->uuid));
  return names;
}

void
sl_runs_page_brushed (SlRunsPage *self)
{
  g_autoptr (GHashTable) names = meant (self);

  sl_run_table_set_meant (self->table, names);
}

gboolean
sl_runs_page_is_brushed (SlRunsPage *self)
{
  return is_brushed (sl_parallel_view_get_parallel (self->parallel));
}

void
sl_runs_page_update_parallel (SlRunsPage *self)
{
  SlParallel *parallel = sl_parallel_view_get_parallel (self->parallel);
  g_autoptr (GPtrArray) selected = sl_run_table_get_selected (self->table);
  g_autoptr (GPtrArray) items = selected->len > 0 && !is_brushed (parallel)
                                  ? g_ptr_array_ref (selected)
                                  : sl_run_table_get_wanted (self->table);

  sl_many_keep_charted (items);
  sl_run_set_clear (&self->all);
  sl_run_set_init (&self->all, items, sl_sweep_bar_get_lab (self->sweep), NULL);
  sl_run_set_parallel (&self->all, parallel);
  sl_parallel_view_update (self->parallel);
  /* Axes may have gone, with their brushes. */
  sl_runs_page_brushed (self);
}
