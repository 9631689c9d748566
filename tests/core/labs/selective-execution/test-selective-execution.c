/* SPDX-License-Identifier: MIT
 *
 * The lab `selective-execution` beside what all labs are tested for: that λ moves the crowd, that
 * curves and pictures say what they claim, bags, the clock, and what is refused.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/lab/kit/state.h"
#include "core/labs/selective-execution/lab.h"
#include "core/labs/selective-execution/math/exits.h"
#include "core/labs/selective-execution/math/promise.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static SlStatus
try_run (Run *run, const char *data, const char *words)
{
  return lab_run_try (run, "selective-execution", data, words);
}

static void
run_init (Run *run, const char *data, const char *words)
{
  assert_ok (try_run (run, data, words));
}

/* At λ = 0 nobody goes the dear way, at λ = 1 the dear way is worth it for many; sliding from one
 * to the other moves the crowd.  */
static void
test_lambda (void)
{
  Run    run;
  double cheap, dear;

  run_init (&run, "digits:images=1500",
            "width=8 low=2 high=48 controller=16 batch=50 explore-for=100 report-every=50 lambda=0 "
            "learning-rate=0.005 evaluate-every=50");
  run_steps (&run, 400);
  cheap = now (&run, "cost.executed");
  sl_assert_near (score_of (&run, SL_TEST, "cost"), cheap, 0, 1e-9);
  run_set (&run, "lambda", 0.97);
  run_steps (&run, 400);
  dear = now (&run, "cost.executed");
  g_test_message ("cost %.1f %% at first, %.1f %% then", cheap, dear);
  g_assert_cmpfloat (cheap, <, 60.0);
  g_assert_cmpfloat (dear, >, cheap + 20.0);
  g_assert_cmpfloat (now (&run, "error.valid"), <, now (&run, "error.cheapest"));
  g_assert_cmpfloat (now (&run, "error.oracle"), <=, now (&run, "error.valid"));
  run_set (&run, "lambda", 0);
  run_steps (&run, 400);
  g_assert_cmpfloat (now (&run, "cost.executed"), <, cheap + 10.0);
  run_clear (&run);
}

/* Where nobody goes the dear way and nothing is left to chance, it learns nothing unless every exit
 * is taught: an oracle has no use for what guesses.  */
static void
test_exits (void)
{
  static const char *const words[]
    = { "width=8 low=4 high=48 controller=8 batch=50 explore-for=0 epsilon=0 lambda=0 "
        "learning-rate=0.005 static-nets=no every-exit=0",
        "width=8 low=4 high=48 controller=8 batch=50 explore-for=0 epsilon=0 lambda=0 "
        "learning-rate=0.005 static-nets=no every-exit=0.5" };

  for (int taught = 0; taught < 2; taught++)
    {
      Run    run;
      double error, best;

      run_init (&run, "digits:images=1500", words[taught]);
      run_steps (&run, 500);
      error = score_of (&run, SL_TEST, "error");
      best = score_of (&run, SL_TEST, "oracle-error");
      g_test_message ("%.1f %% wrong, the oracle %.1f %%", error, best);
      g_assert_cmpfloat (score_of (&run, SL_TEST, "cost"), <, 40.0);
      if (taught)
        g_assert_cmpfloat (best, <, 0.5 * error);
      else
        g_assert_cmpfloat (best, >, 0.6 * error);
      run_clear (&run);
    }
}

/* Nothing is left to chance, and cost alone counts: what each action earns is then known from the
 * first example on, and the scores settle on it whether the action is ever taken or not.  Where
 * nearly only right answers count, controllers that know every reward find the exits that are
 * right.  */
static void
test_rewards (gconstpointer rewards)
{
  g_autofree char *words = g_strdup_printf (
    "architecture=cascade decisions=2 width=16 low=4 high=48 controller=16 batch=50 explore-for=0 "
    "epsilon=0 lambda=0 learning-rate=0.005 every-exit=1 rewards=%s report-every=100",
    (const char *) rewards);
  Run    run;
  double error, cheap;

  run_init (&run, "digits:images=1500", words);
  run_steps (&run, 600);
  for (int c = 1; c <= 2; c++)
    {
      g_autofree char *id = g_strdup_printf ("q.controller-%d", c);

      g_test_message ("%s %g", id, now (&run, id));
      g_assert_cmpfloat (now (&run, id), <, 0.15);
    }
  sl_assert_near (now (&run, "paths.path-1"), 100.0, 0, 1e-9);
  cheap = score_of (&run, SL_TEST, "cost");
  error = score_of (&run, SL_TEST, "error");
  run_set (&run, "lambda", 0.99);
  run_steps (&run, 600);
  g_test_message ("error %.1f %%, then %.1f %%; cost %.1f %%, then %.1f %%", error,
                  score_of (&run, SL_TEST, "error"), cheap, score_of (&run, SL_TEST, "cost"));
  g_assert_cmpfloat (score_of (&run, SL_TEST, "error"), <, 0.7 * error);
  g_assert_cmpfloat (score_of (&run, SL_TEST, "cost"), >, cheap + 5.0);
  /* Back where only cost counts: each exit has to be known to cost more than the one before. */
  run_set (&run, "lambda", 0);
  run_steps (&run, 600);
  g_test_message ("cost %.1f %% again", score_of (&run, SL_TEST, "cost"));
  g_assert_cmpfloat (score_of (&run, SL_TEST, "cost"), <, cheap + 1.0);
  run_clear (&run);
}

