/* SPDX-License-Identifier: MIT
 *
 * Runs and files in the window: the store that every run of its own session goes into, saving the
 * present run into a file of its own, opening such a file, and going on with a stored run.  Disks
 * are waited for in threads.  */
#include <glib/gi18n.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "ui/window/private.h"

enum {
  PATIENCE_MS = 20,
  PATIENCE = 250, /* how often to look for the checkpoint of what is saved */
};

/* ---- the store ---- */

static void
show_trouble (SlWindow *self)
{
  const GError    *error = self->store != NULL ? sl_store_error (self->store) : self->no_store;
  g_autofree char *sentence = NULL;

  if (error != NULL)
    sentence = g_strdup_printf (_ ("Runs are not stored: %s. Training goes on in memory."),
                                error->message);
  sl_banner_show (self->unstored, sentence);
}

void
sl_window_set_store (SlWindow *self, SlStore *store, const GError *trouble)
{
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_data (self->store, self);
  g_set_object (&self->store, store);
  g_clear_error (&self->no_store);
  if (store == NULL && trouble != NULL)
    self->no_store = g_error_copy (trouble);
  else if (trouble != NULL)
    sl_window_report (self, trouble->message);
  if (store != NULL)
    g_signal_connect_swapped (store, "trouble", G_CALLBACK (show_trouble), self);
  sl_session_set_store (self->own, store);
  if (self->group != NULL)
    sl_group_set_store (self->group, store);
  show_trouble (self);
}

static void
on_store_retry (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  g_autofree char *path = NULL;
  g_autoptr (SlStore) store = NULL;
  g_autoptr (GError) error = NULL;

  if (self->store != NULL && sl_store_error (self->store) != NULL)
    sl_store_retry (self->store);
  if (self->store != NULL && sl_store_error (self->store) == NULL)
    return;
  /* One that could not be opened for writing is opened anew. */
  path = self->store != NULL ? g_strdup (sl_store_path (self->store)) : sl_store_default_path ();
  store = sl_store_open (path, &error);
  sl_window_set_store (self, store, error);
}

void
sl_window_drop_store (SlWindow *self)
{
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_data (self->store, self);
  g_clear_handle_id (&self->saving, g_source_remove);
  g_clear_object (&self->store);
  g_clear_error (&self->no_store);
  g_clear_pointer (&self->save_path, g_free);
  g_clear_object (&self->save_from);
  g_clear_pointer (&self->saved_path, g_free);
  g_clear_object (&self->saver);
}

/* ---- what threads do ---- */

typedef struct
{
  SlStore *store; /* or NULL */
  char    *path;  /* or NULL */
  char    *uuid;  /* or NULL: the one of the file */
} Errand;

static void
errand_free (gpointer data)
{
  Errand *errand = data;

  g_clear_object (&errand->store);
  g_free (errand->path);
  g_free (errand->uuid);
  g_free (errand);
}

static void
run_errand (SlWindow *self, Errand *errand, GTaskThreadFunc work, GAsyncReadyCallback done)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, done, NULL);

  g_task_set_task_data (task, errand, errand_free);
  g_task_run_in_thread (task, work);
}

/* ---- saving ---- */

static void
save (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Errand *errand = data;
  const char   *uuids[] = { errand->uuid, NULL };
  GError       *error = NULL;

  if (sl_store_export (errand->store, uuids, errand->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
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
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  SlWindow        *self = SL_WINDOW (source);
  const Errand    *errand = g_task_get_task_data (G_TASK (result));
  g_autofree char *name = g_path_get_basename (errand->path), *sentence = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      if (self->own != NULL)
        sl_window_report (self, error->message);
      return;
    }
  g_free (self->saved_path);
  self->saved_path = g_strdup (errand->path);
  g_strlcpy (self->saved_uuid, errand->uuid, sizeof self->saved_uuid);
  remember_file (errand->path);
  if (self->own == NULL)
    return;
  sentence = g_strdup_printf (_ ("Saved %s"), name);
  sl_window_toast (self, sentence);
}

/* The state to save is in the store, or the worker is too busy for it. */
static gboolean
on_patience (gpointer data)
{
  SlWindow *self = data;
  Errand   *errand;

  if (sl_session_kept (self->save_from) == self->kept_before && ++self->looks < PATIENCE)
    return G_SOURCE_CONTINUE;
  self->saving = 0;
  if (sl_session_uuid (self->save_from) == NULL)
    return G_SOURCE_REMOVE;
  errand = g_new0 (Errand, 1);
  errand->store = g_object_ref (self->store);
  errand->path = g_steal_pointer (&self->save_path);
  errand->uuid = g_strdup (sl_session_uuid (self->save_from));
  g_clear_object (&self->save_from);
  run_errand (self, errand, save, on_saved);
  return G_SOURCE_REMOVE;
}

void
sl_window_save_to (SlWindow *self, const char *path)
{
  if (self->store == NULL || sl_session_uuid (self->session) == NULL
      || sl_session_info (self->session)->step == 0)
    {
      sl_window_toast (self, self->store == NULL ? _ ("There is no store to save the run from")
                                                 : _ ("There is nothing to save yet"));
      return;
    }
  g_clear_handle_id (&self->saving, g_source_remove);
  g_free (self->save_path);
  self->save_path = g_strdup (path);
  sl_window_keep_view (self);
  g_set_object (&self->save_from, self->session);
  self->kept_before = sl_session_kept (self->session);
  self->looks = 0;
  sl_session_keep_now (self->session);
  self->saving = g_timeout_add (PATIENCE_MS, on_patience, self);
}

static void
on_place_chosen (GtkNativeDialog *dialog, int response, SlWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *path = g_file_get_path (file);

      if (path != NULL)
        sl_window_save_to (self, path);
      else
        sl_window_toast (self, _ ("Only files on this computer can be written"));
    }
  g_clear_object (&self->saver);
}

