/* SPDX-License-Identifier: MIT
 *
 * A program that ends as soon as its window stands, and prints when that was.  */
#pragma once

#include <gtk/gtk.h>

/* At the window's first frame: prints how old the process is, s, and quits. */
void sl_bench_end_at_first_frame (GApplication *application, GtkWindow *window);
