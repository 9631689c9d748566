/* SPDX-License-Identifier: MIT
 *
 * "Copy as command": what to type to have this run without the window.  */
#include <glib/gi18n.h>

#include "core/run/sweep/command-line.h"
#include "ui/window/private.h"

static void
on_copy_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow        *self = data;
  g_autofree char *json = sl_session_recipe (self->session), *command = NULL;
  g_autoptr (GError) error = NULL;
  SlRecipe recipe;

  if (json == NULL)
    return;
  if (!sl_recipe_read (json, &recipe, &error))
    {
      sl_window_toast (self, error->message);
      return;
    }
  command = sl_command_line_run (&recipe);
  sl_recipe_clear (&recipe);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  sl_window_toast (self, _ ("Copied the command that makes this run"));
}

void
sl_window_add_command (SlWindow *self)
{
  static const GActionEntry entries[] = { { .name = "copy-command", .activate = on_copy_command } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
