/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/vector.h"

#include "core/nn/kernels/clones.h"

SL_CLONES void
sl_vector_add (size_t n, const sl_real *from, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] += from[i];
}

SL_CLONES void
sl_vector_add_scaled (size_t n, sl_real by, const sl_real *restrict from, sl_real *restrict to)
{
  for (size_t i = 0; i < n; i++)
    to[i] += by * from[i];
}

SL_CLONES void
sl_vector_scale (size_t n, sl_real by, const sl_real *from, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = by * from[i];
}

sl_real
sl_vector_dot (size_t n, const sl_real *a, const sl_real *b)
{
  sl_real sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

SL_CLONES double
sl_vector_inner (size_t n, const sl_real *a, const sl_real *b)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) a[i] * (double) b[i];
  return sum;
}

static void
swap_values (sl_real *a, sl_real *b)
{
  sl_real t = *a;

  *a = *b;
  *b = t;
}

/* Hoare's selection with the median of three as pivot. */
sl_real
sl_vector_select (size_t n, sl_real *a, size_t rank)
{
  size_t first = 0, last = n - 1;

  while (first < last)
    {
      size_t  middle = first + (last - first) / 2, i = first, j = last;
      sl_real pivot;

      if (a[middle] < a[first])
        swap_values (&a[middle], &a[first]);
      if (a[last] < a[first])
        swap_values (&a[last], &a[first]);
      if (a[last] < a[middle])
        swap_values (&a[last], &a[middle]);
      pivot = a[middle];
      for (;;)
        {
          while (a[i] < pivot)
            i++;
          while (pivot < a[j])
            j--;
          if (i >= j)
            break;
          swap_values (&a[i++], &a[j--]);
        }
      /* Now a[first … j] <= pivot <= a[j + 1 … last]. */
      if (rank <= j)
        last = j;
      else
        first = j + 1;
    }
  return a[rank];
}
