/* SPDX-License-Identifier: MIT
 *
 * The lab `experts` beside what all labs are tested for: that its curves say what they claim, that
 * knobs act at once, that balance losses balance, and that single inputs agree with whole
 * splits.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/lab/kit/schedule.h"
#include "core/lab/kit/state.h"
#include "core/lab/mixture/setting.h"
#include "core/labs/experts/lab.h"
#include "core/labs/registry.h"
#include "tests/core/labs/lab-run.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

static SlStatus
try_run (Run *run, const char *data, const char *words)
{
  return lab_run_try (run, "experts", data, words);
}

static void
run_init (Run *run, const char *data, const char *words)
{
  assert_ok (try_run (run, data, words));
}

static void
check_refused_groups (const char *words)
{
  char     text[512];
  Run      run;
  SlStatus status = try_run (&run, "moons:points=300", words);

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_null (run.trainer);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "4 groups for 10 experts"));
  g_assert_nonnull (strstr (text, "divides"));
  run_clear (&run);
}

/* Groups that the experts cannot be dealt into are refused, in words; whatever the gate. */
static void
test_groups (void)
{
  Run run;

  check_refused_groups ("experts=10 groups=4");
  check_refused_groups ("gate=bias experts=5 split=2 groups=4");
  run_init (&run, "moons:points=300", "experts=12 groups=4 gate=balanced batch=48");
  run_steps (&run, 2);
  run_clear (&run);
}

/* The gates of chooser.h are no trees: groups are refused, and a setting of them that is left over from another
 * gate has no effect.  */
static void
test_flat (void)
{
  for (SlMoeGate gate = SL_MOE_NOISY; gate <= SL_MOE_TOP_P; gate++)
    {
      SlMoeShape shape = { .gate = gate,
                           .inputs = 3,
                           .hidden = 2,
                           .outputs = 2,
                           .experts = 4,
                           .groups = 2,
                           .most = 8,
                           .slots = 1 };
      SlStatus   status = sl_mixture_check (&shape, 100.0);

      g_assert_cmpint (status.code, ==,
                       gate == SL_MOE_NOISY || gate == SL_MOE_BALANCED ? SL_OK : SL_EINVAL);
      shape.groups = 1;
      assert_ok (sl_mixture_check (&shape, 100.0));
    }
  for (int i = 0; i < 2; i++)
    {
      Run run;

      run_init (&run, "moons:points=300",
                i == 0 ? "gate=switch experts=8 groups=1 batch=20 report-every=1"
                       : "gate=switch experts=8 groups=4 batch=20 report-every=1");
      run_steps (&run, 2);
      g_assert_cmpfloat (now (&run, "cost.share"), ==, 25.0);
      run_clear (&run);
    }
}

/* With a bias k counts in all, and is at most what the groups have; each example then has as many. */
static void
test_bias_groups (void)
{
  static const struct
  {
    const char *settings;
    double      share;
  } cases[] = {
    { "k=2 k-groups=2", 25.0 },
    { "k=8 k-groups=1", 25.0 },
    { "k=8 k-groups=3", 75.0 },
    { "k=3 k-groups=4", 37.5 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = g_strconcat (
        "gate=bias experts=8 groups=4 batch=20 report-every=1 shared=0 ", cases[i].settings, NULL);
      double gate = 2.0 * 8, expert = 32.0 * (2 + 1);
      Run    run;

      run_init (&run, "moons:points=300", words);
      run_steps (&run, 2);
      g_assert_cmpfloat (now (&run, "cost.share"), ==, cases[i].share);
      sl_assert_near (now (&run, "cost.executed"), cases[i].share + 100.0 * gate / (8.0 * expert),
                      0, 1e-6);
      run_clear (&run);
    }
}

/* The curves of a report against the formulas that they are named after. */
static void
test_curves (void)
{
  Run    run;
  double sum = 0.0, most = 0.0;
  double gate = 2.0 * 2 * 8, expert = 5.0 * (2 + 1);

  run_init (&run, "moons:points=300", "experts=8 k=2 hidden=5 batch=50 report-every=4");
  run_steps (&run, 8);
  for (int i = 1; i <= 8; i++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%d", i);

      sum += now (&run, id);
      most = MAX (most, now (&run, id));
    }
  sl_assert_near (sum, 8.0, 0, 1e-5);
  g_assert_cmpfloat (most, >, 1.0);
  sl_assert_near (now (&run, "cv.floor"), sqrt ((1 - 2.0 / 8) / (50 * 2.0 / 8)), 0, 1e-6);
  sl_assert_near (now (&run, "cv.collapse"), sqrt (8 / 2.0 - 1), 0, 1e-6);
  sl_assert_near (now (&run, "violation.collapse"), 3.0, 0, 1e-9);
  g_assert_cmpfloat (now (&run, "violation.smooth"), >=, 0.0);
  g_assert_cmpfloat (now (&run, "violation.smooth"), <=, 3.0);
  g_assert_cmpfloat (now (&run, "effective.effective"), <=, now (&run, "effective.used") + 1e-5);
  g_assert_cmpfloat (now (&run, "effective.used"), <=, now (&run, "effective.there"));
  sl_assert_near (now (&run, "cost.executed"), 100 * (gate + 2 * expert) / (8 * expert), 0, 1e-4);
  sl_assert_near (now (&run, "cost.share"), 25.0, 0, 1e-9);
  sl_assert_near (now (&run, "cost.expected"), now (&run, "cost.executed"), 0.2, 0);
  /* Almost every choice is made by the noise at the beginning. */
  g_assert_cmpfloat (now (&run, "agreement.same"), <, 50.0);
  sl_assert_near (now (&run, "noise.sigma"), log (2.0) + 0.01, 0.1, 0);
  run_clear (&run);
}

/* With k = n everybody works, and nothing is left to balance or to choose. */
static void
test_everybody (void)
{
  Run run;

  run_init (&run, "moons:points=300", "experts=4 k=64 hidden=5 batch=50 report-every=1");
  run_steps (&run, 5);
  for (int i = 1; i <= 4; i++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%d", i);

      sl_assert_near (now (&run, id), 1.0, 0, 1e-6);
    }
  sl_assert_near (now (&run, "loss.load"), 0.0, 0, 0);
  sl_assert_near (now (&run, "agreement.same"), 100.0, 0, 0);
  run_probe (&run, "why");
  g_assert_cmpuint (run.snapshot.n_curves, ==, 0);
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "Every example uses all experts"));
  run_clear (&run);
}

