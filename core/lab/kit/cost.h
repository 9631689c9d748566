/* SPDX-License-Identifier: MIT
 *
 * What a lab's work is made of: calls of kernels with their shapes.  A lab fills three lists, from which
 * core/run/cost predicts seconds before anything runs.  */
#pragma once

#include "core/lab/lab.h"
#include "core/nn/conv/conv.h"

typedef enum {
  SL_COST_FORWARD, /* pre (m, n) = x (m, k) W' + b: sl_dense_forward() */
  SL_COST_DOWN,    /* dx (m, n) = dpre (m, k) W: a product of plain matrices */
  SL_COST_WEIGHTS, /* dW (m, n) = dpre' x over k examples: the first factor transposed */
  SL_COST_VECTOR,  /* y (m) = A (m, n) x: sl_mat_vec() */
  SL_COST_GATED, /* m examples, n units of k inputs, `share` of them on: sl_gather_gated() without its
                    * outputs */
  SL_COST_PICKED,       /* the same under a mask of each example: sl_gather_masked() */
  SL_COST_FEW,          /* y (m, n) = x (m, k) W + b of a few examples of an expert */
  SL_COST_FEW_BACK,     /* dx (m, n) = dy (m, k) W' of them */
  SL_COST_FEW_OUTER,    /* dW (m, n) = x' dy over k of them */
  SL_COST_STRIPS,       /* y (m, n) = x (m, k) W from strips: sl_row_gemm_rows() */
  SL_COST_STRIPS_OUTER, /* dW (m, n) = x' dy over k rows: sl_row_gemm_outer() */
  /* From here on of m × n numbers, the time of which is a number's. */
  SL_COST_READ, /* gone through again and again, from whichever cache holds so many: what small products
                 * of many different matrices take beyond the time of one that stays in the nearest  */
  SL_COST_LOOP, /* in a loop of the lab's own, one after the other: what it takes is learned from timed runs of
                 * the lab  */
  SL_COST_DOT, /* summed one after the other: sl_vector_dot() */
  SL_COST_COPY,
  SL_COST_RELU,     /* the rectifier, forward or backward */
  SL_COST_TANH,     /* forward */
  SL_COST_SIGMOID,  /* forward */
  SL_COST_DRAW,     /* masks of dropout */
  SL_COST_NORMAL,   /* normal numbers */
  SL_COST_SOFTMAX,  /* the loss and its gradient */
  SL_COST_DESCENT,  /* an optimiser's step by plain descent */
  SL_COST_MOMENTUM, /* with momentum */
  SL_COST_ADAM,     /* with two moments */
  SL_N_COST_KINDS,
} SlCostKind;

/* True for the kinds that go through numbers one by one. */
static inline bool
sl_cost_is_flat (SlCostKind kind)
{
  return kind >= SL_COST_READ;
}

typedef struct
{
  SlCostKind kind;
  size_t     m, n, k;
  double     times;
  double share, least, most; /* of units that are on: expected, and between what; kinds that skip */
} SlCostCall;

typedef enum {
  SL_COST_OF_DENSE, /* a forward pass that computes everything */
  SL_COST_OF_PASS,  /* the same as it skips */
  SL_COST_OF_STEP,  /* an update as it is set, without reports */
  SL_N_COST_PARTS,
} SlCostPart;

enum { SL_COST_CALLS_MAX = 512 };

struct SlWorkload
{
  const SlLab *lab;
  size_t       batch; /* examples of both passes, as the lab's clock times them; of a step as set */
  SlMessage    refused[SL_N_COST_PARTS]; /* why a part is not predicted, or SL_NO_MESSAGE */
  SlCostCall   call[SL_N_COST_PARTS][SL_COST_CALLS_MAX];
  unsigned     n[SL_N_COST_PARTS];
  SlCostPart   part; /* what calls are added to */
};

/* Fills *cost with what the lab says of these settings and data.  Whatever shape() refuses; a lab that
 * cannot be predicted refuses all parts.  */
SlStatus sl_cost_init (SlWorkload *cost, const SlLab *lab, const SlSettings *settings,
                       const SlDataset *dataset);

/* ---- for the labs ---- */

/* Calls that follow belong to this part. */
void sl_cost_begin (SlWorkload *cost, SlCostPart part);

/* This part is not predicted, for a reason that is a whole sentence. */
void sl_cost_refuse (SlWorkload *cost, SlCostPart part, SlMessage why);

/* Adds `times` calls; sizes of 0 add none. */
void sl_cost_add (SlWorkload *cost, SlCostKind kind, double times, size_t m, size_t n, size_t k);

/* A call of a kind that skips: expects a share of the units, and one between `least` and `most`. */
void sl_cost_add_gated (SlWorkload *cost, SlCostKind kind, size_t batch, size_t units,
                        size_t inputs, double share, double least, double most);

/* A layer's forward pass without its activation; and its backward one, with the gradient of its input or
 * without. */
void sl_cost_add_layer (SlWorkload *cost, size_t batch, size_t inputs, size_t units);
void sl_cost_add_layer_backward (SlWorkload *cost, size_t batch, size_t inputs, size_t units,
                                 bool below);

/* A convolution of `batch` examples, those of its passes (SL_CONV_…) that are named. */
void sl_cost_add_conv (SlWorkload *cost, const SlConv *conv, size_t batch, unsigned passes);

/* Both passes over a batch are refused: nothing in the lab is skipped. */
void sl_cost_refuse_passes (SlWorkload *cost, SlMessage why);
