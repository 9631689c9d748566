/* SPDX-License-Identifier: MIT
 *
 * Writing a run: blocks of samples, the last of which is filled up, checkpoints, of which a few are
 * kept, and its other rows.  Everything is for the store's thread.  */
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/record/history.h"
#include "core/run/store/naming.h"
#include "core/run/store/pack.h"
#include "core/run/store/room.h"
#include "core/run/store/writer-private.h"

static const gint64 EARLIER_BYTES = (gint64) 8 << 20; /* of the states of a run before its last */
static const size_t CHECKPOINT_MOST = (size_t) 900
                                      << 20; /* SQLite's own limit is a thousand million */

/* The block at the end of a channel. */
typedef struct
{
  gint64 step[SL_BLOCK];
  double value[SL_BLOCK];
} Block;

typedef struct
{
  Block *block; /* NULL: nothing came yet, or after a full one */
  gint64 position;
  size_t n;
  bool   dirty;
} Tail;

struct SlWrittenRun
{
  char          uuid[SL_UUID];
  gint64        run;
  uint64_t      rolled_back; /* of the store, when the rest was as in the file */
  atomic_bool   refused;
  bool          discarded;
  unsigned      n;
  Tail         *tail; /* (n) */
  sqlite3_stmt *put;  /* a block */
};

SlWrittenRun *
sl_written_run_new (const char *uuid)
{
  SlWrittenRun *written = g_new0 (SlWrittenRun, 1);

  g_strlcpy (written->uuid, uuid, SL_UUID);
  return written;
}

bool
sl_written_run_refused (const SlWrittenRun *written)
{
  return atomic_load (&written->refused);
}

static void
forget_tails (SlWrittenRun *written)
{
  for (unsigned c = 0; c < written->n; c++)
    g_free (written->tail[c].block);
  g_clear_pointer (&written->tail, g_free);
  g_clear_pointer (&written->put, sqlite3_finalize);
  written->n = 0;
}

static void
kept_free (SlWrittenRun *written)
{
  forget_tails (written);
  g_free (written);
}

void
sl_writer_job_free (SlStoreJob *job)
{
  SlWriterJob *self = (SlWriterJob *) job;

  if (self->kind == SL_WRITE_END)
    kept_free (self->written);
  g_clear_pointer (&self->samples, g_array_unref);
  sl_checkpoint_clear (&self->checkpoint);
  g_free (self->recipe);
  g_free (self->layout);
  g_free (self->text);
  g_free (self->sweep);
  g_free (self);
}

/* ---- the run's row ---- */

/* Removes what has the run's uuid; its name and colour stay the run's.  The name is freed with g_free(); NULL with a
 * sentence.  */
static char *
remove_former (SlWrittenRun *written, gint64 *colour, SlStore *store, GError **error)
{
  g_autoptr (sqlite3_stmt) row = sl_store_prepare (
    &store->writer, error, "DELETE FROM run WHERE uuid = ? RETURNING name, colour", "s",
    written->uuid);
  g_autofree char *name = g_strdup ("");
  int              more = -1;

  while (row != NULL && (more = sl_store_step (&store->writer, row, error)) > 0)
    {
      g_free (name);
      name = g_strdup (sl_store_text (row, 0));
      *colour = sqlite3_column_int64 (row, 1);
    }
  return more == 0 ? g_steal_pointer (&name) : NULL;
}

static gboolean
begin (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT INTO run (uuid, lab, recipe, data, data_hash, seed, kernel, threads, version, status,"
      " owner, created, touched, sweep, cell, name, colour)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)";
  const SlRecipe  *recipe = job->recipe;
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, recipe->seed);
  g_autofree char *hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", recipe->data_hash);
  double           now = (double) g_get_real_time () * 1e-6;
  gint64           colour = 0;
  g_autofree char *name = remove_former (written, &colour, store, error);

  if (name == NULL || !sl_store_check_owner (&store->writer, written->uuid, error)
      || !sl_store_do (&store->writer, error, SQL, "sssssssissddsisi", written->uuid,
                       recipe->lab->id, job->text, recipe->data, hash, seed, recipe->kernel,
                       (gint64) recipe->threads, recipe->version, store->owner, now, now,
                       job->sweep, (gint64) job->number, name, colour))
    return FALSE;
  written->run = sqlite3_last_insert_rowid (store->writer.db);
  if (!sl_store_name_runs (&store->writer, error))
    return FALSE;
  for (unsigned c = 0; c < job->layout->n; c++)
    if (job->layout->channel[c].series
        && !sl_store_do (&store->writer, error,
                         "INSERT INTO channel (run, number, name) VALUES (?, ?, ?)", "iis",
                         written->run, (gint64) c, job->layout->channel[c].id))
      return FALSE;
  return TRUE;
}

/* ---- samples ---- */

