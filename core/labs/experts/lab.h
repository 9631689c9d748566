/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `experts` share; nobody else includes this.
 *
 * The network, with an embedding: h = relu (x E' + e), m = MoE (h), optionally a sigmoid, dropout
 * and + h, logits = m W' + b.  Without one the experts see the inputs and give the logits.  */
#pragma once

#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"
#include "core/nn/moe/moe.h"

/* The order is that of the form and of the plots. */
enum {
  P_GATE,
  P_K,
  P_K_GROUPS,
  P_W_IMPORTANCE,
  P_W_LOAD,
  P_NOISE,
  P_NOISE_FLOOR,
  P_THRESHOLD,
  P_EXPERT,
  P_RATE,
  P_SCHEDULE,
  P_WARM_UP,
  P_FLAT,
  P_BATCH,
  P_OPTIMISER,
  P_FACTORED,
  P_RECOMPUTE,
  P_DROPOUT,
  P_EXPERTS,
  P_GROUPS,
  P_HIDDEN,
  P_EMBEDDING,
  P_RESIDUAL,
  P_SIGMOID,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_USAGE,
  V_MAP,
  V_CV,
  V_WHY,
  V_ERROR,
  V_CLASSES,
  V_PEAK,
  V_EFFECTIVE,
  V_SHARES,
  V_ENTROPY,
  V_NOISE,
  V_COST,
  V_SPEED,
  V_LOSS,
  V_MEMORY,
  V_AGREEMENT,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_CV_IMPORTANCE, T_CV_LOAD, T_CV_HARD, T_CV_FLOOR, T_CV_COLLAPSE };
enum { T_PEAK_LOAD, T_PEAK_HARD, T_PEAK_COLLAPSE };
enum { T_EFFECTIVE, T_USED, T_THERE };
enum { T_TRAIN, T_VALID };
enum { T_TASK, T_IMPORTANCE, T_LOAD, T_BATCHWISE };
enum { T_ENTROPY, T_ENTROPY_MOST, T_INFORMATION };
enum { T_EXPECTED, T_EXECUTED, T_DENSE, T_SHARE };
enum { T_SAME_PARAMETERS, T_SAME_WORK };
enum { T_WATCHED, T_BUSIEST };
enum { T_AS_SET, T_PLAIN };
enum { T_SAME, T_AGREES, T_EMPTY };

enum { N_TRIALS = 8 };

extern const SlParam     sl_experts_params[N_PARAMS];
extern const SlPanel     sl_experts_panels[N_PANELS];
extern const char *const sl_experts_readings[];
extern const SlTrial     sl_experts_trials[N_TRIALS];
extern const SlSummary   sl_experts_summary;
extern const SlSweepHint sl_experts_sweeps[1];

enum {
  MOST_EXPERTS = 64, /* so that a set of them is a word */
  MOST_BATCH = 1024, /* examples in one pass */
  WATCHED = 128,     /* training examples of a report that are also run without noise */
  PROBE = 512,       /* validation examples of a probe */
};

/* Sums over the batches since the last report. */
typedef struct
{
  double batches, seen, errors, assignments, empty;
  double task, importance_loss, load_loss, threshold_loss;
  double cv_importance, cv_load, cv_hard, peak_load, peak_hard;
  double entropy, noise, expected, agreement;
  double hard[MOST_EXPERTS];
} SlExpertsSums;

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t      t;        /* updates done */
  uint64_t      moments;  /* updates since the moments were cleared */
  uint64_t      gates;    /* the same of the gates, as the layer counts them */
  uint64_t      examples; /* training examples seen */
  double        macs;     /* multiply-adds of the steps so far */
  bool          look;     /* something was changed: report on the next step */
  bool          judge;    /* what an example gets was changed: evaluate soon */
  uint64_t      judged;   /* updates at the last evaluation */
  SlRng         noise, dropout, shuffle;
  uint64_t      cursor;
  SlExpertsSums sums;
} SlExpertsMoving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  SlArena          kept, scratch;
  SlMoe            moe;
  size_t           inputs, width, outputs; /* D, of the embedding or 0, logits */
  size_t           n, n_embedding, n_head; /* numbers: all; of them before and after the layer's */
  sl_real         *weights, *gradient;     /* (n) embedding, layer, head */
  sl_real         *m, *v;                  /* (n_embedding + n_head) their moments */
  SlBatches        batches;
  SlExpertsMoving  now;
  size_t           held_batch; /* examples of the held batch, 0: none */

  /* One batch on its way.  B <= MOST_BATCH; the middle ones only with an embedding.  */
  sl_real  *x;                     /* (B, D) */
  sl_real  *h;                     /* (B, width) */
  sl_real  *y;                     /* (B, width) of the layer, behind the sigmoid */
  sl_real  *mixed;                 /* (B, width) what the head sees */
  sl_real  *logits;                /* (B, outputs) */
  sl_real  *dlogits, *dmixed, *dh; /* the slopes of the loss */
  uint8_t  *mask;                  /* (B, width) dropout */
  uint8_t  *label;                 /* (B) */
  sl_real  *margin;                /* (2, B) */
  uint64_t *set;                   /* (2, B) sets of experts */
  uint32_t *joint;                 /* (experts, classes) assignments of an evaluation */
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* The layer's live settings at this moment. */
SlMoeSetting sl_experts_setting (const SlLabState *s);

