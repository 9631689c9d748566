/* SPDX-License-Identifier: MIT
 *
 * sluice-window-bench: the program with its window, which measures itself; see window.h.  With the variable
 * of tools.h it is the program as a user starts it, until its first frame.  */
#include "app/application.h"
#include "bench/window/first-frame.h"
#include "bench/window/tools.h"
#include "bench/window/window.h"

static void
end_at_first_frame (GApplication *application, SlWindow *window)
{
  sl_bench_end_at_first_frame (application, GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  static const SlDriver bench = { .begin = sl_window_bench_start, .bench = TRUE };
  static const SlDriver first_frame = { .begin = end_at_first_frame };

  return sl_application_main (argc, argv,
                              g_getenv (SL_BENCH_FIRST_FRAME) != NULL ? &first_frame : &bench);
}
