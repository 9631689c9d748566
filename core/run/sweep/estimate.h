/* SPDX-License-Identifier: MIT
 *
 * How long a sweep will take, before it starts: a few updates are timed at its corners (the first
 * and last value of each axis), as many at a time as runs will be made at a time, and the time of
 * every run is taken from its place between the corners.  A second or two for small networks.  */
#pragma once

#include <gio/gio.h>

#include "core/run/sweep/run.h"

typedef struct
{
  unsigned runs;
  double   updates; /* of all runs together, about */
  double   seconds; /* for all of them, about */
} SlSweepEstimate;

/* Times `jobs` of a checked sweep on the calling thread and others; blocks.  FALSE with a sentence
 * when the data cannot be opened, when the settings of no corner go together, or when it was
 * cancelled (SL_ECANCELLED).  */
gboolean sl_sweep_estimate (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool,
                            GCancellable *cancellable, SlSweepEstimate *estimate, GError **error);

/* What came of it; `estimate` is NULL where there is an error. */
typedef void (*SlSweepEstimated) (gpointer owner, const SlSweepEstimate *estimate,
                                  const GError *error);

/* The same in a thread of its own, for the window.  `done` always comes, in the caller's main context. */
void sl_sweep_estimate_async (const SlSweep *sweep, const GArray *jobs, const SlSweepPool *pool,
                              GCancellable *cancellable, SlSweepEstimated done, gpointer owner);
