/* SPDX-License-Identifier: MIT
 *
 * Randomness as a value.  One seed splits into named streams ("init",
 * "shuffle", "dropout", …): drawing more from one never moves another, so
 * switching noise off does not change the initial weights.
 *
 * The generator is xoshiro256++ (Blackman and Vigna 2019), seeded through
 * SplitMix64.  Not for secrets.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint64_t s[4];
} SlRng;

/* Starts the stream `name` of `seed`.  The same pair gives the same draws on
 * every machine.  */
void sl_rng_init (SlRng *rng, uint64_t seed, const char *name);

/* 64 uniform bits. */
uint64_t sl_rng_next (SlRng *rng);

/* Uniform in [0, 1), 53 bits. */
double sl_rng_uniform (SlRng *rng);

/* Uniform integer in [0, n), without bias; n >= 1. */
uint64_t sl_rng_below (SlRng *rng, uint64_t n);

/* Standard normal (Marsaglia's polar method; keeps no spare, so that the state
 * is the four words above).  */
double sl_rng_normal (SlRng *rng);

/* Puts `index` (n) into a uniformly random order (Fisher-Yates). */
void sl_rng_shuffle (SlRng *rng, uint32_t *index, size_t n);