/* What a live knob does shows at the next step, not at the next report. */
static void
test_live (void)
{
  Run run;

  run_init (&run, "moons:points=300",
            "experts=8 k=2 batch=50 report-every=1000000 evaluate-every=1000000");
  run_steps (&run, 30);
  run_set (&run, "w-load", 0);
  run_steps (&run, 1);
  /* The sums since the last report hold the steps with a weight too. */
  g_assert_cmpfloat (now (&run, "loss.load"), >, 0.0);
  run_set (&run, "w-importance", 0);
  run_steps (&run, 1);
  sl_assert_near (now (&run, "loss.load"), 0.0, 0, 0);
  sl_assert_near (now (&run, "loss.importance"), 0.0, 0, 0);
  run_set (&run, "k", 3);
  run_steps (&run, 1);
  sl_assert_near (now (&run, "cost.share"), 37.5, 0, 1e-9);
  g_assert_true (isfinite (now (&run, "error.valid")));
  run_clear (&run);
}

/* Without the balance losses the load is far from even, with them it is near the floor: the
 * point of the lab, at a small scale and after training from the same first weights.  */
static void
test_balance (void)
{
  static const char common[] = "experts=8 k=2 hidden=8 batch=100 report-every=50 noise-floor=0.01";
  g_autofree char  *free_words = g_strconcat (common, " w-importance=0 w-load=0", NULL);
  Run               balanced, unbalanced;
  double            floor;

  run_init (&balanced, "digits:images=2000", common);
  run_init (&unbalanced, "digits:images=2000", free_words);
  run_steps (&balanced, 400);
  run_steps (&unbalanced, 400);
  floor = now (&balanced, "cv.floor");
  g_assert_cmpfloat (now (&balanced, "cv.hard"), <, 2.5 * floor);
  g_assert_cmpfloat (now (&unbalanced, "cv.hard"), >, 4 * floor);
  g_assert_cmpfloat (now (&unbalanced, "effective.effective"), <,
                     now (&balanced, "effective.effective") - 1);
  g_assert_cmpfloat (score_of (&unbalanced, SL_TEST, "cv-load"), >,
                     2 * score_of (&balanced, SL_TEST, "cv-load"));
  g_assert_cmpfloat (score_of (&balanced, SL_TEST, "used"), ==, 8);
  run_clear (&balanced);
  run_clear (&unbalanced);
}

/* On the plane, where the noise stays large, losses that get their weights back even it out. */
static void
test_recovery (void)
{
  Run    run;
  double before;

  run_init (&run, "spirals",
            "experts=8 k=2 hidden=8 batch=100 report-every=50 learning-rate=0.01 w-importance=0 "
            "w-load=0");
  run_steps (&run, 600);
  before = now (&run, "cv.hard");
  g_assert_cmpfloat (before, >, 3 * now (&run, "cv.floor"));
  run_set (&run, "w-load", 0.1);
  run_set (&run, "w-importance", 0.1);
  run_steps (&run, 600);
  g_assert_cmpfloat (now (&run, "cv.hard"), <, 0.5 * before);
  run_clear (&run);
}

