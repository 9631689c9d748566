/* SPDX-License-Identifier: MIT
 *
 * Queries of a store, and statements for its thread that writes.  Any thread.  */
#pragma once

#include "core/run/store/file.h"
#include "core/run/store/store.h"

/* A block into columns of at least `n`; FALSE when it is damaged.  The row has its first step,
 * stride, data and sum from this column on.  */
gboolean sl_store_unpack (sqlite3_stmt *row, int column, size_t n, double *step, double *value);

/* One picture of the file for several queries; meanwhile no other thread reads.  Statements go
 * before it ends, as g_autoptr() does with what is declared after it.  */
typedef SlStore SlStoreReading;

SlStoreReading *sl_store_begin_reading (SlStore *store, GError **error);
void            sl_store_end_reading (SlStoreReading *reading);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SlStoreReading, sl_store_end_reading)

/* The file that it reads. */
SlStoreFile *sl_store_reader (SlStoreReading *reading);

/* Appends the blocks of a statement (n, first, stride, data, sum) to a series. */
gboolean sl_store_read_blocks (SlStore *store, sqlite3_stmt *statement, SlSeries *series,
                               GError **error);

/* owner.c: FALSE with a sentence where another process trains the run. */
gboolean sl_store_check_owner (const SlStoreFile *file, const char *uuid, GError **error);

/* workspace.c: what can be taken back of a run that is being loaded.  FALSE with a sentence. */
gboolean sl_store_load_edits (SlStore *store, SlStoredRun *run, GError **error);

/* Carries out a statement on ?1 uuid, ?2 text, ?3 number and ?4 bytes in the background. */
void sl_store_ask_sql (SlStore *store, const char *sql, const char *uuid, const char *text,
                       double number, GBytes *bytes);
