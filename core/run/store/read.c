/* SPDX-License-Identifier: MIT
 *
 * Reading runs back: what all readers share, samples, names and places.  One connection, one reader
 * at a time; the thread that writes is not waited for.  list.c reads the list of runs,
 * load.c one as a whole.  */
#include <string.h>

#include <glib/gi18n.h>

#include "core/run/store/private.h"

/* ---- one picture of the file for several queries ---- */

SlStoreReading *
sl_store_begin_reading (SlStore *store, GError **error)
{
  sl_store_mend_index (store);
  pthread_mutex_lock (&store->reading);
  if (sl_store_file_run (&store->reader, "BEGIN", error))
    return store;
  pthread_mutex_unlock (&store->reading);
  return NULL;
}

void
sl_store_end_reading (SlStoreReading *reading)
{
  sqlite3_exec (reading->reader.db, "COMMIT", NULL, NULL, NULL);
  pthread_mutex_unlock (&reading->reading);
}

SlStoreFile *
sl_store_reader (SlStoreReading *reading)
{
  return &reading->reader;
}

/* ---- samples ---- */

/* Whether the last of n steps is a number that can be. */
static gboolean
is_step (gint64 first, gint64 stride, size_t n)
{
  gint64 way, last;

  return !__builtin_mul_overflow (stride, n, &way) && !__builtin_add_overflow (first, way, &last);
}

gboolean
sl_store_unpack (sqlite3_stmt *row, int column, size_t n, double *steps, double *value)
{
  gint64      first = sqlite3_column_int64 (row, column);
  gint64      stride = sqlite3_column_int64 (row, column + 1);
  const void *data = sqlite3_column_blob (row, column + 2);
  size_t      bytes = (size_t) sqlite3_column_bytes (row, column + 2), one = n * sizeof (double);

  if (data == NULL || bytes != (stride == 0 ? 2 * one : one) || !is_step (first, stride, n)
      || sl_store_sum (data, bytes) != sqlite3_column_int64 (row, column + 3))
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

/* Whether n steps do not fall, nor begin before the last one of the series. */
static gboolean
in_order (const double *steps, gint64 n, const SlSeries *series)
{
  for (gint64 i = 1; i < n; i++)
    if (!(steps[i] >= steps[i - 1]))
      return FALSE;
  return n == 0 || series->n == 0 || steps[0] >= series->step[series->n - 1];
}

gboolean
sl_store_read_blocks (SlStore *store, sqlite3_stmt *statement, SlSeries *series, GError **error)
{
  double steps[SL_BLOCK], value[SL_BLOCK];
  int    more;

  while ((more = sl_store_step (&store->reader, statement, error)) > 0)
    {
      gint64 n = sqlite3_column_int64 (statement, 0);

      if (n < 0 || n > SL_BLOCK || !sl_store_unpack (statement, 1, (size_t) n, steps, value)
          || !in_order (steps, n, series))
        return sl_fail (error, SL_EFORMAT, store->path, _ ("the samples of a run are damaged"),
                        NULL);
      for (gint64 i = 0; i < n; i++)
        if (!sl_series_append (series, steps[i], value[i]))
          return sl_fail (error, SL_ENOMEM, store->path, _ ("no room for its samples"), NULL);
    }
  return more == 0;
}

/* ---- the file as SQLite sees it ---- */

gboolean
sl_store_check (SlStore *store, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) statement = NULL;
  const char *said, *line;

  if (reading != NULL)
    statement = sl_store_prepare (&store->reader, error, "PRAGMA integrity_check(1)", "");
  if (statement == NULL || sl_store_step (&store->reader, statement, error) <= 0)
    return FALSE;
  said = sl_store_text (statement, 0);
  line = strrchr (said, '\n');
  /* What is wrong comes below a line that says in which database. */
  said = line != NULL ? line + 1 : said;
  return strcmp (said, "ok") == 0
         || sl_fail (error, SL_EFORMAT, store->path, said, _ ("a database without damage"));
}

gboolean
sl_store_sizes (SlStore *store, SlStoreSizes *sizes, GError **error)
{
  static const char SQL[]
    = "SELECT page_count * page_size, (SELECT total (length (data)) FROM checkpoint),"
      " (SELECT count (DISTINCT run) FROM checkpoint)"
      " FROM pragma_page_count, pragma_page_size";
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row
    = reading != NULL ? sl_store_prepare (&store->reader, error, SQL, "") : NULL;

  *sizes = (SlStoreSizes) { 0 };
  if (row == NULL || sl_store_step (&store->reader, row, error) <= 0)
    return FALSE;
  sizes->all = (guint64) sqlite3_column_int64 (row, 0);
  sizes->states = (guint64) sqlite3_column_int64 (row, 1);
  sizes->runs = (unsigned) sqlite3_column_int (row, 2);
  return TRUE;
}
