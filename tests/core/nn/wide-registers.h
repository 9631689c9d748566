/* SPDX-License-Identifier: MIT
 *
 * Included before a file of core/nn/kernels, it has what is written for registers of 64 bytes compiled for any
 * processor: gcc makes each vector of several registers, and what those files ask of AVX-512 by name is done
 * number by number.  Slow, and the same sums.  */
#pragma once

#include <immintrin.h>
#include <stddef.h>

#define SL_WIDE
#define SL_HAS_WIDE() 1

#define INLINE_WIDE static inline __attribute__ ((always_inline))

/* Numbers behind the mask are neither read nor written. */
#define DEFINE_MASKED(type, lanes, number, suffix)                                                 \
  INLINE_WIDE type wide_load_##suffix (unsigned mask, const number *from)                          \
  {                                                                                                \
    type to = { 0 };                                                                               \
    for (int i = 0; i < (lanes); i++)                                                              \
      if (mask >> i & 1)                                                                           \
        to[i] = from[i];                                                                           \
    return to;                                                                                     \
  }                                                                                                \
  INLINE_WIDE void wide_store_##suffix (number *to, unsigned mask, type from)                      \
  {                                                                                                \
    for (int i = 0; i < (lanes); i++)                                                              \
      if (mask >> i & 1)                                                                           \
        to[i] = from[i];                                                                           \
  }                                                                                                \
  INLINE_WIDE type wide_each_##suffix (number x)                                                   \
  {                                                                                                \
    return x - (type) { 0 };                                                                       \
  }                                                                                                \
  INLINE_WIDE type wide_add_product_##suffix (type a, type b, type sum)                            \
  {                                                                                                \
    for (int i = 0; i < (lanes); i++)                                                              \
      sum[i] = __builtin_fma##suffix (a[i], b[i], sum[i]);                                         \
    return sum;                                                                                    \
  }

#define __builtin_fmas __builtin_fmaf
#define __builtin_fmad __builtin_fma
DEFINE_MASKED (__m512, 16, float, s)
DEFINE_MASKED (__m512d, 8, double, d)

#define _mm512_maskz_loadu_ps(mask, from) wide_load_s (mask, from)
#define _mm512_maskz_loadu_pd(mask, from) wide_load_d (mask, from)
#define _mm512_mask_storeu_ps(to, mask, from) wide_store_s (to, mask, from)
#define _mm512_mask_storeu_pd(to, mask, from) wide_store_d (to, mask, from)
#define _mm512_set1_ps(x) wide_each_s (x)
#define _mm512_set1_pd(x) wide_each_d (x)
#define _mm512_fmadd_ps(a, b, sum) wide_add_product_s (a, b, sum)
#define _mm512_fmadd_pd(a, b, sum) wide_add_product_d (a, b, sum)

/* The quarters of a register, or the numbers of each quarter, that `pick` has two bits each for: two of them
 * of a, two of b.  */
INLINE_WIDE __m512
wide_shuffle_quarters (__m512 a, __m512 b, int pick)
{
  __m512 to;

  for (int i = 0; i < 16; i++)
    to[i] = (i < 8 ? a : b)[4 * (pick >> (i / 4 * 2) & 3) + i % 4];
  return to;
}

INLINE_WIDE __m512
wide_shuffle (__m512 a, __m512 b, int pick)
{
  __m512 to;

  for (int i = 0; i < 16; i++)
    to[i] = (i % 4 < 2 ? a : b)[i / 4 * 4 + (pick >> (i % 4 * 2) & 3)];
  return to;
}

/* Number k is that at place index[k]. */
INLINE_WIDE __m512
wide_permute (const int *index, __m512 from)
{
  __m512 to;

  for (int i = 0; i < 16; i++)
    to[i] = from[index[i] & 15];
  return to;
}

INLINE_WIDE __m256
wide_low_half (__m512 from)
{
  __m256 to;

  for (int i = 0; i < 8; i++)
    to[i] = from[i];
  return to;
}

INLINE_WIDE void
wide_store_half (float *to, __m256 from)
{
  for (int i = 0; i < 8; i++)
    to[i] = from[i];
}

#undef _mm512_shuffle_f32x4
#undef _mm512_shuffle_ps
#undef _mm512_permute_ps
#undef _mm512_setr_epi32
#define _mm512_shuffle_f32x4(a, b, pick) wide_shuffle_quarters (a, b, pick)
#define _mm512_shuffle_ps(a, b, pick) wide_shuffle (a, b, pick)
#define _mm512_permute_ps(a, pick) wide_shuffle (a, a, pick)
#define _mm512_setr_epi32(...) ((const int[16]) { __VA_ARGS__ })
#define _mm512_permutexvar_ps(index, from) wide_permute (index, from)
#define _mm512_castps512_ps256(from) wide_low_half (from)
#define _mm256_storeu_ps(to, from) wide_store_half (to, from)
