/* SPDX-License-Identifier: MIT
 *
 * The panel of the error after removing experts: against the whole network with experts taken out of its gate one
 * after another, and what it is there to show.  */
#include <glib.h>
#include <math.h>

#include "core/labs/experts/lab.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"

enum { SALIENCY, COUNT, NORM, RANDOM, CURVES };

static SlExpertsLab *
lab_of (Run *run)
{
  return sl_experts_lab (sl_trainer_state (run->trainer));
}

static void
begin (Run *run, const char *data, const char *words, int steps)
{
  assert_ok (lab_run_try (run, "experts", data, words));
  run_steps (run, steps);
  run_probe (run, "pruning");
  g_assert_cmpuint (run->snapshot.n_curves, ==, CURVES);
}

/* Column 0 of a curve is x, 1 y, 2 how far it spreads. */
static const double *
curve_of (const Run *run, unsigned curve, unsigned column)
{
  const SlSnapshotCurve *of = &run->snapshot.curve[curve];

  return run->snapshot.data + of->offset + column * of->n;
}

/* Out of the gate by hand: its logit is no number. */
static void
take_out (SlExpertsLab *s, size_t expert)
{
  s->moe.weights[expert] = (sl_real) NAN;
}

/* Fewest examples first, as an evaluation counts them. */
static void
check_counts (const char *data, const char *words)
{
  SlExpertsEvaluation evaluation;
  SlExpertsLab       *s;
  const double       *x, *y;
  bool                gone[MOST_EXPERTS] = { false };
  Run                 run;
  size_t              n;

  begin (&run, data, words, 60);
  s = lab_of (&run);
  n = s->shape.experts;
  x = curve_of (&run, COUNT, 0);
  y = curve_of (&run, COUNT, 1);
  g_assert_cmpuint (run.snapshot.curve[COUNT].n, ==, n);
  g_assert_cmpuint (run.dataset->n[SL_VALID], <=, PROBE); /* the panel sees all of them */
  sl_experts_evaluate (s, sl_dataset_first (run.dataset, SL_VALID), run.dataset->n[SL_VALID],
                       &evaluation);
  for (size_t r = 0; r < n; r++)
    {
      size_t least = n;

      g_assert_cmpfloat (x[r], ==, (double) r);
      sl_assert_near (y[r], score_of (&run, SL_VALID, "error"), 1e-9, 1e-9);
      for (size_t i = 0; i < n; i++)
        if (!gone[i] && (least == n || evaluation.hard[i] < evaluation.hard[least]))
          least = i;
      gone[least] = true;
      take_out (s, least);
    }
  run_clear (&run);
}

static void
test_counts (void)
{
  static const char *const settings[] = {
    "experts=6 k=2 hidden=6 batch=20 noise=no",
    "experts=6 k=1 hidden=6 batch=20 embedding=7 residual=yes sigmoid=yes dropout=0.2",
    "gate=switch experts=5 k=2 hidden=6 batch=20 shared=1 embedding=6",
    "gate=switch values=sum experts=5 k=3 hidden=6 batch=20",
    "gate=bias experts=6 k=2 hidden=6 batch=20",
    "gate=bias experts=6 groups=3 k-groups=2 k=2 hidden=6 batch=20 score=softmax values=raw",
    "gate=relu experts=6 k=2 hidden=6 batch=20",
    "gate=base experts=6 k=2 hidden=6 batch=20",
    "gate=expert-choice experts=6 k=2 hidden=6 batch=20",
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_test_message ("%s", settings[i]);
      check_counts ("moons:points=400", settings[i]);
    }
}

