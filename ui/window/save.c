/* SPDX-License-Identifier: MIT
 *
 * See save.h.  */
#include "ui/window/save.h"

#include <glib/gi18n.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/background.h"
#include "core/run/base/language.h"
#include "ui/kit/banner.h"
#include "ui/kit/file-dialog.h"
#include "ui/window/overview.h"
#include "ui/window/runs.h"
#include "ui/window/services.h"
#include "ui/window/view.h"

enum {
  PATIENCE_MS = 20,
  PATIENCE = 250, /* how often to look for the checkpoint of what is saved */
};

typedef struct SlWindowSave
{
  GError               *no_store; /* why there is no store of runs */
  GCancellable         *closing;
  GtkFileChooserNative *saver, *opener; /* while they are open */

  /* What waits for a checkpoint to be saved: where to, and whose run. */
  char      *path;
  SlSession *session;
  guint      waiting; /* timeout, or 0 */
  unsigned   checkpoints, looks;

  char *saved_path; /* where the run of this name was saved, or NULL */
  char  saved_uuid[SL_UUID];
} Save;

static Save *
save_of (SlWindow *self)
{
  return sl_window_parts (self)->save;
}

/* ---- the store ---- */

SlStore *
sl_window_get_store (SlWindow *self)
{
  return sl_session_store (sl_window_get_own (self));
}

static void
show_trouble (SlWindow *self)
{
  SlStore         *store = sl_window_get_store (self);
  const GError    *error = store != NULL ? sl_store_error (store) : save_of (self)->no_store;
  g_autofree char *sentence = NULL;

  if (error != NULL)
    sentence = g_strdup_printf (_ ("Runs are not stored: %s. Training goes on in memory."),
                                error->message);
  sl_banner_show (sl_window_child (self, "unstored"), sentence);
}

static void
leave_store (SlWindow *self)
{
  if (sl_window_get_store (self) != NULL)
    g_signal_handlers_disconnect_by_data (sl_window_get_store (self), self);
}

void
sl_window_set_store (SlWindow *self, SlStore *store, const GError *trouble)
{
  Save *save;

  g_return_if_fail (SL_IS_WINDOW (self));
  save = save_of (self);
  leave_store (self);
  g_clear_error (&save->no_store);
  if (store == NULL && trouble != NULL)
    save->no_store = g_error_copy (trouble);
  else if (trouble != NULL)
    sl_window_report (self, trouble->message);
  if (store != NULL)
    g_signal_connect_swapped (store, "trouble", G_CALLBACK (show_trouble), self);
  sl_session_set_store (sl_window_get_own (self), store);
  if (sl_window_get_group (self) != NULL)
    sl_group_set_store (sl_window_get_group (self), store);
  show_trouble (self);
}

static void
on_store_retry (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlStore         *before = sl_window_get_store (data);
  g_autofree char *path = NULL;
  g_autoptr (SlStore) store = NULL;
  g_autoptr (GError) error = NULL;

  if (before != NULL && sl_store_error (before) != NULL)
    sl_store_retry (before);
  if (before != NULL && sl_store_error (before) == NULL)
    return;
  /* One that could not be opened for writing is opened anew. */
  path = before != NULL ? g_strdup (sl_store_path (before)) : sl_store_default_path ();
  store = sl_store_open (path, &error);
  sl_window_set_store (data, store, error);
}

/* ---- background tasks ---- */

typedef struct
{
  SlStore    *store; /* or NULL */
  char       *path;  /* or NULL */
  char       *uuid;  /* or NULL: the run of the file */
  gboolean    paused;
  gboolean    looked_up; /* somebody wants to see the run rather than to go on with it */
  SlStoredRun run;       /* that was loaded */
} Task;

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
  g_free (task->path);
  g_free (task->uuid);
  sl_stored_run_clear (&task->run);
  g_free (task);
}

static void
remember_file (const char *path)
{
  static char      mime[] = "application/x-sluice", name[] = "Sluice", command[] = "sluice %f";
  GtkRecentData    recent = { .mime_type = mime, .app_name = name, .app_exec = command };
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (uri != NULL)
    gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &recent);
}

