/* SPDX-License-Identifier: MIT
 *
 * In how many seeds the claims of a lesson were so: one tally for each, filled by walks (walk.h).  */
#pragma once

#include "core/run/lesson/walk.h"

G_BEGIN_DECLS

typedef struct
{
  const SlClaim *claim;       /* of the lesson, borrowed */
  unsigned       step;        /* its step, from 0 */
  unsigned       seeds, held; /* walks, and those in which it was so */
  double         lo, hi,
    other; /* of its left side the smallest and the largest value; of its right side the last */
} SlClaimTally;

/* An array of SlClaimTally in the order of the lesson, which has to stay; owned. */
GArray *sl_claim_tallies_new (const SlLesson *lesson);

/* Counts a step of a walk. */
void sl_claim_tallies_add (GArray *tallies, const SlLessonResult *result);

/* Whether it was so in as many seeds as it says. */
gboolean sl_claim_tally_holds (const SlClaimTally *tally);

G_END_DECLS
