/* SPDX-License-Identifier: MIT */
#include "ui/window/opening/opening.h"

#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "ui/kit/banner.h"
#include "ui/kit/file-dialog.h"

enum {
  PAUSE_S = 5, /* between a try to open the store and the next, at first, */
  LONGEST_PAUSE_S = 60,
};

typedef struct SlWindowStore
{
  GError               *none;    /* why there is no store of runs, or NULL */
  GtkFileChooserNative *chooser; /* while it is open */
  char                 *moving;  /* where the store was asked to move to, or NULL */
  guint                 timer;   /* to open it again, or 0 */
  guint                 pause;   /* s */
  gboolean              opening;
} Storing;

static Storing *
storing_of (SlWindow *self)
{
  return sl_window_parts (self)->store;
}

/* ---- what there is to say ---- */

static const GError *
trouble_of (SlWindow *self)
{
  SlStore *store = sl_window_get_store (self);

  return store != NULL ? sl_store_error (store) : storing_of (self)->none;
}

static gboolean
writes (SlWindow *self)
{
  SlStore *store = sl_window_get_store (self);

  return store != NULL && sl_store_writes (store);
}

static SlStorePlace
place_of (SlWindow *self)
{
  SlStore *store = sl_window_get_store (self);

  return store != NULL ? sl_store_place (store) : SL_STORE_THERE;
}

/* Ways out that fit: in the place of another file the store is not written. */
static void
offer (SlWindow *self, SlBanner *banner)
{
  SlStorePlace place = place_of (self);
  const char  *elsewhere = _ ("Choose another place…");

  if (place == SL_STORE_REPLACED)
    g_object_set (banner, "first-label", elsewhere, "first-action", "win.store-elsewhere",
                  "second-label", NULL, NULL);
  else
    g_object_set (banner, "first-label",
                  place == SL_STORE_GONE ? _ ("Write it here again") : _ ("Try again"),
                  "first-action", "win.store-retry", "second-label", elsewhere, "second-action",
                  "win.store-elsewhere", NULL);
}

static void
say_moved (SlWindow *self)
{
  g_autofree char *path = g_steal_pointer (&storing_of (self)->moving);
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autofree char *sentence = NULL;

  if (name == NULL || !g_str_equal (path, sl_store_path (sl_window_get_store (self))))
    return;
  sentence = g_strdup_printf (_ ("Runs are now stored in %s"), name);
  sl_window_toast (self, sentence);
}

static void
show_trouble (SlWindow *self)
{
  SlBanner        *banner = sl_window_child (self, "unstored");
  const GError    *error = trouble_of (self);
  g_autofree char *sentence = NULL;

  if (error != NULL)
    {
      sentence = g_strdup_printf (place_of (self) == SL_STORE_REPLACED
                                    ? _ ("Runs are not stored: %s. Training continues in memory; "
                                         "at the end, all runs go into a new file beside it.")
                                    : _ ("Runs are not stored: %s. Training goes on in memory."),
                                  error->message);
      offer (self, banner);
    }
  else
    say_moved (self);
  sl_banner_show (banner, sentence);
}

/* ---- opening it again ---- */

typedef struct
{
  char    *path;
  SlStore *store; /* that was opened */
} Opening;

static gboolean
open_again (gpointer data, GError **error)
{
  Opening *opening = data;

  opening->store = sl_store_open (opening->path, error);
  return opening->store != NULL;
}

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_clear_object (&opening->store);
  g_free (opening->path);
  g_free (opening);
}

static void follow (SlWindow *self);

static void
on_opened (gpointer window, gpointer data, const GError *error)
{
  const Opening *opening = data;
  Storing       *storing = storing_of (window);

  storing->opening = FALSE;
  storing->pause = MIN (2 * storing->pause, LONGEST_PAUSE_S);
  if (opening->store != NULL
      && (sl_window_get_store (window) == NULL || sl_store_writes (opening->store)))
    sl_window_set_store (window, opening->store, NULL);
  else if (opening->store == NULL && sl_window_get_store (window) == NULL)
    sl_window_set_store (window, NULL, error);
  else
    follow (window);
}

static void
open_at (SlWindow *self, const char *path)
{
  Opening *opening;

  if (storing_of (self)->opening)
    return;
  storing_of (self)->opening = TRUE;
  opening = g_new0 (Opening, 1);
  opening->path = g_strdup (path);
  sl_background_run (open_again, on_opened, self, sl_window_closing (self), opening, opening_free);
}

static void
open_own (SlWindow *self)
{
  SlStore         *store = sl_window_get_store (self);
  g_autofree char *path = store != NULL
                            ? g_strdup (sl_store_path (store))
                            : sl_prefs_dup_data (sl_window_get_prefs (self), "runs.sluice");

  open_at (self, path);
}

static gboolean
on_timer (gpointer window)
{
  storing_of (window)->timer = 0;
  open_own (window);
  return G_SOURCE_REMOVE;
}

/* A store that was opened to write tries again by itself; another one is opened again. */
static void
follow (SlWindow *self)
{
  Storing *storing = storing_of (self);

  g_clear_handle_id (&storing->timer, g_source_remove);
  if (trouble_of (self) != NULL && !writes (self))
    storing->timer = g_timeout_add_seconds (storing->pause, on_timer, self);
}

/* ---- the store ---- */

static void
leave_store (SlWindow *self)
{
  if (sl_window_get_store (self) != NULL)
    g_signal_handlers_disconnect_by_data (sl_window_get_store (self), self);
}

void
sl_window_set_store (SlWindow *self, SlStore *store, const GError *trouble)
{
  Storing *storing = storing_of (self);
  GError  *none = store == NULL && trouble != NULL ? g_error_copy (trouble) : NULL;

  leave_store (self);
  g_clear_error (&storing->none);
  storing->none = none;
  if (store != NULL && trouble != NULL)
    sl_window_report (self, trouble->message);
  if (store != NULL)
    g_signal_connect_swapped (store, "trouble", G_CALLBACK (show_trouble), self);
  sl_stage_set_store (sl_window_stage (self), store);
  show_trouble (self);
  follow (self);
}

static void
on_retry (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (writes (data))
    sl_store_retry (sl_window_get_store (data));
  else
    open_own (data);
}

static void
move_to (SlWindow *self, const char *path)
{
  Storing *storing = storing_of (self);

  if (!writes (self))
    {
      open_at (self, path);
      return;
    }
  g_free (storing->moving);
  storing->moving = g_strdup (path);
  sl_store_move (sl_window_get_store (self), path);
}

static void
on_elsewhere (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_file_dialog_open (
    &storing_of (data)->chooser, data,
    &(SlFileQuestion) { _ ("Store the runs in"), "runs.sluice", _ ("Runs"), "*.sluice" },
    (SlFileChosen) move_to, (SlFileChosen) sl_window_toast, data);
}

void
sl_window_add_store (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "store-retry", .activate = on_retry },
    { .name = "store-elsewhere", .activate = on_elsewhere },
  };
  Storing *storing = g_new0 (Storing, 1);

  storing->pause = PAUSE_S;
  sl_window_parts (self)->store = storing;
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
sl_window_drop_store (SlWindow *self)
{
  Storing *storing = g_steal_pointer (&sl_window_parts (self)->store);

  leave_store (self);
  g_clear_handle_id (&storing->timer, g_source_remove);
  g_clear_error (&storing->none);
  g_clear_object (&storing->chooser);
  g_free (storing->moving);
  g_free (storing);
}
