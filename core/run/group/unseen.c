/* SPDX-License-Identifier: MIT
 *
 * See unseen.h.  */
#include "core/run/group/unseen.h"

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/background.h"
#include "core/run/follow/opening.h"

enum { WRITTEN_MS = 10 };

/* The same length as a group's (core/run/group). */
static const double SLICE_SECONDS = 0.008;

typedef struct
{
  const SlLab *lab;
  char         uuid[SL_UUID];
  SlSession   *session; /* NULL: its end is being written, or it is being loaded */
  unsigned     loading; /* the number of the task that loads it, from 1; 0: none does */
  gboolean     stays;   /* in the store: it cannot go on */
} Unseen;

struct SlUnseen
{
  SlSession    *own;
  GPtrArray    *runs;   /* of Unseen */
  GPtrArray    *ending; /* the same: asked to stop after the update that they are at */
  SlScheduler  *scheduler;
  GCancellable *closing;
  guint         waiting; /* timeout, or 0 */
  unsigned      tasks;   /* that were begun */
};

static void
free_unseen (gpointer data)
{
  Unseen *unseen = data;

  g_clear_object (&unseen->session);
  g_free (unseen);
}

static Unseen *
find_run (GPtrArray *runs, const char *uuid)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_str_equal (((Unseen *) g_ptr_array_index (runs, i))->uuid, uuid))
      return g_ptr_array_index (runs, i);
  return NULL;
}

/* ---- out of the store ---- */

typedef struct
{
  SlOpening opening;
  unsigned  number;
} Task;

static void
free_task (gpointer data)
{
  sl_opening_clear (&((Task *) data)->opening);
  g_free (data);
}

static gboolean
load_run (gpointer data, GError **error)
{
  return sl_opening_load (&((Task *) data)->opening, error);
}

/* One that cannot go on waits in the store like any other.  A run that was shown meanwhile, and left again, is
 * loaded by a later task: what this one read is the state before.  */
static void
on_loaded (gpointer owner, gpointer data, const GError *error)
{
  SlUnseen *self = owner;
  Task     *task = data;
  Unseen   *unseen = find_run (self->runs, task->opening.uuid);

  if (unseen == NULL || unseen->loading != task->number)
    return;
  unseen->loading = 0;
  if (error != NULL || task->opening.run.checkpoint.data == NULL)
    {
      unseen->stays = TRUE;
      return;
    }
  unseen->session = sl_session_new ();
  sl_session_set_store (unseen->session, task->opening.store);
  sl_session_set_place (unseen->session, 1);
  sl_session_set_unseen (unseen->session);
  if (self->scheduler != NULL)
    sl_session_set_scheduler (unseen->session, self->scheduler);
  sl_session_share_data (unseen->session, self->own);
  sl_session_set_limit (unseen->session, sl_session_info (self->own)->limit);
  sl_session_resume (unseen->session, &task->opening.run, TRUE);
}

/* The session that is seen may have left it a moment ago, or an unseen one. */
static gboolean
is_being_written (SlUnseen *self, const char *uuid)
{
  return sl_session_keeps_earlier (self->own, uuid) || find_run (self->ending, uuid) != NULL;
}

static gboolean
load_when_written (SlUnseen *self)
{
  gboolean waiting = FALSE;

  for (guint i = 0; i < self->runs->len; i++)
    {
      Unseen *unseen = g_ptr_array_index (self->runs, i);
      Task   *task;

      if (unseen->session != NULL || unseen->loading > 0 || unseen->stays)
        continue;
      if (is_being_written (self, unseen->uuid))
        {
          waiting = TRUE;
          continue;
        }
      task = g_new0 (Task, 1);
      unseen->loading = task->number = ++self->tasks;
      task->opening.store = g_object_ref (sl_session_store (self->own));
      task->opening.uuid = g_strdup (unseen->uuid);
      sl_background_run (load_run, on_loaded, self, self->closing, task, free_task);
    }
  return waiting;
}

/* ---- into the store ---- */

/* Drops those that have stopped, without a wait.  TRUE: some have not stopped. */
static gboolean
drop_ended (SlUnseen *self)
{
  for (guint i = self->ending->len; i-- > 0;)
    if (sl_session_has_stopped (((Unseen *) g_ptr_array_index (self->ending, i))->session))
      g_ptr_array_remove_index (self->ending, i);
  return self->ending->len > 0;
}

