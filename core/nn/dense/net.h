/* SPDX-License-Identifier: MIT
 *
 * A network whose hidden layers may each be gated by a sign estimate (Davis 2016, chapter 3):
 * weights in one block, activations on a tape, forward and backward side by side.  Nothing here
 * allocates after init.
 *
 * A layer l has the weights W (H, D) followed by its bias b (H); a hidden layer of gated units (glu.h) has two
 * such pairs, of the gate and of what it gates, and one of parametric rectifiers has its slope behind b.  The first hidden layers may be
 * convolutions: W then meets what lies under its kernel at each of the P places of a picture, and the
 * P H results of an example are its units, the H of a place together.  A fully connected layer has
 * one place.  The last layer is linear and never gated; with one output the loss is logistic, with more
 * it is softmax.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"
#include "core/nn/conv/patches.h"
#include "core/nn/dense/skip.h"
#include "core/nn/optim/optim.h"

enum { SL_NET_LAYERS = 17 };

typedef enum {
  SL_RECTIFIER,
  SL_TANH,
  SL_LEAKY, /* act.h */
  SL_ELU,
  SL_PRELU,  /* leaky, each hidden layer with a slope that is trained */
  SL_SWIGLU, /* glu.h; not in convolutions, and without the penalties */
} SlActivation;

/* Whether a unit's sign says if it matters: what is below 0 passes as 0, or as little. */
static inline bool
sl_activation_has_sign (SlActivation activation)
{
  return activation != SL_TANH && activation != SL_SWIGLU;
}

typedef struct
{
  SlActivation activation;
  sl_real      cut; /* a rectifier passes what is above it, >= 0 */
  sl_real      l1;  /* weight in the loss of the mean of each hidden layer's |activations| */
  sl_real      kl;  /* weight of the divergence of their activities from `activity` (penalty.h) */
  sl_real      activity;
  unsigned     layers;                 /* with weights: the hidden ones and the output */
  unsigned     convolutions;           /* of these, from the first on */
  SlPatches    patches[SL_NET_LAYERS]; /* what they read */
  size_t   width[SL_NET_LAYERS + 1]; /* numbers of an example: the input, P H of each hidden layer,
                                          * the outputs */
  size_t   places[SL_NET_LAYERS];    /* P */
  size_t   inputs[SL_NET_LAYERS];    /* D */
  size_t   at[SL_NET_LAYERS];        /* where W of a layer begins in the block */
  size_t   n;                        /* numbers in the block */
  sl_real *weights, *m, *v;          /* (n) weights and the optimiser's moments */
  sl_real *gradient;                 /* (n) */
} SlNet;

typedef struct SlTape SlTape;

/* Told on the way back dloss/dy (B, width[l + 1]) of what a hidden layer gives, before dropout: for gates that
 * learn.  read, pre and est are on the tape, and low is free.  */
typedef void (*SlCredit) (void *data, SlTape *tape, unsigned layer, size_t batch,
                          const sl_real *slope);

/* Activations of one batch.  x[0] is the input, x[l + 1] the output of layer l. */
struct SlTape
{
  size_t   most;                 /* examples there is room for */
  sl_real *x[SL_NET_LAYERS + 1]; /* (B, width[l]) */
  sl_real *read[SL_NET_LAYERS];  /* (B P, D) what layer l meets: x[l], or its patches */
  sl_real
    *pre[SL_NET_LAYERS]; /* (B, width[l + 1]) of the hidden layers; of gated units their gates' */
  sl_real *up[SL_NET_LAYERS];   /* the same of what they gate; behind a backward pass its slope */
  sl_real *est[SL_NET_LAYERS];  /* the same: the estimate; a unit is on where it is > 0 */
  uint8_t *mask[SL_NET_LAYERS]; /* (B, width[l]) dropout of x[l] */
  sl_real *delta[2];            /* (B, widest) */
  sl_real *low;                 /* (B, widest) */
  sl_real *turned;              /* (B, width[0]) the picture with its channels last */
  sl_real *spread;              /* slopes of patches */
  bool     gated;               /* est decided in the last forward pass */
  bool     skips;               /* and what it switched off was not computed */
  double   macs[2];             /* multiply-adds of the last pass, forward and backward */
  SlCredit credit;              /* of the last estimate */
  void    *credited;
  SlSkip   skip;
};

typedef struct
{
  double input, hidden; /* rates of dropout, 0 is off */
} SlDropout;

typedef enum {
  SL_ESTIMATE_OFF,   /* a plain network */
  SL_ESTIMATE_WATCH, /* estimates are computed for comparison, the network stays dense */
  SL_ESTIMATE_GATE,  /* estimates decide which units are on */
  SL_ESTIMATE_HELD,  /* gated by the estimates already on the tape */
} SlEstimateMode;

typedef struct
{
  SlEstimateMode mode;
  /* Fills tape->est of a hidden layer, whose `read` and, unless it skips, pre are on the tape.  Not called
   * when off or held.  */
  void (*predict) (void *data, SlTape *tape, unsigned layer, size_t batch);
  SlCredit credit; /* or NULL */
  void    *data;
  /* What gates or is held computes only what is on, in both directions; pre is 0 elsewhere.  est of what
   * dropout drops, and of units that are on for less than this share of the batch, becomes 0.  */
  bool   skips;
  double least_share;
} SlEstimate;

