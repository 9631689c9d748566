/* SPDX-License-Identifier: MIT
 *
 * The ring of checkpoints: never more than it may hold, always one to go back to.  */
#include "core/run/record/history.h"

#include "tests/core/run/walk-lab.h"
#include "tests/support/close.h"

static SlTrainer *
make_trainer (void)
{
  SlSettings settings;
  SlTrainer *trainer;
  SlStatus   status;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  status = sl_trainer_new (&trainer, &sl_walk_lab, &settings, NULL, 1);
  g_assert_true (sl_ok (&status));
  return trainer;
}

static void
advance (SlTrainer *trainer, SlHistory *history, unsigned steps)
{
  static const SlLayout layout;
  SlSink                nobody = { .layout = &layout };
  SlStatus              status;

  for (unsigned i = 0; i < steps; i++)
    {
      status = sl_trainer_step (trainer, &nobody);
      g_assert_true (sl_ok (&status));
    }
  status = sl_history_save (history, trainer);
  g_assert_true (sl_ok (&status));
}

static void
check_order (const SlHistory *history)
{
  for (unsigned i = 1; i < history->n; i++)
    g_assert_cmpuint (history->checkpoint[i].step, >, history->checkpoint[i - 1].step);
}

static void
test_ring (void)
{
  SlHistory           history = { .budget = 1 << 20 };
  SlTrainer          *trainer = make_trainer ();
  const SlCheckpoint *checkpoint;

  g_assert_null (sl_history_rewind (&history, 5));
  advance (trainer, &history, 0);
  for (unsigned i = 0; i < 200; i++)
    {
      advance (trainer, &history, 10);
      check_order (&history);
      g_assert_cmpuint (history.n, ==, MIN (i + 2, SL_HISTORY_MAX));
      g_assert_cmpuint (history.checkpoint[0].step, ==, 0);
      g_assert_cmpuint (history.checkpoint[history.n - 1].step, ==, 10 * (i + 1));
    }
  /* Dense near the present: one step back is a short one, and the gaps grow with age. */
  g_assert_cmpuint (history.checkpoint[history.n - 2].step, >=, 2000 - 100);
  g_assert_cmpuint (history.checkpoint[3].step, >, 100);

  checkpoint = sl_history_rewind (&history, 1995);
  g_assert_cmpuint (checkpoint->step, <=, 1995);
  g_assert_cmpuint (checkpoint->step, >=, 1800);
  g_assert_true (checkpoint == &history.checkpoint[history.n - 1]); /* later ones are forgotten */
  checkpoint = sl_history_rewind (&history, 0);
  g_assert_cmpuint (checkpoint->step, ==, 0);
  g_assert_cmpuint (history.n, ==, 1);
  sl_history_clear (&history);
  sl_trainer_free (trainer);
}

static void
test_budget (void)
{
  SlHistory  history = { .budget = 1 << 20 };
  SlTrainer *trainer = make_trainer ();
  size_t     one;

  advance (trainer, &history, 0);
  one = history.checkpoint[0].bytes;
  g_assert_cmpuint (one, >, 0);
  for (unsigned room = 1; room <= 4; room++)
    {
      sl_history_clear (&history);
      history.budget = room * one + one / 2;
      for (unsigned i = 0; i < 20; i++)
        {
          size_t bytes = 0;

          advance (trainer, &history, 3);
          check_order (&history);
          for (unsigned k = 0; k < history.n; k++)
            bytes += history.checkpoint[k].bytes;
          g_assert_cmpuint (bytes, <=, history.budget);
          g_assert_cmpuint (history.n, ==, MIN (i + 1, room));
          g_assert_cmpuint (history.checkpoint[history.n - 1].step, ==, sl_trainer_steps (trainer));
        }
    }

  /* One that is too large is refused, and none is kept; no budget, no checkpoints, no error. */
  sl_history_clear (&history);
  history.budget = one - 1;
  SlStatus status = sl_history_save (&history, trainer);
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  g_assert_cmpuint (history.n, ==, 0);
  history.budget = 0;
  advance (trainer, &history, 1);
  g_assert_cmpuint (history.n, ==, 0);
  sl_trainer_free (trainer);
}

