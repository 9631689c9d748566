/* SPDX-License-Identifier: MIT
 *
 * The rule of verdicts on made numbers, whose chances were computed by numerical integration of the density.  */
#include <glib.h>
#include <math.h>

#include "core/base/evidence.h"
#include "core/base/student.h"
#include "tests/support/close.h"

static const double low[] = { 3.1, 2.9, 3.4, 3.0, 3.3 }, high[] = { 3.6, 3.3, 3.5, 3.4, 3.9 };

static void
test_student (void)
{
  static const double rows[][3] = {
    { 2.0, 4.7, 0.052786091101719945 },
    { -1.3, 7, 0.8826160823037844 },
    { 0.1, 2.5, 0.4639032720312243 },
    { 25, 4, 7.598762881658192e-06 },
    { 3.2, 400, 0.0007419428462555185 },
    { 1, 1, 0.25 },
    { 8, 11.25, 2.8355322374361925e-06 },
    { 0, 3, 0.5 },
    { HUGE_VAL, 3, 0 },
    { -HUGE_VAL, 3, 1 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    sl_assert_near (sl_student_above (rows[i][0], rows[i][1]), rows[i][2], 1e-10, 1e-16);
  g_assert_true (isnan (sl_student_above (1, 0)) && isnan (sl_student_above ((double) NAN, 4)));
}

static void
test_two_sides (void)
{
  SlEvidence paired = sl_evidence_compare (low, high, 5, true);
  SlEvidence apart = sl_evidence_compare (low, high, 5, false);

  sl_assert_near (paired.holds, 0.004384829729162662, 1e-10, 1e-16);
  sl_assert_near (paired.differs, 1 - 0.004384829729162662, 1e-10, 1e-16);
  sl_assert_near (paired.gain, 0.4, 1e-12, 1e-16);
  sl_assert_near (apart.holds, 0.010266017019213352, 1e-10, 1e-16);
  g_assert_cmpuint (apart.seeds, ==, 5);
}

/* A seed that one side lacks cannot be paired: Welch's test has the others. */
static void
test_missing (void)
{
  static const double less[] = { 3.1, 2.9, 3.4, 3.0, 3.3, (double) NAN };
  static const double more[] = { 3.6, 3.3, 3.5, 3.4, 3.9, 3.2 };
  SlEvidence          evidence = sl_evidence_compare (less, more, 6, true);

  sl_assert_near (evidence.holds, 0.016968941600458667, 1e-10, 1e-16);
  g_assert_cmpuint (evidence.seeds, ==, 5);
}

/* What does not vary is certain, in either direction, and what is equal is neither. */
static void
test_constant (void)
{
  static const double two[] = { 2, 2, 2, 2, 2 }, three[] = { 3, 3, 3, 3, 3 };
  SlEvidence          up = sl_evidence_compare (two, three, 5, true);
  SlEvidence          down = sl_evidence_compare (three, two, 5, false);
  SlEvidence          same = sl_evidence_compare (two, two, 5, true);
  SlEvidence          single = sl_evidence_compare (two, three, 1, true);

  g_assert_true (up.holds == 0 && up.differs == 1 && down.holds == 1 && down.differs == 0);
  g_assert_true (same.holds == 1 && same.differs == 1);
  g_assert_true (isnan (single.holds) && isnan (single.differs));
}

/* A statement of several needs its weakest part; its opposite pays for every attempt. */
static void
test_several (void)
{
  static const SlEvidence parts[]
    = { { 0.01, 0.99, 5, 2 }, { 0.9, 0.1, 6, -1 }, { 0.2, 0.8, 7, 1 } };
  SlEvidence all = sl_evidence_all (parts, 3), any = sl_evidence_any (parts, 3);

  sl_assert_near (all.holds, 0.9, 1e-15, 1e-16);
  sl_assert_near (all.differs, 0.3, 1e-15, 1e-16);
  sl_assert_near (any.holds, 0.03, 1e-15, 1e-16);
  sl_assert_near (any.differs, 0.99, 1e-15, 1e-16);
  g_assert_true (all.gain == -1 && any.gain == 2 && all.seeds == 5 && any.seeds == 5);
}

static void
check (const SlEvidence *evidence, unsigned n, const SlJudged *expected)
{
  SlJudged judged[8];

  sl_judge (evidence, n, judged);
  for (unsigned i = 0; i < n; i++)
    g_assert_cmpint (judged[i], ==, expected[i]);
}

/* Of four statements: 0.012 <= 0.05 / 4 and 0.016 <= 0.05 / 3, but 0.03 > 0.05 / 2, and with it 0.04. */
static void
test_holm (void)
{
  static const SlEvidence four[] = {
    { 0.04, 0.96, 5, 1 }, { 0.012, 0.988, 5, 1 }, { 0.03, 0.97, 5, 1 }, { 0.016, 0.984, 5, 1 }
  };
  static const SlJudged four_judged[]
    = { SL_JUDGED_OPEN, SL_JUDGED_HOLDS, SL_JUDGED_OPEN, SL_JUDGED_HOLDS };
  static const SlEvidence other[] = { { 0.99, 0.01, 5, -1 }, { 0.5, 0.5, 5, 0 } };
  static const SlJudged   other_judged[] = { SL_JUDGED_DIFFERS, SL_JUDGED_OPEN };

  check (four, 4, four_judged);
  check (other, 2, other_judged);
}

/* Four seeds decide nothing, however clear they are, and do not count among the statements. */
static void
test_seeds (void)
{
  static const SlEvidence few[]
    = { { 1e-9, 1, 4, 1 }, { 0.04, 0.96, 5, 1 }, { (double) NAN, (double) NAN, 5, 1 } };
  static const SlJudged judged[] = { SL_JUDGED_OPEN, SL_JUDGED_HOLDS, SL_JUDGED_OPEN };

  check (few, 3, judged);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/evidence/student", test_student);
  g_test_add_func ("/evidence/two-sides", test_two_sides);
  g_test_add_func ("/evidence/missing", test_missing);
  g_test_add_func ("/evidence/constant", test_constant);
  g_test_add_func ("/evidence/several", test_several);
  g_test_add_func ("/evidence/holm", test_holm);
  g_test_add_func ("/evidence/seeds", test_seeds);
  return g_test_run ();
}
