/* SPDX-License-Identifier: MIT
 *
 * Losses that compare the features of two pictures, with their gradients: content, and styles as
 * distances of distributions (Li, Wang, Liu and Hou 2017, arXiv 1701.01036).  A position of a
 * feature map is one sample, its channels are the components; Gram matching is the squared maximum
 * mean discrepancy (MMD, mmd.h) with the kernel (x'y)², other kernels give other styles.
 *
 * Letters: N channels, M positions of the picture (F), M_S of the style (S); mu means, sd standard
 * deviations, by channel.  G/M and A/M_S are Gram matrices of the two, divided by the positions,
 * so that pictures may differ in size (the printed form needs M = M_S).
 *
 *   Gram      ‖G/M − A/M_S‖² / 4N²                     d/dF  (G/M − A/M_S) F / N² M
 *   linear    ‖mu_F − mu_S‖²                           d/dF  2 (mu_F − mu_S) 1' / M
 *   poly      ‖G/M − A/M_S‖² + 2c ‖mu_F − mu_S‖²       d/dF  4 (G/M − A/M_S) F / M
 *                                                            + 4c (mu_F − mu_S) 1' / M
 *   Gaussian  mean over pairs of k (f, f') + k (s, s') − k (f, s') − k (f', s)
 *   moments   Σ [(mu_F − mu_S)² + (sd_F − sd_S)²] / N  (batch-norm statistics)
 *   content   ½ ‖F − P‖²                               d/dF  F − P
 *
 * Nothing allocates.  Any thread; products use the set number of threads (mat.h), everything else
 * gives the same bytes for any number of them.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/real.h"
#include "core/base/rng.h"

typedef enum {
  SL_STYLE_GRAM,
  SL_STYLE_LINEAR,
  SL_STYLE_POLY,
  SL_STYLE_GAUSSIAN,
  SL_STYLE_MOMENTS,
  SL_N_STYLES,
} SlStyleMethod;

/* What the losses know of one set of features (N, M). */
typedef struct
{
  size_t   n, m;
  sl_real *gram; /* (N, N) FF'/M */
  sl_real *mean; /* (N) */
  sl_real *sd;   /* (N) √(variance + epsilon) */
} SlStyleStats;

/* Inside the root of sd, which has no slope at 0 otherwise (ours: the paper names none). */
#define SL_STYLE_EPSILON 1e-8

/* Cuts the matrix and vectors for N channels. */
void sl_style_stats_carve (SlStyleStats *stats, size_t n, SlArena *arena);

/* Means and deviations of f (N, M); M >= 1.  With M = 1 the variance is 0. */
void sl_style_moments (size_t m, const sl_real *f /* (N, M) */, double epsilon,
                       SlStyleStats *stats);

/* The Gram matrix of f (N, M), by one product: N² M multiplications. */
void sl_style_gram (size_t m, const sl_real *f /* (N, M) */, SlStyleStats *stats);

/* Losses from what is known of picture and style.  `c` is that of the polynomial kernel; the
 * Gaussian loss is not one of these.  */
double sl_style_loss (SlStyleMethod method, double c, const SlStyleStats *f, const SlStyleStats *s);

/* df (N, M) += scale · dloss/dF.  `work` (N, N) is for Gram and poly, and may be NULL else.  A
 * channel with sd = 0 gets no slope of its sd.  */
void sl_style_backward (SlStyleMethod method, double c, double scale, const SlStyleStats *f,
                        const SlStyleStats *s, const sl_real *features /* (N, M) */, sl_real *work,
                        sl_real *df /* (N, M) */);

/* Multiplications of the loss with its gradient: N² M each way or a few N M. */
double sl_style_macs (SlStyleMethod method, size_t n, size_t m);

/* ---- the Gaussian kernel k (x, y) = exp (−‖x − y‖² / 2σ²), in linear time ---- */

/* Disjoint random pairs of positions of either picture, ⌊M/2⌋ of the smaller one. */
typedef struct
{
  size_t    most;  /* pairs there is room for */
  size_t    n;     /* pairs in use, 0 with a single position: loss and gradient then are 0 */
  uint32_t *f, *s; /* (most, 2): pair i is f[2i], f[2i + 1] */
  uint32_t *order; /* (2 most + 1) scratch of the drawing */
  sl_real  *distance; /* (4, most) ‖f − f'‖², ‖s − s'‖², ‖f − s'‖², ‖f' − s‖², then kernels */
  double    sigma2; /* σ²: mean of these distances, held constant in the gradient; 0 when all
                       * samples are the same, and then loss and gradient are 0 */
} SlStylePairs;

/* Cuts room for pairs of pictures of up to m positions. */
void sl_style_pairs_carve (SlStylePairs *pairs, size_t m, SlArena *arena);

/* Draws new pairs of m and m_s positions, which are at most those cut for. */
void sl_style_pairs_draw (SlStylePairs *pairs, SlRng *rng, size_t m, size_t m_s);

/* The loss, an unbiased estimate of MMD² that may be negative.  Measures σ² unless `keep` (for
 * finite differences), and leaves the kernels for the gradient.  */
double sl_style_gaussian (SlStylePairs *pairs, size_t channels, size_t m,
                          const sl_real *f /* (N, M) */, size_t m_s,
                          const sl_real *s /* (N, M_S) */, bool keep);

/* df (N, M) += scale · dloss/dF, after sl_style_gaussian() on the same features. */
void sl_style_gaussian_backward (const SlStylePairs *pairs, size_t channels, double scale, size_t m,
                                 const sl_real *f /* (N, M) */, size_t m_s,
                                 const sl_real *s /* (N, M_S) */, sl_real *df /* (N, M) */);

/* ---- content ---- */

/* ½ ‖f − p‖² of n numbers; df (n) += scale (f − p) unless NULL. */
double sl_style_content (size_t n, const sl_real *f, const sl_real *p, double scale, sl_real *df);
