/* SPDX-License-Identifier: MIT */
#include "app/cli/show/list.h"

#include <string.h>

#include "app/cli/show/describe.h"
#include "core/run/query/query.h"

GPtrArray *
sl_cli_list_runs (SlStore *store, const char *lab, const char *filter, SlExit *code)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, &error);

  if (runs == NULL)
    {
      *code = sl_cli_fail_error (error);
      return NULL;
    }
  for (guint i = runs->len; lab != NULL && i > 0; i--)
    if (strcmp (((SlStoreRun *) g_ptr_array_index (runs, i - 1))->lab_id, lab) != 0)
      g_ptr_array_remove_index (runs, i - 1);
  *code = SL_EXIT_USAGE;
  /* A store may have runs of labs that this version does not have. */
  if (lab != NULL && runs->len == 0 && sl_describe_find_lab (lab) == NULL)
    return NULL;
  if (sl_query_filter (filter, runs, &error))
    return g_steal_pointer (&runs);
  sl_cli_fail_error (error);
  return NULL;
}