/* The share of decisions left to chance. */
static double
exploration (Run *run)
{
  return sl_selective_epsilon (sl_selective_lab (sl_trainer_state (run->trainer)));
}

/* Curves against the formulas that they are named after, with all left to chance and with nothing.
 */
static void
test_curves (void)
{
  /* N1 2·4, controller 4·5 + 5·2, low 4·3 + 3·2, high (2 + 4)·12 + 12·2 */
  const double stem = 8, q = 30, low = stem + 18, high = stem + 96;
  Run          run;
  double       sum, cost;

  run_init (&run, "moons:points=600",
            "width=4 low=3 high=12 controller=5 batch=500 epsilon=1 "
            "report-every=1 evaluate-every=1");
  run_steps (&run, 4);
  sum = now (&run, "paths.path-1") + now (&run, "paths.path-2");
  sl_assert_near (sum, 100.0, 0, 1e-9);
  g_assert_false (has (&run, "paths.path-3"));
  sl_assert_near (exploration (&run), 1.0, 0, 0);
  cost = (now (&run, "paths.path-1") * low + now (&run, "paths.path-2") * high) / 100.0 + q;
  sl_assert_near (now (&run, "cost.training"), 100.0 * cost / high, 0, 1e-9);
  sl_assert_near (now (&run, "cost.expected"), 100.0 * (q + (low + high) / 2) / high, 0, 1e-9);
  sl_assert_near (now (&run, "cost.cheapest"), 100.0 * low / high, 0, 1e-9);
  sl_assert_near (now (&run, "cost.dearest"), 100.0, 0, 1e-9);
  g_assert_cmpfloat (now (&run, "q.controller-1"), >, 0.0);
  run_set (&run, "epsilon", 0);
  run_set (&run, "explore-for", 0);
  run_steps (&run, 3);
  sl_assert_near (exploration (&run), 0.0, 0, 0);
  sl_assert_near (now (&run, "cost.expected"), now (&run, "cost.training"), 0, 1e-9);
  run_clear (&run);
}

/* The middle of a run in bags: every reward is that of a bag, and a positive is in each. */
static void
test_bags (void)
{
  Run run;

  run_init (&run, "digits:images=1500",
            "task=one positive=7 bag=50 batch=100 low=8 high=32 controller=8 explore-for=300 "
            "report-every=50 evaluate-every=100 lambda=0.98");
  run_steps (&run, 600);
  /* One in ten is positive: saying no to all is F1 = 0. */
  g_assert_cmpfloat (score_of (&run, SL_TEST, "error"), <, 40.0);
  g_assert_cmpfloat (score_of (&run, SL_TEST, "static-error-2"), <, 40.0);
  run_clear (&run);
}

/* One class that is nowhere, and convolutions over points. */
static void
test_refused (void)
{
  char     text[512];
  Run      run;
  SlStatus status = try_run (&run, "moons:points=300", "task=one positive=2");

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_null (run.trainer);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "class 2"));
  run_clear (&run);
  status = try_run (&run, "moons:points=300", "modules=convolutional");
  g_assert_cmpint (status.code, ==, SL_EUNSUPPORTED);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "no pictures"));
  run_clear (&run);
}

/* With the clock in the reward it still learns that the dear branch is dear. */
static void
test_clock (void)
{
  Run run;

  run_init (&run, "digits:images=600",
            "cost=time lambda=0 low=4 high=1024 controller=4 batch=64 explore-for=100 "
            "report-every=50 evaluate-every=100 learning-rate=0.01 static-nets=no");
  run_steps (&run, 400);
  g_assert_cmpfloat (now (&run, "cost.executed"), <, 50.0);
  g_assert_false (has (&run, "error.cheapest"));
  run_probe (&run, "clock");
  g_assert_cmpuint (run.snapshot.n_curves, ==, 2);
  for (size_t i = 0; i < 2; i++)
    {
      const SlSnapshotCurve *timed = &run.snapshot.curve[0], *counted = &run.snapshot.curve[1];

      g_assert_true (isnan (run.snapshot.data[timed->offset + 2 + i])); /* the host's */
      g_assert_cmpfloat (run.snapshot.data[counted->offset + 2 + i], >, 0.0);
    }
  run_clear (&run);
}

