/* SPDX-License-Identifier: MIT */
#include "app/cli/show/claims.h"

#include <stdio.h>

#include <glib/gi18n.h>

#include "core/run/lesson/tally.h"

static void
count (const SlLessonResult *result, gpointer tallies)
{
  sl_claim_tallies_add (tallies, result);
}

static bool
print_claim (const SlClaimTally *tally)
{
  bool holds = sl_claim_tally_holds (tally);

  printf ("%s  %2u of %u  step %u  %s  (%.4g to %.4g against %.4g)\n", holds ? "ok " : "not",
          tally->held, tally->seeds, tally->step + 1, tally->claim->text, tally->lo, tally->hi,
          tally->other);
  return holds;
}

SlExit
sl_cli_check_claims (const SlLesson *lesson, unsigned seeds)
{
  g_autoptr (GArray) tallies = sl_claim_tallies_new (lesson);
  bool all = true;

  if (tallies->len == 0)
    puts (_ ("This lesson has no claims."));
  for (unsigned turn = 0; turn < seeds && tallies->len > 0; turn++)
    {
      SlStatus status = sl_lesson_walk (lesson, turn, count, tallies);

      if (!sl_ok (&status))
        return sl_cli_fail (&status);
    }
  for (guint i = 0; i < tallies->len; i++)
    all = print_claim (&g_array_index (tallies, SlClaimTally, i)) && all;
  return all ? SL_EXIT_FINE : SL_EXIT_EXPECTED;
}
