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

#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"
#include "core/nn/dense/net.h"
#include "core/nn/tree/bits.h"

/* The order is that of the form and of the plots. */
enum {
  P_K,
  P_TABLE,
  P_WINDOW,
  P_BITS,
  P_THRESHOLD,
  P_TAU,
  P_CREDIT,
  P_ROOT,
  P_DECAY_KIND,
  P_DECAY,
  P_DECAY_RULE,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_HIDDEN,
  P_UNITS,
  P_BUDGET,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_TREE,
  V_MAP,
  V_ERROR,
  V_EFFECTIVE,
  V_LEAVES,
  V_BITS,
  V_NORM,
  V_CAPACITY,
  V_GAP,
  V_LOSS,
  V_AGE,
  V_DECAY,
  V_COST,
  V_SPEED,
  V_CORRELATION,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_TRAIN, T_VALID };
enum { T_EFFECTIVE, T_VISITED, T_TRAINED, T_ALL };
enum { T_SHARE, T_EVEN };
enum { T_RATE, T_HALF };
enum { T_NORM, T_LARGEST };
enum { T_PARAMETERS, T_FREEDOM, T_MULTIPLIED, T_ADDED, T_RATIO };
enum { T_LOOKED, T_EXACT, T_BEFORE, T_PRINTED };
enum { T_EXPECTED, T_EXECUTED, T_DENSE };

enum { N_TRIALS = 9 };

extern const SlParam     sl_prefix_params[N_PARAMS];
extern const SlPanel     sl_prefix_panels[N_PANELS];
extern const char *const sl_prefix_readings[];
extern const SlTrial     sl_prefix_trials[N_TRIALS];
extern const SlSweepHint sl_prefix_sweeps[1];

enum {
  MOST_K = 10,
  MOST_BATCH = 1024, /* examples in one pass */
  PROBE = 1024,      /* validation examples of a probe */
};

enum { TABLE_TREE, TABLE_FLAT };
enum { BITS_THRESHOLD, BITS_SAMPLED };
enum { THRESHOLD_MEDIAN, THRESHOLD_FIXED };

/* What tells the bits how they did. */
typedef enum {
  CREDIT_NONE,
  CREDIT_REINFORCE,
  CREDIT_THROUGH,       /* straight-through: the exact worth of each bit */
  CREDIT_THROUGH_SLOPE, /* the same times σ' */
  CREDIT_SUPPRESS,      /* tanh modulation as printed */
  CREDIT_AMPLIFY,
} Credit;

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t;        /* updates done */
  uint64_t moments;  /* updates since the moments were cleared */
  uint64_t examples; /* training examples seen */
  double   macs;     /* multiply-adds of the steps so far */
  double   clock;    /* of the decay, after the last step */
  bool     look;     /* something was changed: report on the next step */
  bool     judge;    /* the gates were changed: evaluate soon */
  uint64_t judged;   /* updates at the last evaluation */
  SlRng    gates, shuffle;
  uint64_t cursor;
  double   loss, errors, seen, step_macs; /* sums since the last report */
} Moving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  SlArena          kept, scratch;
  SlNet            body;
  SlTape           tape;
  SlTree           tree;
  size_t           outputs;
  size_t           n, at_tree, at_gates, at_head; /* the block: body, tree, gates (p, K), head */
  sl_real         *weights, *m, *v;               /* (n) */
  sl_real         *gradient;                      /* of the body, the gates and the head */
  SlBatches        batches;
  uint8_t         *label; /* (MOST_BATCH) */

  sl_real *tau;                     /* (K) thresholds */
  sl_real *over, *under, *baseline; /* (K) REINFORCE's, see gater-units.h */
  double  *visits, *ones;           /* (2^k), (K) examples since the last report */

  /* One batch. */
  sl_real *x;                                      /* (B, p) output of the body */
  sl_real *gating, *uniform, *probability, *fired; /* (B, K): v, u, σ (v), g */
  uint8_t *bit;                                    /* (B, K) */
  sl_real *gain, *part;                            /* (B, windows, k + 1) */
  sl_real *a, *h, *delta;                          /* (B, q) */
  sl_real *logits, *dlogits;                       /* (B, C) */
  sl_real *dx;                                     /* (B, p) */
  sl_real *worth, *credit;                         /* (B, K) */
  sl_real *loss;                                   /* (B) */
  sl_real *work;                                   /* (B) */
  Moving   now;
  size_t   held_batch; /* examples of the held batch, 0: none */
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