/* What the oracle and the paths say of a split fits the error on it, and single inputs fit both. */
static void
test_paths (gconstpointer words)
{
  Run    run;
  size_t n, first, wrong = 0;
  double cost = 0.0;

  run_init (&run, "moons:points=2000,noise=0.3", words);
  run_steps (&run, 120);
  n = run.dataset->n[SL_TEST];
  first = sl_dataset_first (run.dataset, SL_TEST);
  g_autofree sl_real *x = g_new (sl_real, 2 * n);
  g_autofree uint8_t *label = g_new (uint8_t, n);
  g_autofree SlCell  *cells = g_new (SlCell, n);

  sl_dataset_range (run.dataset, first, n, x, label);
  sl_state_map (sl_trainer_state (run.trainer), x, n, cells);
  for (size_t e = 0; e < n; e++)
    {
      wrong += cells[e].label != label[e];
      cost += (double) cells[e].cost / (double) n;
    }
  sl_assert_near (100.0 * (double) wrong / (double) n, score_of (&run, SL_TEST, "error"), 0, 1e-9);
  g_assert_cmpfloat (cost, >, 0.0);
  g_assert_cmpfloat (score_of (&run, SL_TEST, "oracle-error"), <=,
                     score_of (&run, SL_TEST, "error") + 1e-9);
  run_probe (&run, "trade");
  g_assert_cmpuint (run.snapshot.n_curves, >=, 3);
  run_probe (&run, "pictures");
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "no pictures"));
  run_clear (&run);
}

/* Links whose middle action is the good one: an oracle that knows only nothing and much would err
 * more than the network.  */
static void
test_oracle (void)
{
  Run run;

  run_init (&run, "moons:points=2000,noise=0.3",
            "architecture=chain decisions=2 low=48 high=1 width=8 batch=100 lambda=1 "
            "explore-for=100 learning-rate=0.005 static-nets=no");
  run_steps (&run, 200);
  for (SlSplit split = SL_VALID; split <= SL_TEST; split++)
    {
      g_test_message ("%.2f %%, the oracle %.2f %%", score_of (&run, split, "error"),
                      score_of (&run, split, "oracle-error"));
      g_assert_cmpfloat (score_of (&run, split, "oracle-error"), <,
                         0.7 * score_of (&run, split, "error"));
    }
  run_clear (&run);
}

/* The trail begins where the net has learned something; what is before would leave no room on the
 * axis for the differences that the picture is about.  */
static void
test_trail (void)
{
  Run      run;
  int      channel;
  unsigned points = 0;
  double   worst;

  run_init (&run, "digits:images=1500", "batch=50 learning-rate=0.005 evaluate-every=10");
  run_steps (&run, 300);
  channel = sl_layout_find (sl_trainer_layout (run.trainer), "trade.trail");
  worst = fmax (now (&run, "error.valid"),
                fmax (now (&run, "error.cheapest"), now (&run, "error.dearest")));
  run_probe (&run, "trade");
  for (unsigned c = 0; c < run.snapshot.n_curves; c++)
    if (run.snapshot.curve[c].channel == (uint32_t) channel)
      {
        const SlSnapshotCurve *curve = &run.snapshot.curve[c];

        points = (unsigned) curve->n;
        for (unsigned i = 0; i < points; i++)
          g_assert_cmpfloat (100.0 - run.snapshot.data[curve->offset + points + i], <=,
                             2.0 * worst + 1e-9);
      }
  g_assert_cmpuint (points, >, 5);
  g_assert_cmpuint (points, <, 29);
  run_clear (&run);
}

/* The update that the note of a panel names. */
static guint64
update_of (Run *run, const char *panel)
{
  const char *note, *at;

  run_probe (run, panel);
  note = sl_english_text (run->snapshot.note.packed);
  at = strstr (note, "after update ");
  if (at == NULL)
    g_error ("%s: %s", panel, note);
  return g_ascii_strtoull (at + strlen ("after update "), NULL, 10);
}

/* Panels that show one quantity show it of one evaluation, also where a run goes on from a checkpoint
 * between two of them.  */
static void
test_one_evaluation (void)
{
  static const char *const panels[] = { "trade", "classes", "by-path", "pictures" };
  SlCheckpoint             checkpoint = { 0 };
  Run                      run;

  run_init (&run, "digits:images=600", "low=6 high=20 batch=50 evaluate-every=10");
  run_steps (&run, 25);
  for (unsigned i = 0; i < G_N_ELEMENTS (panels); i++)
    g_assert_cmpuint (update_of (&run, panels[i]), ==, 20);
  assert_ok (sl_trainer_save (run.trainer, &checkpoint));
  run_steps (&run, 9);
  assert_ok (sl_trainer_restore (run.trainer, &checkpoint));
  for (unsigned i = 0; i < G_N_ELEMENTS (panels); i++)
    {
      g_assert_cmpuint (update_of (&run, panels[i]), ==, 25);
      if (i < 2)
        run_steps (&run, 1);
    }
  run_steps (&run, 3);
  for (unsigned i = 0; i < G_N_ELEMENTS (panels); i++)
    g_assert_cmpuint (update_of (&run, panels[i]), ==, 30);
  sl_checkpoint_clear (&checkpoint);
  run_clear (&run);
}

