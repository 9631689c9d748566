/* SPDX-License-Identifier: MIT
 *
 * Two runs side by side: at the same update all the while, the same to the bit until one of them is
 * changed, and each of them what it is alone.  */
#include "core/run/group/pair.h"

#include "core/labs/registry.h"
#include "core/run/files/table.h"

static const SlLab *
lab (void)
{
  return sl_lab_find ("sign-estimator");
}

static void
settle (SlSession *session)
{
  while (sl_session_is_loading (session)
         || g_main_context_find_source_by_user_data (NULL, session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static SlSession *
like (void)
{
  SlSession *session = sl_session_new ();
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  status = sl_settings_set (&settings, lab ()->params, lab ()->n_params, "hidden", "24-16");
  g_assert_true (sl_ok (&status));
  sl_session_set_threads (session, 1);
  sl_session_start (session, lab (), &settings, "moons:points=300", 7, FALSE);
  settle (session);
  return session;
}

static void
wait_for_steps (SlPair *pair, uint64_t steps)
{
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    while (sl_session_info (sl_pair_session (pair, i))->step < steps)
      g_main_context_iteration (NULL, TRUE);
}

static void
set (SlSession *session, const char *id, const char *text)
{
  int      param = sl_param_find (lab ()->params, lab ()->n_params, id);
  SlValue  value;
  SlStatus status = sl_param_parse (&lab ()->params[param], text, &value);
  GError  *error = NULL;

  g_assert_true (sl_ok (&status));
  sl_session_set (session, id, &value, &error);
  g_assert_no_error (error);
}

static void
limit (SlPair *pair, uint64_t step)
{
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    sl_session_set_limit (sl_pair_session (pair, i), step);
}

static void
finish (SlPair *pair)
{
  for (unsigned i = 0; i < SL_PAIR_RUNS; i++)
    {
      SlSession *session = sl_pair_session (pair, i);

      while (sl_session_state (session) != SL_FINISHED || sl_session_is_loading (session))
        g_main_context_iteration (NULL, TRUE);
      settle (session);
    }
}

static char *
csv (SlPair *pair, unsigned which)
{
  return sl_table_csv (sl_session_record (sl_pair_session (pair, which)), 0.0, G_MAXDOUBLE);
}

/* What the run comes to that has nobody beside it. */
static char *
alone (SlSession *session)
{
  SlSession       *other = sl_session_new ();
  g_autofree char *json = sl_session_recipe (session);
  SlRecipe         recipe;
  char            *text;

  g_assert_true (sl_recipe_read (json, &recipe, NULL));
  sl_session_set_limit (other, sl_session_info (session)->step);
  sl_session_replay (other, &recipe, TRUE);
  while (sl_session_state (other) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  settle (other);
  text = sl_table_csv (sl_session_record (other), 0.0, G_MAXDOUBLE);
  sl_recipe_clear (&recipe);
  g_object_unref (other);
  return text;
}

static void
test_change (void)
{
  SlSession       *one = like ();
  SlPair          *pair = sl_pair_new (one, FALSE);
  g_autofree char *a = NULL, *b = NULL, *before_a = NULL, *before_b = NULL, *straight = NULL;

  limit (pair, 40);
  sl_pair_run (pair);
  finish (pair);
  before_a = csv (pair, 0);
  before_b = csv (pair, 1);
  g_assert_cmpstr (before_a, ==, before_b);
  g_assert_cmpuint (sl_session_info (one)->step, ==, 0);

  set (sl_pair_session (pair, 1), "learning-rate", "0.1");
  limit (pair, 120);
  sl_pair_run (pair);
  finish (pair);
  a = csv (pair, 0);
  b = csv (pair, 1);
  g_assert_cmpstr (a, !=, b);
  straight = alone (sl_pair_session (pair, 1));
  g_assert_cmpstr (b, ==, straight);
  g_object_unref (pair);
  g_object_unref (one);
}

/* However often they are paused and stepped, they differ by an update or two at most. */
static void
test_level (void)
{
  SlSession *one = like ();
  SlPair    *pair = sl_pair_new (one, TRUE);

  for (unsigned i = 1; i <= 20; i++)
    {
      uint64_t a, b;

      wait_for_steps (pair, 10 * i);
      if (i % 3 == 0)
        sl_pair_step (pair);
      else
        sl_pair_pause (pair);
      for (unsigned k = 0; k < SL_PAIR_RUNS; k++)
        settle (sl_pair_session (pair, k));
      a = sl_session_info (sl_pair_session (pair, 0))->step;
      b = sl_session_info (sl_pair_session (pair, 1))->step;
      g_assert_cmpuint (MAX (a, b) - MIN (a, b), <=, 2);
      sl_pair_run (pair);
    }
  g_object_unref (pair);
  g_object_unref (one);
}

/* Another network begins anew and catches up; another seed, and the way back, are for both. */
static void
test_restart (void)
{
  SlSession *one = like ();
  SlPair    *pair = sl_pair_new (one, TRUE);
  SlSession *a = sl_pair_session (pair, 0), *b = sl_pair_session (pair, 1);
  SlSettings settings;
  unsigned   generation;
  uint64_t   here;

  wait_for_steps (pair, 50);
  generation = sl_session_generation (b);
  set (b, "hidden", "12-8");
  while (sl_session_generation (b) == generation)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (sl_session_generation (a), ==, 1);
  here = sl_session_info (a)->step;
  wait_for_steps (pair, here + 20);

  settings = *sl_session_settings (b);
  sl_session_start (b, lab (), &settings, NULL, 8, TRUE);
  while (sl_session_seed (a) != 8 || sl_session_seed (b) != 8)
    g_main_context_iteration (NULL, TRUE);
  wait_for_steps (pair, 10);
  g_assert_cmpfloat (sl_session_settings (a)->value[0].v[0], !=, 12.0);

  sl_pair_pause (pair);
  sl_pair_rewind (pair);
  settle (a);
  settle (b);
  g_assert_cmpuint (sl_session_info (a)->step, ==, 0);
  g_assert_cmpuint (sl_session_info (b)->step, ==, 0);
  g_assert_cmpfloat (
    sl_session_settings (b)->value[sl_param_find (lab ()->params, lab ()->n_params, "hidden")].v[0],
    ==, 12.0);
  sl_pair_stop (pair);
  g_object_unref (pair);
  g_object_unref (one);
}

/* One that cannot go on does not keep the other one waiting. */
static void
test_over (void)
{
  SlSession *one = like ();
  SlPair    *pair = sl_pair_new (one, FALSE);

  sl_session_set_limit (sl_pair_session (pair, 1), 20);
  sl_pair_run (pair);
  while (sl_session_info (sl_pair_session (pair, 0))->step < 200
         || sl_session_state (sl_pair_session (pair, 1)) != SL_FINISHED)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (sl_session_info (sl_pair_session (pair, 1))->step, ==, 20);
  g_assert_cmpint (sl_session_state (sl_pair_session (pair, 1)), ==, SL_FINISHED);
  g_object_unref (pair);
  g_object_unref (one);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair/change", test_change);
  g_test_add_func ("/pair/level", test_level);
  g_test_add_func ("/pair/restart", test_restart);
  g_test_add_func ("/pair/over", test_over);
  return g_test_run ();
}