/* The distance between steps where it is one and the same, or 0. */
static gint64
stride_of (const Tail *tail)
{
  const gint64 *step = tail->block->step;
  gint64        stride = tail->n > 1 ? step[1] - step[0] : 1;

  for (size_t i = 1; i < tail->n; i++)
    if (step[i] - step[i - 1] != stride)
      return 0;
  return MAX (stride, 0);
}

static gboolean
put_block (SlWrittenRun *written, unsigned channel, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT INTO block (run, channel, position, n, first, stride, data, sum)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n,"
      " first = excluded.first, stride = excluded.stride, data = excluded.data, sum = excluded.sum";
  Tail  *tail = &written->tail[channel];
  Block *block = tail->block;
  gint64 stride = stride_of (tail);
  size_t one = tail->n * sizeof (double), bytes = one;
  double packed[2 * SL_BLOCK];

  if (stride == 0)
    {
      memcpy (packed, block->step, one);
      bytes += one;
    }
  memcpy ((char *) packed + bytes - one, block->value, one);
  if (written->put == NULL
      && sqlite3_prepare_v3 (store->writer.db, SQL, -1, SQLITE_PREPARE_PERSISTENT, &written->put,
                             NULL)
           != SQLITE_OK)
    return sl_store_file_fail (&store->writer, error);
  sqlite3_bind_int64 (written->put, 1, written->run);
  sqlite3_bind_int64 (written->put, 2, channel);
  sqlite3_bind_int64 (written->put, 3, tail->position);
  sqlite3_bind_int64 (written->put, 4, (gint64) tail->n);
  sqlite3_bind_int64 (written->put, 5, block->step[0]);
  sqlite3_bind_int64 (written->put, 6, stride);
  sqlite3_bind_blob64 (written->put, 7, packed, bytes, SQLITE_STATIC);
  sqlite3_bind_int64 (written->put, 8, sl_store_sum (packed, bytes));
  if (sl_store_step (&store->writer, written->put, error) < 0)
    {
      sqlite3_reset (written->put);
      return FALSE;
    }
  sqlite3_reset (written->put);
  return TRUE;
}

static gboolean
put_sample (SlWrittenRun *written, const SlSample *sample, SlStore *store, GError **error)
{
  Tail *tail;

  if (sample->channel >= written->n)
    return TRUE;
  tail = &written->tail[sample->channel];
  if (tail->block == NULL)
    tail->block = g_new (Block, 1);
  if (tail->n == SL_BLOCK)
    {
      if (!put_block (written, sample->channel, store, error))
        return FALSE;
      tail->position++;
      tail->n = 0;
    }
  tail->block->step[tail->n] = (gint64) sample->step;
  tail->block->value[tail->n++] = sample->value;
  tail->dirty = true;
  return TRUE;
}

static gboolean
put_tails (SlWrittenRun *written, SlStore *store, GError **error)
{
  for (unsigned c = 0; c < written->n; c++)
    {
      Tail *tail = &written->tail[c];

      if (!tail->dirty)
        continue;
      tail->dirty = false;
      if ((tail->n > 0 && !put_block (written, c, store, error))
          || !sl_store_do (&store->writer, error,
                           "UPDATE channel SET n = ?, last = ? WHERE run = ? AND number = ?",
                           "idii", tail->position * SL_BLOCK + (gint64) tail->n,
                           tail->n > 0 ? tail->block->value[tail->n - 1] : (double) NAN,
                           written->run, (gint64) c))
        return FALSE;
    }
  return TRUE;
}

static gboolean
progress (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  for (guint i = 0; i < job->samples->len; i++)
    if (!put_sample (written, &g_array_index (job->samples, SlSample, i), store, error))
      return FALSE;
  if (!put_tails (written, store, error))
    return FALSE;
  if (job->text != NULL
      && !sl_store_do (&store->writer, error, "UPDATE run SET recipe = ? WHERE id = ?", "si",
                       job->text, written->run))
    return FALSE;
  return sl_store_do (
    &store->writer, error, "UPDATE run SET step = ?, seconds = ?, touched = ? WHERE id = ?", "iddi",
    (gint64) job->step, job->seconds, (double) g_get_real_time () * 1e-6, written->run);
}

/* ---- taking back ---- */

/* Makes the last block that has something at or before `step` the tail of its channel, without
 * what comes after; a channel without samples begins anew.  */
