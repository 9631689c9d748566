/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `selective-execution` share; nobody else includes this.
 *
 * The network is a graph whose controllers decide for each example what runs (core/labs/selective-execution/math/dag.h).  The
 * first action of a controller is its cheapest, the last its dearest.  The path of an example is
 * counted by its dear choices: those of its controllers that ran and took another action than the
 * first.  Beside the network, static ones of the same modules are trained on the same batches, one
 * for each number of dear choices: those of the first controllers.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/labs/selective-execution/math/dag.h"
#include "core/labs/selective-execution/math/file.h"
#include "core/labs/selective-execution/math/reward.h"
#include "core/labs/selective-execution/tables.h"
#include "core/nn/optim/optim.h"

/* A plan with what a picture of it needs: how far down each node is drawn, 0 … 1. */
typedef struct
{
  SlDagPlan plan;
  bool      exits;  /* each node before the output is an answer alone, and one of them is taken */
  bool      ruled;  /* a threshold decides, and not what controllers have learned */
  bool      ranked; /* the rank in the batch decides, and alone a guess of it */
  unsigned  guess[MOST_CONTROLLERS]; /* of a ranked one, the node beside each controller */
  bool      aside[SL_DAG_NODES]; /* answers on the way to later exits: not of the dearest path */
  double    lane[SL_DAG_NODES];
  bool      own;                                    /* it is the one of the data */
  SlDagFile file;                                   /* what such a plan borrows */
  uint8_t   places[MOST_CONTROLLERS][MOST_CLASSES]; /* HIERARCHY: the classes of each branch */
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
  double q_square[MOST_CONTROLLERS], q_bags[MOST_CONTROLLERS];
  double
    agree[MOST_CONTROLLERS]; /* shares of the batches where the guess says what the batch said */
  double           path[MOST_PATHS];
  SlSelectiveTally tally;
} SlSelectiveSums;

/* What changes from step to step. */
typedef struct
{
  SlRng    explore, bags;
  double   seconds[SL_DAG_NODES]; /* of a node for one example, by the clock; 0: not yet measured */
  uint64_t timed;                 /* updates at that measurement */
  uint32_t trail_n;               /* evaluations so far */
  double   trail[TRAIL][2];       /* cost and accuracy in %, the newest at (trail_n - 1) % TRAIL */
  double   twin_error[MOST_PATHS], best_accuracy,
    best_cost; /* unread: in checkpoints since before `last` */
  SlSelectiveSums sums;
} SlSelectiveMoving;

/* What the deployed network, without exploration, does with a range of the examples. */
typedef struct
{
  double loss, error, cost;      /* nats; %; share of the dearest path */
  double best_error, best_cost;  /* of an oracle that takes the cheapest right path */
  double twin_error[MOST_PATHS]; /* of the static nets */
  double twin_right[MOST_PATHS]; /* their right answers in %, of one class against the rest too */
  double path[MOST_PATHS], path_right[MOST_PATHS]; /* examples, and right ones */
  double way[MOST_WAYS];                           /* examples, as the ways are listed */
  double node[SL_DAG_NODES], node_right[SL_DAG_NODES];
  double edge[SL_DAG_EDGES]; /* examples that pass, or are sent */
  double batch_error,
    batch_path[MOST_PATHS]; /* of a ranked one, in batches as large as in training */
} SlSelectiveEvaluation;

/* The newest evaluation of validation examples: every panel that speaks of them reads this one. */
typedef struct
{
  SlSelectiveEvaluation evaluation;
  uint32_t             *joint;  /* (MOST_PATHS, C) examples by path and class */
  uint32_t             *routed; /* (MOST_CONTROLLERS, C) by dear choice and class */
  size_t                n;      /* examples; 0: there is none */
  uint64_t              at;     /* updates made before it */
} SlSelectiveKept;

/* What exits by a threshold say about validation examples: the first half calibrates, the second reports.  */
typedef struct
{
  size_t       n;        /* examples; 0: nothing is known */
  uint64_t     at;       /* updates made before it */
  double      *sureness; /* (n, exits) */
  uint8_t     *right, *agrees;
  uint8_t     *positive;         /* (n) of one class against the rest; otherwise 0 */
  double       cost[MOST_PATHS]; /* shares of the dearest path */
  SlExitMove  *moves;
  SlExitPoint *points; /* (n_points) the curve of the second half */
  size_t       n_points;
} SlSelectiveThresholds;

