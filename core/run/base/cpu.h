/* SPDX-License-Identifier: MIT
 *
 * Two choices that the libraries of products and threads read only while they are being loaded, so
 * that the remedy is to set a variable and start the program again.
 *
 * OpenBLAS 0.3.21 does not know newer processors and takes AVX2 kernels where AVX-512 ones are up
 * to twice as fast.  And OpenMP's threads wait for each other by spinning: as soon as another
 * program needs a core, which on a desktop is always, each product waits for its preempted half,
 * and training was measured six times slower than with threads that sleep.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Call first in main().  Sets the kernel, and threads that sleep while they wait, in the
 * environment; each only where the environment does not say otherwise (OPENBLAS_CORETYPE,
 * OMP_WAIT_POLICY, GOMP_SPINCOUNT).  When something had to be set, executes the same program once
 * more, which does not return.
 *
 * The kernel is that of `--kernel NAME`, which is taken out of the words; else the one that was
 * measured to be best here (kernel.h); else that of sl_cpu_kernel(): no start waits for a measurement.
 * A name that cannot be: FALSE with an error.  */
gboolean sl_cpu_prepare (char **argv, GError **error);

/* Whether the kernel is that of `--kernel` or of the user's variable, and not one that the program chose. */
gboolean sl_cpu_is_requested (void);

/* The kernel to request from OpenBLAS by OPENBLAS_CORETYPE before it is loaded, as above without the option; NULL where its
 * own choice is right.  Static.  */
const char *sl_cpu_kernel_wanted (void);

/* By how much the priority of a thread falls whose results are not watched: on an idle machine it
 * costs nothing.  Beside a program that takes all it can get, a thread has half a core at 0, a
 * quarter at 5 and a tenth at 10.  The threads of what the user watches or waits for keep their
 * priority: the main thread mostly sleeps, and comes first when it wakes up.  */
enum {
  SL_NICE_UNSEEN = 5,     /* a run that goes on while another one is shown */
  SL_NICE_BACKGROUND = 10 /* runs of a sweep */
};

/* Puts the calling thread, and those that it starts, at this niceness. */
void sl_cpu_be_nice (int niceness);

/* Sets the threads of products on the calling thread (0: one for each core) and returns how many there
 * are, with a message for debugging that names the kernels.  */
unsigned sl_cpu_use_threads (unsigned threads);

/* What kernels are chosen by. */
typedef struct
{
  bool sse3, ssse3, sse4_1, sse4_2, avx, fma; /* of x86; the system saves the registers of AVX */
  bool avx2;                                  /* with FMA */
  bool bf16;                                  /* AVX-512 with bfloat16 */
  bool avx512;      /* F, DQ, BW and VL, and the system saves their registers */
  bool three_d_now; /* what OpenBLAS's kernels for Opterons are made of */
  bool fma4;        /* of AMD, and none that is newer than 2017 */
  bool arm64;       /* a 64-bit processor of Arm's */
  bool arm64_2;     /* the same with the instructions of Armv8.2 */
} SlCpuFeatures;

/* Of this processor. */
SlCpuFeatures sl_cpu_features (void);

/* Whether a processor with these features can run a kernel of sl_kernel_names(), written as there; false
 * for others.  */
bool sl_cpu_can_run (SlCpuFeatures features, const char *kernel);

/* The kernel to ask OpenBLAS for, by the name that OPENBLAS_CORETYPE takes, where it chose another one:
 * an AVX-512 kernel where there is AVX-512, and the simplest where it takes a processor of AMD's for an
 * Opteron that lacks 3DNow!, as virtual ones do.  NULL: what it chose will do.  Static.  */
const char *sl_cpu_kernel (SlCpuFeatures features, const char *chosen);
