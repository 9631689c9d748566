/* SPDX-License-Identifier: MIT
 *
 * An SQLite file of ours and its statements.  Only for the other files of the store.  Threads: a
 * connection belongs to one at a time.  */
#pragma once

#include <sqlite3.h>

#include "core/run/base/error.h"

enum {
  SL_STORE_APPLICATION = 0x536c7563,
  SL_STORE_VERSION = 2,
  SL_STORE_BUSY_MS = 30000,
};

/* A connection, and the file that sentences are about. */
typedef struct
{
  sqlite3    *db;
  const char *path; /* borrowed */
} SlStoreFile;

/* Opens for writing (with tables, made if need be) or reading, under the name that SQLite
 * knows it by: the path or a URI.  FALSE with a sentence.  */
gboolean sl_store_file_open (SlStoreFile *file, const char *name, const char *path, gboolean write,
                             GError **error);

/* Opens one to look at: as it is, or where its folder cannot be written, as a file that does not
 * change.  Gives the URI that it was opened as; free with g_free().  NULL with a sentence.  */
char *sl_store_file_open_to_read (SlStoreFile *file, const char *path, GError **error);

/* Has SQLite remove the empty log that reading left beside a file, unless another program has that open. */
void sl_store_file_remove_log (const char *path);

/* What SQLite refused, as an error about this file; FALSE. */
gboolean sl_store_file_fail (const SlStoreFile *file, GError **error);

/* Whether the disk or the file was the reason why SQLite refused the last call, and not what was asked. */
gboolean sl_store_file_is_ill (const SlStoreFile *file);

/* Carries out statements without results. */
gboolean sl_store_file_run (const SlStoreFile *file, const char *sql, GError **error);

/* A statement whose parameters are given by a format of one letter each: i int64, d double, s text
 * (or NULL), b blob (const void *, size_t); those behind the statement's last are left out.  NULL
 * with a sentence.  Texts and blobs must outlive it.  */
sqlite3_stmt *sl_store_prepare (const SlStoreFile *file, GError **error, const char *sql,
                                const char *format, ...);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* The same without rows to fetch. */
gboolean sl_store_do (const SlStoreFile *file, GError **error, const char *sql, const char *format,
                      ...);

/* The same for the first number of the first row: 1, no row: 0, failure: -1. */
int sl_store_number (const SlStoreFile *file, gint64 *number, GError **error, const char *sql,
                     const char *format, ...);

/* The next row: 1, none: 0, failure: -1. */
int sl_store_step (const SlStoreFile *file, sqlite3_stmt *statement, GError **error);

/* Whether the file has a table that came later: one that was never written by a program that knows of it
 * has none.  */
gboolean sl_store_has_table (const SlStoreFile *file, const char *name);

/* The text of a column, "" for NULL; good until the next row. */
const char *sl_store_text (sqlite3_stmt *statement, int column);

guint32 sl_store_sum (const void *data, size_t n); /* CRC-32 */
