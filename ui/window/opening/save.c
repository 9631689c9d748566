/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/opening.h"
#include "ui/window/plots/plots.h"

#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "ui/kit/file-dialog.h"

enum {
  PATIENCE_MS = 20,
  PATIENCE = 250, /* how often to look for the checkpoint of what is saved */
};

typedef struct SlWindowSave
{
  GtkFileChooserNative *saver; /* while it is open */

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

/* ---- background tasks ---- */

typedef struct
{
  SlStore *store;
  char    *path, *uuid;
} Task;

static Task *
new_task (SlWindow *self, const char *path, const char *uuid)
{
  Task *task = g_new0 (Task, 1);

  task->store = g_object_ref (sl_window_get_store (self));
  task->path = g_strdup (path);
  task->uuid = g_strdup (uuid);
  return task;
}

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_free (task->path);
  g_free (task->uuid);
  g_free (task);
}

void
sl_window_saved_at (SlWindow *self, const char *path, const char *uuid)
{
  Save *save = save_of (self);

  g_free (save->saved_path);
  save->saved_path = g_strdup (path);
  g_strlcpy (save->saved_uuid, uuid, sizeof save->saved_uuid);
  sl_window_note_recent (path);
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
  sl_window_saved_at (window, task->path, task->uuid);
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
    sl_background_run (export_run, on_saved, window, sl_window_closing (window),
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

/* Where this run was saved before, or wherever the user says. */
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

void
sl_window_add_save (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save", .activate = on_save },
    { .name = "save-as", .activate = on_save_as },
    { .name = "save-to", .activate = on_save_to, .parameter_type = "s" },
  };

  sl_window_parts (self)->save = g_new0 (Save, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_save (SlWindow *self)
{
  Save *save = g_steal_pointer (&sl_window_parts (self)->save);

  g_clear_handle_id (&save->waiting, g_source_remove);
  g_clear_object (&save->saver);
  g_free (save->path);
  g_clear_object (&save->session);
  g_free (save->saved_path);
  g_free (save);
}
