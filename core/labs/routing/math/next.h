/* SPDX-License-Identifier: MIT
 *
 * What a layer's experts tell about those of the next layer, for the same tokens.  Numbers of
 * experts of two layers have nothing to do with each other, so nothing here compares them.  */
#pragma once

#include <stdbool.h>

#include "core/labs/routing/math/routes.h"

typedef struct
{
  double plain;     /* H (x) + H (y) - H (x, y) of the first experts x, y of N tokens, bits */
  double corrected; /* for few tokens (Miller and Madow 1955), not clipped at 0 */
  double h_next;    /* H (y), corrected: the most that could be told */
} SlInformation;

typedef struct
{
  size_t tokens; /* N: with an expert in both layers.  Below 4 nothing else is filled */

  /* Of the first expert of each slot list; NaN where slots are not in order of strength. */
  SlInformation information;
  double        unrelated; /* `corrected` with y of other tokens (t + ⌊N/2⌋ mod N): what chance
                              * leaves of it */
  double        top1;      /* share guessed in the second half, from what the first half showed */
  double        top1_always; /* always guessing the most frequent one of the first half */

  /* Share of the next layer's experts guessed in the second half.  Expert j scores Σ C_ij ÷ C_i over
   * the token's experts i of this layer, C counted in the first half; as many are guessed as there are. */
  double recall, recall_always, recall_by_chance;
} SlNextLayer;

/* Two layers with the same tokens and n.  SL_ENOMEM.  */
SlStatus sl_routes_next (const SlRoutes *here, const SlRoutes *next, bool ranked, SlNextLayer *out);
