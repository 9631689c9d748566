/* SPDX-License-Identifier: MIT */
#include "core/data/set/hash.h"

#include <string.h>

static const uint64_t p1 = 0x9e3779b185ebca87u, p2 = 0xc2b2ae3d27d4eb4fu, p3 = 0x165667b19e3779f9u,
                      p4 = 0x85ebca77c2b2ae63u, p5 = 0x27d4eb2f165667c5u;

static uint64_t
rotl (uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

/* Little-endian words whatever the machine; compilers make one load of each. */
static uint64_t
word64 (const uint8_t *at)
{
  uint64_t word = 0;

  for (int i = 0; i < 8; i++)
    word |= (uint64_t) at[i] << (8 * i);
  return word;
}

static uint64_t
word32 (const uint8_t *at)
{
  return at[0] | (uint64_t) at[1] << 8 | (uint64_t) at[2] << 16 | (uint64_t) at[3] << 24;
}

static uint64_t
lane_round (uint64_t lane_value, uint64_t input)
{
  return rotl (lane_value + input * p2, 31) * p1;
}

static uint64_t
merge_lane (uint64_t hash, uint64_t lane_value)
{
  return (hash ^ lane_round (0, lane_value)) * p1 + p4;
}

uint64_t
sl_hash (const void *data, size_t n, uint64_t seed)
{
  const uint8_t *at = data, *end = at + n;
  uint64_t       hash = seed + p5;

  if (n >= 32)
    {
      uint64_t a = seed + p1 + p2, b = seed + p2, c = seed, d = seed - p1;

      for (; end - at >= 32; at += 32)
        {
          a = lane_round (a, word64 (at));
          b = lane_round (b, word64 (at + 8));
          c = lane_round (c, word64 (at + 16));
          d = lane_round (d, word64 (at + 24));
        }
      hash = rotl (a, 1) + rotl (b, 7) + rotl (c, 12) + rotl (d, 18);
      hash = merge_lane (merge_lane (merge_lane (merge_lane (hash, a), b), c), d);
    }
  hash += n;
  for (; end - at >= 8; at += 8)
    hash = rotl (hash ^ lane_round (0, word64 (at)), 27) * p1 + p4;
  for (; end - at >= 4; at += 4)
    hash = rotl (hash ^ (word32 (at) * p1), 23) * p2 + p3;
  for (; at < end; at++)
    hash = rotl (hash ^ (*at * p5), 11) * p1;
  hash = (hash ^ (hash >> 33)) * p2;
  hash = (hash ^ (hash >> 29)) * p3;
  return hash ^ (hash >> 32);
}

uint64_t
sl_hash_reals (const sl_real *values, size_t n, uint64_t seed)
{
  uint8_t bytes[4096];
  size_t  most = sizeof bytes / 4;

  for (size_t first = 0; first < n; first += most)
    {
      size_t count = n - first < most ? n - first : most;

      for (size_t i = 0; i < count; i++)
        {
          float    value = (float) values[first + i];
          uint32_t word;

          memcpy (&word, &value, 4);
          for (int b = 0; b < 4; b++)
            bytes[4 * i + b] = (uint8_t) (word >> (8 * b));
        }
      seed = sl_hash (bytes, 4 * count, seed);
    }
  return seed;
}
