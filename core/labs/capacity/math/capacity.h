/* SPDX-License-Identifier: MIT
 *
 * How capacity moves down through a residual network, exactly and layer by layer (after Donier
 * 2019, arXiv 1903.04455, §4; the normalisation and all finite-size facts are ours).
 *
 * Capacity is the effective number of parameters that a model spends on a given input.  What
 * sits at output position y of a layer goes to the things that y reads, in proportion to squared
 * weight × input variance:  next[y + k] += share_k · here[y].  Nothing is created: positions,
 * side inputs, biases and the edge together always hold what there was.
 *
 * Everything here is double in both builds, pure, and allocates nothing.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SL_CAPACITY_TAPS = 48 };

/* One connection of a position: it reads `offset` positions further, at this rate. */
typedef struct
{
  long   offset;
  double rate; /* q_k >= 0, per unit of reverse layer time t (0 output … 1 input) */
} SlCapacityTap;

/* The taps of one layer.  An offset may occur twice: their rates add.  */
typedef struct
{
  unsigned      n;
  SlCapacityTap tap[SL_CAPACITY_TAPS];
} SlCapacityKernel;

typedef enum {
  SL_CAPACITY_SQUARED, /* squared weights ÷ their sum with the skip path's 1: any rates */
  SL_CAPACITY_MARKOV,  /* P = I + A/L as the paper writes it: rates up to a bound */
} SlCapacityRule;

/* What is the same for all layers. */
typedef struct
{
  SlCapacityRule rule;
  double         scale; /* s = L^(-2a); 1/L at the paper's scaling a = ½ */
  double         leak;  /* λ, rate of the side inputs */
  double         bias;  /* b, rate of the biases */
} SlCapacityLaw;

typedef enum {
  SL_EDGE_PERIODIC,     /* wraps, as circular padding */
  SL_EDGE_REFLECTING,   /* folds about the half pixel, as symmetric padding */
  SL_EDGE_ABSORBING,    /* is lost to the edge, as zero padding */
  SL_EDGE_RENORMALISED, /* is dropped and the row rescaled to 1: absent taps get nothing */
  SL_EDGE_STAYING,      /* does not move: what becomes of RENORMALISED in the limit L → ∞ */
} SlCapacityEdge;

/* Shares of one position's capacity in one layer. */
typedef struct
{
  double stay;     /* goes straight down: the skip path and the centre taps */
  double identity; /* the pure skip path alone (rule M cannot tell, it is `stay` there) */
  double unit;     /* share of a tap ÷ its rate */
  double side, bias;
} SlCapacityShares;

/* Where capacity went that is at no position any more. */
typedef struct
{
  double side, bias, edge;
} SlCapacityBuckets;

/* Sum of the rates at offset 0, and of all others. */
double sl_capacity_centre (const SlCapacityKernel *kernel);
double sl_capacity_moving (const SlCapacityKernel *kernel);

/* D = ½ Σ k² q_k, pixels² per unit t. */
double sl_capacity_diffusion (const SlCapacityKernel *kernel);

/* The kernel with dilation d >= 1 of any size.  A whole d moves taps to k d.  Otherwise each is
 * split between the whole dilations around d so that Σ k² q_k is exactly d² of what it was
 * (a mean of positions would lose variance).  False when there is no room for the taps.  */
bool sl_capacity_dilate (const SlCapacityKernel *kernel, double d, SlCapacityKernel *dilated);

/* What a layer over `dimensions` >= 1 dimensions does along one of them, all others summed up.  `kernel` has K
 * neighbouring taps, or all of them but the centre, at one rate q; the layer those of a cube of K per dimension, at q ÷
 * K^(dimensions − 1).  Its taps along other dimensions alone are one of the centre.  False when there is no room for
 * it.  */
bool sl_capacity_axis (const SlCapacityKernel *kernel, unsigned dimensions, SlCapacityKernel *axis);

/* The share s (Q + λ + b) that rule M moves per layer; the rule needs it to be at most 1.  */
double sl_capacity_moved (const SlCapacityKernel *kernel, const SlCapacityLaw *law);

/* Shares of one layer.  False when rule M has no room to stay (see above): `shares` is not to be
 * used then.  */
bool sl_capacity_shares (const SlCapacityKernel *kernel, const SlCapacityLaw *law,
                         SlCapacityShares *shares);

/* Where x + offset is with this edge, or -1 when it is nowhere. */
long sl_capacity_place (long x, long n, SlCapacityEdge edge);

/* One layer: `here` (n) → `next` (n), which must not overlap; buckets are added to.  */
void sl_capacity_step (const SlCapacityKernel *kernel, const SlCapacityShares *shares, size_t n,
                       SlCapacityEdge edge, const double *here, double *next,
                       SlCapacityBuckets *buckets);

/* One layer of several channels: here, next (channels, n).  mix (channels, channels): row j says
 * how channel j's moves are spread over the channels (rows sum to 1).  rate (channels): factor on
 * all rates of a source channel, each channel normalised by its own Z (rule SQUARED only).  */
void sl_capacity_step_channels (const SlCapacityKernel *kernel, const SlCapacityLaw *law, size_t n,
                                size_t channels, SlCapacityEdge edge, const double *mix,
                                const double *rate, const double *here, double *next,
                                SlCapacityBuckets *buckets);

/* Cumulants of where one layer takes what stays in the network: mean, variance and fourth. */
typedef struct
{
  double mean, variance, fourth;
} SlCapacityMoments;

/* Of one layer; those of several add. */
SlCapacityMoments sl_capacity_moments (const SlCapacityKernel *kernel,
                                       const SlCapacityShares *shares);

/* log10 of the pure skip path's share after L layers, F = Z^(-L), which itself underflows. */
double sl_capacity_log10_skip (const SlCapacityKernel *kernel, const SlCapacityLaw *law, double L);

/* Of a profile around `centre`; with `wraps`, positions are counted the short way round. */
double sl_capacity_sum (size_t n, const double *profile);
void   sl_capacity_spread (size_t n, const double *profile, long centre, bool wraps, double *mean,
                           double *variance);
