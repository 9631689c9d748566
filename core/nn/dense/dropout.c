/* SPDX-License-Identifier: MIT */
#include "core/nn/dense/dropout.h"

#include <math.h>
#include <string.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/streams.h"

enum { DRAWS = 4 * SL_STREAMS }; /* 16-bit draws of one turn of the generators */

/* Fills `mask` (turns, DRAWS). */
SL_CLONES static void
draw_turns (SlStreams *streams, uint16_t least, size_t turns, uint8_t *restrict mask)
{
  SlStreams now = *streams;

  for (size_t turn = 0; turn < turns; turn++)
    {
      uint64_t word[SL_STREAMS];
      uint16_t draw[DRAWS];

      sl_streams_next (&now, word);
      memcpy (draw, word, sizeof draw);
      for (int i = 0; i < DRAWS; i++)
        mask[turn * DRAWS + i] = draw[i] >= least;
    }
  *streams = now;
}

void
sl_dropout_draw (SlRng *rng, double rate, size_t n, uint8_t *mask)
{
  uint16_t  least = (uint16_t) fmin (rint (rate * 65536.0), 65535.0);
  SlStreams streams;
  uint8_t   last[DRAWS];
  size_t    turns = n / DRAWS;

  sl_streams_init (&streams, sl_rng_next (rng), 0);
  draw_turns (&streams, least, turns, mask);
  draw_turns (&streams, least, 1, last);
  memcpy (mask + turns * DRAWS, last, n % DRAWS);
}

SL_CLONES static void
apply_mask (size_t n, sl_real scale, const uint8_t *mask, const sl_real *x, sl_real *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] = mask[i] != 0 ? x[i] * scale : 0;
}

void
sl_dropout_apply (size_t n, double rate, const uint8_t *mask, const sl_real *x, sl_real *y)
{
  apply_mask (n, (sl_real) (1.0 / (1.0 - rate)), mask, x, y);
}
