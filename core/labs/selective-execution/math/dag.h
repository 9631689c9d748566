/* SPDX-License-Identifier: MIT
 *
 * Networks that choose their own path (Liu and Deng 2017, §3): a directed acyclic graph whose
 * control nodes decide, example by example, which other nodes run.  Each node is computed on the
 * rows of the batch that reach it and on no others: gathered, computed as one batch, scattered.
 *
 * When a node runs.  A node with incoming control edges runs when at least one of them is active;
 * a control edge is active when its controller ran and chose it.  A node that misses an input,
 * because the source did not run and the edge has no default value, does not run either; a skipped
 * controller activates nothing.  Several inputs are added up or put one behind the other (reading:
 * the paper leaves the merge to the node).  What the network answers is the sum of the outputs that have a
 * value (reading: the paper has several and does not say); one of them has to, whatever is decided.
 *
 * What it costs.  Multiplications of every node that ran, controllers included, as a share of the
 * regular nodes on the dearest path; so the largest cost is a little above 1, a ruling of ours.
 *
 * Letters: B examples of a batch, n rows that reached a node.
 *
 * Nothing allocates after it is cut.  One thread.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/base/status.h"
#include "core/labs/selective-execution/math/depths.h"
#include "core/labs/selective-execution/math/exits.h"
#include "core/nn/optim/optim.h"

enum {
  SL_DAG_NODES = 64,
  SL_DAG_EDGES = 192,
  SL_DAG_LAYERS = 6,  /* of one node */
  SL_DAG_ACTIONS = 4, /* of one controller */
  SL_DAG_CONTROLLERS = 8,
  SL_DAG_WIDTH = 1 << 24, /* numbers of one example that pass along an edge */
  SL_DAG_FREE = 255,      /* an action that is not prescribed */
};

typedef enum {
  SL_DAG_INPUT,   /* the examples, or of each some numbers; at least one */
  SL_DAG_OUTPUT,  /* a prediction; at least one, computes nothing of its own */
  SL_DAG_REGULAR, /* layers; data edges out */
  SL_DAG_CONTROL, /* layers, the last one dense or a rule with a score for every control edge out */
  SL_DAG_DUMMY,   /* a constant; data edges out or none, control edges in or none */
} SlDagKind;

typedef enum {
  SL_DAG_DENSE, /* fully connected */
  SL_DAG_CONV,  /* 3 × 3, padded by 1 */
  SL_DAG_POOL,  /* means of squares of `stride` */
  SL_DAG_PLACE, /* its inputs, in order, to those outputs that are in `places`; 0 elsewhere */
  SL_DAG_RULE, /* from class scores: 1 where the rule lets the example leave, else 0; and ½.  The first
                   * action of a controller is then to leave.  Learns nothing and passes no slope */
  SL_DAG_ROUTER, /* one number, x w, without a bias */
  SL_DAG_GUESS,  /* one number with a bias, which learns and passes no slope on */
  SL_DAG_RANK, /* from the numbers of a router and a guess: 1 where the example goes on, else 0, behind
                   * ½.  The second action of a controller is then to go on.  As RULE otherwise */
  SL_DAG_WEIGH, /* from the number of a router and others: these, weighted by it */
} SlDagLayerKind;

/* When an example leaves; may change between passes. */
typedef struct
{
  SlExitMeasure measure;
  double        threshold;
} SlDagRule;

typedef struct
{
  SlDagLayerKind     kind;
  size_t             units;     /* DENSE, PLACE, WEIGH: outputs; CONV: channels out; RULE, RANK: 2;
                               * ROUTER, GUESS: 1 */
  size_t             stride;    /* CONV: 1 or more; POOL: side of the squares, 2 or more */
  bool               rectified; /* a rectifier behind it; DENSE and CONV only */
  const uint8_t     *places;    /* PLACE: (units) not 0 where an input goes; borrowed */
  const SlDagRule   *rule;      /* RULE: borrowed */
  const SlDepthRank *rank;      /* RANK: borrowed */
  bool               squashed;  /* WEIGH: by σ of the number */
} SlDagLayer;

/* What passes along an edge: channel-major pictures, or width = height = 1 with numbers. */
typedef struct
{
  size_t channels, height, width;
} SlDagShape;

/* What a layer makes of a shape that it fits. */
SlDagShape sl_dag_layer_shape (const SlDagLayer *layer, SlDagShape in);

static inline size_t
sl_dag_width (SlDagShape shape)
{
  return shape.channels * shape.height * shape.width;
}

