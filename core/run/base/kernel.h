/* SPDX-License-Identifier: MIT
 *
 * Which of the library's kernels multiplies matrices fastest here.  The library reads its choice while it
 * is loaded, so each is timed in a child, which is this program again.  What was found is remembered per
 * processor and version of the library, in a file of the cache folder that may be deleted.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/run/base/cpu.h"
#include "core/run/base/json.h"

/* The word that makes this program such a child, which sl_cpu_prepare() looks for. */
#define SL_KERNEL_CHILD "--measure-kernel"

/* How such a process is started: without a copy of the page tables of a large one, whose threads would
 * stand still meanwhile.  */
#define SL_KERNEL_SPAWN (G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_LEAVE_DESCRIPTORS_OPEN)

enum { SL_KERNELS_MAX = 8, SL_KERNEL_ROUNDS = 3, SL_KERNEL_SHAPES = 5, SL_KERNEL_NAME = 32 };

/* The child: prints the kernel it was given and seconds of each shape on one thread; returns the exit
 * code.  */
int sl_kernel_child (void);

typedef struct
{
  char   name[SL_KERNEL_NAME];
  double seconds[SL_KERNEL_ROUNDS][SL_KERNEL_SHAPES];
} SlKernelTimes;

typedef struct
{
  SlKernelTimes kernel[SL_KERNELS_MAX];
  unsigned      n, rounds; /* kernels, and rounds that all of them made */
  double        wall;      /* seconds that it took */
} SlKernelTrial;

typedef enum {
  SL_KERNEL_FASTER,  /* another kernel is faster than the usual one */
  SL_KERNEL_USUAL,   /* none is */
  SL_KERNEL_UNSTEADY /* the times spread too far to say */
} SlKernelVerdict;

/* Times in turn what library and processor allow, the one named `usual` among them, for at most
 * `seconds`.  FALSE where no child could be started.  */
gboolean sl_kernel_try (SlKernelTrial *trial, const char *usual, double seconds, GError **error);

/* What the trial says; *best is the index of the kernel to use, or -1. */
SlKernelVerdict sl_kernel_verdict (const SlKernelTrial *trial, const char *usual, int *best);

/* Time of the usual kernel ÷ that of kernel `i`, over all shapes. */
double sl_kernel_speed_up (const SlKernelTrial *trial, const char *usual, unsigned i);
/* GFLOP/s of kernel `i` in a shape. */
double      sl_kernel_gflops (const SlKernelTrial *trial, unsigned i, unsigned shape);
const char *sl_kernel_shape (unsigned shape); /* "128×1000×784" */

/* The kernel that was found to be best on this processor with this library.  "": nothing was concluded,
 * within the last day; NULL: it was not tried.  Free with g_free().  */
char *sl_kernel_remembered (void);
void  sl_kernel_remember (const char *name);

/* Begins an object in the cache of measurements with processor, library, kernel and time. */
void sl_kernel_begin_memory (SlJsonWriter *w, const char *kernel);
/* Ends the object and writes the file, whose folder it makes.  What cannot be written is measured
 * again.  */
void sl_kernel_end_memory (SlJsonWriter *w, const char *path);

/* The names that OPENBLAS_CORETYPE takes, ended by NULL. */
const char *const *sl_kernel_names (void);
/* The one of them that is written like `name` but for capitals, or NULL. */
const char *sl_kernel_named (const char *name);

/* The processor's name as the system tells it, or "unknown"; free with g_free(). */
char *sl_kernel_processor (void);

/* The library's version text without the kernel that is in use; free with g_free(). */
char *sl_kernel_library (void);
