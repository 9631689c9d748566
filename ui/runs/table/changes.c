/* SPDX-License-Identifier: MIT */
#include "ui/runs/table/changes.h"

#include "core/run/record/name.h"
#include "plot/base/theme.h"
#include "ui/runs/list/item.h"

void
sl_run_changes_pin (SlStore *store, GPtrArray *items)
{
  gboolean all = TRUE;

  for (guint i = 0; i < items->len; i++)
    all = all && sl_run_item_run (items->pdata[i])->pinned;
  for (guint i = 0; i < items->len; i++)
    sl_store_set_pinned (store, sl_run_item_run (items->pdata[i])->uuid, !all);
}

G_STATIC_ASSERT ((int) SL_RUN_COLOURS == (int) SL_THEME_COLOURS);

void
sl_run_changes_colour (SlStore *store, GPtrArray *items, guint32 which)
{
  for (guint i = 0; i < items->len; i++)
    sl_store_set_colour (store, sl_run_item_run (items->pdata[i])->uuid,
                         MIN (which, SL_THEME_COLOURS));
}

char **
sl_run_changes_delete (SlStore *store, GPtrArray *items)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < items->len; i++)
    {
      const SlStoreRun *run = sl_run_item_run (items->pdata[i]);

      if (run->status == SL_RUN_RUNNING || !sl_store_is_free (store, run->uuid, NULL))
        continue;
      g_strv_builder_add (names, run->uuid);
      sl_store_set_deleted (store, run->uuid, TRUE);
    }
  return g_strv_builder_end (names);
}

void
sl_run_changes_undelete (SlStore *store, char **names)
{
  for (char **name = names; *name != NULL; name++)
    sl_store_set_deleted (store, *name, FALSE);
}
