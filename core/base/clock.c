/* SPDX-License-Identifier: MIT */
#include "core/base/clock.h"

#include <stdlib.h>
#include <time.h>

static double
clock_seconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

double
sl_clock_wall (void)
{
  return clock_seconds (CLOCK_MONOTONIC);
}

double
sl_clock_thread (void)
{
  return clock_seconds (CLOCK_THREAD_CPUTIME_ID);
}

static int
by_size (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
sl_median (double *numbers, size_t n)
{
  qsort (numbers, n, sizeof *numbers, by_size);
  return n % 2 == 1 ? numbers[n / 2] : (numbers[n / 2 - 1] + numbers[n / 2]) / 2;
}
