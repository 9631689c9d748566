/* SPDX-License-Identifier: MIT
 *
 * The loading thread.  */
#include "core/run/session/loader.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/data/source/source.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/record/data.h"

static const size_t KEPT_BYTES = 256 << 20; /* of data that stay open */

struct SlLoader
{
  pthread_t    thread;
  SlRequest   *request;
  SlDataset   *opened;
  SlTrainer   *trainer;
  SlCheckpoint first; /* of a stored run, at step 0 */
  SlStatus     status;
  bool         unseen, reused;
  _Atomic bool done;
};

SlSharedData *
sl_shared_data_use (SlSharedData *data)
{
  data->users++;
  return data;
}

void
sl_shared_data_leave (SlSharedData *data)
{
  if (data == NULL || --data->users > 0)
    return;
  sl_dataset_free (data->set);
  g_free (data->spec);
  g_free (data);
}

bool
sl_shared_data_is (const SlSharedData *data, const char *spec)
{
  return data != NULL
         && (g_strcmp0 (spec, data->spec) == 0
             || (data->set != NULL && strcmp (spec, data->set->id) == 0));
}

size_t
sl_shared_data_bytes (const SlSharedData *data)
{
  const SlDataset *set = data != NULL ? data->set : NULL;

  if (set == NULL)
    return 0;
  return (set->n[SL_TRAIN] + set->n[SL_VALID] + set->n[SL_TEST]) * set->features
         * (set->bytes != NULL ? 1 : sizeof (sl_real));
}

bool
sl_shared_data_can_keep (const SlSharedData *data)
{
  const SlSource *source = NULL;
  SlSourceFiles   files = { 0 };
  SlSettings      settings;
  SlStatus        status;

  if (data->set == NULL || data->spec == NULL)
    return false;
  status = sl_source_parse (data->spec, &source, &settings, &files);
  return sl_ok (&status) && source != NULL && !sl_source_has_files (&files)
         && sl_shared_data_bytes (data) <= KEPT_BYTES;
}

SlStoredRun *
sl_stored_run_share (SlStoredRun *run)
{
  SlStoredRun *shared = g_atomic_rc_box_dup (sizeof *run, run);

  *run = (SlStoredRun) { 0 };
  return shared;
}

SlRequest *
sl_request_new (const SlLab *lab, const SlSettings *settings, uint64_t seed, unsigned threads,
                bool run)
{
  SlRequest *request = g_new0 (SlRequest, 1);

  sl_recipe_init (&request->recipe, lab, settings, NULL, seed);
  request->recipe.threads = threads;
  request->run = run;
  return request;
}

SlRequest *
sl_request_copy (const SlRequest *request)
{
  SlRequest *copy = g_memdup2 (request, sizeof *request);

  copy->spec = g_strdup (request->spec);
  copy->idle = NULL;
  if (request->recipe.changes != NULL)
    copy->recipe.changes = g_array_copy (request->recipe.changes);
  if (request->data != NULL)
    sl_shared_data_use (request->data);
  if (request->stored != NULL)
    g_atomic_rc_box_acquire (request->stored);
  return copy;
}

void
sl_request_drop_stored (SlRequest *request)
{
  if (request->stored != NULL)
    g_atomic_rc_box_release_full (request->stored, (GDestroyNotify) sl_stored_run_clear);
  request->stored = NULL;
  request->refused = false;
}

void
sl_request_free (SlRequest *request)
{
  if (request == NULL)
    return;
  sl_recipe_clear (&request->recipe);
  g_free (request->spec);
  sl_shared_data_leave (request->data);
  sl_request_drop_stored (request);
  sl_run_free (request->idle);
  g_free (request);
}

/* Of the checkpoints to look back at, those that the trainer takes: after this they cannot fail. */
static void
sift (SlTrainer *trainer, SlHistory *earlier)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < earlier->n; i++)
    {
      SlStatus status = sl_trainer_restore (trainer, &earlier->checkpoint[i]);

      if (sl_ok (&status))
        earlier->checkpoint[kept++] = earlier->checkpoint[i];
      else
        sl_checkpoint_clear (&earlier->checkpoint[i]);
    }
  earlier->n = kept;
}