static inline bool
is_sampled (const SlLabState *s)
{
  return value_of (s, P_BITS) == BITS_SAMPLED;
}

/* Numbers of the matrix of sampled bits (0 without one), and of the head. */
static inline size_t
sl_prefix_gate_numbers (const SlLabState *s)
{
  return s->at_head - s->at_gates;
}

static inline size_t
sl_prefix_head_numbers (const SlLabState *s)
{
  return (s->tree.shape.units + 1) * s->outputs;
}

/* The treatment in use: those that the bits cannot have count as none. */
Credit sl_prefix_credit (const SlLabState *s);

/* True for the treatments by which gating units fade the levels. */
bool sl_prefix_is_modulated (const SlLabState *s);

/* Which of the two. */
static inline SlModulate
sl_prefix_modulation (const SlLabState *s)
{
  return value_of (s, P_CREDIT) == CREDIT_AMPLIFY ? SL_MODULATE_AMPLIFY : SL_MODULATE_SUPPRESS;
}

/* The clock of the decay as it stands after the last step. */
SlDecayClock sl_prefix_clock (const SlLabState *s);

typedef enum {
  PASS_TRAIN,    /* sampled bits, weights as stored */
  PASS_HELD,     /* the bits of the last pass, weights as stored */
  PASS_EVALUATE, /* no chance, weights as they are with all decay done */
} Pass;

/* Runs the `batch` examples in tape.x[0] to the logits. */
void sl_prefix_forward (SlLabState *s, size_t batch, Pass pass);

/* The two halves of it: the body with the bits and paths, then the tree and the head. */
void sl_prefix_route (SlLabState *s, size_t batch, Pass pass);
void sl_prefix_finish (SlLabState *s, size_t batch, Pass pass);

/* Routes up to PROBE validation examples as in evaluation, and returns how many. */
size_t sl_prefix_route_validation (SlLabState *s);

/* Mean loss in nats and error in % of `n` examples from `first` on. */
void sl_prefix_evaluate (SlLabState *s, size_t first, size_t n, double *loss, double *error);

/* Multiply-adds of a training step with one dense matrix in place of the tree, per example; and of
 * the tree alone, forward, with one. */
double sl_prefix_dense_step (const SlLabState *s);
double sl_prefix_dense_layer (const SlLabState *s);

/* The loss of the logits, its slope in dlogits and, unless NULL, the loss of each example. */
double sl_prefix_loss (SlLabState *s, size_t batch, size_t *errors, sl_real *each);

/* From dlogits to the gradient of everything.  With an update the weights move; `clock` is that of
 * the forward pass, as in sl_tree_forward().  Without one, what the bits are credited with is left
 * out, as it is no derivative of the loss, and `gradient` (n) is written.  */
void sl_prefix_backward (SlLabState *s, size_t batch, const SlTreeUpdate *update,
                         const SlDecayClock *clock, sl_real *gradient);

/* Publishes what the steps since the last report added up, and begins anew. */
void sl_prefix_report (SlLabState *s, SlSink *sink);

/* Publishes validation, and its distance from as many training examples with the same weights. */
void sl_prefix_report_validation (SlLabState *s, SlSink *sink);

SlStatus sl_prefix_probe (SlLabState *s, unsigned panel, SlSink *sink);
SlStatus sl_prefix_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells);