/* Of a run gone wrong, the probe says who is dead and why. */
static void
test_why (void)
{
  Run      run;
  unsigned dead = 0, busiest = 0, whole = 0, few = 0;
  double   most = 0.0;

  run_init (&run, "digits:images=2000",
            "experts=8 k=2 hidden=8 batch=100 report-every=50 w-importance=0 w-load=0 "
            "learning-rate=0.01");
  run_probe (&run, "why");
  g_assert_cmpstr (sl_english (&run.snapshot.note), ==, "Nothing has been learned yet.");
  run_steps (&run, 400);
  for (unsigned i = 1; i <= 8; i++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%u", i);

      if (now (&run, id) == 0.0)
        dead = i;
      if (now (&run, id) > most)
        {
          most = now (&run, id);
          busiest = i;
        }
    }
  g_assert_cmpuint (dead, >, 0);
  run_set (&run, "expert", dead);
  run_probe (&run, "why");
  g_assert_true (g_str_has_prefix (sl_english (&run.snapshot.note), "No example chooses expert "));
  g_assert_cmpuint (run.snapshot.n_curves, ==, 2);
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "−"));
  /* All examples are in some range; those of a dead expert are below the threshold, and some of the
   * busiest above.  */
  for (unsigned c = 0; c < 2; c++)
    {
      const SlSnapshotCurve *curve = &run.snapshot.curve[c];
      const double          *y = run.snapshot.data + curve->offset + curve->n;
      double                 sum = 0.0, above = 0.0;

      g_assert_cmpuint (curve->n, ==, 10);
      for (size_t i = 0; i < curve->n; i++)
        {
          sum += y[i];
          above += i >= 5 ? y[i] : 0.0;
        }
      sl_assert_near (sum, 100.0, 0, 1e-9);
      if (c == 0)
        sl_assert_near (above, 0.0, 0, 0);
      else
        g_assert_cmpfloat (above, >, 100.0 / 8);
    }
  run_set (&run, "expert", busiest);
  run_probe (&run, "why");
  g_assert_cmpuint (run.snapshot.n_curves, ==, 1);
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "% of the examples"));
  /* A number beyond the last expert looks at the last one. */
  run_set (&run, "expert", 64);
  run_probe (&run, "why");
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "xpert 8"));

  /* The same dead expert has a row of zeros among the classes, the others one that sums to 1, but for
   * those with few examples.  */
  run_probe (&run, "classes");
  g_assert_cmpuint (run.snapshot.rows, ==, 8);
  g_assert_cmpuint (run.snapshot.columns, ==, run.dataset->classes);
  for (unsigned i = 0; i < 8; i++)
    {
      double sum = 0.0;

      for (unsigned c = 0; c < run.snapshot.columns; c++)
        sum += run.snapshot.data[i * run.snapshot.columns + c];
      whole += fabs (sum - 1.0) < 1e-12;
      g_assert_cmpfloat (sum, <, 1.0 + 1e-12);
      few += sum > 0.0 && sum < 1.0 - 1e-12;
      if (i + 1 == dead)
        g_assert_cmpfloat (sum, ==, 0.0);
    }
  g_assert_cmpuint (whole, >, 0);
  g_assert_cmpuint (whole + few, <=, 7);
  /* A drawn digit is the class of its number. */
  g_assert_cmpstr (run.snapshot.names, ==, "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
  run_clear (&run);
}

/* When the noise hardly ever decides any more, the panel says so, and not before. */
static void
test_noise_gone (void)
{
  Run run;

  run_init (&run, "digits:images=2000", "experts=8 k=2 hidden=8 batch=100 noise-floor=0.0001");
  run_steps (&run, 2);
  run_probe (&run, "why");
  g_assert_null (strstr (sl_english (&run.snapshot.note), "hardly decides"));
  run_steps (&run, 1500);
  run_probe (&run, "why");
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "hardly decides"));
  run_clear (&run);
}

/* With k = 1 the panel warns, as the error then teaches the gate nothing. */
static void
test_warning (void)
{
  Run run;

  run_init (&run, "moons:points=300", "experts=4 k=1 batch=50");
  run_steps (&run, 3);
  run_probe (&run, "classes");
  g_assert_nonnull (strstr (sl_english (&run.snapshot.note), "k = 1"));
  run_clear (&run);
}

/* Every input of the test split, one by one, against the split as a whole. */
static void
test_map (gconstpointer words)
{
  Run      run;
  size_t   n, first, wrong = 0, n_experts = 0, k;
  uint64_t used = 0;
  double   least = 1.0;

  run_init (&run, "moons:points=2000,noise=0.3", words);
  run_steps (&run, 40);
  n = run.dataset->n[SL_TEST];
  first = sl_dataset_first (run.dataset, SL_TEST);
  k = strstr (words, "groups=3") != NULL ? 4 : 2;
  g_autofree sl_real *x = g_new (sl_real, 2 * n);
  g_autofree uint8_t *label = g_new (uint8_t, n);
  g_autofree SlCell  *cells = g_new (SlCell, n);
  SlSpan              weights = sl_trainer_weights (run.trainer);
  g_autofree sl_real *before = g_memdup2 (weights.data, weights.n * sizeof *before);

  sl_dataset_range (run.dataset, first, n, x, label);
  sl_state_map (sl_trainer_state (run.trainer), x, n, cells);
  for (size_t e = 0; e < n; e++)
    {
      wrong += cells[e].label != label[e];
      used |= cells[e].pattern;
      least = MIN (least, (double) cells[e].confidence);
      if (strstr (words, "balanced") == NULL && strstr (words, "choice") == NULL)
        g_assert_cmpuint (cells[e].active, ==, k);
      g_assert_cmpint (__builtin_popcountll (cells[e].pattern), ==, (int) cells[e].active);
      if (cells[e].active > 0)
        g_assert_cmpuint (cells[e].pattern >> cells[e].top & 1, ==, 1);
      g_assert_true (cells[e].confidence >= 0 && cells[e].confidence <= 1);
      g_assert_true (cells[e].margin >= 0 && cells[e].margin <= 1);
      g_assert_true (cells[e].cost > 0);
    }
  n_experts = (size_t) __builtin_popcountll (used);
  sl_assert_near (100.0 * (double) wrong / (double) n, score_of (&run, SL_TEST, "error"), 0, 1e-9);
  g_assert_cmpfloat ((double) n_experts, ==, score_of (&run, SL_TEST, "used"));
  /* Somewhere between two experts the gate is not sure. */
  g_assert_cmpfloat (least, <, 0.5);
  g_assert_cmpmem (before, weights.n * sizeof *before, weights.data, weights.n * sizeof *before);
  run_clear (&run);
}

