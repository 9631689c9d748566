/* SPDX-License-Identifier: MIT
 *
 * Several runs of one setting as one curve: their mean and how far they spread, at every step that
 * any of them has; and the difference of two such groups.  Plain C; one thread.  */
#pragma once

#include "core/run/record/series.h"

typedef enum {
  SL_BAND_INTERVAL, /* the 95 % interval of the mean (core/run/tradeoff/mean.h); of a single run none */
  SL_BAND_RANGE, /* from the smallest to the largest run */
} SlBandKind;

typedef struct
{
  SlSeries mean, low, high; /* at the same steps; owned */
  unsigned n;               /* runs with at least one sample */
} SlBand;

void sl_band_clear (SlBand *band);

/* Fills a band, cleared or of an earlier call, from `n` runs.  Between two of its samples a run is on
 * the straight line between them; before its first, after its last and beside a gap it has no part.
 * False when memory ran out; the band is then empty.  */
bool sl_band_make (SlBand *band, const SlSeries *const *runs, unsigned n, SlBandKind kind);

/* The mean of `second` (n_second) minus that of `first` (n_first) at the steps that any run has and both groups reach, with its
 * interval by Welch where each has at least two runs.  `n` of the band: runs of both.  As sl_band_make() otherwise.  */
bool sl_band_gap (SlBand *band, const SlSeries *const *first, unsigned n_first,
                  const SlSeries *const *second, unsigned n_second);
