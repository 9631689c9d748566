/* SPDX-License-Identifier: MIT
 *
 * Gathering what a run has to say, and handing it over as jobs.  keeper-write.c has what the
 * store's thread does with them.  */
#include "core/run/store/writer.h"

#include <string.h>

#include "core/run/store/writer-private.h"

enum {
  HAND_OVER_US = 1000000,
  HAND_OVER_SAMPLES = 32768,
};

struct SlKeeper
{
  SlStore  *store;
  SlKept   *kept; /* the writing thread's once the first job is on its way */
  char      uuid[SL_UUID];
  unsigned  epoch;
  GArray   *samples; /* of SlSample */
  gint64    handed;  /* when they last were, µs */
  uint64_t  step;
  double    seconds;
  char     *recipe; /* to be written, or NULL */
  SlFlag    flag[SL_KEEPER_FLAGS];
  unsigned  n_flags; /* that the file has; the last few of them in `flag`, by number */
  SlLayout *asleep;  /* of a run to go on with that has not gone on yet; or NULL */
};

static SlKeptJob *
job_new (const SlKeeper *self, SlKeptWork work)
{
  SlKeptJob *job = g_new0 (SlKeptJob, 1);

  job->job.work = sl_kept_work;
  job->job.free = sl_kept_job_free;
  job->kept = self->kept;
  job->kind = work;
  job->epoch = self->epoch;
  return job;
}

static void
hand_over (SlKeeper *self)
{
  SlKeptJob *job = job_new (self, SL_KEPT_PROGRESS);

  job->samples = self->samples;
  job->step = self->step;
  job->seconds = self->seconds;
  job->text = g_steal_pointer (&self->recipe);
  self->samples = g_array_sized_new (FALSE, FALSE, sizeof (SlSample), job->samples->len);
  self->handed = g_get_monotonic_time ();
  sl_store_ask (self->store, &job->job);
}

static void
take_back (SlKeeper *self, uint64_t step, unsigned flags)
{
  SlKeptJob *job = job_new (self, SL_KEPT_TRUNCATE);

  job->step = step;
  job->number = flags;
  self->n_flags = MIN (self->n_flags, flags);
  self->step = step;
  sl_store_ask (self->store, &job->job);
}

/* The run goes on: what lies behind it is made again. */
static void
wake (SlKeeper *self)
{
  SlKeptJob *job;

  if (self->asleep == NULL)
    return;
  job = job_new (self, SL_KEPT_AGAIN);
  job->layout = g_steal_pointer (&self->asleep);
  sl_store_ask (self->store, &job->job);
  take_back (self, self->step, self->n_flags);
}

static SlKeeper *
keeper_new (SlStore *store, const char *uuid)
{
  SlKeeper *self = g_new0 (SlKeeper, 1);

  self->store = g_object_ref (store);
  if (uuid != NULL)
    g_strlcpy (self->uuid, uuid, SL_UUID);
  else
    sl_store_new_uuid (self->uuid);
  self->epoch = atomic_load (&store->epoch);
  self->kept = sl_kept_new (self->uuid);
  self->samples = g_array_new (FALSE, FALSE, sizeof (SlSample));
  self->handed = g_get_monotonic_time ();
  return self;
}

SlKeeper *
sl_keeper_new (SlStore *store, const char *uuid, const SlRecipe *recipe, const SlLayout *layout,
               const char *sweep, unsigned cell)
{
  SlKeeper  *self = keeper_new (store, uuid);
  SlKeptJob *job = job_new (self, SL_KEPT_BEGIN);

  job->recipe = g_memdup2 (recipe, sizeof *recipe);
  job->recipe->changes = NULL;
  job->text = sl_recipe_write (recipe);
  job->sweep = g_strdup (sweep != NULL ? sweep : "");
  job->number = cell;
  job->layout = g_memdup2 (layout, sizeof *layout);
  sl_store_ask (store, &job->job);
  return self;
}

SlKeeper *
sl_keeper_resume (SlStore *store, const char *uuid, const SlRecord *record, uint64_t step,
                  double seconds)
{
  SlKeeper *self = keeper_new (store, uuid);

  self->asleep = g_memdup2 (&record->layout, sizeof record->layout);
  self->step = step;
  self->n_flags = record->n_flags;
  for (unsigned i = 0; i < record->n_flags; i++)
    self->flag[i % SL_KEEPER_FLAGS] = record->flag[i];
  self->seconds = seconds;
  return self;
}

void
sl_keeper_free (SlKeeper *keeper)
{
  SlKeptJob *job;

  if (keeper == NULL)
    return;
  if (keeper->asleep == NULL)
    hand_over (keeper);
  job = job_new (keeper, SL_KEPT_END);
  sl_store_ask (keeper->store, &job->job);
  g_array_unref (keeper->samples);
  g_free (keeper->recipe);
  g_free (keeper->asleep);
  g_object_unref (keeper->store);
  g_free (keeper);
}

const char *
sl_keeper_uuid (const SlKeeper *keeper)
{
  return keeper->uuid;
}

