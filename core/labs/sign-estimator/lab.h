/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `sign-estimator` share; nobody else includes this.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/sign-estimator/tables.h"
#include "core/nn/dense/lowrank.h"
#include "core/nn/dense/net.h"
#include "core/nn/dense/signs.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t moments;       /* updates since the moments were cleared */
  uint64_t since_refresh; /* updates since the last refresh */
  bool     stale;         /* refresh before the next step */
  bool     factored;      /* the factors are of these weights' past */
  SlRng    dropout, subspace;
  size_t   rank[MOST_HIDDEN], tracked[MOST_HIDDEN]; /* of the factors, for checkpoints */
  double   energy[MOST_HIDDEN], lost[MOST_HIDDEN];
  double   twin_loss; /* sum since the last report */
} SlSignMoving;

typedef struct
{
  SlLabState    base;
  unsigned      hidden; /* layers that can be gated */
  SlNet         net, twin;
  bool          has_twin;
  SlTape        tape;
  SlLowRank     factors[MOST_HIDDEN];
  sl_real      *anchor[MOST_HIDDEN]; /* W of a hidden layer at its last refresh */
  uint8_t      *label;               /* (MOST_BATCH) */
  uint8_t      *gate;                /* (MOST_BATCH, widest): masks of the conditional kernels */
  uint32_t     *rows;                /* (widest) */
  SlSignMoving *now;
} SlSignLab;

static inline SlSignLab *
sl_sign_lab (SlLabState *state)
{
  return (SlSignLab *) state;
}

/* What the estimator does at this moment: off while there are no factors. */
SlEstimate sl_sign_estimate (SlSignLab *s);

/* Runs `n` <= MOST_BATCH examples from `first` on through a network without dropout. */
void sl_sign_run (SlSignLab *s, const SlNet *net, size_t first, size_t n,
                  const SlEstimate *estimate);

/* Runs the first `most` validation examples (training ones when there are none, fewer when
 * there are fewer) and returns how many.  */
size_t sl_sign_run_validation (SlSignLab *s, size_t most, const SlEstimate *estimate);

/* Expected share of the dense operations (eq. 3.8, network-wide) for these densities, and the
 * same in executed multiplications.  */
double sl_sign_expected (const SlSignLab *s, const double *density);
double sl_sign_executed (const SlSignLab *s, const double *density);

/* The traces of a step: per layer on the watched examples, and costs; the sums since the last report,
 * which begin anew; and errors in validation.  sl_sign_score() is the descriptor's.  */
void sl_sign_report_signs (SlSignLab *s, SlSink *sink);
void sl_sign_report_training (SlSignLab *s, SlSink *sink);
void sl_sign_report_validation (SlSignLab *s, SlSink *sink);
void sl_sign_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);

/* What passes and updates are made of (core/lab/kit/cost.h). */
void sl_sign_work (const SlLabState *state, SlWorkload *work);

/* The gating map. */
void sl_sign_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
extern const SlProbePanel sl_sign_probes[N_PANELS];
