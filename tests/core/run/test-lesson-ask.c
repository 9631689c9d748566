/* SPDX-License-Identifier: MIT
 *
 * How questions of lessons are put: the order of their options, and how near a guess has to be.  */
#include <math.h>
#include <string.h>

#include "core/run/lesson/ask.h"

/* Each option is at each place about equally often, the same for the same person. */
static void
test_order (void)
{
  enum { N = 4, PEOPLE = 4000 };
  g_auto (GStrv) options = g_strsplit ("a b c d", " ", N);
  const SlQuestion question = { .kind = SL_ASK_CHOICE, .options = options };
  unsigned         at[N][N] = { { 0 } }, differ = 0;

  for (uint64_t person = 0; person < PEOPLE; person++)
    {
      unsigned order[SL_LESSON_OPTIONS], again[SL_LESSON_OPTIONS], other[SL_LESSON_OPTIONS];
      unsigned seen = 0;

      g_assert_cmpuint (sl_question_order (&question, 3, person, order), ==, N);
      sl_question_order (&question, 3, person, again);
      sl_question_order (&question, 4, person, other);
      g_assert_cmpmem (order, N * sizeof *order, again, N * sizeof *again);
      differ += memcmp (order, other, N * sizeof *order) != 0;
      for (unsigned i = 0; i < N; i++)
        {
          g_assert_cmpuint (order[i], <, N);
          seen |= 1U << order[i];
          at[i][order[i]]++;
        }
      g_assert_cmpuint (seen, ==, (1U << N) - 1);
    }
  /* Five standard deviations of a binomial share of a quarter are 137. */
  for (unsigned i = 0; i < N; i++)
    for (unsigned k = 0; k < N; k++)
      {
        g_assert_cmpuint (at[i][k], >, PEOPLE / N - 137);
        g_assert_cmpuint (at[i][k], <, PEOPLE / N + 137);
      }
  g_assert_cmpuint (differ, >, PEOPLE / 2);
}

static void
test_no_options (void)
{
  unsigned order[SL_LESSON_OPTIONS];

  g_assert_cmpuint (sl_question_order (&(SlQuestion) { .kind = SL_ASK_NUMBER }, 0, 1, order), ==,
                    0);
}

/* Points of a percentage, the unit of anything else. */
static void
test_tolerance (void)
{
  static const struct
  {
    SlAskKind   kind;
    const char *unit;
    double      tolerance;
    const char *words;
  } cases[] = {
    { SL_ASK_NUMBER, "%", 5.0, "within 5 points" },
    { SL_ASK_NUMBER, "", 0.5, "within 0.5" },
    { SL_ASK_NUMBER, "bits", 0.04, "within 0.04 bits" },
    { SL_ASK_CURVE, "", 8.0, "within 8 on average" },
    { SL_ASK_NUMBER, "%", (double) NAN, NULL },
    { SL_ASK_CURVE, "", (double) NAN, NULL },
    { SL_ASK_CHOICE, "", 1.0, NULL },
    { SL_ASK_NOTHING, "", 1.0, NULL },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SlQuestion question = { .kind = cases[i].kind,
                                    .unit = (char *) cases[i].unit,
                                    .tolerance = cases[i].tolerance };
      g_autofree char *words = sl_question_tolerance (&question);

      g_assert_cmpstr (words, ==, cases[i].words);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ask/order", test_order);
  g_test_add_func ("/ask/no-options", test_no_options);
  g_test_add_func ("/ask/tolerance", test_tolerance);
  return g_test_run ();
}