typedef struct
{
  SlLabState     base;
  SlSelectiveNet net;
  SlDag          dag;
  unsigned       n_paths, n_twins; /* n_twins: n_paths or 0 */
  SlDag          twin[MOST_PATHS]; /* from the cheapest to the dearest; they share their scratch */
  unsigned       n_ways;
  SlSelectiveWay way[MOST_WAYS]; /* all there are, from the cheapest to the dearest */
  uint8_t     way_of[MOST_WAYS]; /* by the number that the actions make (sl_selective_way_code) */
  size_t      n;                 /* numbers of them all */
  size_t      inputs, classes;   /* D, C of the task */
  sl_real    *weights, *gradient;
  uint32_t   *positive; /* (n_positive) training examples of the class, for bags */
  size_t      n_positive;
  SlDagRule   rule;                  /* of the exits, as set */
  SlDepthRank rank;                  /* of the blocks, as set */
  SlOptimSetting        guess_optim; /* of the guesses of the rank */
  SlSelectiveThresholds thresholds;
  SlSelectiveMoving    *now;
  SlSelectiveKept       last;

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
  uint32_t *routed; /* (MOST_CONTROLLERS, C) and by dear choice and class */
} SlSelectiveLab;

static inline SlSelectiveLab *
sl_selective_lab (SlLabState *state)
{
  return (SlSelectiveLab *) state;
}

/* Draws the plan for these settings and data.  SL_EUNSUPPORTED for convolutions over what is no
 * picture.  */
SlStatus sl_selective_plan (const SlSelectiveLab *s, SlSelectiveNet *net);

/* Reads the network of the data, and says about one that is refused where that stands. */
SlStatus sl_selective_plan_own (const SlSelectiveLab *s, SlDagShape input, SlSelectiveNet *net);
SlStatus sl_selective_check_own (const SlSelectiveLab *s, SlStatus status);

/* Puts nodes of which the file says nothing at equal distances. */
void sl_selective_place_own (SlSelectiveLab *s);

/* The network of these settings as a file has it. */
SlStatus sl_selective_write_network (const SlDataset *dataset, const SlSettings *settings,
                                     char **text);
SlStatus sl_selective_check_network (const char *text, size_t length);

/* Finds how many classes the task has, and of which one there are how many examples. */
SlStatus sl_selective_look_at_task (SlSelectiveLab *s);

/* The share of decisions left to chance at the update under way. */
double sl_selective_epsilon (const SlSelectiveLab *s);

/* Draws a batch, who explores, and in bags of one class against the rest a positive for each. */
void sl_selective_draw (SlSelectiveLab *s, size_t batch);

/* The threshold as it is compared with. */
SlDagRule sl_selective_rule (const SlSelectiveLab *s);

/* Whether controllers learn what their actions earn. */
static inline bool
sl_selective_learns (const SlSelectiveLab *s)
{
  return !s->net.ruled && !s->net.ranked;
}

/* Whether classes learn as action values do. */
bool sl_selective_teaches_values (const SlSelectiveLab *s);

/* Room for what thresholds need; and that, for the present network.  The second half of the pass.  */
void                         sl_selective_carve_thresholds (SlSelectiveLab *s);
const SlSelectiveThresholds *sl_selective_thresholds (SlSelectiveLab *s);
SlExitPass                   sl_selective_half (const SlSelectiveLab *s, unsigned half);

/* The exits, from the cheapest to the dearest (MOST_PATHS).  Returns how many. */
unsigned sl_selective_exits (const SlSelectiveLab *s, unsigned *node);

/* What the path to an exit costs, as a share of the dearest: the controllers before it go on. */
double sl_selective_exit_cost (const SlSelectiveLab *s, unsigned exit);

/* Loads examples as the task has them. */
void sl_selective_load (SlSelectiveLab *s, size_t first, size_t n);

/* Runs the batch in s->x with the decisions in s->forced; for learning, with the nodes that are
 * taught beside the paths.  */
void sl_selective_forward (SlSelectiveLab *s, size_t batch);
void sl_selective_forward_taught (SlSelectiveLab *s, size_t batch);

/* Whether every node then runs for all of a batch of so many. */
bool sl_selective_runs_all (const SlSelectiveLab *s, size_t batch);

/* Notes what was decided, what it cost and what it earned: path, cost, said, reward, earned.
 * `held` keeps said and what was earned as they are.  */