/* Thumbnails: of every path that somebody took, the cheapest first. */
static void
test_pictures (void)
{
  Run      run;
  unsigned last = 0, tiles = 0;
  g_auto (GStrv) names = NULL;

  run_init (&run, "digits:images=600",
            "architecture=chain decisions=2 low=6 high=20 batch=50 "
            "epsilon=1");
  run_steps (&run, 20);
  run_probe (&run, "pictures");
  names = g_strsplit (sl_english_text (run.snapshot.names), "\n", -1);
  for (char **name = names; **name != '\0'; name++, tiles++)
    {
      unsigned path = (unsigned) g_ascii_strtoull (*name + strlen ("path "), NULL, 10);

      g_assert_cmpuint (path, >=, MAX (last, 1));
      last = path;
    }
  g_assert_cmpuint (tiles, ==, run.snapshot.tiles);
  g_assert_cmpuint (run.snapshot.rows, ==, run.dataset->height);
  g_assert_cmpuint (run.snapshot.depth, ==, 3);
  for (size_t i = 0; i < sl_snapshot_cells (&run.snapshot); i++)
    g_assert_true (run.snapshot.data[i] >= 0 && run.snapshot.data[i] <= 1);
  run_clear (&run);
}

/* Faces against backgrounds, from files; small pictures with an odd side. */
static void
test_faces (void)
{
  const char      *base = g_getenv ("SLUICE_SHARED_DATA"), *source = g_getenv ("SLUICE_SOURCE");
  const char      *name = "lfw_subset-200x25x25-images-idx3-ubyte.gz";
  g_autofree char *path = base != NULL ? g_build_filename (base, "faces", name, NULL)
                                       : g_build_filename (source != NULL ? source : ".", "..",
                                                           "shared", "data", "faces", name, NULL);
  Run              run;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the folder of real data is not here");
      return;
    }
  run_init (&run, path,
            "modules=convolutional channels=3 task=one positive=1 bag=16 batch=32 "
            "high=16 explore-for=40 evaluate-every=20 learning-rate=0.005");
  g_assert_cmpuint (run.dataset->width, ==, 25);
  run_steps (&run, 120);
  g_assert_cmpfloat (score_of (&run, SL_TRAIN, "static-error-2"), <, 25.0);
  run_clear (&run);
}

/* The curve of the panel shown last with this trace, or NULL. */
static const SlSnapshotCurve *
curve_of (const Run *run, const char *id)
{
  int channel = sl_layout_find (run->sink.layout, id);

  g_assert_cmpint (channel, >=, 0);
  for (unsigned c = 0; c < run->snapshot.n_curves; c++)
    if (run->snapshot.curve[c].channel == (uint32_t) channel)
      return &run->snapshot.curve[c];
  return NULL;
}

static double
value_at (const Run *run, const char *id, double x)
{
  const SlSnapshotCurve *curve = curve_of (run, id);

  g_assert_nonnull (curve);
  for (size_t i = 0; i < curve->n; i++)
    if (fabs (run->snapshot.data[curve->offset + i] - x) < 1e-9)
      return run->snapshot.data[curve->offset + curve->n + i];
  g_error ("nothing at %g", x);
}

/* A threshold needs no training: at its ends all leave at the first exit and all stay, and the panel knows
 * both and what is between from one pass.  */
static void
test_threshold (void)
{
  Run    run;
  double first, last, margin;

  run_init (&run, "digits:images=1500",
            "architecture=exits decisions=2 width=8 low=4 high=48 batch=50 learning-rate=0.005 "
            "report-every=1 "
            "evaluate-every=1 exit-threshold=0 static-nets=no");
  run_steps (&run, 600);
  sl_assert_near (now (&run, "paths.path-1"), 100.0, 0, 1e-9);
  first = now (&run, "cost.executed");
  run_set (&run, "exit-threshold", 1);
  run_steps (&run, 1);
  last = now (&run, "cost.executed");
  g_assert_cmpfloat (last, >, 95.0);
  g_assert_cmpfloat (now (&run, "paths.path-3"), >, 80.0);
  run_set (&run, "exit-threshold", 0.5);
  run_probe (&run, "thresholds");
  g_assert_cmpfloat (run.snapshot.mark, ==, 0.5);
  sl_assert_near (value_at (&run, "thresholds.cost", 0), first, 0, 1e-9);
  g_assert_cmpfloat (value_at (&run, "thresholds.cost", 1), >=,
                     value_at (&run, "thresholds.cost", 0.5));
  g_assert_cmpfloat (value_at (&run, "thresholds.cost", 0.5), >=, first);
  margin = value_at (&run, "thresholds.changed", 1);
  g_assert_cmpfloat (margin, <=, value_at (&run, "thresholds.changed", 0) + 1e-9);
  /* Another measure is another pass; by entropy 0 lets nobody leave, and staying costs the exits too. */
  run_set (&run, "confidence", SL_EXIT_ENTROPY);
  run_probe (&run, "thresholds");
  sl_assert_near (value_at (&run, "thresholds.changed", 0), 0, 0, 1e-9);
  g_assert_cmpfloat (value_at (&run, "thresholds.cost", 0), >, 100.0);
  run_set (&run, "exit-threshold", 0);
  run_steps (&run, 1);
  sl_assert_near (now (&run, "paths.path-3"), 100.0, 0, 1e-9);
  sl_assert_near (now (&run, "cost.executed"), value_at (&run, "thresholds.cost", 0), 0, 1e-9);
  run_clear (&run);
}

