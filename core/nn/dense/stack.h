/* SPDX-License-Identifier: MIT
 *
 * Dense rectified layers one after the other with a linear one at the end: the baseline that
 * replaces a mixture of experts, to show what the mixture adds.  Two of them do as many
 * multiplications as k experts E (x) = relu (x A + a) C + c do (Shazeer et al. 2017, appendix C.1).
 *
 * Letters: B examples, D inputs, O outputs.  A layer has the weights W (H, D) followed by its bias
 * b (H).  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"

enum { SL_STACK_HIDDEN = 4 }; /* hidden layers at most */

typedef struct
{
  unsigned layers;                     /* with weights: the hidden ones and the last */
  size_t   width[SL_STACK_HIDDEN + 2]; /* D, of the hidden ones, O */
  size_t   at[SL_STACK_HIDDEN + 1];    /* where W of a layer begins in the block */
  size_t   n;                          /* numbers in the block */
} SlStack;

/* What a forward pass leaves for the backward pass. */
typedef struct
{
  sl_real *hidden[SL_STACK_HIDDEN]; /* (B, width[l + 1]) */
  sl_real *slope[2];                /* (B, widest); NULL without a backward pass */
} SlStackTape;

/* MoE-1-Wide: one hidden layer of k · hidden units. */
void sl_stack_wide (SlStack *stack, size_t inputs, size_t outputs, size_t k, size_t hidden);

/* MoE-1-Deep: min (k, 4) hidden layers of equal width u with D u + (layers - 1) u² + u O =
 * k hidden (D + O), rounded; the published 512 → 4 × 1024 → 512 for k = 4 and hidden = 1024.  */
void sl_stack_deep (SlStack *stack, size_t inputs, size_t outputs, size_t k, size_t hidden);

/* `hidden` layers (1 … SL_STACK_HIDDEN) of equal width, the widest whose multiply-adds u (D + O) + (hidden − 1) u²
 * do not exceed `macs`, but at least one unit.  */
void sl_stack_within (SlStack *stack, size_t inputs, size_t outputs, unsigned hidden, size_t macs);

/* Glorot weights and biases of 0 into w (n). */
void sl_stack_init (const SlStack *stack, SlRng *rng, sl_real *w);

/* Carves a tape for batches of up to `most` examples. */
void sl_stack_tape_carve (SlStackTape *tape, const SlStack *stack, size_t most, bool backward,
                          SlArena *scratch);

/* y (B, O) of x (B, D) by w (n). */
void sl_stack_forward (const SlStack *stack, const sl_real *w, SlStackTape *tape, size_t batch,
                       const sl_real *x, sl_real *y);

/* From dy (B, O), writes the gradient over dw (n), and dx (B, D) unless NULL; x and w as in the forward
 * pass.  */
void sl_stack_backward (const SlStack *stack, const sl_real *w, SlStackTape *tape, size_t batch,
                        const sl_real *x, const sl_real *dy, sl_real *dw, sl_real *dx);

/* Multiply-adds of one example. */
double sl_stack_macs (const SlStack *stack);
