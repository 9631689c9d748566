/* SPDX-License-Identifier: MIT
 *
 * What the writing thread of a store is given to do.  Only for the other files of the store.  */
#pragma once

#include "core/run/store/file.h"
#include "core/run/store/store.h"

typedef struct SlStoreJob SlStoreJob;

/* Something for the writing thread, which calls work() inside a transaction and then free().  Where the
 * transaction fails, the job waits and work() is called again.  */
struct SlStoreJob
{
  gboolean (*work) (SlStoreJob *job, SlStore *store, GError **error);
  void (*free) (SlStoreJob *job);
  const char *uuid; /* of the run that it writes; NULL: any run */
  bool alone;   /* makes its own transactions, and runs in no batch with others; is tried once */
  bool refused; /* by what the file has, not by the disk: work() is not called again */
  gconstpointer key; /* where jobs wait, a later one of this key replaces it; NULL: none does */
  SlStoreJob   *next;
};

/* Hands over a job, which is freed later.  Any thread. */
void sl_store_ask (SlStore *store, SlStoreJob *job);

/* The file, for work() alone. */
const SlStoreFile *sl_store_writer (SlStore *store);
