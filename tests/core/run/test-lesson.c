/* SPDX-License-Identifier: MIT
 *
 * Lessons: what is written is read again the same, every mistake gets a sentence with its line and
 * key, and formulas read what a run published.  */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/base/json.h"
#include "core/run/lesson/ask.h"
#include "core/run/lesson/formula.h"
#include "core/run/lesson/tally.h"
#include "core/train/trainer.h"
#include "tests/support/close.h"

/* A lesson with everything in it; %s is where tests put their mistakes. */
static const char whole[]
  = "{ \"sluice-lesson\": 1, \"title\": \"Everything\", \"summary\": \"All that there is.\",\n"
    "  \"author\": \"Ä. Teacher\", \"steps\": [\n"
    "  { \"title\": \"One\", \"text\": \"Look at {error.valid:1} %.\", \"lab\": \"experts\",\n"
    "    \"data\": \"moons:noise=0.1\", \"seed\": 18446744073709551615,\n"
    "    \"settings\": { \"k\": 1, \"noise\": false, \"gate\": \"balanced\" }, \"restart\": true,\n"
    "    \"run\": 200, \"speed\": 40, \"highlight\": { \"param\": \"k\" }, \"show\": [ \"cv\", "
    "\"error\" ],\n"
    "    \"offer\": [ \"k\", \"noise\" ], \"hides\": [ \"noise\" ], \"locks\": [ \"k\" ],\n"
    "    \"question\": { \"kind\": \"curve\", \"prompt\": \"Draw.\", \"panel\": \"error\",\n"
    "      \"range\": [ 0, 50 ], \"answer\": \"error.valid\", \"tolerance\": 5 },\n"
    "    \"reveal\": \"{guess:0}, {answer:0} and {off:1}\", \"keep\": { \"first\": \"cv.load\" },"
    "    \"holds\": [ \"first >= 0 in 8 of 10\", \"error.valid@100 < 100 - answer\" ] },\n"
    "  { \"title\": \"Two\", \"text\": \"It was {first:2}.\", \"lab\": \"sign-estimator\",\n"
    "    \"settings\": { \"rank\": [ 5, 4 ], \"hidden\": [ 20, 10 ], \"theta\": 0.5 },\n"
    "    \"run\": true, \"highlight\": { \"control\": \"rewind\" }, \"question\": { \"kind\":\n"
    "      \"number\", \"prompt\": \"How many?\", \"range\": [ -1, 1 ], \"unit\": \"%\",\n"
    "      \"answer\": \"100 * cost.executed / cost.expected - (first + 1)\" },\n"
    "    \"reveal\": \"{100 * answer:0}\" },\n"
    "  { \"title\": \"Three\", \"text\": \"\", \"run\": false, \"question\": { \"kind\": "
    "\"choice\",\n"
    "      \"prompt\": \"Which?\", \"options\": [ \"a\", \"b\", \"c\" ], \"answer\": 3 } },\n"
    "  { \"title\": \"Four\", \"text\": \"\", \"lab\": \"glance\", \"settings\": { \"s\": 0.2 },\n"
    "    \"highlight\": { \"param\": \"rank\" } } ] }\n";

static SlLesson *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  SlLesson *lesson = sl_lesson_parse (text, strlen (text), "it", NULL, &error);

  g_assert_no_error (error);
  return lesson;
}

static void
test_round_trip (void)
{
  g_autoptr (SlLesson) lesson = parse (whole);
  g_autofree char *once = sl_lesson_write (lesson);
  g_autoptr (SlLesson) again = parse (once);
  g_autofree char    *twice = sl_lesson_write (again);
  const SlLessonStep *step = sl_lesson_step (again, 0);

  g_assert_cmpstr (once, ==, twice);
  g_assert_cmpstr (again->author, ==, "Ä. Teacher");
  g_assert_cmpuint (again->steps->len, ==, 4);
  g_assert_cmpuint (step->seed, ==, G_MAXUINT64);
  g_assert_cmpuint (step->updates, ==, 200);
  g_assert_true (step->has_speed);
  g_assert_cmpuint (step->speed, ==, 40);
  g_assert_false (sl_lesson_step (again, 1)->has_speed);
  g_assert_cmpint (step->point, ==, SL_POINT_PARAM);
  g_assert_cmpstr (step->show[1], ==, "error");
  g_assert_cmpfloat (step->question.to, ==, 200.0);
  g_assert_cmpfloat (step->question.tolerance, ==, 5.0);
  g_assert_cmpstr (step->reveal, ==, "{guess:0}, {answer:0} and {off:1}");
  g_assert_true (isnan (sl_lesson_step (again, 1)->question.tolerance));
  g_assert_cmpfloat (sl_lesson_step (again, 1)->question.step, ==, 0.02);
  g_assert_cmpuint (sl_lesson_step (again, 2)->question.right, ==, 3);
  g_assert_true (sl_lesson_step (again, 3)->overview);
}

/* What holds at a step comes from all before it that have the same lab. */
static void
test_state (void)
{
  g_autoptr (SlLesson) lesson = parse (whole);
  SlLessonState state;
  SlStatus      status = sl_lesson_state (lesson, 0, &state);
  const SlLab  *lab = sl_lab_find ("experts");

  g_assert_true (sl_ok (&status));
  g_assert_true (state.lab == lab);
  g_assert_cmpstr (state.data, ==, "moons:noise=0.1");
  g_assert_cmpfloat (state.settings.value[sl_param_find (lab->params, lab->n_params, "k")].v[0], ==,
                     1.0);
  g_free (state.data);
  status = sl_lesson_state (lesson, 2, &state);
  lab = sl_lab_find ("sign-estimator");
  g_assert_true (sl_ok (&status));
  g_assert_true (state.lab == lab);
  g_assert_cmpuint (state.settings.value[sl_param_find (lab->params, lab->n_params, "rank")].n, ==,
                    2);
  g_assert_cmpuint (state.seed, ==, G_MAXUINT64);
  g_assert_cmpstr (state.data, !=, "moons:noise=0.1");
  g_free (state.data);
  status = sl_lesson_state (lesson, 3, &state);
  g_assert_null (state.lab);
  g_assert_null (state.data);
}

