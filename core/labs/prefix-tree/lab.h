/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `prefix-tree` share, and no other file includes.
 *
 * The network: rectified dense layers (the body; or none, and the first tree stands on the input), one tree
 * of tables after the other with a rectifier behind each, a dense layer to the outputs (the head).  Units of
 * the layer before a tree choose the path through it, or bits sampled from a matrix of its own do.
 *
 * Letters as in core/labs/prefix-tree/math/tree.h: p units before a tree, q of the tree, k bits of a path, K in all.  */
#pragma once

#include "core/data/text/ngrams.h"
#include "core/lab/kit/state.h"
#include "core/labs/prefix-tree/math/bits.h"
#include "core/labs/prefix-tree/math/gating.h"
#include "core/labs/prefix-tree/tables.h"
#include "core/nn/dense/net.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t moments;   /* updates since the moments were cleared */
  double   clock;     /* of the decay, after the last step */
  double   step_macs; /* sum since the last report */
  SlRng    gates;
} SlPrefixMoving;

/* A tree with its bits. */
typedef struct
{
  SlTree tree;
  size_t at_tree, at_gates; /* the numbers of the tree and those of its gates in the block */
  size_t at_slopes;         /* those of the gates in SlPrefixLab.gradient */
  bool   raw;               /* on the input itself, which no rectifier comes before */

  sl_real *tau;                     /* (K) thresholds */
  sl_real *over, *under, *baseline; /* (K) REINFORCE's, see core/nn/gater/units.h */
  double  *visits, *ones;           /* (2^k), (K) examples since the last report */
  double  *reported; /* (2^k) examples before it; 0 in a run that was just taken up */

  /* One batch. */
  const sl_real *pre;                                    /* (B, p) what thresholds look at */
  sl_real       *x;                                      /* (B, p) rectified unless raw */
  sl_real       *gating, *uniform, *probability, *fired; /* (B, K): v, u, σ (v), g */
  uint8_t       *bit;                                    /* (B, K) */
  sl_real       *deep, *ddeep;                           /* (B, G) of the gating network */
  sl_real       *gain, *part;                            /* (B, windows, k + 1) */
  sl_real       *a, *delta;                              /* (B, q) */
  sl_real       *dx;                                     /* (B, p) */
  sl_real       *worth, *credit;                         /* (B, K) */
} SlPrefixLayer;

