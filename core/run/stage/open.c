/* SPDX-License-Identifier: MIT
 *
 * Stored runs opened, from the store or from a file of runs, and put back into the session that they were
 * left by.  Disks are waited for in threads.  */
#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "core/run/stage/private.h"
#include "core/run/store/same.h"

enum { WRITTEN_MS = 10 };

/* A run that is to be opened. */
struct SlStageTask
{
  SlStore     *store; /* or NULL */
  char        *path;  /* or NULL */
  char        *uuid;  /* or NULL: the run of the file */
  gboolean     paused;
  gboolean     looked_up; /* the run is looked at and does not go on */
  gboolean     figure;    /* path is that of a figure, whose run is looked up */
  gboolean     written;   /* others write the file, */
  int          at_work;   /* and train so many of its runs */
  SlSession   *returning; /* whose run it was, and is to be again; else NULL */
  const SlLab *lab;       /* that was chosen again, else NULL */
  SlStoredRun  run;       /* that was loaded */
};

typedef SlStageTask Task;

static Task *
new_task (SlStage *self, const char *path, const char *uuid)
{
  Task *task = g_new0 (Task, 1);

  g_set_object (&task->store, sl_stage_store (self));
  task->path = g_strdup (path);
  task->uuid = g_strdup (uuid);
  return task;
}

static void
free_task (gpointer data)
{
  Task *task = data;

  g_clear_object (&task->store);
  g_clear_object (&task->returning);
  g_free (task->path);
  g_free (task->uuid);
  sl_stored_run_clear (&task->run);
  g_free (task);
}

/* The run of the file that was at work last. */
static char *
choose_run (SlStore *file, GError **error)
{
  g_autoptr (GPtrArray) runs = sl_store_list (file, NULL, FALSE, error);
  char *last = runs != NULL ? sl_store_last_open (file) : NULL;

  if (last != NULL || runs == NULL)
    return last;
  if (runs->len == 0)
    {
      sl_fail (error, SL_EINVAL, sl_store_path (file), _ ("no runs in it"), NULL);
      return NULL;
    }
  return g_strdup (((SlStoreRun *) g_ptr_array_index (runs, runs->len - 1))->uuid);
}

/* Whether the store has the run exactly as far as the file. */
static gboolean
is_the_same (SlStore *store, SlStore *file, const char *uuid)
{
  SlStoreRun *ours = sl_store_find (store, uuid, NULL);
  SlStoreRun *theirs = sl_store_find (file, uuid, NULL);
  gboolean    same = ours != NULL && theirs != NULL && ours->step == theirs->step
                  && ours->status != SL_RUN_RUNNING;

  sl_store_run_free (ours);
  sl_store_run_free (theirs);
  return same;
}

/* Whether others train n runs in a file, or have it open and no run in it yet. */
static gboolean
is_written (SlStore *file, gboolean open, int *n)
{
  *n = sl_store_at_work (file, NULL);
  if (*n == 0 && open)
    {
      g_autoptr (GPtrArray) runs = sl_store_list (file, NULL, TRUE, NULL);

      return runs != NULL && runs->len == 0;
    }
  return *n > 0;
}

/* A file's runs come into the store, so that going on with one leaves the file as it is.  Where the
 * store has the run and is further, what the file has becomes a run of its own.  While others write the file,
 * none of its runs is taken up.  */
static gboolean
load_file (Task *task, GError **error)
{
  gboolean open = sl_store_is_open (task->path), same;
  g_autoptr (SlStore) file = sl_store_open_to_read (task->path, error);

  if (file != NULL && task->store != NULL)
    task->written = is_written (file, open, &task->at_work);
  if (task->written)
    return sl_store_merge (task->store, task->path, NULL, error);
  task->uuid = file != NULL ? choose_run (file, error) : NULL;
  if (task->uuid == NULL)
    return FALSE;
  same = task->store != NULL && sl_store_merge (task->store, task->path, NULL, NULL)
         && is_the_same (task->store, file, task->uuid);
  if (!sl_store_load (same ? task->store : file, task->uuid, TRUE, UINT64_MAX, &task->run, error))
    return FALSE;
  if (!same)
    task->run.uuid[0] = '\0';
  return TRUE;
}

