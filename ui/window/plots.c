/* SPDX-License-Identifier: MIT
 *
 * What plots ask of their window: to be copied and exported, and that a parameter follows a click or
 * a drag.  */
#include <glib/gi18n.h>

#include "ui/export/dialog.h"
#include "ui/export/job.h"
#include "ui/window/private.h"

void
sl_window_copy_plot (SlWindow *self, guint panel)
{
  g_autoptr (GError) error = NULL;

  if (sl_export_copy (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->session, self->grid,
                      (int) panel, &error))
    sl_window_toast (self, _ ("Copied as PNG, SVG and CSV"));
  else
    sl_window_toast (self, error->message);
}

void
sl_window_export_plot (SlWindow *self, guint panel)
{
  sl_export_dialog_open (self, self->prefs, (int) panel);
}

static void
set_number (SlWindow *self, const char *id, double number)
{
  SlValue value = { .n = 1, .v = { number } };
  g_autoptr (GError) error = NULL;

  if (!sl_window_lesson_locks (self, id) && !sl_session_set (self->session, id, &value, &error))
    sl_window_toast (self, error->message);
}

/* A row was clicked: the parameter that says which one to look at follows. */
void
sl_window_pick (SlWindow *self, guint panel, guint number)
{
  set_number (self, sl_session_lab (self->session)->panels[panel].picks, number);
}

void
sl_window_drag (SlWindow *self, guint panel, double value)
{
  set_number (self, sl_session_lab (self->session)->panels[panel].drags, value);
}