void sl_selective_settle (SlSelectiveLab *s, size_t batch, bool frozen);

/* The same in a batch that ranks its examples, without exits that are taught. */
void sl_selective_forward_ranked (SlSelectiveLab *s, size_t batch);

/* The guesses of the rank learn from the last pass, beside the loss; how often they agreed goes to the sums.  */
void sl_selective_teach_guesses (SlSelectiveLab *s, size_t batch);

/* What validation examples do in batches as large as in training. */
void sl_selective_evaluate_in_batches (SlSelectiveLab *s, size_t first, size_t n,
                                       SlSelectiveEvaluation *evaluation);

/* Loss of the last pass: of the classes, and weighted of the controllers.  With `slope` it is left
 * where sl_dag_backward() begins; with `sums` errors of the controllers are added there.  */
typedef struct
{
  double classes, controllers;
} SlSelectiveLoss;

/* Every exit on all examples of the batch, together worth `share` of what the paths teach. */
double sl_selective_teach_exits (SlSelectiveLab *s, size_t batch, double share, bool slope);

/* What every action of every controller would have earned, into earned; if they are asked for it.
 */
void sl_selective_settle_rewards (SlSelectiveLab *s, size_t batch);

/* Mean over the actions of (earned − Q)², summed over the batch and times `scale`. */
double sl_selective_learn_rewards (SlSelectiveLab *s, unsigned controller, size_t batch,
                                   double scale, bool slope);

SlSelectiveLoss sl_selective_loss (SlSelectiveLab *s, size_t batch, bool slope,
                                   SlSelectiveSums *sums);

/* Runs a static net on the batch, forward and with `slope` back, into the gradient or with `optim`
 * as an update.  Returns its mean loss.  */
double sl_selective_static_step (SlSelectiveLab *s, unsigned twin, size_t batch, bool slope,
                                 const SlOptimSetting *optim);

/* What these nodes take for one example, as a share of those on the dearest path. */
double sl_selective_timed (const SlSelectiveLab *s, const bool *runs /* (n_nodes) */);

/* Measures what a node takes for one example, into now.seconds. */
void sl_selective_time (SlSelectiveLab *s);

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

void sl_selective_count_one (const SlSelectiveLab *s, uint8_t said, uint8_t label,
                             SlSelectiveTally *tally);
void sl_selective_count (const SlSelectiveLab *s, size_t batch, const uint8_t *said,
                         SlSelectiveTally *tally);
/* How one class against the rest is measured. */
SlDetection sl_selective_detection (const SlSelectiveLab *s);

/* 100 minus the share of right predictions in %, or minus that measure in % for one class against the rest.  */
double sl_selective_error (const SlSelectiveLab *s, const SlSelectiveTally *tally);

/* Lists the ways through a plan.  SL_EUNSUPPORTED for too many. */
SlStatus sl_selective_list_ways (SlSelectiveLab *s, const SlDagFacts *facts);

/* Sends the batch in s->x along the cheapest way that is right for each, or the cheapest of all
 * where none is, and counts the answers.  The batch is used up: s->x, s->label, said and any are
 * scratch.  Returns the sum of the costs, as shares of the dearest path.  */
double sl_selective_ask_oracle (SlSelectiveLab *s, size_t n, SlSelectiveTally *tally);

/* `others`: the oracle and the static nets too.  Examples by path and class are left in s->joint.
 */
void sl_selective_evaluate (SlSelectiveLab *s, size_t first, size_t n, bool others,
                            SlSelectiveEvaluation *evaluation);

/* Keeps an evaluation of n examples after this many updates, with what it left in s->joint. */
void sl_selective_keep (SlSelectiveLab *s, const SlSelectiveEvaluation *evaluation, size_t n,
                        uint64_t at);

/* The cost of a static net as a share of the dearest path. */
double sl_selective_static_cost (const SlSelectiveLab *s, unsigned path);

/* Adds the last batch to the sums since the last report; publishes them and begins anew. */
void sl_selective_sum (SlSelectiveLab *s, size_t batch, SlSelectiveLoss loss);
void sl_selective_report (SlSelectiveLab *s, SlSink *sink);
void sl_selective_report_validation (SlSelectiveLab *s, SlSink *sink);

extern const SlScore sl_selective_score_names[];
void sl_selective_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);
void sl_selective_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
extern const SlProbePanel sl_selective_probes[N_PANELS];
extern const SlClock      sl_selective_passes;
