/* SPDX-License-Identifier: MIT
 *
 * Moments of a run that are kept whole: when they are, that they are what the panels show then, and that the run does
 * not change by being looked at.  */
#include <math.h>
#include <string.h>

#include "core/run/again/again.h"
#include "core/run/again/kept.h"
#include "tests/core/labs/lab-run.h"

enum { UPDATES = 6, MOMENTS = 3 };

static const unsigned examples[] = { 0, 7, 3 };

static void
open_lab (Run *run, const SlLab *lab)
{
  assert_ok (lab_run_try (run, lab->id, sl_source_default_for (lab->data), ""));
}

static SlFrames *
new_frames (const SlLab *lab, unsigned most)
{
  g_autofree bool *wanted = g_new (bool, lab->n_panels);
  SlFrames        *frames;

  /* Costly surveys take their time in tests of their labs. */
  for (unsigned p = 0; p < lab->n_panels; p++)
    wanted[p] = lab->panels[p].kind == SL_ALIVE || sl_panel_is_series (lab->panels[p].kind);
  frames = sl_frames_new (lab, wanted, most, examples, G_N_ELEMENTS (examples));
  g_assert_nonnull (frames);
  return frames;
}

/* Trains while the lab has something to do; returns the updates made. */
static unsigned
train (Run *run, SlFrames *frames)
{
  unsigned i = 0;

  for (; i < UPDATES && !sl_trainer_ended (run->trainer, NULL); i++)
    {
      if (frames != NULL)
        assert_ok (sl_frames_offer (frames, run->trainer, (double) i / UPDATES));
      run_steps (run, 1);
    }
  if (frames != NULL)
    assert_ok (sl_frames_end (frames, run->trainer));
  return i;
}

static void
test_unchanged (gconstpointer lab)
{
  Run       plain, looked_at;
  SlFrames *frames = new_frames (lab, MOMENTS);

  open_lab (&plain, lab);
  open_lab (&looked_at, lab);
  train (&plain, NULL);
  train (&looked_at, frames);
  g_assert_cmpint (memcmp (plain.value, looked_at.value, sizeof plain.value), ==, 0);
  run_clear (&plain);
  run_clear (&looked_at);
  sl_frames_free (frames);
}

static void
assert_shown (Run *run, const SlFrames *frames, unsigned panel, unsigned view)
{
  const SlSnapshot *shot = sl_frames_at (frames, sl_frames_count (frames) - 1, panel, view);

  run->subject.example = examples[view];
  run->sink.subject = &run->subject;
  run_probe (run, run->lab->panels[panel].id);
  g_assert_nonnull (shot);
  g_assert_cmpuint (shot->step, ==, sl_trainer_steps (run->trainer));
  g_assert_cmpuint (shot->n_data, ==, run->snapshot.n_data);
  g_assert_cmpmem (shot->data, shot->n_data * sizeof *shot->data, run->snapshot.data,
                   run->snapshot.n_data * sizeof *shot->data);
  g_assert_cmpstr (shot->names, ==, run->snapshot.names);
}

static void
test_shown (gconstpointer data)
{
  const SlLab *lab = data;
  SlFrames    *frames = new_frames (lab, MOMENTS);
  Run          run;
  unsigned     made;

  open_lab (&run, lab);
  made = train (&run, frames);
  g_assert_cmpuint (sl_frames_step (frames, 0), ==, 0);
  g_assert_cmpuint (sl_frames_step (frames, sl_frames_count (frames) - 1), ==, made);
  for (unsigned i = 1; i < sl_frames_count (frames); i++)
    g_assert_cmpuint (sl_frames_step (frames, i), >, sl_frames_step (frames, i - 1));
  for (unsigned p = 0; p < lab->n_panels; p++)
    {
      bool alive = lab->panels[p].kind == SL_ALIVE;

      g_assert_cmpuint (sl_frames_views (frames, p), ==, alive ? G_N_ELEMENTS (examples) : 0);
      for (unsigned v = 0; alive && v < G_N_ELEMENTS (examples); v++)
        assert_shown (&run, frames, p, v);
    }
  run_clear (&run);
  sl_frames_free (frames);
}