typedef struct
{
  SlLabState      base;
  SlNet           body;
  SlTape          tape;
  SlPrefixLayer   layer[MOST_TREES];
  unsigned        layers;
  size_t          outputs;
  size_t          n, at_head;      /* the block: body, trees each with its gates, head */
  sl_real        *weights, *m, *v; /* (n) */
  sl_real        *gradient;        /* (n_gradient) of the body, all gates and the head */
  size_t          n_gradient;
  uint8_t        *label;            /* (MOST_BATCH) */
  sl_real        *h;                /* (B, q) of the last tree */
  sl_real        *logits, *dlogits; /* (B, C) */
  sl_real        *loss;             /* (B) */
  sl_real        *work;             /* (B) */
  SlNgrams        ngrams; /* of the training text where the data are letters, else without counts */
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

/* What sampled bits are drawn from; of no bits where they are not sampled. */
static inline SlGating
sl_prefix_gating (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  if (!is_sampled (s))
    return (SlGating) { 0 };
  return (SlGating) { .inputs = layer->tree.shape.inputs,
                      .hidden = layer->tree.bits > 0 ? sl_count_of (&s->base, P_GATING_HIDDEN) : 0,
                      .bits = layer->tree.bits };
}

/* Numbers of that, and of the head. */
static inline size_t
sl_prefix_gate_numbers (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  SlGating gating = sl_prefix_gating (s, layer);

  return sl_gating_numbers (&gating);
}

static inline size_t
sl_prefix_head_numbers (const SlPrefixLab *s)
{
  return (s->layer[s->layers - 1].tree.shape.units + 1) * s->outputs;
}

/* The tree that panels and the map show. */
static inline SlPrefixLayer *
sl_prefix_shown (SlPrefixLab *s)
{
  size_t asked = sl_count_of (&s->base, P_SHOWN);

  return &s->layer[(asked < s->layers ? asked : s->layers) - 1];
}

/* The last of them. */
static inline SlPrefixLayer *
sl_prefix_last (SlPrefixLab *s)
{
  return &s->layer[s->layers - 1];
}

static inline Credit
sl_prefix_credit (const SlPrefixLab *s)
{
  return (Credit) sl_value_of (&s->base, P_CREDIT);
}

/* True for the treatments by which gating units fade the levels. */
bool sl_prefix_is_modulated (const SlPrefixLab *s);

/* Whether the way back goes through a tree to its inputs: not to those of the data, unless gains take part. */
static inline bool
sl_prefix_passes_down (const SlPrefixLab *s, const SlPrefixLayer *layer)
{
  return !layer->raw || sl_prefix_is_modulated (s);
}

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

/* What a step does between the routes through a tree and the pass through it. */
typedef struct
{
  bool        decays; /* cells that are reached are brought to the reading `until` of the clock */
  SlDecayKind kind;
  double      until;
} SlPrefixUpkeep;

/* Runs the `batch` examples in tape.x[0] to the logits.  With `upkeep` thresholds follow the medians too, as set. */
void sl_prefix_forward (SlPrefixLab *s, size_t batch, Pass pass, const SlPrefixUpkeep *upkeep);

/* Runs up to PROBE validation examples as in evaluation, and returns how many. */
size_t sl_prefix_route_validation (SlPrefixLab *s);

/* Mean loss in nats and error in % of `n` examples from `first` on. */
SlEvaluation sl_prefix_evaluate (SlPrefixLab *s, size_t first, size_t n);

/* Multiply-adds of a training step per example: all of it but the trees, with their gates; and with one dense
 * matrix in place of each tree and no gates.  Of a tree alone, forward, with one.  */
double sl_prefix_other_step (const SlPrefixLab *s);
double sl_prefix_dense_step (const SlPrefixLab *s);
double sl_prefix_dense_layer (const SlPrefixLayer *layer);

/* Layer by layer: shapes, memory, first weights (layer.c).  `inputs` is p. */
void sl_prefix_layer_shape (SlPrefixLab *s, SlPrefixLayer *layer, size_t inputs);
void sl_prefix_layer_carve (SlPrefixLab *s, SlPrefixLayer *layer);
void sl_prefix_layer_bind (SlPrefixLab *s, SlPrefixLayer *layer);
void sl_prefix_layer_init (SlPrefixLab *s, SlPrefixLayer *layer, SlRng *rng);

/* Refuses tables that the budget does not allow, and says what it would. */
SlStatus sl_prefix_check_budget (const SlPrefixLab *s);

/* Refuses a credit assignment that the bits cannot have: bits by threshold leave nothing to chance, and
 * sampled ones belong to no unit that could modulate.  */
SlStatus sl_prefix_check_credit (const SlPrefixLab *s);

/* Thresholds that follow no median are all as set. */
void sl_prefix_fix_thresholds (SlPrefixLab *s);

/* The loss of the logits, its slope in dlogits and, unless NULL, the loss of each example. */
double sl_prefix_loss (SlPrefixLab *s, size_t batch, size_t *errors, sl_real *each);

/* From dlogits to the gradient of everything.  With an update the weights move; `clock` is that of
 * the forward pass, as in sl_tree_forward().  Without one, what the bits are credited with is left
 * out, as it is no derivative of the loss, and `gradient` (n) is written.  */
void sl_prefix_backward (SlPrefixLab *s, size_t batch, const SlTreeUpdate *update,
                         const SlDecayClock *clock, sl_real *gradient);

/* Whether the examples are letters of a text, each with the few before it. */
bool sl_prefix_has_letters (const SlPrefixLab *s);

/* Mean bits of `n` letters from example `first` on under the training text's n-grams of `context` letters. */
double sl_prefix_ngram_bits (const SlPrefixLab *s, unsigned context, size_t first, size_t n);

/* Publishes what the steps since the last report added up, and begins anew. */
void sl_prefix_report (SlPrefixLab *s, SlSink *sink);

/* Publishes validation, and its distance from as many training examples with the same weights. */
void sl_prefix_report_validation (SlPrefixLab *s, SlSink *sink);

void                      sl_prefix_probe_alive (SlProbe *p);
extern const SlProbePanel sl_prefix_probes[N_PANELS];
extern const SlClock      sl_prefix_passes;
void sl_prefix_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);
