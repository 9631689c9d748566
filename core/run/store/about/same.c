/* SPDX-License-Identifier: MIT */
#include "core/run/store/about/same.h"

static unsigned
n_changes (const SlRecipe *recipe, uint64_t last)
{
  unsigned n = 0;

  while (recipe->changes != NULL && n < recipe->changes->len
         && g_array_index (recipe->changes, SlChange, n).step <= last)
    n++;
  return n;
}

/* Whether both make the same run as far as `wanted` goes. */
static gboolean
is_same (const SlRecipe *wanted, const SlRecipe *run)
{
  unsigned n = n_changes (wanted, wanted->step);

  if (run->lab != wanted->lab || run->seed != wanted->seed || run->data_hash != wanted->data_hash
      || !sl_settings_same (&run->settings, &wanted->settings, wanted->lab->n_params)
      || n_changes (run, wanted->step) != n)
    return FALSE;
  for (unsigned i = 0; i < n; i++)
    {
      const SlChange *a = &g_array_index (wanted->changes, SlChange, i);
      const SlChange *b = &g_array_index (run->changes, SlChange, i);

      if (a->step != b->step || a->param != b->param || !sl_value_same (&a->value, &b->value))
        return FALSE;
    }
  return TRUE;
}

char *
sl_store_find_recipe (SlStore *store, const SlRecipe *recipe)
{
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, NULL);
  char *uuid = NULL;

  for (guint i = runs != NULL ? runs->len : 0; i > 0 && uuid == NULL; i--)
    {
      const SlStoreRun *run = runs->pdata[i - 1];
      g_autofree char  *json = NULL;
      SlRecipe          theirs;

      if (run->lab != recipe->lab || run->seed != recipe->seed || run->step < recipe->step)
        continue;
      json = sl_store_recipe (store, run->uuid, NULL);
      if (json == NULL || !sl_recipe_read (json, &theirs, NULL))
        continue;
      if (is_same (recipe, &theirs))
        uuid = g_strdup (run->uuid);
      sl_recipe_clear (&theirs);
    }
  return uuid;
}
