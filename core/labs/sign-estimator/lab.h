/* SPDX-License-Identifier: MIT
 *
 * What the files of the lab `sign-estimator` share; nobody else includes this.  */
#pragma once

#include "core/lab/kit/batches.h"
#include "core/lab/lab.h"
#include "core/nn/dense/net.h"
#include "core/nn/dense/signs.h"

/* The order is that of the form and of the plots. */
enum {
  P_ESTIMATOR,
  P_RANK_MODE,
  P_RANK,
  P_ENERGY,
  P_THETA,
  P_REFRESH,
  P_TWIN,
  P_RATE,
  P_SCHEDULE,
  P_SCHEDULE_EPOCHS,
  P_BATCH,
  P_OPTIMISER,
  P_DECAY,
  P_INPUT_DROPOUT,
  P_HIDDEN_DROPOUT,
  P_HIDDEN,
  P_ACTIVATION,
  P_REPORT,
  P_EVALUATE,
  P_EXAMPLES,
  N_PARAMS,
};

enum {
  V_AGREEMENT,
  V_ERROR,
  V_RECALL,
  V_LOST,
  V_COST,
  V_SPEED,
  V_MAP,
  V_DENSITY,
  V_FALSE_ALARM,
  V_RANK_AGREEMENT,
  V_RANK_ERROR,
  V_SPECTRUM,
  V_DRIFT,
  V_LOSS,
  V_RANK,
  V_DISTANCE,
  V_FILTERS,
  N_PANELS,
};

/* The traces of the panels with several. */
enum { T_AGREEMENT, T_ALL_OFF };
enum { T_TRAIN, T_VALID, T_VALID_DENSE, T_TWIN };
enum { T_LOSS, T_TWIN_LOSS };
enum { T_ALPHA, T_TRUE_DENSITY };
enum { T_EXPECTED, T_EXECUTED, T_BREAK_EVEN };

enum { N_TRIALS = 7 };

extern const SlParam     sl_sign_params[N_PARAMS];
extern const SlPanel     sl_sign_panels[N_PANELS];
extern const char *const sl_sign_readings[];
extern const SlTrial     sl_sign_trials[N_TRIALS];
extern const SlSummary   sl_sign_summary;
extern const SlSweepHint sl_sign_sweeps[1];

enum {
  MOST_HIDDEN = SL_LIST_MAX, /* hidden layers */
  MOST_BATCH = 1024,         /* examples in one pass of the tape */
  WATCHED = 128,             /* validation examples of the traces per layer */
};

/* The small things that change from step to step, in one piece for checkpoints. */
typedef struct
{
  uint64_t t;              /* updates done */
  uint64_t moments;        /* updates since the moments were cleared */
  uint64_t batch_examples; /* training examples seen */
  double   macs;           /* multiply-adds of the steps so far */
  uint64_t since_refresh;  /* updates since the last refresh */
  bool     stale;          /* refresh before the next step */
  bool     look;           /* something was changed: report on the next step */
  bool     judge;          /* the gates were changed: evaluate soon */
  uint64_t judged;         /* updates at the last evaluation */
  bool     factored;       /* the factors are of these weights' past */
  SlRng    dropout, subspace;
  SlRng    shuffle;
  uint64_t cursor;
  size_t   rank[MOST_HIDDEN], tracked[MOST_HIDDEN];
  double   energy[MOST_HIDDEN], lost[MOST_HIDDEN];
  double   loss, errors, seen; /* sums since the last report */
  double   twin_loss, twin_errors;
} Moving;

struct SlLabState
{
  const SlDataset *dataset;
  SlSettings       settings;
  unsigned         hidden; /* layers that can be gated */
  SlArena          kept, scratch;
  SlNet            net, twin;
  bool             has_twin;
  SlTape           tape;
  SlLowRank        factors[MOST_HIDDEN];
  sl_real         *anchor[MOST_HIDDEN]; /* W of a hidden layer at its last refresh */
  SlBatches        batches;
  uint8_t         *label; /* (MOST_BATCH) */
  uint8_t         *gate;  /* (MOST_BATCH, widest): masks of the conditional kernels */
  uint32_t        *rows;  /* (widest) */
  Moving           now;
  size_t           held_batch; /* examples of the held batch, 0: none */
};

/* The scalar value of a parameter. */
static inline double
value_of (const SlLabState *s, unsigned param)
{
  return s->settings.value[param].v[0];
}

/* What the estimator does at this moment: off while there are no factors. */
SlEstimate sl_sign_estimate (const SlLabState *s);

/* Runs `n` <= MOST_BATCH examples from `first` on through a network without dropout. */
void sl_sign_run (SlLabState *s, const SlNet *net, size_t first, size_t n,
                  const SlEstimate *estimate);

/* Runs the first `most` validation examples (training ones when there are none, fewer when
 * there are fewer) and returns how many.  */
size_t sl_sign_run_validation (SlLabState *s, size_t most, const SlEstimate *estimate);

/* Expected share of the dense operations (eq. 3.8, network-wide) for these densities, and the
 * same in executed multiplications.  */
double sl_sign_expected (const SlLabState *s, const double *density);
double sl_sign_executed (const SlLabState *s, const double *density);

/* The traces of a step: per layer on the watched examples, and costs; the sums since the last report,
 * which begin anew; and errors in validation.  sl_sign_score() is the descriptor's.  */
void     sl_sign_report_signs (SlLabState *s, SlSink *sink);
void     sl_sign_report_training (SlLabState *s, SlSink *sink);
void     sl_sign_report_validation (SlLabState *s, SlSink *sink);
SlStatus sl_sign_score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n);

/* The gating map. */
SlStatus sl_sign_map (SlLabState *s, const sl_real *points, size_t n, SlCell *cells);

/* The costly panels. */
SlStatus sl_sign_probe (SlLabState *s, unsigned panel, SlSink *sink);
