/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `selective-execution` share; nobody else includes this.
 *
 * The network is a graph whose controllers decide for each example what runs (core/nn/dag/dag.h).  The
 * first action of a controller is its cheapest, the last its dearest.  The path of an example is
 * counted by its dear choices: those of its controllers that ran and took another action than the
 * first.  Beside the network, static ones of the same modules are trained on the same batches, one
 * for each number of dear choices: those of the first controllers.  */
#pragma once

#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"
#include "core/nn/dag/dag.h"

/* The order is that of the form and of the plots. */
enum {
  P_LAMBDA,
  P_COST,
  P_BAG,
  P_EPSILON,
  P_EXPLORE,
  P_Q_WEIGHT,
  P_TEACH,
  P_EVERY_EXIT,
  P_REWARDS,
  P_TWINS,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_ARCHITECTURE,
  P_MODULES,
  P_DECISIONS,
  P_LOW,
  P_HIGH,
  P_WIDTH,
  P_CHANNELS,
  P_CONTROLLER,
  P_CONTROLLER_LAYERS,
  P_TASK,
  P_POSITIVE,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_GRAPH,
  V_TRADE,
  V_PATHS,
  V_ERROR,
  V_MAP,
  V_COST,
  V_PICTURES,
  V_CLASSES,
  V_BY_PATH,
  V_Q,
  V_ENTROPY,
  V_EPSILON,
  V_CLOCK,
  V_LOSS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_HERE, T_TRAIL, T_STATIC, T_ORACLE };
enum { T_TRAIN, T_VALID, T_CHEAPEST, T_DEAREST, T_BEST };
enum { T_TRAINING, T_EXPECTED, T_EXECUTED, T_CHEAPEST_COST, T_DEAREST_COST };
enum { T_SHARE_RIGHT, T_STATIC_RIGHT };
enum { T_TIMED, T_COUNTED };
enum { T_CLASSES, T_CONTROLLERS };

enum { N_TRIALS = 10 };

extern const SlParam     sl_selective_params[N_PARAMS];
extern const SlPanel     sl_selective_panels[N_PANELS];
extern const char *const sl_selective_readings[];
extern const SlTrial     sl_selective_trials[N_TRIALS];

enum { ARCHITECTURE_HIGH_LOW, ARCHITECTURE_HIERARCHY, ARCHITECTURE_CASCADE, ARCHITECTURE_CHAIN };
enum { MODULES_DENSE, MODULES_CONVOLUTIONAL };
enum { TASK_CLASSES, TASK_ONE };
enum { COST_COUNTED, COST_TIMED };
enum { TEACH_CLASSES, TEACH_VALUES };
enum { REWARDS_TAKEN, REWARDS_EVERY, REWARDS_EXPECTED };

enum {
  MOST_DECISIONS = 4,
  MOST_PATHS = MOST_DECISIONS + 1,
  MOST_WAYS = 81,   /* three actions for each decision */
  MOST_BATCH = 512, /* examples in one pass */
  MOST_CLASSES = 256,
  TIME_APART = 500, /* updates between two measurements of the nodes by the clock */
  TIMED_ROWS = 64,  /* rows of such a measurement */
  TRAIL = 48,       /* evaluations that are remembered for the picture of the trade-off */
  PROBE = 512,      /* validation examples of a probe */
};

/* A plan with what a picture of it needs: how far down each node is drawn, 0 … 1. */
typedef struct
{
  SlDagPlan plan;
  bool      exits; /* each node before the output is an answer alone, and one of them is taken */
  double    lane[SL_DAG_NODES];
  uint8_t   places[MOST_DECISIONS][MOST_CLASSES]; /* HIERARCHY: the classes of each branch */
} SlSelectiveNet;

/* One way through a network: what its controllers choose, and what that costs with them. */
typedef struct
{
  uint8_t action[SL_DAG_CONTROLLERS];
  double  macs;
} SlSelectiveWay;

/* Right and wrong predictions; those of one class against the rest also apart. */
typedef struct
{
  double n, right, true_positives, false_positives, false_negatives;
} SlSelectiveTally;