/* One thing of the whole lesson is written wrong, and the sentence says where. */
static void
test_mistakes (void)
{
  static const struct
  {
    const char *from, *to, *sentence;
  } cases[] = {
    { "\"sluice-lesson\": 1", "\"sluice-lesson\": 2",
      "it, line 1: found \"sluice-lesson\" with 2" },
    { "\"sluice-lesson\": 1,", "", "no \"sluice-lesson\"" },
    { "\"summary\"", "\"sumary\"", "it, line 1: found the unknown key \"sumary\"" },
    { "\"lab\": \"experts\"", "\"lab\": \"expert\"", "it, line 3: found \"lab\" with \"expert\"" },
    { "\"lab\": \"experts\",", "", "it, line 3: found no \"lab\"" },
    { "moons:noise=0.1", "moons:noise=9", "it, line 4: found \"data\"" },
    { "moons:noise=0.1", "grammar",
      "it, line 4: found \"data\" with text, expected labelled examples" },
    { "18446744073709551615", "18446744073709551616", "it, line 4: found \"seed\" with" },
    { "\"k\": 1", "\"k\": 9999",
      "it, line 5: found \"k\" with \"9999\", expected a whole number from" },
    { "\"k\": 1", "\"k\": \"one\"", "it, line 5: found \"k\" with \"one\"" },
    { "\"k\": 1", "\"k\": null", "it, line 5: found \"k\" with null" },
    { "\"k\": 1", "\"kk\": 1", "it, line 5: found \"kk\" with \"kk\"" },
    { "\"speed\": 40", "\"speed\": 0.5", "it, line 6: found \"speed\" with 0.5" },
    { "\"speed\": 40", "\"speed\": 10001", "at most 10000" },
    { "\"run\": 200", "\"run\": 0", "it, line 6: found \"run\" with 0" },
    { "\"run\": 200", "\"run\": \"no\"", "it, line 6: found \"run\" with a text" },
    { "{ \"param\": \"k\" }", "{ \"param\": \"kk\" }", "it, line 6: found \"param\" with \"kk\"" },
    { "{ \"param\": \"k\" }", "{ \"para\": \"k\" }", "it, line 6: found the unknown key" },
    { "{ \"param\": \"k\" }", "{}", "it, line 6: found \"highlight\" with not one key" },
    { "\"cv\", \"error\"", "\"cv\", \"eror\"", "it, line 6: found \"eror\"" },
    { "\"offer\": [", "\"offer\": [ 1,", "it, line 7: found \"offer\" with a number" },
    { "\"locks\": [ \"k\" ]", "\"locks\": \"k\"", "it, line 7: found \"locks\" with a text" },
    { "\"curve\"", "\"curves\"", "it, line 8: found \"kind\" with curves" },
    { "\"panel\": \"error\",", "\"panel\": \"usage\",",
      "it, line 8: found \"panel\" with \"usage\"" },
    { "[ 0, 50 ]", "[ 50, 0 ]", "it, line 9: found \"range\"" },
    { "\"answer\": \"error.valid\"", "\"answer\": \"error.vali\"", "it, line 9: found \"answer\"" },
    { "\"answer\": \"error.valid\"", "\"answer\": \"cv.load\"", "it, line 9: found \"answer\"" },
    { "\"tolerance\": 5", "\"tolerance\": 0", "it, line 9: found \"tolerance\" with 0" },
    { "{off:1}", "{of:1}", "it, line 10: \"reveal\": \"of\": found \"of\"" },
    { "{off:1}", "{off}", "it, line 10: \"reveal\": \"off\": found no decimals" },
    { "{off:1}", "{off:1", "it, line 10: \"reveal\": text: \"{\" without \"}\"" },
    { "\"first\":", "\"First\":", "it, line 10: found \"keep\" with \"First\"" },
    { "first >= 0 in", "last >= 0 in", "it, line 10: \"holds\": \"last\": found \"last\"" },
    { "first >= 0", "first = 0", "it, line 10: \"holds\"" },
    { "8 of 10", "11 of 10", "it, line 10: \"holds\"" },
    { "8 of 10", "8 out of 10", "it, line 10: \"holds\"" },
    { "8 of 10", "8 of 1000000", "it, line 10: \"holds\"" },
    { "{first:2}", "{last:2}", "it, line 11: \"text\"" },
    { "{first:2}", "{guess:2}", "it, line 11: \"text\"" },
    { "\"Draw.\"", "\"{draw:0}\"", "it, line 8: \"prompt\"" },
    { "\"Draw.\"", "\"{cv.load:0}?\"",
      "it, line 8: found \"prompt\" with \"cv.load\", which changes" },
    { "\"How many?\"", "\"{first + cost.executed:0}?\"", "with \"cost.executed\", which changes" },
    { "\"rewind\"", "\"rewinds\"", "it, line 13: found \"control\" with \"rewinds\"" },
    { "- (first + 1)", "- (first + 1", "it, line 15: \"answer\"" },
    { "{100 * answer:0}", "{off:0}", "it, line 16: \"reveal\"" },
    { "\"answer\": 3", "\"answer\": 4", "it, line 18: found \"answer\" with 4" },
    { "\"answer\": 3", "\"answer\": 2.5", "it, line 18: found \"answer\" with 2.5" },
    { "{ \"s\": 0.2 }", "{ \"t\": 0.2 }", "it, line 19: found \"t\"" },
    { "{ \"s\": 0.2 }", "{ \"s\": true }", "it, line 19: found \"s\" with true or false" },
    { "\"lab\": \"glance\",", "\"lab\": \"glance\", \"seed\": 2,", "it, line 19: found \"seed\"" },
    { "\"lab\": \"glance\",", "\"lab\": \"glance\", \"run\": 5,", "expected true or false" },
    { "\"lab\": \"glance\",", "\"lab\": \"glance\", \"locks\": [],",
      "found \"locks\" with a value" },
    { "{ \"param\": \"rank\" }", "{ \"param\": \"batch\" }", "expected one of s, rank and k" },
    { "{ \"param\": \"rank\" }", "{ \"panel\": \"error\" }", "expected the id of a panel" },
    { "\"sluice-lesson\": 1", "\"sluice-lesson\": \"1\"", "found a text" },
    { "\"sluice-lesson\": 1", "\"sluice-lesson\": 1e999", "too large" },
    { "\"lab\": \"experts\"", "\"lab\": 5", "expected the id of a lab" },
    { "\"author\":", "\"minutes\": 0, \"author\":", "found \"minutes\" with 0" },
    { "\"author\":", "\"level\": \"how\", \"author\":", "expected what, why or how-much" },
    { "\"author\":", "\"level\": 1, \"author\":", "expected what, why or how-much" },
    { "\"author\":", "\"goal\": 1, \"author\":", "found \"goal\" with a number" },
    { "\"title\": \"One\"", "\"title\": null", "found \"title\" with null" },
    { "\"restart\": true", "\"restart\": 1", "expected true or false" },
    { "\"settings\": { \"k\": 1,", "\"settings\": 5, \"x\": { \"k\": 1,", "unknown key \"x\"" },
    { "{ \"param\": \"k\" }", "[ \"param\" ]", "expected an object with one of" },
    { "{ \"param\": \"k\" }", "{ \"param\": 5 }", "found \"param\" with a number" },
    { "{ \"param\": \"k\" }", "{ \"panel\": \"k\" }", "expected the id of a panel" },
    { "\"kind\": \"curve\", ", "", "with no \"kind\"" },
    { "\"prompt\": \"Draw.\", ", "", "with no \"prompt\"" },
    { "\"panel\": \"error\",", "", "with no \"panel\"" },
    { "\"range\": [ 0, 50 ],", "", "with no \"range\"" },
    { "[ 0, 50 ]", "[ 0, 50, 60 ]", "an array of two numbers" },
    { "[ 0, 50 ]", "[ 50, 50 ]", "the smaller one first" },
    { "[ 0, 50 ]", "[ 0, null ]", "the smaller one first" },
    { "[ 0, 50 ]", "[ \"0\", 50 ]", "the smaller one first" },
    { "\"run\": 200, ", "", "unless a new run over a number of updates begins" },
    { "\"tolerance\": 5", "\"tolerance\": \"5\"", "a number above 0" },
    { "\"tolerance\": 5", "\"tolerance\": 5, \"unit\": \"%\"", "unknown key \"unit\"" },
    { "\"tolerance\": 5", "\"tolerance\": 5, \"along\": [ 9, 5 ]", "the smaller one first" },
    { "\"first\": \"cv.load\"", "\"first\": 5", "expected a formula" },
    { "\"first\":", "\"\":", "lower-case letters" },
    { "\"first\":", "\"guess\":", "lower-case letters" },
    { "\"first\":", "\"answer\":", "lower-case letters" },
    { "\"first\":", "\"off\":", "lower-case letters" },
    { "\"first\":", "\"a b\":", "lower-case letters" },
    { "\"first\":", "\"1st\":", "lower-case letters" },
    { "\"unit\": \"%\",", "\"unit\": 3,", "found \"unit\" with a number" },
    { "\"unit\": \"%\",", "\"step\": -1,", "found \"step\" with -1" },
    { "[ \"a\", \"b\", \"c\" ]", "[ \"a\" ]", "less than two texts" },
    { "[ \"a\", \"b\", \"c\" ]", "\"a\"", "an array of texts" },
    { "[ \"a\", \"b\", \"c\" ]", "[ \"a\", 5, \"c\" ]", "a text" },
    { "[ \"a\", \"b\", \"c\" ]", "[ \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\" ]",
      "too many texts" },
    { "\"answer\": 3", "\"answer\": 0", "found \"answer\" with 0" },
    { "\"answer\": 3", "\"answer\": \"3\"", "the number of an option" },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      const char *at = strstr (whole, cases[i].from);
      g_autoptr (GString) text = g_string_new (NULL);

      g_assert_nonnull (at);
      g_string_append_len (text, whole, at - whole);
      g_string_append (text, cases[i].to);
      g_string_append (text, at + strlen (cases[i].from));
      g_assert_null (sl_lesson_parse (text->str, text->len, "it", NULL, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, cases[i].sentence) == NULL)
        g_error ("%s: %s", cases[i].to, error->message);
    }
}

