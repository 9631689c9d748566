/* SPDX-License-Identifier: MIT
 *
 * Runs that go on training while another lab is shown, where the preferences want that.  The store hands
 * them over: a run that is left goes on from there in a session of its own, and back to it the window's own
 * session takes it from there.  So there are never more than there are labs.  */
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/background.h"
#include "ui/window/controllers.h"

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

typedef struct SlWindowUnseen
{
  GPtrArray    *runs;   /* of Unseen */
  GPtrArray    *ending; /* the same: asked to stop after the update that they are at */
  SlScheduler  *scheduler;
  GCancellable *closing;
  guint         waiting; /* timeout, or 0 */
  unsigned      tasks;   /* that were begun */
} State;

static State *
state_of (SlWindow *self)
{
  return sl_window_parts (self)->unseen;
}

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
  SlStore    *store;
  char        uuid[SL_UUID];
  unsigned    number;
  SlStoredRun run;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  sl_stored_run_clear (&task->run);
  g_free (task);
}

static gboolean
load_run (gpointer data, GError **error)
{
  Task *task = data;

  sl_store_flush (task->store, NULL);
  return sl_store_is_free (task->store, task->uuid, error)
         && sl_store_load (task->store, task->uuid, TRUE, UINT64_MAX, &task->run, error);
}

/* One that cannot go on waits in the store like any other.  A run that was shown meanwhile, and left again, is
 * loaded by a later task: what this one read is the state before.  */
static void
on_loaded (gpointer window, gpointer data, const GError *error)
{
  SlWindow  *self = window;
  Task      *task = data;
  Unseen    *unseen = find_run (state_of (self)->runs, task->uuid);
  SlSession *own = sl_window_get_own (self);

  if (unseen == NULL || unseen->loading != task->number)
    return;
  unseen->loading = 0;
  if (error != NULL || task->run.checkpoint.data == NULL)
    {
      unseen->stays = TRUE;
      return;
    }
  unseen->session = sl_session_new ();
  sl_session_set_store (unseen->session, task->store);
  sl_session_set_place (unseen->session, 1);
  sl_session_set_unseen (unseen->session);
  if (state_of (self)->scheduler != NULL)
    sl_session_set_scheduler (unseen->session, state_of (self)->scheduler);
  sl_session_share_data (unseen->session, own);
  sl_session_set_limit (unseen->session, sl_session_info (own)->limit);
  sl_session_resume (unseen->session, &task->run, TRUE);
}

/* The window's own session may have left it a moment ago, or an unseen one. */
static gboolean
is_being_written (SlWindow *self, const char *uuid)
{
  return sl_session_keeps_earlier (sl_window_get_own (self), uuid)
         || find_run (state_of (self)->ending, uuid) != NULL;
}

static gboolean
load_when_written (SlWindow *self)
{
  State   *state = state_of (self);
  gboolean waiting = FALSE;

  for (guint i = 0; i < state->runs->len; i++)
    {
      Unseen *unseen = g_ptr_array_index (state->runs, i);
      Task   *task;

      if (unseen->session != NULL || unseen->loading > 0 || unseen->stays)
        continue;
      if (is_being_written (self, unseen->uuid))
        {
          waiting = TRUE;
          continue;
        }
      task = g_new0 (Task, 1);
      unseen->loading = task->number = ++state->tasks;
      task->store = g_object_ref (sl_window_get_store (self));
      g_strlcpy (task->uuid, unseen->uuid, sizeof task->uuid);
      sl_background_run (load_run, on_loaded, self, state->closing, task, free_task);
    }
  return waiting;
}

/* ---- into the store ---- */

/* Drops those that have stopped, without a wait.  TRUE: some have not stopped. */
static gboolean
drop_ended (State *state)
{
  for (guint i = state->ending->len; i-- > 0;)
    if (sl_session_has_stopped (((Unseen *) g_ptr_array_index (state->ending, i))->session))
      g_ptr_array_remove_index (state->ending, i);
  return state->ending->len > 0;
}

