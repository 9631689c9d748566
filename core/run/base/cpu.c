/* SPDX-License-Identifier: MIT
 *
 * What the libraries read only while they are loaded; see cpu.h.  */
#include "core/run/base/cpu.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/nn/kernels/mat.h"

bool
sl_cpu_has_avx512 (void)
{
#if defined __x86_64__
  /* The compiler's own test asks the system (XGETBV) too. */
  return __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
         && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl");
#else
  return false;
#endif
}

/* Whether another kernel is to be asked for. */
static bool
wants_wide_kernel (void)
{
  static const char *const wide[] = { "SkylakeX", "Cooperlake", "Sapphirerapids" };

  if (getenv ("OPENBLAS_CORETYPE") != NULL || !sl_cpu_has_avx512 ())
    return false;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (strcasecmp (sl_blas_kernel (), wide[i]) == 0)
      return false;
  return true;
}

unsigned
sl_cpu_use_threads (unsigned threads)
{
  threads = sl_blas_set_threads (threads > 0 ? threads : sl_blas_cores ());
  g_debug ("kernels: %s (%s), %s, %u of %u threads", sl_blas_version (), sl_blas_threading (),
           sl_blas_kernel (), threads, sl_blas_cores ());
  return threads;
}

void
sl_cpu_prepare (char **argv)
{
  bool again = false;

  /* The variables are also what keeps the second start from becoming a third. */
  if (wants_wide_kernel ())
    again |= setenv ("OPENBLAS_CORETYPE", "SkylakeX", 1) == 0;
  if (getenv ("OMP_WAIT_POLICY") == NULL && getenv ("GOMP_SPINCOUNT") == NULL)
    again |= setenv ("OMP_WAIT_POLICY", "passive", 1) == 0;
  if (again)
    execv ("/proc/self/exe", argv);
}

void
sl_cpu_be_nice (int niceness)
{
  setpriority (PRIO_PROCESS, (id_t) gettid (), niceness);
}
