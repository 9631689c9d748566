/* SPDX-License-Identifier: MIT */
#include "ui/kit/accels.h"

void
sl_accels_set (GtkApplication *application)
{
  static const struct
  {
    const char *action, *accel[4];
  } accels[] = {
    { "win.export", { "<Control>e" } },
    { "win.export-again", { "<Control><Shift>e" } },
    { "win.print", { "<Control>p" } },
    { "win.open", { "<Control>o" } },
    { "win.choose-folder", { "<Control><Shift>o" } },
    { "win.undo", { "<Control>z" } },
    { "win.undo-rewind", { "<Control><Alt>z" } },
    { "win.redo", { "<Control><Shift>z" } },
    { "win.timeline", { "<Control><Shift>t" } },
    { "win.twin", { "<Control>b" } },
    { "win.save", { "<Control>s" } },
    { "win.save-as", { "<Control><Shift>s" } },
    { "win.sidebar", { "F9" } },
    { "win.fullscreen", { "F11" } },
    { "win.panels", { "<Control>f" } },
    { "win.runs", { "<Control>r" } },
    { "win.lessons", { "<Control>l" } },
    { "win.present", { "F5" } },
    { "win.help", { "F1" } },
    { "win.type-larger", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
    { "win.type-smaller", { "<Control>minus", "<Control>KP_Subtract" } },
    { "win.type-usual", { "<Control>0", "<Control>KP_0" } },
    { "win.close", { "<Control>w" } },
    { "win.show-help-overlay", { "<Control>question" } },
    { "app.new-window", { "<Control><Shift>n" } },
    { "app.preferences", { "<Control>comma" } },
    { "app.quit", { "<Control>q" } },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action,
                                           (const char *const *) accels[i].accel);
}