/* As many as were asked for, evenly. */
static void
test_even (gconstpointer data)
{
  unsigned  most = GPOINTER_TO_UINT (data);
  SlFrames *frames;
  Run       run;

  open_lab (&run, sl_labs[0]);
  frames = new_frames (run.lab, most);
  g_assert_cmpuint (train (&run, frames), ==, UPDATES);
  g_assert_cmpuint (sl_frames_count (frames), ==, MIN (most, UPDATES + 1));
  for (unsigned i = 0; i < sl_frames_count (frames); i++)
    {
      double even = (double) i * UPDATES / (sl_frames_count (frames) - 1);

      g_assert_cmpfloat (fabs ((double) sl_frames_step (frames, i) - even), <=, 1.0);
    }
  /* There is one at this update already. */
  assert_ok (sl_frames_end (frames, run.trainer));
  g_assert_cmpuint (sl_frames_count (frames), ==, MIN (most, UPDATES + 1));
  run_clear (&run);
  sl_frames_free (frames);
}

/* A run that is stopped on its way has what there was until then, and its end. */
static void
test_stopped (void)
{
  SlFrames *frames;
  Run       run;

  open_lab (&run, sl_labs[0]);
  frames = new_frames (run.lab, 100);
  assert_ok (sl_frames_offer (frames, run.trainer, 0.0));
  run_steps (&run, 3);
  assert_ok (sl_frames_end (frames, run.trainer));
  g_assert_cmpuint (sl_frames_count (frames), ==, 2);
  g_assert_cmpuint (sl_frames_step (frames, 1), ==, 3);
  g_assert_null (sl_frames_at (frames, 2, 0, 0));
  g_assert_null (sl_frames_at (frames, 0, run.lab->n_panels, 0));
  run_clear (&run);
  sl_frames_free (frames);
}

/* Whatever share a run says that it has done, the last place is that of its end. */
static void
test_full (void)
{
  SlFrames *frames;
  Run       run;

  open_lab (&run, sl_labs[0]);
  frames = new_frames (run.lab, 3);
  for (unsigned i = 0; i < 5; i++)
    {
      assert_ok (sl_frames_offer (frames, run.trainer, i == 0 ? 0.0 : 1.0));
      run_steps (&run, 1);
    }
  assert_ok (sl_frames_end (frames, run.trainer));
  g_assert_cmpuint (sl_frames_count (frames), ==, 3);
  g_assert_cmpuint (sl_frames_step (frames, 2), ==, 5);
  run_clear (&run);
  sl_frames_free (frames);
}

/* Moments that something else kept are frames of the one picture, as it is kept: within 1/255. */
static void
test_kept (void)
{
  SlMoments *moments = sl_moments_new ();
  SlFrames  *frames;
  Run        run;
  int        panel;

  open_lab (&run, sl_labs[0]);
  panel = sl_lab_picture (run.lab);
  g_assert_null (sl_kept_frames (run.lab, moments));
  for (unsigned i = 0; i < 3; i++)
    {
      run_steps (&run, 2);
      run_probe (&run, run.lab->panels[panel].id);
      run.snapshot.step = sl_trainer_steps (run.trainer);
      assert_ok (sl_moments_add (moments, &run.snapshot));
    }
  {
    g_autoptr (GBytes) stored = sl_moments_save (moments);

    frames = sl_kept_frames_stored (run.lab, stored);
  }
  g_assert_cmpuint (sl_frames_count (frames), ==, 3);
  for (unsigned i = 0; i < 3; i++)
    g_assert_cmpuint (sl_frames_step (frames, i), ==, 2 * (i + 1));
  {
    const SlSnapshot *last = sl_frames_at (frames, 2, (unsigned) panel, 0);

    g_assert_cmpuint (last->n_data, ==, run.snapshot.n_data);
    for (size_t i = 0; i < last->n_data; i++)
      g_assert_cmpfloat (fabs (last->data[i] - run.snapshot.data[i]), <=, 0.5 / 255.0 + 1e-9);
    /* One that is not later has no place. */
    g_assert_cmpint (sl_frames_keep (frames, (unsigned) panel, last).code, ==, SL_EINVAL);
  }
  sl_frames_free (frames);
  sl_moments_free (moments);
  run_clear (&run);
}

