/* SPDX-License-Identifier: MIT
 *
 * How correlated the gradients of a deep residual network at two inputs are, in mean field (ours;
 * the phenomenon is Balduzzi et al. 2017's).  Layers h + β W φ(h) with many units; two inputs on a
 * circle, an angle Δ apart.  With the irregular sine, far apart, the answer is (1 + β²)^(-L):
 * exactly the capacity share of the pure skip path.  Pure; double.  */
#pragma once

#include <stddef.h>

typedef enum {
  SL_SHATTER_LINEAR,    /* φ(u) = u */
  SL_SHATTER_RECTIFIER, /* max (0, u), weights of variance 2 ÷ width */
  SL_SHATTER_SINE,      /* (√2 ÷ ω) sin (ω u + ψ), ψ uniform per unit */
  SL_SHATTER_TANH,
} SlShatter;

/* The expected cosine between the gradients at two inputs Δ apart after L layers of strength
 * β² = `square`.  ω of the sine.  */
double sl_shatter_correlation (SlShatter activation, double omega, double square, size_t layers,
                               double delta);

/* The same for a feed-forward rectifier network without the skip path. */
double sl_shatter_feed_forward (size_t layers, double delta);

/* The mean of φ'² over the layers that a standard normal input meets, which says how much of each
 * layer's rates counts: 1 but for tanh.  One layer: `variance` of its input.  */
double sl_shatter_slope (SlShatter activation, double variance);
double sl_shatter_energy (SlShatter activation, double omega, double variance);

/* How far from uniform a matrix of cosines (n, n) is: 1/n when all are 1, 1 for white noise. */
double sl_shatter_whiteness (size_t n, const double *cosine);
