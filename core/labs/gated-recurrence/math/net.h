/* SPDX-License-Identifier: MIT
 *
 * A language model of one or more layers of gated recurrent units over a stream of symbols: the
 * first layer reads the symbol, each next one the states of the one below, and a softmax over the
 * symbols reads the last (Davis 2016, §4.5.1).  Weights in one block; nothing allocates after init.
 *
 * Letters as in gru.h; C symbols.  */
#pragma once

#include "core/labs/gated-recurrence/math/gru.h"

enum { SL_GRU_LAYERS = 2 };

typedef struct
{
  unsigned    layers;
  size_t      symbols; /* C */
  SlGru       gru[SL_GRU_LAYERS];
  size_t      at[SL_GRU_LAYERS], at_out, at_bias, n; /* the output has W (C, h) and b (C) */
  sl_real    *weights, *m, *v;                       /* (n) weights and the optimiser's moments */
  sl_real    *mean[SL_GRU_LAYERS], *variance[SL_GRU_LAYERS]; /* (columns) that evaluation goes by */
  sl_real    *gradient;                                      /* (n); NULL without training */
  SlGruPacked packed[SL_GRU_LAYERS];
} SlGruNet;

/* `batch` streams over `steps` steps. */
typedef struct
{
  size_t    batch, steps;
  SlGruTape tape[SL_GRU_LAYERS];
  sl_real  *logits; /* (T, B, C) */
  sl_real  *dtop;   /* (T, B, h); only where backward was asked for */
} SlGruRun;

/* What the gates of one pass go by. */
typedef struct
{
  double         s, epsilon;
  bool           given;            /* by the followed statistics instead of those of the batch */
  const sl_real *z[SL_GRU_LAYERS]; /* (T, B, columns) instead of the gates computed; NULL: those */
} SlGruGates;

/* Fixes the shape; gates as in sl_gru_shape(), `affine` as sl_gru_shape_affine(). */
void sl_gru_net_shape (SlGruNet *net, SlGruGating gating, bool rectify, bool affine, size_t symbols,
                       unsigned layers, size_t units, size_t gates);

/* Cuts weights, moments and statistics from `kept`, and from `scratch` the gradient and what
 * backward passes need of the packed weights, where asked for.  */
void sl_gru_net_carve (SlGruNet *net, bool backward, SlArena *kept, SlArena *scratch);

/* First weights, cleared moments, statistics of a normal input.  SL_ENOMEM. */
SlStatus sl_gru_net_init (SlGruNet *net, SlRng *rng);

void sl_gru_run_carve (SlGruRun *run, const SlGruNet *net, size_t batch, size_t steps,
                       bool backward, SlArena *scratch);

/* Packs the weights as they are now: before the first pass and after every update. */
void sl_gru_net_pack (SlGruNet *net);

/* `steps` steps from the states that the run begins with to logits. `symbol` (T, B). */
void sl_gru_net_forward (const SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *symbol,
                         const SlGruGates *gates);

/* Mean loss in nats per symbol against `label` (T, B); with `slope` the logits are turned into its
 * gradient.  */
double sl_gru_net_loss (const SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *label,
                        bool slope);

/* Writes the gradient. */
void sl_gru_net_backward (SlGruNet *net, SlGruRun *run, size_t steps, const uint8_t *symbol);

/* Moves the followed statistics by `rate` towards those of the last pass. */
void sl_gru_net_follow (SlGruNet *net, const SlGruRun *run, size_t steps, double rate);

/* Lets the next pass begin where this one ended. */
void sl_gru_net_carry (const SlGruNet *net, SlGruRun *run, size_t steps);
/* Lets `count` streams from `first` on begin the next pass with states of 0. */
void sl_gru_net_rest (const SlGruNet *net, SlGruRun *run, size_t first, size_t count);

/* One stream, one step, by the followed statistics, straight from the weights.  `state` is [x H]
 * of every layer, one after the other (sl_gru_net_state () numbers, 0 at first); z (layers, h)
 * gets the gates, `given` (the same) replaces them unless NULL; logits (C).  `work`
 * (sl_gru_net_work ()), rows (h).  Returns how many units were on.  */
size_t sl_gru_net_one (const SlGruNet *net, const SlGruGates *gates, sl_real *state, uint8_t symbol,
                       const sl_real *given, sl_real *z, sl_real *logits, sl_real *work,
                       uint32_t *rows);
size_t sl_gru_net_state (const SlGruNet *net);

/* The state of a layer as if its gates were `ones` (h), all 1: what is copied is computed.  `in` is its [x H], and that
 * state is written over H; z (h), work and rows as above.  */
void   sl_gru_net_full (const SlGruNet *net, unsigned layer, const SlGruGates *gates, sl_real *in,
                        uint8_t symbol, const sl_real *ones, sl_real *z, sl_real *work,
                        uint32_t *rows);
size_t sl_gru_net_work (const SlGruNet *net);

/* Multiply-adds per symbol: of all units of a layer, of its gates, of the output. */
double sl_gru_net_output_macs (const SlGruNet *net);

/* The bound on the gain over the dense network of this shape when a share α of each layer is on. */
double sl_gru_net_bound (const SlGruNet *net, const double *alpha /* (layers) */);
