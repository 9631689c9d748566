/* SPDX-License-Identifier: MIT
 *
 * sluice-cli info: what computes here, how fast, and which data and presets there are.  */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "app/cli/cli.h"
#include "core/base/clock.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/cpu.h"
#include "core/run/base/kernel.h"
#include "core/run/base/language.h"
#include "core/run/base/threads.h"
#include "core/run/headless/thread-trial.h"

static const char *const examples
  = N_ ("OpenBLAS chooses its kernel by the processor's name, not always the fastest.\n"
        "--measure times kernels and threads in about a second and keeps the fastest;\n"
        "--kernel or OPENBLAS_CORETYPE, and run --threads, choose by hand.\n");

/* Of all kernels together, and of all labs. */
static const double measuring_seconds = 1.8, threads_seconds = 2;

/* The kernel that is used where none was measured or chosen. */
static const char *
usual_kernel (void)
{
  const char *usual = sl_cpu_kernel (sl_cpu_features (), sl_blas_kernel ());

  return usual != NULL ? usual : sl_blas_kernel ();
}

static void
print_trial (const SlKernelTrial *trial, const char *usual)
{
  printf (
    _ ("products    GFLOP/s of one thread, and how fast all are against %s\n            %-16s"),
    usual, "");
  for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
    printf (" %13s", sl_kernel_shape (shape));
  putchar ('\n');
  for (unsigned i = 0; i < trial->n; i++)
    {
      printf ("            %-16s", trial->kernel[i].name);
      for (unsigned shape = 0; shape < SL_KERNEL_SHAPES; shape++)
        printf (" %12.1f", sl_kernel_gflops (trial, i, shape));
      printf ("   %.2f\n", sl_kernel_speed_up (trial, usual, i));
    }
}

/* How many threads the labs' runs have with the kernel in use. */
static void
print_threads (void)
{
  g_autoptr (GString) labs = g_string_new (NULL);

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      unsigned threads = sl_threads_remembered ((*lab)->id);

      if (threads > 0)
        g_string_append_printf (labs, "%s%s %u", labs->len > 0 ? ", " : "", (*lab)->id, threads);
    }
  if (labs->len > 0)
    printf (_ ("            measured to be the quickest for runs of %s\n"), labs->str);
}

/* Times updates of all labs on one thread and on all, says what that means and remembers it. */
static void
measure_threads (const char *kernel)
{
  SlThreadTrial trial;
  g_autoptr (GError) error = NULL;

  if (!sl_thread_try (&trial, kernel, threads_seconds, &error))
    {
      printf ("threads     %s\n", error->message);
      return;
    }
  printf (_ ("threads     ms of an update on 1 and on %u threads\n"), trial.threads);
  for (unsigned i = 0; i < trial.n; i++)
    {
      unsigned threads = sl_thread_verdict (&trial, i);
      double   all, one = 1e3 * sl_median (trial.lab[i].one, SL_THREAD_ROUNDS);

      all = 1e3 * sl_median (trial.lab[i].all, SL_THREAD_ROUNDS);
      printf ("            %-20s %9.3f %9.3f   ", trial.lab[i].lab->id, one, all);
      if (threads == 0)
        puts (_ ("the times spread too far"));
      else
        printf ("%u\n", threads);
    }
  if (!sl_thread_trial_is_quiet (&trial))
    puts (_ ("            the machine is busy: nothing is concluded"));
  else
    sl_thread_remember (&trial, kernel);
}

/* Measures all kernels, says what that means and remembers it; then threads with the best one. */
static SlExit
measure_kernels (void)
{
  SlKernelTrial   trial;
  GError         *error = NULL;
  const char     *usual = usual_kernel ();
  SlKernelVerdict verdict;
  int             best;

  if (!sl_kernel_try (&trial, usual, measuring_seconds, &error))
    return sl_cli_fail_error (error);
  verdict = sl_kernel_verdict (&trial, usual, &best);
  if (trial.rounds > 0)
    print_trial (&trial, usual);
  switch (verdict)
    {
    case SL_KERNEL_FASTER:
      printf (_ ("            %s is the fastest and is used from now on\n"),
              trial.kernel[best].name);
      break;
    case SL_KERNEL_USUAL:
      printf (_ ("            none is faster than %s, which stays in use\n"), usual);
      break;
    case SL_KERNEL_UNSTEADY:
      puts (_ ("            the machine is busy: the times spread too far"));
      break;
    }
  if (verdict != SL_KERNEL_UNSTEADY)
    sl_kernel_remember (trial.kernel[best].name);
  measure_threads (verdict != SL_KERNEL_UNSTEADY ? trial.kernel[best].name : sl_blas_kernel ());
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

/* Why this kernel multiplies. */
static const char *
origin (const char *remembered)
{
  if (sl_cpu_is_requested () && g_strcmp0 (remembered, sl_blas_kernel ()) != 0)
    return _ (", as requested; --measure compares");
  if (remembered != NULL && remembered[0] != '\0')
    return _ (", the fastest measured here");
  return g_getenv ("OPENBLAS_CORETYPE") != NULL
           ? _ (", chosen for this processor; --measure compares")
           : _ (", the library's choice; --measure compares");
}

static SlExit
command (char **args)
{
  GOptionContext    *context = g_option_context_new (NULL);
  gboolean           measure = FALSE;
  const GOptionEntry entries[] = {
    { "measure", 0, 0, G_OPTION_ARG_NONE, &measure,
      N_ ("Time all kernels and threads, and use the fastest from now on"), NULL },
    { NULL },
  };
  g_auto (GStrv) rest = NULL;
  g_autofree char *cpu = sl_kernel_processor (), *remembered = sl_kernel_remembered ();
  SlExit           code;

  g_option_context_set_summary (context, sl_command_info.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!sl_cli_options (context, examples, args, &rest, &code))
    return code;
  if (!sl_cli_at_most (args, rest, 0))
    return SL_EXIT_USAGE;
  printf (_ ("sluice      %s\nprocessor   %s%s\nOpenBLAS    %s\nkernel      %s%s\n"
             "threads     %u of %u cores, built for %s\n"),
          SL_VERSION, cpu, sl_cpu_features ().avx512 ? ", AVX-512" : "", sl_blas_version (),
          sl_blas_kernel (), origin (remembered), sl_blas_set_threads (sl_blas_cores ()),
          sl_blas_cores (), sl_blas_threading ());
  if (!measure)
    print_threads ();
  fflush (stdout);
  if (measure)
    return measure_kernels ();
  print_sources ();
  print_presets ();
  return SL_EXIT_FINE;
}

const SlCliCommand sl_command_info
  = { "info", N_ ("Shows the processor, its speed, data sets and presets."), command };
