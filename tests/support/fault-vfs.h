/* SPDX-License-Identifier: MIT
 *
 * A file system for SQLite that fails when it is told to, and knows what a crash would leave.  It is
 * SQLite's own below; for tests, and safe in several threads.  */
#pragma once

#include <glib.h>

#include "core/base/rng.h"

/* Becomes the one that is used; FALSE: SQLite's own again. */
void sl_fault_vfs_use (gboolean use);

/* The `call`-th call about a file from now on gives `code` (SQLITE_IOERR_WRITE and so on; a write gives
 * SQLITE_FULL where that is `code`), and with `lasts` every one after it, too.  0: none.  */
void sl_fault_vfs_fail (unsigned call, int code, gboolean lasts);

/* Calls, and how many failed, since then. */
unsigned sl_fault_vfs_calls (void);
unsigned sl_fault_vfs_faults (void);

/* From now on what is written is recorded; files should be new.  `event` is called before each
 * write, cut, removal and sync of a file, from whatever thread; it may call the function below.  */
typedef void (*SlFaultEvent) (gboolean syncs_log, gpointer data);

void sl_fault_vfs_record (SlFaultEvent event, gpointer data);

/* Writes into a folder what a loss of power right now may leave of the files: what was written before
 * their last sync, and of what came later a beginning, some of the writes, or some pieces of them.  */
void sl_fault_vfs_crash (const char *folder, SlRng *rng);