static gboolean
look (gpointer owner)
{
  SlUnseen *self = owner;
  gboolean  ending = drop_ended (self), loading = load_when_written (self);

  if (ending || loading)
    return G_SOURCE_CONTINUE;
  self->waiting = 0;
  return G_SOURCE_REMOVE;
}

static void
look_again (SlUnseen *self)
{
  if (self->waiting == 0)
    self->waiting = g_timeout_add (WRITTEN_MS, look, self);
}

static void
end_run (SlUnseen *self, guint i)
{
  Unseen *unseen = g_ptr_array_steal_index (self->runs, i);

  if (unseen->session == NULL)
    {
      free_unseen (unseen);
      return;
    }
  sl_session_ask_to_stop (unseen->session);
  g_ptr_array_add (self->ending, unseen);
  look_again (self);
}

/* ---- which ones ---- */

/* The run of a lab that was training when another one was chosen, or NULL. */
static const char *
wanted_run (SlUnseen *self, const SlLab *lab)
{
  SlSession  *own = self->own;
  gboolean    running = FALSE;
  const char *uuid = lab != sl_session_lab (own) ? sl_session_run_left (own, lab, &running) : NULL;

  return running ? uuid : NULL;
}

static void
drop_unwanted (SlUnseen *self, gboolean any)
{
  GPtrArray *runs = self->runs;

  for (guint i = runs->len; i-- > 0;)
    {
      const Unseen *unseen = g_ptr_array_index (runs, i);

      if (!any || g_strcmp0 (wanted_run (self, unseen->lab), unseen->uuid) != 0)
        end_run (self, i);
    }
}

void
sl_unseen_follow (SlUnseen *self, gboolean wanted)
{
  drop_unwanted (self, wanted);
  for (unsigned i = 0; wanted && sl_labs[i] != NULL; i++)
    {
      const char *uuid = wanted_run (self, sl_labs[i]);
      Unseen     *unseen;

      if (uuid == NULL || find_run (self->runs, uuid) != NULL)
        continue;
      unseen = g_new0 (Unseen, 1);
      unseen->lab = sl_labs[i];
      g_strlcpy (unseen->uuid, uuid, sizeof unseen->uuid);
      g_ptr_array_add (self->runs, unseen);
    }
  if (load_when_written (self))
    look_again (self);
}

gboolean
sl_unseen_holds (SlUnseen *self, const char *uuid)
{
  guint i;

  if (g_ptr_array_find (self->runs, find_run (self->runs, uuid), &i))
    end_run (self, i);
  drop_ended (self);
  return find_run (self->ending, uuid) != NULL;
}

static void
each_of (GPtrArray *runs, SlForSession what, gpointer data)
{
  for (guint i = 0; i < runs->len; i++)
    {
      const Unseen *unseen = g_ptr_array_index (runs, i);

      if (unseen->session != NULL)
        what (unseen->session, data);
    }
}

void
sl_unseen_each (SlUnseen *self, SlForSession what, gpointer data)
{
  each_of (self->runs, what, data);
  each_of (self->ending, what, data);
}

SlUnseen *
sl_unseen_new (SlSession *own)
{
  SlUnseen *self = g_new0 (SlUnseen, 1);
  unsigned  cores = sl_blas_cores ();

  self->own = g_object_ref (own);
  /* One core is for what is shown. */
  self->scheduler = sl_scheduler_new (MAX (cores, 2) - 1, SLICE_SECONDS);
  self->runs = g_ptr_array_new_with_free_func (free_unseen);
  self->ending = g_ptr_array_new_with_free_func (free_unseen);
  self->closing = g_cancellable_new ();
  return self;
}

void
sl_unseen_free (SlUnseen *self)
{
  g_cancellable_cancel (self->closing);
  g_clear_handle_id (&self->waiting, g_source_remove);
  g_ptr_array_unref (self->runs);
  g_ptr_array_unref (self->ending);
  sl_scheduler_leave (self->scheduler);
  g_object_unref (self->closing);
  g_object_unref (self->own);
  g_free (self);
}
