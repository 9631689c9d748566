/* SPDX-License-Identifier: MIT
 *
 * The lab `experts` with gates that give examples different numbers of experts, top-p and zero-computation experts:
 * curves and panels against what each example has, the picture, the gating map and recordings.  */
#include <glib/gstdio.h>
#include <stdlib.h>

#include "core/data/routing/npz-write.h"
#include "core/labs/experts/lab.h"
#include "core/nn/dense/loss.h"
#include "tests/core/labs/alive.h"

static const char top_p[] = "gate=top-p experts=8 p=0.7 hidden=6 batch=40";
static const char zero[] = "experts=6 zero=3 k=2 hidden=6 batch=40";
static const char identity[]
  = "experts=6 zero=3 zero-kind=identity k=2 embedding=8 residual=yes hidden=6 batch=40";

static SlExpertsLab *
lab_of (Run *run)
{
  return sl_experts_lab (sl_trainer_state (run->trainer));
}

static size_t
experts_of (const SlExpertsLab *s, size_t example)
{
  return s->moe.dispatch.first[example + 1] - s->moe.dispatch.first[example];
}

/* The report after a step is of its batch. */
static void
check_batch (Run *run)
{
  const SlExpertsLab *s = lab_of (run);
  size_t              batch = s->moe.batch, with[16] = { 0 }, sum = 0, below = 0;
  unsigned            low = 0, high = 0;

  for (size_t e = 0; e < batch; e++)
    {
      sum += experts_of (s, e);
      with[experts_of (s, e)]++;
    }
  for (unsigned k = 0; k < 16; k++)
    {
      low = 10 * below < batch ? k : low; /* the first k by which a tenth is reached */
      high = 10 * below < 9 * batch ? k : high;
      below += with[k];
    }
  sl_assert_near (now (run, "active.mean"), (double) sum / (double) batch, 1e-6, 0);
  g_assert_cmpfloat (now (run, "active.low"), ==, low);
  g_assert_cmpfloat (now (run, "active.high"), ==, high);
  sl_assert_near (now (run, "cost.share"),
                  100.0 * (double) sum / (double) (batch * s->shape.experts), 1e-6, 0);
  for (unsigned k = 1; k <= s->shape.experts; k++)
    {
      g_autofree char *id = g_strdup_printf ("per-example.share.%u", k);

      sl_assert_near (now (run, id), 100.0 * (double) with[k] / (double) batch, 1e-6, 1e-6);
    }
}

/* Of the validation examples: by answer, and by class in the panel. */
static void
check_validation (Run *run)
{
  SlExpertsLab  *s = lab_of (run);
  size_t         n = sl_experts_run_validation (s, MOST_BATCH);
  double         sum[2] = { 0 }, count[2] = { 0 }, of[16] = { 0 }, class[16] = { 0 };
  const SlPanel *panel;

  g_assert_cmpuint (n, ==, run->dataset->n[SL_VALID]);
  for (size_t e = 0; e < n; e++)
    {
      sl_real margin;
      bool    right = sl_decide (s->outputs, s->logits + e * s->outputs, &margin) == s->label[e];

      sum[right] += (double) experts_of (s, e);
      count[right] += 1.0;
      of[s->label[e]] += (double) experts_of (s, e);
      class[s->label[e]] += 1.0;
    }
  g_assert_true (count[0] > 0.0 && count[1] > 0.0);
  sl_assert_near (now (run, "active.wrong"), sum[0] / count[0], 1e-6, 0);
  sl_assert_near (now (run, "active.right"), sum[1] / count[1], 1e-6, 0);
  run_probe (run, "by-class");
  panel = &run->lab->panels[run->snapshot.panel];
  g_assert_cmpint (panel->kind, ==, SL_BARS);
  g_assert_cmpuint (run->snapshot.curve[0].n, ==, run->dataset->classes);
  for (unsigned c = 0; c < run->dataset->classes; c++)
    sl_assert_near (run->snapshot.data[run->snapshot.curve[0].offset + run->dataset->classes + c],
                    of[c] / class[c], 1e-9, 0);
}

static void
check_curves (const char *words)
{
  g_autofree char *all = g_strconcat (words, " report-every=1 evaluate-every=15", NULL);
  Run              run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=600", all));
  run_steps (&run, 13);
  check_batch (&run);
  run_steps (&run, 2);
  check_validation (&run);
  run_clear (&run);
}

static void
test_curves (void)
{
  check_curves (top_p);
  check_curves (zero);
  check_curves (identity);
}