static void
test_json (void)
{
  static const struct
  {
    const char *text, *sentence;
  } cases[] = {
    { "", "it, line 1: found the end, expected a value" },
    { "{", "expected a key in quotes" },
    { "{ \"a\": 1,\n}", "it, line 2: found \"}\", expected a key in quotes" },
    { "{ \"a\": 1,\n\"a\": 2 }", "it, line 2: found \"a\" a second time" },
    { "[1 2]", "expected \",\" or \"]\"" },
    { "[01]", "found \"1\"" },
    { "[1.]", "a digit after the point" },
    { "[1e400]", "too large" },
    { "[\"\\x\"]", "after a backslash" },
    { "[\"\\ud800\"]", "no character with that code" },
    { "[\"\\ud800\\u0041\"]", "half of a surrogate pair" },
    { "[\"a\nb\"]", "found a new line" },
    { "[\"\xff\"]", "no UTF-8" },
    { "[tru]", "expected a value" },
    { "[] []", "expected nothing more" },
    { "[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]", "too deeply" },
  };
  g_autoptr (GError) none = NULL;
  g_autoptr (SlJson) json
    = sl_json_parse ("[\"\\u00e4\\ud83d\\ude00\\n\", -0.5e1, null]", 38, 1 << 20, "it", &none);

  g_assert_no_error (none);
  g_assert_cmpstr (json->first->text, ==, "ä😀\n");
  g_assert_cmpfloat (json->first->next->number, ==, -5.0);
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sl_json_parse (cases[i].text, strlen (cases[i].text), 1 << 20, "it", &error));
      if (strstr (error->message, cases[i].sentence) == NULL)
        g_error ("%s: %s", cases[i].text, error->message);
    }
}

/* What is not said is not there, and what is said is kept, as far as there is room. */
static SlLesson *
parse_members (const char *members, const char *step, GError **error)
{
  g_autofree char *text = g_strdup_printf ("{ \"sluice-lesson\": 1, \"title\": \"T\", \"summary\": "
                                           "\"S\", %s \"steps\": [ { \"title\": \"\", "
                                           "\"text\": \"\", \"lab\": \"experts\"%s } ] }",
                                           members, step);

  return sl_lesson_parse (text, strlen (text), "it", NULL, error);
}

