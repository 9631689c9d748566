/* SPDX-License-Identifier: MIT
 *
 * What the libraries read only while they are loaded; see cpu.h.  */
#include "core/run/base/cpu.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined __x86_64__
#include <cpuid.h>
#elif defined __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "core/nn/kernels/mat.h"
#include "core/run/base/kernel.h"

/* Kernels that need AVX-512; all but the first need bfloat16 as well. */
static const char *const wide[] = { "SkylakeX", "Cooperlake", "Sapphirerapids" };

SlCpuFeatures
sl_cpu_features (void)
{
  SlCpuFeatures features = { 0 };

#if defined __x86_64__
  unsigned a, b, c, d;

  features.sse3 = __builtin_cpu_supports ("sse3");
  features.ssse3 = __builtin_cpu_supports ("ssse3");
  features.sse4_1 = __builtin_cpu_supports ("sse4.1");
  features.sse4_2 = __builtin_cpu_supports ("sse4.2");
  /* The compiler's own test asks the system (XGETBV) too. */
  features.avx = __builtin_cpu_supports ("avx");
  features.fma = __builtin_cpu_supports ("fma");
  features.fma4 = __builtin_cpu_supports ("fma4");
  features.avx512 = __builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512dq")
                    && __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl");
  features.avx2 = __builtin_cpu_supports ("avx2") && features.fma;
  features.bf16 = features.avx512 && __builtin_cpu_supports ("avx512bf16");
  features.three_d_now = __get_cpuid (0x80000001, &a, &b, &c, &d) != 0 && (d >> 31 & 1) != 0;
#elif defined __aarch64__
  features.arm64 = true;
  features.arm64_2 = (getauxval (AT_HWCAP) & HWCAP_ASIMDRDM) != 0;
#endif
  return features;
}

bool
sl_cpu_can_run (SlCpuFeatures features, const char *kernel)
{
  /* By the instructions in the assembly of each; those in one group need the same. */
  const struct
  {
    const char *names;
    bool        possible;
  } kernels[] = {
    { "Prescott Barcelona", features.sse3 },
    { "Core2 Atom Nano Bobcat", features.ssse3 },
    { "Penryn Dunnington", features.sse4_1 },
    { "Nehalem", features.sse4_2 },
    { "Sandybridge", features.avx },
    { "Haswell Zen", features.avx2 },
    { "SkylakeX", features.avx512 },
    { "Cooperlake Sapphirerapids", features.bf16 },
    { "Opteron", features.three_d_now },
    { "Opteron_SSE3", features.three_d_now && features.sse3 },
    { "Bulldozer", features.fma4 },
    { "Piledriver Steamroller Excavator", features.fma4 && features.fma },
    { "armv8 cortexa53 cortexa57 cortexa72 cortexa73", features.arm64 },
    { "neoversen1", features.arm64_2 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (kernels); i++)
    {
      g_auto (GStrv) names = g_strsplit (kernels[i].names, " ", -1);

      if (g_strv_contains ((const char *const *) names, kernel))
        return kernels[i].possible;
    }
  return false;
}

const char *
sl_cpu_kernel (SlCpuFeatures features, const char *chosen)
{
  if (strncasecmp (chosen, "Opteron", strlen ("Opteron")) == 0)
    return features.three_d_now ? NULL : "Prescott";
  if (!features.avx512)
    return NULL;
  for (size_t i = 0; i < G_N_ELEMENTS (wide); i++)
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

/* Takes --kernel out of the words; returns its value, or NULL.  `argv` is changed only behind it. */
static char *
take_option (char **argv)
{
  static const char option[] = "--kernel";

  for (char **at = argv + 1; argv[0] != NULL && *at != NULL; at++)
    {
      unsigned taken = 1;
      char    *value;

      if (strcmp (*at, "--") == 0)
        return NULL;
      if (strncmp (*at, "--kernel=", sizeof option) == 0)
        value = *at + sizeof option;
      else if (strcmp (*at, option) == 0)
        value = at[1] != NULL ? at[taken++] : (char *) "";
      else
        continue;
      memmove (at, at + taken, (g_strv_length (at + taken) + 1) * sizeof *at);
      return value;
    }
  return NULL;
}

const char *
sl_cpu_kernel_wanted (void)
{
  const char      *own = sl_blas_kernel ();
  g_autofree char *remembered = sl_kernel_remembered ();

  if (remembered != NULL && remembered[0] != '\0'
      && sl_cpu_can_run (sl_cpu_features (), remembered))
    return strcasecmp (remembered, own) == 0 ? NULL : sl_kernel_named (remembered);
  return sl_cpu_kernel (sl_cpu_features (), own);
}

/* Executes this program once more.  By its path, after which lists of processes name it; else, when its file
 * was replaced meanwhile, by the link that still leads to it.  */
static void
start_again (char **argv)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  if (self != NULL)
    execv (self, argv);
  execv ("/proc/self/exe", argv);
}

/* Has the kernel that the first start chose, for what the second one says of it. */
static const char chosen_here[] = "SLUICE_KERNEL_CHOSEN";

gboolean
sl_cpu_is_requested (void)
{
  const char *kernel = getenv ("OPENBLAS_CORETYPE");

  return kernel != NULL && g_strcmp0 (kernel, getenv (chosen_here)) != 0;
}

gboolean
sl_cpu_prepare (char **argv, GError **error)
{
  const char *wished, *kernel = NULL;
  gboolean    again;

  if (argv[0] != NULL && argv[1] != NULL && strcmp (argv[1], SL_KERNEL_CHILD) == 0)
    exit (sl_kernel_child ());
  wished = take_option (argv);
  again = wished != NULL;
  /* The variables are also what keeps the second start from becoming a third. */
  if (wished != NULL)
    {
      kernel = sl_kernel_named (wished);
      if (kernel == NULL || !sl_cpu_can_run (sl_cpu_features (), kernel))
        {
          g_autofree char *known = g_strjoinv (", ", (char **) sl_kernel_names ());

          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       kernel == NULL ? "there is no kernel \"%s\"; there are %s"
                                      : "this processor cannot run the kernel %s",
                       wished, known);
          return FALSE;
        }
    }
  else if (getenv ("OPENBLAS_CORETYPE") == NULL)
    {
      kernel = sl_cpu_kernel_wanted ();
      if (kernel != NULL)
        setenv (chosen_here, kernel, 1);
    }
  if (kernel != NULL)
    again |= setenv ("OPENBLAS_CORETYPE", kernel, 1) == 0;
  if (getenv ("OMP_WAIT_POLICY") == NULL && getenv ("GOMP_SPINCOUNT") == NULL)
    again |= setenv ("OMP_WAIT_POLICY", "passive", 1) == 0;
  if (again)
    start_again (argv);
  return TRUE;
}

void
sl_cpu_be_nice (int niceness)
{
  setpriority (PRIO_PROCESS, (id_t) gettid (), niceness);
}
