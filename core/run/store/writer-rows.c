/* SPDX-License-Identifier: MIT
 *
 * Writing a run: blocks of samples, the last of which is filled up, checkpoints, of which a few
 * are kept, and the rest of its rows.  Everything is for the store's thread.  */
#include <math.h>
#include <string.h>

#include "core/run/record/history.h"
#include "core/run/store/writer-private.h"

static const gint64 CHECKPOINT_BYTES = (gint64) 256 << 20;
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

struct SlKept
{
  char          uuid[SL_UUID];
  gint64        run;
  bool          discarded;
  unsigned      n;
  Tail         *tail; /* (n) */
  sqlite3_stmt *put;  /* a block */
};

SlKept *
sl_kept_new (const char *uuid)
{
  SlKept *kept = g_new0 (SlKept, 1);

  g_strlcpy (kept->uuid, uuid, SL_UUID);
  return kept;
}

static void
kept_free (SlKept *kept)
{
  for (unsigned c = 0; c < kept->n; c++)
    g_free (kept->tail[c].block);
  g_free (kept->tail);
  sqlite3_finalize (kept->put);
  g_free (kept);
}

void
sl_kept_job_free (SlStoreJob *job)
{
  SlKeptJob *self = (SlKeptJob *) job;

  if (self->kind == SL_KEPT_END)
    kept_free (self->kept);
  g_clear_pointer (&self->samples, g_array_unref);
  sl_checkpoint_clear (&self->checkpoint);
  g_free (self->recipe);
  g_free (self->layout);
  g_free (self->text);
  g_free (self->sweep);
  g_free (self);
}

/* ---- the run's row ---- */

static gboolean
find_run (SlKept *kept, SlStore *store, GError **error)
{
  sqlite3_stmt *statement = sl_store_prepare (store->db, store->path, error,
                                              "SELECT id FROM run WHERE uuid = ?", "s", kept->uuid);
  int row = statement != NULL ? sl_store_step (store->db, store->path, statement, error) : -1;

  if (row > 0)
    kept->run = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return row >= 0;
}

