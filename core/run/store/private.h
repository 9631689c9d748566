/* SPDX-License-Identifier: MIT
 *
 * The inside of a store, shared by store.c, thread.c (the thread that writes), edit.c,
 * read.c with list.c and load.c, copy.c (from file to file), room.c (what is given up) and writer.c with writer-rows.c.  */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "core/run/store/file.h"
#include "core/run/store/job.h"
#include "core/run/store/query.h"
#include "core/run/store/store.h"

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "blobs are little-endian in the file and are written as they lie in memory"
#endif

enum {
  SL_BLOCK = 500, /* samples: two blocks fill a page of the file */
};

/* A file as it was when it was opened. */
typedef struct
{
  dev_t device;
  ino_t number;
} SlStoreIdentity;

struct _SlStore
{
  GObject parent;

  const char *_Atomic path; /* interned: a store can move */
  GMainContext       *context;
  guint               news; /* bits that wait to be told; under the mutex */
  GSource            *bell; /* that tells them; under the mutex */

  /* The writing thread's. */
  SlStoreFile writer;
  char       *owner;     /* this process, in words that no other one has */
  gint64      seen;      /* version of the file as other programs have it; 0: never asked */
  uint64_t  rolled_back; /* transactions; what a writer knows from before one is not in the file */
  pthread_t thread;
  bool      threaded;

  /* Both sides', under the mutex. */
  pthread_mutex_t mutex;
  pthread_cond_t  wake, settled;
  SlStoreJob     *first, **last;
  uint64_t        asked, done; /* numbers of jobs */
  unsigned        watchers;    /* of what other programs write */
  unsigned        idle;        /* waits without a job since the last one */
  GHashTable     *written;     /* ids of runs that were written since they were asked for */
  bool            any_written; /* any run may have been */
  bool            stop;
  GError         *trouble; /* jobs wait for its end */
  GError         *shown;   /* the main thread's copy of it */
  GError  *refused; /* the last thing that could not be stored for another reason than the disk */
  uint64_t tries, tried; /* that were asked for since, and those that were made */
  gint64   pause, due;   /* until the next one comes by itself; when, µs of the monotonic clock */
  SlStorePlace place;
  bool         remake; /* a store that is gone is made again at its path */
  bool         ending; /* the next try is the last */
  const char  *wanted; /* interned: where it is to move to, or NULL */

  gboolean        drops_looks; /* the main thread's */
  _Atomic guint64 budget;      /* bytes; see room.h */

  /* Held by the thread that writes while it uses its file. */
  pthread_mutex_t writing;
  SlStoreIdentity file, log, index; /* under it; of files that are not there 0 */
  _Atomic gint64  index_bytes;      /* of the memory that SQLite shares with other programs */

  /* Readers', under their own. */
  pthread_mutex_t reading;
  SlStoreFile     reader;
  bool            alone; /* opened to read when no other program had the file open */
  GHashTable *names; /* naming.h: of what is read of an earlier version and not written, or NULL */
};

/* ---- thread.c ---- */

/* Begins the thread that writes. */
gboolean sl_store_begin_thread (SlStore *store);
/* Ends it after all jobs are done; does nothing without a thread. */
void sl_store_end_thread (SlStore *store);

/* ---- store.c ---- */

/* Restores the index of the log where another program cut it off: SQLite has it in its memory, and reading
 * there would end the process.  Any thread, between transactions.  */
void sl_store_mend_index (SlStore *store);

/* Whether what is written now can be found at the store's path; mends what can be mended, and moves the store
 * where that is wanted.  Under `writing`.  FALSE with a sentence.  */
gboolean sl_store_find_place (SlStore *store, GError **error);

/* list.c: the other way round from sl_run_status_text(); "failed" for any other word. */
SlRunStatus sl_run_status_of (const char *text);
