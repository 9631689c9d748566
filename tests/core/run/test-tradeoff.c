/* SPDX-License-Identifier: MIT
 *
 * The front of cost and error, its knee, what was varied, and costs, against numbers by hand. */
#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/tradeoff/cost.h"
#include "core/run/tradeoff/tradeoff.h"

static void
assert_order (const unsigned *order, const unsigned *expected, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    g_assert_cmpuint (order[i], ==, expected[i]);
}

static void
test_front (void)
{
  SlTradeoff setting[] = {
    { 4, 1.0, false, true },     /* the good end */
    { 1, 9.0, false, true },     /* the cheap end */
    { 2, 2.0, false, false },    /* the knee */
    { 2, 3.0, true, true },      /* as cheap as the knee, and worse */
    { 3, 2.0, true, true },      /* as good as the knee, and dearer */
    { NAN, 0.5, true, true },    /* without a cost */
    { 2, 2.0, false, false },    /* the same as the knee */
    { 0, INFINITY, true, true }, /* without an error */
    { 5, 1.0, true, false },     /* dearer than the good end */
  };
  const unsigned expected[] = { 1, 2, 6, 3, 4, 0, 8, 5, 7 };
  const bool     best[] = { true, true, true, false, false, false, true, false, false };
  unsigned       order[G_N_ELEMENTS (setting)];

  sl_tradeoff_front (setting, G_N_ELEMENTS (setting), order);
  assert_order (order, expected, G_N_ELEMENTS (setting));
  for (unsigned i = 0; i < G_N_ELEMENTS (setting); i++)
    {
      g_assert_cmpint (setting[i].best, ==, best[i]);
      g_assert_cmpint (setting[i].knee, ==, i == 2);
    }
}

/* A straight front and one that bends up have no knee; nor has a single point, nor none. */
static void
test_no_knee (void)
{
  SlTradeoff straight[]
    = { { 1, 3, false, false }, { 2, 2, false, false }, { 3, 1, false, false } };
  SlTradeoff bent[] = { { 1, 3, false, false }, { 2, 2.5, false, false }, { 3, 1, false, false } };
  SlTradeoff none[] = { { NAN, NAN, true, true } };

  sl_tradeoff_front (straight, 3, NULL);
  sl_tradeoff_front (bent, 3, NULL);
  for (unsigned i = 0; i < 3; i++)
    {
      g_assert_true (straight[i].best && bent[i].best);
      g_assert_false (straight[i].knee || bent[i].knee);
    }
  sl_tradeoff_front (straight, 1, NULL);
  g_assert_true (straight[0].best && !straight[0].knee);
  sl_tradeoff_front (none, 1, NULL);
  g_assert_false (none[0].best || none[0].knee);
  sl_tradeoff_front (NULL, 0, NULL);
}

/* Free with free(). */
static SlPacked *
packed (const SlLab *lab, const char *words)
{
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set_words (&settings, lab->params, lab->n_params, words);
  g_assert_true (sl_ok (&status));
  return sl_settings_pack (&settings, lab->params, lab->n_params);
}

static void
test_varied (void)
{
  const SlLab     *lab = sl_lab_find ("experts");
  SlPacked        *a = packed (lab, ""), *b = packed (lab, "k=3"), *c = packed (lab, "batch=17");
  const SlPacked  *same[] = { a, a, a }, *all[] = { a, b, c };
  unsigned         varied[SL_PARAMS_MAX], n;
  g_autofree char *named = NULL, *short_text = NULL, *empty = NULL;

  g_assert_cmpuint (sl_tradeoff_varied (lab, same, 3, varied), ==, 0);
  empty = sl_tradeoff_text (lab, a, varied, 0, true);
  g_assert_cmpstr (empty, ==, "");

  g_assert_cmpuint (sl_tradeoff_varied (lab, all + 1, 1, varied), ==, 0);
  n = sl_tradeoff_varied (lab, all, 3, varied);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (varied[0], <, varied[1]);
  named = sl_tradeoff_text (lab, c, varied, n, true);
  short_text = sl_tradeoff_text (lab, c, varied, n, false);
  g_test_message ("%s; %s", named, short_text);
  g_assert_nonnull (strstr (named, "batch 17"));
  g_assert_nonnull (strstr (named, "k "));
  g_assert_nonnull (strstr (named, ", "));
  g_assert_null (strstr (short_text, "batch"));
  g_assert_nonnull (strstr (short_text, "17"));
  free (a);
  free (b);
  free (c);
}

/* Each cost has a word, which is found again, and a value and an axis of its own. */
static void
test_costs (void)
{
  const SlLab    *lab = sl_lab_find ("experts");
  const SlOutcome outcome = { .executed = 1, .expected = 2, .timed = 3, .parameters = 4 };

  for (SlCost cost = 0; cost < SL_N_COSTS; cost++)
    {
      g_assert_cmpint (sl_cost_find (sl_cost_id (cost)), ==, cost);
      g_assert_cmpfloat (sl_cost_of (&outcome, cost), ==, cost + 1);
      g_assert_cmpstr (sl_cost_axis (lab, cost).unit, ==,
                       cost == SL_COST_PARAMETERS ? "thousand" : "% of dense");
    }
  g_assert_cmpint (sl_cost_find ("predicted"), ==, -1);
  g_assert_true (sl_cost_is_of (lab, SL_COST_EXECUTED));
  g_assert_false (sl_cost_is_of (sl_lab_find ("style"), SL_COST_EXECUTED));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tradeoff/front", test_front);
  g_test_add_func ("/tradeoff/no-knee", test_no_knee);
  g_test_add_func ("/tradeoff/varied", test_varied);
  g_test_add_func ("/tradeoff/costs", test_costs);
  return g_test_run ();
}
