/* SPDX-License-Identifier: MIT
 *
 * What the layer rule of capacity.h becomes with infinitely many layers on the fixed lattice, and
 * the same rule in two dimensions.  Spectra are summed directly (O(n²) with a table of cosines); no
 * transform library.  Pure, double, nothing is allocated.  */
#pragma once

#include "core/labs/capacity/math/capacity.h"

/* The logarithm of the characteristic function of a walk on a ring of n positions, θ_j = 2πj/n.
 * Layers of different kernels add up in it.  */
typedef struct
{
  size_t  n;
  double *re, *im;       /* (n) borrowed; until the end only the first half counts */
  double *cosine, *sine; /* (n) borrowed: of θ_j */
} SlCapacitySpectrum;

/* Numbers that a spectrum of n positions needs. */
size_t sl_capacity_spectrum_size (size_t n);

/* An empty walk.  `work` (sl_capacity_spectrum_size (n)) is borrowed. */
void sl_capacity_spectrum_init (SlCapacitySpectrum *spectrum, size_t n, double *work);

/* Adds time t in the limit L → ∞: t Σ q_k (e^(-ikθ) - 1), and its leak -t (λ + b). */
void sl_capacity_spectrum_flow (SlCapacitySpectrum *spectrum, const SlCapacityKernel *kernel,
                                double t, double leak);

/* Turns it into the profile of a unit delta at 0: out (n). */
void sl_capacity_spectrum_profile (const SlCapacitySpectrum *spectrum, double *out);

/* The mean over 0 … t of the profiles at all times, for a walk whose kernel does not change:
 * the averaged capacity of skip connections from every layer to the output (Duhamel), per
 * unit of t.  `spectrum` must hold the flow of the whole time.  */
void sl_capacity_spectrum_average (const SlCapacitySpectrum *spectrum, double *out);

/* The profile at time t of a unit delta at x0 on n positions with an edge, for kernels that are
 * the same in every layer; `leak` is λ + b.  out (n), work (sl_capacity_limit_work (n)).
 * PERIODIC any kernel; REFLECTING symmetric ones; ABSORBING symmetric ones of radius 1 by images.
 * All others by summing P^m over the Poisson number m of moves, exact to 1e-13; false, when there
 * would be more than `most_moves` of them.  */
bool   sl_capacity_limit (const SlCapacityKernel *kernel, double t, double leak, size_t n, long x0,
                          SlCapacityEdge edge, double most_moves, double *out, double *work);
size_t sl_capacity_limit_work (size_t n);

/* Two dimensions: one tap reads (dx, dy) further. */
typedef struct
{
  long   dx, dy;
  double rate;
} SlCapacityPlaneTap;

/* The profile of a unit delta at (0, 0) on a periodic n × n lattice after L layers of rule SQUARED,
 * or, with L = 0, at t = 1 of the limit: out (n, n), work (sl_capacity_plane_work (n)).  The taps must
 * be symmetric in both directions.  */
void   sl_capacity_plane (const SlCapacityPlaneTap *tap, unsigned n_taps, double s, double L,
                          size_t n, double *out, double *work);
size_t sl_capacity_plane_work (size_t n);
