/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `stochastic-gates` share, and no other file includes.  */
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
  double       lambda; /* weight of the L1 term, of the lowest layer */
  SlGatesDraws draws;
  double       term, density; /* sums since the last report, per example */
} SlGatesMoving;

/* A gater with its experts.  The layer above has these experts, times their gates, as its input. */
typedef struct
{
  SlGater       gater;
  SlGaterTape   tape;
  double       *lambda;          /* weight of the L1 term */
  sl_real      *rate;            /* (N) followed means of how often a unit is on */
  sl_real      *over, *under;    /* (N) of the baseline */
  sl_real      *baseline, *pull; /* (N) scratch of a step, */
  SlGaterSignal signal;          /* which this has */
  sl_real      *frozen;          /* (MOST_BATCH, N) learning signals of the held batch */
  sl_real       threshold;
} SlGatesLayer;

typedef struct
{
  SlLabState     base;
  SlGatesLayer   layer[MOST_LAYERS]; /* the lowest first */
  unsigned       layers;
  SlGatesLayer  *top;       /* the last of them, which has the outputs */
  SlGater        all;       /* weights and gradients of them all, one block each */
  sl_real       *mean;      /* (N) scratch of a step */
  sl_real       *values;    /* (MOST_BATCH, N) logits, for the threshold; noise to be added */
  sl_real       *held_loss; /* (MOST_BATCH) */
  uint8_t       *label;     /* (MOST_BATCH) */
  SlGatesMoving *now;
  bool           has_threshold; /* the thresholds of the layers are those of the weights of now */
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

/* Draws the noise and the decisions of a batch onto the tape of a layer.  True when there is noise that
 * sl_gater_forward() has to take.  */
bool sl_gates_draw (SlGatesLab *s, SlGatesLayer *layer, const SlGaterUnit *unit, size_t batch,
                    SlGatesDraws *draws);

/* Draws a batch and its chances, and runs it as in training.  Returns the mean loss. */
double sl_gates_draw_and_run (SlGatesLab *s, size_t batch, size_t *errors);
/* All layers learn from the batch that has run, the uppermost first.  Returns the sum of their terms. */
double sl_gates_learn (SlGatesLab *s, size_t batch, const SlGaterLearning *learning);
/* Everything that follows the batches: baseline, rates, λ, and the nudge for units that starve. */
void sl_gates_follow (SlGatesLab *s, size_t batch);
/* Multiply-adds of one training step. */
double sl_gates_step_macs (const SlGatesLab *s, size_t batch);
void   sl_gates_freeze (SlLabState *state);
double sl_gates_objective (SlLabState *state, sl_real *gradient);

/* Brings the n examples on the lowest tape, as they come from the data, to the range that the published
 * rates are for: the bytes of images to 0 … 1.  Other features stay as they are.  */
void sl_gates_rescale (SlGatesLab *s, size_t n);

/* The thresholds on logits at which the wished share of the gates of each layer is on, over the first
 * validation examples (training ones when there are none).  Uses the tapes.  */
void sl_gates_find_thresholds (SlGatesLab *s);

/* The logit above which a binary gate is on where it is used in this way: its layer's threshold, or 0. */
sl_real sl_gates_cut (SlGatesLab *s, const SlGatesLayer *layer, SlGatesUse use);

/* How the settings say that the gates are used. */
SlGatesUse sl_gates_use (const SlGatesLab *s);

/* Runs n <= MOST_BATCH examples from `first` on with the gates used in this way; what is drawn is what the next
 * update would draw.  Leaves gates in each tape's h and outputs in the uppermost's o.  */
void sl_gates_run (SlGatesLab *s, SlGatesUse use, size_t first, size_t n);

/* The tape of a layer from example `from` on, for passes without chance or with that of its beginning. */
SlGaterTape sl_gates_tape_from (const SlGatesLayer *layer, size_t from);

/* Runs n examples from `from` on that are on the lowest tape, already rescaled, with the gates used in this
 * way, and only the units that are on; `draws` gives what is drawn, and goes on.  The thresholds have been
 * found.  */
void sl_gates_run_tapes (SlGatesLab *s, SlGatesUse use, size_t from, size_t n, SlGatesDraws *draws);

/* What such runs over many examples add up to. */
typedef struct
{
  double loss;               /* mean, in nats */
  double error;              /* in % */
  double density;            /* share of the gates that are on */
  double layer[MOST_LAYERS]; /* the same of each layer */
} SlGatesEvaluation;

/* Over `n` examples from `first` on, with the gates used as set, or in this way.  What is drawn depends on
 * the updates done and on nothing else.  */
SlGatesEvaluation sl_gates_evaluate (SlGatesLab *s, size_t first, size_t n);
SlGatesEvaluation sl_gates_evaluate_as (SlGatesLab *s, SlGatesUse use, size_t first, size_t n);

/* Cost of one example in % of all units without gaters, for the densities of its layers; `gated`: with the
 * gaters' own.  */
double sl_gates_cost (const SlGatesLab *s, const double *density, bool gated);

/* Multiply-adds of all experts, with these densities, and of all gaters. */
double sl_gates_expert_macs (const SlGatesLab *s, const double *density);
double sl_gates_gater_macs (const SlGatesLab *s);

/* What is published by step(). */
void sl_gates_report (SlGatesLab *s, size_t batch, SlSink *sink);
void sl_gates_report_validation (SlGatesLab *s, SlSink *sink);

void sl_gates_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* The share of each layer's gates that are on for example e of the tapes. */
void sl_gates_densities (const SlGatesLab *s, size_t e, double density[MOST_LAYERS]);

/* Says of a figure of one layer which it is, where there are several. */
void sl_gates_note_layer (const SlGatesLab *s, SlProbe *p);

/* The costly panels, and those of them that compare estimators of the gradient. */
extern const SlProbePanel sl_gates_probes[N_PANELS];
extern const SlClock      sl_gates_passes;
void                      sl_gates_probe_alive (SlProbe *p);
void                      sl_gates_probe_estimators (SlProbe *p);
void                      sl_gates_probe_toy (SlProbe *p);
void                      sl_gates_probe_uses (SlProbe *p);