static void
remember_place (SlWindow *self, const char *path, const char *uuid)
{
  Save *save = save_of (self);

  g_free (save->saved_path);
  save->saved_path = g_strdup (path);
  g_strlcpy (save->saved_uuid, uuid, sizeof save->saved_uuid);
  remember_file (path);
}

/* ---- saving ---- */

static gboolean
export_run (gpointer data, GError **error)
{
  const Task *task = data;
  const char *uuids[] = { task->uuid, NULL };

  return sl_store_export (task->store, uuids, task->path, error);
}

static void
on_saved (gpointer window, gpointer data, const GError *error)
{
  const Task      *task = data;
  g_autofree char *name = g_path_get_basename (task->path);
  g_autofree char *sentence = g_strdup_printf (_ ("Saved %s"), name);

  if (error != NULL)
    {
      sl_window_report (window, error->message);
      return;
    }
  remember_place (window, task->path, task->uuid);
  sl_window_toast (window, sentence);
}

/* The state to save is in the store, or the worker is too busy for it. */
static gboolean
on_patience (gpointer window)
{
  Save            *save = save_of (window);
  g_autofree char *path = NULL;
  g_autoptr (SlSession) session = NULL;

  if (sl_session_kept (save->session) == save->checkpoints && ++save->looks < PATIENCE)
    return G_SOURCE_CONTINUE;
  save->waiting = 0;
  path = g_steal_pointer (&save->path);
  session = g_steal_pointer (&save->session);
  if (sl_session_uuid (session) != NULL)
    sl_background_run (export_run, on_saved, window, save->closing,
                       new_task (window, path, sl_session_uuid (session)), free_task);
  return G_SOURCE_REMOVE;
}

static void
save_to (SlWindow *self, const char *path)
{
  Save      *save = save_of (self);
  SlSession *session = sl_window_get_session (self);
  gboolean   storing = sl_window_get_store (self) != NULL;

  if (!storing || sl_session_uuid (session) == NULL || sl_session_info (session)->step == 0)
    {
      sl_window_toast (self, storing ? _ ("There is nothing to save yet")
                                     : _ ("There is no store to save the run from"));
      return;
    }
  g_clear_handle_id (&save->waiting, g_source_remove);
  g_free (save->path);
  save->path = g_strdup (path);
  sl_window_keep_view (self);
  g_set_object (&save->session, session);
  save->checkpoints = sl_session_kept (session);
  save->looks = 0;
  sl_session_keep_now (session);
  save->waiting = g_timeout_add (PATIENCE_MS, on_patience, self);
}

static void
on_save_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession       *session = sl_window_get_session (data);
  g_autofree char *name
    = g_strdup_printf ("%s-seed%llu-step%llu.sluice", sl_session_lab (session)->id,
                       (unsigned long long) sl_session_seed (session),
                       (unsigned long long) sl_session_info (session)->step);

  sl_file_dialog_open (&save_of (data)->saver, data,
                       &(SlFileQuestion) { _ ("Save the run"), name, _ ("Runs"), "*.sluice" },
                       (SlFileChosen) save_to, (SlFileChosen) sl_window_toast, data);
}

/* Where this run was saved before, or wherever the person says. */
static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Save *save = save_of (data);

  if (save->saved_path != NULL
      && g_strcmp0 (sl_session_uuid (sl_window_get_session (data)), save->saved_uuid) == 0)
    save_to (data, save->saved_path);
  else
    on_save_as (action, parameter, data);
}

static void
on_save_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_to (data, g_variant_get_string (parameter, NULL));
}

/* ---- opening ---- */

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

/* A file's runs come into the store, so that going on with one leaves the file as it is.  Where the
 * store has the run and is further, what the file has becomes a run of its own.  */