/* One class against the rest at exits: the point of the network and the curve of its thresholds have the
 * measure of the static networks beside them, counted here example by example on the second half.  */
static void
test_threshold_measure (gconstpointer measure)
{
  g_autofree char *words = g_strdup_printf (
    "architecture=exits decisions=2 width=8 low=4 high=48 batch=50 learning-rate=0.005 task=one "
    "positive=7 measure=%s exit-threshold=0.6 evaluate-every=100 report-every=100",
    (const char *) measure);
  Run      run;
  size_t   n, first, half;
  unsigned found = 0, said = 0, there = 0;
  double   want;

  run_init (&run, "digits:images=3000", words);
  run_steps (&run, 200);
  n = run.dataset->n[SL_VALID];
  half = n / 2;
  first = sl_dataset_first (run.dataset, SL_VALID) + half;
  g_autofree sl_real *x = g_new (sl_real, (n - half) * run.dataset->features);
  g_autofree uint8_t *label = g_new (uint8_t, n - half);
  g_autofree SlCell  *cells = g_new (SlCell, n - half);

  sl_dataset_range (run.dataset, first, n - half, x, label);
  sl_state_map (sl_trainer_state (run.trainer), x, n - half, cells);
  for (size_t e = 0; e < n - half; e++)
    {
      found += cells[e].label == 1 && label[e] == 7;
      said += cells[e].label == 1;
      there += label[e] == 7;
    }
  want = g_str_equal (measure, "f1")
           ? 200.0 * found / (said + there)
           : 100.0 * found / (g_str_equal (measure, "recall") ? there : said);
  g_test_message ("%u found, %u said, %u there", found, said, there);
  g_assert_cmpuint (found, >, 0);
  g_assert_cmpuint (found, <, there);
  g_assert_cmpuint (found, <, said);
  run_probe (&run, "trade");
  const SlSnapshotCurve *here = curve_of (&run, "trade.here");

  g_assert_cmpuint (here->n, ==, 1);
  sl_assert_near (run.snapshot.data[here->offset + 1], want, 0, 1e-9);
  sl_assert_near (value_at (&run, "trade.curve", run.snapshot.data[here->offset]), want, 0, 1e-9);
  run_clear (&run);
}

/* What a bag earns is the chosen measure: on the same batches controllers err by other amounts. */
static void
test_measure_earned (void)
{
  static const char *const measures[] = { "f1", "precision", "recall" };
  double                   q[3];

  for (guint m = 0; m < G_N_ELEMENTS (measures); m++)
    {
      g_autofree char *words = g_strdup_printf ("task=one positive=7 measure=%s bag=25 batch=50 "
                                                "lambda=1 width=8 low=4 high=12 controller=4 "
                                                "static-nets=no report-every=1",
                                                measures[m]);
      Run              run;

      run_init (&run, "digits:images=600", words);
      run_steps (&run, 1);
      q[m] = now (&run, "q.controller-1");
      g_test_message ("%s: %g", measures[m], q[m]);
      run_clear (&run);
    }
  g_assert_true (fabs (q[0] - q[1]) > 1e-3);
  g_assert_true (fabs (q[0] - q[2]) > 1e-3);
  g_assert_true (fabs (q[1] - q[2]) > 1e-3);
}

/* The panel of paths has accuracies alone: of a class of which there are few examples more than F1. */
static void
test_accuracy_by_path (void)
{
  Run run;

  run_init (&run, "digits:images=1500",
            "task=one positive=7 width=8 low=4 high=24 batch=50 evaluate-every=50 report-every=50");
  run_steps (&run, 50);
  run_probe (&run, "by-path");
  const SlSnapshotCurve *statics = curve_of (&run, "by-path.static");

  g_assert_cmpuint (statics->n, ==, 2);
  g_test_message ("%g and %g %% wrong by F1", now (&run, "error.cheapest"),
                  now (&run, "error.dearest"));
  g_assert_cmpfloat (run.snapshot.data[statics->offset + 2], >,
                     100.0 - now (&run, "error.cheapest"));
  g_assert_cmpfloat (run.snapshot.data[statics->offset + 3], >,
                     100.0 - now (&run, "error.dearest"));
  run_clear (&run);
}

