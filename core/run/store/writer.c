/* SPDX-License-Identifier: MIT
 *
 * Gathering what a run has to say, and handing it over as jobs.  writer-rows.c has what the
 * store's thread does with them.  */
#include "core/run/store/writer.h"

#include <string.h>

#include "core/run/store/writer-private.h"

enum {
  HAND_OVER_US = 1000000,
  HAND_OVER_SAMPLES = 32768,
};

struct SlWriter
{
  SlStore       *store;
  SlWrittenRun  *written; /* the writing thread's once the first job is on its way */
  char           uuid[SL_UUID];
  GArray        *samples; /* of SlSample */
  gint64         handed;  /* when they last were, µs */
  uint64_t       step;
  double         seconds;
  char          *recipe; /* to be written, or NULL */
  SlChangeMarker flag[SL_WRITER_MARKERS];
  unsigned       n_flags; /* that the file has; the last few of them in `flag`, by number */
  unsigned       cell;    /* its place from then on */
  SlLayout      *asleep;  /* of a run to go on with that has not gone on yet; or NULL */
};

static SlWriterJob *
job_new (const SlWriter *self, SlWriterWork work)
{
  SlWriterJob *job = g_new0 (SlWriterJob, 1);

  job->job.work = sl_writer_work;
  job->job.free = sl_writer_job_free;
  g_strlcpy (job->uuid, self->uuid, SL_UUID);
  job->job.uuid = job->uuid;
  job->written = self->written;
  job->kind = work;
  return job;
}

static void
hand_over (SlWriter *self)
{
  SlWriterJob *job = job_new (self, SL_WRITE_PROGRESS);

  job->samples = self->samples;
  job->step = self->step;
  job->seconds = self->seconds;
  job->text = g_steal_pointer (&self->recipe);
  self->samples = g_array_sized_new (FALSE, FALSE, sizeof (SlSample), job->samples->len);
  self->handed = g_get_monotonic_time ();
  sl_store_ask (self->store, &job->job);
}

static void
take_back (SlWriter *self, uint64_t step, unsigned flags)
{
  SlWriterJob *job = job_new (self, SL_WRITE_TRUNCATE);

  job->step = step;
  job->number = flags;
  self->n_flags = MIN (self->n_flags, flags);
  self->step = step;
  sl_store_ask (self->store, &job->job);
}

/* The run goes on: what lies behind it is made again. */
static void
wake (SlWriter *self)
{
  SlWriterJob *job;

  if (self->asleep == NULL)
    return;
  job = job_new (self, SL_WRITE_AGAIN);
  job->layout = g_steal_pointer (&self->asleep);
  job->number = self->cell;
  sl_store_ask (self->store, &job->job);
  take_back (self, self->step, self->n_flags);
}

static SlWriter *
writer_new (SlStore *store, const char *uuid)
{
  SlWriter *self = g_new0 (SlWriter, 1);

  self->store = g_object_ref (store);
  if (uuid != NULL)
    g_strlcpy (self->uuid, uuid, SL_UUID);
  else
    sl_store_new_uuid (self->uuid);
  self->written = sl_written_run_new (self->uuid);
  self->samples = g_array_new (FALSE, FALSE, sizeof (SlSample));
  self->handed = g_get_monotonic_time ();
  return self;
}

SlWriter *
sl_writer_new (SlStore *store, const char *uuid, const SlRecipe *recipe, const SlLayout *layout,
               const char *sweep, unsigned cell)
{
  SlWriter    *self = writer_new (store, uuid);
  SlWriterJob *job = job_new (self, SL_WRITE_BEGIN);

  job->recipe = g_memdup2 (recipe, sizeof *recipe);
  job->recipe->changes = NULL;
  job->text = sl_recipe_write (recipe);
  job->sweep = g_strdup (sweep != NULL ? sweep : "");
  job->number = cell;
  job->layout = g_memdup2 (layout, sizeof *layout);
  sl_store_ask (store, &job->job);
  return self;
}

SlWriter *
sl_writer_resume (SlStore *store, const char *uuid, const SlRecord *record, uint64_t step,
                  double seconds, unsigned cell)
{
  SlWriter *self = writer_new (store, uuid);

  self->cell = cell;
  self->asleep = g_memdup2 (&record->layout, sizeof record->layout);
  self->step = step;
  self->n_flags = record->n_flags;
  for (unsigned i = 0; i < record->n_flags; i++)
    self->flag[i % SL_WRITER_MARKERS] = record->flag[i];
  self->seconds = seconds;
  return self;
}

void
sl_writer_free (SlWriter *writer)
{
  SlWriterJob *job;

  if (writer == NULL)
    return;
  if (writer->asleep == NULL)
    hand_over (writer);
  job = job_new (writer, SL_WRITE_END);
  sl_store_ask (writer->store, &job->job);
  g_array_unref (writer->samples);
  g_free (writer->recipe);
  g_free (writer->asleep);
  g_object_unref (writer->store);
  g_free (writer);
}

