/* SPDX-License-Identifier: MIT
 *
 * Whether a recording keeps to what is expected of it.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/command/expect.h"

static const SlTraceLine lines[] = {
  { .balance = { .cv = 0.1, .gini = 0.1, .dead = 6, .chance = { .floor = NAN } },
    .lru = NAN,
    .recall = NAN,
    .dropped = 0.01 },
  { .balance = { .cv = 0.30001, .gini = 0.4, .dead = 5, .chance = { .floor = NAN } },
    .lru = NAN,
    .recall = 0.5,
    .dropped = 0.02 },
  { .balance = { .cv = 0.2, .gini = 0.3, .dead = 4, .chance = { .floor = NAN } },
    .lru = NAN,
    .recall = 0.7,
    .dropped = 0.089 },
};

static GArray *
read_all (const char *text, gboolean good)
{
  GArray  *all = g_array_new (FALSE, FALSE, sizeof (SlExpectation));
  SlStatus status = sl_trace_expect_read (text, all);

  if (sl_ok (&status) != good)
    g_error ("“%s” is %sread", text, good ? "not " : "");
  if (!good)
    g_assert_cmpint (status.code, ==, SL_EINVAL);
  return all;
}

static void
test_expect_words (void)
{
  static const char *const wrong[]
    = { "",      "cv",  "cv<",     "cv<x",     "cv<nan", "cv<inf",  "cv<0.3,",  "cv!0.3",
        "cvs<1", "c<1", "cv<0.3%", "dead=0%%", "cv<1 2", "cv <> 2", "tokens>5%" };
  g_autoptr (GArray) all
    = read_all (" cv<0.3 ,dead == 0%, dropped <=1e-2, lru>=.5, recall > -1 %", TRUE);
  static const SlExpectHow how[]
    = { SL_EXPECT_LESS, SL_EXPECT_EQUAL, SL_EXPECT_AT_MOST, SL_EXPECT_AT_LEAST, SL_EXPECT_MORE };

  g_assert_cmpuint (all->len, ==, 5);
  for (unsigned i = 0; i < 5; i++)
    {
      g_assert_true (g_array_index (all, SlExpectation, i).how == how[i]);
      g_assert_true (g_array_index (all, SlExpectation, i).percent == (i == 1 || i == 4));
    }
  g_assert_cmpfloat (g_array_index (all, SlExpectation, 2).bound, ==, 0.01);
  for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_array_unref (read_all (wrong[i], FALSE));
}

static void
test_expect (void)
{
  static const struct
  {
    const char *text;
    unsigned    layers, failing, worst;
  } cases[] = { { "cv<0.30001", 3, 1, 1 },    { "cv<=0.30001", 3, 0, 0 }, { "cv=0.2", 3, 2, 1 },
                { "gini>0.1", 3, 1, 0 },      { "gini>=0.1", 3, 0, 0 },   { "dead<10%", 3, 0, 0 },
                { "dead<6%", 3, 1, 0 },       { "dead<5", 3, 2, 0 },      { "dropped<1%", 3, 3, 2 },
                { "dropped<=0.01", 3, 2, 2 }, { "recall>0.4", 2, 0, 0 },  { "recall>60%", 2, 1, 1 },
                { "recall>=0.9", 2, 2, 1 },   { "lru>0", 0, 0, 0 },       { "chance<1", 0, 0, 0 },
                { "excess<1", 0, 0, 0 },      { "tokens>=0", 0, 0, 0 } };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) one = read_all (cases[i].text, TRUE);
      SlExpectResult result
        = sl_trace_expect (&g_array_index (one, SlExpectation, 0), 3, 100, lines);

      if (result.layers != cases[i].layers || result.failing != cases[i].failing
          || result.worst != cases[i].worst)
        g_error ("%s: %u of %u, %u", cases[i].text, result.failing, result.layers, result.worst);
      g_assert_true (sl_trace_expect_holds (&result)
                     == (cases[i].layers > 0 && cases[i].failing == 0));
    }
}

/* The figure that is shown is beyond the bound. */
static void
test_expect_sentence (void)
{
  static const char *const texts[] = { "cv<0.3", "dropped<1%", "dead<5%", "lru>0" };
  static const char *const parts[][3] = { { "layer 7:", "0.30001", "(in 1 of 3 layers)" },
                                          { "layer 9:", "8.9 %", "< 1 %" },
                                          { "layer 4:", " 6 %", "< 5 %" },
                                          { "no layer", "lru", "> 0" } };
  SlRoutingLayer           layer[3]
    = { { .number = 4, .mtp = -1 }, { .number = 7, .mtp = -1 }, { .number = 9, .mtp = -1 } };
  SlRouting routing = { .experts = 100, .n_layers = 3, .layer = layer };

  for (unsigned i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GArray) one = read_all (texts[i], TRUE);
      const SlExpectation *e = &g_array_index (one, SlExpectation, 0);
      SlExpectResult       result = sl_trace_expect (e, 3, 100, lines);
      g_autofree char     *sentence = sl_trace_expect_sentence (e, &result, &routing, lines);

      for (unsigned p = 0; p < 3; p++)
        if (strstr (sentence, parts[i][p]) == NULL)
          g_error ("no %s in %s", parts[i][p], sentence);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expect/words", test_expect_words);
  g_test_add_func ("/expect/layers", test_expect);
  g_test_add_func ("/expect/sentence", test_expect_sentence);
  return g_test_run ();
}