static gboolean
look (gpointer window)
{
  State   *state = state_of (window);
  gboolean ending = drop_ended (state), loading = load_when_written (window);

  if (ending || loading)
    return G_SOURCE_CONTINUE;
  state->waiting = 0;
  return G_SOURCE_REMOVE;
}

static void
look_again (SlWindow *self)
{
  State *state = state_of (self);

  if (state->waiting == 0)
    state->waiting = g_timeout_add (WRITTEN_MS, look, self);
}

static void
end_run (SlWindow *self, guint i)
{
  State  *state = state_of (self);
  Unseen *unseen = g_ptr_array_steal_index (state->runs, i);

  if (unseen->session == NULL)
    {
      free_unseen (unseen);
      return;
    }
  sl_session_ask_to_stop (unseen->session);
  g_ptr_array_add (state->ending, unseen);
  look_again (self);
}

/* ---- which ones ---- */

/* The run of a lab that was training when another one was chosen, or NULL. */
static const char *
wanted_run (SlWindow *self, const SlLab *lab)
{
  SlSession  *own = sl_window_get_own (self);
  gboolean    running = FALSE;
  const char *uuid = lab != sl_session_lab (own) ? sl_session_run_left (own, lab, &running) : NULL;

  return running ? uuid : NULL;
}

static void
drop_unwanted (SlWindow *self, gboolean any)
{
  GPtrArray *runs = state_of (self)->runs;

  for (guint i = runs->len; i-- > 0;)
    {
      const Unseen *unseen = g_ptr_array_index (runs, i);

      if (!any || g_strcmp0 (wanted_run (self, unseen->lab), unseen->uuid) != 0)
        end_run (self, i);
    }
}

void
sl_window_unseen_follow (SlWindow *self)
{
  State   *state = state_of (self);
  gboolean any = sl_prefs_get_boolean (sl_window_get_prefs (self), "labs-train-unseen")
                 && sl_window_get_store (self) != NULL;

  drop_unwanted (self, any);
  for (unsigned i = 0; any && sl_labs[i] != NULL; i++)
    {
      const char *uuid = wanted_run (self, sl_labs[i]);
      Unseen     *unseen;

      if (uuid == NULL || find_run (state->runs, uuid) != NULL)
        continue;
      unseen = g_new0 (Unseen, 1);
      unseen->lab = sl_labs[i];
      g_strlcpy (unseen->uuid, uuid, sizeof unseen->uuid);
      g_ptr_array_add (state->runs, unseen);
    }
  if (load_when_written (self))
    look_again (self);
}

gboolean
sl_window_unseen_holds (SlWindow *self, const char *uuid)
{
  State *state = state_of (self);
  guint  i;

  if (g_ptr_array_find (state->runs, find_run (state->runs, uuid), &i))
    end_run (self, i);
  drop_ended (state);
  return find_run (state->ending, uuid) != NULL;
}

void
sl_window_unseen_rest (SlWindow *self)
{
  drop_unwanted (self, FALSE);
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
sl_window_unseen_each (SlWindow *self, SlForSession what, gpointer data)
{
  each_of (state_of (self)->runs, what, data);
  each_of (state_of (self)->ending, what, data);
}

void
sl_window_add_unseen (SlWindow *self)
{
  State   *state = g_new0 (State, 1);
  unsigned cores = sl_blas_cores ();

  /* One core is for what is shown. */
  state->scheduler = sl_scheduler_new (MAX (cores, 2) - 1, SLICE_SECONDS);
  state->runs = g_ptr_array_new_with_free_func (free_unseen);
  state->ending = g_ptr_array_new_with_free_func (free_unseen);
  state->closing = g_cancellable_new ();
  sl_window_parts (self)->unseen = state;
}

void
sl_window_drop_unseen (SlWindow *self)
{
  State *state = g_steal_pointer (&sl_window_parts (self)->unseen);

  g_cancellable_cancel (state->closing);
  g_clear_handle_id (&state->waiting, g_source_remove);
  g_ptr_array_unref (state->runs);
  g_ptr_array_unref (state->ending);
  sl_scheduler_leave (state->scheduler);
  g_clear_object (&state->closing);
  g_free (state);
}
