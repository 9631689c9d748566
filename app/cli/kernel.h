/* SPDX-License-Identifier: MIT
 *
 * How fast a matrix product is with the kernel in use and with the one the library
 * would have taken by itself.  The library chooses while it is loaded, so each
 * is measured in a child of its own.  */
#pragma once

#include <glib.h>

/* The word that makes this program such a child. */
#define SL_KERNEL_CHILD "--measure-kernel"

/* The child: prints the kernel and its GFLOP/s on one thread; returns the exit code. */
int sl_kernel_child (void);

typedef struct
{
  char   chosen[32], own[32];       /* kernels */
  double chosen_gflops, own_gflops; /* of one thread */
} SlKernelGain;

/* Measures both in turn, a few times, and takes the medians.  About two seconds. */
gboolean sl_kernel_gain (SlKernelGain *gain, GError **error);
