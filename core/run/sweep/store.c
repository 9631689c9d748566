/* SPDX-License-Identifier: MIT
 *
 * See sweep-store.h.  */
#include "core/run/sweep/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/store/picture.h"
#include "core/run/store/writer.h"

static void
keep_figure (SlWriter *writer, const char *name, double value)
{
  if (!isnan (value))
    sl_writer_score (writer, name, value);
}

void
sl_sweep_store (SlStore *store, const char *sweep, const SlSweepResult *result)
{
  const SlRecord  *record = &result->record;
  const SlOutcome *outcome = &result->outcome;
  SlWriter        *writer;
  char             problem[512];
  bool             diverged = result->status.code == SL_EDIVERGED;

  if (!sl_ok (&result->status) && !diverged)
    return;
  writer = sl_writer_new (store, result->job.id, &result->recipe, &record->layout, sweep,
                          result->job.number);
  sl_writer_record (writer, record);
  for (int split = 0; split < SL_N_SPLITS; split++)
    for (unsigned i = 0; i < result->n_scores[split]; i++)
      if (!isnan (result->score[split][i].value))
        sl_writer_split_score (writer, (SlSplit) split, result->score[split][i].id,
                               result->score[split][i].value);
  keep_figure (writer, "outcome.error", outcome->error);
  keep_figure (writer, "outcome.expected", outcome->expected);
  keep_figure (writer, "outcome.executed", outcome->executed);
  keep_figure (writer, "outcome.timed", outcome->timed);
  keep_figure (writer, "outcome.timed-spread", outcome->timed_spread);
  sl_writer_tick (writer, result->recipe.step, result->seconds);
  if (diverged)
    sl_status_text (&result->status, problem, sizeof problem);
  sl_writer_status (writer, diverged ? SL_RUN_DIVERGED : SL_RUN_FINISHED,
                    diverged ? problem : NULL);
  sl_writer_free (writer);
  if (result->picture != NULL)
    sl_store_set_picture (store, result->job.id, result->picture);
}

gboolean
sl_sweep_skip (SlStore *store, GArray *jobs, unsigned *there, GError **error)
{
  g_autoptr (GPtrArray) runs = sl_store_list (store, NULL, FALSE, error);
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  guint kept = 0;

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      if (run->status == SL_RUN_FINISHED || run->status == SL_RUN_DIVERGED)
        g_hash_table_add (done, (gpointer) run->uuid);
    }
  for (guint i = 0; i < jobs->len; i++)
    if (!g_hash_table_contains (done, g_array_index (jobs, SlSweepJob, i).id))
      g_array_index (jobs, SlSweepJob, kept++) = g_array_index (jobs, SlSweepJob, i);
  if (there != NULL)
    *there = jobs->len - kept;
  g_array_set_size (jobs, kept);
  return TRUE;
}

void
sl_sweep_title (const SlSweep *sweep, char title[SL_SWEEP_ID])
{
  g_autoptr (GArray) jobs = sl_sweep_expand (sweep);

  g_strlcpy (title, g_array_index (jobs, SlSweepJob, 0).id, SL_SWEEP_ID);
}
