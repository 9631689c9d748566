/* SPDX-License-Identifier: MIT
 *
 * The inside of a store, shared by store.c (the thread that writes), file.c (SQLite),
 * read.c with list.c and load.c, copy.c (from file to file) and writer.c
 * with writer-rows.c.  */
#pragma once

#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>

#include "core/run/store/store.h"

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "blobs are little-endian in the file and are written as they lie in memory"
#endif

enum {
  SL_STORE_APPLICATION = 0x536c7563,
  SL_STORE_VERSION = 1,
  SL_STORE_BUSY_MS = 30000,
  SL_BLOCK = 500, /* samples: two blocks fill a page of the file */
};

typedef struct SlStoreJob SlStoreJob;

/* Something for the writing thread, which calls work() inside a transaction and then free().  */
struct SlStoreJob
{
  gboolean (*work) (SlStoreJob *job, SlStore *store, GError **error);
  void (*free) (SlStoreJob *job);
  bool        alone; /* wants no transaction around it, and others need not share its fate */
  SlStoreJob *next;
};

/* A connection, and the file that sentences are about. */
typedef struct
{
  sqlite3    *db;
  const char *path; /* borrowed */
} SlStoreFile;

struct _SlStore
{
  GObject parent;

  char         *path;
  GMainContext *context;
  guint         news; /* bits that wait to be told; under the mutex */
  GSource      *bell; /* that tells them; under the mutex */

  /* The writing thread's. */
  SlStoreFile writer;
  char       *owner; /* this process, in words that no other one has */
  pthread_t   thread;
  bool        threaded;

  /* Both sides', under the mutex. */
  pthread_mutex_t  mutex;
  pthread_cond_t   wake, settled;
  SlStoreJob      *first, **last;
  uint64_t         asked, done; /* numbers of jobs */
  bool             stop;
  GError          *trouble;
  GError          *shown; /* the main thread's copy of it */
  _Atomic unsigned epoch; /* goes up with every trouble: writers from before have lost something */

  /* Readers', under their own. */
  pthread_mutex_t reading;
  SlStoreFile     reader;
};

/* file.c: opens for writing (with tables, made if need be) or reading, under the name that SQLite
 * knows it by: the path or a URI.  FALSE with a sentence.  */
gboolean sl_store_file_open (SlStoreFile *file, const char *name, const char *path, gboolean write,
                             GError **error);

/* Opens one to look at: as it is, or where its folder cannot be written, as a file that does not
 * change.  Gives the URI that it was opened as; free with g_free().  NULL with a sentence.  */
char *sl_store_file_open_to_read (SlStoreFile *file, const char *path, GError **error);

/* What SQLite refused, as an error about this file; FALSE. */
gboolean sl_store_file_fail (const SlStoreFile *file, GError **error);

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

/* The text of a column, "" for NULL; good until the next row. */
const char *sl_store_text (sqlite3_stmt *statement, int column);

guint32 sl_store_sum (const void *data, size_t n); /* CRC-32 */

/* list.c: FALSE with a sentence where another process trains the run. */
gboolean sl_store_check_owner (const SlStoreFile *file, const char *uuid, GError **error);

/* store.c: hands over a job, which is freed later. */
void sl_store_ask (SlStore *store, SlStoreJob *job);

/* Carries out a statement on ?1 uuid, ?2 text, ?3 number and ?4 bytes in the background. */
void sl_store_ask_sql (SlStore *store, const char *sql, const char *uuid, const char *text,
                       double number, GBytes *bytes);

/* read.c: a block into columns of at least `n`; FALSE when it is damaged.  The row has its first step,
 * stride, data and sum from this column on.  */
gboolean sl_store_unpack (sqlite3_stmt *row, int column, size_t n, double *step, double *value);

/* read.c: one picture of the file for several queries; then nobody else reads.  Statements go before
 * it ends, as g_autoptr() does with what is declared after it.  */
typedef SlStore SlStoreReading;

SlStoreReading *sl_store_begin_reading (SlStore *store, GError **error);
void            sl_store_end_reading (SlStoreReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlStoreReading, sl_store_end_reading)

/* Appends the blocks of a statement (channel, n, first, stride, data, sum) to series[channel]. */
gboolean sl_store_read_blocks (SlStore *store, sqlite3_stmt *statement, SlSeries *series,
                               unsigned n_series, GError **error);

/* list.c: the other way round from sl_run_status_text(); "failed" for any other word. */
SlRunStatus sl_run_status_of (const char *text);
