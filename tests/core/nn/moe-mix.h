/* SPDX-License-Identifier: MIT
 *
 * A mixture of experts with memory, inputs and an objective of its own, for the tests.  */
#pragma once

#include "core/nn/moe/moe.h"

typedef struct
{
  SlMoe        moe;
  SlMoeSetting setting;
  SlArena      kept, scratch;
  size_t       batch;
  sl_real     *weights, *gradient; /* (moe.n) */
  sl_real     *x, *y, *dx, *dy; /* (B, D), (B, O); the objective is y·dy with the balance losses */
} Mix;

/* Room for `most` examples; all numbers are zeros. */
void mix_init (Mix *mix, const SlMoeShape *shape, const SlMoeSetting *setting);
void mix_clear (Mix *mix);

/* Weights, inputs, noise and dy from a seed, and `batch` examples. */
void mix_randomise (Mix *mix, size_t batch, guint64 seed);

/* The objective after a forward pass in training. */
double mix_objective (Mix *mix, bool frozen);

/* Forward and backward. */
void mix_train (Mix *mix);