static void
test_least (void)
{
  g_autoptr (SlLesson) plain = parse_members ("", "", NULL);
  g_autoptr (SlLesson) full
    = parse_members ("\"author\": \"A\", \"goal\": \"G\", \"minutes\": 5000, \"level\": \"why\", "
                     "\"misconception\": \"M\", \"notes\": \"N\",",
                     ", \"level\": \"how-much\"", NULL);
  g_autofree char    *text = sl_lesson_write (plain), *more = sl_lesson_write (full);
  const SlLessonStep *step = sl_lesson_step (plain, 0);

  g_assert_cmpstr (text, ==,
                   "{\n  \"sluice-lesson\": 1,\n  \"title\": \"T\",\n  \"summary\": \"S\",\n"
                   "  \"steps\": [\n    {\n      \"title\": \"\",\n      \"text\": \"\",\n"
                   "      \"lab\": \"experts\"\n    }\n  ]\n}\n");
  g_assert_cmpstr (plain->author, ==, "");
  g_assert_cmpuint (plain->minutes, ==, 0);
  g_assert_cmpint (plain->level, ==, SL_LEVEL_NONE);
  g_assert_false (step->has_seed || step->restart || step->overview);
  g_assert_cmpint (step->go, ==, SL_GO_ON);
  g_assert_cmpint (step->point, ==, SL_POINT_NOWHERE);
  g_assert_null (step->show);
  g_assert_null (step->data);
  g_assert_null (step->reveal);
  g_assert_cmpint (step->question.kind, ==, SL_ASK_NOTHING);
  g_assert_cmpuint (full->minutes, ==, 1000);
  g_assert_cmpint (full->level, ==, SL_LEVEL_WHY);
  g_assert_cmpint (sl_lesson_step (full, 0)->level, ==, SL_LEVEL_HOW_MUCH);
  g_assert_true (g_str_has_prefix (more, "{\n  \"sluice-lesson\": 1,\n  \"title\": \"T\",\n"
                                         "  \"summary\": \"S\",\n  \"author\": \"A\",\n"
                                         "  \"goal\": \"G\",\n  \"minutes\": 1000,\n"
                                         "  \"level\": \"why\",\n  \"misconception\": \"M\",\n"
                                         "  \"notes\": \"N\",\n"));
}

/* A list, a text and a lesson of as much as there may be, and one more. */
static void
test_most (void)
{
  for (int extra = 0; extra <= 1; extra++)
    {
      g_autoptr (GString) ids = g_string_new (", \"offer\": [ \"k\""), steps = g_string_new (NULL);
      g_autofree char *title = g_strnfill ((gsize) (SL_LESSON_TEXT + extra), 'x');
      g_autofree char *goal = g_strdup_printf ("\"goal\": \"%s\",", title), *many = NULL;
      g_autoptr (SlLesson) listed = NULL, told = NULL, long_one = NULL;
      g_autoptr (GError) error = NULL;

      for (int i = 1; i < SL_LESSON_LIST + extra; i++)
        g_string_append (ids, ", \"k\"");
      g_string_append (ids, " ]");
      listed = parse_members ("", ids->str, NULL);
      g_assert_cmpint (listed != NULL, ==, extra == 0);
      told = parse_members (goal, "", NULL);
      g_assert_cmpint (told != NULL, ==, extra == 0);
      for (int i = 0; i < SL_LESSON_STEPS + extra; i++)
        g_string_append_printf (
          steps, "%s{ \"title\": \"\", \"text\": \"\", \"lab\": \"experts\" }", i > 0 ? "," : "");
      many = g_strdup_printf (
        "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [%s] }",
        steps->str);
      long_one = sl_lesson_parse (many, strlen (many), "it", NULL, &error);
      g_assert_cmpint (long_one != NULL, ==, extra == 0);
      g_assert_true (extra == 0 || strstr (error->message, "at most 64") != NULL);
    }
}

/* ---- claims ---- */

static gboolean
named (const char *name, double at, double *value, gpointer data)
{
  *value = g_str_equal (name, "a.b-c") ? 3.0 : isnan (at) ? (double) NAN : 10.0 * at;
  return !g_str_equal (name, "nobody");
}

/* The left side is 3, of the right side as it is written. */
static void
test_claims (void)
{
  static const struct
  {
    const char *claim;
    gboolean    holds;
    unsigned    least_of_10, least_of_2;
  } cases[] = {
    { "a.b-c < 3.1", TRUE, 10, 2 },
    { "a.b-c < 3", FALSE, 10, 2 },
    { "a.b-c <= 3", TRUE, 10, 2 },
    { "a.b-c > 3", FALSE, 10, 2 },
    { "a.b-c >= 3", TRUE, 10, 2 },
    { "a.b-c>2 in 8 of 10", TRUE, 8, 1 },
    { "x > 0 in 1 of 2", FALSE, 5, 1 },
    { "x > 0 in 1 of 10", FALSE, 1, 1 },
    { "2 * x@4 >= 80 - (3 - 3)", TRUE, 10, 2 },
    { "x <= x", FALSE, 10, 2 },
  };
  static const char *const wrong[] = { "",
                                       "3",
                                       "< 3",
                                       "3 <",
                                       "a < b < c",
                                       "3 > 2 in",
                                       "3 > 2 in 0 of 2",
                                       "3 in 1 of 2 > 2",
                                       "3 > 2 in 3 of 2",
                                       "3 > 2 in 1 of 1001" };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      SlClaim *claim = sl_claim_read (cases[i].claim, named, NULL, &error);
      double   left, right;

      g_assert_no_error (error);
      g_assert_cmpint (sl_claim_holds (claim, named, NULL, &left, &right), ==, cases[i].holds);
      g_assert_cmpuint (sl_claim_least (claim, 10), ==, cases[i].least_of_10);
      g_assert_cmpuint (sl_claim_least (claim, 2), ==, cases[i].least_of_2);
      sl_claim_free (claim);
    }
  for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (sl_claim_read (wrong[i], named, NULL, &error));
      g_assert_nonnull (error);
    }
}

/* ---- taken to the end ---- */

static void
note_result (const SlLessonResult *result, gpointer data)
{
  g_ptr_array_add (data, g_strdup_printf ("%u %s|%s|%s|%.2f|%d", result->number, result->text,
                                          result->reveal != NULL ? result->reveal : "-",
                                          result->prompt != NULL ? result->prompt : "-",
                                          result->answer, result->record != NULL));
}

