/* SPDX-License-Identifier: MIT
 *
 * The choice of OpenBLAS's kernel, which has to be made before the library is loaded.  */
#include "core/run/cpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/nn/mat.h"

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

void
sl_cpu_choose_kernel (char **argv)
{
  static const char *const wide[] = { "SkylakeX", "Cooperlake", "Sapphirerapids" };
  const char              *kernel = sl_blas_kernel ();

  if (getenv ("OPENBLAS_CORETYPE") != NULL || !sl_cpu_has_avx512 ())
    return;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (strcasecmp (kernel, wide[i]) == 0)
      return;
  /* The variable is also what keeps the second start from becoming a third. */
  if (setenv ("OPENBLAS_CORETYPE", "SkylakeX", 1) == 0)
    execv ("/proc/self/exe", argv);
}
