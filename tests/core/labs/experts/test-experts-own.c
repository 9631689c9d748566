/* SPDX-License-Identifier: MIT
 *
 * The lab `experts` with a gate that a program brings: where there is one, what it shows, and failures, which leave the run
 * as it was or its figures out.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/data/routing/routing.h"
#include "core/lab/kit/state.h"
#include "core/train/gradcheck.h"
#include "core/train/predict.h"
#include "tests/core/labs/lab-run.h"
#include "tests/core/nn/own-gates.h"
#include "tests/support/close.h"

/* Without an embedding; with one, and with chance beside that of the order. */
static const char small[]
  = "experts=6 hidden=4 batch=20 report-every=1 evaluate-every=5 evaluate-examples=40";
static const char around[]
  = "experts=6 hidden=4 batch=20 report-every=1 evaluate-every=5 evaluate-examples=40 "
    "embedding=16 dropout=0.3 residual=yes shared=1 baselines=yes match=1";

typedef struct
{
  Run   run;
  Own   own;
  guint published; /* snapshots */
} OwnRun;

static void
count (SlSink *sink, SlSnapshot *snapshot)
{
  ((OwnRun *) sink)->published++;
}

static void
own_begin (OwnRun *r, OwnKind kind, const char *words)
{
  g_autofree char *all = g_strconcat ("gate=own ", words, NULL);

  own_init (&r->own, kind, 2);
  assert_ok (lab_run_try_own (&r->run, "experts", "moons:points=300", all, &r->own.gate));
  r->run.sink.publish = count;
  r->published = 0;
}

static void
own_end (OwnRun *r)
{
  run_clear (&r->run);
  own_clear (&r->own);
}

static GBytes *
state_of (Run *run)
{
  SlCheckpoint checkpoint = { 0 };
  GBytes      *bytes;

  assert_ok (sl_trainer_save (run->trainer, &checkpoint));
  bytes = g_bytes_new (checkpoint.data, checkpoint.bytes);
  sl_checkpoint_clear (&checkpoint);
  return bytes;
}

static void
check_state (Run *run, GBytes *want)
{
  g_autoptr (GBytes) now = state_of (run);

  g_assert_true (g_bytes_equal (now, want));
}

/* Written as top-k it trains as Switch without limit and losses whose values sum to one. */
static void
check_switch (const char *words)
{
#ifdef SL_DOUBLE
  static const double same = 1e-7;
#else
  static const double same = 5e-3;
#endif
  g_autofree char *all
    = g_strconcat ("gate=switch capacity=0 w-balance=0 w-z=0 values=sum k=2 ", words, NULL);
  OwnRun             own;
  Run                built_in;
  SlSpan             got, want;
  g_autofree double *numbers = NULL;

  own_begin (&own, OWN_PLAIN, words);
  assert_ok (lab_run_try (&built_in, "experts", "moons:points=300", all));
  run_steps (&own.run, 200);
  run_steps (&built_in, 200);
  got = sl_trainer_weights (own.run.trainer);
  want = sl_trainer_weights (built_in.trainer);
  g_assert_cmpuint (got.n, ==, want.n);
  numbers = g_new (double, want.n);
  for (size_t i = 0; i < want.n; i++)
    numbers[i] = (double) want.data[i];
  sl_assert_close (got.data, numbers, want.n, same, same);
  sl_assert_near (now (&own.run, "error.valid"), now (&built_in, "error.valid"), 0, 3);
  sl_assert_near (now (&own.run, "cost.executed"), now (&built_in, "cost.executed"), 0, 1e-4);
  sl_assert_near (now (&own.run, "active.mean"), 2, 0, 1e-6);
  run_clear (&built_in);
  own_end (&own);
}

static void
test_switch (void)
{
  check_switch (small);
  check_switch (around);
}

#ifdef SL_DOUBLE
static void
test_gradient (void)
{
  for (OwnKind kind = OWN_PLAIN; kind <= OWN_SPARSEMAX; kind++)
    for (int i = 0; i < 2; i++)
      {
        OwnRun      r;
        SlGradcheck result;

        own_begin (&r, kind, i == 0 ? small : around);
        run_steps (&r.run, 3);
        assert_ok (sl_gradcheck (sl_trainer_state (r.run.trainer), 1e-6, 400, &result));
        g_assert_true (result.frozen == 0.0);
        g_assert_cmpuint (result.nonzero, >, result.tried / 4);
        g_assert_true (result.error < 1e-6);
        own_end (&r);
      }
}
#endif

static void
check_refused (const char *lab, const char *data, const char *words, const SlOwnGate *own,
               const char *way_out)
{
  char     text[512];
  Run      run;
  SlStatus status = lab_run_try_own (&run, lab, data, words, own);

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_null (run.trainer);
  g_assert_nonnull (strstr (sl_status_text (&status, text, sizeof text), way_out));
  run_clear (&run);
}

