/* SPDX-License-Identifier: MIT
 *
 * Eight rows are counted side by side, one in each lane of a vector.  Words are added bit by bit in a
 * tree of carry-save adders (Harley and Seal), so that bits of a word are counted once for sixteen.  */
#include "core/labs/sign-estimator/math/sign-bits.h"

#include <string.h>

#include "core/nn/kernels/clones.h"

#ifdef SL_WIDE
#include <immintrin.h>
#endif

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

#ifdef SL_WIDE

/* The same where three words are combined by one instruction and bytes are looked up. */
#define WIDE_ADD(a, b, c, sum, carry)                                                              \
  do                                                                                               \
    {                                                                                              \
      __m512i a_ = (a), b_ = (b), c_ = (c);                                                        \
      (carry) = _mm512_ternarylogic_epi64 (a_, b_, c_, 0xe8);                                      \
      (sum) = _mm512_ternarylogic_epi64 (a_, b_, c_, 0x96);                                        \
    }                                                                                              \
  while (0)

#define WIDE_VOTES(k)                                                                              \
  _mm512_ternarylogic_epi64 (_mm512_loadu_si512 (w + ROWS * (k)),                                  \
                             _mm512_set1_epi64 ((long long) against[k]),                           \
                             _mm512_set1_epi64 ((long long) voting[k]), 0x28)

/* The bits of each byte of v, weighted as the table has them. */
#define WIDE_COUNT(v, table)                                                                       \
  _mm512_add_epi8 (_mm512_shuffle_epi8 (table, _mm512_and_si512 (v, low)),                         \
                   _mm512_shuffle_epi8 (table, _mm512_and_si512 (_mm512_srli_epi64 (v, 4), low)))

