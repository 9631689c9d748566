/* SPDX-License-Identifier: MIT
 *
 * Reading runs back: what all readers share, samples, names and places.  One connection, one reader
 * at a time; the thread that writes is not waited for.  store-list.c reads the list of runs,
 * store-load.c one as a whole.  */
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/store/private.h"

/* ---- one picture of the file for several queries ---- */

gboolean
sl_store_begin_reading (SlStore *store, GError **error)
{
  pthread_mutex_lock (&store->reading);
  if (sl_store_file_run (store->reader, store->path, "BEGIN", error))
    return TRUE;
  pthread_mutex_unlock (&store->reading);
  return FALSE;
}

void
sl_store_end_reading (SlStore *store)
{
  sqlite3_exec (store->reader, "COMMIT", NULL, NULL, NULL);
  pthread_mutex_unlock (&store->reading);
}

sqlite3_stmt *
sl_store_query (SlStore *store, GError **error, const char *sql, const char *text, gint64 number)
{
  sqlite3_stmt *statement = sl_store_prepare (store->reader, store->path, error, sql, "");

  if (statement == NULL)
    return NULL;
  if (sqlite3_bind_parameter_count (statement) >= 1)
    sqlite3_bind_text (statement, 1, text, -1, SQLITE_TRANSIENT);
  if (sqlite3_bind_parameter_count (statement) >= 2)
    sqlite3_bind_int64 (statement, 2, number);
  return statement;
}

int
sl_store_row (SlStore *store, sqlite3_stmt *statement, GError **error)
{
  return sl_store_step (store->reader, store->path, statement, error);
}

/* ---- samples ---- */

gboolean
sl_store_unpack (const void *data, size_t bytes, gint64 sum, gint64 first, gint64 stride, size_t n,
                 double *steps, double *value)
{
  size_t one = n * sizeof (double);

  if (data == NULL || bytes != (stride == 0 ? 2 * one : one) || sl_store_sum (data, bytes) != sum)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    if (stride == 0)
      {
        gint64 s;

        memcpy (&s, (const char *) data + i * sizeof s, sizeof s);
        steps[i] = (double) s;
      }
    else
      steps[i] = (double) (first + (gint64) i * stride);
  memcpy (value, (const char *) data + bytes - one, one);
  return TRUE;
}

gboolean
sl_store_read_blocks (SlStore *store, sqlite3_stmt *statement, SlSeries *series, unsigned n_series,
                      GError **error)
{
  double steps[SL_BLOCK], value[SL_BLOCK];
  int    more;

  while ((more = sl_store_row (store, statement, error)) > 0)
    {
      guint64   channel = (guint64) sqlite3_column_int64 (statement, 0);
      gint64    n = sqlite3_column_int64 (statement, 1);
      SlSeries *to = channel < n_series ? &series[channel] : NULL;

      if (to == NULL || n < 0 || n > SL_BLOCK
          || !sl_store_unpack (
            sqlite3_column_blob (statement, 4), (size_t) sqlite3_column_bytes (statement, 4),
            sqlite3_column_int64 (statement, 5), sqlite3_column_int64 (statement, 2),
            sqlite3_column_int64 (statement, 3), (size_t) n, steps, value)
          || (n > 0 && to->n > 0 && !(steps[0] >= to->step[to->n - 1])))
        return sl_fail (error, SL_EFORMAT, store->path, _ ("the samples of a run are damaged"),
                        NULL);
      for (gint64 i = 0; i < n; i++)
        if ((i > 0 && !(steps[i] >= steps[i - 1])) || !sl_series_append (to, steps[i], value[i]))
          return sl_fail (error, SL_ENOMEM, store->path, _ ("no room for its samples"), NULL);
    }
  return more == 0;
}

gboolean
sl_store_load_channel (SlStore *store, const char *uuid, const char *channel, SlSeries *series,
                       GError **error)
{
  static const char SQL[]
    = "SELECT 0, block.n, first, stride, block.data, sum FROM block"
      " JOIN channel ON channel.run = block.run AND channel.number = block.channel"
      " JOIN run ON run.id = block.run WHERE run.uuid = ?1 AND channel.name = ?2 ORDER BY position";
  static const char EXISTS[] = "SELECT 1 FROM channel JOIN run ON run.id = channel.run"
                               " WHERE run.uuid = ?1 AND channel.name = ?2";
  sqlite3_stmt     *statement;
  gboolean          fine = FALSE;

  *series = (SlSeries) { 0 };
  if (!sl_store_begin_reading (store, error))
    return FALSE;
  statement = sl_store_prepare (store->reader, store->path, error, EXISTS, "ss", uuid, channel);
  if (statement != NULL)
    {
      int row = sl_store_row (store, statement, error);

      fine
        = row > 0 || (row == 0 && sl_fail (error, SL_EINVAL, channel, _ ("no such channel"), NULL));
    }
  sqlite3_finalize (statement);
  statement
    = fine ? sl_store_prepare (store->reader, store->path, error, SQL, "ss", uuid, channel) : NULL;
  fine = statement != NULL && sl_store_read_blocks (store, statement, series, 1, error);
  sqlite3_finalize (statement);
  sl_store_end_reading (store);
  if (!fine)
    sl_series_clear (series);
  return fine;
}

GArray *
sl_store_checkpoints (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint64));
  sqlite3_stmt *statement;
  int           more = -1;

  if (!sl_store_begin_reading (store, error))
    return NULL;
  statement = sl_store_query (store, error,
                              "SELECT checkpoint.step FROM checkpoint"
                              " JOIN run ON run.id = checkpoint.run"
                              " WHERE run.uuid = ? ORDER BY 1",
                              uuid, 0);
  while (statement != NULL && (more = sl_store_row (store, statement, error)) > 0)
    {
      guint64 at = (guint64) sqlite3_column_int64 (statement, 0);

      g_array_append_val (steps, at);
    }
  sqlite3_finalize (statement);
  sl_store_end_reading (store);
  return more == 0 ? g_steal_pointer (&steps) : NULL;
}

/* ---- the file as SQLite sees it ---- */

gboolean
sl_store_check (SlStore *store, GError **error)
{
  sqlite3_stmt *statement;
  gboolean      whole = FALSE;

  if (!sl_store_begin_reading (store, error))
    return FALSE;
  statement = sl_store_query (store, error, "PRAGMA integrity_check(1)", NULL, 0);
  if (statement != NULL && sl_store_row (store, statement, error) > 0)
    {
      const char *said = sl_store_text (statement, 0), *line = strrchr (said, '\n');

      /* What is wrong comes below a line that says in which database. */
      said = line != NULL ? line + 1 : said;

      whole = strcmp (said, "ok") == 0
              || sl_fail (error, SL_EFORMAT, store->path, said, _ ("a database without damage"));
    }
  sqlite3_finalize (statement);
  sl_store_end_reading (store);
  return whole;
}
