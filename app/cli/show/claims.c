/* SPDX-License-Identifier: MIT */
#include "app/cli/show/claims.h"

#include <math.h>
#include <stdio.h>

#include <glib/gi18n.h>

#include "core/run/lesson/walk.h"

typedef struct
{
  unsigned step, held;
  double   lo, hi, other; /* of the left side; the right side of the last seed */
} Tally;

static void
count (const SlLessonResult *result, gpointer data)
{
  GHashTable *tallies = data; /* of Tally, by the SlClaim */

  for (guint i = 0; i < result->claims->len; i++)
    {
      const SlClaimResult *claim = &g_array_index (result->claims, SlClaimResult, i);
      Tally               *tally = g_hash_table_lookup (tallies, claim->claim);

      if (tally == NULL)
        {
          tally = g_new (Tally, 1);
          *tally = (Tally) { .step = result->number + 1, .lo = HUGE_VAL, .hi = -HUGE_VAL };
          g_hash_table_insert (tallies, (gpointer) claim->claim, tally);
        }
      tally->held += claim->holds != FALSE;
      tally->lo = fmin (tally->lo, claim->left);
      tally->hi = fmax (tally->hi, claim->left);
      tally->other = claim->right;
    }
}

static bool
print_claim (const SlClaim *claim, const Tally *tally, unsigned seeds)
{
  bool holds = tally->held >= sl_claim_least (claim, seeds);

  printf ("%s  %2u of %u  step %u  %s  (%.4g to %.4g against %.4g)\n", holds ? "ok " : "not",
          tally->held, seeds, tally->step, claim->text, tally->lo, tally->hi, tally->other);
  return holds;
}

SlExit
sl_cli_check_claims (const SlLesson *lesson, unsigned seeds)
{
  g_autoptr (GHashTable) tallies = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  bool all = true;

  for (unsigned turn = 0; turn < seeds; turn++)
    {
      SlStatus status = sl_lesson_walk (lesson, turn, count, tallies);

      if (!sl_ok (&status))
        return sl_cli_fail (&status);
    }
  for (guint s = 0; s < lesson->steps->len; s++)
    for (guint i = 0; i < sl_lesson_step (lesson, s)->holds->len; i++)
      {
        const SlClaim *claim = g_ptr_array_index (sl_lesson_step (lesson, s)->holds, i);

        all = print_claim (claim, g_hash_table_lookup (tallies, claim), seeds) && all;
      }
  if (g_hash_table_size (tallies) == 0)
    puts (_ ("This lesson has no claims."));
  return all ? SL_EXIT_FINE : SL_EXIT_EXPECTED;
}