static gboolean
cut_channel (SlWrittenRun *written, unsigned channel, uint64_t step, SlStore *store, GError **error)
{
  static const char SQL[]
    = "SELECT position, n, first, stride, data, sum FROM block WHERE run = ?1 AND channel = ?2"
      " AND first <= ?3 ORDER BY position DESC LIMIT 1";
  Tail         *tail = &written->tail[channel];
  double        steps[SL_BLOCK];
  sqlite3_stmt *statement = sl_store_prepare (&store->writer, error, SQL, "iii", written->run,
                                              (gint64) channel, (gint64) step);
  int           row = statement != NULL ? sl_store_step (&store->writer, statement, error) : -1;
  bool          fine = row >= 0;

  if (tail->block == NULL)
    tail->block = g_new (Block, 1);
  tail->position = 0;
  tail->n = 0;
  if (row > 0)
    {
      size_t n = (size_t) CLAMP (sqlite3_column_int64 (statement, 1), 0, SL_BLOCK);

      tail->position = sqlite3_column_int64 (statement, 0);
      fine
        = sl_store_unpack (statement, 2, n, steps, tail->block->value)
          || sl_fail (error, SL_EFORMAT, store->path, _ ("the samples of a run are damaged"), NULL);
      while (fine && tail->n < n && steps[tail->n] <= (double) step)
        {
          tail->block->step[tail->n] = (gint64) steps[tail->n];
          tail->n++;
        }
    }
  sqlite3_finalize (statement);
  tail->dirty = true;
  return fine
         && sl_store_do (&store->writer, error,
                         "DELETE FROM block WHERE run = ? AND channel = ? AND position >= ?", "iii",
                         written->run, (gint64) channel, tail->position);
}

/* Removes the scores that were measured after `step`; those of an unknown update may be of the last one. */
static gboolean
cut_scores (gint64 run, uint64_t step, SlStore *store, GError **error)
{
  static const char *const splits[] = { "train", "valid", "test" };

  for (size_t i = 0; i < G_N_ELEMENTS (splits); i++)
    if (!sl_store_do (
          &store->writer, error,
          "DELETE FROM figure WHERE run = ?1 AND (name GLOB ?3 || '.*' OR name = 'scored.' || ?3"
          " OR name = 'outcome.error' AND ?3 = 'test')"
          " AND ifnull ((SELECT value FROM figure WHERE run = ?1 AND name = 'scored.' || ?3),"
          " (SELECT step FROM run WHERE id = ?1)) > ?2",
          "iis", run, (gint64) step, splits[i]))
      return FALSE;
  return TRUE;
}

static gboolean
truncate_run (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  for (unsigned c = 0; c < written->n; c++)
    if (!cut_channel (written, c, job->step, store, error))
      return FALSE;
  return put_tails (written, store, error) && cut_scores (written->run, job->step, store, error)
         && sl_store_do (&store->writer, error, "DELETE FROM flag WHERE run = ? AND number > ?",
                         "ii", written->run, (gint64) job->number)
         && sl_store_do (&store->writer, error, "DELETE FROM checkpoint WHERE run = ? AND step > ?",
                         "ii", written->run, (gint64) job->step)
         && sl_store_do (&store->writer, error, "UPDATE run SET step = ? WHERE id = ?", "ii",
                         (gint64) job->step, written->run);
}

static gboolean
again (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  return sl_store_number (&store->writer, &written->run, error, "SELECT id FROM run WHERE uuid = ?",
                          "s", written->uuid)
           >= 0
         && sl_store_check_owner (&store->writer, written->uuid, error)
         && sl_store_do (&store->writer, error,
                         "UPDATE run SET status = 'running', owner = ?, problem = '', deleted = 0,"
                         " cell = CASE sweep WHEN '' THEN ? ELSE cell END WHERE id = ?",
                         "sii", store->owner, (gint64) job->number, written->run)
         && sl_store_do (&store->writer, error, "DELETE FROM visit WHERE run = ?", "i",
                         written->run)
         && sl_writer_renumber (written->run, job->layout, store, error);
}

/* ---- checkpoints ---- */

/* Removes the most dispensable checkpoints before the last one until the others are within what a run may have. */
static gboolean
thin_out (SlWrittenRun *written, SlStore *store, GError **error)
{
  uint64_t      step[SL_HISTORY_MAX + 2];
  gint64        bytes[SL_HISTORY_MAX + 2], sum = 0;
  unsigned      n = 0;
  sqlite3_stmt *statement = sl_store_prepare (
    &store->writer, error, "SELECT step, length (data) FROM checkpoint WHERE run = ? ORDER BY step",
    "i", written->run);
  int row = -1;

  while (statement != NULL && n < G_N_ELEMENTS (step)
         && (row = sl_store_step (&store->writer, statement, error)) > 0)
    {
      step[n] = (uint64_t) sqlite3_column_int64 (statement, 0);
      bytes[n] = sqlite3_column_int64 (statement, 1);
      sum += bytes[n++];
    }
  sqlite3_finalize (statement);
  while (row >= 0 && n > 1 && (n > SL_HISTORY_MAX || sum - bytes[n - 1] > EARLIER_BYTES))
    {
      unsigned out = sl_history_dispensable (step, n, step[n - 1]);

      if (!sl_store_do (&store->writer, error, "DELETE FROM checkpoint WHERE run = ? AND step = ?",
                        "ii", written->run, (gint64) step[out]))
        return FALSE;
      sum -= bytes[out];
      n--;
      memmove (step + out, step + out + 1, (n - out) * sizeof *step);
      memmove (bytes + out, bytes + out + 1, (n - out) * sizeof *bytes);
    }
  return row >= 0;
}

