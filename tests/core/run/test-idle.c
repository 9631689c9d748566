/* SPDX-License-Identifier: MIT
 *
 * Runs that were left for another lab: which are kept, which give way, and for whom they serve; and data that several
 * runs share.  */
#include "core/run/session/idle.h"

#include <string.h>

#include "core/data/source/source.h"
#include "tests/core/run/walk-lab.h"

enum { LABS = SL_IDLE_MOST + 1 };

static SlLab each_lab[LABS];

/* Data that say they are so large. */
static SlSharedData *
make_data (const char *spec, size_t megabytes)
{
  SlSharedData *data = g_new0 (SlSharedData, 1);
  SlStatus      status = sl_source_open (spec, &data->set);

  g_assert_true (sl_ok (&status));
  data->spec = g_strdup (spec);
  data->users = 1;
  if (megabytes > 0)
    {
      memset (data->set->n, 0, sizeof data->set->n);
      data->set->n[SL_VALID] = (megabytes << 20) / data->set->features / sizeof (sl_real);
    }
  return data;
}

static SlRun *
make_run (const SlLab *lab, uint64_t seed, SlSharedData *data)
{
  SlRun     *run = g_new0 (SlRun, 1);
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_trainer_new (&run->trainer, &sl_walk_lab, &settings, NULL, seed);
  g_assert_true (sl_ok (&status));
  sl_recipe_init (&run->plan, lab, &settings, NULL, seed);
  run->lab = lab;
  run->data = data != NULL ? sl_shared_data_use (data) : NULL;
  return run;
}

/* One for each lab, the newest first, and the oldest gives way. */
static void
test_most (void)
{
  SlIdle idle = { .n = 0 };
  SlRun *again;

  for (unsigned i = 0; i < LABS; i++)
    {
      sl_idle_put (&idle, make_run (&each_lab[i], 1, NULL));
      g_assert_cmpuint (idle.n, ==, MIN (i + 1, SL_IDLE_MOST));
      g_assert_true (idle.run[0]->lab == &each_lab[i]);
    }
  g_assert_true (idle.run[SL_IDLE_MOST - 1]->lab == &each_lab[1]);
  again = make_run (&each_lab[5], 2, NULL);
  sl_idle_put (&idle, again);
  g_assert_cmpuint (idle.n, ==, SL_IDLE_MOST);
  g_assert_true (idle.run[0] == again);
  for (unsigned i = 1; i < idle.n; i++)
    g_assert_true (idle.run[i]->lab != &each_lab[5]);
  sl_idle_clear (&idle);
  g_assert_cmpuint (idle.n, ==, 0);
}

/* Data that several use count once; what does not fit beside newer runs goes. */
static void
test_room (void)
{
  SlSharedData *large = make_data ("moons:points=200", 300),
               *other = make_data ("moons:points=210", 300);
  SlSharedData *huge = make_data ("moons:points=220", 500),
               *small = make_data ("moons:points=230", 100);
  SlIdle idle = { .n = 0 };

  sl_idle_put (&idle, make_run (&each_lab[0], 1, large));
  sl_idle_put (&idle, make_run (&each_lab[1], 1, large));
  g_assert_cmpuint (idle.n, ==, 2);
  g_assert_cmpuint (large->users, ==, 3);
  sl_idle_put (&idle, make_run (&each_lab[2], 1, small));
  g_assert_cmpuint (idle.n, ==, 3);
  sl_idle_put (&idle, make_run (&each_lab[3], 1, other)); /* 300 + 100, and no room for 300 more */
  g_assert_cmpuint (idle.n, ==, 2);
  g_assert_true (idle.run[0]->lab == &each_lab[3] && idle.run[1]->lab == &each_lab[2]);
  g_assert_cmpuint (large->users, ==, 1);
  sl_idle_put (&idle, make_run (&each_lab[4], 1, huge));
  g_assert_cmpuint (idle.n, ==, 2);
  g_assert_cmpuint (huge->users, ==, 1);
  g_assert_true (sl_idle_data (&idle, "moons:points=230") == small);
  g_assert_true (sl_idle_data (&idle, other->set->id) == other);
  g_assert_null (sl_idle_data (&idle, "moons:points=220"));
  sl_idle_clear (&idle);
  g_assert_cmpuint (small->users, ==, 1);
  sl_shared_data_leave (large);
  sl_shared_data_leave (other);
  sl_shared_data_leave (huge);
  sl_shared_data_leave (small);
}

