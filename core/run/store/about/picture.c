/* SPDX-License-Identifier: MIT
 *
 * See picture.h.  */
#include "core/run/store/about/picture.h"

#include "core/run/store/query.h"

void
sl_store_set_picture (SlStore *store, const char *uuid, GBytes *png)
{
  sl_store_ask_sql (store,
                    "INSERT OR REPLACE INTO picture (run, data) SELECT id, ?4 FROM run"
                    " WHERE uuid = ?1",
                    uuid, NULL, 0, png);
}

GBytes *
sl_store_picture (SlStore *store, const char *uuid, GError **error)
{
  g_autoptr (SlStoreReading) reading = sl_store_begin_reading (store, error);
  g_autoptr (sqlite3_stmt) row = NULL;

  if (reading == NULL || !sl_store_has_table (sl_store_reader (store), "picture"))
    return NULL;
  row = sl_store_prepare (sl_store_reader (store), error,
                          "SELECT picture.data FROM picture JOIN run ON run.id = picture.run"
                          " WHERE run.uuid = ?",
                          "s", uuid);
  return row != NULL && sl_store_step (sl_store_reader (store), row, error) > 0
           ? g_bytes_new (sqlite3_column_blob (row, 0), (gsize) sqlite3_column_bytes (row, 0))
           : NULL;
}