/* Each step goes on from the one before, or begins anew where it must; what it measured is in its texts. */
static void
test_walk (void)
{
  static const char text[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [\n"
      "  { \"title\": \"\", \"text\": \"{cost.executed - cost.executed:0}\", \"lab\": "
      "\"sign-estimator\", \"data\": \"moons\",\n"
      "    \"settings\": { \"hidden\": [ 12, 8 ], \"rank\": [ 2, 2 ], \"report-every\": 1,\n"
      "      \"evaluate-every\": 5 }, \"run\": 10, \"keep\": { \"first\": \"error.valid\" } },\n"
      "  { \"title\": \"\", \"text\": \"{first - error.valid:0}\", \"settings\": { \"rank\": [ 3, "
      "3 ] },\n"
      "    \"question\": { \"kind\": \"number\", \"prompt\": \"{1 + 1:0}?\", \"range\": [ 0, 9 ],\n"
      "      \"answer\": \"0.5 + first - first\" }, \"reveal\": \"{guess:0} {answer:1}\" },\n"
      "  { \"title\": \"\", \"text\": \"{first - error.valid@5:0}\", \"run\": 5 },\n"
      "  { \"title\": \"\", \"text\": \"\", \"restart\": true, \"question\": { \"kind\": "
      "\"choice\",\n"
      "      \"prompt\": \"a\", \"options\": [ \"b\", \"c\" ] } },\n"
      "  { \"title\": \"\", \"text\": \"{error.valid:0}\" },\n"
      "  { \"title\": \"\", \"text\": \"\", \"lab\": \"glance\" } ] }";
  g_autoptr (GPtrArray) told = g_ptr_array_new_with_free_func (g_free);

  g_autoptr (SlLesson) lesson = parse (text);
  SlStatus status = sl_lesson_walk (lesson, 0, note_result, told);

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (told->len, ==, 6);
  g_assert_cmpstr (told->pdata[0], ==, "0 0|-|-|nan|1");
  g_assert_cmpstr (told->pdata[1], ==, "1 0|… 0.5|2?|0.50|1");
  g_assert_true (g_str_has_prefix (told->pdata[2], "2 "));
  g_assert_true (g_str_has_suffix (told->pdata[2], "|-|-|nan|1"));
  g_assert_cmpstr (told->pdata[3], ==, "3 |-|a|nan|1");
  g_assert_cmpstr (told->pdata[4], ==, "4 …|-|-|nan|1"); /* begun anew, and no update made */
  g_assert_cmpstr (told->pdata[5], ==, "5 |-|-|nan|0");
}

static void
tally_result (const SlLessonResult *result, gpointer data)
{
  sl_claim_tallies_add (data, result);
}

/* Over seeds, each with a run of its own: a claim holds as often as it says, of what its step kept, and of a costly panel
 * that no step shows.  */
static void
test_tallies (void)
{
  static const char text[]
    = "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [\n"
      "  { \"title\": \"\", \"text\": \"\", \"lab\": \"experts\", \"data\": \"moons:points=200\",\n"
      "    \"settings\": { \"hidden\": 4, \"report-every\": 1 }, \"run\": 2,\n"
      "    \"keep\": { \"load\": \"cv.load\" },\n"
      "    \"holds\": [ \"load >= 0\", \"load < 0\", \"memory.set@1 > 0\", \"load < 0 in 1 of 10\" "
      "] },\n"
      "  { \"title\": \"\", \"text\": \"\", \"holds\": [ \"load < 1000\" ] } ] }";
  static const gboolean holds[] = { TRUE, FALSE, TRUE, FALSE, TRUE };
  g_autoptr (SlLesson) lesson = parse (text);
  g_autoptr (GArray) tallies = sl_claim_tallies_new (lesson);
  const SlClaimTally *first = &g_array_index (tallies, SlClaimTally, 0);

  for (unsigned turn = 0; turn < 3; turn++)
    {
      SlStatus status = sl_lesson_walk (lesson, turn, tally_result, tallies);

      g_assert_true (sl_ok (&status));
    }
  g_assert_cmpuint (tallies->len, ==, G_N_ELEMENTS (holds));
  for (guint i = 0; i < tallies->len; i++)
    {
      const SlClaimTally *tally = &g_array_index (tallies, SlClaimTally, i);

      g_assert_cmpuint (tally->step, ==, i < 4 ? 0 : 1);
      g_assert_cmpuint (tally->seeds, ==, 3);
      g_assert_cmpuint (tally->held, ==, holds[i] ? 3 : 0);
      g_assert_cmpint (sl_claim_tally_holds (tally), ==, holds[i]);
    }
  g_assert_cmpfloat (first->lo, <, first->hi);
  g_assert_cmpfloat (first->other, ==, 0.0);
}

static void
test_formulas (void)
{
  static const struct
  {
    const char *formula;
    double      value;
  } cases[] = {
    { "1 + 2 * 3", 7 }, { "(1 + 2) * 3", 9 },    { "a.b-c - 1", 2 },         { "2 - -a.b-c", 5 },
    { "8 / 2 / 2", 2 }, { "x@0.5 + x@-2", -15 }, { " - ( 2 - 3 ) * 2 ", 2 }, { "1e2 - 0.5", 99.5 },
  };
  static const char *const wrong[] = { "",
                                       "1 +",
                                       "(1",
                                       "1)",
                                       "nobody",
                                       "1 2",
                                       "A",
                                       "x@",
                                       "x@y",
                                       "1 $ 2",
                                       "((((((((((((((((((1",
                                       "------------------1" };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      double value;

      sl_formula_value (cases[i].formula, named, NULL, &value, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
  for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      double value;

      g_assert_false (sl_formula_value (wrong[i], named, NULL, &value, &error));
      g_assert_nonnull (error);
    }
}

static void
test_filled (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text
    = sl_formula_fill ("{a.b-c:0} of {x:2}, {x@0.25:2} and {-x@0.0001:1}.", named, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, "3 of …, 2.50 and 0.0.");
}

static void
assert_filled (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *filled = sl_formula_fill (text, named, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (filled, ==, expected);
}

static void
assert_not_filled (const char *text, const char *hint)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (sl_formula_fill (text, named, NULL, &error));
  if (strstr (error->message, hint) == NULL)
    g_error ("%s: %s", text, error->message);
}

/* What rounds to nothing has no sign, and what rounds to the last decimal has one. */
static void
test_decimals (void)
{
  assert_filled ("", "");
  assert_filled ("no braces", "no braces");
  assert_filled ("}{1:0}", "}1");
  assert_filled ("{1:0}{2:1} ", "12.0 ");
  assert_filled ("{ 1 / 3 :9}", "0.333333333");
  assert_filled ("{-0.4:0} {-0.6:0} {0.5 - 0.54:1} {0.5 - 0.56:1}", "0 -1 0.0 -0.1");
  assert_filled ("{1 / 0:2}", "…");
  assert_not_filled ("{1:10}", "from 0 to 9");
  assert_not_filled ("{1:-1}", "from 0 to 9");
  assert_not_filled ("{1:}", "from 0 to 9");
  assert_not_filled ("{1}", "no decimals");
  assert_not_filled ("{1:0} {nobody:0}", "the name of a value");
  assert_not_filled ("{1:0", "without");
}

/* As deep and as long as a formula may be. */
static void
test_formula_limits (void)
{
  for (int extra = 0; extra <= 1; extra++)
    {
      g_autoptr (GString) deep = g_string_new (NULL), signs = g_string_new (NULL);
      g_autofree char *name = g_strnfill ((gsize) (64 + extra), 'x');
      double           value;

      for (int i = 0; i < 16 + extra; i++)
        {
          g_string_append_c (deep, '(');
          g_string_append_c (signs, '-');
        }
      g_string_append_c (deep, '1');
      g_string_append_c (signs, '1');
      for (int i = 0; i < 16 + extra; i++)
        g_string_append_c (deep, ')');
      g_assert_cmpint (sl_formula_value (deep->str, named, NULL, &value, NULL), ==, extra == 0);
      g_assert_cmpint (sl_formula_value (signs->str, named, NULL, &value, NULL), ==, extra == 0);
      g_assert_cmpint (sl_formula_value (name, named, NULL, &value, NULL), ==, extra == 0);
      /* Depth is that of one place, not of all together. */
      g_string_assign (deep, "(1)");
      for (int i = 0; i < 30; i++)
        g_string_append (deep, " + (1) - -1");
      g_assert_true (sl_formula_value (deep->str, named, NULL, &value, NULL));
      g_assert_cmpfloat (value, ==, 61);
    }
}

/* What a short run published is what the names stand for. */
static void
test_channels (void)
{
  g_autoptr (SlLesson) lesson = parse (
    "{ \"sluice-lesson\": 1, \"title\": \"\", \"summary\": \"\", \"steps\": [ { \"title\": \"\","
    "\"text\": \"\", \"lab\": \"sign-estimator\", \"data\": \"moons\", \"settings\": { \"hidden\":"
    "[ 12, 8 ], \"report-every\": 1, \"evaluate-every\": 2 }, \"run\": 20, \"question\": { "
    "\"kind\":"
    "\"curve\", \"prompt\": \"\", \"panel\": \"error\", \"range\": [ 0, 100 ], \"answer\":"
    "\"error.valid\" } } ] }");
  const SlQuestion *question = &sl_lesson_step (lesson, 0)->question;
  SlLessonState     state;
  SlDataset        *dataset;
  SlTrainer        *trainer;
  SlRecord          record;
  SlRecordSink      sink;
  double            sketch[SL_SKETCH_POINTS], value, sum = 0.0;
  const SlSeries   *series;
  SlStatus          status = sl_lesson_state (lesson, 0, &state);

  g_assert_true (sl_ok (&status));
  status = sl_source_open (state.data, &dataset);
  g_assert_true (sl_ok (&status));
  status = sl_trainer_new (&trainer, state.lab, &state.settings, dataset, state.seed);
  g_assert_true (sl_ok (&status));
  status = sl_record_init (&record, state.lab, &state.settings, 0);
  g_assert_true (sl_ok (&status));
  sl_record_sink_init (&sink, &record);
  for (unsigned i = 0; i < 20; i++)
    {
      status = sl_trainer_step (trainer, &sink.sink);
      g_assert_true (sl_ok (&status));
    }
  status = sl_trainer_probe (trainer, (unsigned) sl_lab_panel (state.lab, "speed"), &sink.sink);
  g_assert_true (sl_ok (&status));

  series = &record.series[sl_layout_find (&record.layout, "error.valid")];
  g_assert_cmpuint (series->n, >, 4);
  g_assert_true (sl_lesson_channel (&record, "error.valid", (double) NAN, &value));
  g_assert_cmpfloat (value, ==, series->value[series->n - 1]);
  g_assert_true (sl_lesson_channel (&record, "error.valid", series->step[1] + 0.4, &value));
  g_assert_cmpfloat (value, ==, series->value[1]);
  g_assert_true (sl_lesson_channel (&record, "error.valid", 1e9, &value));
  g_assert_cmpfloat (value, ==, series->value[series->n - 1]);
  g_assert_true (sl_lesson_channel (&record, "speed.speed-up", 1.0, &value));
  g_assert_cmpfloat (value, >, 0.0);
  g_assert_true (sl_lesson_channel (&record, "speed.speed-up", 99.0, &value));
  g_assert_true (isnan (value));
  g_assert_false (sl_lesson_channel (&record, "speed.nothing", 1.0, &value));

  /* A flat guess is off by the mean distance of what came from it. */
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    sketch[i] = 40.0;
  for (size_t i = 0; i < series->n; i++)
    sum += fabs (series->value[i] - 40.0);
  sl_assert_near (sl_lesson_distance (question, sketch, &record), sum / (double) series->n, 1e-12,
                  0.0);

  /* Measured at its places, on the lines between: at a measurement that itself, and nothing before the first. */
  sl_lesson_curve (question, &record, sketch);
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    {
      double at = sl_lesson_place (question, i), lo = HUGE_VAL, hi = -HUGE_VAL;

      for (size_t k = 0; k + 1 < series->n; k++)
        if (series->step[k] <= at && at <= series->step[k + 1])
          {
            lo = fmin (lo, fmin (series->value[k], series->value[k + 1]));
            hi = fmax (hi, fmax (series->value[k], series->value[k + 1]));
          }
      if (at < series->step[0] || at > series->step[series->n - 1])
        g_assert_true (isnan (sketch[i]));
      else
        g_assert_true (sketch[i] >= lo && sketch[i] <= hi);
      for (size_t k = 0; k < series->n; k++)
        if (series->step[k] == at) /* both are whole */
          g_assert_cmpfloat (sketch[i], ==, series->value[k]);
    }

  /* Places are evenly apart, the last at the end; a rising line is off by what it is at each. */
  g_assert_cmpfloat (sl_lesson_place (question, 0), ==, 0.0);
  g_assert_cmpfloat (sl_lesson_place (question, SL_SKETCH_POINTS - 1), ==, 20.0);
  g_assert_cmpfloat (sl_lesson_place (question, 16), ==, 10.0);
  sum = 0.0;
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    sketch[i] = 3.0 * sl_lesson_place (question, i);
  for (size_t i = 0; i < series->n; i++)
    sum += fabs (series->value[i] - 3.0 * series->step[i]);
  sl_assert_near (sl_lesson_distance (question, sketch, &record), sum / (double) series->n, 1e-9,
                  0.0);
  g_assert_true (sl_lesson_channel (&record, "speed.speed-up", 0.5, &value));
  g_assert_true (isnan (value));
  g_assert_true (sl_lesson_channel (&record, "speed.speed-up", (double) NAN, &value));
  g_assert_cmpfloat (value, >, 0.0);

  sl_record_sink_clear (&sink);
  sl_record_clear (&record);
  g_assert_false (sl_lesson_channel (&record, "error.valid", 1.0, &value));
  g_assert_true (isnan (value) && isnan (sl_lesson_distance (question, sketch, &record)));
  sl_trainer_free (trainer);
  sl_dataset_free (dataset);
  g_free (state.data);
}

/* A curve and bars of the last picture of a panel: the nearest place along a curve, the number of a bar. */
static void
test_snapshots (void)
{
  static const SlTrace line[] = { { .id = "y", .title = "y", .unit = "" }, { 0 } };
  static const SlPanel panels[] = {
    { .id = "curve", .title = "Curve", .kind = SL_PROFILE, .traces = line },
    { .id = "bars", .title = "Bars", .kind = SL_BARS, .traces = line },
  };
  static const SlLab  lab = { .id = "made", .title = "Made", .panels = panels, .n_panels = 2 };
  static const double points[] = { 0, 1, 4, 10, 20, 40 }, bars[] = { 0, 1, 2, 7, 8, 9 };
  static const struct
  {
    const char *id;
    double      at, value;
  } cases[] = {
    { "curve.y", 0.4, 10 }, { "curve.y", 0.6, 20 },          { "curve.y", -9, 10 },
    { "curve.y", 99, 40 },  { "curve.y", (double) NAN, 40 }, { "bars.y", 1, 7 },
    { "bars.y", 3, 9 },     { "bars.y", (double) NAN, 7 },
  };
  const SlQuestion question = { .answer = (char *) "curve.y", .from = 0, .to = 1 };
  double           sketch[SL_SKETCH_POINTS], value;
  SlSettings       settings = { 0 };
  SlRecord         record;
  SlStatus         status = sl_record_init (&record, &lab, &settings, 0);

  g_assert_true (sl_ok (&status));
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    sketch[i] = 12;
  g_assert_true (sl_lesson_channel (&record, "curve.y", 0, &value));
  g_assert_true (isnan (value) && isnan (sl_lesson_distance (&question, sketch, &record)));
  for (unsigned p = 0; p < 2; p++)
    {
      SlSnapshot snapshot = { .panel = p };

      memcpy (sl_snapshot_curve (&snapshot, (uint32_t) p, 3, false), p == 0 ? points : bars,
              sizeof points);
      g_assert_true (sl_record_show (&record, &snapshot));
      sl_snapshot_clear (&snapshot);
    }
  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_true (sl_lesson_channel (&record, cases[i].id, cases[i].at, &value));
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
  g_assert_true (sl_lesson_channel (&record, "bars.y", 0, &value) && isnan (value));
  g_assert_true (sl_lesson_channel (&record, "bars.y", 4, &value) && isnan (value));
  /* What lies beyond the question is not compared: (|10 - 12| + |20 - 12|) ÷ 2 */
  g_assert_cmpfloat (sl_lesson_distance (&question, sketch, &record), ==, 5);
  sl_lesson_curve (&question, &record, sketch);
  for (unsigned i = 0; i < SL_SKETCH_POINTS; i++)
    g_assert_cmpfloat (sketch[i], ==, 10.0 + 10.0 * i / (SL_SKETCH_POINTS - 1));
  sl_record_clear (&record);
}

/* A number of the clock stays one when it is kept, and what is kept from it. */
static void
test_timed (void)
{
  static const char text[]
    = "{ \"sluice-lesson\": 1, \"title\": \"T\", \"summary\": \"\", \"steps\": [\n"
      "  { \"title\": \"\", \"text\": \"\", \"lab\": \"experts\", \"keep\": { \"fast\": "
      "\"speed.parameters@2\", \"cost\": \"cost.executed\" } },\n"
      "  { \"title\": \"\", \"text\": \"\", \"keep\": { \"twice\": \"2 * fast\" } },\n"
      "  { \"title\": \"\", \"text\": \"\" } ] }";
  static const struct
  {
    unsigned    step;
    const char *formula;
    gboolean    timed;
  } rows[] = { { 0, "1 / speed.parameters@1", TRUE },
               { 0, "speed.parameters@1 / cost.executed", TRUE },
               { 0, "cost.executed", FALSE },
               { 1, "fast", TRUE },
               { 2, "100 * twice", TRUE },
               { 2, "cost + 1", FALSE },
               { 2, "answer", FALSE } };
  g_autoptr (GError) error = NULL;
  g_autoptr (SlLesson) lesson = sl_lesson_parse (text, strlen (text), "it", NULL, &error);

  g_assert_no_error (error);
  for (unsigned i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (sl_formula_is_timed (lesson, rows[i].step, rows[i].formula), ==,
                     rows[i].timed);
}

/* A name is that of a lesson of the program, a path that of a file. */
static void
test_names (void)
{
  g_autoptr (GFile) own = sl_lesson_file ("3-own"), beside = sl_lesson_file ("a.lesson");
  g_autoptr (GFile) path = sl_lesson_file ("/there/b");
  g_autofree char *uri = g_file_get_uri (own), *there = g_file_get_path (path);
  g_autofree char *name = g_file_get_basename (beside);
  g_autoptr (SlLesson) lesson = parse (whole), copy = sl_lesson_copy (lesson);
  g_autofree char *once = sl_lesson_write (lesson), *twice = sl_lesson_write (copy);

  g_assert_cmpstr (uri, ==, "resource:///org/sluice/Sluice/lessons/3-own.lesson");
  g_assert_cmpstr (there, ==, "/there/b");
  g_assert_cmpstr (name, ==, "a.lesson");
  g_assert_true (g_file_is_native (beside));
  g_assert_cmpstr (once, ==, twice);
}

/* A file is saved whole, and data of a relative name are looked for beside it. */
static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "own.lesson", NULL);
  g_autofree char *beside = g_build_filename (folder, "points.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (SlLesson) lesson = parse (whole);
  g_autoptr (SlLesson) again = NULL;
  SlLessonState state;

  g_assert_no_error (error);
  g_free (sl_lesson_step (lesson, 0)->data);
  sl_lesson_step (lesson, 0)->data = g_strdup ("./points.csv");
  g_assert_true (sl_lesson_save (lesson, path, &error));
  g_assert_no_error (error);
  again = sl_lesson_load (file, &error);
  g_assert_no_error (error);
  sl_lesson_state (again, 0, &state);
  g_assert_cmpstr (state.data, ==, beside);
  g_free (state.data);
  /* And so are files that are options of a source. */
  g_free (sl_lesson_step (again, 0)->data);
  sl_lesson_step (again, 0)->data = g_strdup ("pictures:style-file=points.csv,net=/there");
  sl_lesson_state (again, 0, &state);
  g_assert_true (g_str_has_suffix (state.data, ",net=/there"));
  g_assert_nonnull (strstr (state.data, "style-file=/"));
  g_assert_nonnull (strstr (state.data, beside));
  g_free (state.data);
  g_unlink (path);
  g_assert_null (sl_lesson_load (file, &error));
  g_assert_nonnull (strstr (error->message, "own.lesson"));
  g_rmdir (folder);
}

static bool
has_word (const char *text, const char *word)
{
  g_autofree char *escaped = g_regex_escape_string (word, -1);
  g_autofree char *pattern = g_strdup_printf ("\\b%s\\b", escaped);

  return g_regex_match_simple (pattern, text, G_REGEX_CASELESS, 0);
}

/* A question in the words of one measured curve is not marked by another one of the panel. */
static void
check_question (const SlLesson *lesson, unsigned i)
{
  const SlQuestion *question = &((SlLessonStep *) g_ptr_array_index (lesson->steps, i))->question;
  SlLessonState     state;
  SlStatus          status;
  g_auto (GStrv) id = NULL;
  const SlTrace *traces;
  int            panel;

  /* Of a place along x the words are those of the place. */
  if (question->kind != SL_ASK_NUMBER || question->answer == NULL
      || strchr (question->answer, '@') != NULL)
    return;
  status = sl_lesson_state (lesson, i, &state);
  g_assert_true (sl_ok (&status));
  g_free (state.data);
  id = g_strsplit (question->answer, ".", 3);
  panel = state.lab != NULL ? sl_lab_panel (state.lab, id[0]) : -1;
  traces = panel >= 0 ? state.lab->panels[panel].traces : NULL;
  for (unsigned t = 0; traces != NULL && id[1] != NULL && traces[t].id != NULL; t++)
    if (traces[t].style == SL_MEASURED && strcmp (traces[t].id, id[1]) != 0
        && has_word (question->prompt, traces[t].title) && !has_word (question->prompt, id[1]))
      g_error ("%s, step %u asks for \"%s\" and is marked by %s", lesson->title, i + 1,
               traces[t].title, question->answer);
}

/* The lessons of the program are read, and written they are the same. */
static void
test_built_in (void)
{
  g_auto (GStrv) names = sl_lesson_names ();
  unsigned n = 0, order = 0;

  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      g_autoptr (GFile) file = sl_lesson_file (*name);
      g_autoptr (SlLesson) lesson = sl_lesson_load (file, &error);
      g_autoptr (SlLesson) again = NULL;

      g_assert_no_error (error);
      text = sl_lesson_write (lesson);
      again = parse (text);
      g_assert_cmpuint (again->order, ==, lesson->order);
      g_assert_cmpuint (lesson->order, >, order); /* as the list has them */
      order = lesson->order;
      g_assert_cmpuint (again->steps->len, ==, lesson->steps->len);
      g_assert_cmpuint (lesson->steps->len, >=, 3);
      g_assert_cmpuint (lesson->steps->len, <=, 8);
      for (unsigned i = 0; i < lesson->steps->len; i++)
        check_question (lesson, i);
      n++;
    }
  g_assert_cmpuint (n, >=, 7);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/claims", test_claims);
  g_test_add_func ("/lesson/json", test_json);
  g_test_add_func ("/lesson/formulas", test_formulas);
  g_test_add_func ("/lesson/filled", test_filled);
  g_test_add_func ("/lesson/decimals", test_decimals);
  g_test_add_func ("/lesson/formula-limits", test_formula_limits);
  g_test_add_func ("/lesson/least", test_least);
  g_test_add_func ("/lesson/most", test_most);
  g_test_add_func ("/lesson/walk", test_walk);
  g_test_add_func ("/lesson/tallies", test_tallies);
  g_test_add_func ("/lesson/round-trip", test_round_trip);
  g_test_add_func ("/lesson/state", test_state);
  g_test_add_func ("/lesson/mistakes", test_mistakes);
  g_test_add_func ("/lesson/channels", test_channels);
  g_test_add_func ("/lesson/snapshots", test_snapshots);
  g_test_add_func ("/lesson/timed", test_timed);
  g_test_add_func ("/lesson/names", test_names);
  g_test_add_func ("/lesson/files", test_files);
  g_test_add_func ("/lesson/built-in", test_built_in);
  return g_test_run ();
}