/* More experts than a set has bits for: patterns are hashes, equal for equal sets. */
static void
test_hash (void)
{
  Run     run;
  sl_real x[400];
  SlCell  cells[200];

  run_init (&run, "moons:points=300", "experts=64 k=2 hidden=2 batch=50");
  run_steps (&run, 20);
  for (int i = 0; i < 200; i++)
    {
      x[2 * i] = (sl_real) (0.02 * (i % 100) - 1);
      x[2 * i + 1] = (sl_real) 0.3;
    }
  sl_state_map (sl_trainer_state (run.trainer), x, 200, cells);
  for (int i = 0; i < 200; i++)
    {
      g_assert_cmpuint (cells[i].pattern >> SL_CELL_HASH, ==, 1);
      g_assert_cmpuint (cells[i].pattern, ==, cells[i % 100].pattern);
      if (cells[i].top != cells[0].top && cells[i].active == 1)
        g_assert_cmpuint (cells[i].pattern, !=, cells[0].pattern);
    }
  g_assert_cmpuint (cells[0].pattern, !=, cells[99].pattern);
  run_clear (&run);
}

/* Recomputing activations saves memory and changes no number; factored moments save more. */
static void
test_memory (void)
{
  static const char *const words[] = {
    "experts=6 hidden=8 batch=30",
    "experts=6 hidden=8 batch=30 recompute=yes",
    "experts=6 hidden=8 batch=30 factored=yes",
  };
  g_autofree sl_real *trained[3] = { NULL };
  double              bytes[3][4];

  for (int i = 0; i < 3; i++)
    {
      Run    run;
      SlSpan weights;

      run_init (&run, "digits:images=600", words[i]);
      run_steps (&run, 20);
      weights = sl_trainer_weights (run.trainer);
      trained[i] = g_memdup2 (weights.data, weights.n * sizeof *weights.data);
      if (i > 0)
        g_assert_cmpint (memcmp (trained[i], trained[0], weights.n * sizeof *weights.data) == 0, ==,
                         i == 1);
      run_probe (&run, "memory");
      g_assert_cmpuint (run.snapshot.n_curves, ==, 2);
      for (int b = 0; b < 4; b++)
        {
          double set = run.snapshot.data[run.snapshot.curve[0].offset + 4 + (size_t) b];
          double plain = run.snapshot.data[run.snapshot.curve[1].offset + 4 + (size_t) b];

          g_assert_cmpfloat (set, >, 0.0);
          g_assert_cmpfloat (set, <=, plain);
          bytes[i][b] = set;
        }
      run_clear (&run);
    }
  g_assert_cmpfloat (bytes[1][3], <, bytes[0][3]);
  g_assert_cmpfloat (bytes[2][2], <, 0.5 * bytes[0][2]);
  g_free (trained[1]);
  g_free (trained[2]);
}

/* The strictly balanced gate shows its two masks; noisy gates have one. */
static void
test_masks (void)
{
  Run run;
  int channel;

  run_init (&run, "digits:images=600", "gate=balanced experts=6 k=2 hidden=8 batch=60");
  run_steps (&run, 60);
  g_assert_cmpfloat (now (&run, "agreement.agreement"), >, 50.0);
  g_assert_cmpfloat (now (&run, "agreement.agreement"), <=, 100.0);
  g_assert_cmpfloat (now (&run, "agreement.empty"), <, 100.0);
  g_assert_cmpfloat (now (&run, "loss.threshold"), >=, 0.0);
  /* Exactly floor (k B / n) examples each. */
  sl_assert_near (now (&run, "cv.hard"), 0.0, 0, 1e-6);
  channel = sl_layout_find (sl_trainer_layout (run.trainer), "noise.sigma");
  g_assert_cmpuint (run.step[channel], ==, 0);
  run_clear (&run);
}

static double
of_expert (Run *run, const char *trace, unsigned i)
{
  g_autofree char *name = g_strdup_printf ("%s.%u", trace, i);

  return now (run, name);
}

static void
begin_choice (Run *run, const char *words)
{
  g_autofree char *all = g_strdup_printf (
    "experts=8 k=2 hidden=8 batch=100 report-every=20 evaluate-every=20 %s", words);

  run_init (run, "digits:images=1000", all);
}

/* What the curve of the cost says, against the formulas of the gates. */
static void
test_executed (void)
{
  static const double d = 784, o = 10, h = 8, b = 100;
  const double        e = h * (d + o);
  const struct
  {
    const char *words;
    double      n, m, macs; /* experts, shared ones, multiplications of an example */
  } cases[] = {
    { "gate=noisy", 8, 0, 2 * d * 8 + 2 * e },
    { "gate=bias", 8, 0, d * 8 + 2 * e },
    { "gate=bias shared=1 k=1", 8, 1, d * 8 + 2 * e },
    { "gate=bias split=4", 8, 0, d * 32 + 2 * e },
    { "gate=bias split=2 shared=2", 8, 1, d * 16 + 3 * e }, /* two shared ones of half the size */
    { "gate=balanced", 8, 0, d * 8 + 2 * e },
    { "gate=base", 8, 0, d * 8 + 2 * e + 16 * 8 },
    { "gate=dense", 8, 0, d * 8 + 8 * e },
    { "gate=soft", 8, 0, 2 * d * 8 * 25 + 8 * 25 / b * e + 8 * 25 * o },
    { "gate=soft shared=1", 8, 1, 2 * d * 8 * 25 + (8 * 25 / b + 1) * e + 8 * 25 * o },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run;

      begin_choice (&run, cases[i].words);
      run_steps (&run, 20);
      sl_assert_near (now (&run, "cost.executed"),
                      100.0 * cases[i].macs / ((cases[i].n + cases[i].m) * e), 1e-9, 0);
      run_clear (&run);
    }
}