/* All orders begin with all experts; all orders at random do, and at most they spread as errors can. */
static void
test_curves (void)
{
  SlExpertsLab *s;
  double        first;
  Run           run;

  begin (&run, "digits:images=600", "experts=60 k=3 hidden=4 batch=20 evaluate-every=5", 40);
  s = lab_of (&run);
  first = curve_of (&run, SALIENCY, 1)[0];
  for (unsigned c = 0; c < CURVES; c++)
    {
      unsigned      n = (unsigned) run.snapshot.curve[c].n;
      const double *x = curve_of (&run, c, 0), *y = curve_of (&run, c, 1);

      g_assert_cmpuint (n, >, 10);
      g_assert_cmpuint (n, <=, 25);
      g_assert_cmpfloat (x[n - 1], <, (double) s->shape.experts);
      g_assert_cmpfloat (x[n - 1], >, (double) s->shape.experts - 5);
      sl_assert_near (y[0], first, 1e-12, 0);
      for (unsigned i = 0; i < n; i++)
        g_assert_true (y[i] >= 0.0 && y[i] <= 100.0);
    }
  g_assert_true (run.snapshot.curve[RANDOM].has_spread);
  g_assert_cmpfloat (curve_of (&run, RANDOM, 2)[0], ==, 0.0);
  g_assert_cmpfloat (curve_of (&run, RANDOM, 2)[5], >, 0.0);
  run_clear (&run);
}

/* The same bytes each time, the random orders too. */
static void
test_again (void)
{
  g_autofree double *before = NULL;
  size_t             n;
  Run                run;

  begin (&run, "moons:points=300", "gate=bias experts=8 hidden=4 batch=20", 30);
  n = run.snapshot.n_data;
  before = g_memdup2 (run.snapshot.data, n * sizeof *before);
  run_probe (&run, "pruning");
  g_assert_cmpmem (run.snapshot.data, run.snapshot.n_data * sizeof *before, before,
                   n * sizeof *before);
  run_clear (&run);
}

/* Where it has no meaning the panel says so, and is not shown. */
static void
test_without (void)
{
  static const char *const settings[] = {
    "gate=soft experts=4 hidden=4 batch=20",
    "gate=balanced experts=4 hidden=4 batch=20",
    "experts=4 groups=2 k=1 hidden=4 batch=20",
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      const SlLab *lab;
      SlSettings   shown;
      Run          run;

      assert_ok (lab_run_try (&run, "experts", "moons:points=300", settings[i]));
      lab = run.lab;
      run_steps (&run, 5);
      run_probe (&run, "pruning");
      g_assert_cmpuint (run.snapshot.n_curves, ==, 0);
      g_assert_cmpstr (run.snapshot.note.packed, !=, "");
      sl_settings_default (&shown, lab->params, lab->n_params);
      assert_ok (sl_settings_set_words (&shown, lab->params, lab->n_params, settings[i]));
      g_assert_false (
        sl_needs_hold (&shown, lab->params, lab->n_params, lab->panels[V_PRUNING].needs));
      assert_ok (sl_settings_set_words (&shown, lab->params, lab->n_params, "gate=bias"));
      g_assert_true (
        sl_needs_hold (&shown, lab->params, lab->n_params, lab->panels[V_PRUNING].needs));
      run_clear (&run);
    }
}

/* What the preset says: half of the experts can go in the order of their saliency, not at random. */
static void
test_preset (void)
{
  const SlLab    *lab = sl_lab_find ("experts");
  const SlPreset *preset = sl_lab_preset (lab, "pruning");
  Run             run;
  unsigned        half;

  g_assert_nonnull (preset);
  begin (&run, "digits:images=2000", preset->settings, 400);
  half = (unsigned) run.snapshot.curve[SALIENCY].n / 2;
  g_assert_cmpfloat (curve_of (&run, SALIENCY, 0)[half], ==, 16.0);
  g_assert_cmpfloat (curve_of (&run, SALIENCY, 1)[half], <, curve_of (&run, SALIENCY, 1)[0] + 3.0);
  g_assert_cmpfloat (curve_of (&run, SALIENCY, 1)[half], <, curve_of (&run, RANDOM, 1)[half] - 3.0);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-pruning/counts", test_counts);
  g_test_add_func ("/experts-pruning/curves", test_curves);
  g_test_add_func ("/experts-pruning/again", test_again);
  g_test_add_func ("/experts-pruning/without", test_without);
  g_test_add_func ("/experts-pruning/preset", test_preset);
  return g_test_run ();
}
