/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/background.h"
#include "core/run/store/same.h"
#include "core/train/checkpoint.h"
#include "ui/kit/file-dialog.h"
#include "ui/window/controllers.h"

enum { WRITTEN_MS = 10 };

/* A run that is to be opened. */
typedef struct
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
} Task;

typedef struct SlWindowOpen
{
  GCancellable         *closing;
  GtkFileChooserNative *dialog;  /* while it is open */
  Task                 *waiting; /* for the end of its run to be written, or NULL */
  guint                 looking; /* timeout, or 0 */
} Open;

static Open *
open_of (SlWindow *self)
{
  return sl_window_parts (self)->open;
}

static Task *
new_task (SlWindow *self, const char *path, const char *uuid)
{
  Task *task = g_new0 (Task, 1);

  g_set_object (&task->store, sl_window_get_store (self));
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

static void
tell_opened (SlWindow *self, const Task *task)
{
  const SlStoredRun *run = &task->run;
  unsigned long long step = run->checkpoint.step;
  SlStatus           status
    = sl_checkpoint_check (run->checkpoint.data, run->checkpoint.bytes, run->recipe.lab);
  g_autofree char *name = task->path != NULL ? g_path_get_basename (task->path) : NULL;
  g_autofree char *sentence = NULL, *gone = sl_recipe_gone_text (&run->recipe);

  if (run->checkpoint.data != NULL && !sl_ok (&status))
    return; /* the session will say that it cannot go on */
  if (name != NULL)
    sentence = g_strdup_printf (_ ("Opened %s at step %llu"), name, step);
  else if (run->status == SL_RUN_CUT_OFF)
    sentence = g_strdup_printf (_ ("Resumed the run that was interrupted at step %llu"), step);
  else
    sentence = g_strdup_printf (_ ("Resumed the run at step %llu"), step);
  sl_window_toast (self, sentence);
  if (gone != NULL)
    sl_window_toast (self, gone);
  if (g_strcmp0 (run->recipe.kernel, sl_blas_kernel ()) != 0)
    sl_window_toast (self, _ ("It began on another processor: its last digits will differ"));
}

/* The run that the lab had is gone. */
static void
begin_lab (SlWindow *self, const Task *task)
{
  sl_session_forget_left (task->returning, task->lab);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.lab", "s", task->lab->id);
}

static void
on_not_loaded (SlWindow *self, const Task *task, const GError *error)
{
  if (task->lab != NULL)
    begin_lab (self, task);
  if ((task->looked_up && !task->figure) || task->returning != NULL)
    sl_window_toast (self, error->message);
  else
    sl_window_report (self, error->message);
}

/* Unless the user went elsewhere, or on, meanwhile. */
static void
put_back (SlWindow *self, Task *task)
{
  unsigned long long step = task->run.checkpoint.step;
  g_autofree char *sentence = g_strdup_printf (_ ("Back to the run before, at update %llu"), step);
  SlSession       *session = task->returning;

  if (session != sl_window_get_session (self) || sl_session_is_loading (session))
    return;
  if (task->lab != NULL && task->run.checkpoint.data == NULL)
    {
      begin_lab (self, task);
      return;
    }
  sl_window_view_expect (self, task->run.view);
  sl_session_resume (session, &task->run, !task->paused);
  if (task->lab == NULL)
    sl_window_toast (self, sentence);
}

static void
on_loaded (gpointer window, gpointer data, const GError *error)
{
  Task      *task = data;
  SlSession *own = sl_window_get_own (window);

  if (error != NULL)
    {
      on_not_loaded (window, task, error);
      return;
    }
  if (task->returning != NULL)
    {
      put_back (window, task);
      return;
    }
  if (task->written)
    {
      sl_window_follow (window, task->path, (unsigned) task->at_work);
      return;
    }
  sl_window_leave_runs (window);
  if (task->looked_up)
    sl_window_hold_own (window, FALSE);
  sl_window_show_own (window);
  if (task->looked_up)
    sl_window_set_session (window, own);
  else
    tell_opened (window, task);
  if (task->path != NULL && !task->figure)
    sl_window_saved_at (window, task->path, task->run.uuid);
  sl_window_view_expect (window, task->run.view);
  if (task->looked_up && task->run.checkpoint.data == NULL)
    sl_window_remake_run (window, &task->run.recipe, &task->run.record);
  else
    sl_session_resume (own, &task->run,
                       !task->paused && task->run.status != SL_RUN_FINISHED
                         && task->run.status != SL_RUN_DIVERGED);
}

/* The session that the run goes on in may have left it a moment ago. */
static gboolean
is_being_written (SlWindow *self, const Task *task)
{
  SlSession *session = task->returning != NULL ? task->returning : sl_window_get_own (self);

  return task->uuid != NULL
         && (sl_session_keeps_earlier (session, task->uuid)
             || sl_window_unseen_holds (self, task->uuid));
}

static gboolean
open_when_written (gpointer window)
{
  Open *open = open_of (window);

  if (is_being_written (window, open->waiting))
    return G_SOURCE_CONTINUE;
  open->looking = 0;
  sl_background_run (load_run, on_loaded, window, open->closing, g_steal_pointer (&open->waiting),
                     free_task);
  return G_SOURCE_REMOVE;
}

typedef struct
{
  SlWindow   *window;
  const char *uuid;
  SlSession  *session; /* borrowed; NULL: none was found yet */
} Holder;

static void
look_at (SlSession *session, gpointer data)
{
  Holder *holder = data;

  if (session != sl_window_get_own (holder->window)
      && g_strcmp0 (sl_session_uuid (session), holder->uuid) == 0)
    holder->session = session;
}

/* A run that another session of the window has, on the overview, in a pair or in a lesson, is shown there:
 * two sessions would write it.  */
static gboolean
show_holder (SlWindow *self, const Task *task)
{
  Holder holder = { self, task->uuid, NULL };

  if (task->uuid == NULL || task->returning != NULL || sl_window_unseen_holds (self, task->uuid))
    return FALSE;
  sl_window_each_session (self, look_at, &holder);
  if (holder.session == NULL)
    return FALSE;
  sl_window_leave_runs (self);
  if (!sl_window_pair_show (self, holder.session))
    sl_window_show_other (self, holder.session);
  if (!task->paused && sl_session_state (holder.session) == SL_PAUSED)
    sl_session_run (holder.session);
  return TRUE;
}

/* The last request counts. */
static void
open_run (SlWindow *self, Task *task)
{
  Open *open = open_of (self);

  g_clear_handle_id (&open->looking, g_source_remove);
  g_clear_pointer (&open->waiting, free_task);
  if (show_holder (self, task))
    {
      free_task (task);
      return;
    }
  open->waiting = task;
  if (open_when_written (self))
    open->looking = g_timeout_add (WRITTEN_MS, open_when_written, self);
}

void
sl_window_open_runs (SlWindow *self, const char *path)
{
  open_run (self, new_task (self, path, NULL));
}

void
sl_window_open_figure (SlWindow *self, const char *path)
{
  Task *task = new_task (self, path, NULL);

  task->paused = task->looked_up = task->figure = TRUE;
  open_run (self, task);
}

void
sl_window_open_run (SlWindow *self, const char *uuid)
{
  Task *task = new_task (self, NULL, uuid);

  task->paused = task->looked_up = TRUE;
  open_run (self, task);
}

static Task *
new_return (SlWindow *self, const char *uuid)
{
  Task *task = new_task (self, NULL, uuid);

  task->paused = TRUE;
  task->returning = g_object_ref (sl_window_get_session (self));
  g_set_object (&task->store, sl_session_store (task->returning));
  return task;
}

void
sl_window_return (SlWindow *self, const char *uuid)
{
  if (sl_session_store (sl_window_get_session (self)) == NULL)
    return;
  open_run (self, new_return (self, uuid));
}

gboolean
sl_window_return_to_lab (SlWindow *self, const SlLab *lab)
{
  SlPrefs    *prefs = sl_window_get_prefs (self);
  gboolean    running = FALSE;
  const char *uuid = sl_session_run_left (sl_window_get_session (self), lab, &running);
  Task       *task;

  if (uuid == NULL)
    return FALSE;
  task = new_return (self, uuid);
  task->lab = lab;
  task->paused = !running
                 || !(sl_prefs_get_boolean (prefs, "labs-go-on")
                      || sl_prefs_get_boolean (prefs, "labs-train-unseen"));
  open_run (self, task);
  return TRUE;
}

void
sl_window_resume (SlWindow *self, const char *uuid, gboolean paused)
{
  Task *task;

  g_return_if_fail (SL_IS_WINDOW (self) && uuid != NULL && sl_window_get_store (self) != NULL);
  task = new_task (self, NULL, uuid);
  task->paused = paused;
  open_run (self, task);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (&open_of (data)->dialog, data,
                       &(SlFileQuestion) { .title = _ ("Open data, runs, curves or a figure") },
                       (SlFileChosen) sl_window_open_file, (SlFileChosen) sl_window_toast, data);
}

static void
on_restore (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_open_file (data, g_variant_get_string (parameter, NULL));
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (sl_window_get_store (data) != NULL)
    sl_window_resume (data, g_variant_get_string (parameter, NULL), FALSE);
}

void
sl_window_add_open (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = on_open },
    { .name = "restore", .activate = on_restore, .parameter_type = "s" },
    { .name = "resume", .activate = on_resume, .parameter_type = "s" },
  };

  sl_window_parts (self)->open = g_new0 (Open, 1);
  open_of (self)->closing = g_cancellable_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_open (SlWindow *self)
{
  Open *open = g_steal_pointer (&sl_window_parts (self)->open);

  g_cancellable_cancel (open->closing);
  g_clear_handle_id (&open->looking, g_source_remove);
  g_clear_pointer (&open->waiting, free_task);
  g_clear_object (&open->closing);
  g_clear_object (&open->dialog);
  g_free (open);
}