/* Sums over the batches since the last report. */
typedef struct
{
  double batches, seen, loss, q_loss, cost, expected;
  double q_square[MOST_DECISIONS], q_bags[MOST_DECISIONS];
  double greedy[MOST_DECISIONS][SL_DAG_ACTIONS]; /* examples whose scores want the action */
  double path[MOST_PATHS];
  SlSelectiveTally tally;
} SlSelectiveSums;

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t;        /* updates done */
  uint64_t examples; /* training examples seen */
  double   macs;     /* multiply-adds of the steps so far, of the static nets too */
  bool     look;     /* something was changed: report on the next step */
  bool     judge;    /* what an example gets was changed: evaluate soon */
  uint64_t judged;   /* updates at the last evaluation */
  SlRng    explore, bags, shuffle;
  uint64_t cursor;
  double   seconds[SL_DAG_NODES]; /* of a node for one example, by the clock; 0: not yet measured */
  uint64_t timed;                 /* updates at that measurement */
  uint32_t trail_n;               /* evaluations so far */
  double   trail[TRAIL][2];       /* cost and accuracy in %, the newest at (trail_n - 1) % TRAIL */
  double   twin_error[MOST_PATHS], best_accuracy, best_cost; /* of the last evaluation, in % */
  SlSelectiveSums sums;
} SlSelectiveMoving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  SlArena          kept, scratch;
  SlSelectiveNet   net;
  SlDag            dag;
  unsigned         n_paths, n_twins; /* n_twins: n_paths or 0 */
  SlDag          twin[MOST_PATHS]; /* from the cheapest to the dearest; they share their scratch */
  unsigned       n_ways;
  SlSelectiveWay way[MOST_WAYS];  /* all there are, from the cheapest to the dearest */
  size_t         n;               /* numbers of them all */
  size_t         inputs, classes; /* D, C of the task */
  sl_real       *weights, *gradient;
  SlBatches      batches;
  uint32_t      *positive; /* (n_positive) training examples of the class, for bags */
  size_t         n_positive;
  SlSelectiveMoving now;
  size_t            held_batch; /* examples of the held batch, 0: none */

  /* One batch. */
  sl_real  *x;      /* (B, D) */
  uint8_t  *label;  /* (B) */
  uint8_t  *forced; /* (decisions, MOST_BATCH) */
  uint8_t  *said;   /* (B) predicted class; with values, the one that is tried */
  uint32_t *row;    /* (B) 0, 1, … */
  double   *cost;   /* (B) share of the dearest path */
  double   *reward; /* (B) of each bag */
  uint8_t  *path;   /* (B) dear choices */
  uint8_t  *any;    /* (B) class to be tried; of an oracle, what the cheapest way says */
  sl_real  *earned; /* (decisions, MOST_BATCH, 2) by leaving at a controller and by going on */
  sl_real  *ahead;  /* (B) what those who go on will earn */
  uint32_t *joint;  /* (MOST_PATHS, C) examples of an evaluation by path and class */
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* Draws the plan for these settings and data.  SL_EUNSUPPORTED for convolutions over what is no
 * picture.  */
SlStatus sl_selective_plan (const SlLabState *s, SlSelectiveNet *net);

/* The share of decisions left to chance at the update under way. */
double sl_selective_epsilon (const SlLabState *s);

/* Draws a batch, who explores, and in bags of one class against the rest a positive for each. */
void sl_selective_draw (SlLabState *s, size_t batch);

/* Runs the batch in s->x with the decisions in s->forced; for learning, with the nodes that are
 * taught beside the paths.  */
void sl_selective_forward (SlLabState *s, size_t batch);
void sl_selective_forward_taught (SlLabState *s, size_t batch);

/* Notes what was decided, what it cost and what it earned: path, cost, said, reward, earned.
 * `held` keeps said and what was earned as they are.  */
void sl_selective_settle (SlLabState *s, size_t batch, bool frozen);

/* Loss of the last pass: of the classes, and weighted of the controllers.  With `slope` it is left
 * where sl_dag_backward() begins; with `sums` errors of the controllers are added there.  */
typedef struct
{
  double classes, controllers;
} SlSelectiveLoss;