/* An expert cut into smaller ones: as many rows, and those chosen of them. */
static void
test_split (void)
{
  char     text[512];
  Run      run;
  SlStatus status;

  begin_choice (&run, "gate=bias split=2 shared=1");
  run_steps (&run, 20);
  g_assert_true (isfinite (of_expert (&run, "usage.load", 16)));
  g_assert_cmpint (sl_layout_find (sl_trainer_layout (run.trainer), "usage.load.17"), <, 0);
  g_assert_cmpint (sl_layout_find (sl_trainer_layout (run.trainer), "bias.b.16"), >=, 0);
  sl_assert_near (now (&run, "cost.share"), 100.0 * 5 / 17, 0, 1e-9);
  sl_assert_near (of_expert (&run, "per-example.share", 4), 100.0, 0, 1e-9);
  run_clear (&run);

  status = try_run (&run, "moons:points=300", "hidden=10 split=4");
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "10 units, cut into 4"));
  run_clear (&run);
  status = try_run (&run, "moons:points=300", "experts=16 split=8");
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "128 experts"));
  run_clear (&run);
}

/* Mixed with a batch an example is decided otherwise than alone; what counts is alone. */
static void
test_soft (void)
{
  char     text[512];
  Run      run;
  SlStatus status;

  begin_choice (&run, "gate=soft");
  run_steps (&run, 20);
  g_assert_cmpfloat (now (&run, "error.together"), !=, now (&run, "error.valid"));
  g_assert_cmpfloat (score_of (&run, SL_VALID, "violation"), ==, 0.0);
  g_assert_cmpfloat (score_of (&run, SL_VALID, "error"), ==, now (&run, "error.valid"));
  /* A later batch size leaves the slots. */
  run_set (&run, "batch", 10);
  run_steps (&run, 1);
  run_clear (&run);

  status = try_run (&run, "digits:images=1000", "gate=soft experts=1 batch=1024 budget=10");
  g_assert_cmpint (status.code, ==, SL_ENOMEM);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "1024 slots of 1 experts"));
  run_clear (&run);
}

/* The baseline has the multiplications of the layer, and less than one unit's fewer; it learns from the same batches
 * and leaves the network and the other baselines what they are without it.  */
static void
test_twin (void)
{
  static const struct
  {
    const char *words;
    double      macs, units, layers; /* of the published sizes */
  } cases[] = { { "gate=bias twin=wide", 63360, 79, 1 },
                { "gate=bias twin=deep", 63360, 73, 2 },
                { "twin=wide", 75904, 95, 1 },
                { "gate=switch twin=wide k=1 shared=1", 63360, 79, 1 },
                { "gate=relu split=2 twin=wide", 63360 + 784 * 16, 95, 1 } };
  const size_t        mixture = 784 * 8 + 8 * (785 * 8 + 9 * 10);
  g_autofree sl_real *weights = NULL;
  size_t              n = 0;
  Run                 run;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double u = cases[i].units, macs = u * 794 + (cases[i].layers > 1 ? u * u : 0.0);

      run_init (&run, "digits:images=600", cases[i].words);
      run_steps (&run, 10);
      g_assert_cmpfloat (macs, <=, cases[i].macs);
      sl_assert_near (now (&run, "cost.twin"),
                      100.0 * macs / ((strstr (cases[i].words, "shared") ? 17 : 16) * 25408), 1e-9,
                      0);
      run_clear (&run);
    }
  for (int i = 0; i < 2; i++)
    {
      SlSpan all;

      begin_choice (&run, i == 0 ? "gate=bias match=2 baselines=yes"
                                 : "gate=bias match=2 baselines=yes twin=wide");
      run_steps (&run, 100);
      all = sl_trainer_weights (run.trainer);
      if (i == 0)
        {
          n = all.n;
          weights = g_memdup2 (all.data, n * sizeof *weights);
          g_assert_false (has (&run, "error.twin"));
        }
      else
        {
          g_assert_cmpfloat (score_of (&run, SL_VALID, "error-twin"), <, 60.0);
          g_assert_cmpmem (weights, mixture * sizeof *weights, all.data, mixture * sizeof *weights);
          g_assert_cmpmem (weights + mixture, (n - mixture) * sizeof *weights,
                           all.data + all.n - (n - mixture), (n - mixture) * sizeof *weights);
        }
      run_clear (&run);
    }
}

/* Share of examples with none, one, two, … experts; all of them together. */
static double
sum_of_examples (Run *run)
{
  double sum = now (run, "dropped.unserved");

  for (unsigned i = 1; i <= 8; i++)
    sum += of_expert (run, "per-example.share", i);
  return sum;
}

/* Without a rule for the bias a gate without noise collapses; with it the load is even, and the loss is the
 * task's alone either way.  */
