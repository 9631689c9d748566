/* SPDX-License-Identifier: MIT
 *
 * How questions of lessons are put: the order of their options, and how near a guess has to be.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
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

/* A step of the lab Experts that asks for a number or a choice. */
static SlLessonStep
step_of (SlAskKind kind, const char *answer, gboolean restart)
{
  static GPtrArray *none;

  if (none == NULL)
    none = g_ptr_array_new ();
  return (SlLessonStep) { .settings = none,
                          .restart = restart,
                          .question = { .kind = kind, .answer = (char *) answer } };
}

/* What asks for the panel's own numbers, or follows from settings that change, is told by it. */
static void
test_told (void)
{
  static const struct
  {
    SlAskKind   kind;
    const char *answer;
    gboolean    restart;
    SlPanelKind panel;
    gboolean    told;
  } cases[] = {
    { SL_ASK_NUMBER, "cost.executed", FALSE, SL_SERIES, TRUE },
    { SL_ASK_NUMBER, "100 - cost.executed@3", FALSE, SL_SERIES, TRUE },
    { SL_ASK_NUMBER, "low-cost.executed", FALSE, SL_SERIES, FALSE },
    { SL_ASK_NUMBER, "cost.executed", TRUE, SL_SERIES, FALSE },
    { SL_ASK_NUMBER, "cost.executed", TRUE, SL_BARS, TRUE },
    { SL_ASK_NUMBER, "error.valid", TRUE, SL_BARS, TRUE },
    { SL_ASK_NUMBER, "error.valid", FALSE, SL_BARS, FALSE },
    { SL_ASK_CHOICE, NULL, TRUE, SL_MAP, FALSE },
    { SL_ASK_CHOICE, NULL, TRUE, SL_HISTORY, FALSE },
    { SL_ASK_CURVE, "cost.executed", TRUE, SL_PROFILE, FALSE },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SlLessonStep step = step_of (cases[i].kind, cases[i].answer, cases[i].restart);
      const SlPanel      panel = { .id = "cost", .kind = cases[i].panel };

      g_assert_cmpint (sl_question_told_by (&step, &panel), ==, cases[i].told);
    }
}

/* A guess is drawn where there is a curve of what is asked for. */
static void
test_panel (void)
{
  static const struct
  {
    const char *answer, *panel, *channel; /* NULL: none */
    double      at;
  } cases[] = {
    { "width-of.width", "width-of", "width-of.width", 1.0 },
    { "profile.exact@-2.5", "profile", "profile.exact", -2.5 },
    { "2 * width-of.width", NULL, NULL, 0.0 },
    { "width-of.width@3 + 1", NULL, NULL, 0.0 },
    { "12", NULL, NULL, 0.0 },
    { "none.none", NULL, NULL, 0.0 },
    { NULL, NULL, NULL, 0.0 },
  };
  const SlLab *lab = NULL;
  SlSettings   settings;
  SlLayout     layout;

  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    if (g_str_equal (sl_labs[i]->id, "capacity"))
      lab = sl_labs[i];
  g_assert_nonnull (lab);
  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_layout_init (&layout, lab, &settings);
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SlQuestion question = { .answer = (char *) cases[i].answer };
      unsigned         channel = 0;
      double           at = 0.0;
      int              panel = sl_question_panel (&question, lab, &layout, &channel, &at);

      g_assert_cmpint (panel < 0, ==, cases[i].panel == NULL);
      if (panel < 0)
        continue;
      g_assert_cmpstr (lab->panels[panel].id, ==, cases[i].panel);
      g_assert_cmpstr (layout.channel[channel].id, ==, cases[i].channel);
      g_assert_true (at == cases[i].at);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ask/order", test_order);
  g_test_add_func ("/ask/no-options", test_no_options);
  g_test_add_func ("/ask/tolerance", test_tolerance);
  g_test_add_func ("/ask/told", test_told);
  g_test_add_func ("/ask/panel", test_panel);
  return g_test_run ();
}