/* The promise is made where the examples can carry it, and refused where they cannot. */
static void
test_promise (void)
{
  Run run;

  run_init (&run, "digits:images=1500",
            "architecture=exits decisions=2 width=8 low=4 high=48 batch=50 learning-rate=0.005 "
            "tolerance=0.2 static-nets=no");
  run_steps (&run, 600);
  run_probe (&run, "promise");
  g_assert_nonnull (curve_of (&run, "promise.chosen"));
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "Chosen: "));
  /* No example loses where none leaves early. */
  g_assert_cmpfloat (value_at (&run, "promise.losses", 1), <=,
                     value_at (&run, "promise.losses", 0));
  run_set (&run, "bound", SL_PROMISE_HOEFFDING);
  run_set (&run, "tolerance", 0.001);
  run_probe (&run, "promise");
  g_assert_null (curve_of (&run, "promise.chosen"));
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "Even without a loss"));
  run_clear (&run);
}

/* What the lab makes of the settings, as a file has it; g_free() frees. */
static char *
network_of (Run *run)
{
  const SlLabState *state = sl_trainer_state (run->trainer);
  char             *text, *own;

  assert_ok (run->lab->network (run->dataset, &state->settings, &text));
  own = g_strdup (text);
  free (text);
  return own;
}

/* A run on digits with this network in a file. */
static SlStatus
try_network (Run *run, const char *text, const char *words)
{
  g_autofree char *path = NULL, *data = NULL;
  int              file = g_file_open_tmp ("network-XXXXXX.json", &path, NULL);
  SlStatus         status;

  g_assert_cmpint (file, >=, 0);
  close (file);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  data = g_strdup_printf ("digits:images=600,network-file=%s", path);
  status = try_run (run, data, words);
  g_remove (path);
  return status;
}

/* Each architecture written as a file and read again learns the same weights, to the last bit, and is
 * written as the same file.  */
static void
test_files (void)
{
  static const char *const architectures[]
    = { "high-low",           "cascade",       "chain",         "chain links=either", "hierarchy",
        "hierarchy levels=3", "figure-1-left", "figure-1-right" };
  static const char *const modules[] = { "dense", "convolutional" };

  for (unsigned k = 0; k < 2 * G_N_ELEMENTS (architectures); k++)
    {
      g_autofree char *words = g_strdup_printf (
        "architecture=%s modules=%s batch=20 low=4 high=8 width=6 controller=4 channels=2",
        architectures[k / 2], modules[k % 2]);
      g_autofree char *text = NULL, *again = NULL;
      Run              run, read;
      SlSpan           a, b;

      run_init (&run, "digits:images=600", words);
      text = network_of (&run);
      assert_ok (try_network (&read, text, "batch=20"));
      again = network_of (&read);
      g_assert_cmpstr (again, ==, text);
      run_steps (&run, 12);
      run_steps (&read, 12);
      a = sl_trainer_state (run.trainer)->weights;
      b = sl_trainer_state (read.trainer)->weights;
      g_assert_cmpuint (a.n, ==, b.n);
      g_assert_cmpmem (a.data, a.n * sizeof *a.data, b.data, b.n * sizeof *b.data);
      sl_assert_near (score_of (&run, SL_TEST, "error"), score_of (&read, SL_TEST, "error"), 0, 0);
      run_clear (&run);
      run_clear (&read);
    }
}

/* A network that is no graph, or none for these data, is refused with its line. */
static void
test_refused_files (void)
{
  static const char *const cases[][2] = {
    { "{\"name\":\"N1\",\"layers\":[{\"dense\":8}],\"inputs\":[\"in\"]},"
      "{\"name\":\"out\",\"kind\":\"output\",\"inputs\":[\"N1\"]}",
      "network, line 1: found an output of 8 numbers, expected one for each of 10 classes" },
    { "{\"name\":\"Q\",\"kind\":\"control\",\"layers\":[{\"dense\":3}],\"inputs\":[\"in\"],"
      "\"actions\":[\"N1\"]},"
      "{\"name\":\"N1\",\"layers\":[{\"dense\":\"classes\"}],\"inputs\":[\"in\"]},"
      "{\"name\":\"out\",\"kind\":\"output\",\"inputs\":[\"N1\"]}",
      "node Q, line 1: found 3 scores for 1 control edges, expected one for each" },
    { "{\"name\":\"N1\",\"inputs\":[\"in\",\"N1\"]},"
      "{\"name\":\"out\",\"kind\":\"output\",\"inputs\":[\"N1\"]}",
      "node N1, line 1: found a cycle, expected edges that never lead back" },
    { "{\"name\":\"far\",\"kind\":\"input\",\"part\":[780,5]},"
      "{\"name\":\"N1\",\"layers\":[{\"dense\":\"classes\"}],\"inputs\":[\"in\"]},"
      "{\"name\":\"out\",\"kind\":\"output\",\"inputs\":[\"N1\"]}",
      "node far, line 1: found an input that reaches beyond the example, expected numbers of the "
      "example" },
  };

  for (unsigned k = 0; k < G_N_ELEMENTS (cases); k++)
    {
      g_autofree char *network = g_strdup_printf (
        "{\"sluice-network\":1,\"nodes\":[{\"name\":\"in\",\"kind\":\"input\"},%s]}", cases[k][0]);
      Run      run;
      SlStatus status = try_network (&run, network, "batch=20");
      char     text[512];

      g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, cases[k][1]);
      run_clear (&run);
    }
}