/* Fixes the shape: `widths` (layers + 1). */
void sl_net_shape (SlNet *net, SlActivation activation, const size_t *widths, unsigned layers);

/* The same with convolutions: the first `convolutions` < layers of `widths` behind the input are channels.
 * `picture` has the size of the input, channel after channel in x[0], and the kernel of all of them.
 * Returns false where a kernel does not fit any more.  */
bool sl_net_shape_convolutions (SlNet *net, SlActivation activation, const size_t *widths,
                                unsigned layers, const SlPatches *picture, unsigned convolutions);

/* Units at one place, H. */
static inline size_t
sl_net_units (const SlNet *net, unsigned layer)
{
  return net->width[layer + 1] / net->places[layer];
}

/* Numbers in W, and multiply-adds of one example in a layer. */
static inline size_t
sl_net_in_layer (const SlNet *net, unsigned layer)
{
  return net->inputs[layer] * sl_net_units (net, layer);
}

/* Whether a layer has gated units. */
static inline bool
sl_net_is_gated (const SlNet *net, unsigned layer)
{
  return net->activation == SL_SWIGLU && layer + 1 < net->layers;
}

static inline double
sl_net_layer_macs (const SlNet *net, unsigned layer)
{
  return (sl_net_is_gated (net, layer) ? 2.0 : 1.0) * (double) net->places[layer]
         * (double) sl_net_in_layer (net, layer);
}

/* Cuts the weights and moments from `kept` and the gradient from `scratch`. */
void sl_net_carve (SlNet *net, SlArena *kept, SlArena *scratch);

/* Glorot weights, zero biases, zero moments. */
void sl_net_init (SlNet *net, SlRng *rng);

/* Cuts a tape for batches of up to `most` examples. */
void sl_tape_carve (SlTape *tape, const SlNet *net, size_t most, SlArena *scratch);

static inline sl_real *
sl_net_weight (const SlNet *net, unsigned layer)
{
  return net->weights + net->at[layer];
}

static inline sl_real *
sl_net_bias (const SlNet *net, unsigned layer)
{
  return net->weights + net->at[layer] + sl_net_in_layer (net, layer);
}

/* The slope of parametric rectifiers, where it stands in the block. */
static inline size_t
sl_net_slope_at (const SlNet *net, unsigned layer)
{
  return net->at[layer] + sl_net_in_layer (net, layer) + sl_net_units (net, layer);
}

/* The second pair of gated units. */
static inline sl_real *
sl_net_up_weight (const SlNet *net, unsigned layer)
{
  return sl_net_bias (net, layer) + sl_net_units (net, layer);
}

static inline sl_real *
sl_net_up_bias (const SlNet *net, unsigned layer)
{
  return sl_net_up_weight (net, layer) + sl_net_in_layer (net, layer);
}

/* And the room of passes that skip. */
void sl_tape_carve_skip (SlTape *tape, const SlNet *net, SlArena *scratch);

/* Draws new dropout masks for a batch.  Rates of 0 draw nothing. */
void sl_net_draw (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                  SlRng *rng);

/* Runs x[0] (B, D) to the outputs x[layers] (B, C).  `dropout` NULL: evaluation.  With dropout,
 * x[0] must have been masked already by sl_net_mask_input().  */
void sl_net_forward (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                     const SlEstimate *estimate);

/* Applies the input mask to x[0], in place. */
void sl_net_mask_input (const SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout);

/* Mean loss in nats of the outputs on the tape; *errors gets the wrong predictions. With
 * `slope` its gradient is left in delta[0].  */
double sl_net_loss (const SlNet *net, SlTape *tape, size_t batch, const uint8_t *label, bool slope,
                    size_t *errors);

/* The sum over hidden layers of net->l1 times the mean of their |outputs| on the tape, dropout included, and
 * net->kl times the mean divergence of their activities: the part of the loss that sl_net_loss() has not.  */
double sl_net_penalty (const SlNet *net, const SlTape *tape, size_t batch,
                       const SlDropout *dropout);

/* The activation of a hidden layer in evaluation, without its gate, in place; not of gated units. */
void sl_net_activate (const SlNet *net, unsigned layer, size_t n, sl_real *y);

/* From delta[0] (dloss/doutputs), writes the gradient, that of sl_net_penalty() included, layer by layer
 * from the top.  With `optim`, each layer is updated as soon as its gradient is there and no longer needed, while
 * it is still in the cache; `t` is the number of the update.  */
void sl_net_backward (SlNet *net, SlTape *tape, size_t batch, const SlDropout *dropout,
                      const SlOptimSetting *optim, uint64_t t);

/* Fills tape->read of a hidden layer from x, where they differ. */
void sl_net_read (const SlNet *net, SlTape *tape, unsigned layer, size_t batch);

/* Multiply-adds of one example through all layers, dense. */
double sl_net_macs (const SlNet *net);
/* Multiply-adds of its backward pass, for which x[0] needs no gradient. */
double sl_net_backward_macs (const SlNet *net);
