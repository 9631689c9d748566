/* SPDX-License-Identifier: MIT
 *
 * Which experts to keep where the others are pruned: chosen by the loads of a first part of a recording, judged by those
 * of a second.  Coverage is the mean over layers of the share of a layer's routings that its kept experts have.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* Letters: L layers, n experts; loads (L, n).  */
typedef struct
{
  unsigned        layers, n;
  unsigned        least; /* experts that each layer keeps at least */
  const uint64_t *first, *second;
} SlKeepLoads;

/* What is kept: as many of the busiest of each layer, by falling first load; of equal ones the lower number.  A layer
 * without first loads keeps all.  */
typedef struct
{
  unsigned *count; /* (L) the caller's */
  size_t    experts;
  double    coverage;     /* of the first loads; NaN: there are none */
  double    judged;       /* of the second; NaN: there are none */
  double    judged_least; /* of the layer that loses most */
} SlKept;

/* The order of each layer's experts (L, n) by falling first load. */
void sl_keep_order (const SlKeepLoads *loads, uint16_t *order);

/* Equally many in each layer: at least `per_layer`, and `least`. */
void sl_keep_equal (const SlKeepLoads *loads, const uint16_t *order, unsigned per_layer,
                    SlKept *kept);

/* The least number per layer whose coverage reaches a target of 0 … 1; returns it. */
unsigned sl_keep_equal_for (const SlKeepLoads *loads, const uint16_t *order, double target,
                            SlKept *kept);

/* Where the share of a routing decides, whatever its layer: the largest shares first, of equal ones those of the first
 * layer, then of the first expert; `experts` in all layers, but at least `least` in each.  `ranking` (L n) is filled by
 * sl_keep_rank().  */
void   sl_keep_rank (const SlKeepLoads *loads, const uint16_t *order, uint32_t *ranking,
                     double *share);
void   sl_keep_free (const SlKeepLoads *loads, const uint16_t *order, const uint32_t *ranking,
                     size_t experts, SlKept *kept);
size_t sl_keep_free_for (const SlKeepLoads *loads, const uint16_t *order, const uint32_t *ranking,
                         double target, SlKept *kept);
