/* SPDX-License-Identifier: MIT
 *
 * The language model of Shazeer et al. 2017, appendix C.1: word embedding – LSTM – mixture of experts –
 * LSTM – softmax, and the baselines that do as many multiplications without a mixture.  For the
 * symbol w of a row, layers f_l and dropout δ:
 *
 *   x_0 = δ (E[w]),  x_{l + 1} = δ (f_l (x_l)) + x_l,  logits = x_L W' + b
 *
 * where the middle layer's result goes through a sigmoid first, and both that and the residual
 * connection can be left out.  All rows of a stretch go through the middle layer in one batch (the
 * "convolutional trick" of §3.1), as it knows no time.
 *
 * Letters: B streams, T steps, R = T B rows (row t B + e), d units of every layer, C kinds of
 * symbols.  Weights in one block; nothing allocates after the arenas were.
 *
 * Threads: as for mat.h.  */
#pragma once

#include "core/labs/experts-text/math/lstm.h"
#include "core/nn/dense/stack.h"
#include "core/nn/moe/moe.h"

typedef enum {
  SL_MIDDLE_EXPERTS,
  SL_MIDDLE_WIDE,  /* MoE-1-Wide: one expert with one wide hidden layer, always on */
  SL_MIDDLE_DEEP,  /* MoE-1-Deep: one expert with several hidden layers */
  SL_MIDDLE_LSTMS, /* 4xLSTM: two more recurrent layers */
} SlMiddle;

/* What is fixed for a run. */
typedef struct
{
  SlMiddle   middle;
  size_t     kinds, units; /* C, d */
  SlMoeShape experts;      /* inputs and outputs are d; not read but for `hidden` without experts */
  size_t     matched;      /* k that the wide and the deep layer do the multiplications of */
  bool       residual, sigmoid;
} SlLanguageShape;

enum { SL_LANGUAGE_LAYERS = 4 };

typedef struct
{
  SlLanguageShape shape;
  unsigned        layers;                 /* 3, or 4 when all are LSTMs */
  size_t          at[SL_LANGUAGE_LAYERS]; /* where a layer begins in the block; E begins it */
  size_t          at_out, at_bias, n;     /* W (C, d) and b (C); numbers of all */
  SlLstm          lstm;                   /* of every recurrent layer */
  SlLstmPacked    packed[SL_LANGUAGE_LAYERS];
  SlStack         stack;              /* the middle layer that is wide or deep */
  SlMoe           moe;                /* or the experts */
  sl_real        *weights, *gradient; /* (n) */
  sl_real        *m, *v; /* (n - the experts' numbers) moments of all else, which updates its own */
} SlLanguage;

/* `batch` streams over at most `steps` steps. */
typedef struct
{
  size_t      batch, steps; /* B, T */
  SlLstmTape  tape[SL_LANGUAGE_LAYERS];
  SlStackTape stack;
  sl_real    *x[SL_LANGUAGE_LAYERS + 1];    /* (R, d) what layer l reads; the last: the softmax */
  uint8_t    *mask[SL_LANGUAGE_LAYERS + 1]; /* (R, d) dropout of x_0 and of each f_l; NULL without
                                             * training, as the three below */
  sl_real    *slope, *inner, *below;        /* (R, d) */
  sl_real    *y;                            /* (R, d) the middle layer's, behind the sigmoid */
  sl_real    *logits;                       /* (R, C) */
  sl_real    *loss;                         /* (R) nats */
  uint8_t    *wrong;                        /* (R) */
} SlLanguageRun;

/* How a pass goes. */
typedef struct
{
  SlMoeSetting experts;
  double       dropout;  /* rate; only in training */
  bool         training; /* with dropout and the gates' noise */
  bool         held;     /* the gates choose as they last did (finite differences) */
} SlLanguagePass;

/* Fixes the shape, and how many numbers there are.  The experts' `most` rows: of the largest run. */
void sl_language_shape (SlLanguage *model, const SlLanguageShape *shape);

/* Cuts weights and moments from `kept`, all else from `scratch`. */
void sl_language_carve (SlLanguage *model, SlArena *kept, SlArena *scratch);

/* First weights, cleared moments. */
void sl_language_init (SlLanguage *model, SlRng *rng);

/* After the optimiser was changed: moments to zero. */
void sl_language_clear_moments (SlLanguage *model);

void sl_language_run_carve (SlLanguageRun *run, const SlLanguage *model, size_t batch, size_t steps,
                            bool backward, SlArena *scratch);

/* Draws dropout and the noise of the gates for `steps` steps. */
void sl_language_draw (SlLanguage *model, SlLanguageRun *run, size_t steps,
                       const SlLanguagePass *pass, SlRng *dropout, SlRng *noise);

/* The room of a run without a backward pass for one stream, which begins with states of 0; what the run had is gone. */
SlLanguageRun sl_language_run_of_one (const SlLanguage *model, const SlLanguageRun *run);

/* `steps` steps from the states that the run begins with to logits.  symbol (T, B).  Packs the weights
 * first.  */
void sl_language_forward (SlLanguage *model, SlLanguageRun *run, size_t steps,
                          const uint16_t *symbol, const SlLanguagePass *pass);

/* Mean loss in nats per symbol against label (T, B), of single rows in run->loss; *errors gets the
 * wrong predictions.  With `slope` the logits are turned into its gradient, else into
 * probabilities up to a factor.  */
double sl_language_loss (const SlLanguage *model, SlLanguageRun *run, size_t steps,
                         const uint16_t *label, bool slope, size_t *errors);

/* After a pass in training and its loss with slope: the gradient, or with `optim` the update number
 * `t` (from 1).  The experts' gradient is not written out when they are updated.  */
void sl_language_backward (SlLanguage *model, SlLanguageRun *run, size_t steps,
                           const uint16_t *symbol, const SlLanguagePass *pass,
                           const SlOptimSetting *optim, uint64_t t);

/* What the balance of the experts adds to the objective, of the last pass. */
double sl_language_balance_loss (const SlLanguage *model);

/* Lets the next pass begin where this one ended. */
void sl_language_carry (const SlLanguage *model, SlLanguageRun *run, size_t steps);
/* Lets `count` streams from `first` on begin the next pass with states of 0. */
void sl_language_rest (const SlLanguage *model, SlLanguageRun *run, size_t first, size_t count);

/* Whether a layer is recurrent. */
static inline bool
sl_language_recurs (const SlLanguage *model, unsigned layer)
{
  return layer != 1 || model->shape.middle == SL_MIDDLE_LSTMS;
}

/* Multiply-adds of one symbol's way through all layers but the softmax, as the paper counts: of the
 * recurrent layers, and of the middle one for `chosen` experts a row.  And of the softmax.  */
double sl_language_recurrent_macs (const SlLanguage *model);
double sl_language_middle_macs (const SlLanguage *model, const SlMoeSetting *setting,
                                double chosen);
double sl_language_softmax_macs (const SlLanguage *model);

/* Numbers without embedding and softmax, as the paper counts. */
size_t sl_language_inner_numbers (const SlLanguage *model);
/* Numbers of the recurrent layers. */
size_t sl_language_recurrent_numbers (const SlLanguage *model);