/* Experts per example, as clamped to what there is. */
size_t sl_experts_chosen (const SlLabState *s);

/* What the layer sees of the batch in s->x. */
static inline const sl_real *
sl_experts_seen (const SlLabState *s)
{
  return s->width > 0 ? s->h : s->x;
}

/* Multiply-adds of one example through the embedding and through the head. */
double sl_experts_embedding_macs (const SlLabState *s);
double sl_experts_head_macs (const SlLabState *s);

/* Runs the batch in s->x to s->logits, as sl_moe_forward() does its part of it. */
void sl_experts_net_forward (SlLabState *s, size_t batch, bool training, bool frozen);

/* Mean loss in nats of s->logits; *errors gets the wrong predictions.  With `slope` its gradient is
 * left in s->dlogits.  */
double sl_experts_loss (SlLabState *s, size_t batch, bool slope, size_t *errors);

/* What the balance added to the objective in the last forward pass. */
double sl_experts_balance_loss (const SlLabState *s);

/* After a forward pass in training and sl_experts_loss() with slope: the gradient into s->gradient, or
 * with `optim` the update, as sl_moe_backward() says.  */
void sl_experts_net_backward (SlLabState *s, size_t batch, const SlOptimSetting *optim);

/* Multiply-adds of a training step on the last batch: forward, and backward twice the same, less
 * what nobody needs, the gradient of the network's input.  */
double sl_experts_step_macs (const SlLabState *s, size_t batch);

/* First weights, from the stream "init". */
void sl_experts_net_init (SlLabState *s, uint64_t seed);

/* Runs the first `most` validation examples as a deployed network would; returns how many. */
size_t sl_experts_run_validation (SlLabState *s, size_t most);

/* The set of experts of each example of the last pass, set (batch); experts from 0, at most
 * MOST_EXPERTS.  */
void sl_experts_sets (const SlLabState *s, size_t batch, uint64_t *set);

/* What a deployed network does with a range of the examples; assignments by expert and class are
 * left in s->joint.  */
typedef struct
{
  double loss, error;                                  /* nats, % */
  double importance[MOST_EXPERTS], hard[MOST_EXPERTS]; /* sums over the examples */
} SlExpertsEvaluation;

void sl_experts_evaluate (SlLabState *s, size_t first, size_t n, SlExpertsEvaluation *evaluation);

/* Adds the last batch to the sums since the last report. */
void sl_experts_sum (SlLabState *s, double task, size_t errors, size_t batch);

/* Publishes the sums and begins anew; `same` is the share of the examples for which the noise did
 * not change the choice, or not-a-number.  */
void sl_experts_report (SlLabState *s, double same, SlSink *sink);
void sl_experts_report_validation (SlLabState *s, SlSink *sink);

SlStatus sl_experts_score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n);
SlStatus sl_experts_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
SlStatus sl_experts_probe (SlLabState *s, unsigned panel, SlSink *sink);
SlStatus sl_experts_probe_speed (SlLabState *s, SlSink *sink, SlSnapshot *snapshot);
