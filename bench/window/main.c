/* SPDX-License-Identifier: MIT
 *
 * sluice-window-bench: the program with its window, which measures itself; see window.h.  */
#include "app/application.h"
#include "bench/window/window.h"

int
main (int argc, char **argv)
{
  static const SlDriver bench = { .begin = sl_window_bench_start, .bench = TRUE };

  return sl_application_main (argc, argv, &bench);
}
