/* SPDX-License-Identifier: MIT
 *
 * What is asked of OpenMP; one thread in a build without it.  */
#pragma once

#ifdef _OPENMP
#include <omp.h>
#else
static inline int
omp_get_max_threads (void)
{
  return 1;
}

static inline int
omp_get_thread_num (void)
{
  return 0;
}

static inline void
omp_set_num_threads (int threads)
{
}
#endif
