/* SPDX-License-Identifier: MIT
 *
 * Gates with logistic noise, whose gradient is that of a smooth function: Gumbel-sigmoid, also called
 * binary concrete (Maddison, Mnih and Teh 2016, arXiv 1611.00712; Jang, Gu and Poole 2016, arXiv
 * 1611.01144), and hard concrete (Louizos, Welling and Kingma 2018, arXiv 1712.01312).
 *
 *   s = σ ((a + noise) / τ)                                noise: log v - log (1 - v), v uniform
 *   Gumbel-sigmoid  h = s, or h = 1[a + noise > 0] with the slope of s (straight-through)
 *   hard concrete   h = clip (s (ζ - γ) + γ, 0, 1),  γ = -stretch, ζ = 1 + stretch
 *
 * The temperature τ is called β for hard concrete.  Part of units.h, which says what the letters are.  */
#pragma once

#include "core/nn/gater/units.h"

/* Noise (n) from uniform draws v (n), which are brought to 2⁻²⁴ … 1 - 2⁻²⁴.  noise may be v. */
void sl_concrete_noise (size_t n, const sl_real *v, sl_real *noise);

/* The temperature after `update` updates: from `start`, halved every `half` of them (0: never), not below
 * `end`; constant where end is above start.  */
double sl_concrete_temperature (double start, double end, double half, double update);

/* soft, p and h (n) from a and noise (n): s; the probability that h is not 0 (of a soft gate: of a hard
 * one); the gate.  The decisions of hard gates are left in on (n), or with `frozen` taken from there.
 * soft may be noise.  */
void sl_concrete_fire (const SlGaterUnit *unit, size_t n, const sl_real *a, const sl_real *noise,
                       bool frozen, sl_real *soft, sl_real *p, uint8_t *on, sl_real *h);

/* da (n) = dh (n) times the slope: s (1 - s) / τ, for hard concrete (ζ - γ) s (1 - s) / β where
 * 0 < h < 1, else 0.  In place if wanted.  */
void sl_concrete_credit (const SlGaterUnit *unit, size_t n, const sl_real *soft, const sl_real *h,
                         const sl_real *dh, sl_real *da);

/* The value in use of hard concrete gates, clip (σ (a) (ζ - γ) + γ, 0, 1): without noise and without β, as
 * in the paper.  The logit at and below which it is 0 is log (stretch / (1 + stretch)).  */
void   sl_concrete_settle (const SlGaterUnit *unit, size_t n, const sl_real *a, sl_real *h);
double sl_concrete_cut (const SlGaterUnit *unit);

/* P(h ≠ 0) and E[h] of a logit a.  Of soft gates P(h ≠ 0) is 1.  */
double sl_concrete_active (const SlGaterUnit *unit, double a);
double sl_concrete_mean (const SlGaterUnit *unit, double a);

/* The expected number of open gates as a term, λ times the mean of q = P(h ≠ 0) (n) over batch and units
 * (Louizos et al. have a sum; with the mean λ does not depend on N and B).  pull (units) gets λ / (B N),
 * which sl_gater_credit() multiplies by q (1 - q).  mean (N) gets the units' means of q.  */
double sl_concrete_l0 (size_t batch, size_t units, const sl_real *q, double lambda, sl_real *mean,
                       sl_real *pull);
