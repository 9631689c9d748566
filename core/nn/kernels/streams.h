/* SPDX-License-Identifier: MIT
 *
 * Many generators side by side, so that drawing vectorises: SL_STREAMS times xoshiro256++
 * (Blackman and Vigna 2019), word by word.  Private to the kernels that draw.  */
#pragma once

#include <stdint.h>

enum { SL_STREAMS = 16 };

typedef struct
{
  uint64_t s[4][SL_STREAMS];
} SlStreams;

/* Words of the seeding sequence that one set takes. */
enum { SL_STREAMS_SEEDS = 4 * SL_STREAMS };

/* Set number `index` of those that the word `key` starts.  SplitMix64, as the authors of xoshiro
 * seed it; neighbouring sets take neighbouring stretches of its sequence.  */
static inline void
sl_streams_init (SlStreams *streams, uint64_t key, uint64_t index)
{
  const uint64_t step = 0x9e3779b97f4a7c15u;

  key += step * index * SL_STREAMS_SEEDS;
  for (int lane = 0; lane < SL_STREAMS; lane++)
    for (int i = 0; i < 4; i++)
      {
        uint64_t z = (key += step);

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        streams->s[i][lane] = z ^ (z >> 31);
      }
}

static inline uint64_t
sl_streams_rotate (uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

/* One word of each.  Inlined into cloned functions, and so compiled for their instruction sets. */
static inline __attribute__ ((always_inline)) void
sl_streams_next (SlStreams *streams, uint64_t *word /* (SL_STREAMS) */)
{
  for (int lane = 0; lane < SL_STREAMS; lane++)
    {
      uint64_t s0 = streams->s[0][lane], s1 = streams->s[1][lane];
      uint64_t s2 = streams->s[2][lane] ^ s0, s3 = streams->s[3][lane] ^ s1;

      word[lane] = sl_streams_rotate (s0 + streams->s[3][lane], 23) + s0;
      streams->s[1][lane] = s1 ^ s2;
      streams->s[0][lane] = s0 ^ s3;
      streams->s[2][lane] = s2 ^ (s1 << 17);
      streams->s[3][lane] = sl_streams_rotate (s3, 45);
    }
}