static gboolean
load_file (Task *task, GError **error)
{
  g_autoptr (SlStore) file = sl_store_open_to_read (task->path, error);
  gboolean same;

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

static gboolean
load_run (gpointer data, GError **error)
{
  Task *task = data;

  if (task->path != NULL)
    return load_file (task, error);
  sl_store_flush (task->store, NULL);
  return sl_store_load (task->store, task->uuid, TRUE, UINT64_MAX, &task->run, error);
}

static void
tell_opened (SlWindow *self, const Task *task)
{
  const SlStoredRun *run = &task->run;
  unsigned long long step = run->checkpoint.step;
  SlStatus           status
    = sl_checkpoint_check (run->checkpoint.data, run->checkpoint.bytes, run->recipe.lab);
  g_autofree char *name = task->path != NULL ? g_path_get_basename (task->path) : NULL;
  g_autofree char *sentence = NULL;

  if (run->checkpoint.data != NULL && !sl_ok (&status))
    return; /* the session will say that it cannot go on */
  if (name != NULL)
    sentence = g_strdup_printf (_ ("Opened %s at step %llu"), name, step);
  else if (run->status == SL_RUN_CUT_OFF)
    sentence = g_strdup_printf (_ ("Resumed the run that was cut off at step %llu"), step);
  else
    sentence = g_strdup_printf (_ ("Resumed the run at step %llu"), step);
  sl_window_toast (self, sentence);
  if (g_strcmp0 (run->recipe.kernel, sl_blas_kernel ()) != 0)
    sl_window_toast (self, _ ("It began on another processor: its last digits will differ"));
}

static void
on_not_loaded (SlWindow *self, const Task *task, const GError *error)
{
  SlSession *own = sl_window_get_own (self);

  if (task->looked_up)
    {
      sl_window_toast (self, error->message);
      return;
    }
  sl_window_report (self, error->message);
  /* A window that was opened for it still needs something to show. */
  if (sl_session_lab (own) == NULL && !sl_session_is_loading (own)
      && !sl_window_shows_overview (self))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.start-over", NULL);
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
  sl_window_leave_runs (window);
  if (task->looked_up)
    sl_window_hold_own (window, FALSE);
  sl_window_show_own (window);
  if (task->looked_up)
    sl_window_set_session (window, own);
  else
    tell_opened (window, task);
  if (task->path != NULL)
    remember_place (window, task->path, task->run.uuid);
  sl_window_view_expect (window, task->run.view);
  if (task->looked_up && task->run.checkpoint.data == NULL)
    sl_window_remake_run (window, &task->run.recipe);
  else
    sl_session_resume (own, &task->run,
                       !task->paused && task->run.status != SL_RUN_FINISHED
                         && task->run.status != SL_RUN_DIVERGED);
}

static void
open_run (SlWindow *self, Task *task)
{
  sl_background_run (load_run, on_loaded, self, save_of (self)->closing, task, free_task);
}

void
sl_window_open_runs (SlWindow *self, const char *path)
{
  open_run (self, new_task (self, path, NULL));
}

void
sl_window_open_run (SlWindow *self, const char *uuid)
{
  Task *task = new_task (self, NULL, uuid);

  task->paused = task->looked_up = TRUE;
  open_run (self, task);
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
  sl_file_dialog_open (&save_of (data)->opener, data,
                       &(SlFileQuestion) { .title = _ ("Open data or a figure") },
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
sl_window_add_save (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save", .activate = on_save },
    { .name = "save-as", .activate = on_save_as },
    { .name = "save-to", .activate = on_save_to, .parameter_type = "s" },
    { .name = "open", .activate = on_open },
    { .name = "restore", .activate = on_restore, .parameter_type = "s" },
    { .name = "resume", .activate = on_resume, .parameter_type = "s" },
    { .name = "store-retry", .activate = on_store_retry },
  };

  sl_window_parts (self)->save = g_new0 (Save, 1);
  save_of (self)->closing = g_cancellable_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_save (SlWindow *self)
{
  Save *save = g_steal_pointer (&sl_window_parts (self)->save);

  leave_store (self);
  g_cancellable_cancel (save->closing);
  g_clear_handle_id (&save->waiting, g_source_remove);
  g_clear_error (&save->no_store);
  g_clear_object (&save->closing);
  g_clear_object (&save->saver);
  g_clear_object (&save->opener);
  g_free (save->path);
  g_clear_object (&save->session);
  g_free (save->saved_path);
  g_free (save);
}