/* The choice needs a gate, and a gate the choice; nothing offers it. */
static void
test_refused (void)
{
  const SlLab   *lab = sl_lab_find ("experts");
  const SlParam *gate = &lab->params[sl_param_find (lab->params, lab->n_params, "gate")];
  SlSettings     settings;
  char           text[512];
  SlStatus       status;
  Own            own;

  own_init (&own, OWN_PLAIN, 2);
  check_refused ("experts", "moons:points=300", "gate=own", NULL, "sluice.gate");
  check_refused ("experts", "moons:points=300", "gate=switch", &own.gate, "gate=own");
  check_refused ("sign-estimator", "moons:points=300", "batch=20", &own.gate, "gate=own");
  for (unsigned i = 0; i < sl_param_offers (gate); i++)
    g_assert_cmpstr (gate->choices[i].id, !=, "own");
  sl_settings_default (&settings, lab->params, lab->n_params);
  status = sl_settings_set (&settings, lab->params, lab->n_params, "gate", "other");
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "top-p"));
  g_assert_null (strstr (text, "own"));
  own_clear (&own);
}

/* What fails in update `at` is taken back whole, and the same update follows: to the same bytes as without. */
static void
check_taken_back (OwnKind kind, OwnFault fault, const char *words, guint at, GBytes *want)
{
  OwnRun   r;
  SlStatus status;
  g_autoptr (GBytes) before = NULL;

  own_begin (&r, kind, words);
  r.own.fails = at;
  r.own.fault = fault;
  run_steps (&r.run, (int) at - 1);
  before = state_of (&r.run);
  status = sl_trainer_step (r.run.trainer, &r.run.sink);
  g_assert_cmpint (status.code, ==, SL_EGATE);
  g_assert_cmpint (status.place, ==, SL_STEP);
  g_assert_cmpuint (status.position, ==, at);
  g_assert_cmpuint (sl_trainer_steps (r.run.trainer), ==, at - 1);
  check_state (&r.run, before);
  run_steps (&r.run, 40 - (int) at + 1);
  check_state (&r.run, want);
  own_end (&r);
}

static void
check_all_taken_back (OwnKind kind, OwnFault fault, const char *words)
{
  OwnRun whole;
  g_autoptr (GBytes) want = NULL;

  own_begin (&whole, kind, words);
  run_steps (&whole.run, 40);
  want = state_of (&whole.run);
  own_end (&whole);
  /* Epochs end among them. */
  for (guint at = 1; at <= 20; at++)
    check_taken_back (kind, fault, words, at, want);
}

static void
test_taken_back (void)
{
  check_all_taken_back (OWN_PLAIN, OWN_REFUSES, small);
  check_all_taken_back (OWN_PLAIN, OWN_REFUSES, around);
  check_all_taken_back (OWN_SIGMOID, OWN_NAN, around);
  check_all_taken_back (OWN_SIGMOID, OWN_NO_SLOPES, small);
  check_all_taken_back (OWN_SIGMOID, OWN_NAN_SLOPES, around);
}

/* Where it fails in an evaluation the update stands, and the figures of that are missing. */
static void
test_evaluation (void)
{
  OwnRun   r, whole;
  SlStatus status;
  SlSpan   got, want;

  own_begin (&r, OWN_PLAIN, small);
  own_begin (&whole, OWN_PLAIN, small);
  r.own.outside = TRUE;
  run_steps (&r.run, 4);
  run_steps (&whole.run, 5);
  r.own.fails = r.own.calls - r.own.training + 1;
  status = sl_trainer_step (r.run.trainer, &r.run.sink);
  g_assert_cmpint (status.code, ==, SL_EGATE);
  g_assert_cmpuint (sl_trainer_steps (r.run.trainer), ==, 5);
  g_assert_true (isfinite (now (&r.run, "error.train")));
  g_assert_cmpuint (r.run.step[sl_layout_find (sl_trainer_layout (r.run.trainer), "error.valid")],
                    ==, 1);
  got = sl_trainer_weights (r.run.trainer);
  want = sl_trainer_weights (whole.run.trainer);
  g_assert_cmpmem (got.data, got.n * sizeof *got.data, want.data, want.n * sizeof *want.data);
  run_steps (&r.run, 5);
  g_assert_true (isfinite (now (&r.run, "error.valid")));
  own_end (&r);
  own_end (&whole);
}

