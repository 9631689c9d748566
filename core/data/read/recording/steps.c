/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/steps.h"

#include <stdint.h>
#include <stdlib.h>

static int
by_value (const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

size_t
sl_steps_sort (size_t n, double *step)
{
  size_t different = 0;

  if (n > 0)
    qsort (step, n, sizeof *step, by_value);
  for (size_t i = 0; i < n; i++)
    if (i == 0 || step[i] != step[different - 1])
      step[different++] = step[i];
  return different;
}

size_t
sl_steps_find (size_t n, const double *step, double value)
{
  const double *found
    = n > 0 && value == value ? bsearch (&value, step, n, sizeof *step, by_value) : NULL;

  return found != NULL ? (size_t) (found - step) : SIZE_MAX;
}
