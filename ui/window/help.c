/* SPDX-License-Identifier: MIT
 *
 * The window's way to the help.  */
#include "ui/help/help.h"
#include "ui/window/private.h"

static void
on_help (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SlWindow    *self = data;
  const SlLab *lab = sl_session_lab (self->session);

  sl_help_open (GTK_WINDOW (self), lab != NULL ? lab->id : "start");
}

static void
on_help_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  sl_help_open (data, g_variant_get_string (parameter, NULL));
}

void
sl_window_add_help (SlWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "help", .activate = on_help },
    { .name = "help-page", .activate = on_help_page, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