/* What a program can ask of a run beside training; returns the worst that came back. */
static SlCode
look_at (OwnRun *r, int what)
{
  SlTrainer        *trainer = r->run.trainer;
  SlScore           scores[SL_SCORES_MAX];
  SlPredictions     predictions;
  SlClockRounds     rounds = { 0 };
  sl_real           x[4] = { 0, 1, 1, 0 };
  SlCell            cells[2];
  unsigned          n;
  SlStatus          status = SL_SUCCESS;
  struct SlRouting *routing = NULL;

  switch (what)
    {
    case 0:
      status = sl_trainer_score (trainer, SL_TEST, scores, &n);
      g_assert_true ((n > 0) == sl_ok (&status));
      for (unsigned i = 0; i < n; i++)
        g_assert_true (isfinite (scores[i].value));
      break;
    case 1: status = sl_state_map (sl_trainer_state (trainer), x, 2, cells); break;
    case 2:
      status = sl_trainer_recording (trainer, &routing);
      g_assert_true ((routing != NULL) == sl_ok (&status));
      sl_routing_free (routing);
      break;
    case 3:
      status = sl_trainer_predict (trainer, &predictions);
      g_assert_true ((predictions.n > 0) == sl_ok (&status));
      break;
    default:
      if (sl_trainer_time (trainer, &rounds, 0.001, NULL) == SL_CLOCK_NOTHING)
        {
          g_assert_cmpuint (rounds.n, ==, 0);
          return SL_EGATE;
        }
    }
  return status.code;
}

enum { LOOKS = 5 };

/* Each panel and each figure, with a gate that works and with one that fails in it: then nothing comes of it, and the run
 * goes on as if it had not been.  */
static void
check_looks (OwnKind kind, const char *words)
{
  const SlLab *lab = sl_lab_find ("experts");
  OwnRun       r;
  unsigned     probed = 0, failed = 0;
  g_autoptr (GBytes) before = NULL;

  own_begin (&r, kind, words);
  run_steps (&r.run, 30);
  r.own.outside = TRUE;
  before = state_of (&r.run);
  for (unsigned fails = 0; fails < 2; fails++)
    {
      for (unsigned p = 0; p < lab->n_panels; p++)
        {
          guint    published = r.published, calls = r.own.calls;
          SlStatus status;

          if (!sl_needs_hold (sl_trainer_settings (r.run.trainer), lab->params, lab->n_params,
                              lab->panels[p].needs))
            continue;
          r.own.fails = fails ? r.own.calls - r.own.training + 1 : 0;
          status = sl_trainer_probe (r.run.trainer, p, &r.run.sink);
          g_assert_cmpint (status.code, ==, fails && r.own.calls > calls ? SL_EGATE : SL_OK);
          if (!sl_panel_is_series (lab->panels[p].kind))
            g_assert_cmpuint (r.published - published, ==, sl_ok (&status));
          probed += sl_ok (&status) && r.published > published;
          failed += !sl_ok (&status);
        }
      for (int what = 0; what < LOOKS; what++)
        {
          r.own.fails = fails ? r.own.calls - r.own.training + 1 : 0;
          g_assert_cmpint (look_at (&r, what), ==, fails ? SL_EGATE : SL_OK);
        }
    }
  check_state (&r.run, before);
  g_assert_cmpuint (probed, >=, 9);
  g_assert_cmpuint (failed, >=, 6);
  r.own.fails = 0;
  run_steps (&r.run, 1);
  own_end (&r);
}

static void
test_looks (void)
{
  for (OwnKind kind = OWN_PLAIN; kind <= OWN_SPARSEMAX; kind++)
    check_looks (kind, kind % 2 == 0 ? small : around);
}

/* What the lab counts is what the gate chose. */
static void
test_counts (void)
{
  OwnRun r;
  double sum = 0.0;

  own_begin (&r, OWN_NONE, small);
  run_steps (&r.run, 5);
  /* 20 examples without an expert in every third row have 13 with two each. */
  sl_assert_near (now (&r.run, "dropped.unserved"), 35, 0, 1e-4);
  sl_assert_near (now (&r.run, "active.mean"), 1.3, 0, 1e-6);
  sl_assert_near (now (&r.run, "per-example.share.2"), 65, 0, 1e-4);
  sl_assert_near (now (&r.run, "dropped.dropped"), 0, 0, 0);
  sl_assert_near (now (&r.run, "cost.executed"), 100.0 * (2.0 * 6 + 1.3 * 4 * 3) / (6 * 4 * 3), 0,
                  1e-4);
  for (int i = 1; i <= 6; i++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%d", i);

      sum += now (&r.run, id);
    }
  sl_assert_near (sum, 6, 0, 1e-5);
  own_end (&r);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-own/switch", test_switch);
#ifdef SL_DOUBLE
  g_test_add_func ("/experts-own/gradient", test_gradient);
#endif
  g_test_add_func ("/experts-own/refused", test_refused);
  g_test_add_func ("/experts-own/taken-back", test_taken_back);
  g_test_add_func ("/experts-own/evaluation", test_evaluation);
  g_test_add_func ("/experts-own/looks", test_looks);
  g_test_add_func ("/experts-own/counts", test_counts);
  return g_test_run ();
}
