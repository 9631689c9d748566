/* SPDX-License-Identifier: MIT
 *
 * Where a stored run can be gone on with.  */
#pragma once

#include "core/run/store/store.h"

/* Steps of the checkpoints that it can go back to, of guint64, rising; free with g_array_unref(). */
static inline GArray *
sl_stored_steps (SlStore *store, const char *uuid)
{
  GArray     *steps = g_array_new (FALSE, FALSE, sizeof (guint64));
  SlStoredRun run;

  g_assert_true (sl_store_load (store, uuid, TRUE, G_MAXUINT64, &run, NULL));
  for (unsigned i = 0; i < run.earlier.n; i++)
    g_array_append_val (steps, run.earlier.checkpoint[i].step);
  g_array_append_val (steps, run.checkpoint.step);
  sl_stored_run_clear (&run);
  return steps;
}
