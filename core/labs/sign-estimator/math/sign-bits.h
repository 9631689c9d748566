/* SPDX-License-Identifier: MIT
 *
 * The sign of W x guessed from signs alone (SparseInfer, arXiv 2411.12692): an input and a weight of
 * equal sign vote for the unit, others against it, and votes are counted 64 at a time by XOR, AND and
 * popcount.  Negative is < 0: -0 is a zero.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"

typedef struct
{
  size_t    inputs, units;
  size_t    stride;  /* words of a row, with those that fill it up */
  uint64_t *weights; /* bits of the negative weights, eight rows side by side */
  uint64_t *against; /* (stride) bits of the negative inputs */
  uint64_t *voting;  /* (stride) bits of the inputs that vote */
  uint32_t *count;   /* (units, filled up to eights) votes against */
} SlSignBits;

/* Shapes and cuts; nothing of it has to be kept, as the weights make it again. */
void sl_sign_bits_init (SlSignBits *bits, size_t units, size_t inputs, SlArena *scratch);

/* Takes the signs of w (H, D). */
void sl_sign_bits_pack (SlSignBits *bits, const sl_real *w);

/* Votes of one input x (D).  With `abstain` an input of 0 has no vote, without it 0 is positive.
 * Fills count (H) with the votes against each unit and returns the number of votes cast: those not
 * against a unit are for it.  */
size_t sl_sign_bits_vote (SlSignBits *bits, const sl_real *x, bool abstain);

/* (caution votes for - votes against) ÷ D, for `against` of `cast` votes. */
static inline double
sl_sign_bits_score (const SlSignBits *bits, double caution, size_t cast, size_t against)
{
  return (caution * (double) (cast - against) - (double) against) / (double) bits->inputs;
}

/* q (B, H) of x (B, D). */
void sl_sign_bits_scores (SlSignBits *bits, size_t batch, const sl_real *x, bool abstain,
                          double caution, sl_real *q);

/* The units whose score is at least theta, rising, as one deploys it; returns how many. */
size_t sl_sign_bits_rows (SlSignBits *bits, const sl_real *x, bool abstain, double caution,
                          double theta, uint32_t *rows);

/* Words of 64 bits that a row takes without filling. */
static inline size_t
sl_sign_bits_words (size_t inputs)
{
  return (inputs + 63) / 64;
}
