/* SPDX-License-Identifier: MIT
 *
 * sluice-window-bench: the program with its window, which measures itself; see window.h.  */
#include "app/application.h"
#include "bench/window/window.h"

int
main (int argc, char **argv)
{
  return sl_application_main (argc, argv, sl_window_bench_start);
}