static inline __attribute__ ((always_inline)) SL_WIDE __m256i
count_rows_wide (size_t stride, const uint64_t *w, const uint64_t *against, const uint64_t *voting)
{
  const __m512i low = _mm512_set1_epi8 (0x0f), zero = _mm512_setzero_si512 ();
  const __m512i by_1
    = _mm512_broadcast_i32x4 (_mm_setr_epi8 (0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i by_2 = _mm512_add_epi8 (by_1, by_1), by_4 = _mm512_add_epi8 (by_2, by_2),
                by_8 = _mm512_add_epi8 (by_4, by_4);
  __m512i total = zero;

  for (size_t k = 0; k < stride; k += WORDS, w += ROWS * WORDS, against += WORDS, voting += WORDS)
    {
      __m512i ones, twos, two_0, two_1, two_2, two_3, four, last = WIDE_VOTES (7);

      WIDE_ADD (WIDE_VOTES (0), WIDE_VOTES (1), WIDE_VOTES (2), ones, two_0);
      WIDE_ADD (ones, WIDE_VOTES (3), WIDE_VOTES (4), ones, two_1);
      WIDE_ADD (ones, WIDE_VOTES (5), WIDE_VOTES (6), ones, two_2);
      two_3 = _mm512_and_si512 (ones, last);
      ones = _mm512_xor_si512 (ones, last);
      WIDE_ADD (two_0, two_1, two_2, twos, four);
      last = _mm512_and_si512 (twos, two_3);
      twos = _mm512_xor_si512 (twos, two_3);
      ones = WIDE_COUNT (ones, by_1);
      twos = WIDE_COUNT (twos, by_2);
      ones = _mm512_add_epi8 (ones, WIDE_COUNT (_mm512_xor_si512 (four, last), by_4));
      twos = _mm512_add_epi8 (twos, WIDE_COUNT (_mm512_and_si512 (four, last), by_8));
      total = _mm512_add_epi64 (total, _mm512_sad_epu8 (_mm512_add_epi8 (ones, twos), zero));
    }
  return _mm512_cvtepi64_epi32 (total);
}

/* All of them, so that what is the same for all rows stays in registers. */
SL_WIDE static void
count_all_wide (const SlSignBits *bits)
{
  size_t stride = bits->stride;

  for (size_t i = 0; i < bits->units; i += ROWS)
    _mm256_storeu_si256 (
      (__m256i *) (bits->count + i),
      count_rows_wide (stride, bits->weights + i * stride, bits->against, bits->voting));
}

/* And where one instruction counts the bits of a word, which is less work than adding words up first. */
#define COUNTING __attribute__ ((target ("arch=x86-64-v4,avx512vpopcntdq")))
#define HAS_COUNTING() __builtin_cpu_supports ("avx512vpopcntdq")

static inline __attribute__ ((always_inline)) COUNTING __m512i
count_word (const uint64_t *w, __m512i against, __m512i voting)
{
  return _mm512_popcnt_epi64 (
    _mm512_ternarylogic_epi64 (_mm512_loadu_si512 (w), against, voting, 0x28));
}

/* Sixteen rows at a time, for which the inputs' words are fetched once; the last eight may be alone. */
COUNTING static void
count_all_by_words (const SlSignBits *bits)
{
  size_t          stride = bits->stride, block = ROWS * stride;
  const uint64_t *w = bits->weights;

  for (size_t i = 0; i < bits->units; i += 2 * ROWS, w += 2 * block)
    {
      const uint64_t *next = i + ROWS < bits->units ? w + block : w;
      __m512i         here = _mm512_setzero_si512 (), there = here;

      for (size_t k = 0; k < stride; k++)
        {
          __m512i against = _mm512_set1_epi64 ((long long) bits->against[k]);
          __m512i voting = _mm512_set1_epi64 ((long long) bits->voting[k]);

          here = _mm512_add_epi64 (here, count_word (w + ROWS * k, against, voting));
          there = _mm512_add_epi64 (there, count_word (next + ROWS * k, against, voting));
        }
      _mm256_storeu_si256 ((__m256i *) (bits->count + i), _mm512_cvtepi64_epi32 (here));
      if (next != w)
        _mm256_storeu_si256 ((__m256i *) (bits->count + i + ROWS), _mm512_cvtepi64_epi32 (there));
    }
}

/* The units with fewer votes against them, sixteen at a time; returns how many units it went through, and in *n
 * how many it found.  What it writes ends where the units that it went through do.  */
SL_WIDE static size_t
choose_rows_wide (size_t units, const uint32_t *count, uint32_t fewest, uint32_t *rows, size_t *n)
{
  const __m512i limit = _mm512_set1_epi32 ((int) fewest), step = _mm512_set1_epi32 (LANES);
  __m512i       index = _mm512_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  size_t        i = 0, found = 0;

  for (; i + LANES <= units; i += LANES, index = _mm512_add_epi32 (index, step))
    {
      __mmask16 on = _mm512_cmplt_epu32_mask (_mm512_loadu_si512 (count + i), limit);

      _mm512_storeu_si512 (rows + found, _mm512_maskz_compress_epi32 (on, index));
      found += (size_t) __builtin_popcount (on);
    }
  *n = found;
  return i;
}
#endif

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

  for (int j = 0; j < LANES; j++)
    for (int k = 0; k < 64 / LANES; k++)
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

/* The bits of n words. */
SL_CLONES static void
pack_words (size_t n, const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
  for (size_t k = 0; k < n; k++)
    pack_word (x + 64 * k, &negative[k], &nonzero[k]);
}

#if defined SL_WIDE && !defined SL_DOUBLE
/* The same, in another order, where a comparison gives bits. */
SL_WIDE static void
pack_words_wide (size_t n, const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
  const __m512 zero = _mm512_setzero_ps ();

  for (size_t k = 0; k < n; k++)
    {
      uint64_t b = 0, o = 0;

      for (int part = 0; part < 64 / LANES; part++, x += LANES)
        {
          __m512 v = _mm512_loadu_ps (x);

          b |= (uint64_t) _mm512_cmp_ps_mask (v, zero, _CMP_LT_OQ) << (LANES * part);
          o |= (uint64_t) _mm512_cmp_ps_mask (v, zero, _CMP_NEQ_UQ) << (LANES * part);
        }
      negative[k] = b;
      nonzero[k] = o;
    }
}
#endif

static void
pack_full (size_t n, const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
#if defined SL_WIDE && !defined SL_DOUBLE
  if (SL_HAS_WIDE ())
    {
      pack_words_wide (n, x, negative, nonzero);
      return;
    }
#endif
  pack_words (n, x, negative, nonzero);
}

/* The bits of a row of n numbers. */
static void
pack_row (size_t n, const sl_real *x, uint64_t *negative, uint64_t *nonzero)
{
  size_t  k = n / 64;
  sl_real rest[64];

  pack_full (k, x, negative, nonzero);
  if (64 * k == n)
    return;
  memset (rest, 0, sizeof rest);
  memcpy (rest, x + 64 * k, (n - 64 * k) * sizeof *rest);
  pack_full (1, rest, &negative[k], &nonzero[k]);
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
      pack_full (1, ones, &negative, &voting[k]);
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

static void
count_all (SlSignBits *bits)
{
  size_t stride = bits->stride;

#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    {
      if (HAS_COUNTING ())
        count_all_by_words (bits);
      else
        count_all_wide (bits);
      return;
    }
#endif
  for (size_t i = 0; i < bits->units; i += ROWS)
    count_rows (stride, bits->weights + i * stride, bits->against, bits->voting, bits->count + i);
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
  count_all (bits);
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

/* Whether a unit with so many votes against it is on: the score falls with each. */
static bool
survives (const SlSignBits *bits, double caution, double theta, size_t cast, size_t against)
{
  return (sl_real) sl_sign_bits_score (bits, caution, cast, against) >= (sl_real) theta;
}

/* The fewest votes against a unit that switch it off, cast + 1 where none are enough. */
static size_t
fewest_against (const SlSignBits *bits, double caution, double theta, size_t cast)
{
  double at = (caution * (double) cast - theta * (double) bits->inputs) / (caution + 1.0);
  size_t fewest = at > 0.0 ? at < (double) cast ? (size_t) at : cast : 0;

  /* Rounded as the scores are. */
  while (fewest > 0 && !survives (bits, caution, theta, cast, fewest - 1))
    fewest--;
  while (fewest <= cast && survives (bits, caution, theta, cast, fewest))
    fewest++;
  return fewest;
}

size_t
sl_sign_bits_rows (SlSignBits *bits, const sl_real *x, bool abstain, double caution, double theta,
                   uint32_t *rows)
{
  size_t cast = sl_sign_bits_vote (bits, x, abstain), n = 0;
  size_t fewest = fewest_against (bits, caution, theta, cast), i = 0;

#ifdef SL_WIDE
  if (SL_HAS_WIDE ())
    i = choose_rows_wide (bits->units, bits->count, (uint32_t) fewest, rows, &n);
#endif
  for (; i < bits->units; i++)
    {
      rows[n] = (uint32_t) i;
      n += bits->count[i] < fewest;
    }
  return n;
}
