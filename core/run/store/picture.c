/* SPDX-License-Identifier: MIT
 *
 * See store-picture.h.  */
#include "core/run/store/picture.h"

#include "core/run/store/private.h"

typedef struct
{
  SlStoreJob job;
  char      *uuid;
  GBytes    *png;
} Keeping;

static gboolean
keep (SlStoreJob *job, SlStore *store, GError **error)
{
  const Keeping *self = (const Keeping *) job;
  gsize          bytes;
  const void    *data = g_bytes_get_data (self->png, &bytes);

  return sl_store_do (store->db, store->path, error,
                      "INSERT OR REPLACE INTO picture (run, data) SELECT id, ?2 FROM run"
                      " WHERE uuid = ?1",
                      "sb", self->uuid, data, bytes);
}

static void
keep_free (SlStoreJob *job)
{
  Keeping *self = (Keeping *) job;

  g_free (self->uuid);
  g_bytes_unref (self->png);
  g_free (self);
}

void
sl_store_set_picture (SlStore *store, const char *uuid, GBytes *png)
{
  Keeping *self = g_new0 (Keeping, 1);

  self->job.work = keep;
  self->job.free = keep_free;
  self->uuid = g_strdup (uuid);
  self->png = g_bytes_ref (png);
  sl_store_ask (store, &self->job);
}

/* The first value of the first row, as bytes; NULL where there is none. */
static GBytes *
ask (SlStore *store, const char *sql, const char *uuid, GError **error)
{
  sqlite3_stmt *statement = sl_store_prepare (store->reader, store->path, error, sql, "s", uuid);
  GBytes       *bytes = NULL;

  if (statement != NULL && sl_store_step (store->reader, store->path, statement, error) > 0)
    {
      const void *data = sqlite3_column_blob (statement, 0);

      bytes = g_bytes_new (data, (gsize) sqlite3_column_bytes (statement, 0));
    }
  sqlite3_finalize (statement);
  return bytes;
}

GBytes *
sl_store_picture (SlStore *store, const char *uuid, GError **error)
{
  GBytes *table, *png = NULL;

  pthread_mutex_lock (&store->reading);
  /* A file that was never written by a program that knows of pictures has no table for them. */
  table = ask (store, "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'picture'",
               "", error);
  if (table != NULL)
    png = ask (store,
               "SELECT picture.data FROM picture JOIN run ON run.id = picture.run"
               " WHERE run.uuid = ?",
               uuid, error);
  g_clear_pointer (&table, g_bytes_unref);
  pthread_mutex_unlock (&store->reading);
  return png;
}