/* The same for the one that is shown. */
static void
check_visited (SlTrainer *trainer, SlCheckpoint *visited)
{
  SlStatus status = SL_SUCCESS;

  if (visited->data != NULL)
    status = sl_trainer_restore (trainer, visited);
  if (!sl_ok (&status))
    sl_checkpoint_clear (visited);
}

/* Restores the checkpoint and makes the changes that were made at its step. */
static SlStatus
go_to_checkpoint (SlTrainer *trainer, const SlStoredRun *stored)
{
  SlStatus status = sl_trainer_restore (trainer, &stored->checkpoint);

  for (unsigned i = stored->changes; sl_ok (&status) && i < stored->made; i++)
    {
      const SlChange *change = &g_array_index (stored->recipe.changes, SlChange, i);

      status = sl_trainer_set (trainer, change->param, &change->value);
    }
  return status;
}

/* The store need not have kept the beginning, which is there to be looked back at all the same. */
static bool
needs_first (const SlStoredRun *stored)
{
  return stored->checkpoint.step > 0
         && (stored->earlier.n == 0 || stored->earlier.checkpoint[0].step > 0);
}

/* Brings the trainer to where the stored run was.  A new one is at the beginning; without memory for that
 * there is less to look back at.  */
static SlStatus
go_to (SlTrainer *trainer, SlStoredRun *stored, const SlDataset *set, SlCheckpoint *first)
{
  if (set != NULL && stored->recipe.data_hash != 0 && set->hash != stored->recipe.data_hash)
    return sl_status_new (SL_EFORMAT, set->title,
                          sl_message ("other data than at the beginning of this run"),
                          SL_NO_MESSAGE);
  if (stored->checkpoint.data == NULL)
    return SL_SUCCESS;
  if (needs_first (stored) && first->data == NULL)
    {
      SlStatus status = sl_trainer_save (trainer, first);

      if (!sl_ok (&status))
        sl_checkpoint_clear (first);
    }
  sift (trainer, &stored->earlier);
  check_visited (trainer, &stored->visited);
  return go_to_checkpoint (trainer, stored);
}

/* With the trainer of a run that was left, where it serves; else it is freed. */
static bool
go_on_idle (SlLoader *loader, const SlDataset *set)
{
  SlRequest *request = loader->request;
  SlRun     *idle = request->idle;
  SlStatus   status;

  if (idle == NULL)
    return false;
  loader->first = idle->first;
  idle->first = (SlCheckpoint) { 0 };
  /* Before anything of the stored run is given up that another trainer could take. */
  status = needs_first (request->stored) && loader->first.data == NULL
             ? sl_status_new (SL_EUNSUPPORTED, "run", SL_NO_MESSAGE, SL_NO_MESSAGE)
             : sl_trainer_restore (idle->trainer, &request->stored->checkpoint);
  if (sl_ok (&status))
    status = go_to (idle->trainer, request->stored, set, &loader->first);
  if (!needs_first (request->stored) || !sl_ok (&status))
    sl_checkpoint_clear (&loader->first);
  if (sl_ok (&status))
    loader->trainer = idle->trainer;
  else
    sl_trainer_free (idle->trainer);
  idle->trainer = NULL;
  return sl_ok (&status);
}

/* A new trainer, perhaps on new data. */
static void
make (SlLoader *loader, const SlDataset *set)
{
  const SlRecipe *recipe = &loader->request->recipe;

  if (loader->request->data == NULL && loader->request->spec != NULL)
    {
      loader->status = sl_open_data (loader->request->spec, &loader->opened);
      set = loader->opened;
    }
  if (sl_ok (&loader->status))
    loader->status
      = sl_trainer_new (&loader->trainer, recipe->lab, &recipe->settings, set, recipe->seed);
  if (sl_ok (&loader->status) && loader->request->stored != NULL)
    {
      loader->status = go_to (loader->trainer, loader->request->stored,
                              recipe->lab->data != SL_NEEDS_NOTHING ? set : NULL, &loader->first);
      loader->request->refused = !sl_ok (&loader->status);
    }
}