/* A state that is already lost is no place to go back to. */
static void
test_not_finite (void)
{
  SlHistory  history = { .budget = 1 << 20 };
  SlTrainer *trainer = make_trainer ();

  advance (trainer, &history, 5);
  sl_trainer_weights (trainer).data[1] = (sl_real) NAN;
  g_assert_true (isnan (sl_trainer_weights (trainer).data[1]));
  advance (trainer, &history, 0);
  g_assert_cmpuint (history.n, ==, 1);
  sl_history_clear (&history);
  sl_trainer_free (trainer);
}

static void
test_dispensable (void)
{
  static const uint64_t even[] = { 0, 10, 20, 30 }, close[] = { 0, 50, 52, 54, 100 };
  static const uint64_t two[] = { 3, 7 }, twins[] = { 0, 10, 10, 10, 20 };
  static const uint64_t near[] = { 0, 2, 3, 4 }; /* 3 of 7 updates, and 2 of 5 */

  /* Of equal gaps the one long ago, of others the smallest for its age. */
  g_assert_cmpuint (sl_history_dispensable (even, 4, 30), ==, 1);
  g_assert_cmpuint (sl_history_dispensable (even, 4, 100000), ==, 1);
  g_assert_cmpuint (sl_history_dispensable (close, 5, 100), ==, 2);
  g_assert_cmpuint (sl_history_dispensable (close, 3, 54), ==, 1);
  g_assert_cmpuint (sl_history_dispensable (near, 4, 6), ==, 2);
  g_assert_cmpuint (sl_history_dispensable (two, 2, 7), ==, 0);
  g_assert_cmpuint (sl_history_dispensable (two, 1, 7), ==, 0);
  g_assert_cmpuint (sl_history_dispensable (twins, 5, 20), ==, 2);
}

/* The latest at or before a step; before all of them the first. */
static void
test_find (void)
{
  SlHistory  history = { .budget = 1 << 20 };
  SlTrainer *trainer = make_trainer ();

  g_assert_null (sl_history_find (&history, 0));
  for (unsigned i = 0; i < 3; i++)
    advance (trainer, &history, 10);
  g_assert_cmpuint (sl_history_find (&history, 9)->step, ==, 10);
  g_assert_cmpuint (sl_history_find (&history, 10)->step, ==, 10);
  g_assert_cmpuint (sl_history_find (&history, 19)->step, ==, 10);
  g_assert_cmpuint (sl_history_find (&history, 20)->step, ==, 20);
  g_assert_cmpuint (sl_history_find (&history, 29)->step, ==, 20);
  g_assert_cmpuint (sl_history_find (&history, UINT64_MAX)->step, ==, 30);
  g_assert_cmpuint (history.n, ==, 3);
  g_assert_cmpuint (sl_history_rewind (&history, 25)->step, ==, 20);
  g_assert_cmpuint (history.n, ==, 2);
  sl_history_clear (&history);
  g_assert_cmpuint (history.budget, ==, 1 << 20);
  sl_trainer_free (trainer);
}

/* The newest go along, as far as the budget goes, and to the byte. */
static void
test_take (void)
{
  SlTrainer *trainer = make_trainer ();
  size_t     one;

  for (unsigned room = 0; room <= 4; room++)
    {
      SlHistory from = { .budget = 1 << 20 }, to = { .budget = 1 << 20 };

      advance (trainer, &to, 1);
      one = to.checkpoint[0].bytes;
      to.budget = room * one;
      for (unsigned i = 0; i < 3; i++)
        advance (trainer, &from, 10);

      uint64_t newest = from.checkpoint[2].step;

      sl_history_take (&to, &from);
      g_assert_cmpuint (from.n, ==, 0);
      g_assert_cmpuint (to.n, ==, MIN (room, 3));
      check_order (&to);
      for (unsigned i = 0; i < to.n; i++)
        g_assert_cmpuint (to.checkpoint[i].step, ==, newest - 10 * (to.n - 1 - i));
      sl_history_clear (&to);
    }
  sl_trainer_free (trainer);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/ring", test_ring);
  g_test_add_func ("/history/budget", test_budget);
  g_test_add_func ("/history/not-finite", test_not_finite);
  g_test_add_func ("/history/dispensable", test_dispensable);
  g_test_add_func ("/history/find", test_find);
  g_test_add_func ("/history/take", test_take);
  return g_test_run ();
}