static SlRequest *
request_for (const SlLab *lab, uint64_t seed, SlSharedData *data, SlTrainer *trainer)
{
  SlSettings  settings;
  SlRequest  *request;
  SlStoredRun stored = { .uuid = "" };

  sl_settings_default (&settings, lab->params, lab->n_params);
  request = sl_request_new (lab, &settings, seed, 1, true);
  if (data != NULL)
    request->data = sl_shared_data_use (data);
  if (trainer != NULL)
    {
      SlStatus status = sl_trainer_save (trainer, &stored.checkpoint);

      g_assert_true (sl_ok (&status));
    }
  request->stored = sl_stored_run_share (&stored);
  g_assert_null (stored.checkpoint.data);
  return request;
}

/* Only for a stored run of this lab, seed and data, which has a state to go on from. */
static void
test_take (void)
{
  SlSharedData *data = make_data ("moons:points=200", 0),
               *other = make_data ("moons:points=210", 0);
  SlIdle     idle = { .n = 0 };
  SlRun     *run = make_run (&each_lab[0], 7, data), *taken;
  SlRequest *wrong[5], *right = request_for (&each_lab[0], 7, data, run->trainer);

  each_lab[0].data = SL_NEEDS_PLANE;
  sl_idle_put (&idle, make_run (&each_lab[1], 7, data));
  sl_idle_put (&idle, run);
  wrong[0] = request_for (&each_lab[2], 7, data, run->trainer);
  wrong[1] = request_for (&each_lab[0], 8, data, run->trainer);
  wrong[2] = request_for (&each_lab[0], 7, other, run->trainer);
  wrong[3] = request_for (&each_lab[0], 7, data, NULL);
  wrong[4] = request_for (&each_lab[0], 7, data, run->trainer);
  sl_request_drop_stored (wrong[4]);
  g_assert_null (wrong[4]->stored);
  for (unsigned i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_null (sl_idle_take (&idle, wrong[i]));
      g_assert_cmpuint (idle.n, ==, 2);
      sl_request_free (wrong[i]);
    }
  taken = sl_idle_take (&idle, right);
  g_assert_true (taken == run);
  g_assert_cmpuint (idle.n, ==, 1);
  g_assert_null (sl_idle_take (&idle, right));
  sl_run_free (taken);
  sl_request_free (right);
  /* A lab that needs no data serves whatever data there are. */
  right = request_for (&each_lab[1], 7, other, idle.run[0]->trainer);
  taken = sl_idle_take (&idle, right);
  g_assert_nonnull (taken);
  sl_run_free (taken);
  sl_request_free (right);
  each_lab[0].data = SL_NEEDS_NOTHING;
  g_assert_cmpuint (data->users, ==, 1);
  g_assert_cmpuint (other->users, ==, 1);
  sl_shared_data_leave (data);
  sl_shared_data_leave (other);
}

static void
test_shared (void)
{
  SlSharedData *data = make_data ("moons:points=200", 0), nothing = { .spec = NULL };
  SlSharedData  file = { .set = data->set, .spec = (char *) "points.csv" };
  SlSharedData  unknown = { .set = data->set, .spec = (char *) "moons:noise=none" };
  SlSharedData  chosen = { .set = data->set, .spec = (char *) "pictures:style-file=/a.png" };
  size_t        n = data->set->n[SL_TRAIN];

  g_assert_cmpuint (sl_shared_data_bytes (NULL), ==, 0);
  g_assert_cmpuint (sl_shared_data_bytes (&nothing), ==, 0);
  g_assert_cmpuint (sl_shared_data_bytes (data), ==, 200 * 2 * sizeof (sl_real));
  g_assert_true (sl_shared_data_is (data, "moons:points=200"));
  g_assert_true (sl_shared_data_is (data, data->set->id));
  g_assert_false (sl_shared_data_is (data, "moons"));
  g_assert_false (sl_shared_data_is (NULL, "moons"));
  g_assert_true (sl_shared_data_can_keep (data));
  g_assert_false (sl_shared_data_can_keep (&nothing));
  g_assert_false (sl_shared_data_can_keep (&file));
  g_assert_false (sl_shared_data_can_keep (&unknown));
  g_assert_false (sl_shared_data_can_keep (&chosen));
  data->set->n[SL_TRAIN] = ((size_t) 256 << 20) / 2 / sizeof (sl_real) - (200 - n);
  g_assert_true (sl_shared_data_can_keep (data));
  data->set->n[SL_TRAIN]++;
  g_assert_false (sl_shared_data_can_keep (data));
  sl_shared_data_leave (NULL);
  sl_shared_data_use (data);
  sl_shared_data_leave (data);
  g_assert_cmpuint (data->users, ==, 1);
  sl_shared_data_leave (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; i < LABS; i++)
    each_lab[i] = sl_walk_lab;
  g_test_add_func ("/idle/most", test_most);
  g_test_add_func ("/idle/room", test_room);
  g_test_add_func ("/idle/take", test_take);
  g_test_add_func ("/idle/shared", test_shared);
  return g_test_run ();
}
