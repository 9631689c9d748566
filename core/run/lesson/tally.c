/* SPDX-License-Identifier: MIT */
#include "core/run/lesson/tally.h"

#include <math.h>

GArray *
sl_claim_tallies_new (const SlLesson *lesson)
{
  GArray *tallies = g_array_new (FALSE, FALSE, sizeof (SlClaimTally));

  for (guint s = 0; s < lesson->steps->len; s++)
    for (guint i = 0; i < sl_lesson_step (lesson, s)->holds->len; i++)
      {
        SlClaimTally tally = { .claim = g_ptr_array_index (sl_lesson_step (lesson, s)->holds, i),
                               .step = s,
                               .lo = HUGE_VAL,
                               .hi = -HUGE_VAL };

        g_array_append_val (tallies, tally);
      }
  return tallies;
}

static void
add (SlClaimTally *tally, const GArray *claims)
{
  for (guint i = 0; i < claims->len; i++)
    {
      const SlClaimResult *result = &g_array_index (claims, SlClaimResult, i);

      if (result->claim != tally->claim)
        continue;
      tally->seeds++;
      tally->held += result->holds ? 1 : 0;
      tally->lo = fmin (tally->lo, result->left);
      tally->hi = fmax (tally->hi, result->left);
      tally->other = result->right;
    }
}

void
sl_claim_tallies_add (GArray *tallies, const SlLessonResult *result)
{
  for (guint i = 0; i < tallies->len; i++)
    add (&g_array_index (tallies, SlClaimTally, i), result->claims);
}

gboolean
sl_claim_tally_holds (const SlClaimTally *tally)
{
  return tally->held >= sl_claim_least (tally->claim, tally->seeds);
}
