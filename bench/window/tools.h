/* SPDX-License-Identifier: MIT
 *
 * Clocks, loops and lines of output that the parts of the window's bench share.  */
#pragma once

#include <glib.h>
#include <time.h>

/* How long anything is waited for, s. */
enum { SL_BENCH_PATIENCE = 60 };

/* The variable that makes a program print its age at its first frame and end. */
#define SL_BENCH_FIRST_FRAME "SLUICE_BENCH_FIRST_FRAME"

double sl_bench_now (clockid_t clock); /* s */

/* Since the process began, which is before main() and before a second start with other kernels. */
double sl_bench_age (void);

/* One figure as a JSON object on a line of its own; not-a-number is null. */
void sl_bench_print (const char *name, double value, const char *unit);

/* A source function that sets a gboolean, once. */
gboolean sl_bench_alarm (gpointer over);

/* Runs the main loop for so long, s. */
void sl_bench_run_for (double seconds);
