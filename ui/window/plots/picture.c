/* SPDX-License-Identifier: MIT */
#include "ui/window/plots/plots.h"

#include <glib/gi18n.h>

#include "ui/export/picture.h"
#include "ui/kit/file-dialog.h"

typedef struct SlWindowPicture
{
  char                 *path;    /* where the requested picture goes, or NULL */
  SlSession            *session; /* that was requested to make it, only compared */
  GtkFileChooserNative *dialog;  /* while it is open */
} Picture;

/* One that comes when another session is shown is let go. */
static void
on_pictured (SlWindow *self, SlSession *session)
{
  Picture *picture = sl_window_parts (self)->picture;
  SlBitmap bitmap = { 0 };
  char    *recipe;

  if (picture->path == NULL || session != sl_window_get_session (self)
      || !sl_session_take_picture (session, &bitmap, &recipe))
    return;
  sl_picture_write (&bitmap, sl_session_lab (session)->title, recipe,
                    g_steal_pointer (&picture->path), (SlPictureWritten) sl_window_toast, self,
                    sl_window_closing (self));
}

static void
ask_for_picture (SlWindow *self, const char *path)
{
  Picture   *picture = sl_window_parts (self)->picture;
  SlSession *session = sl_window_get_session (self);

  g_free (picture->path);
  picture->path = g_strdup (path);
  if (session != picture->session)
    g_signal_connect_object (session, "pictured", G_CALLBACK (on_pictured), self,
                             G_CONNECT_SWAPPED);
  picture->session = session;
  sl_session_ask_picture (session);
}

static void
on_save_picture (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlSession       *session = sl_window_get_session (data);
  g_autofree char *name = g_strdup_printf (
    "%s-seed%" G_GUINT64_FORMAT "-step%" G_GUINT64_FORMAT ".png", sl_session_lab (session)->id,
    (guint64) sl_session_seed (session), (guint64) sl_session_info (session)->step);

  sl_file_dialog_open (&sl_window_parts (data)->picture->dialog, data,
                       &(SlFileQuestion) { _ ("Save the picture"), name, _ ("Pictures"), "*.png" },
                       (SlFileChosen) ask_for_picture, (SlFileChosen) sl_window_toast, data);
}

static void
on_save_picture_to (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_for_picture (data, g_variant_get_string (parameter, NULL));
}

static void
update (SlWindow *self)
{
  const SlLab *lab = sl_session_lab (sl_window_get_session (self));
  gboolean     makes = lab != NULL && lab->picture != NULL && !sl_window_shows_overview (self);

  sl_window_enable (self, "save-picture", makes);
  sl_window_enable (self, "save-picture-to", makes);
}

void
sl_window_add_picture (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "save-picture", .activate = on_save_picture },
    { .name = "save-picture-to", .activate = on_save_picture_to, .parameter_type = "s" },
  };

  sl_window_parts (self)->picture = g_new0 (Picture, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  sl_window_watch (self, "progress", update);
}

void
sl_window_drop_picture (SlWindow *self)
{
  Picture *picture = g_steal_pointer (&sl_window_parts (self)->picture);

  g_clear_object (&picture->dialog);
  g_free (picture->path);
  g_free (picture);
}