static void
test_bias (void)
{
  static const char *const words[] = { "gate=bias bias-rule=off", "gate=bias bias-rate=0.01" };
  double                   violation[2];

  for (int i = 0; i < 2; i++)
    {
      Run    run;
      double lo = 0.0, hi = 0.0;

      begin_choice (&run, words[i]);
      run_steps (&run, 200);
      violation[i] = now (&run, "violation.batch");
      for (unsigned e = 1; e <= 8; e++)
        {
          lo = fmin (lo, of_expert (&run, "bias.b", e));
          hi = fmax (hi, of_expert (&run, "bias.b", e));
        }
      sl_assert_near (now (&run, "bias-spread.bias"), hi - lo, 0, 1e-6);
      g_assert_true (i == 0 ? hi - lo == 0.0 : hi > 0.0 && lo < 0.0);
      sl_assert_near (now (&run, "violation.collapse"), 3.0, 0, 1e-9);
      sl_assert_near (now (&run, "agreement.agreement"), 100.0, 0, 1e-9);
      sl_assert_near (sum_of_examples (&run), 100.0, 0, 1e-6);
      g_assert_cmpuint (run.step[sl_layout_find (sl_trainer_layout (run.trainer), "loss.balance")],
                        ==, 0);
      run_clear (&run);
    }
  g_assert_cmpfloat (violation[0], >, 1.0);
  g_assert_cmpfloat (violation[1], <, 0.5 * violation[0]);
}

/* A switch drops what has no place: with half the places needed, about half of the choices or more; without a
 * limit none.  */
static void
test_switch (void)
{
  Run    run;
  double reserved;

  begin_choice (&run, "gate=switch capacity=0.5");
  run_steps (&run, 40);
  g_assert_cmpfloat (now (&run, "dropped.dropped"), >=, 48.0);
  g_assert_cmpfloat (now (&run, "dropped.unserved"), >, 0.0);
  g_assert_cmpfloat (now (&run, "loss.balance"), >, 0.3 - 1e-6);
  g_assert_cmpfloat (now (&run, "loss.z"), >, 0.0);
  g_assert_cmpfloat (now (&run, "dropped.dropped"), ==, score_of (&run, SL_VALID, "dropped"));
  sl_assert_near (sum_of_examples (&run), 100.0, 0, 1e-6);
  reserved = now (&run, "cost.reserved");
  g_assert_cmpfloat (now (&run, "cost.executed"), <=, reserved);
  run_set (&run, "capacity", 0);
  run_steps (&run, 20);
  g_assert_cmpfloat (now (&run, "dropped.dropped"), ==, 0.0);
  g_assert_cmpfloat (now (&run, "dropped.unserved"), ==, 0.0);
  run_clear (&run);
}

/* Experts that choose are even in every batch; for single examples nearly so, and not everybody gets two. */
static void
test_expert_choice (void)
{
  Run    run;
  double two;

  begin_choice (&run, "gate=expert-choice");
  run_steps (&run, 100);
  g_assert_cmpfloat (now (&run, "violation.batch"), ==, 0.0);
  g_assert_cmpfloat (now (&run, "violation.valid"), >, 0.0);
  two = of_expert (&run, "per-example.share", 2);
  g_assert_cmpfloat (two, >, 0.0);
  g_assert_cmpfloat (two, <, 100.0);
  sl_assert_near (sum_of_examples (&run), 100.0, 0, 1e-6);
  run_clear (&run);
}

/* About half of all pairs are on at first; the penalty follows until as many are off as with k experts for each
 * example.  */
static void
test_relu (void)
{
  Run run;

  begin_choice (&run, "gate=relu gate-rate=0.1 l1-start=0.001 l1-gain=1.05");
  run_steps (&run, 1);
  g_assert_cmpfloat (now (&run, "zeros.target"), ==, 75.0);
  g_assert_cmpfloat (now (&run, "zeros.zeros"), <, 65.0);
  sl_assert_near (now (&run, "controller.lambda"), 0.00105, 0, 1e-9);
  run_steps (&run, 399);
  sl_assert_near (now (&run, "zeros.zeros"), 75.0, 0, 2.0);
  g_assert_cmpfloat (now (&run, "controller.lambda"), >, 0.01);
  g_assert_cmpfloat (now (&run, "loss.l1"), >, 0.0);
  run_clear (&run);
}

/* Choices stop changing when nothing learns, and the whole change is at most all. */
static void
test_flips (void)
{
  Run run;

  begin_choice (&run, "gate=bias");
  run_steps (&run, 40);
  g_assert_cmpfloat (now (&run, "flips.choices"), >, 0.0);
  g_assert_cmpfloat (now (&run, "flips.examples"), >=, now (&run, "flips.choices"));
  g_assert_cmpfloat (now (&run, "flips.examples"), <=, 100.0);
  run_clear (&run);

  begin_choice (&run, "gate=bias bias-rule=off optimiser=sgd learning-rate=1e-6");
  run_steps (&run, 40);
  g_assert_cmpfloat (now (&run, "flips.examples"), <=, 1.0);
  run_clear (&run);
}

static void
test_schedule (void)
{
  /* 1000 up, 500 flat, then ∝ 1/√t. */
  sl_assert_near (sl_schedule_inverse_root (1000, 500, 1), 1e-3, 1e-12, 0);
  sl_assert_near (sl_schedule_inverse_root (1000, 500, 1000), 1, 1e-12, 0);
  sl_assert_near (sl_schedule_inverse_root (1000, 500, 1500), 1, 1e-12, 0);
  sl_assert_near (sl_schedule_inverse_root (1000, 500, 6000), 0.5, 1e-12, 0);
  sl_assert_near (sl_schedule_inverse_root (0, 0, 1), 1, 1e-12, 0);
  sl_assert_near (sl_schedule_inverse_root (0, 0, 100), 0.1, 1e-12, 0);
}

