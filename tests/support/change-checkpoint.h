/* SPDX-License-Identifier: MIT
 *
 * A checkpoint in a store that no program has open, as another version would have written it.  */
#pragma once

#include <glib.h>
#include <sqlite3.h>
#include <string.h>
#include <zlib.h>

#include "core/run/store/pack.h"

/* Makes the byte behind `before` another one in the checkpoint of a run at `step`. */
static inline void
sl_change_checkpoint (const char *path, const char *uuid, guint64 step, const char *before,
                      char byte)
{
  g_autofree char *sql
    = g_strdup_printf ("SELECT checkpoint.id, checkpoint.data FROM checkpoint"
                       " JOIN run ON run.id = checkpoint.run"
                       " WHERE uuid = '%s' AND checkpoint.step = %" G_GUINT64_FORMAT,
                       uuid, step);
  g_autofree char *block = NULL;
  char            *at;
  sqlite3         *db = NULL;
  sqlite3_stmt    *row;
  gint64           id;
  size_t           size;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &row, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_ROW);
  id = sqlite3_column_int64 (row, 0);
  block = sl_store_unpack_state (sqlite3_column_blob (row, 1),
                                 (size_t) sqlite3_column_bytes (row, 1), &size);
  g_assert_nonnull (block);
  sqlite3_finalize (row);
  at = g_strstr_len (block, (gssize) size, before);
  g_assert_nonnull (at);
  at[strlen (before)] = byte;
  g_assert_cmpint (
    sqlite3_prepare_v2 (db, "UPDATE checkpoint SET data = ?, sum = ? WHERE id = ?", -1, &row, NULL),
    ==, SQLITE_OK);
  sqlite3_bind_blob64 (row, 1, block, size, SQLITE_STATIC);
  sqlite3_bind_int64 (row, 2, (gint64) crc32_z (0, (guint8 *) block, size));
  sqlite3_bind_int64 (row, 3, id);
  g_assert_cmpint (sqlite3_step (row), ==, SQLITE_DONE);
  sqlite3_finalize (row);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}