/* Every exit on all examples of the batch, together worth `share` of what the paths teach. */
double sl_selective_teach_exits (SlLabState *s, size_t batch, double share, bool slope);

/* What every action of every controller would have earned, into earned; if they are asked for it.
 */
void sl_selective_settle_rewards (SlLabState *s, size_t batch);

/* Mean over the actions of (earned − Q)², summed over the batch and times `scale`. */
double sl_selective_learn_rewards (SlLabState *s, unsigned controller, size_t batch, double scale,
                                   bool slope);

SlSelectiveLoss sl_selective_loss (SlLabState *s, size_t batch, bool slope, SlSelectiveSums *sums);

/* Runs a static net on the batch, forward and with `slope` back, into the gradient or with `optim`
 * as an update.  Returns its mean loss.  */
double sl_selective_static_step (SlLabState *s, unsigned twin, size_t batch, bool slope,
                                 const SlOptimSetting *optim);

/* What these nodes take for one example, as a share of those on the dearest path. */
double sl_selective_timed (const SlLabState *s, const bool *runs /* (n_nodes) */);

/* Measures what a node takes for one example, into now.seconds. */
void sl_selective_time (SlLabState *s);

/* The action that the scores of a row want. */
static inline unsigned
sl_selective_wanted (const sl_real *q, unsigned actions)
{
  unsigned best = 0;

  for (unsigned a = 1; a < actions; a++)
    if (q[a] > q[best])
      best = a;
  return best;
}

/* The largest of the outputs of each example. */
void sl_selective_decide_classes (size_t batch, size_t classes, const sl_real *y, uint8_t *said);

void sl_selective_count_one (const SlLabState *s, uint8_t said, uint8_t label,
                             SlSelectiveTally *tally);
void sl_selective_count (const SlLabState *s, size_t batch, const uint8_t *said,
                         SlSelectiveTally *tally);
/* 100 minus the share of right predictions in %, or minus F1 in % for one class against the rest.
 */
double sl_selective_error (const SlLabState *s, const SlSelectiveTally *tally);

/* Lists the ways through a plan. */
void sl_selective_list_ways (SlLabState *s, const SlDagFacts *facts);

/* Sends the batch in s->x along the cheapest way that is right for each, or the cheapest of all
 * where none is, and counts the answers.  The batch is used up: s->x, s->label, said and any are
 * scratch.  Returns the sum of the costs, as shares of the dearest path.  */
double sl_selective_ask_oracle (SlLabState *s, size_t n, SlSelectiveTally *tally);

/* What the deployed network, without exploration, does with a range of the examples. */
typedef struct
{
  double loss, error, cost;      /* nats; %; share of the dearest path */
  double best_error, best_cost;  /* of an oracle that takes the cheapest right path */
  double twin_error[MOST_PATHS]; /* of the static nets */
  double path[MOST_PATHS], path_right[MOST_PATHS]; /* examples, and right ones */
  double node[SL_DAG_NODES], node_right[SL_DAG_NODES];
  double edge[SL_DAG_EDGES]; /* examples that pass, or are sent */
} SlSelectiveEvaluation;

/* `others`: the oracle and the static nets too.  Examples by path and class are left in s->joint.
 */
void sl_selective_evaluate (SlLabState *s, size_t first, size_t n, bool others,
                            SlSelectiveEvaluation *evaluation);

/* The cost of a static net as a share of the dearest path. */
double sl_selective_static_cost (const SlLabState *s, unsigned path);

/* Adds the last batch to the sums since the last report; publishes them and begins anew. */
void sl_selective_sum (SlLabState *s, size_t batch, SlSelectiveLoss loss);
void sl_selective_report (SlLabState *s, SlSink *sink);
void sl_selective_report_validation (SlLabState *s, SlSink *sink);

SlStatus sl_selective_score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n);
SlStatus sl_selective_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
SlStatus sl_selective_probe (SlLabState *s, unsigned panel, SlSink *sink);
SlStatus sl_selective_probe_graph (SlLabState *s, SlSnapshot *snapshot);
SlStatus sl_selective_probe_clock (SlLabState *s, SlSink *sink, SlSnapshot *snapshot);