/* All but a value, of which there may be several. */
static void
test_needs_other (void)
{
  static const struct
  {
    const char *gate, *needs;
    bool        freeze;
  } cases[] = {
    { "noisy", "gate!=noisy", false },
    { "balanced", "gate!=noisy", true },
    { "noisy", "gate!=balanced", true },
    { "balanced", "gate!=noisy gate!=balanced", false },
    { "balanced", "gate=balanced gate!=noisy", true },
  };
  const SlLab *lab = sl_lab_find ("experts");
  SlSettings   settings;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      sl_settings_default (&settings, lab->params, lab->n_params);
      assert_ok (sl_settings_set (&settings, lab->params, lab->n_params, "gate", cases[i].gate));
      g_assert_true (sl_needs_hold (&settings, lab->params, lab->n_params, cases[i].needs)
                     == cases[i].freeze);
    }
}

/* Rows say what they need: one thing, several, or a number above another. */
static void
test_needs (void)
{
  static const struct
  {
    const char *set[2], *row;
    bool        matters;
  } cases[] = {
    { { "groups=1", "gate=noisy" }, "k-groups", false },
    { { "groups=2", "gate=noisy" }, "k-groups", true },
    { { "groups=2", "gate=balanced" }, "k-groups", true },
    { { "groups=1", "gate=balanced" }, "w-load", false },
    { { "groups=1", "gate=balanced" }, "w-importance", true },
    { { "groups=1", "gate=bias" }, "w-importance", false },
    { { "groups=2", "gate=bias" }, "k-groups", true },
    { { "groups=2", "gate=relu" }, "k-groups", false },
    { { "groups=1", "gate=bias" }, "values", true },
    { { "groups=1", "gate=relu" }, "values", false },
    { { "groups=1", "gate=own" }, "k", false },
    { { "groups=1", "gate=own" }, "values", false },
    { { "groups=2", "gate=own" }, "k-groups", false },
    { { "groups=1", "gate=own" }, "zero", false },
    { { "groups=1", "gate=own" }, "twin", false },
    { { "groups=1", "gate=own" }, "gate-rate", true },
    { { "capacity=0", "gate=switch" }, "drop", false },
    { { "embedding=0", "gate=noisy" }, "residual", false },
    { { "embedding=16", "gate=noisy" }, "residual", true },
  };
  const SlLab *lab = sl_lab_find ("experts");

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlSettings settings;
      int        row = sl_param_find (lab->params, lab->n_params, cases[i].row);

      sl_settings_default (&settings, lab->params, lab->n_params);
      for (int k = 0; k < 2; k++)
        {
          g_auto (GStrv) pair = g_strsplit (cases[i].set[k], "=", 2);

          assert_ok (sl_settings_set (&settings, lab->params, lab->n_params, pair[0], pair[1]));
        }
      g_assert_true (sl_param_matters (&settings, lab->params, lab->n_params, (unsigned) row)
                     == cases[i].matters);
    }
  g_assert_true (sl_needs_hold (NULL, NULL, 0, NULL));
}

/* The dense baselines do as many multiplications as the experts, learn from the same batches, and leave
 * the network what it is without them; the switch acts at once.  */
static void
test_baselines (void)
{
  static const char words[] = "experts=8 k=3 match=3 hidden=16 batch=50 report-every=1 "
                              "evaluate-every=1000000 learning-rate=0.005";
  g_autofree char  *with_words = g_strconcat (words, " baselines=yes", NULL);
  Run               with, without;
  size_t            n;
  double            first;

  run_init (&with, "digits:images=2000", with_words);
  run_init (&without, "digits:images=2000", words);
  run_steps (&with, 1);
  first = now (&with, "error.wide");
  g_assert_true (isfinite (now (&with, "error.deep")));
  run_steps (&with, 300);
  run_steps (&without, 301);
  g_assert_false (has (&without, "error.wide"));
  g_assert_false (has (&without, "cost.deep"));
  n = sl_trainer_weights (with.trainer).n;
  g_assert_cmpuint (sl_trainer_weights (without.trainer).n, ==, n);
  /* Of the mixture's: gates and experts. */
  n = 784 * 2 * 8 + 8 * (785 * 16 + 17 * 10);
  g_assert_cmpmem (sl_trainer_weights (with.trainer).data, n * sizeof (sl_real),
                   sl_trainer_weights (without.trainer).data, n * sizeof (sl_real));
  sl_assert_near (now (&with, "cost.wide"), 100.0 * 3 / 8, 0, 1e-9);
  sl_assert_near (now (&with, "cost.deep"), 100.0 * 3 / 8, 0.5, 0);
  g_assert_cmpfloat (score_of (&with, SL_TEST, "error-wide"), <, 0.5 * first);
  g_assert_cmpfloat (score_of (&with, SL_TEST, "error-deep"), <, 0.5 * first);

  run_set (&without, "baselines", 1);
  run_steps (&without, 10);
  g_assert_true (has (&without, "error.wide"));
  run_set (&with, "baselines", 0);
  run_steps (&with, 1);
  g_assert_cmpuint (with.step[sl_layout_find (sl_trainer_layout (with.trainer), "cost.wide")], ==,
                    301);
  run_clear (&with);
  run_clear (&without);
}

/* The clock times a network in use: the load loss, which the run has, is not computed there. */
static void
test_clock (void)
{
  const SlMoe *moe;
  Run          run;

  run_init (&run, "digits:images=300", "experts=4 k=2 hidden=8 w-load=0.1");
  run_steps (&run, 3);
  moe = &sl_experts_lab (sl_trainer_state (run.trainer))->moe;
  g_assert_true (moe->gates[0].has_load);
  sl_trainer_time (run.trainer, &(SlClockRounds) { 0 }, 0, NULL);
  g_assert_false (moe->gates[0].has_load);
  run_steps (&run, 1);
  g_assert_true (moe->gates[0].has_load);
  run_clear (&run);
}

