/* SPDX-License-Identifier: MIT
 *
 * Eight rows are counted side by side, one in each lane of a vector.  Words are added bit by bit in a
 * tree of carry-save adders (Harley and Seal), so that bits of a word are counted once for sixteen.  */
#include "core/nn/predictor/sign-bits.h"

#include <string.h>

#include "core/nn/kernels/clones.h"

enum {
  ROWS = 8,   /* side by side */
  WORDS = 8,  /* a row is filled up to so many */
  LANES = 16, /* inputs that are looked at together */
};

typedef uint64_t Lanes __attribute__ ((vector_size (8 * ROWS), may_alias, aligned (8)));

/* A macro, as vectors of 64 bytes are passed differently with and without their registers. */
#define ADD(a, b, c, sum, carry)                                                                   \
  do                                                                                               \
    {                                                                                              \
      Lanes a_ = (a), b_ = (b), c_ = (c), u_ = a_ ^ b_;                                            \
      (carry) = (a_ & b_) | (u_ & c_);                                                             \
      (sum) = u_ ^ c_;                                                                             \
    }                                                                                              \
  while (0)

/* The votes against in word k of eight rows. */
#define VOTES(k) ((((const Lanes *) w)[k] ^ against[k]) & voting[k])

/* The bits of each byte of v, counted. */
#define COUNT_BYTES(v, to)                                                                         \
  do                                                                                               \
    {                                                                                              \
      Lanes b_ = (v);                                                                              \
      b_ = b_ - ((b_ >> 1) & 0x5555555555555555u);                                                 \
      b_ = (b_ & 0x3333333333333333u) + ((b_ >> 2) & 0x3333333333333333u);                         \
      (to) = (b_ + (b_ >> 4)) & 0x0f0f0f0f0f0f0f0fu;                                               \
    }                                                                                              \
  while (0)

/* The votes against ROWS units, `stride` words of each. */
SL_CLONES static void
count_rows (size_t stride, const uint64_t *w, const uint64_t *against, const uint64_t *voting,
            uint32_t *count)
{
  Lanes    total = { 0 };
  uint64_t sum[ROWS];

  for (size_t k = 0; k < stride; k += WORDS, w += ROWS * WORDS, against += WORDS, voting += WORDS)
    {
      Lanes ones, twos, fours, eights, two[4], four[2], bytes, more;

      ADD (VOTES (0), VOTES (1), VOTES (2), ones, two[0]);
      ADD (ones, VOTES (3), VOTES (4), ones, two[1]);
      ADD (ones, VOTES (5), VOTES (6), ones, two[2]);
      two[3] = ones & VOTES (7);
      ones ^= VOTES (7);
      ADD (two[0], two[1], two[2], twos, four[0]);
      four[1] = twos & two[3];
      twos ^= two[3];
      fours = four[0] ^ four[1];
      eights = four[0] & four[1];
      COUNT_BYTES (ones, bytes);
      COUNT_BYTES (twos, more);
      bytes += more << 1;
      COUNT_BYTES (fours, more);
      bytes += more << 2;
      COUNT_BYTES (eights, more);
      bytes += more << 3; /* 64 at most in each */
      bytes = (bytes & 0x00ff00ff00ff00ffu) + ((bytes >> 8) & 0x00ff00ff00ff00ffu);
      bytes += bytes >> 32;
      bytes += bytes >> 16;
      total += bytes & 0xffffu;
    }
  memcpy (sum, &total, sizeof sum);
  for (int r = 0; r < ROWS; r++)
    count[r] = (uint32_t) sum[r];
}

static size_t
filled_up (size_t n, size_t to)
{
  return (n + to - 1) / to * to;
}

void
sl_sign_bits_init (SlSignBits *bits, size_t units, size_t inputs, SlArena *scratch)
{
  size_t stride = filled_up (sl_sign_bits_words (inputs), WORDS), rows = filled_up (units, ROWS);

  *bits = (SlSignBits) { .inputs = inputs, .units = units, .stride = stride };
  bits->weights = sl_arena_carve (scratch, rows * stride, sizeof *bits->weights);
  bits->against = sl_arena_carve (scratch, stride, sizeof *bits->against);
  bits->voting = sl_arena_carve (scratch, stride, sizeof *bits->voting);
  bits->count = sl_arena_carve (scratch, rows, sizeof *bits->count);
}