static gboolean
begin (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT INTO run (uuid, lab, recipe, data, data_hash, seed, kernel, threads, version, status,"
      " owner, created, touched, sweep, cell)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)";
  const SlRecipe  *recipe = job->recipe;
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, recipe->seed);
  g_autofree char *hash = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", recipe->data_hash);
  double           now = (double) g_get_real_time () * 1e-6;

  if (!sl_store_do (store->db, store->path, error, "DELETE FROM run WHERE uuid = ?", "s",
                    kept->uuid)
      || !sl_store_do (store->db, store->path, error, SQL, "sssssssissddsi", kept->uuid,
                       recipe->lab->id, job->text, recipe->data, hash, seed, recipe->kernel,
                       (gint64) recipe->threads, recipe->version, store->owner, now, now,
                       job->sweep, (gint64) job->number))
    return FALSE;
  kept->run = sqlite3_last_insert_rowid (store->db);
  for (unsigned c = 0; c < job->layout->n; c++)
    if (job->layout->channel[c].series
        && !sl_store_do (store->db, store->path, error,
                         "INSERT INTO channel (run, number, name) VALUES (?, ?, ?)", "iis",
                         kept->run, (gint64) c, job->layout->channel[c].id))
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
put_block (SlKept *kept, unsigned channel, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT INTO block (run, channel, position, n, first, stride, data, sum)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = excluded.n,"
      " first = excluded.first, stride = excluded.stride, data = excluded.data, sum = excluded.sum";
  Tail  *tail = &kept->tail[channel];
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
  if (kept->put == NULL
      && sqlite3_prepare_v3 (store->db, SQL, -1, SQLITE_PREPARE_PERSISTENT, &kept->put, NULL)
           != SQLITE_OK)
    return sl_store_file_fail (store->db, store->path, error);
  sqlite3_bind_int64 (kept->put, 1, kept->run);
  sqlite3_bind_int64 (kept->put, 2, channel);
  sqlite3_bind_int64 (kept->put, 3, tail->position);
  sqlite3_bind_int64 (kept->put, 4, (gint64) tail->n);
  sqlite3_bind_int64 (kept->put, 5, block->step[0]);
  sqlite3_bind_int64 (kept->put, 6, stride);
  sqlite3_bind_blob64 (kept->put, 7, packed, bytes, SQLITE_STATIC);
  sqlite3_bind_int64 (kept->put, 8, sl_store_sum (packed, bytes));
  if (sl_store_step (store->db, store->path, kept->put, error) < 0)
    {
      sqlite3_reset (kept->put);
      return FALSE;
    }
  sqlite3_reset (kept->put);
  return TRUE;
}

static gboolean
put_sample (SlKept *kept, const SlSample *sample, SlStore *store, GError **error)
{
  Tail *tail;

  if (sample->channel >= kept->n)
    return TRUE;
  tail = &kept->tail[sample->channel];
  if (tail->block == NULL)
    tail->block = g_new (Block, 1);
  if (tail->n == SL_BLOCK)
    {
      if (!put_block (kept, sample->channel, store, error))
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
put_tails (SlKept *kept, SlStore *store, GError **error)
{
  for (unsigned c = 0; c < kept->n; c++)
    {
      Tail *tail = &kept->tail[c];

      if (!tail->dirty)
        continue;
      tail->dirty = false;
      if ((tail->n > 0 && !put_block (kept, c, store, error))
          || !sl_store_do (store->db, store->path, error,
                           "UPDATE channel SET n = ?, last = ? WHERE run = ? AND number = ?",
                           "idii", tail->position * SL_BLOCK + (gint64) tail->n,
                           tail->n > 0 ? tail->block->value[tail->n - 1] : (double) NAN, kept->run,
                           (gint64) c))
        return FALSE;
    }
  return TRUE;
}

static gboolean
progress (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  for (guint i = 0; i < job->samples->len; i++)
    if (!put_sample (kept, &g_array_index (job->samples, SlSample, i), store, error))
      return FALSE;
  if (!put_tails (kept, store, error))
    return FALSE;
  if (job->text != NULL
      && !sl_store_do (store->db, store->path, error, "UPDATE run SET recipe = ? WHERE id = ?",
                       "si", job->text, kept->run))
    return FALSE;
  return sl_store_do (
    store->db, store->path, error, "UPDATE run SET step = ?, seconds = ?, touched = ? WHERE id = ?",
    "iddi", (gint64) job->step, job->seconds, (double) g_get_real_time () * 1e-6, kept->run);
}

/* ---- taking back ---- */

/* Makes the last block that has something at or before `step` the tail of its channel, without
 * what comes after; a channel without samples begins anew.  */
static gboolean
cut_channel (SlKept *kept, unsigned channel, uint64_t step, SlStore *store, GError **error)
{
  static const char SQL[]
    = "SELECT position, n, first, stride, data, sum FROM block WHERE run = ?1 AND channel = ?2"
      " AND first <= ?3 ORDER BY position DESC LIMIT 1";
  Tail         *tail = &kept->tail[channel];
  double        steps[SL_BLOCK];
  sqlite3_stmt *statement = sl_store_prepare (store->db, store->path, error, SQL, "iii", kept->run,
                                              (gint64) channel, (gint64) step);
  int  row = statement != NULL ? sl_store_step (store->db, store->path, statement, error) : -1;
  bool fine = row >= 0;

  if (tail->block == NULL)
    tail->block = g_new (Block, 1);
  tail->position = 0;
  tail->n = 0;
  if (row > 0)
    {
      size_t n = (size_t) CLAMP (sqlite3_column_int64 (statement, 1), 0, SL_BLOCK);

      tail->position = sqlite3_column_int64 (statement, 0);
      fine = sl_store_unpack (
               sqlite3_column_blob (statement, 4), (size_t) sqlite3_column_bytes (statement, 4),
               sqlite3_column_int64 (statement, 5), sqlite3_column_int64 (statement, 2),
               sqlite3_column_int64 (statement, 3), n, steps, tail->block->value)
             || sl_fail (error, SL_EFORMAT, store->path, "the samples of a run are damaged", NULL);
      while (fine && tail->n < n && steps[tail->n] <= (double) step)
        {
          tail->block->step[tail->n] = (gint64) steps[tail->n];
          tail->n++;
        }
    }
  sqlite3_finalize (statement);
  tail->dirty = true;
  return fine
         && sl_store_do (store->db, store->path, error,
                         "DELETE FROM block WHERE run = ? AND channel = ? AND position >= ?", "iii",
                         kept->run, (gint64) channel, tail->position);
}

static gboolean
truncate_run (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  for (unsigned c = 0; c < kept->n; c++)
    if (!cut_channel (kept, c, job->step, store, error))
      return FALSE;
  return put_tails (kept, store, error)
         && sl_store_do (store->db, store->path, error,
                         "DELETE FROM flag WHERE run = ? AND number > ?", "ii", kept->run,
                         (gint64) job->number)
         && sl_store_do (store->db, store->path, error,
                         "DELETE FROM checkpoint WHERE run = ? AND step > ?", "ii", kept->run,
                         (gint64) job->step)
         && sl_store_do (store->db, store->path, error, "UPDATE run SET step = ? WHERE id = ?",
                         "ii", (gint64) job->step, kept->run);
}

static gboolean
again (SlKept *kept, SlStore *store, GError **error)
{
  return find_run (kept, store, error)
         && sl_store_do (store->db, store->path, error,
                         "UPDATE run SET status = 'running', owner = ?, problem = '', deleted = 0,"
                         " cell = CASE sweep WHEN '' THEN 0 ELSE cell END WHERE id = ?",
                         "si", store->owner, kept->run);
}

/* ---- checkpoints ---- */

/* Lets the most dispensable ones go until the rest is within what a run may have. */
static gboolean
thin_out (SlKept *kept, SlStore *store, GError **error)
{
  uint64_t      step[SL_HISTORY_MAX + 2];
  gint64        bytes[SL_HISTORY_MAX + 2], sum = 0;
  unsigned      n = 0;
  sqlite3_stmt *statement = sl_store_prepare (
    store->db, store->path, error, "SELECT step, bytes FROM checkpoint WHERE run = ? ORDER BY step",
    "i", kept->run);
  int row = -1;

  while (statement != NULL && n < G_N_ELEMENTS (step)
         && (row = sl_store_step (store->db, store->path, statement, error)) > 0)
    {
      step[n] = (uint64_t) sqlite3_column_int64 (statement, 0);
      bytes[n] = sqlite3_column_int64 (statement, 1);
      sum += bytes[n++];
    }
  sqlite3_finalize (statement);
  while (row >= 0 && n > 1 && (n > SL_HISTORY_MAX || sum > CHECKPOINT_BYTES))
    {
      unsigned out = sl_history_dispensable (step, n, step[n - 1]);

      if (!sl_store_do (store->db, store->path, error,
                        "DELETE FROM checkpoint WHERE run = ? AND step = ?", "ii", kept->run,
                        (gint64) step[out]))
        return FALSE;
      sum -= bytes[out];
      n--;
      memmove (step + out, step + out + 1, (n - out) * sizeof *step);
      memmove (bytes + out, bytes + out + 1, (n - out) * sizeof *bytes);
    }
  return row >= 0;
}

static gboolean
put_checkpoint (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  static const char SQL[]
    = "INSERT OR REPLACE INTO checkpoint (run, step, changes, flags, seconds, bytes, data, sum)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  const SlCheckpoint *checkpoint = &job->checkpoint;

  if (checkpoint->bytes > CHECKPOINT_MOST)
    return TRUE;
  return sl_store_do (store->db, store->path, error, SQL, "iiiidibi", kept->run, (gint64) job->step,
                      (gint64) job->changes, (gint64) job->number, job->seconds,
                      (gint64) checkpoint->bytes, checkpoint->data, checkpoint->bytes,
                      (gint64) sl_store_sum (checkpoint->data, checkpoint->bytes))
         && thin_out (kept, store, error);
}

/* ---- the rest ---- */

static gboolean
set_status (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  gboolean runs = job->number == SL_RUN_RUNNING;

  return sl_store_do (
    store->db, store->path, error, "UPDATE run SET status = ?, problem = ?, owner = ? WHERE id = ?",
    "sssi", sl_run_status_text (job->number), job->text, runs ? store->owner : "", kept->run);
}

static gboolean
carry_out (SlKept *kept, const SlKeptJob *job, SlStore *store, GError **error)
{
  switch (job->kind)
    {
    case SL_KEPT_BEGIN: return begin (kept, job, store, error);
    case SL_KEPT_AGAIN: return again (kept, store, error);
    case SL_KEPT_PROGRESS: return progress (kept, job, store, error);
    case SL_KEPT_CHECKPOINT: return put_checkpoint (kept, job, store, error);
    case SL_KEPT_TRUNCATE: return truncate_run (kept, job, store, error);
    case SL_KEPT_STATUS: return set_status (kept, job, store, error);
    case SL_KEPT_FLAG:
      return sl_store_do (
        store->db, store->path, error,
        "INSERT OR REPLACE INTO flag (run, number, step, text) VALUES (?, ?, ?, ?)", "iids",
        kept->run, (gint64) job->flag.number, job->flag.step, job->flag.text);
    case SL_KEPT_FIGURE:
      return sl_store_do (store->db, store->path, error,
                          "INSERT OR REPLACE INTO figure (run, name, value) VALUES (?, ?, ?)",
                          "isd", kept->run, job->text, job->seconds);
    case SL_KEPT_DISCARD:
      return sl_store_do (store->db, store->path, error, "DELETE FROM run WHERE id = ?", "i",
                          kept->run);
    case SL_KEPT_END: return TRUE;
    }
  return TRUE;
}

gboolean
sl_kept_work (SlStoreJob *job, SlStore *store, GError **error)
{
  SlKeptJob *self = (SlKeptJob *) job;
  SlKept    *kept = self->kept;

  if (self->epoch != atomic_load (&store->epoch) || kept->discarded)
    return TRUE;
  kept->discarded = self->kind == SL_KEPT_DISCARD;
  if (self->layout != NULL)
    {
      kept->n = self->layout->n;
      kept->tail = g_new0 (Tail, kept->n + 1);
    }
  return carry_out (kept, self, store, error);
}
