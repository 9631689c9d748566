/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `sign-estimator` share, and no other file includes.  */
#pragma once

#include "core/lab/kit/probe.h"
#include "core/lab/kit/state.h"
#include "core/labs/sign-estimator/math/predictor.h"
#include "core/labs/sign-estimator/math/task.h"
#include "core/labs/sign-estimator/tables.h"
#include "core/nn/dense/net.h"
#include "core/nn/dense/signs.h"

/* What changes from step to step. */
typedef struct
{
  uint64_t moments;       /* updates since the moments were cleared */
  uint64_t since_refresh; /* updates since the last refresh */
  uint64_t refreshed_in;  /* whole passes through the training data before it */
  bool     stale;         /* refresh before the next step */
  bool     factored;      /* the factors are of these weights' past */
  SlRng    dropout, subspace, gates;
  size_t   rank[MOST_HIDDEN], tracked[MOST_HIDDEN]; /* of the factors, for checkpoints */
  double   energy[MOST_HIDDEN], lost[MOST_HIDDEN];
  size_t   inputs[MOST_HIDDEN], learned_rank[MOST_HIDDEN]; /* of the learned ones, likewise */
  uint64_t learned_t[MOST_HIDDEN];                         /* their updates */
  bool     ahead[MOST_HIDDEN]; /* it reads the inputs of the layer before */
  bool     aimed;              /* theta meets the aim */
  double   theta[MOST_HIDDEN];
  double   twin_loss; /* sum since the last report */
} SlSignMoving;

typedef struct
{
  SlLabState    base;
  unsigned      hidden; /* layers that can be gated */
  SlNet         net, twin;
  bool          has_twin;
  SlTape        tape;
  SlPredictor   predictor[MOST_HIDDEN];
  double       *each[MOST_HIDDEN];   /* (H) thresholds of single units that meet the aim */
  double       *other;               /* (widest) the same of a predictor that is not in use */
  sl_real      *anchor[MOST_HIDDEN]; /* W of a hidden layer at its last refresh */
  uint8_t      *label;               /* (MOST_BATCH) */
  uint8_t      *gate;                /* (MOST_BATCH, widest): masks of the conditional kernels */
  uint32_t     *rows;                /* (widest) */
  SlTaskRoom    task;                /* for MOST_BATCH examples in any hidden layer */
  SlSignMoving *now;
} SlSignLab;

static inline SlSignLab *
sl_sign_lab (SlLabState *state)
{
  return (SlSignLab *) state;
}

/* Whether its units are gated ones, which are skipped by magnitude and have no signs; and whether they can be
 * skipped at all.  */
static inline bool
sl_sign_has_gates (const SlSignLab *s)
{
  return s->net.activation == SL_SWIGLU;
}

static inline bool
sl_sign_can_gate (const SlSignLab *s)
{
  return sl_sign_has_gates (s) || sl_activation_has_sign (s->net.activation);
}

/* The predictor in use, and any of them as it is set. */
SlPredictorKind    sl_sign_kind (const SlSignLab *s);
SlPredictorSetting sl_sign_setting (const SlSignLab *s, SlPredictorKind kind);

/* What the predictor in use does at this moment: off while there are no factors.  Signs are packed. */
SlEstimate sl_sign_estimate (SlSignLab *s);

/* The same in training, which may skip. */
SlEstimate sl_sign_training_estimate (SlSignLab *s);

/* Rounds of a refresh; training examples from one to the next; and its multiply-adds, with the factors of
 * now.  */
unsigned sl_sign_rounds (const SlSignLab *s);
double   sl_sign_refresh_examples (const SlSignLab *s);
double   sl_sign_refresh_macs (const SlSignLab *s);

/* The rates of dropout. */
SlDropout sl_sign_dropout (const SlSignLab *s);

/* Packs the signs of the weights of now, for votes. */
void sl_sign_pack (SlSignLab *s);

/* The thresholds of the predictor in use. */
SlTheta sl_sign_theta (const SlSignLab *s, unsigned layer);

/* Scores q (B, H) of a hidden layer whose inputs and pre are on the tape; and its thresholds: for a predictor
 * that is not in use, those that meet the aim on the scores of so many examples, if there is an aim; of each unit,
 * until they are asked for again.  */
void sl_sign_scores (SlSignLab *s, SlPredictorKind kind, unsigned layer, size_t batch, sl_real *q);
SlTheta sl_sign_threshold (const SlSignLab *s, unsigned layer, SlPredictorKind kind, size_t batch,
                           const sl_real *q);

/* Of gated units: makes the thresholds on training examples; multiply-adds of a layer, less those that the output
 * then does not need of the last; what is expected of `sparsity`; and the traces of a step.  */
void   sl_sign_calibrate (SlSignLab *s);
double sl_sign_gated_macs (const SlSignLab *s, unsigned layer, double density);
double sl_sign_gates_expected (const SlSignLab *s);
void   sl_sign_report_gates (SlSignLab *s, SlSink *sink);

/* q turned into estimates under these thresholds. */
void sl_sign_decide (const SlSignLab *s, SlPredictorKind kind, SlTheta theta, unsigned layer,
                     size_t batch, sl_real *q);

/* The biases that an estimate adds, or NULL. */
const sl_real *sl_sign_bias (const SlSignLab *s, unsigned layer);