/* What is no network at all is refused with the line, and any where nothing has controllers. */
static void
test_refused_part (void)
{
  static const char network[] = "{\"sluice-network\":1,\n"
                                "\"nodes\":[{\"name\":\"in\",\"kind\":\"input\",\n\"part\":[0]}]}";
  Run               run;
  SlStatus          status = try_network (&run, network, "batch=20");
  char              text[512];

  g_assert_cmpstr (
    sl_status_text (&status, text, sizeof text), ==,
    "\"part\", line 3: found an array, expected a first number, from 0, and how many");
  run_clear (&run);
  status = try_network (&run, network, "architecture=depths");
  g_assert_cmpstr (status.subject, ==, "architecture");
  run_clear (&run);
}

/* The shares of all ways make a whole, the last score having those without one of their own; with one
 * controller they are the paths.  */
static void
test_ways (void)
{
  static const char *const words[] = {
    "architecture=high-low batch=20 low=4 high=8 width=6 controller=4 lambda=0.9",
    "architecture=cascade batch=20 low=4 high=8 width=6 controller=4 static-nets=no lambda=0.9",
    "architecture=chain batch=20 low=4 high=8 width=6 controller=4 static-nets=no lambda=0.9",
    "architecture=chain links=either batch=20 low=4 high=8 width=6 controller=4 static-nets=no",
    "architecture=hierarchy levels=3 batch=20 low=4 high=9 width=6 controller=4 static-nets=no"
  };
  static const unsigned ways[] = { 2, 4, 10, 8, 10 };

  for (unsigned k = 0; k < G_N_ELEMENTS (words); k++)
    {
      Run      run;
      SlScore  scores[SL_SCORES_MAX];
      unsigned n, found = 0;
      double   sum = 0.0;

      run_init (&run, "digits:images=600", words[k]);
      run_steps (&run, 30);
      assert_ok (sl_trainer_score (run.trainer, SL_VALID, scores, &n));
      for (unsigned i = 0; i < n; i++)
        if (g_str_has_prefix (scores[i].id, run.lab->parts->prefix))
          {
            sum += scores[i].value;
            found++;
          }
      g_assert_cmpuint (found, ==, ways[k]);
      sl_assert_near (sum, 100.0, 0, 1e-9);
      run_clear (&run);
    }
}

/* The static nets of a chain of two links go from low in both to high in both; those of three levels from the
 * coarse answer to all branches.  Costs by hand.  */
static void
test_static_costs (void)
{
  /* N1 784·6, a low link 2·6·4, a high one 2·6·8, answer 6·4 + 4·10 */
  const double ends = 784 * 6 + 64, low = 48, high = 96;
  /* coarse answer as above; two halves with features (784 + 6)·6 and scores 6·5; six groups of 5 classes in 2,
   * 2 and 1, with features (784 + 6)·2 and scores of two units for each class */
  const double halves = 2 * (790 * 6 + 30), groups = 6 * 790 * 2 + 2 * 10;
  Run          run;

  run_init (&run, "digits:images=600",
            "architecture=chain links=either decisions=2 batch=20 low=4 high=8 width=6");
  for (int net = 0; net < 3; net++)
    {
      g_autofree char *id = g_strdup_printf ("static-cost-%d", net + 1);

      sl_assert_near (score_of (&run, SL_TEST, id),
                      100.0 * (ends + (2 - net) * low + net * high) / (ends + 2 * high), 0, 1e-9);
    }
  run_clear (&run);
  run_init (&run, "digits:images=600",
            "architecture=hierarchy levels=3 batch=20 low=4 high=24 width=6");
  sl_assert_near (score_of (&run, SL_TEST, "static-cost-1"),
                  100.0 * ends / (ends + halves + groups), 0, 1e-9);
  sl_assert_near (score_of (&run, SL_TEST, "static-cost-3"),
                  100.0 * (ends + halves) / (ends + halves + groups), 0, 1e-9);
  sl_assert_near (score_of (&run, SL_TEST, "static-cost-9"), 100.0, 0, 1e-9);
  run_clear (&run);
}

/* The left graph of figure 1: where only cost counts, the constant answers. */
static void
test_figure (void)
{
  const SlPreset  *preset = sl_lab_preset (sl_lab_find ("selective-execution"), "figure-1-left");
  g_autofree char *words = NULL;
  Run              run;

  g_assert_nonnull (preset);
  words
    = g_strconcat (preset->settings,
                   " batch=50 explore-for=50 report-every=50 lambda=0 learning-rate=0.005", NULL);
  run_init (&run, "digits:images=600", words);
  run_steps (&run, 400);
  g_assert_cmpfloat (now (&run, "paths.path-1"), >, 90.0);
  run_clear (&run);
}

/* In batches the share is kept to the example; alone it is a guess that soon agrees more often than one that
 * always says no.  */