/* The curves of a run that cannot go on, as far as update `last`.  It has none if that fails. */
static void
load_curves (Task *task, const char *uuid, uint64_t last)
{
  SlStoredRun stored;

  if (!sl_store_load (task->store, uuid, FALSE, UINT64_MAX, &stored, NULL))
    return;
  for (unsigned c = 0; c < stored.record.layout.n; c++)
    sl_series_truncate (&stored.record.series[c], (double) last);
  sl_record_clear (&task->run.record);
  task->run.record = stored.record;
  stored.record = (SlRecord) { 0 };
  sl_stored_run_clear (&stored);
}

/* The recipe of a figure, and the curves of its run where the store has it. */
static gboolean
load_figure (Task *task, GError **error)
{
  g_autofree char *text = sl_recipe_find (task->path, error);

  if (text == NULL || !sl_recipe_read (text, &task->run.recipe, error))
    return FALSE;
  if (task->store != NULL)
    {
      sl_store_flush (task->store, NULL);
      task->uuid = sl_store_find_recipe (task->store, &task->run.recipe);
    }
  if (task->uuid != NULL)
    load_curves (task, task->uuid, task->run.recipe.step);
  return TRUE;
}

static gboolean
load_run (gpointer data, GError **error)
{
  Task *task = data;

  if (task->figure)
    return load_figure (task, error);
  if (task->path != NULL)
    return load_file (task, error);
  sl_store_flush (task->store, NULL);
  if (!sl_store_is_free (task->store, task->uuid, error)
      || !sl_store_load (task->store, task->uuid, TRUE, UINT64_MAX, &task->run, error))
    return FALSE;
  if (task->looked_up && task->run.checkpoint.data == NULL)
    load_curves (task, task->uuid, task->run.recipe.step);
  return TRUE;
}

/* ---- into its session ---- */

/* The run that the lab had is gone. */
static void
begin_lab (SlStage *self, const Task *task)
{
  sl_session_forget_left (task->returning, task->lab);
  sl_stage_choose_lab (self, task->lab);
}

static void
tell (SlStage *self, Task *task, const GError *error)
{
  SlOpened opened = { .path = task->path,
                      .run = &task->run,
                      .error = error,
                      .figure = task->figure,
                      .looked_up = task->looked_up,
                      .returned = task->returning != NULL,
                      .lab = task->lab,
                      .written = task->written,
                      .at_work = (unsigned) task->at_work };

  sl_stage_emit_opened (self, &opened);
}

/* Unless the user went elsewhere, or on, meanwhile. */
static void
put_back (SlStage *self, Task *task)
{
  SlSession *session = task->returning;

  if (session != self->session || sl_session_is_loading (session))
    return;
  if (task->lab != NULL && task->run.checkpoint.data == NULL)
    {
      begin_lab (self, task);
      return;
    }
  tell (self, task, NULL);
  sl_session_resume (session, &task->run, !task->paused);
}

/* One that is looked up is shown anew where another run was shown before. */
static void
put_own (SlStage *self, Task *task)
{
  if (task->looked_up)
    self->own_held = FALSE;
  if (task->looked_up)
    sl_stage_go (self, SL_STAGE_OWN, NULL);
  else
    sl_stage_show_own (self);
  tell (self, task, NULL);
  if (task->looked_up && task->run.checkpoint.data == NULL)
    sl_stage_stored_begin (self, &task->run.recipe, &task->run.record);
  else
    sl_session_resume (self->own, &task->run,
                       !task->paused && task->run.status != SL_RUN_FINISHED
                         && task->run.status != SL_RUN_DIVERGED);
}

static void
on_loaded (gpointer stage, gpointer data, const GError *error)
{
  Task *task = data;
  g_autoptr (SlStage) self = g_object_ref (stage);

  if (error != NULL && task->lab != NULL)
    begin_lab (self, task);
  if (error != NULL || task->written)
    tell (self, task, error);
  else if (task->returning != NULL)
    put_back (self, task);
  else
    put_own (self, task);
}

