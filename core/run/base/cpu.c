/* SPDX-License-Identifier: MIT
 *
 * What the libraries read only while they are loaded; see cpu.h.  */
#include "core/run/base/cpu.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

#include "core/nn/kernels/mat.h"

SlCpuFeatures
sl_cpu_features (void)
{
  SlCpuFeatures features = { 0 };

#if defined __x86_64__
  unsigned a, b, c, d;

  /* The compiler's own test asks the system (XGETBV) too. */
  features.avx512 = __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
                    && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl");
  features.three_d_now = __get_cpuid (0x80000001, &a, &b, &c, &d) != 0 && (d >> 31 & 1) != 0;
#endif
  return features;
}

const char *
sl_cpu_kernel (SlCpuFeatures features, const char *chosen)
{
  static const char *const wide[] = { "SkylakeX", "Cooperlake", "Sapphirerapids" };

  if (strncasecmp (chosen, "Opteron", strlen ("Opteron")) == 0)
    return features.three_d_now ? NULL : "Prescott";
  if (!features.avx512)
    return NULL;
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (strcasecmp (chosen, wide[i]) == 0)
      return NULL;
  return "SkylakeX";
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
  const char *kernel = sl_cpu_kernel (sl_cpu_features (), sl_blas_kernel ());
  bool        again = false;

  /* The variables are also what keeps the second start from becoming a third. */
  if (kernel != NULL && getenv ("OPENBLAS_CORETYPE") == NULL)
    again |= setenv ("OPENBLAS_CORETYPE", kernel, 1) == 0;
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
