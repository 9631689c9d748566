/* SPDX-License-Identifier: MIT
 *
 * Opening data and making weights in a thread of its own, so that neither the window nor the
 * run that is going on waits.  For one owner thread.  Private to core/run.  */
#pragma once

#include "core/run/session/worker.h"
#include "core/run/store/store.h"

/* A data set and the number of its users; counted on the owner's thread only. */
struct SlSharedData
{
  SlDataset *set;  /* NULL for labs that need none */
  char      *spec; /* as the caller wrote it */
  unsigned   users;
};

SlSharedData *sl_shared_data_use (SlSharedData *data);
void          sl_shared_data_leave (SlSharedData *data); /* the last one frees; NULL is fine */

/* Whether data, NULL being fine, were opened with this specification. */
bool sl_shared_data_is (const SlSharedData *data, const char *spec);

/* Bytes of the examples; NULL is fine. */
size_t sl_shared_data_bytes (const SlSharedData *data);

/* Whether data are worth keeping open: made by a source of ours, so that they cannot have changed
 * when they are opened again, and not too large.  */
bool sl_shared_data_can_keep (const SlSharedData *data);

/* The reason why another run begins, as far as undoing goes. */
typedef enum {
  SL_FOR_ITSELF, /* another seed, other data, a stored run, … */
  SL_FOR_EDIT,   /* a restart parameter was changed, which is the newest change to take back */
  SL_FOR_UNDO,   /* such a change was taken back or made again by its value */
} SlRequestCause;

/* What to make. */
typedef struct
{
  SlRecipe       recipe; /* lab, settings, seed, and perhaps changes to replay; owned */
  char          *spec;   /* of the data, owned; NULL: none */
  SlSharedData  *data;   /* already open (counted), or NULL: open `spec` */
  bool           run;    /* let it go at once */
  SlRequestCause cause;
  SlStoredRun   *stored;  /* to go on with, from sl_stored_run_share(); or NULL */
  SlRun         *idle;    /* whose trainer may serve `stored`, owned; or NULL */
  bool           refused; /* (out) the data or the trainer are not those of `stored` */
} SlRequest;

/* A stored run that several requests hold; takes over what is in `run`. */
SlStoredRun *sl_stored_run_share (SlStoredRun *run);

SlRequest *sl_request_new (const SlLab *lab, const SlSettings *settings, uint64_t seed,
                           unsigned threads, bool run);
SlRequest *sl_request_copy (const SlRequest *request);
void       sl_request_drop_stored (SlRequest *request); /* begins the run anew, then */
void       sl_request_free (SlRequest *request);

typedef struct SlLoader SlLoader;

/* Starts on the request, which it takes over; `unseen`: its result is not waited for.  NULL when no
 * thread can be started; the request is then freed.  */
SlLoader *sl_loader_start (SlRequest *request, bool unseen);

bool sl_loader_done (SlLoader *loader);

/* Waits for the thread and gives everything out: the request, and a run (generation 0) unless
 * the status is a failure.  Request and run are the caller's; the loader is freed.  */
SlStatus sl_loader_finish (SlLoader *loader, SlRequest **request, SlRun **run);

/* Frees a run that no worker has, with its trainer, and leaves its data. */
void sl_run_free (SlRun *run);
