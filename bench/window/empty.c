/* SPDX-License-Identifier: MIT
 *
 * sluice-empty-bench: an empty window of the toolkit, drawn by the same renderer, which a start of the program is
 * compared with.  */
#include <adwaita.h>

#include "app/renderer.h"
#include "bench/window/first-frame.h"

static void
on_activate (GtkApplication *application)
{
  GtkWidget *window;

  sl_renderer_choose (gdk_display_get_default ());
  window = adw_application_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_present (GTK_WINDOW (window));
  sl_bench_end_at_first_frame (G_APPLICATION (application), GTK_WINDOW (window));
}

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer application)
{
  g_application_quit (application);
}

int
main (int argc, char **argv)
{
  static const GActionEntry quit[] = { { .name = "quit", .activate = on_quit } };
  g_autoptr (AdwApplication) application = NULL;

  sl_renderer_prepare ();
  application = adw_application_new ("org.sluice.Empty", G_APPLICATION_NON_UNIQUE);

  g_action_map_add_action_entries (G_ACTION_MAP (application), quit, 1, application);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
