/* SPDX-License-Identifier: MIT
 *
 * Inverted dropout; see dropout.h.  */
#include "core/nn/dropout.h"

#include <math.h>
#include <string.h>

#include "core/nn/clones.h"

enum
{
  LANES = 16,         /* generators side by side, so that the loops vectorise */
  DRAWS = 4 * LANES,  /* 16-bit draws of one turn of them */
};

/* LANES generators xoshiro256++ (Blackman and Vigna 2019), word by word. */
typedef struct
{
  uint64_t s[4][LANES];
} Streams;

static void
streams_init (Streams *streams, uint64_t key)
{
  /* SplitMix64, as the authors of xoshiro seed it. */
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < 4; i++)
      {
        uint64_t z = (key += 0x9e3779b97f4a7c15u);

        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        streams->s[i][lane] = z ^ (z >> 31);
      }
}

static inline uint64_t
rotl (uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

/* Fills `mask` (turns, DRAWS). */
SL_CLONES static void
draw_turns (Streams *streams, uint16_t least, size_t turns, uint8_t *restrict mask)
{
  Streams now = *streams;

  for (size_t turn = 0; turn < turns; turn++)
    {
      uint64_t word[LANES];
      uint16_t draw[DRAWS];

      for (int lane = 0; lane < LANES; lane++)
        {
          uint64_t s0 = now.s[0][lane], s1 = now.s[1][lane];
          uint64_t s2 = now.s[2][lane] ^ s0, s3 = now.s[3][lane] ^ s1;

          word[lane] = rotl (s0 + now.s[3][lane], 23) + s0;
          now.s[1][lane] = s1 ^ s2;
          now.s[0][lane] = s0 ^ s3;
          now.s[2][lane] = s2 ^ (s1 << 17);
          now.s[3][lane] = rotl (s3, 45);
        }
      memcpy (draw, word, sizeof draw);
      for (int i = 0; i < DRAWS; i++)
        mask[turn * DRAWS + i] = draw[i] >= least;
    }
  *streams = now;
}

void
sl_dropout_draw (SlRng *rng, double rate, size_t n, uint8_t *mask)
{
  uint16_t least = (uint16_t) fmin (rint (rate * 65536.0), 65535.0);
  Streams  streams;
  uint8_t  last[DRAWS];
  size_t   turns = n / DRAWS;

  streams_init (&streams, sl_rng_next (rng));
  draw_turns (&streams, least, turns, mask);
  draw_turns (&streams, least, 1, last);
  memcpy (mask + turns * DRAWS, last, n % DRAWS);
}

SL_CLONES static void
apply (size_t n, sl_real scale, const uint8_t *mask, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = mask[i] != 0 ? x[i] * scale : 0;
}

void
sl_dropout_apply (size_t n, double rate, const uint8_t *mask, const sl_real *x, sl_real *y)
{
  apply (n, (sl_real) (1.0 / (1.0 - rate)), mask, x, y);
}
