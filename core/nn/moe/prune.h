/* SPDX-License-Identifier: MIT
 *
 * Experts removed from a trained layer (Lasby et al. 2025, REAP, 2510.13999): the column of a removed expert leaves
 * the gate, which chooses among the rest and weighs them as it does for single examples; nothing is trained again.
 *
 *   saliency   Sᵢ = mean over the examples that have expert i of Gᵢ ‖Eᵢ (x)‖, 0 where none has; those with the
 *              least go first
 *
 * The gate and all experts are computed once; each set of experts then costs a choice and a sum.
 *
 * Letters: B examples, n experts, O outputs.  */
#pragma once

#include "core/nn/moe/moe.h"

typedef struct
{
  SlMoe              *moe;
  const SlMoeSetting *setting;
  size_t              batch;
  sl_real            *logits;  /* (B, n) */
  sl_real            *outputs; /* (n, B, O) Eᵢ (x) */
} SlPrune;

/* Whether a layer has such a gate: all but soft and strictly balanced ones, trees, and zero-computation experts. */
bool sl_prune_is_possible (const SlMoeShape *shape);

/* After a forward pass that was not in training and whose inputs are still there: fills logits and outputs, which
 * are the caller's as setting and layer are, with all experts.  The layer is to do nothing else as long as this is
 * in use; its weights and state stay as they are, and what is of that pass is lost.  */
void sl_prune_begin (SlPrune *prune, SlMoe *moe, const SlMoeSetting *setting, sl_real *logits,
                     sl_real *outputs);

/* y (B, O), as the layer without these experts gives it; moe->dispatch are the choices.  removed (n); NULL: none. */
void sl_prune_forward (SlPrune *prune, const bool *removed, sl_real *y);

/* Of each expert in the last sl_prune_forward(), (n): its examples, its saliency, and the mean of ‖Eᵢ (x)‖ over
 * these examples.  */
void sl_prune_measure (const SlPrune *prune, double *count, double *saliency, double *norm);

/* The experts by rising value (n), the lowest numbers first among equals. */
void sl_prune_order (size_t n, const double *value, uint32_t *order);