static void
test_depths (void)
{
  /* stem 784·24, four blocks 2·24·12, two routers and guesses of 24 each, answer 24·10 */
  const double block = 576, dearest = 18816 + 4 * block + 240, ranks = 2 * (24 + 24);
  Run          run;
  double       alone;

  run_init (&run, "digits:images=1500",
            "architecture=depths width=24 high=12 share=0.25 batch=40 learning-rate=0.005 "
            "report-every=100 evaluate-every=100");
  run_steps (&run, 800);
  sl_assert_near (now (&run, "cost.training"),
                  100.0 * (dearest - 2 * 0.75 * block + ranks) / dearest, 0, 1e-9);
  sl_assert_near (now (&run, "cost.expected"), now (&run, "cost.training"), 0, 1e-9);
  sl_assert_near (now (&run, "cost.cheapest"), 100.0 * (dearest - 2 * block) / dearest, 0, 1e-9);
  for (int b = 1; b <= 2; b++)
    {
      g_autofree char *id = g_strdup_printf ("agreement.block-%d", b);

      g_test_message ("%s %.1f %%", id, now (&run, id));
      g_assert_cmpfloat (now (&run, id), >, 78.0);
    }
  g_assert_false (has (&run, "agreement.block-3"));
  alone = now (&run, "error.valid");
  g_test_message ("%.1f %% wrong alone, %.1f %% in batches; cost %.1f %%", alone,
                  now (&run, "error.in-batches"), now (&run, "cost.executed"));
  g_assert_cmpfloat (now (&run, "error.in-batches"), <, 40.0);
  g_assert_cmpfloat (alone, <, 40.0);
  sl_assert_near (now (&run, "cost.executed"), now (&run, "cost.training"), 0, 2.0);
  /* With no places nobody learns that he would have one. */
  run_set (&run, "share", 0);
  run_steps (&run, 100);
  sl_assert_near (now (&run, "cost.training"), 100.0 * (dearest - 2 * block + ranks) / dearest, 0,
                  1e-9);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/selective-execution/lambda", test_lambda);
  g_test_add_func ("/selective-execution/exits", test_exits);
  g_test_add_func ("/selective-execution/depths", test_depths);
  g_test_add_data_func ("/selective-execution/rewards/every", "every", test_rewards);
  g_test_add_data_func ("/selective-execution/rewards/expected", "expected", test_rewards);
  g_test_add_func ("/selective-execution/curves", test_curves);
  g_test_add_func ("/selective-execution/bags", test_bags);
  g_test_add_func ("/selective-execution/refused", test_refused);
  g_test_add_func ("/selective-execution/clock", test_clock);
  g_test_add_func ("/selective-execution/files", test_files);
  g_test_add_func ("/selective-execution/refused-files", test_refused_files);
  g_test_add_func ("/selective-execution/refused-part", test_refused_part);
  g_test_add_func ("/selective-execution/figure", test_figure);
  g_test_add_func ("/selective-execution/ways", test_ways);
  g_test_add_func ("/selective-execution/static-costs", test_static_costs);
  g_test_add_data_func ("/selective-execution/paths/high-low", "low=3 high=12 batch=100",
                        test_paths);
  g_test_add_data_func ("/selective-execution/paths/cascade",
                        "architecture=cascade low=3 high=12 width=4 batch=100", test_paths);
  g_test_add_data_func ("/selective-execution/paths/chain",
                        "architecture=chain low=3 high=12 width=4 batch=100", test_paths);
  g_test_add_data_func ("/selective-execution/paths/hierarchy",
                        "architecture=hierarchy low=3 high=12 width=4 batch=100", test_paths);
  g_test_add_data_func ("/selective-execution/paths/either",
                        "architecture=chain links=either low=3 high=12 width=4 batch=100",
                        test_paths);
  g_test_add_data_func ("/selective-execution/paths/three-levels",
                        "architecture=hierarchy levels=3 low=3 high=12 width=4 batch=100",
                        test_paths);
  g_test_add_data_func ("/selective-execution/paths/thresholds",
                        "architecture=exits low=3 high=12 width=4 batch=100", test_paths);
  g_test_add_func ("/selective-execution/threshold", test_threshold);
  g_test_add_data_func ("/selective-execution/measure/f1", "f1", test_threshold_measure);
  g_test_add_data_func ("/selective-execution/measure/precision", "precision",
                        test_threshold_measure);
  g_test_add_data_func ("/selective-execution/measure/recall", "recall", test_threshold_measure);
  g_test_add_func ("/selective-execution/measure/earned", test_measure_earned);
  g_test_add_func ("/selective-execution/accuracy-by-path", test_accuracy_by_path);
  g_test_add_func ("/selective-execution/promise", test_promise);
  g_test_add_func ("/selective-execution/oracle", test_oracle);
  g_test_add_func ("/selective-execution/trail", test_trail);
  g_test_add_func ("/selective-execution/one-evaluation", test_one_evaluation);
  g_test_add_func ("/selective-execution/pictures", test_pictures);
  g_test_add_func ("/selective-execution/faces", test_faces);
  return g_test_run ();
}
