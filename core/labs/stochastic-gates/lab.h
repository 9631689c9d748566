/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `stochastic-gates` share; nobody else includes this.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/stochastic-gates/tables.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"

/* Streams of noise, and of the draws that decide. */
typedef struct
{
  SlRng shift, uniform;
} SlGatesDraws;

/* What changes from step to step. */
typedef struct
{
  double       lambda; /* weight of the L1 term */
  SlGatesDraws draws;
  double       term, density; /* sums since the last report, per example */
} SlGatesMoving;

typedef struct
{
  SlLabState     base;
  SlGater        gater;
  SlGaterTape    tape;
  sl_real       *rate;                   /* (N) followed means of how often a unit is on */
  sl_real       *over, *under;           /* (N) of the baseline */
  sl_real       *baseline, *pull, *mean; /* (N) scratch of a step */
  sl_real       *values;    /* (MOST_BATCH, N) logits, for the threshold; noise to be added */
  sl_real       *frozen;    /* (MOST_BATCH, N) learning signals of the held batch */
  sl_real       *held_loss; /* (MOST_BATCH) */
  uint8_t       *label;     /* (MOST_BATCH) */
  SlGatesMoving *now;
  bool           has_threshold; /* the threshold below is that of the weights of now */
  sl_real        threshold;
} SlGatesLab;

static inline SlGatesLab *
sl_gates_lab (SlLabState *state)
{
  return (SlGatesLab *) state;
}

static inline SlGaterKind
sl_gates_kind (const SlGatesLab *s)
{
  return (SlGaterKind) sl_value_of (&s->base, P_GATE);
}

/* True when the term is the expected number of open gates, without a target. */
bool sl_gates_has_l0 (const SlGatesLab *s);

/* λ of the term, and the gater's learning rate as a share of the experts'. */
double sl_gates_weight (const SlGatesLab *s);
double sl_gates_factor (const SlGatesLab *s);

/* The gate as it is set, and its noise: kind and scale of that of noisy rectifiers and sigmoids, and the
 * mean of all of it.  */
SlGaterUnit  sl_gates_unit (const SlGatesLab *s);
SlGaterUnit  sl_gates_unit_of (const SlGatesLab *s,
                               SlGaterKind       kind); /* another gate, as it would be */
SlGaterNoise sl_gates_noise (const SlGatesLab *s, double *scale);
double       sl_gates_shift (const SlGatesLab *s);

/* Whether the noise of a gate of this kind multiplies its logit; whether there is any noise at all. */
bool sl_gates_noise_times (const SlGatesLab *s, SlGaterKind kind);
bool sl_gates_is_noisy (const SlGatesLab *s);

/* Draws the noise and the decisions of a batch onto the tape.  True when there is noise that
 * sl_gater_forward() has to take.  */
bool sl_gates_draw (SlGatesLab *s, const SlGaterUnit *unit, size_t batch, SlGatesDraws *draws);

/* Brings the n examples in tape.x, as they come from the data, to the range that the published
 * rates are for: the bytes of images to 0 … 1.  Other features stay as they are.  */
void sl_gates_rescale (SlGatesLab *s, size_t n);

/* The threshold on logits at which the wished share of gates is on, over the first validation
 * examples (training ones when there are none).  Uses the tape.  */
sl_real sl_gates_threshold (SlGatesLab *s);

/* The logit above which a binary gate is on where it is used in this way: that threshold, or 0. */
sl_real sl_gates_cut (SlGatesLab *s, SlGatesUse use);

/* How the settings say that the gates are used. */
SlGatesUse sl_gates_use (const SlGatesLab *s);

/* Runs n <= MOST_BATCH examples from `first` on with the gates used in this way; what is drawn is what the next
 * update would draw.  Leaves gates in tape.h and outputs in tape.o.  */
void sl_gates_run (SlGatesLab *s, SlGatesUse use, size_t first, size_t n);

/* Runs the examples already rescaled in tape->x with the gates used in this way, and only the units that are on;
 * `draws` gives what is drawn, and goes on.  `tape` is the lab's own or a part of it; the threshold has been found.  */
void sl_gates_run_tape (SlGatesLab *s, SlGatesUse use, SlGaterTape *tape, size_t n,
                        SlGatesDraws *draws);

/* What such runs over many examples add up to. */
typedef struct
{
  double loss;    /* mean, in nats */
  double error;   /* in % */
  double density; /* share of the gates that are on */
} SlGatesEvaluation;

/* Over `n` examples from `first` on, with the gates used as set, or in this way.  What is drawn depends on
 * the updates done and on nothing else.  */
SlGatesEvaluation sl_gates_evaluate (SlGatesLab *s, size_t first, size_t n);
SlGatesEvaluation sl_gates_evaluate_as (SlGatesLab *s, SlGatesUse use, size_t first, size_t n);

/* Cost of one example in % of all units without a gater; `gated`: with the gater's own. */
double sl_gates_cost (const SlGatesLab *s, double density, bool gated);

/* Puts the first `most` validation examples (training ones when there are none) on the tape as far
 * as the logits, with the mean of the noise; returns how many.  */
size_t sl_gates_run_validation (SlGatesLab *s, size_t most);

/* What is published by step(). */
void sl_gates_report (SlGatesLab *s, size_t batch, SlSink *sink);
void sl_gates_report_validation (SlGatesLab *s, SlSink *sink);

void sl_gates_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels, and those of them that compare estimators of the gradient. */
extern const SlProbePanel sl_gates_probes[N_PANELS];
extern const SlClock      sl_gates_passes;
void                      sl_gates_probe_alive (SlProbe *p);
void                      sl_gates_probe_estimators (SlProbe *p);
void                      sl_gates_probe_toy (SlProbe *p);
void                      sl_gates_probe_uses (SlProbe *p);
