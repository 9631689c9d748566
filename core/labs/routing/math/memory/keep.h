/* SPDX-License-Identifier: MIT
 *
 * Which experts to keep where the others are pruned: chosen by the loads of a first part of a recording, judged by those
 * of a second.  Coverage is the mean over layers of the share of a layer's routings that its kept experts have.  */
#pragma once

#include "core/labs/routing/math/routes.h"

/* Letters: L layers, n experts. */
typedef struct
{
  unsigned        layers, n;
  unsigned        least;          /* experts that each layer keeps at least */
  const uint64_t *first, *second; /* (L, n); second: NULL: nothing is judged */
} SlKeepLoads;

enum { SL_KEEP_LAYERS = 512 }; /* at most */

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

/* Where the share of a layer's routings decides, whatever the layer: an item is layer · n + expert. */
typedef struct
{
  double   share;
  uint32_t item;
} SlKeepRank;

/* All items (L n) by falling share, of equal ones the lower item first. */
void sl_keep_rank (const SlKeepLoads *loads, SlKeepRank *ranking);

/* The busiest `least` of each layer, and then the first of the ranking: so many in all layers, or the fewest whose
 * coverage reaches a target of 0 … 1.  */
void sl_keep_free (const SlKeepLoads *loads, const uint16_t *order, const SlKeepRank *ranking,
                   size_t experts, SlKept *kept);
void sl_keep_free_for (const SlKeepLoads *loads, const uint16_t *order, const SlKeepRank *ranking,
                       double target, SlKept *kept);
