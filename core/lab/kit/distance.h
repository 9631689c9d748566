/* SPDX-License-Identifier: MIT
 *
 * How far gating moves the distribution of a layer's activations: the squared maximum mean
 * discrepancy (core/nn/distance/mmd.h) of gated from dense ones, as the lab `style` measures pictures by.
 * A panel that any lab with gates can have.  */
#pragma once

#include "core/lab/kit/probe.h"

enum { SL_DISTANCE_SAMPLES = 96 /* of either side */ };

/* By layer: with a Gaussian kernel, its σ² the mean squared distance, and with the linear one in
 * units of the dense activations' mean square.  Both are unbiased and may be negative.  */
typedef struct
{
  double gaussian, gaussian_floor; /* the floor is that of dense from dense ones */
  double linear, linear_floor;
} SlDistance;

/* `dense` and `others` (n, D) are the dense activations of n examples each, `gated` (n, D) those of
 * the others with the gates.  n >= 2.  */
SlDistance sl_distance (size_t dims, size_t n, const sl_real *dense, const sl_real *others,
                        const sl_real *gated);

/* Fills the panel. */
void sl_distance_show (SlProbe *p, unsigned layers, const SlDistance *distance /* (layers) */);

/* clang-format off */
#define SL_PANEL_DISTANCE                                                                         \
  { .id = "distance", .title = "Distance of gated activations", .group = SL_SHOWS_GATE,           \
    .help = "How far gating moves the distribution of each layer's activations from that of the " \
            "dense layer.",     \
    .formula = "MMD² = E k (h, h′) + E k (g, g′) − 2 E k (h, g),  k Gaussian or hᵀg (ours)",      \
    .kind = SL_PROFILE, .x = { "layer", .whole = true }, .y = { "MMD²" }, .probe_seconds = 2,                    \
    SL_TRACES (                                                                                   \
      { "gaussian", "Gaussian", "",                                                               \
        "Gated against dense activations, by a Gaussian kernel as wide as the data: from 0, "     \
        "alike, to 2." },                                                                         \
      { "gaussian-floor", "Gaussian, dense", "",                                                  \
        "Dense activations against those of other examples.", SL_REFERENCE },                     \
      { "linear", "means", "",                                                                    \
        "Squared distance of the means, in units of the mean square of the dense activations." }, \
      { "linear-floor", "means, dense", "",                                                       \
        "Dense activations against those of other examples.", SL_REFERENCE }) }
/* clang-format on */
