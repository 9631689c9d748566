/* SPDX-License-Identifier: MIT
 *
 * See sweep-store.h.  */
#include "core/run/sweep/store.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/run/record/name.h"
#include "core/run/store/about/picture.h"
#include "core/run/store/writer.h"

/* What a whole run has to show but for its time; returns how many figures. */
static unsigned
figures_of (const SlSweepResult *result, SlRunScore figures[3])
{
  const SlOutcome *outcome = &result->outcome;
  const SlRunScore all[] = { { "outcome.error", outcome->error },
                             { "outcome.expected", outcome->expected },
                             { "outcome.executed", outcome->executed } };
  unsigned         n = 0;

  for (size_t i = 0; i < G_N_ELEMENTS (all); i++)
    if (!isnan (all[i].value))
      figures[n++] = all[i];
  return n;
}

static void
keep_outcome (SlStore *store, const SlSweepResult *result)
{
  SlRunScore figure[3];
  unsigned   n = figures_of (result, figure);

  for (unsigned i = 0; i < n; i++)
    sl_store_set_score (store, result->job.id, figure[i].name, figure[i].value);
  if (!isnan (result->outcome.timed))
    sl_store_set_times (store, result->job.id, &result->record.times);
}

static void
add_figure (GArray *figures, const char *name, double value)
{
  SlRunScore figure = { g_intern_string (name), value };

  if (!isnan (value))
    g_array_append_val (figures, figure);
}

/* In the order of a store: figures, then channels. */
static GArray *
all_figures (const SlSweepResult *result)
{
  static const char *const splits[SL_N_SPLITS]
    = { [SL_TRAIN] = "train", [SL_VALID] = "valid", [SL_TEST] = "test" };
  GArray          *figures = g_array_new (FALSE, FALSE, sizeof (SlRunScore));
  const SlLayout  *layout = &result->record.layout;
  const SlOutcome *outcome = &result->outcome;
  SlRunScore       figure[3];
  unsigned         n = figures_of (result, figure);

  for (unsigned i = 0; i < n; i++)
    add_figure (figures, figure[i].name, figure[i].value);
  if (!isnan (outcome->timed))
    {
      add_figure (figures, "outcome.timed", outcome->timed);
      add_figure (figures, "outcome.timed-spread", outcome->timed_spread);
      add_figure (figures, "outcome.timed-batch",
                  outcome->batch > 0 ? outcome->batch : (double) NAN);
    }
  for (int split = 0; split < SL_N_SPLITS; split++)
    for (unsigned i = 0; i < result->n_scores[split]; i++)
      {
        const SlScore   *score = &result->score[split][i];
        g_autofree char *name = g_strconcat (splits[split], ".", score->id, NULL);

        add_figure (figures, name, score->value);
      }
  for (unsigned c = 0; c < layout->n; c++)
    if (result->record.series[c].n > 0)
      add_figure (figures, layout->channel[c].id,
                  result->record.series[c].value[result->record.series[c].n - 1]);
  return figures;
}

SlStoreRun *
sl_sweep_result_row (const SlSweepResult *result)
{
  SlStoreRun  *run = g_new0 (SlStoreRun, 1);
  const SlLab *lab = result->recipe.lab;
  GArray      *figures = all_figures (result);

  g_strlcpy (run->uuid, result->job.id, sizeof run->uuid);
  run->name = sl_run_name (run->uuid);
  run->lab = lab;
  run->lab_id = lab->id;
  run->settings = sl_settings_pack (&result->job.settings, lab->params, lab->n_params);
  run->data = g_intern_string (sl_given (result->recipe.data));
  run->data_hash = result->recipe.data_hash;
  run->seed = result->job.seed;
  run->kernel = run->version = run->problem = "";
  run->status = sl_ok (&result->status) ? SL_RUN_FINISHED : SL_RUN_DIVERGED;
  run->step = result->recipe.step;
  run->seconds = result->seconds;
  run->sweep = "-";
  run->cell = result->job.number;
  run->valid_at = (double) NAN;
  run->n_figures = figures->len;
  run->figure = (SlRunScore *) (void *) g_array_free (figures, FALSE);
  return run;
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
