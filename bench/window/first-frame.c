/* SPDX-License-Identifier: MIT */
#include "bench/window/first-frame.h"

#include <stdio.h>

#include "bench/window/tools.h"

static void
on_painted (GdkFrameClock *clock, GApplication *application)
{
  g_signal_handlers_disconnect_by_data (clock, application);
  printf ("%.6f\n", sl_bench_age ());
  fflush (stdout);
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
}

void
sl_bench_end_at_first_frame (GApplication *application, GtkWindow *window)
{
  g_signal_connect (gtk_widget_get_frame_clock (GTK_WIDGET (window)), "after-paint",
                    G_CALLBACK (on_painted), application);
}
