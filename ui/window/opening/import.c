/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "core/labs/registry.h"
#include "core/run/base/background.h"
#include "core/run/base/error.h"
#include "core/run/files/kind/kind.h"
#include "core/run/import/import.h"
#include "core/run/record/data.h"
#include "ui/import/page.h"
#include "ui/window/opening/opening.h"

/* Larger files are read only once, by the run that begins. */
enum { TRIED_BYTES = 64 << 20 };

typedef struct SlWindowImport
{
  GCancellable *trying; /* the file that is looked at, or NULL */
  char    *begun;  /* the file that a run was begun on without a look, until it is there; or NULL */
  unsigned before; /* generation of the run before that */
} Import;

/* For the lab and the settings that are shown, or the first lab; data that these have no use for begin
 * the lab that has, also where only a look told their kind.  */
static void
begin (SlWindow *self, const char *spec, SlDataNeeds kind)
{
  SlStage     *stage = sl_window_stage (self);
  const SlLab *shown = sl_session_lab (sl_stage_own (stage)), *lab;
  SlSettings   settings;

  lab = sl_lab_for_kind (sl_lab_for_data (shown != NULL ? shown : sl_labs[0], spec), kind);
  if (lab == shown)
    settings = *sl_session_settings (sl_stage_own (stage));
  else
    sl_settings_default (&settings, lab->params, lab->n_params);
  sl_stage_show_own (stage);
  sl_stage_begin (stage, lab, &settings, spec, sl_stage_seed (stage));
}

/* What was read, and the way to the page; or to curves, where that is what the file has as well. */
static void
tell (SlWindow *self, const char *spec, const char *said)
{
  gboolean curves = sl_file_has_loads (spec);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (spec));
  g_autofree char *action
    = g_action_print_detailed_name (curves ? "win.open-curves" : "win.import", target);
  g_autofree char *first = g_strndup (said, strcspn (said, "\n"));
  /* Translators: %s is how a file was read: "150 examples, 4 features". */
  g_autofree char *sentence = g_strdup_printf (_ ("Read as %s"), first);

  sl_window_toast_button (self, sentence, curves ? _ ("Show curves") : _ ("Change…"), action);
}

/* ---- the page ---- */

static void
on_page_open (SlImportPage *page, const char *spec, guint kind, SlWindow *self)
{
  begin (self, spec, (SlDataNeeds) kind);
}

static void
ask (SlWindow *self, const char *spec, SlImport *look)
{
  SlImportPage *page = sl_import_page_open (GTK_WINDOW (self), spec, look);

  g_signal_connect_object (page, "open", G_CALLBACK (on_page_open), self, 0);
}

static void
on_import (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, g_variant_get_string (parameter, NULL), NULL);
}

/* ---- a look before ---- */

typedef struct
{
  char     *path;
  SlImport *look;
  gboolean  failed; /* a run was begun on the file, and its reason is shown */
} Trial;

static void
free_trial (gpointer data)
{
  Trial *trial = data;

  g_clear_pointer (&trial->look, sl_import_free);
  g_free (trial->path);
  g_free (trial);
}

static gboolean
try_file (gpointer data, GError **error)
{
  Trial *trial = data;

  trial->look = sl_import_look (trial->path);
  return TRUE;
}

/* Options help where there is a file that is not what it should be. */
static gboolean
is_question (SlCode code)
{
  return code == SL_EFORMAT || code == SL_EINVAL;
}

static void
on_tried (gpointer owner, gpointer data, const GError *error)
{
  SlWindow *self = owner;
  Trial    *trial = data;

  g_clear_object (&sl_window_parts (self)->import->trying);
  if (trial->failed && trial->look->status.n_advice == 0)
    return;
  if (is_question (trial->look->status.code))
    {
      ask (self, trial->path, g_steal_pointer (&trial->look));
      return;
    }
  begin (self, trial->path, trial->look->yields);
  if (sl_ok (&trial->look->status) && trial->look->said != NULL)
    tell (self, trial->path, trial->look->said);
}

static void
look_at (SlWindow *self, const char *path, gboolean failed)
{
  Import *import = sl_window_parts (self)->import;
  Trial  *trial = g_new0 (Trial, 1);

  trial->path = g_strdup (path);
  trial->failed = failed;
  import->trying = g_cancellable_new ();
  sl_background_run (try_file, on_tried, self, import->trying, trial, free_trial);
}

static void
forget (Import *import)
{
  if (import->trying != NULL)
    g_cancellable_cancel (import->trying);
  g_clear_object (&import->trying);
  g_clear_pointer (&import->begun, g_free);
}

/* ---- what was begun without a look ---- */

static void
update (SlWindow *self)
{
  Import          *import = sl_window_parts (self)->import;
  SlSession       *session = sl_stage_own (sl_window_stage (self));
  const GError    *error = sl_session_error (session);
  const SlDataset *dataset = sl_session_dataset (session);
  g_autofree char *path = NULL, *said = NULL;

  if (import->begun == NULL || sl_session_is_loading (session))
    return;
  if (error == NULL && dataset == NULL)
    return;
  path = g_steal_pointer (&import->begun);
  if (error != NULL)
    {
      if (error->domain == SL_ERROR && is_question ((SlCode) error->code))
        look_at (self, path, TRUE);
      return;
    }
  said = sl_data_reading (&dataset->reading, "\n");
  if (said != NULL)
    tell (self, path, said);
}

void
sl_window_began_on (SlWindow *self, const char *path)
{
  Import *import = sl_window_parts (self)->import;

  forget (import);
  import->begun = g_strdup (path);
  update (self);
}

void
sl_window_read_data (SlWindow *self, const char *path)
{
  Import     *import = sl_window_parts (self)->import;
  struct stat about;

  forget (import);
  if (stat (path, &about) != 0 || !S_ISREG (about.st_mode) || about.st_size >= TRIED_BYTES)
    {
      begin (self, path, SL_NEEDS_NOTHING);
      sl_window_began_on (self, path);
      return;
    }
  look_at (self, path, FALSE);
}

void
sl_window_add_import (SlWindow *self)
{
  static const GActionEntry entries[]
    = { { .name = "import", .activate = on_import, .parameter_type = "s" } };

  sl_window_parts (self)->import = g_new0 (Import, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "state", update);
}

void
sl_window_drop_import (SlWindow *self)
{
  forget (sl_window_parts (self)->import);
  g_clear_pointer (&sl_window_parts (self)->import, g_free);
}