/* The numbers on the tape that a predictor of this layer reads. */
const sl_real *sl_sign_inputs (const SlSignLab *s, SlPredictorKind kind, unsigned layer);

/* Makes the thresholds that meet the aim, if there is one, on validation examples. */
void sl_sign_aim (SlSignLab *s);

/* The learned predictors: begins those that are wanted anew where rank or inputs are others, and forgets them
 * where none is wanted; forgets them; whether there are any; an update on the batch of the tape, whose delta[0] stays; and
 * multiply-adds of that for one example.  */
void   sl_sign_begin_learned (SlSignLab *s);
void   sl_sign_forget_learned (SlSignLab *s);
bool   sl_sign_has_learned (const SlSignLab *s);
void   sl_sign_train_learned (SlSignLab *s, size_t batch);
double sl_sign_learning_macs (const SlSignLab *s);

/* Gates that the task trains: makes an estimate draw them and take their gradient on the way back; and the update
 * behind that.  */
void sl_sign_learn_by_task (SlEstimate *estimate);
void sl_sign_update_gates (SlSignLab *s);

/* The weight of the L1 term at the next update. */
double sl_sign_l1 (const SlSignLab *s);

/* Multiply-adds of one example: of predicting a layer, and of the layer with the predictor in use.  The oracle
 * computes everything.  */
double sl_sign_predictor_macs (const SlSignLab *s, SlPredictorKind kind, unsigned layer);
double sl_sign_layer_macs (const SlSignLab *s, unsigned layer, double density);

/* What a run keeps, as the descriptor asks for it (core/lab/lab.h). */
SlStatus sl_sign_shape (SlLabState *state);
void     sl_sign_carve (SlLabState *state);
SlStatus sl_sign_init (SlLabState *state, uint64_t seed);
unsigned sl_sign_blobs (SlLabState *state, SlBlob *blob);
SlStatus sl_sign_restored (SlLabState *state);

/* Whether a learned predictor can read the inputs of the layer before: between convolutions, places are
 * others.  */
bool sl_sign_can_look_ahead (const SlSignLab *s, unsigned layer);

/* Runs `n` <= MOST_BATCH examples from `first` on through a network without dropout. */
void sl_sign_run (SlSignLab *s, const SlNet *net, size_t first, size_t n,
                  const SlEstimate *estimate);

/* Runs the first `most` validation examples (training ones when there are none, fewer when
 * there are fewer) and returns how many.  */
size_t sl_sign_run_validation (SlSignLab *s, size_t most, const SlEstimate *estimate);

/* Expected share of the dense operations (eq. 3.9; votes by words) for these densities, the
 * same in executed multiplications, and what would be left if predicting cost nothing.  */
double sl_sign_expected (const SlSignLab *s, const double *density);
double sl_sign_executed (const SlSignLab *s, const double *density);
double sl_sign_free (const SlSignLab *s, const double *density);

/* The traces of a step: per layer on the watched examples, and costs; the sums since the last report,
 * which begin anew; and errors in validation.  sl_sign_score() is the descriptor's.  */
void                 sl_sign_report_signs (SlSignLab *s, SlSink *sink);
void                 sl_sign_report_training (SlSignLab *s, SlSink *sink);
void                 sl_sign_report_work (SlSignLab *s, size_t batch, SlSink *sink);
void                 sl_sign_report_validation (SlSignLab *s, SlSink *sink);
SlEvaluation         sl_sign_evaluate (SlSignLab *s, const SlNet *net, size_t first, size_t n,
                                       const SlEstimate *estimate);
extern const SlScore sl_sign_score_names[];
void                 sl_sign_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n);

/* The gating map. */
void sl_sign_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells);

/* What panels need, each of which says what is missing: rectifiers; an estimate, as it gates; and one beside
 * which there are all other predictors.  */
bool sl_sign_probe_rectifies (SlProbe *p);
bool sl_sign_probe_estimate (SlProbe *p, SlEstimate *gated);
bool sl_sign_probe_compares (SlProbe *p, SlEstimate *gated);

/* One side of a timing: what it runs, as one would deploy it. */
typedef struct
{
  SlSignLab      *s;
  size_t          batch;
  SlPredictorKind kind;
  SlTheta         theta[SL_PREDICTORS + 1][MOST_HIDDEN];
  sl_real        *turned; /* (H, C) the weights of the outputs behind gated units */
} SlSignPass;

void sl_sign_pass_dense (void *data);
void sl_sign_pass_conditional (void *data);

/* Gated units in them, of which the last give the outputs; and what these need. */
void sl_sign_pass_gates (const SlSignPass *pass);
bool sl_sign_turn_outputs (SlProbe *p, SlSignPass *pass);

/* The costly panels: times, each predictor beside the others. */
extern const SlClock      sl_sign_passes;
void                      sl_sign_probe_speed (SlProbe *p);
void                      sl_sign_probe_alive (SlProbe *p);
void                      sl_sign_probe_magnitude (SlProbe *p);
void                      sl_sign_probe_times (SlProbe *p);
void                      sl_sign_probe_curves (SlProbe *p);
void                      sl_sign_probe_predictors (SlProbe *p);
extern const SlProbePanel sl_sign_probes[N_PANELS];