gboolean
sl_keeper_lost (const SlKeeper *keeper)
{
  return atomic_load (&keeper->store->epoch) != keeper->epoch;
}

void
sl_keeper_sample (SlKeeper *keeper, const SlSample *sample)
{
  if (sl_keeper_lost (keeper))
    return;
  wake (keeper);
  g_array_append_vals (keeper->samples, sample, 1);
  if (keeper->samples->len >= HAND_OVER_SAMPLES)
    hand_over (keeper);
}

gboolean
sl_keeper_is_due (const SlKeeper *keeper)
{
  return g_get_monotonic_time () - keeper->handed >= HAND_OVER_US;
}

void
sl_keeper_tick (SlKeeper *keeper, uint64_t step, double seconds)
{
  gboolean moved = step != keeper->step || keeper->samples->len > 0 || keeper->recipe != NULL;

  if (keeper->asleep != NULL)
    return;
  keeper->step = step;
  keeper->seconds = seconds;
  if (moved && sl_keeper_is_due (keeper))
    hand_over (keeper);
}

static void
write_flag (SlKeeper *self, const SlFlag *flag)
{
  SlKeptJob *job;

  wake (self);
  job = job_new (self, SL_KEPT_FLAG);
  job->flag = *flag;
  self->flag[(flag->number - 1) % SL_KEEPER_FLAGS] = *flag;
  sl_store_ask (self->store, &job->job);
}

void
sl_keeper_flags (SlKeeper *keeper, const SlRecord *record)
{
  /* Only the text of the last flag grows, while its slider is dragged. */
  if (keeper->n_flags > 0 && keeper->n_flags <= record->n_flags)
    {
      const SlFlag *now = &record->flag[keeper->n_flags - 1];

      if (strcmp (now->text, keeper->flag[(keeper->n_flags - 1) % SL_KEEPER_FLAGS].text) != 0)
        write_flag (keeper, now);
    }
  while (keeper->n_flags < record->n_flags)
    write_flag (keeper, &record->flag[keeper->n_flags++]);
}

void
sl_keeper_recipe (SlKeeper *keeper, const SlRecipe *recipe)
{
  wake (keeper);
  g_free (keeper->recipe);
  keeper->recipe = sl_recipe_write (recipe);
}

void
sl_keeper_checkpoint (SlKeeper *keeper, SlCheckpoint *checkpoint, unsigned changes, unsigned flags,
                      double seconds)
{
  SlKeptJob *job;

  /* The file has the one that it has not gone on from. */
  if (keeper->asleep != NULL && checkpoint->step == keeper->step)
    {
      sl_checkpoint_clear (checkpoint);
      return;
    }
  wake (keeper);
  hand_over (keeper);
  job = job_new (keeper, SL_KEPT_CHECKPOINT);
  job->checkpoint = *checkpoint;
  job->step = checkpoint->step;
  job->changes = changes;
  job->number = flags;
  job->seconds = seconds;
  *checkpoint = (SlCheckpoint) { 0 };
  sl_store_ask (keeper->store, &job->job);
}

void
sl_keeper_truncate (SlKeeper *keeper, uint64_t step, unsigned flags)
{
  wake (keeper);
  hand_over (keeper);
  take_back (keeper, step, flags);
}

void
sl_keeper_status (SlKeeper *keeper, SlRunStatus status, const char *problem)
{
  SlKeptJob *job;

  if (keeper->asleep != NULL && status == SL_RUN_PAUSED)
    return;
  wake (keeper);
  hand_over (keeper);
  job = job_new (keeper, SL_KEPT_STATUS);
  job->number = status;
  job->text = g_strdup (problem != NULL ? problem : "");
  sl_store_ask (keeper->store, &job->job);
}

void
sl_keeper_discard (SlKeeper *keeper)
{
  SlKeptJob *job = job_new (keeper, SL_KEPT_DISCARD);

  sl_store_ask (keeper->store, &job->job);
}

void
sl_keeper_figure (SlKeeper *keeper, const char *name, double value)
{
  SlKeptJob *job;

  if (keeper->asleep != NULL)
    {
      sl_store_set_figure (keeper->store, keeper->uuid, name, value);
      return;
    }
  job = job_new (keeper, SL_KEPT_FIGURE);
  job->text = g_strdup (name);
  job->seconds = value;
  sl_store_ask (keeper->store, &job->job);
}

void
sl_keeper_record (SlKeeper *keeper, const SlRecord *record)
{
  for (unsigned c = 0; c < record->layout.n; c++)
    for (size_t i = 0; i < record->series[c].n; i++)
      {
        SlSample sample = { .step = (uint64_t) record->series[c].step[i],
                            .value = record->series[c].value[i],
                            .channel = c };

        sl_keeper_sample (keeper, &sample);
      }
  sl_keeper_flags (keeper, record);
}

double
sl_keeper_checkpoint_seconds (size_t bytes)
{
  return MAX (2.0, (double) bytes / (1 << 20));
}
