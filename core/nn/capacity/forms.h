/* SPDX-License-Identifier: MIT
 *
 * Closed forms of capacity diffusion in the continuum (after Donier 2019, §4; constants and
 * closed integrals ours), and how far they can be trusted on a lattice.  t is reverse layer
 * time, D pixels² per unit t, so that the variance grows as 2 D t.  Pure; double.  */
#pragma once

#include "core/nn/capacity/capacity.h"

/* The density of a normal variable at x; 0 for variance 0 away from the mean, and there 1 (all of
 * one lattice point).  */
double sl_capacity_gaussian (double x, double mean, double variance);

/* γ, the excess kurtosis after the layers whose cumulants add up to these; the distance (total
 * variation) from the Gaussian is about 0.0583 |γ|.  Above 0.3 the Gaussian is not the answer.
 * Not-a-number without spread.  */
double sl_capacity_trust (const SlCapacityMoments *sum);

/* Capacity from skip connections of all layers, per unit of t: point source and Gaussian source of
 * variance v0, constant in time (Duhamel).  D = 0: what is there stays there, t × the
 * source; the point source is then t at x = 0 and 0 elsewhere.  */
double sl_capacity_skips (double x, double t, double D);
double sl_capacity_skips_from (double x, double t, double D, double v0);

/* Density of what leaked at x until t, from a unit delta with leak rate λ. */
double sl_capacity_leaked (double x, double t, double D, double leak);

/* Dilation of smooth exponential growth, from 1 at the input to R at the output: D (t) ÷ D, and
 * its integral ÷ D over 0 … t.  R > 0; R = 1 gives 1 and t.  */
double sl_capacity_dilation (double t, double R);
double sl_capacity_dilated (double t, double R);

/* Share of the input `lag` steps back in a recurrent network that is to remember T steps: the
 * capacity that its side input of that step gets.  Exact for the rule; in the limit per
 * unit τ = lag/T it is λ e^(-λτ).  `moving` is Q.  */
double sl_capacity_memory (SlCapacityRule rule, double lag, double T, double moving, double leak);

/* What is left for the initial state, or the input of a deep network, after L layers of scale s. */
double sl_capacity_remaining (const SlCapacityShares *shares, double L);
