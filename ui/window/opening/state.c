/* SPDX-License-Identifier: MIT
 *
 * The beginning of a run as a line of text: copied from the window, and typed into it.  */
#include "core/run/state/state.h"

#include <glib/gi18n.h>

#include "ui/dialogs/state.h"
#include "ui/export/print.h"
#include "ui/window/opening/opening.h"

static void
on_copy_state (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  g_autofree char *text = sl_export_state (
    sl_window_get_session (data), sl_plot_grid_get_maximised (sl_window_get_grid (data)), &error);

  if (text == NULL)
    {
      sl_window_toast (data, error->message);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), text);
  sentence = g_strdup_printf (_ ("Copied: %s"), text);
  sl_window_toast (data, sentence);
}

/* Begins the run of a line; FALSE with a sentence. */
static gboolean
open_state (SlWindow *self, const char *text, GError **error)
{
  SlState state;

  if (!sl_state_read (text, &state, error))
    return FALSE;
  sl_stage_begin (sl_window_stage (self), state.lab, &state.settings,
                  state.data[0] != '\0' ? state.data : NULL, state.seed);
  sl_plot_grid_maximise (sl_window_get_grid (self), state.panel);
  return TRUE;
}

static void
on_state (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!open_state (data, g_variant_get_string (parameter, NULL), &error))
    sl_window_report (data, error->message);
  else
    sl_window_report (data, NULL);
}

static void
on_enter_state (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_state_dialog_show (data);
}

void
sl_window_add_state (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "copy-state", .activate = on_copy_state },
    { .name = "enter-state", .activate = on_enter_state },
    { .name = "state", .activate = on_state, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
