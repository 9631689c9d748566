/* SPDX-License-Identifier: MIT
 *
 * Closed forms of capacity diffusion in the continuum (after Donier 2019, §4; constants and
 * closed integrals ours), and how far they can be trusted on a lattice.  t is reverse layer
 * time, D pixels² per unit t, so that the variance grows as 2 D t.  Pure; double.  */
#pragma once

#include "core/labs/capacity/math/capacity.h"

/* The density of a normal variable at x; 0 for variance 0 away from the mean, and there 1 (all of
 * one lattice point).  */
double sl_capacity_gaussian (double x, double mean, double variance);

/* γ, the excess kurtosis after the layers whose cumulants add up to these; the distance (total
 * variation) from the Gaussian is about 0.0583 |γ|.  Above 0.3 the Gaussian is not the answer.
 * Not-a-number without spread.  */
double sl_capacity_trust (const SlCapacityMoments *sum);

/* Capacity from skip connections of all layers, per unit of t: a point source, constant in time
 * (Duhamel).  D = 0: what is there stays there, t at x = 0 and 0 elsewhere.  */
double sl_capacity_skips (double x, double t, double D);

/* Density of what leaked at x until t, from a unit delta with leak rate λ. */
double sl_capacity_leaked (double x, double t, double D, double leak);