/* Classes without validation examples have no mean. */
static void
test_few_examples (void)
{
  double                 examples[16] = { 0 };
  unsigned               there = 0;
  const SlSnapshotCurve *curve;
  Run                    run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=100,valid=0.03", top_p));
  run_steps (&run, 2);
  run_probe (&run, "by-class");
  for (size_t e = 0; e < run.dataset->n[SL_VALID]; e++)
    examples[lab_of (&run)->label[e]] += 1.0;
  curve = &run.snapshot.curve[0];
  for (unsigned c = 0; c < run.dataset->classes; c++)
    if (examples[c] > 0.0)
      {
        g_assert_cmpuint (there, <, curve->n);
        g_assert_cmpfloat (run.snapshot.data[curve->offset + there], ==, c);
        g_assert_cmpfloat (run.snapshot.data[curve->offset + curve->n + there], >=, 1.0);
        there++;
      }
  g_assert_cmpuint (there, ==, curve->n);
  g_assert_cmpuint (there, <, run.dataset->classes);
  run_clear (&run);
}

/* A larger p takes more experts at once; all of them with 1. */
static void
test_live (void)
{
  g_autofree char *words = g_strconcat (top_p, " report-every=1", NULL);
  double           before = 0.0;
  Run              run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=600", words));
  for (double p = 0.25; p <= 1.0; p += 0.25)
    {
      run_set (&run, "p", p);
      run_steps (&run, 30);
      g_assert_cmpfloat (now (&run, "active.mean"), >, before);
      before = now (&run, "active.mean");
    }
  g_assert_cmpfloat (before, ==, 8.0);
  run_clear (&run);
}

/* The bias brings the mean to the target, and back to another one; at rate 0 it stays. */
static void
test_target (void)
{
  g_autofree char *words = g_strconcat (identity, " report-every=20 zero-target=0.7", NULL);
  double           bias;
  Run              run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=600", words));
  run_steps (&run, 300);
  sl_assert_near (now (&run, "active.mean"), 0.7, 0.15, 0);
  g_assert_cmpfloat (now (&run, "active.target"), ==, 0.7);
  run_set (&run, "zero-target", 1.6);
  run_steps (&run, 300);
  sl_assert_near (now (&run, "active.mean"), 1.6, 0.15, 0);
  /* Of k = 2 no more than 2 are real: such a target takes no longer back than another one. */
  run_set (&run, "zero-target", 40);
  run_steps (&run, 600);
  g_assert_cmpfloat (now (&run, "active.mean"), >, 1.9);
  run_set (&run, "zero-target", 0.7);
  run_steps (&run, 300);
  sl_assert_near (now (&run, "active.mean"), 0.7, 0.15, 0);
  run_set (&run, "zero-rate", 0);
  bias = *lab_of (&run)->moe.zero_bias;
  run_steps (&run, 20);
  g_assert_cmpfloat (*lab_of (&run)->moe.zero_bias, ==, bias);
  run_clear (&run);
}

/* Where all examples have zero-computation experts alone, each real one has a load of 0. */
static void
test_none_real (void)
{
  g_autofree char *words = g_strconcat (zero, " report-every=20 zero-target=0 zero-rate=1", NULL);
  Run              run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=600", words));
  run_steps (&run, 400);
  g_assert_cmpfloat (now (&run, "active.mean"), ==, 0.0);
  g_assert_cmpfloat (now (&run, "dropped.unserved"), ==, 100.0);
  for (unsigned i = 1; i <= 6; i++)
    {
      g_autofree char *id = g_strdup_printf ("usage.load.%u", i);

      g_assert_cmpfloat (now (&run, id), ==, 0.0);
    }
  run_clear (&run);
}

/* What cannot be is refused in words; what another gate left behind has no effect. */
static void
test_where (void)
{
  static const char *const elsewhere[]
    = { "gate=switch zero=3", "gate=top-p zero=3", "experts=6 groups=2 zero=3" };
  char text[512];
  Run  run;

  SlStatus status
    = lab_run_try (&run, "experts", "moons:points=300", "experts=4 zero=2 zero-kind=identity");
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "embedding"));
  g_assert_nonnull (strstr (text, "zero-kind=nothing"));
  run_clear (&run);
  for (unsigned i = 0; i < G_N_ELEMENTS (elsewhere); i++)
    {
      assert_ok (lab_run_try (&run, "experts", "moons:points=300", elsewhere[i]));
      g_assert_cmpuint (lab_of (&run)->moe.shape.zero, ==, 0);
      run_steps (&run, 2);
      run_clear (&run);
    }
  /* And with top-p there is no baseline of equal cost: its cost is not known before. */
  assert_ok (lab_run_try (&run, "experts", "moons:points=300", "gate=top-p twin=wide match=0"));
  g_assert_cmpuint (lab_of (&run)->nets, ==, 1);
  run_clear (&run);
}