/* The bits of 64 numbers: those below 0, and those that are not 0.  Their order within a word is
 * whatever needs no shuffling, the same for inputs and weights.  */
static inline __attribute__ ((always_inline)) void
pack_word (const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
  uint32_t below[LANES] = { 0 }, other[LANES] = { 0 };
  uint64_t b = 0, o = 0;

  for (int k = 0; k < 64 / LANES; k++)
    for (int j = 0; j < LANES; j++)
      {
        below[j] |= (uint32_t) (x[k * LANES + j] < 0) << k;
        other[j] |= (uint32_t) (x[k * LANES + j] != 0) << k;
      }
  for (int j = 0; j < LANES; j++)
    {
      b |= (uint64_t) below[j] << (64 / LANES * j);
      o |= (uint64_t) other[j] << (64 / LANES * j);
    }
  *negative = b;
  *nonzero = o;
}

/* The bits of a row of n numbers. */
SL_CLONES static void
pack_row (size_t n, const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
  size_t  k = 0;
  sl_real rest[64] = { 0 };

  for (; 64 * (k + 1) <= n; k++)
    pack_word (x + 64 * k, &negative[k], &nonzero[k]);
  if (64 * k == n)
    return;
  memcpy (rest, x + 64 * k, (n - 64 * k) * sizeof *rest);
  pack_word (rest, &negative[k], &nonzero[k]);
}

/* The bits of the first n inputs, all of which vote. */
static void
let_all_vote (size_t n, uint64_t *voting)
{
  sl_real  ones[64];
  uint64_t negative;

  for (size_t k = 0; 64 * k < n; k++)
    {
      for (size_t i = 0; i < 64; i++)
        ones[i] = 64 * k + i < n;
      pack_word (ones, &negative, &voting[k]);
    }
}

void
sl_sign_bits_pack (SlSignBits *bits, const sl_real *w)
{
  size_t stride = bits->stride;

  memset (bits->weights, 0, filled_up (bits->units, ROWS) * stride * sizeof *bits->weights);
  memset (bits->against, 0, stride * sizeof *bits->against);
  for (size_t i = 0; i < bits->units; i++)
    {
      uint64_t *to = bits->weights + i / ROWS * ROWS * stride + i % ROWS;

      pack_row (bits->inputs, w + i * bits->inputs, bits->against, bits->voting);
      for (size_t k = 0; k < stride; k++)
        to[k * ROWS] = bits->against[k];
    }
}

size_t
sl_sign_bits_vote (SlSignBits *bits, const sl_real *x, bool abstain)
{
  size_t stride = bits->stride, cast = bits->inputs;

  memset (bits->against, 0, stride * sizeof *bits->against);
  memset (bits->voting, 0, stride * sizeof *bits->voting);
  pack_row (bits->inputs, x, bits->against, bits->voting);
  if (!abstain)
    let_all_vote (bits->inputs, bits->voting);
  else
    for (size_t k = cast = 0; k < stride; k++)
      cast += (size_t) __builtin_popcountll (bits->voting[k]);
  for (size_t i = 0; i < bits->units; i += ROWS)
    count_rows (stride, bits->weights + i * stride, bits->against, bits->voting, bits->count + i);
  return cast;
}

void
sl_sign_bits_scores (SlSignBits *bits, size_t batch, const sl_real *x, bool abstain, double caution,
                     sl_real *q)
{
  for (size_t e = 0; e < batch; e++)
    {
      size_t cast = sl_sign_bits_vote (bits, x + e * bits->inputs, abstain);

      for (size_t i = 0; i < bits->units; i++)
        q[e * bits->units + i] = (sl_real) sl_sign_bits_score (bits, caution, cast, bits->count[i]);
    }
}

size_t
sl_sign_bits_rows (SlSignBits *bits, const sl_real *x, bool abstain, double caution, double theta,
                   uint32_t *rows)
{
  size_t cast = sl_sign_bits_vote (bits, x, abstain), most = 0, n = 0;

  /* The score falls with every vote against: how many of them a unit survives. */
  while (most <= cast
         && (sl_real) sl_sign_bits_score (bits, caution, cast, most) >= (sl_real) theta)
    most++;
  for (size_t i = 0; i < bits->units; i++)
    {
      rows[n] = (uint32_t) i;
      n += bits->count[i] < most;
    }
  return n;
}
