/* SPDX-License-Identifier: MIT */
#include "core/base/rng.h"

#include <assert.h>
#include <math.h>

static uint64_t
rotl (uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

static uint64_t
splitmix (uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void
sl_rng_init (SlRng *rng, uint64_t seed, const char *name)
{
  /* FNV-1a of the name; the seed is mixed first so that neighbouring seeds do
   * not give neighbouring states.  */
  uint64_t hash = 0xcbf29ce484222325u, state = seed;

  for (const char *c = name; *c != '\0'; c++)
    hash = (hash ^ (unsigned char) *c) * 0x100000001b3u;
  state = splitmix (&state) ^ hash;
  for (int i = 0; i < 4; i++)
    rng->s[i] = splitmix (&state);
}

uint64_t
sl_rng_next (SlRng *rng)
{
  uint64_t *s = rng->s;
  uint64_t  result = rotl (s[0] + s[3], 23) + s[0];
  uint64_t  t = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl (s[3], 45);
  return result;
}

double
sl_rng_uniform (SlRng *rng)
{
  return (double) (sl_rng_next (rng) >> 11) * 0x1.0p-53;
}

/* A state of zeros, which only a damaged file can bring, would give zeros for ever; a caller that
 * rejects draws would loop for ever.  */
static void
leave_zeros (SlRng *rng)
{
  if ((rng->s[0] | rng->s[1] | rng->s[2] | rng->s[3]) == 0)
    sl_rng_init (rng, 0, "zeros");
}

uint64_t
sl_rng_below (SlRng *rng, uint64_t n)
{
  /* Draws below 2^64 mod n are thrown away, so every residue is equally
   * likely.  */
  uint64_t least = -n % n, draw;

  assert (n >= 1);
  while ((draw = sl_rng_next (rng)) < least)
    leave_zeros (rng);
  return draw % n;
}

double
sl_rng_normal (SlRng *rng)
{
  double u, v, r;

  leave_zeros (rng);
  do
    {
      u = 2.0 * sl_rng_uniform (rng) - 1.0;
      v = 2.0 * sl_rng_uniform (rng) - 1.0;
      r = u * u + v * v;
    }
  while (r >= 1.0 || r == 0.0);
  return u * sqrt (-2.0 * log (r) / r);
}

void
sl_rng_shuffle (SlRng *rng, uint32_t *index, size_t n)
{
  for (size_t i = n; i > 1; i--)
    {
      size_t   j = sl_rng_below (rng, i);
      uint32_t t = index[i - 1];

      index[i - 1] = index[j];
      index[j] = t;
    }
}