static void
on_save_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  g_autofree char *name = NULL;
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  if (self->saver != NULL)
    return;
  name = g_strdup_printf ("%s-seed%llu-step%llu.sluice", sl_session_lab (self->session)->id,
                          (unsigned long long) sl_session_seed (self->session),
                          (unsigned long long) sl_session_info (self->session)->step);
  self->saver
    = gtk_file_chooser_native_new (_ ("Save the run"), GTK_WINDOW (self),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  gtk_file_filter_set_name (filter, _ ("Runs"));
  gtk_file_filter_add_pattern (filter, "*.sluice");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->saver), filter);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->saver), name);
  g_signal_connect (self->saver, "response", G_CALLBACK (on_place_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->saver));
}

/* Where this run was saved before, or wherever the person says. */
static void
on_save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (self->saved_path != NULL
      && g_strcmp0 (sl_session_uuid (self->session), self->saved_uuid) == 0)
    sl_window_save_to (self, self->saved_path);
  else
    on_save_as (action, parameter, data);
}

static void
on_save_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_window_save_to (data, g_variant_get_string (parameter, NULL));
}

/* ---- opening ---- */

static void
stored_free (gpointer data)
{
  sl_stored_run_clear (data);
  g_free (data);
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
      sl_fail (error, SL_EINVAL, sl_store_path (file), "no runs in it", NULL);
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
load_file (Errand *errand, SlStoredRun *run, GError **error)
{
  g_autoptr (SlStore) file = sl_store_open_to_read (errand->path, error);
  gboolean same;

  errand->uuid = file != NULL ? choose_run (file, error) : NULL;
  if (errand->uuid == NULL)
    return FALSE;
  same = errand->store != NULL && sl_store_merge (errand->store, errand->path, NULL, NULL)
         && is_the_same (errand->store, file, errand->uuid);
  if (!sl_store_load (same ? errand->store : file, errand->uuid, TRUE, UINT64_MAX, run, error))
    return FALSE;
  if (!same)
    run->uuid[0] = '\0';
  return TRUE;
}

static void
load (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Errand      *errand = data;
  SlStoredRun *run = g_new0 (SlStoredRun, 1);
  GError      *error = NULL;
  gboolean     fine;

  if (errand->path != NULL)
    fine = load_file (errand, run, &error);
  else
    {
      sl_store_flush (errand->store, NULL);
      fine = sl_store_load (errand->store, errand->uuid, TRUE, UINT64_MAX, run, &error);
    }
  if (fine)
    {
      g_task_return_pointer (task, run, stored_free);
      return;
    }
  g_free (run);
  g_task_return_error (task, error);
}

static void
say_opened (SlWindow *self, const Errand *errand, const SlStoredRun *run)
{
  unsigned long long step = run->checkpoint.step;
  SlStatus           status
    = sl_checkpoint_check (run->checkpoint.data, run->checkpoint.bytes, run->recipe.lab);
  g_autofree char *name = errand->path != NULL ? g_path_get_basename (errand->path) : NULL;
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
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  SlWindow     *self = SL_WINDOW (source);
  const Errand *errand = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  SlStoredRun *run = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->own == NULL)
    {
      g_clear_pointer (&run, stored_free);
      return;
    }
  if (run == NULL)
    {
      sl_window_report (self, error->message);
      /* A window that was opened for it still needs something to show. */
      if (sl_session_lab (self->own) == NULL && !sl_session_is_loading (self->own)
          && !self->in_overview)
        gtk_widget_activate_action (GTK_WIDGET (self), "win.start-over", NULL);
      return;
    }
  sl_window_leave_runs (self);
  sl_window_show_own (self);
  say_opened (self, errand, run);
  if (errand->path != NULL)
    {
      remember_file (errand->path);
      g_free (self->saved_path);
      self->saved_path = g_strdup (errand->path);
      g_strlcpy (self->saved_uuid, run->uuid, sizeof self->saved_uuid);
    }
  sl_window_view_expect (self, run->view);
  sl_session_resume (self->own, run,
                     !self->resume_paused && run->status != SL_RUN_FINISHED
                       && run->status != SL_RUN_DIVERGED);
  stored_free (run);
}

void
sl_window_open_runs (SlWindow *self, const char *path)
{
  Errand *errand = g_new0 (Errand, 1);

  g_set_object (&errand->store, self->store);
  errand->path = g_strdup (path);
  self->resume_paused = FALSE;
  run_errand (self, errand, load, on_loaded);
}

void
sl_window_resume (SlWindow *self, const char *uuid, gboolean paused)
{
  Errand *errand = g_new0 (Errand, 1);

  errand->store = g_object_ref (self->store);
  errand->uuid = g_strdup (uuid);
  self->resume_paused = paused;
  run_errand (self, errand, load, on_loaded);
}

static void
on_resume (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow *self = data;

  if (self->store != NULL)
    sl_window_resume (self, g_variant_get_string (parameter, NULL), FALSE);
}

void
sl_window_add_files (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save", .activate = on_save },
    { .name = "save-as", .activate = on_save_as },
    { .name = "save-to", .activate = on_save_to, .parameter_type = "s" },
    { .name = "resume", .activate = on_resume, .parameter_type = "s" },
    { .name = "store-retry", .activate = on_store_retry },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
