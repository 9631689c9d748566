/* SPDX-License-Identifier: MIT
 *
 * sluice-cli info: what computes here, how fast, and which data and presets there are.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "app/cli/kernel.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/base/language.h"

static const char *const examples = N_ (
  "The kernel is what OpenBLAS multiplies matrices with.  Older versions choose a slow\none on new "
  "processors; Sluice then chooses for them, and the last line of the first\nblock shows how much "
  "faster that is, measured now on one thread.  Set OPENBLAS_CORETYPE\nto choose yourself.\n");

/* The processor's name as the system tells it; free with g_free(). */
static char *
processor (void)
{
  g_autofree char *text = NULL;
  const char      *line;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL)
      && (line = strstr (text, "model name")) != NULL && (line = strchr (line, ':')) != NULL)
    return g_strstrip (g_strndup (line + 1, strcspn (line + 1, "\n")));
  return g_strdup (_ ("unknown"));
}

static SlExit
print_gain (void)
{
  SlKernelGain gain;
  GError      *error = NULL;

  if (!sl_kernel_gain (&gain, &error))
    return sl_cli_fail_error (error);
  if (strcmp (gain.chosen, gain.own) == 0)
    printf (_ ("product     %.0f GFLOP/s per thread with %s, the library's own choice\n"),
            gain.chosen_gflops, gain.chosen);
  else
    printf (_ ("product     %.0f GFLOP/s per thread with %s; the library's own choice, %s, gives "
               "%.0f: %.2f times as fast\n"),
            gain.chosen_gflops, gain.chosen, gain.own, gain.own_gflops,
            gain.chosen_gflops / gain.own_gflops);
  return SL_EXIT_FINE;
}

static void
print_sources (void)
{
  puts (_ ("\ndata sources found (sluice-cli data lists their options)"));
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    if ((*source)->available == NULL || (*source)->available ())
      printf ("  %-16s %s%s\n", (*source)->id, sl_words ((*source)->title),
              strcmp ((*source)->id, sl_source_default ()) == 0 ? _ (" (default)") : "");
}

/* Under the id of each lab, what run --preset takes. */
static void
print_presets (void)
{
  puts (_ ("\npresets of the labs (sluice-cli run LAB --preset NAME)"));
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    for (unsigned i = 0; i < sl_lab_n_presets (*lab); i++)
      printf ("  %-20s %-10s %s\n", i == 0 ? (*lab)->id : "", (*lab)->presets[i].id,
              sl_words ((*lab)->presets[i].title));
}

static SlExit
command (char **args)
{
  GOptionContext *context = g_option_context_new (NULL);
  g_auto (GStrv) rest = NULL;
  g_autofree char *cpu = processor ();
  SlExit           code;

  g_option_context_set_summary (context, "Shows the processor, its speed, the data sets that were "
                                         "found and the presets of the labs.");
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 0))
    return SL_EXIT_USAGE;
  printf (_ ("sluice      %s\nprocessor   %s%s\nOpenBLAS    %s\nkernel      %s%s\n"
             "threads     %u of %u cores, built for %s\n"),
          SL_VERSION, cpu, sl_cpu_features ().avx512 ? ", AVX-512" : "", sl_blas_version (),
          sl_blas_kernel (), g_getenv ("OPENBLAS_CORETYPE") != NULL ? " (OPENBLAS_CORETYPE)" : "",
          sl_blas_set_threads (sl_blas_cores ()), sl_blas_cores (), sl_blas_threading ());
  fflush (stdout);
  code = print_gain ();
  print_sources ();
  print_presets ();
  return code;
}

const SlCliCommand sl_command_info
  = { "info", N_ ("show the processor, its speed, the data sets found and the presets"), command };