/* The session that the run goes on in may have left it a moment ago. */
static gboolean
is_being_written (SlStage *self, const Task *task)
{
  SlSession *session = task->returning != NULL ? task->returning : self->own;

  return task->uuid != NULL
         && (sl_session_keeps_earlier (session, task->uuid)
             || sl_unseen_holds (self->unseen, task->uuid));
}

static gboolean
open_when_written (gpointer stage)
{
  SlStage *self = stage;

  if (is_being_written (self, self->open.waiting))
    return G_SOURCE_CONTINUE;
  self->open.looking = 0;
  sl_background_run (load_run, on_loaded, self, self->open.closing,
                     g_steal_pointer (&self->open.waiting), free_task);
  return G_SOURCE_REMOVE;
}

typedef struct
{
  SlStage    *stage;
  const char *uuid;
  SlSession  *session; /* borrowed; NULL: none was found yet */
} Holder;

static void
look_at (SlSession *session, gpointer data)
{
  Holder *holder = data;

  if (session != holder->stage->own && g_strcmp0 (sl_session_uuid (session), holder->uuid) == 0)
    holder->session = session;
}

/* A run that another session of the stage has, on the overview, in a pair or in a lesson, is shown there:
 * two sessions would write it.  */
static gboolean
show_holder (SlStage *self, const Task *task)
{
  Holder holder = { self, task->uuid, NULL };

  if (task->uuid == NULL || task->returning != NULL || sl_unseen_holds (self->unseen, task->uuid))
    return FALSE;
  sl_stage_each (self, look_at, &holder);
  if (holder.session == NULL)
    return FALSE;
  sl_stage_show_session (self, holder.session);
  if (!task->paused && sl_session_state (holder.session) == SL_PAUSED)
    sl_session_run (holder.session);
  return TRUE;
}

void
sl_stage_open_clear (SlStage *self)
{
  g_cancellable_cancel (self->open.closing);
  g_clear_object (&self->open.closing);
  g_clear_handle_id (&self->open.looking, g_source_remove);
  g_clear_pointer (&self->open.waiting, free_task);
}

static void
open_run (SlStage *self, Task *task)
{
  g_clear_handle_id (&self->open.looking, g_source_remove);
  g_clear_pointer (&self->open.waiting, free_task);
  if (show_holder (self, task))
    {
      free_task (task);
      return;
    }
  self->open.waiting = task;
  if (open_when_written (self))
    self->open.looking = g_timeout_add (WRITTEN_MS, open_when_written, self);
}

void
sl_stage_open_file (SlStage *stage, const char *path)
{
  open_run (stage, new_task (stage, path, NULL));
}

void
sl_stage_open_figure (SlStage *stage, const char *path)
{
  Task *task = new_task (stage, path, NULL);

  task->paused = task->looked_up = task->figure = TRUE;
  open_run (stage, task);
}

void
sl_stage_look_up (SlStage *stage, const char *uuid)
{
  Task *task = new_task (stage, NULL, uuid);

  task->paused = task->looked_up = TRUE;
  open_run (stage, task);
}

void
sl_stage_resume (SlStage *stage, const char *uuid, gboolean paused)
{
  Task *task = new_task (stage, NULL, uuid);

  task->paused = paused;
  open_run (stage, task);
}

static Task *
new_return (SlStage *self, const char *uuid)
{
  Task *task = new_task (self, NULL, uuid);

  task->paused = TRUE;
  task->returning = g_object_ref (self->session);
  g_set_object (&task->store, sl_session_store (task->returning));
  return task;
}

void
sl_stage_return (SlStage *stage, const char *uuid)
{
  if (sl_session_store (stage->session) != NULL)
    open_run (stage, new_return (stage, uuid));
}

gboolean
sl_stage_return_to_lab (SlStage *self, const SlLab *lab)
{
  gboolean    running = FALSE;
  const char *uuid = sl_session_run_left (self->own, lab, &running);
  Task       *task;

  if (uuid == NULL)
    return FALSE;
  task = new_return (self, uuid);
  task->lab = lab;
  task->paused = !running || !(self->going_on || self->trains_unseen);
  open_run (self, task);
  return TRUE;
}
