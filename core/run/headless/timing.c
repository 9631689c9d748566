/* SPDX-License-Identifier: MIT */
#include "core/run/headless/timing.h"

#include <glib.h>
#include <stdbool.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/busy.h"
#include "core/run/base/cpu.h"
#include "core/run/base/kernel.h"
#include "core/run/base/threads.h"
#include "core/run/headless/thread-trial.h"

/* How long the window is left alone first, and between two looks at how busy the machine is; and how long a look
 * is, s.  */
enum { FIRST = 10, AGAIN = 20, LOOK = 1 };

/* Longest times of the two measurements, s. */
static const double kernels_seconds = 6.0, threads_seconds = 2.0;

/* Cores that may be in use meanwhile.  A kernel is timed by the processor time of one thread, threads by the
 * clock on the wall.  */
static const double kernels_rest = 0.6, threads_rest = 0.25;

static bool
kernel_is_known (void)
{
  g_autofree char *remembered = sl_kernel_remembered ();

  return remembered != NULL;
}

static bool
threads_are_known (void)
{
  return !sl_thread_trial_is_possible () || sl_threads_are_known ();
}

static void
time_kernels (void)
{
  SlKernelTrial trial;
  int           best;

  if (!sl_kernel_try (&trial, sl_blas_kernel (), kernels_seconds, NULL))
    return;
  sl_kernel_verdict (&trial, sl_blas_kernel (), &best);
  sl_kernel_remember (best < 0 ? "" : trial.kernel[best].name);
  g_debug ("kernels timed in %.1f s: %s", trial.wall,
           best < 0 ? "nothing concluded" : trial.kernel[best].name);
}

static void
time_threads (void)
{
  SlThreadTrial    trial;
  g_autofree char *kernel = sl_kernel_remembered ();
  const char      *with = kernel != NULL && kernel[0] != '\0' ? kernel : sl_blas_kernel ();

  if (sl_thread_try (&trial, with, threads_seconds, NULL))
    sl_thread_remember (&trial, with);
}

void
sl_timing_do (void)
{
  if (!kernel_is_known ())
    time_kernels ();
  if (!threads_are_known ())
    time_threads ();
}

/* Looks whether no more cores are in use, the training here among them. */
static bool
machine_rests (double cores)
{
  double before = sl_busy_all ();

  g_usleep (LOOK * G_USEC_PER_SEC);
  return sl_busy_all () - before < cores * LOOK;
}

/* Each once: what cannot be timed or concluded today is left for another start. */
static gpointer
wait_and_time (gpointer unused)
{
  bool kernels = !kernel_is_known (), threads = !threads_are_known ();

  sl_cpu_be_nice (SL_NICE_BACKGROUND);
  g_usleep (FIRST * G_USEC_PER_SEC);
  while (kernels || threads)
    {
      if (kernels && machine_rests (kernels_rest))
        {
          time_kernels ();
          kernels = false;
        }
      if (threads && !kernels && machine_rests (threads_rest))
        {
          time_threads ();
          threads = false;
        }
      g_usleep (AGAIN * G_USEC_PER_SEC);
    }
  return NULL;
}

void
sl_timing_begin (void)
{
  if (!kernel_is_known () || !threads_are_known ())
    g_thread_unref (g_thread_new ("timing", wait_and_time, NULL));
}
