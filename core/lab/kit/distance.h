/* SPDX-License-Identifier: MIT
 *
 * How far gating moves the distribution of a layer's activations: the squared maximum mean
 * discrepancy (core/nn/style/mmd.h) of gated from dense ones, as the lab `style` measures pictures by.
 * A panel that any lab with gates can have.  */
#pragma once

#include "core/lab/kit/probe.h"

enum {
  SL_DISTANCE_SAMPLES = 96, /* of either side */
  SL_DISTANCE_TRACES = 4,
};

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

extern const SlTrace sl_distance_traces[SL_DISTANCE_TRACES];

/* clang-format off */
#define SL_PANEL_DISTANCE                                                                            \
  { .id = "distance", .title = "Distance of gated activations",                                   \
    .help = "How far gating moves the distribution of each layer's activations from that of the " \
            "dense layer. The floor is the distance between two samples of the dense layer.",     \
    .formula = "MMD² = E k (h, h′) + E k (g, g′) − 2 E k (h, g),  k Gaussian or hᵀg (ours)",      \
    .source = "", .kind = SL_PROFILE, .x = { .label = "layer", .unit = "" },                      \
    .y = { .label = "MMD²", .unit = "" }, .traces = sl_distance_traces,                              \
    .n_traces = SL_DISTANCE_TRACES, .probe_seconds = 2 }
/* clang-format on */