typedef struct
{
  const char *name; /* for messages and pictures; borrowed */
  SlDagKind   kind;
  unsigned    n_layers; /* REGULAR: 0 passes the input on */
  SlDagLayer  layer[SL_DAG_LAYERS];
  bool        beside; /* inputs are concatenated in the order of the edges, as channels of one
                       * picture where they have one size; else they are added up */
  SlDagShape  shape;  /* INPUT, DUMMY: of what it delivers */
  size_t      first;  /* INPUT: from this number of an example on */
  sl_real     value;  /* DUMMY: the constant */
  const SlOptimSetting *optim; /* learns by this one; NULL: as the others.  Borrowed */
} SlDagNode;

typedef struct
{
  unsigned from, to;
  bool     control;
  bool     has_fallback; /* a data edge that delivers `fallback` when its source did not run */
  sl_real  fallback;
} SlDagEdge;

/* A graph as it is described.  The actions of a controller are its control edges in their order. */
typedef struct
{
  unsigned  n_nodes, n_edges;
  size_t    width; /* numbers of an example; 0: as far as the inputs reach */
  SlDagNode node[SL_DAG_NODES];
  SlDagEdge edge[SL_DAG_EDGES];
} SlDagPlan;

/* For making plans: both return the number of what they added.  What does not fit is counted, and
 * refused by the check.  */
unsigned sl_dag_add (SlDagPlan *plan, const SlDagNode *node);
void     sl_dag_join (SlDagPlan *plan, unsigned from, unsigned to);    /* data, no default */
void     sl_dag_default (SlDagPlan *plan, unsigned from, unsigned to); /* data, default 0 */
void     sl_dag_control (SlDagPlan *plan, unsigned from, unsigned to);

/* The nodes of a block of a mixture of depths (depths.h), in the order of the plan. */
typedef struct
{
  unsigned router, guess, rank; /* the numbers of an example, and the decision made from them */
  unsigned past;                /* a constant 0: what the block adds to examples that pass by */
  unsigned block, weighed, sum; /* f (x), that weighted, and x with it */
} SlDagBlock;

/* Adds a block behind a node that delivers `width` numbers; its guess learns by `optim`.  The
 * nodes have no names; the plan must have room.  */
SlDagBlock sl_dag_add_block (SlDagPlan *plan, unsigned from, size_t width, size_t hidden,
                             bool squashed, const SlDepthRank *rank, const SlOptimSetting *optim);
/* Adds f (x) alone, without an edge to it yet; likewise. */
unsigned sl_dag_add_residual (SlDagPlan *plan, size_t width, size_t hidden);

/* What the plan comes to. */
typedef struct
{
  unsigned   order[SL_DAG_NODES]; /* every node behind what it waits for */
  SlDagShape in[SL_DAG_NODES], out[SL_DAG_NODES];
  SlDagShape layer[SL_DAG_NODES][SL_DAG_LAYERS]; /* behind each layer */
  double     macs[SL_DAG_NODES];                 /* multiplications for one example */
  size_t     width;                              /* numbers of an example */
  unsigned   n_outputs, output;                  /* the first one, in the order of the plan */
  unsigned   n_controllers, controller[SL_DAG_CONTROLLERS]; /* nodes, in the order of the plan */
  unsigned   n_actions[SL_DAG_CONTROLLERS];
  uint8_t    dearest[SL_DAG_CONTROLLERS]; /* actions of the dearest path */
  double     dearest_macs; /* of the regular nodes on it: what costs are a share of */
} SlDagFacts;

/* Checks a plan and works out the facts.  SL_EINVAL, naming the node, whose number from 1 is the
 * `position`, for: no input or output; an input that reaches beyond the example; outputs of different
 * shapes; a cycle; a node with both data and control edges out; a control edge out of a node
 * that is controlled itself, or out of one that is no controller; decisions that leave all outputs without a
 * value; a controller with no edge or more scores or fewer than edges; inputs that do not fit each
 * other; a node that nothing reaches; an edge twice; a layer that does not fit; too much of
 * anything.  */
SlStatus sl_dag_check (const SlDagPlan *plan, SlDagFacts *facts);

/* Which action of its controller a control edge is, and which controller a node is. */
unsigned sl_dag_action (const SlDagPlan *plan, unsigned edge);
unsigned sl_dag_controller (const SlDagFacts *facts, unsigned node);

