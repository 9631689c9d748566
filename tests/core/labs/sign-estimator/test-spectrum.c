/* SPDX-License-Identifier: MIT
 *
 * The picture of singular values says from where on rounding hides them, and only where it does.  */
#include "tests/core/labs/lab-run.h"
#include "tests/support/english.h"

/* The note of the picture, and the smallest singular value as a share of its layer's largest. */
static double
probe_spectrum (const char *settings, char *note, size_t size)
{
  double least = 1;
  Run    run;

  assert_ok (lab_run_try (&run, "sign-estimator", "moons:points=60", settings));
  run_steps (&run, 1);
  run_probe (&run, "spectrum");
  g_strlcpy (note, sl_english (&run.snapshot.note), size);
  for (unsigned c = 0; c < run.snapshot.n_curves; c++)
    {
      const SlSnapshotCurve *curve = &run.snapshot.curve[c];
      const double          *y = run.snapshot.data + curve->offset + curve->n;

      if (curve->n > 1)
        least = MIN (least, y[curve->n - 1] / y[0]);
    }
  run_clear (&run);
  return least;
}

/* Random weights between as many units as inputs: with this seed, those of 93 have a direction that they
 * hardly reach.  */
static void
test_lost (void)
{
  char note[512];

  g_assert_cmpfloat (probe_spectrum ("hidden=93-93", note, sizeof note), <, 3e-4);
  g_assert_nonnull (strstr (note, "values are lost to rounding"));
}

static void
test_nothing_lost (void)
{
  char note[512];

  g_assert_cmpfloat (probe_spectrum ("hidden=36-36", note, sizeof note), >, 1e-3);
  g_assert_null (strstr (note, "lost"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/spectrum/lost", test_lost);
  g_test_add_func ("/spectrum/nothing-lost", test_nothing_lost);
  return g_test_run ();
}
