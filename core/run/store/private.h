/* SPDX-License-Identifier: MIT
 *
 * The inside of a store, shared by store.c, thread.c (the thread that writes), edit.c,
 * read.c with list.c and load.c, copy.c (from file to file) and writer.c with writer-rows.c.  */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/run/store/file.h"
#include "core/run/store/query.h"
#include "core/run/store/store.h"

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "blobs are little-endian in the file and are written as they lie in memory"
#endif

enum {
  SL_BLOCK = 500, /* samples: two blocks fill a page of the file */
};

typedef struct SlStoreJob SlStoreJob;

/* Something for the writing thread, which calls work() inside a transaction and then free().  */
struct SlStoreJob
{
  gboolean (*work) (SlStoreJob *job, SlStore *store, GError **error);
  void (*free) (SlStoreJob *job);
  const char *uuid;  /* of the run that it writes; NULL: any run */
  bool        alone; /* makes its own transactions, and runs in no batch with others */
  SlStoreJob *next;
};

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
  gint64      seen;  /* version of the file as other programs have it; 0: never asked */
  pthread_t   thread;
  bool        threaded;

  /* Both sides', under the mutex. */
  pthread_mutex_t  mutex;
  pthread_cond_t   wake, settled;
  SlStoreJob      *first, **last;
  uint64_t         asked, done; /* numbers of jobs */
  unsigned         watchers;    /* of what other programs write */
  GHashTable      *written;     /* ids of runs that were written since they were asked for */
  bool             any_written; /* any run may have been */
  bool             stop;
  GError          *trouble;
  GError          *shown; /* the main thread's copy of it */
  _Atomic unsigned epoch; /* goes up with every trouble: writers from before have lost something */

  /* Readers', under their own. */
  pthread_mutex_t reading;
  SlStoreFile     reader;
  bool            alone; /* opened to read when no other program had the file open */
  GHashTable *names; /* naming.h: of what is read of an earlier version and not written, or NULL */
};

/* list.c: FALSE with a sentence where another process trains the run. */
gboolean sl_store_check_owner (const SlStoreFile *file, const char *uuid, GError **error);

/* ---- thread.c ---- */

/* Begins the thread that writes. */
gboolean sl_store_begin_thread (SlStore *store);
/* Ends it after all jobs are done; does nothing without a thread. */
void sl_store_end_thread (SlStore *store);

/* thread.c: hands over a job, which is freed later. */
void sl_store_ask (SlStore *store, SlStoreJob *job);