static gboolean
put_checkpoint (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT OR REPLACE INTO checkpoint (run, step, changes, flags, seconds, bytes, data, sum)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  const SlCheckpoint *checkpoint = &job->checkpoint;
  SlPackedState       packed;
  gboolean            fine;

  if (checkpoint->bytes > CHECKPOINT_MOST)
    return TRUE;
  packed = sl_store_pack_state (checkpoint->data, checkpoint->bytes);
  fine = sl_store_do (&store->writer, error, SQL, "iiiidibi", written->run, (gint64) job->step,
                      (gint64) job->changes, (gint64) job->number, job->seconds,
                      (gint64) checkpoint->bytes, packed.data, packed.n,
                      (gint64) sl_store_sum (packed.data, packed.n));
  free (packed.frame);
  return fine && thin_out (written, store, error);
}

/* ---- the rest ---- */

/* Training restores a run that was deleted while it was paused. */
static gboolean
set_status (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  gboolean runs = job->number == SL_RUN_RUNNING;

  return (runs || sl_store_make_room (store, error))
         && sl_store_check_owner (&store->writer, written->uuid, error)
         && sl_store_do (
           &store->writer, error,
           "UPDATE run SET status = ?, problem = ?, owner = ?, deleted = deleted AND NOT ?"
           " WHERE id = ?",
           "sssii", sl_run_status_text (job->number), job->text, runs ? store->owner : "",
           (gint64) runs, written->run);
}

static gboolean
carry_out (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  char text[SL_CHANGE_MARKER_ENGLISH];

  switch (job->kind)
    {
    case SL_WRITE_BEGIN: return begin (written, job, store, error);
    case SL_WRITE_AGAIN: return again (written, job, store, error);
    case SL_WRITE_PROGRESS: return progress (written, job, store, error);
    case SL_WRITE_CHECKPOINT: return put_checkpoint (written, job, store, error);
    case SL_WRITE_TRUNCATE: return truncate_run (written, job, store, error);
    case SL_WRITE_STATUS: return set_status (written, job, store, error);
    case SL_WRITE_MARKER:
      return sl_store_do (
        &store->writer, error,
        "INSERT OR REPLACE INTO flag (run, number, step, text) VALUES (?, ?, ?, ?)", "iids",
        written->run, (gint64) job->flag.number, job->flag.step,
        sl_message_show (job->flag.text, NULL, text, sizeof text));
    case SL_WRITE_DISCARD:
      return sl_store_do (&store->writer, error, "DELETE FROM run WHERE id = ?", "i", written->run);
    case SL_WRITE_END: return TRUE;
    }
  return TRUE;
}

/* After a transaction that was taken back: what the file has of the run. */
static gboolean
look_up (SlWrittenRun *written, SlStore *store, GError **error)
{
  unsigned n = written->n;
  int      row;

  row = sl_store_number (&store->writer, &written->run, error, "SELECT id FROM run WHERE uuid = ?",
                         "s", written->uuid);
  written->discarded = row == 0;
  forget_tails (written);
  written->n = n;
  written->tail = g_new0 (Tail, n + 1);
  for (unsigned c = 0; c < n && row > 0; c++)
    if (!cut_channel (written, c, G_MAXINT64, store, error))
      return FALSE;
  written->rolled_back = store->rolled_back;
  return row >= 0;
}

static gboolean
work_on (SlWrittenRun *written, const SlWriterJob *job, SlStore *store, GError **error)
{
  if (job->layout != NULL)
    {
      forget_tails (written);
      written->n = job->layout->n;
      written->tail = g_new0 (Tail, written->n + 1);
      written->rolled_back = store->rolled_back;
      written->discarded = false;
    }
  else if (written->rolled_back != store->rolled_back && !look_up (written, store, error))
    return FALSE;
  if (written->discarded)
    return TRUE;
  written->discarded = job->kind == SL_WRITE_DISCARD;
  return carry_out (written, job, store, error);
}

gboolean
sl_writer_work (SlStoreJob *job, SlStore *store, GError **error)
{
  SlWriterJob  *self = (SlWriterJob *) job;
  SlWrittenRun *written = self->written;

  if (atomic_load (&written->refused) || work_on (written, self, store, error))
    return TRUE;
  atomic_store (&written->refused, !sl_store_file_is_ill (&store->writer));
  return FALSE;
}
