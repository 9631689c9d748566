/* SPDX-License-Identifier: MIT
 *
 * Stored runs opened, from the store or from a file of runs, and put back into the session that they were
 * left by.  Disks are waited for in threads.  */
#include "core/run/base/background.h"
#include "core/run/stage/private.h"

enum { WRITTEN_MS = 10 };

typedef SlOpened Task;

static Task *
new_task (SlStage *self, const char *path, const char *uuid)
{
  Task *task = g_new0 (Task, 1);

  g_set_object (&task->opening.store, sl_stage_store (self));
  task->opening.path = g_strdup (path);
  task->opening.uuid = g_strdup (uuid);
  return task;
}

static void
free_task (gpointer data)
{
  Task *task = data;

  sl_opening_clear (&task->opening);
  g_clear_object (&task->returning);
  g_free (task);
}

static gboolean
load_run (gpointer data, GError **error)
{
  return sl_opening_load (&((Task *) data)->opening, error);
}

/* ---- into its session ---- */

/* The run that the lab had is gone. */
static void
begin_lab (SlStage *self, const Task *task)
{
  sl_session_forget_left (task->returning, task->lab);
  sl_stage_choose_lab (self, task->lab);
}

/* Unless the user went elsewhere, or on, meanwhile. */
static void
put_back (SlStage *self, Task *task)
{
  SlSession *session = task->returning;

  if (session != self->session || sl_session_is_loading (session))
    return;
  if (task->lab != NULL && task->opening.run.checkpoint.data == NULL)
    {
      begin_lab (self, task);
      return;
    }
  sl_stage_emit_opened (self, task);
  sl_session_resume (session, &task->opening.run, !task->paused);
}

/* One that is looked up is shown anew where another run was shown before. */
static void
put_own (SlStage *self, Task *task)
{
  if (sl_stage_is_locked (self, task->opening.run.recipe.lab))
    return;
  if (task->opening.looked_up)
    self->own_held = FALSE;
  if (task->opening.looked_up)
    sl_stage_go (self, SL_STAGE_OWN, NULL);
  else
    sl_stage_show_own (self);
  sl_stage_emit_opened (self, task);
  if (task->opening.looked_up && task->opening.run.checkpoint.data == NULL)
    sl_stage_stored_begin (self, &task->opening.run.recipe, &task->opening.run.record);
  else
    sl_session_resume (self->own, &task->opening.run,
                       !task->paused && task->opening.run.status != SL_RUN_FINISHED
                         && task->opening.run.status != SL_RUN_DIVERGED);
}

static void
on_loaded (gpointer stage, gpointer data, const GError *error)
{
  Task *task = data;
  g_autoptr (SlStage) self = g_object_ref (stage);

  task->error = error;
  if (error != NULL && task->lab != NULL)
    begin_lab (self, task);
  if (error != NULL || task->opening.written || task->opening.listed > 0)
    sl_stage_emit_opened (self, task);
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

  return task->opening.uuid != NULL
         && (sl_session_keeps_earlier (session, task->opening.uuid)
             || sl_unseen_holds (self->unseen, task->opening.uuid));
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
  Holder holder = { self, task->opening.uuid, NULL };

  if (task->opening.uuid == NULL || task->returning != NULL
      || sl_unseen_holds (self->unseen, task->opening.uuid))
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

  task->paused = task->opening.looked_up = task->opening.figure = TRUE;
  open_run (stage, task);
}

void
sl_stage_look_up (SlStage *stage, const char *uuid)
{
  Task *task = new_task (stage, NULL, uuid);

  task->paused = task->opening.looked_up = TRUE;
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
  g_set_object (&task->opening.store, sl_session_store (task->returning));
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