/* Share of the experts that are updated once the first updates are over, as a mean of a few runs. */
static double
found_busy (const SlDataset *data, const SlSettings *settings)
{
  enum { RUNS = 4, BEFORE = 40, STEPS = 10 };
  double sum = 0;

  for (unsigned seed = 1; seed <= RUNS; seed++)
    {
      Run run = { .sink = { .take = take, .open = open_snapshot, .publish = publish } };
      const SlDispatch *dispatch;
      size_t            n;

      assert_ok (sl_trainer_new (&run.trainer, sl_lab_find ("experts"), settings, data, seed));
      dispatch = &sl_experts_lab (sl_trainer_state (run.trainer))->moe.dispatch;
      n = dispatch->experts;
      run_steps (&run, BEFORE);
      for (unsigned step = 0; step < STEPS; step++)
        {
          run_steps (&run, 1);
          for (size_t i = 0; i < n; i++)
            sum += dispatch->start[i + 1] > dispatch->start[i];
        }
      run_clear (&run);
    }
  return sum / (double) settings->value[P_EXPERTS].v[0] / RUNS / STEPS;
}

/* Adam's first updates put experts of a noisy gate out of reach where inputs are bright and the rate is large;
 * a small rate, a warm-up, plain gradient descent, an embedding or small inputs lose none.  */
static void
test_lost (void)
{
  static const struct
  {
    const char *data, *words;
    bool        all;
  } of[] = {
    { "digits:images=600", "learning-rate=0.002", false },
    { "digits:images=600", "learning-rate=0.001 experts=48", false },
    { "digits:images=600", "learning-rate=0.0002", true },
    { "digits:images=600", "learning-rate=0.002 schedule=inverse-root", true },
    { "digits:images=600", "learning-rate=0.002 optimiser=sgd", true },
    { "digits:images=600", "learning-rate=0.002 embedding=24", true },
    { "moons:points=300", "learning-rate=0.002", true },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (of); i++)
    {
      const SlLab *lab = sl_lab_find ("experts");
      SlSettings   settings;
      SlDataset   *data;
      double       found;

      sl_settings_default (&settings, lab->params, lab->n_params);
      assert_ok (sl_settings_set_words (&settings, lab->params, lab->n_params,
                                        "hidden=7 report-every=1000000 evaluate-every=1000000"));
      assert_ok (sl_settings_set_words (&settings, lab->params, lab->n_params, of[i].words));
      assert_ok (sl_source_open (of[i].data, &data));
      found = found_busy (data, &settings);
      g_test_message ("%s, %s: busy %.3f", of[i].data, of[i].words, found);
      g_assert_true (of[i].all ? found > 0.95 : found < 0.75);
      sl_dataset_free (data);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts/groups", test_groups);
  g_test_add_func ("/experts/flat", test_flat);
  g_test_add_func ("/experts/bias-groups", test_bias_groups);
  g_test_add_func ("/experts/bias", test_bias);
  g_test_add_func ("/experts/switch", test_switch);
  g_test_add_func ("/experts/expert-choice", test_expert_choice);
  g_test_add_func ("/experts/relu", test_relu);
  g_test_add_func ("/experts/flips", test_flips);
  g_test_add_func ("/experts/executed", test_executed);
  g_test_add_func ("/experts/split", test_split);
  g_test_add_func ("/experts/soft", test_soft);
  g_test_add_func ("/experts/twin", test_twin);
  g_test_add_func ("/experts/curves", test_curves);
  g_test_add_func ("/experts/everybody", test_everybody);
  g_test_add_func ("/experts/live", test_live);
  g_test_add_func ("/experts/balance", test_balance);
  g_test_add_func ("/experts/recovery", test_recovery);
  g_test_add_func ("/experts/clock", test_clock);
  g_test_add_func ("/experts/lost", test_lost);
  g_test_add_func ("/experts/why", test_why);
  g_test_add_func ("/experts/noise-gone", test_noise_gone);
  g_test_add_func ("/experts/warning", test_warning);
  g_test_add_data_func ("/experts/map/flat", "experts=6 k=2 hidden=6 batch=60", test_map);
  g_test_add_data_func ("/experts/map/groups",
                        "experts=6 groups=3 k=2 k-groups=2 hidden=6 batch=60", test_map);
  g_test_add_data_func ("/experts/map/balanced",
                        "gate=balanced experts=6 k=2 hidden=6 batch=60 embedding=8", test_map);
  g_test_add_data_func ("/experts/map/bias", "gate=bias experts=6 k=2 hidden=6 batch=60", test_map);
  g_test_add_data_func ("/experts/map/expert-choice",
                        "gate=expert-choice experts=6 k=2 hidden=6 batch=60", test_map);
  g_test_add_func ("/experts/hash", test_hash);
  g_test_add_func ("/experts/memory", test_memory);
  g_test_add_func ("/experts/baselines", test_baselines);
  g_test_add_func ("/experts/masks", test_masks);
  g_test_add_func ("/experts/needs", test_needs);
  g_test_add_func ("/experts/needs-other", test_needs_other);
  g_test_add_func ("/experts/schedule", test_schedule);
  return g_test_run ();
}
