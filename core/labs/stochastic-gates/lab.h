/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `stochastic-gates` share; nobody else includes this.  */
#pragma once

#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"
#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"

/* The order is that of the form and of the plots. */
enum {
  P_GATE,
  P_DENSITY,
  P_WEIGHT,
  P_L1_START,
  P_KAPPA,
  P_NUDGE,
  P_SLOPE,
  P_FIRING,
  P_BETA_NOISE,
  P_BETA,
  P_NOISE,
  P_NOISE_SCALE,
  P_RATE,
  P_FACTOR,
  P_MOMENTUM,
  P_MAX_NORM,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_UNITS,
  P_HIDDEN,
  P_TOY,
  P_BINS,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_DENSITY,
  V_ERROR,
  V_MAP,
  V_COST,
  V_RATES,
  V_SPEED,
  V_LAMBDA,
  V_DEAD,
  V_LOSS,
  V_DECIDED,
  V_DIRECTION,
  V_NOISE,
  V_TOY,
  V_WIDTH,
  V_UNIT,
  V_STS,
  V_SPREAD,
  V_BASELINE,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TARGET, T_TRAIN_DENSITY, T_VALID_DENSITY };
enum { T_TRAIN, T_VALID };
enum { T_EXPECTED, T_EXECUTED, T_EXPECTED_BARE, T_EXECUTED_BARE, T_BREAK_EVEN };
enum { T_WITH_GATER, T_WITHOUT_GATER };
enum { T_DEAD, T_ALWAYS_ON };
enum { T_LOSS, T_TERM };
enum { T_SHARE, T_SHARE_TARGET };
enum { T_SPREAD_P, T_SPREAD_RATE };
enum { T_BASELINE, T_BASELINE_LOW, T_BASELINE_HIGH, T_BASELINE_LOSS };

/* Choices of P_BETA_NOISE, P_NOISE and P_FIRING. */
enum { BETA_OFF, BETA_PAPER, BETA_CODE };
enum { NOISE_GAUSSIAN, NOISE_LOGISTIC };
enum { FIRE_ROOT, FIRE_PLAIN };

enum { N_TRIALS = 11 };

extern const SlParam     sl_gates_params[N_PARAMS];
extern const SlPanel     sl_gates_panels[N_PANELS];
extern const char *const sl_gates_readings[];
extern const SlTrial     sl_gates_trials[N_TRIALS];
extern const SlSummary   sl_gates_summary;
extern const SlSweepHint sl_gates_sweeps[1];

enum {
  MOST_BATCH = 512, /* examples in one pass of the tape */
  WATCHED = 32,     /* examples of a batch whose probabilities are looked at */
};

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t;              /* updates done */
  uint64_t batch_examples; /* training examples seen */
  double   macs;           /* multiply-adds of the steps so far */
  double   lambda;         /* weight of the L1 term */
  bool     look;           /* something was changed: report on the next step */
  bool     judge;          /* the same: evaluate soon */
  uint64_t judged;         /* updates at the last evaluation */
  SlRng    shift, uniform; /* streams of the two kinds of draws */
  SlRng    shuffle;
  uint64_t cursor;
  double   loss, term, errors, density, seen; /* sums since the last report, per example */
} Moving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  SlArena          kept, scratch;
  SlGater          gater;
  SlGaterTape      tape;
  sl_real         *rate;                   /* (N) followed means of how often a unit is on */
  sl_real         *over, *under;           /* (N) of the baseline */
  sl_real         *baseline, *pull, *mean; /* (N) scratch of a step */
  sl_real         *values;                 /* (MOST_BATCH, N) logits, for the threshold */
  sl_real         *frozen;                 /* (MOST_BATCH, N) learning signals of the held batch */
  sl_real         *held_loss;              /* (MOST_BATCH) */
  SlBatches        batches;
  uint8_t         *label; /* (MOST_BATCH) */
  Moving           now;
  size_t           held_batch; /* examples of the held batch, 0: none */
  bool             has_cut;    /* the threshold below is that of the weights of now */
  sl_real          cut;
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* λ of the KL term, and the gater's learning rate as a share of the experts'. */
double sl_gates_weight (const SlLabState *s);
double sl_gates_factor (const SlLabState *s);

/* The gate as it is set, and its additive noise: kind, scale, and its mean. */
SlGaterUnit  sl_gates_unit (const SlLabState *s);
SlGaterNoise sl_gates_noise (const SlLabState *s, double *scale);
double       sl_gates_shift (const SlLabState *s);

/* Brings the n examples in tape.x, as they come from the data, to the range that the published
 * rates are for: the bytes of images to 0 … 1.  Other features stay as they are.  */
void sl_gates_rescale (SlLabState *s, size_t n);

/* The threshold on logits at which the wished share of gates is on, over the first validation
 * examples (training ones when there are none).  Uses the tape.  */
sl_real sl_gates_carve (SlLabState *s);

/* Runs n <= MOST_BATCH examples from `first` on, or those already rescaled in tape.x, as one would
 * use the net: no chance, thresholds, only the units that are on.  Leaves gates in tape.h and
 * outputs in tape.o.  */
void sl_gates_run (SlLabState *s, size_t first, size_t n);
void sl_gates_run_tape (SlLabState *s, size_t n);

/* What such runs over many examples add up to. */
typedef struct
{
  double loss;    /* mean, in nats */
  double error;   /* in % */
  double density; /* share of the gates that are on */
} SlGatesEvaluation;

/* Over `n` examples from `first` on. */
SlGatesEvaluation sl_gates_evaluate (SlLabState *s, size_t first, size_t n);

/* Cost of one example in % of all units without a gater; `gated`: with the gater's own. */
double sl_gates_cost (const SlLabState *s, double density, bool gated);

/* Puts the first `most` validation examples (training ones when there are none) on the tape as far
 * as the logits, with the mean of the noise; returns how many.  */
size_t sl_gates_run_validation (SlLabState *s, size_t most);

/* What is published by step(). */
void sl_gates_report (SlLabState *s, size_t batch, SlSink *sink);
void sl_gates_report_validation (SlLabState *s, SlSink *sink);

SlStatus sl_gates_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels, and those of them that compare estimators of the gradient. */
SlStatus sl_gates_probe (SlLabState *s, unsigned panel, SlSink *sink);
SlStatus sl_gates_probe_toy (SlLabState *s, unsigned panel, SlSink *sink, SlSnapshot *snapshot);
