/* SPDX-License-Identifier: MIT */
#include "core/nn/kernels/normal.h"

#include <stdint.h>
#include <string.h>

#include "core/nn/kernels/clones.h"
#include "core/nn/kernels/special.h"
#include "core/nn/kernels/streams.h"

enum {
  DRAWS = SL_STREAMS * 8 / sizeof (sl_real), /* numbers of one turn of the generators */
  PAIRS = DRAWS / 2,
  CHUNK = 256 * DRAWS, /* of one set of generators: the unit that threads share out */
};

enum { TERMS = sizeof (sl_real) == sizeof (float) ? 5 : 9 };

/* A pair of independent normals from two words.  One word gives the radius, the other the angle:
 * two of its bits the quarter of the circle, the others the place in the quarter.  */
SL_SPECIAL void
box_muller (SlBits radius_bits, SlBits angle_bits, sl_real *first, sl_real *second)
{
  const int     bits = sizeof (sl_real) * 8;
  const sl_real unit = (sl_real) 1 / ((SlBits) 1 << (bits - 1));
  const sl_real eighth = (sl_real) 0.785398163397448309616;
  /* Signed conversions are what vector units have. */
  sl_real u = ((sl_real) (SlSignedBits) (radius_bits >> 1) + (sl_real) 0.5) * unit;
  sl_real r = sqrt (-2 * sl_log_of (u));
  sl_real angle = (sl_real) (SlSignedBits) (angle_bits << 2) * unit * eighth;
  sl_real square = angle * angle, c = 0, s = 0;
  SlBits  turn = angle_bits >> (bits - 1), swap = (angle_bits >> (bits - 2)) & 1;

  for (int i = TERMS - 1; i >= 0; i--)
    {
      c = c * square + (sl_real) sl_wave_terms[2 * i];
      s = s * square + (sl_real) sl_wave_terms[2 * i + 1];
    }
  s *= angle;
  r = turn ? -r : r;
  *first = r * (swap ? s : c);
  *second = r * (swap ? c : s);
}

SL_CLONES static void
fill_chunk (uint64_t key, size_t index, size_t turns, sl_real *restrict x)
{
  SlStreams streams;

  sl_streams_init (&streams, key, index);
  for (size_t turn = 0; turn < turns; turn++, x += DRAWS)
    {
      uint64_t word[SL_STREAMS];
      SlBits   draw[DRAWS];

      sl_streams_next (&streams, word);
      memcpy (draw, word, sizeof draw);
      for (int i = 0; i < PAIRS; i++)
        box_muller (draw[i], draw[PAIRS + i], &x[i], &x[PAIRS + i]);
    }
}

/* Numbers [at, n) of a run that begins a chunk at `at`. */
static void
fill_from (uint64_t key, size_t at, size_t n, sl_real *x)
{
  size_t  left = n - at < CHUNK ? n - at : CHUNK, whole = left / DRAWS;
  sl_real rest[CHUNK];

  if (left % DRAWS == 0)
    {
      fill_chunk (key, at / CHUNK, whole, x + at);
      return;
    }
  fill_chunk (key, at / CHUNK, whole + 1, rest);
  memcpy (x + at, rest, left * sizeof *x);
}

void
sl_normal_fill (SlRng *rng, size_t n, sl_real *x)
{
  uint64_t key = sl_rng_next (rng);

#pragma omp parallel for schedule(static) if (n > 4 * CHUNK)
  for (size_t at = 0; at < n; at += CHUNK)
    fill_from (key, at, n, x);
}
