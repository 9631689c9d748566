/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `experts` share, and no other file includes.
 *
 * The network, with an embedding: h = relu (x E' + e), m = MoE (h), optionally a sigmoid, dropout
 * and + h, logits = m W' + b.  Without one the experts see the inputs and give the logits.  */
#pragma once

#include "core/lab/kit/state.h"
#include "core/lab/mixture/reports.h"
#include "core/labs/experts/tables.h"
#include "core/nn/dense/stack.h"
#include "core/nn/moe/moe.h"

/* The network itself; the dense baseline of equal cost, and those of so many experts. */
typedef enum { NET_MIXTURE, NET_TWIN, NET_WIDE, NET_DEEP, NETS } SlExpertsRole;

/* How the gate chose since the last report. */
typedef struct
{
  double batches, wanted, served, unserved;
  double balance_loss, z_loss, l1_loss;
  double violation; /* of what was wanted, the sum over the batches */
  double zeros;     /* pairs of example and expert that are off */
  double entropy_loss;
  double with[SL_MIXTURE_EXPERTS + 1]; /* examples with so many experts */
} SlExpertsChoices;

/* What changes from step to step. */
typedef struct
{
  uint64_t         moments[NETS]; /* updates since they were cleared, by role */
  SlRng            noise, dropout;
  SlMixtureSums    sums;
  SlExpertsChoices choices;
  double           dropped; /* share of the pairs at the last report, in % */
  uint64_t         flips;   /* examples whose sets are kept; 0 before the first evaluation */
} SlExpertsMoving;

/* The numbers of a network: embedding, the layer in the middle, head. */
typedef struct
{
  SlExpertsRole role;
  SlStack       stack;       /* the middle of a baseline */
  SlStackTape   tape;        /* of it */
  size_t        n_middle, n; /* numbers: of the middle, of all */
  sl_real      *weights;     /* (n) */
  sl_real      *gradient;    /* (n) */
  size_t        n_moments;   /* of embedding and head, and of a stack */
  sl_real      *m, *v;       /* (n_moments) */
} SlExpertsNet;

typedef struct
{
  SlLabState       base;
  SlMoe            moe;
  size_t           inputs, width, outputs; /* D, of the embedding or 0, logits */
  SlMoeShape       shape;
  size_t           n_embedding, n_head; /* numbers of a network before and after its middle */
  unsigned         nets; /* that there are: the mixture, what `twin` says, and two by `match` */
  SlExpertsNet     net[NETS];
  size_t           n;                  /* numbers of all networks */
  sl_real         *weights, *gradient; /* (n) those of all networks, one after the other */
  SlExpertsMoving *now;
  uint64_t        *kept_sets; /* (FLIPS, words) who was chosen at the last evaluation, a bit each */
  uint64_t        *new_sets;  /* the same now; no part of the state */

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

  /* Where an update began, so that one whose gate fails can be taken back; of a program's gate alone. */
  SlBatches       began;
  SlCounters      counted;
  SlExpertsMoving moved;
} SlExpertsLab;

static inline SlExpertsLab *
sl_experts_lab (SlLabState *state)
{
  return (SlExpertsLab *) state;
}

/* The layer's live settings at this moment. */
SlMoeSetting sl_experts_setting (const SlExpertsLab *s);

/* How the next update is made. */
SlStatus       sl_experts_shape (SlLabState *state);
SlOptimSetting sl_experts_optim (const SlExpertsLab *s);

/* The part of it that is for gates without noise. */
void sl_experts_choice_setting (const SlExpertsLab *s, SlMoeSetting *setting);

/* Where the sets of the panel of changed choices are. */
void sl_experts_choices_carve (SlExpertsLab *s, SlArena *kept, SlArena *scratch);

/* Adds how the last forward pass in training chose. */
void sl_experts_sum_choices (SlExpertsLab *s);

/* Publishes what was summed, and begins anew. */
void sl_experts_report_choices (SlExpertsLab *s, SlSink *sink);

/* The same of an evaluation: MaxVio of these counts, and how many choices have changed since the last one. */
void sl_experts_report_flips (SlExpertsLab *s, const double *hard, SlSink *sink);

/* Whether none of the examples of the last evaluation went to an expert; false before the first. */
bool sl_experts_is_dead (const SlExpertsLab *s, size_t expert);

/* MaxVio of counts (experts). */
double sl_experts_violation (const SlExpertsLab *s, const double *count);

/* What the layer sees of the batch in s->x. */
static inline const sl_real *
sl_experts_seen (const SlExpertsLab *s)
{
  return s->width > 0 ? s->h : s->x;
}

/* Where its output goes. */
static inline sl_real *
sl_experts_output (const SlExpertsLab *s)
{
  return s->width > 0 ? s->y : s->logits;
}

/* Multiply-adds of one example through the embedding and through the head. */
double sl_experts_embedding_macs (const SlExpertsLab *s);
double sl_experts_head_macs (const SlExpertsLab *s);

/* Sizes of the networks, from what the settings say of the layer; SL_ENOMEM where the baselines need
 * too much.  */
SlStatus sl_experts_nets_shape (SlExpertsLab *s);
void     sl_experts_nets_carve (SlExpertsLab *s, SlArena *kept, SlArena *scratch);

/* First weights, from the streams "init" and "baselines". */
void sl_experts_nets_init (SlExpertsLab *s, uint64_t seed);
void sl_experts_nets_clear_moments (SlExpertsLab *s);

/* How many networks learn, of the first ones: all, or without the baselines by `match` fewer. */
unsigned sl_experts_learning (const SlExpertsLab *s);

/* Runs the batch in s->x to s->logits, as sl_moe_forward() does its part of it; with a baseline there
 * is nothing to freeze.  */
void sl_experts_net_forward (SlExpertsLab *s, unsigned net, size_t batch, bool training,
                             bool frozen);

/* From another output of the layer to s->logits, after a pass of the network itself with the same inputs. */
void sl_experts_finish (SlExpertsLab *s, size_t batch);

/* Mean loss in nats of s->logits; *errors gets the wrong predictions.  With `slope` its gradient is
 * left in s->dlogits.  */
double sl_experts_loss (SlExpertsLab *s, size_t batch, bool slope, size_t *errors);

/* After a forward pass in training and sl_experts_loss() with slope: the gradient of the network into its
 * part of s->gradient, or with `optim` the update, and false, as sl_moe_backward() says.  */
bool sl_experts_net_backward (SlExpertsLab *s, unsigned net, size_t batch,
                              const SlOptimSetting *optim);

/* The network itself in training, without dropout and with nothing frozen: for validation examples that are decided
 * in batches.  */
void sl_experts_forward_together (SlExpertsLab *s, size_t batch);

/* Multiply-adds of a training step on the last batch: forward, and backward twice the same, less
 * what is not needed, the gradient of the network's input.  */
double sl_experts_step_macs (const SlExpertsLab *s, size_t batch);

/* Runs the first `most` validation examples as a deployed network would; returns how many. */
size_t sl_experts_run_validation (SlExpertsLab *s, size_t most);

/* What a deployed network does with a range of the examples; assignments by expert and class are
 * left in s->joint.  */
typedef struct
{
  SlEvaluation all;
  double       importance[MOST_EXPERTS], hard[MOST_EXPERTS]; /* sums over the examples */
  double examples[2], assigned[2]; /* of wrong and of right answers: how many, and their experts */
} SlExpertsEvaluation;

void sl_experts_evaluate (SlExpertsLab *s, size_t first, size_t n, SlExpertsEvaluation *evaluation);

/* How many experts examples have, where that is not the same for all (active.c): of the batches since the last report,
 * and of those with right and with wrong answers.  */
void sl_experts_report_active (const SlExpertsLab *s, SlSink *sink);
void sl_experts_add_active (const SlExpertsLab *s, size_t batch, SlExpertsEvaluation *evaluation);
void sl_experts_report_answers (const SlExpertsEvaluation *evaluation, SlSink *sink);
void sl_experts_probe_by_class (SlProbe *p);

/* The same of a baseline. */
SlEvaluation sl_experts_evaluate_baseline (SlExpertsLab *s, unsigned net, size_t first, size_t n);

/* Publishes the sums and begins anew; `same` is the share of the examples for which the noise did
 * not change the choice, or not-a-number.  */
void sl_experts_report (SlExpertsLab *s, double same, SlSink *sink);
void sl_experts_report_validation (SlExpertsLab *s, SlSink *sink);

/* Multiply-adds of the layer for an example that so many experts compute beside the shared ones, and of its gate, in %
 * of all experts'.  */
double sl_experts_executed (const SlExpertsLab *s, double assigned);

extern const SlScore sl_experts_score_names[];
void     sl_experts_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);
SlStatus sl_experts_recording (SlLabState *state, struct SlRouting **routing);
void     sl_experts_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
extern const SlProbePanel sl_experts_probes[N_PANELS];
void                      sl_experts_probe_alive (SlProbe *p);
void                      sl_experts_probe_speed (SlProbe *p);
extern const SlClock      sl_experts_passes;
void                      sl_experts_probe_strongest (SlProbe *p);
void                      sl_experts_probe_pruning (SlProbe *p);

/* "shirt", or the number of a class without a name. */
SlMessage sl_experts_class_of (const SlDataset *data, unsigned class);
