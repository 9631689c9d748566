/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `prefix-tree` share; nobody else includes this.
 *
 * The network: rectified dense layers (the body), the tree of tables with a rectifier, a dense
 * layer to the outputs (the head).  The first units of the body's last layer choose the path, or
 * bits sampled from a matrix of their own do.
 *
 * Letters as in core/nn/tree/tree.h: p units of the body, q of the tree, k bits of a path, K in all.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/prefix-tree/tables.h"
#include "core/nn/dense/net.h"
#include "core/nn/tree/bits.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t moments;   /* updates since the moments were cleared */
  double   clock;     /* of the decay, after the last step */
  double   step_macs; /* sum since the last report */
  SlRng    gates;
} SlPrefixMoving;

typedef struct
{
  SlLabState base;
  SlNet      body;
  SlTape     tape;
  SlTree     tree;
  size_t     outputs;
  size_t     n, at_tree, at_gates, at_head; /* the block: body, tree, gates (p, K), head */
  sl_real   *weights, *m, *v;               /* (n) */
  sl_real   *gradient;                      /* of the body, the gates and the head */
  uint8_t   *label;                         /* (MOST_BATCH) */

  sl_real *tau;                     /* (K) thresholds */
  sl_real *over, *under, *baseline; /* (K) REINFORCE's, see gater-units.h */
  double  *visits, *ones;           /* (2^k), (K) examples since the last report */

  /* One batch. */
  sl_real        *x;                                      /* (B, p) output of the body */
  sl_real        *gating, *uniform, *probability, *fired; /* (B, K): v, u, σ (v), g */
  uint8_t        *bit;                                    /* (B, K) */
  sl_real        *gain, *part;                            /* (B, windows, k + 1) */
  sl_real        *a, *h, *delta;                          /* (B, q) */
  sl_real        *logits, *dlogits;                       /* (B, C) */
  sl_real        *dx;                                     /* (B, p) */
  sl_real        *worth, *credit;                         /* (B, K) */
  sl_real        *loss;                                   /* (B) */
  sl_real        *work;                                   /* (B) */
  SlPrefixMoving *now;
} SlPrefixLab;

static inline SlPrefixLab *
sl_prefix_lab (SlLabState *state)
{
  return (SlPrefixLab *) state;
}

static inline bool
is_sampled (const SlPrefixLab *s)
{
  return sl_value_of (&s->base, P_BITS) == BITS_SAMPLED;
}

/* Numbers of the matrix of sampled bits (0 without one), and of the head. */
static inline size_t
sl_prefix_gate_numbers (const SlPrefixLab *s)
{
  return s->at_head - s->at_gates;
}

static inline size_t
sl_prefix_head_numbers (const SlPrefixLab *s)
{
  return (s->tree.shape.units + 1) * s->outputs;
}

static inline Credit
sl_prefix_credit (const SlPrefixLab *s)
{
  return (Credit) sl_value_of (&s->base, P_CREDIT);
}

/* True for the treatments by which gating units fade the levels. */
bool sl_prefix_is_modulated (const SlPrefixLab *s);

/* Which of the two. */
static inline SlModulate
sl_prefix_modulation (const SlPrefixLab *s)
{
  return sl_value_of (&s->base, P_CREDIT) == CREDIT_AMPLIFY ? SL_MODULATE_AMPLIFY
                                                            : SL_MODULATE_SUPPRESS;
}

/* The clock of the decay as it stands after the last step. */
SlDecayClock sl_prefix_clock (const SlPrefixLab *s);

typedef enum {
  PASS_TRAIN,    /* sampled bits, weights as stored */
  PASS_HELD,     /* the bits of the last pass, weights as stored */
  PASS_EVALUATE, /* no chance, weights as they are with all decay done */
} Pass;

/* Runs the `batch` examples in tape.x[0] to the logits. */
void sl_prefix_forward (SlPrefixLab *s, size_t batch, Pass pass);

/* The two halves of it: the body with the bits and paths, then the tree and the head. */
void sl_prefix_route (SlPrefixLab *s, size_t batch, Pass pass);
void sl_prefix_finish (SlPrefixLab *s, size_t batch, Pass pass);

/* Routes up to PROBE validation examples as in evaluation, and returns how many. */
size_t sl_prefix_route_validation (SlPrefixLab *s);

/* Mean loss in nats and error in % of `n` examples from `first` on. */
SlEvaluation sl_prefix_evaluate (SlPrefixLab *s, size_t first, size_t n);

/* Multiply-adds of a training step with one dense matrix in place of the tree, per example; and of
 * the tree alone, forward, with one. */
double sl_prefix_dense_step (const SlPrefixLab *s);
double sl_prefix_dense_layer (const SlPrefixLab *s);

/* The loss of the logits, its slope in dlogits and, unless NULL, the loss of each example. */
double sl_prefix_loss (SlPrefixLab *s, size_t batch, size_t *errors, sl_real *each);

/* From dlogits to the gradient of everything.  With an update the weights move; `clock` is that of
 * the forward pass, as in sl_tree_forward().  Without one, what the bits are credited with is left
 * out, as it is no derivative of the loss, and `gradient` (n) is written.  */
void sl_prefix_backward (SlPrefixLab *s, size_t batch, const SlTreeUpdate *update,
                         const SlDecayClock *clock, sl_real *gradient);

/* Publishes what the steps since the last report added up, and begins anew. */
void sl_prefix_report (SlPrefixLab *s, SlSink *sink);

/* Publishes validation, and its distance from as many training examples with the same weights. */
void sl_prefix_report_validation (SlPrefixLab *s, SlSink *sink);

/* What passes and updates are made of (core/lab/kit/cost.h). */
void sl_prefix_work (const SlLabState *state, SlWorkload *work);

extern const SlProbePanel sl_prefix_probes[N_PANELS];
void sl_prefix_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);
