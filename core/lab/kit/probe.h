/* SPDX-License-Identifier: MIT
 *
 * What a lab fills the snapshot of a panel with.  The first thing that goes wrong stays in `status`,
 * and sl_state_probe() deals with it: a probe only has to stop.  Channels are those of the snapshot's
 * panel, by trace and instance (0 for traces without `each`).  */
#pragma once

#include "core/lab/kit/timing.h"
#include "core/lab/lab.h"

/* As SlLab.probes: fills a panel and publishes it.  A failed probe shows what it has, and the note
 * says why.  SL_ECANCELLED when sl_sink_hurry() cut it short, SL_EGATE when a program's gate failed: nothing is
 * published.  */
SlStatus sl_probe_panel (SlLabState *state, unsigned panel, SlSink *sink);

/* ---- for the labs ---- */

struct SlProbe
{
  SlLabState *state;
  SlSink     *sink;
  SlSnapshot *snapshot;
  SlStatus    status;
  void       *rooms;             /* of sl_probe_room() */
  unsigned    timings, withheld; /* of sl_probe_time_ratio() */
  char        kernel[96];
};

/* Room for a curve of n points, as sl_snapshot_curve(); NULL when memory runs out.  The pointer is
 * good until the next curve.  */
double *sl_probe_curve (SlProbe *probe, unsigned trace, unsigned instance, size_t n,
                        bool with_spread);

/* A curve of these points, or none where n is 0. */
void sl_probe_points (SlProbe *probe, unsigned trace, unsigned instance, size_t n, const double *x,
                      const double *y);

/* The same at x = from, from + 1, …; bars are from 0. */
void sl_probe_values (SlProbe *probe, unsigned trace, unsigned instance, size_t from, size_t n,
                      const double *y);

/* The same for bars, with how far each spreads. */
void sl_probe_bars (SlProbe *probe, unsigned trace, size_t n, const SlMeasured *bar /* (n) */);

/* (tiles, rows, columns) zeros, or (tiles, 3, rows, columns) of a picture in colour, as
 * sl_snapshot_matrix() and sl_snapshot_pictures(); NULL when memory runs out.  */
double *sl_probe_matrix (SlProbe *probe, size_t tiles, size_t rows, size_t columns);
double *sl_probe_pictures (SlProbe *probe, size_t tiles, size_t rows, size_t columns);

/* Adds a message to the sentence below the title. */
void sl_probe_note (SlProbe *probe, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* Appends to the snapshot's names, all of the text or nothing; words in it are packed messages. */
void sl_probe_name (SlProbe *probe, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The names of the data's classes, or their numbers as the data have them, from 0; where they do not all
 * fit, none.  */
void sl_probe_class_names (SlProbe *probe, const SlDataset *dataset);

/* Zeroed memory, 64-byte aligned, until the end of the probe; NULL when there is none. */
void *sl_probe_room (SlProbe *probe, size_t count, size_t size);

/* Frees all of it before that; of probes that no panel ends. */
void sl_probe_free_rooms (SlProbe *probe);

/* Keeps the first failure.  True when all is well. */
bool sl_probe_ok (SlProbe *probe, SlStatus status);

/* True when the probe is to stop, because a thread waits for the next step. */
bool sl_probe_cancelled (SlProbe *probe);

/* The dense layer that conditional ones are timed against: y (B, H) of x (B, D), w (H, D) and b (H),
 * one example as a product of a matrix and a vector.  */
void sl_probe_dense (size_t batch, size_t inputs, size_t units, const sl_real *x, const sl_real *w,
                     const sl_real *b, sl_real *y);

/* As sl_timing_ratio(), with products on this thread alone.  What is withheld is counted, and the
 * panel's note says so at its end.  */
SlMeasured sl_probe_time_ratio (SlProbe *probe, SlTimed reference, SlTimed timed, void *data);

/* "haswell, 1 thread", what such times were measured with. */
const char *sl_probe_kernel (SlProbe *probe);