/* ---- a run once more ---- */

static bool
go_on (void *data, double done)
{
  unsigned *asked = data;

  g_assert_cmpfloat (done, >=, 0.0);
  g_assert_cmpfloat (done, <=, 1.0);
  return asked == NULL || (*asked)-- > 0;
}

static void
make_run (SlPlan *plan, SlHeadlessRun *run, const SlLab *lab)
{
  int             param = sl_param_find (lab->params, lab->n_params, "learning-rate");
  SlPlannedChange change = { .when = 3, .param = (unsigned) param, .value = { 1, { 0.004 } } };

  g_assert_cmpint (param, >=, 0);
  sl_plan_init (plan, lab);
  plan->data = g_strdup (sl_source_default_for (lab->data));
  plan->budget.steps = UPDATES;
  plan->threads = 1;
  g_array_append_val (plan->changes, change);
  assert_ok (sl_headless_open (run, plan, NULL));
  assert_ok (sl_headless_train (run, NULL, NULL));
}

/* It is the same run, with its changes, and has moments. */
static void
test_again (void)
{
  const SlLab     *lab = sl_labs[1];
  g_autofree bool *wanted = g_new0 (bool, lab->n_panels);
  SlPlan           plan;
  SlHeadlessRun    run;
  SlAgain          again;
  unsigned         asked = 2;

  wanted[sl_lab_picture (lab)] = true;
  make_run (&plan, &run, lab);
  assert_ok (sl_again_make (&again, &run.recipe, wanted, 3, go_on, NULL));
  g_assert_cmpuint (sl_frames_count (again.frames), ==, 3);
  g_assert_cmpuint (sl_frames_step (again.frames, 2), ==, UPDATES);
  for (unsigned c = 0; c < run.record.layout.n; c++)
    {
      const SlSeries *is = &again.run.record.series[c], *was = &run.record.series[c];

      g_assert_cmpmem (is->value, is->n * sizeof *is->value, was->value,
                       was->n * sizeof *was->value);
    }
  sl_again_clear (&again);
  /* Stopped on its way. */
  g_assert_cmpint (sl_again_make (&again, &run.recipe, wanted, 3, go_on, &asked).code, ==,
                   SL_ECANCELLED);
  sl_again_clear (&again);
  /* Of other data there is no same run. */
  run.recipe.data_hash ^= 1;
  g_assert_cmpint (sl_again_make (&again, &run.recipe, wanted, 3, go_on, NULL).code, ==, SL_EINVAL);
  sl_again_clear (&again);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      g_autofree char *unchanged = g_strdup_printf ("/frames/unchanged/%s", sl_labs[i]->id);
      g_autofree char *shown = g_strdup_printf ("/frames/shown/%s", sl_labs[i]->id);

      g_test_add_data_func (unchanged, sl_labs[i], test_unchanged);
      g_test_add_data_func (shown, sl_labs[i], test_shown);
    }
  g_test_add_data_func ("/frames/even/two", GUINT_TO_POINTER (2), test_even);
  g_test_add_data_func ("/frames/even/five", GUINT_TO_POINTER (5), test_even);
  g_test_add_data_func ("/frames/even/all", GUINT_TO_POINTER (200), test_even);
  g_test_add_func ("/frames/stopped", test_stopped);
  g_test_add_func ("/frames/full", test_full);
  g_test_add_func ("/frames/kept", test_kept);
  g_test_add_func ("/frames/again", test_again);
  return g_test_run ();
}