/* The baseline of equal cost has the budget of as many experts as are aimed at. */
static void
test_twin (void)
{
  const SlStack *stack;
  Run            run;
  double         gate = 2.0 * 784 * 9, expert = 6.0 * (784 + 10);

  assert_ok (lab_run_try (&run, "experts", "digits:images=600",
                          "experts=6 zero=3 k=2 hidden=6 zero-target=1.5 twin=wide match=0"));
  stack = &lab_of (&run)->net[1].stack;
  g_assert_cmpfloat (sl_stack_macs (stack), <=, gate + 1.5 * expert);
  g_assert_cmpfloat (sl_stack_macs (stack), >, gate + 1.5 * expert - (784 + 10));
  run_clear (&run);
}

enum { SCORES, BOXES };

/* What the gate has chosen is marked at its scores; only boxes that compute are filled, and what gives something has an
 * edge of its weight.  */
static unsigned
check_picture (Run *run, unsigned example)
{
  SlAlive       alive = alive_of (run, example);
  SlExpertsLab *s = lab_of (run);
  const SlGate *gate = &s->moe.gates[0];
  size_t        n = s->shape.experts, all = n + s->shape.zero;
  unsigned      edges = 0, chosen = 0, skipped = 0;
  double        number[3], least = 1.0, most = 0.0; /* scores of those chosen, of the others */

  g_assert_cmpuint (alive.group[SCORES].n, ==, all);
  g_assert_cmpuint (alive.group[BOXES].n, ==, all);
  for (size_t i = 0; i < all; i++)
    {
      SlAliveState score = sl_alive_state (alive_cell (&alive, SCORES, i));
      SlAliveState box = sl_alive_state (alive_cell (&alive, BOXES, i));
      double       weight = sl_alive_value (alive_cell (&alive, BOXES, i));
      bool         is = false;

      for (size_t p = 0; p < gate->k; p++)
        if (gate->chosen[p] == i)
          {
            is = true;
            sl_assert_near (weight, (double) gate->g[p], 1e-6, 1e-6);
          }
      if (is)
        least = fmin (least, sl_alive_value (alive_cell (&alive, SCORES, i)));
      else
        most = fmax (most, sl_alive_value (alive_cell (&alive, SCORES, i)));
      chosen += is && i < n;
      skipped += is && i >= n;
      g_assert_cmpuint (score == SL_ALIVE_USED, ==, is);
      g_assert_cmpuint (box == SL_ALIVE_USED, ==, is && i < n);
      if (is && (i < n || s->shape.identity))
        g_assert_cmpfloat (alive.edge[(size_t) edges++ * SL_ALIVE_COLUMNS + 2], ==, (double) i);
    }
  g_assert_cmpfloat (least, >=, most);
  g_assert_cmpuint (alive.n_edges, ==, edges);
  g_assert_cmpuint (alive_numbers (run, number, 3), ==, 3);
  g_assert_cmpfloat (number[0], ==, chosen);
  g_assert_cmpfloat (number[1], ==, (double) n);
  return skipped;
}

static void
test_picture (void)
{
  static const char *const words[] = { zero, identity };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *few = g_strconcat (words[i], " zero-target=0.5", NULL);
      unsigned         skipped = 0;
      Run              run;

      assert_ok (lab_run_try (&run, "experts", "digits:images=600", few));
      run_steps (&run, 100);
      for (unsigned example = 0; example < 20; example++)
        skipped += check_picture (&run, example);
      g_assert_cmpuint (skipped, >, 0);
      /* The person switches off all that compute nothing. */
      run.subject.n_closed = 3;
      for (unsigned c = 0; c < 3; c++)
        run.subject.closed[c] = (SlChosenUnit) { 0, 6 + c };
      for (unsigned example = 0; example < 20; example++)
        {
          SlAlive alive = alive_of (&run, example);

          for (unsigned c = 0; c < 3; c++)
            g_assert_cmpint (sl_alive_state (alive_cell (&alive, BOXES, 6 + c)), ==,
                             SL_ALIVE_CLOSED);
          g_assert_cmpuint (experts_of (lab_of (&run), 0), ==, 2);
        }
      run.subject.n_closed = 0;
      check_picture (&run, 0);
      run_clear (&run);
    }
}

