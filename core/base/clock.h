/* SPDX-License-Identifier: MIT
 *
 * Clocks and the median, for everything that is timed here.  */
#pragma once

#include <stddef.h>

/* Seconds that pass, from some point in the past. */
double sl_clock_wall (void);

/* Seconds this thread has computed: what others do on the machine does not count, and neither
 * does what helping threads do.  */
double sl_clock_thread (void);

/* The median of n >= 1 numbers, which are put into order. */
double sl_median (double *numbers, size_t n);