const char *
sl_writer_uuid (const SlWriter *writer)
{
  return writer->uuid;
}

gboolean
sl_writer_lost (const SlWriter *writer)
{
  return sl_written_run_refused (writer->written);
}

void
sl_writer_sample (SlWriter *writer, const SlSample *sample)
{
  if (sl_writer_lost (writer))
    return;
  wake (writer);
  g_array_append_vals (writer->samples, sample, 1);
  if (writer->samples->len >= HAND_OVER_SAMPLES)
    hand_over (writer);
}

void
sl_writer_hand_over (SlWriter *writer)
{
  if (writer->asleep == NULL)
    hand_over (writer);
}

gboolean
sl_writer_is_due (const SlWriter *writer)
{
  return g_get_monotonic_time () - writer->handed >= HAND_OVER_US;
}

void
sl_writer_tick (SlWriter *writer, uint64_t step, double seconds)
{
  gboolean moved = step != writer->step || writer->samples->len > 0 || writer->recipe != NULL;

  if (writer->asleep != NULL)
    return;
  writer->step = step;
  writer->seconds = seconds;
  if (moved && sl_writer_is_due (writer))
    hand_over (writer);
}

static void
write_flag (SlWriter *self, const SlChangeMarker *flag)
{
  SlWriterJob *job;

  wake (self);
  job = job_new (self, SL_WRITE_MARKER);
  job->flag = *flag;
  self->flag[(flag->number - 1) % SL_WRITER_MARKERS] = *flag;
  sl_store_ask (self->store, &job->job);
}

void
sl_writer_markers (SlWriter *writer, const SlRecord *record)
{
  /* Only the text of the last flag grows, while its slider is dragged. */
  if (writer->n_flags > 0 && writer->n_flags <= record->n_flags)
    {
      const SlChangeMarker *now = &record->flag[writer->n_flags - 1];

      if (strcmp (now->text, writer->flag[(writer->n_flags - 1) % SL_WRITER_MARKERS].text) != 0)
        write_flag (writer, now);
    }
  while (writer->n_flags < record->n_flags)
    write_flag (writer, &record->flag[writer->n_flags++]);
}

void
sl_writer_recipe (SlWriter *writer, const SlRecipe *recipe)
{
  wake (writer);
  g_free (writer->recipe);
  writer->recipe = sl_recipe_write (recipe);
}

void
sl_writer_checkpoint (SlWriter *writer, SlCheckpoint *checkpoint, unsigned changes, unsigned flags,
                      double seconds)
{
  SlWriterJob *job;

  /* The file has the one that it has not gone on from. */
  if (writer->asleep != NULL && checkpoint->step == writer->step)
    {
      sl_checkpoint_clear (checkpoint);
      return;
    }
  wake (writer);
  hand_over (writer);
  job = job_new (writer, SL_WRITE_CHECKPOINT);
  job->checkpoint = *checkpoint;
  job->step = checkpoint->step;
  job->changes = changes;
  job->number = flags;
  job->seconds = seconds;
  job->job.key = writer->written;
  *checkpoint = (SlCheckpoint) { 0 };
  sl_store_ask (writer->store, &job->job);
}

void
sl_writer_truncate (SlWriter *writer, uint64_t step, unsigned flags)
{
  wake (writer);
  hand_over (writer);
  take_back (writer, step, flags);
}

void
sl_writer_status (SlWriter *writer, SlRunStatus status, const char *problem)
{
  SlWriterJob *job;

  if (writer->asleep != NULL && status == SL_RUN_PAUSED)
    return;
  wake (writer);
  hand_over (writer);
  job = job_new (writer, SL_WRITE_STATUS);
  job->number = status;
  job->text = g_strdup (problem != NULL ? problem : "");
  sl_store_ask (writer->store, &job->job);
}

void
sl_writer_discard (SlWriter *writer)
{
  SlWriterJob *job = job_new (writer, SL_WRITE_DISCARD);

  sl_store_ask (writer->store, &job->job);
}

void
sl_writer_scores (SlWriter *writer, SlSplit split, const SlScore *score, unsigned n, uint64_t at)
{
  sl_store_set_scores (writer->store, writer->uuid, split, score, n, at);
}

void
sl_writer_record (SlWriter *writer, const SlRecord *record)
{
  for (unsigned c = 0; c < record->layout.n; c++)
    for (size_t i = 0; i < record->series[c].n; i++)
      {
        SlSample sample = { .step = (uint64_t) record->series[c].step[i],
                            .value = record->series[c].value[i],
                            .channel = c };

        sl_writer_sample (writer, &sample);
      }
  sl_writer_markers (writer, record);
}

double
sl_writer_checkpoint_seconds (size_t bytes)
{
  return MAX (2.0, (double) bytes / (1 << 20));
}