/* An input of zero-computation experts alone has the empty pattern; costs count the others. */
static void
test_map (void)
{
  SlExpertsLab *s;
  Run           run;
  size_t        n, none = 0;
  double        least = 1.0, least_of_none = 1.0;

  assert_ok (lab_run_try (&run, "experts", "moons:points=600",
                          "experts=5 zero=4 zero-kind=identity k=2 embedding=8 residual=yes "
                          "hidden=6 batch=40 zero-target=1.2"));
  run_steps (&run, 200);
  s = lab_of (&run);
  n = run.dataset->n[SL_VALID];
  g_autofree sl_real *x = g_new (sl_real, 2 * n);
  g_autofree uint8_t *label = g_new (uint8_t, n);
  g_autofree SlCell  *cells = g_new (SlCell, n);

  sl_dataset_range (run.dataset, sl_dataset_first (run.dataset, SL_VALID), n, x, label);
  sl_state_map (&s->base, x, n, cells);
  for (size_t e = 0; e < n; e++)
    {
      g_assert_cmpuint (cells[e].active, ==, experts_of (s, e));
      g_assert_cmpint (__builtin_popcountll (cells[e].pattern), ==, (int) cells[e].active);
      g_assert_cmpuint (cells[e].pattern >> 5, ==, 0);
      g_assert_true (cells[e].confidence >= 0 && cells[e].confidence <= 1);
      least = MIN (least, (double) cells[e].confidence);
      if (cells[e].active == 0)
        least_of_none = MIN (least_of_none, (double) cells[e].confidence);
      none += cells[e].active == 0;
      sl_assert_near ((double) cells[e].cost,
                      2.0 * 8 * 9 + 2 * 8 + 8 + cells[e].active * 6.0 * 16.0, 1e-6, 0);
    }
  g_assert_cmpuint (none, >, 0);
  g_assert_cmpuint (none, <, n);
  g_assert_cmpfloat (least, <, 0.5);
  g_assert_cmpfloat (least_of_none, <, 1.0);
  run_clear (&run);
}

/* A recording counts them apart, in memory and as a file that is said to have so many experts. */
static void
test_recording (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-active-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "zero.npz", NULL);
  g_autofree char *few = g_strconcat (identity, " zero-target=0.5", NULL);
  g_autofree char *said = g_strconcat (path, ":experts=6", NULL);
  SlRouting       *recording;
  SlDataset       *again;
  SlStatus         status;
  uint8_t         *bytes;
  size_t           size, n;
  uint64_t         zeros = 0;
  Run              run;

  assert_ok (lab_run_try (&run, "experts", "digits:images=600", few));
  run_steps (&run, 100);
  n = sl_experts_run_validation (lab_of (&run), MOST_BATCH);
  assert_ok (sl_trainer_recording (run.trainer, &recording));
  g_assert_cmpuint (recording->layer[0].tokens, ==, n);
  g_assert_cmpuint (recording->experts, ==, 6);
  g_assert_nonnull (recording->layer[0].zeros);
  for (size_t e = 0; e < n; e++)
    {
      size_t own = 2 - experts_of (lab_of (&run), e);

      g_assert_cmpuint (own, ==, recording->layer[0].zeros[e]);
      zeros += own;
    }
  g_assert_cmpuint (zeros, >, 0);
  g_assert_cmpuint (recording->layer[0].zero, ==, zeros);
  assert_ok (sl_routing_npz (recording, &bytes, &size));
  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) size, NULL));
  free (bytes);
  assert_ok (sl_source_open (said, &again));
  g_assert_cmpuint (again->routing->hash, ==, recording->hash);
  g_assert_cmpuint (again->routing->layer[0].zero, ==, zeros);
  g_assert_cmpmem (again->routing->layer[0].zeros, n, recording->layer[0].zeros, n);
  sl_dataset_free (again);
  status = sl_source_open (path, &again); /* the file has fewer experts than numbers */
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  sl_routing_free (recording);
  run_clear (&run);
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/experts-active/curves", test_curves);
  g_test_add_func ("/experts-active/few-examples", test_few_examples);
  g_test_add_func ("/experts-active/live", test_live);
  g_test_add_func ("/experts-active/target", test_target);
  g_test_add_func ("/experts-active/none-real", test_none_real);
  g_test_add_func ("/experts-active/where", test_where);
  g_test_add_func ("/experts-active/twin", test_twin);
  g_test_add_func ("/experts-active/picture", test_picture);
  g_test_add_func ("/experts-active/map", test_map);
  g_test_add_func ("/experts-active/recording", test_recording);
  return g_test_run ();
}
