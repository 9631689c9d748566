/* SPDX-License-Identifier: MIT
 *
 * See sweep-store.h.  */
#include "core/run/sweep/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/store/about/picture.h"
#include "core/run/store/writer.h"

static void
keep_outcome (SlStore *store, const SlSweepResult *result)
{
  const SlOutcome *outcome = &result->outcome;
  const struct
  {
    const char *name;
    double      value;
  } figures[] = { { "outcome.error", outcome->error },
                  { "outcome.expected", outcome->expected },
                  { "outcome.executed", outcome->executed } };

  for (size_t i = 0; i < G_N_ELEMENTS (figures); i++)
    if (!isnan (figures[i].value))
      sl_store_set_score (store, result->job.id, figures[i].name, figures[i].value);
  if (!isnan (outcome->timed))
    sl_store_set_times (store, result->job.id, &result->record.times);
}

/* A run that was not written while it went on. */
static void
write_whole (SlStore *store, const char *sweep, const SlSweepResult *result)
{
  const SlRecord *record = &result->record;
  bool            diverged = result->status.code == SL_EDIVERGED;
  char            problem[512];
  SlWriter *writer = sl_writer_new (store, result->job.id, &result->recipe, &record->layout, sweep,
                                    result->job.number);

  sl_writer_record (writer, record);
  for (int split = 0; split < SL_N_SPLITS; split++)
    if (result->n_scores[split] > 0)
      sl_writer_scores (writer, (SlSplit) split, result->score[split], result->n_scores[split],
                        result->recipe.step);
  sl_writer_tick (writer, result->recipe.step, result->seconds);
  if (diverged)
    sl_status_text (&result->status, problem, sizeof problem);
  sl_writer_status (writer, diverged ? SL_RUN_DIVERGED : SL_RUN_FINISHED,
                    diverged ? problem : NULL);
  sl_writer_free (writer);
}

void
sl_sweep_store (SlStore *store, const char *sweep, const SlSweepResult *result)
{
  if (!sl_ok (&result->status) && result->status.code != SL_EDIVERGED)
    return;
  if (!result->written)
    write_whole (store, sweep, result);
  keep_outcome (store, result);
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

bool
sl_sweep_waits (SlStore *store, const char *id)
{
  g_autoptr (SlStoreRun) row = sl_store_find (store, id, NULL);

  return row != NULL && !row->deleted && row->resumable && row->status != SL_RUN_FINISHED
         && row->status != SL_RUN_DIVERGED && sl_store_goes_on (store, id, NULL);
}

void
sl_sweep_title (const SlSweep *sweep, char title[SL_SWEEP_ID])
{
  g_autoptr (GArray) jobs = sl_sweep_expand (sweep);

  g_strlcpy (title, g_array_index (jobs, SlSweepJob, 0).id, SL_SWEEP_ID);
}