static void *
load (void *data)
{
  SlLoader        *loader = data;
  const SlRecipe  *recipe = &loader->request->recipe;
  const SlDataset *set = loader->request->data != NULL ? loader->request->data->set : NULL;

  if (loader->unseen)
    sl_cpu_be_nice (SL_NICE_UNSEEN);
  sl_blas_set_threads (recipe->threads); /* OpenMP keeps the number per thread */
  loader->status = SL_SUCCESS;
  loader->reused = go_on_idle (loader, recipe->lab->data != SL_NEEDS_NOTHING ? set : NULL);
  if (!loader->reused)
    make (loader, set);
  atomic_store_explicit (&loader->done, true, memory_order_release);
  return NULL;
}
SlLoader *
sl_loader_start (SlRequest *request, bool unseen)
{
  SlLoader *loader = g_new0 (SlLoader, 1);

  loader->request = request;
  loader->unseen = unseen;
  atomic_init (&loader->done, false);
  if (pthread_create (&loader->thread, NULL, load, loader) == 0)
    return loader;
  sl_request_free (request);
  g_free (loader);
  return NULL;
}

bool
sl_loader_done (SlLoader *loader)
{
  return atomic_load_explicit (&loader->done, memory_order_acquire);
}

/* The run goes on from a stored one, and looks back at what that had.  */
static void
go_on (SlLoader *loader, SlRun *run)
{
  SlStoredRun *stored = loader->request->stored;
  SlHistory   *earlier = &run->earlier;

  run->done = stored->made;
  run->seconds = stored->seconds;
  if (loader->first.data != NULL)
    earlier->checkpoint[earlier->n++] = loader->first;
  loader->first = (SlCheckpoint) { 0 };
  for (unsigned i = 0; i < stored->earlier.n && earlier->n < SL_HISTORY_MAX; i++)
    {
      earlier->checkpoint[earlier->n++] = stored->earlier.checkpoint[i];
      stored->earlier.checkpoint[i] = (SlCheckpoint) { 0 };
    }
  sl_history_clear (&stored->earlier);
  run->visited = stored->visited;
  stored->visited = (SlCheckpoint) { 0 };
}

SlStatus
sl_loader_finish (SlLoader *loader, SlRequest **request, SlRun **run)
{
  SlStatus status;

  pthread_join (loader->thread, NULL);
  *request = loader->request;
  *run = NULL;
  status = loader->status;
  if (loader->request->data == NULL && (loader->opened != NULL || loader->request->spec == NULL))
    {
      loader->request->data = g_new0 (SlSharedData, 1);
      loader->request->data->set = loader->opened;
      loader->request->data->spec = g_strdup (loader->request->spec);
      loader->request->data->users = 1;
    }
  if (sl_ok (&status))
    {
      *run = g_new0 (SlRun, 1);
      (*run)->lab = loader->request->recipe.lab;
      (*run)->trainer = loader->trainer;
      (*run)->data = loader->reused ? g_steal_pointer (&loader->request->idle->data)
                                    : sl_shared_data_use (loader->request->data);
      if (loader->request->stored != NULL)
        go_on (loader, *run);
    }
  else
    sl_trainer_free (loader->trainer);
  sl_checkpoint_clear (&loader->first);
  g_free (loader);
  return status;
}

void
sl_run_free (SlRun *run)
{
  if (run == NULL)
    return;
  sl_trainer_free (run->trainer);
  sl_recipe_clear (&run->plan);
  sl_history_clear (&run->earlier);
  sl_checkpoint_clear (&run->visited);
  sl_checkpoint_clear (&run->first);
  sl_shared_data_leave (run->data);
  g_free (run);
}