/* Which nodes run for one example under these actions (n_controllers; those of controllers that do
 * not run are not read).  Returns the multiplications of them all; *regular unless NULL gets those
 * of the regular ones.  */
double sl_dag_trace (const SlDagPlan *plan, const SlDagFacts *facts, const uint8_t *action,
                     bool *runs /* (n_nodes) */, double *regular);

/* The same network without its choice: what runs under these actions and leads to the output, without
 * controllers.  Defaults of what does not run become dummies.  `fixed` needs a check of its own.  */
void sl_dag_fix (const SlDagPlan *plan, const SlDagFacts *facts, const uint8_t *action,
                 SlDagPlan *fixed);

/* A node on its way through a batch. */
typedef struct
{
  uint32_t       n;        /* rows that it ran on */
  uint32_t      *row;      /* (n) which, rising */
  uint32_t      *place;    /* (B) where a row of the batch is among them, or SL_DAG_NULL */
  uint8_t       *sent;     /* (B) whether the row came on its own path; with `all` more may run */
  sl_real       *gathered; /* room for its inputs */
  const sl_real *x;        /* (n, in) them: there, or where the only source left them */
  sl_real *out[SL_DAG_LAYERS]; /* (n, ·) behind each layer; the last is what the node delivers */
  const sl_real *y;            /* (n, out) what it delivers */
  sl_real       *dy;           /* (n, out) */
  uint8_t       *action;       /* CONTROL: (n) what was chosen */
} SlDagTurn;

#define SL_DAG_NULL UINT32_MAX

typedef struct
{
  SlDagPlan  plan;
  SlDagFacts facts;
  size_t     most;  /* examples in a batch */
  size_t     batch; /* B of the last pass */
  bool       all;   /* set by the caller: regular nodes also run on rows that no controller sends to
                     * them, where their inputs are known, to be taught; what an example gets and
                     * costs is the same */
  bool       ask;   /* with `all`: controllers run there too, and their choices there send no
                     * example anywhere */
  size_t     n;     /* trainable numbers */
  size_t     first[SL_DAG_NODES], count[SL_DAG_NODES]; /* those of a node in the block */
  sl_real   *weights, *gradient;                       /* (n), bound */
  sl_real   *m, *v;                                    /* (n) moments */
  uint64_t  *updates;                                  /* (n_nodes) how often a node was updated */
  SlDagTurn  turn[SL_DAG_NODES];
  const sl_real
          *y;  /* (B, out) what the network answers: of the only output, or of several the sum */
  sl_real *dy; /* (B, out) its slope */
  sl_real *answer;          /* (B, out) room for the sum of several */
  double  *cost;            /* (B) multiplications of each example, controllers included */
  sl_real *work[2], *patch; /* scratch of the layers */
} SlDag;

/* Measures or cuts a checked plan for batches of at most `most`; the moments and counts go to
 * `kept`, activations to `scratch`.  */
void sl_dag_carve (SlDag *dag, const SlDagPlan *plan, const SlDagFacts *facts, size_t most,
                   SlArena *kept, SlArena *scratch);

/* Says where the numbers are, both (n): layer by layer W (units, inputs) and b (units). */
void sl_dag_bind (SlDag *dag, sl_real *weights, sl_real *gradient);
void sl_dag_init (SlDag *dag, SlRng *rng);
void sl_dag_clear_moments (SlDag *dag);

/* Runs the batch x (B, in).  forced (n_controllers, most) prescribes actions, SL_DAG_FREE leaves
 * the choice to the scores (the largest, ties: the first); NULL leaves all.  Returns dag->y, where
 * nothing is missing.  */
const sl_real *sl_dag_forward (SlDag *dag, size_t batch, const sl_real *x, const uint8_t *forced);

/* Begins the backward pass: clears what comes back.  Then the slope of the loss is added to
 * dag->dy and to turn[].dy of controllers, and sl_dag_backward() brings it to all weights: into
 * the gradient (0 where no row came), or with `optim` as an update of every node that ran, each
 * with its own count.  */
void sl_dag_begin_backward (SlDag *dag);
void sl_dag_backward (SlDag *dag, const SlOptimSetting *optim);

/* Multiplications of the last forward pass, and of that pass with its backward pass, less those of
 * slopes that are not needed: of examples and constants.  */
double sl_dag_executed (const SlDag *dag);
double sl_dag_step_macs (const SlDag *dag);

/* One node alone on `rows` rows of whatever is in its room, for the clock. */
void sl_dag_run_node (SlDag *dag, unsigned node, size_t rows);
