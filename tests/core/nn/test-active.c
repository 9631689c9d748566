/* SPDX-License-Identifier: MIT
 *
 * Gates that give an example as many experts as it needs, top-p and zero-computation experts: against numbers from an
 * independent float64 implementation, in both precisions, and what follows from their definitions.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/nn/kernels/normal.h"
#include "core/nn/moe/select.h"
#include "tests/core/nn/golden-layer.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static JsonNode *root;

/* Each case of a family. */
static void
for_each (const char *family, void (*test) (JsonObject *object))
{
  JsonArray *cases = json_object_get_array_member (json_node_get_object (root), family);

  g_assert_cmpuint (json_array_get_length (cases), >=, 3);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    test (json_array_get_object_element (cases, i));
}

/* ---- top-p ---- */

/* A layer of experts without an output, whose gate sees its logits as they are. */
static void
begin_logits (Mix *mix, size_t rows, size_t n, const SlMoeSetting *setting)
{
  mix_init (
    mix, &(SlMoeShape) { SL_MOE_TOP_P, n, .hidden = 1, .outputs = 1, n, .groups = 1, .most = rows },
    setting);
  mix->batch = rows;
  for (size_t i = 0; i < n; i++)
    mix->weights[i * n + i] = 1;
}

/* dloss/dG of those chosen, one behind the other. */
static void
pack (const SlChooser *chooser, JsonObject *object, sl_real *dg)
{
  size_t             cells = chooser->rows * chooser->experts;
  g_autofree double *all = golden_list (object, "dG", cells);

  for (size_t c = 0; c < cells; c++)
    if (chooser->mask[c])
      *dg++ = (sl_real) all[c];
}

static void
check_top_p (JsonObject *object)
{
  size_t       rows = sl_golden_rows (object, "h"), n = sl_golden_columns (object, "h"), chosen = 0;
  SlMoeSetting setting = { .choice = { .p = sl_golden_number (object, "p"), .w_entropy = 1.0 } };
  g_autofree double  *k = golden_list (object, "k", rows);
  g_autofree sl_real *dg = g_new0 (sl_real, rows * n);
  SlChooser          *chooser;
  Mix                 mix;

  begin_logits (&mix, rows, n, &setting);
  chooser = &mix.moe.chooser;
  golden_load (object, "h", mix.x, rows * n);
  mix_objective (&mix, false);
  golden_check_mask (chooser->mask, object, "mask", rows * n);
  golden_check (chooser->g, object, "G", rows * n);
  golden_check (chooser->z, object, "entropy", rows);
  golden_check_number (mix.moe.balance.entropy_loss, object, "mean_entropy");
  for (size_t r = 0; r < rows; r++)
    {
      g_assert_cmpuint (mix.moe.dispatch.first[r + 1] - mix.moe.dispatch.first[r], ==,
                        (guint) k[r]);
      chosen += (size_t) k[r];
    }
  sl_assert_near (mix.moe.balance.expected, (double) chosen / (double) rows, 1e-6, 0.0);
  /* Logits, P and G of each expert, and the hidden unit of each that computes. */
  sl_assert_near (sl_moe_memory (&mix.moe, &setting, rows, SL_ADAM).activations,
                  (double) (3 * rows * n + chosen) * sizeof (sl_real), 1e-12, 0.0);
  sl_chooser_backward (chooser, &setting.choice, dg, false, NULL);
  golden_check (chooser->slope, object, "dh_entropy", rows * n);
  pack (chooser, object, dg);
  setting.choice.w_entropy = 0.0;
  sl_chooser_backward (chooser, &setting.choice, dg, false, NULL);
  golden_check (chooser->slope, object, "dh", rows * n);
  mix_clear (&mix);
}

static void
test_top_p (void)
{
  for_each ("top-p", check_top_p);
}

/* The lower number first, and with p = 1 everybody, whatever the last probabilities are. */
static void
test_ties (void)
{
  static const double   p[] = { 1e-9, 0.25, 0.26, 0.5, 0.75, 0.76, 1.0, 1.5 };
  static const unsigned n[] = { 1, 1, 2, 2, 3, 4, 4, 4 };

  for (unsigned i = 0; i < G_N_ELEMENTS (p); i++)
    {
      SlMoeSetting setting = { .choice = { .p = p[i] } };
      Mix          mix;

      begin_logits (&mix, 2, 4, &setting);
      for (size_t e = 0; e < 4; e++)
        mix.x[e] = 3;
      mix.x[4] = p[i] < 1.0 ? 3 : 1000; /* the others have a probability of 0 */
      mix_objective (&mix, false);
      for (size_t e = 0; e < 4; e++)
        g_assert_cmpuint (mix.moe.chooser.mask[e], ==, e < n[i]);
      g_assert_cmpuint (mix.moe.chooser.mask[4], ==, 1);
      g_assert_cmpuint (mix.moe.chooser.mask[7], ==, p[i] >= 1.0);
      g_assert_true (isfinite (mix.moe.chooser.z[1]));
      mix_clear (&mix);
    }
}

/* The balance loss has shares of all pairs chosen, which sum to one, however many they are. */
static void
test_balance (void)
{
  static const double p[] = { 0.3, 0.7, 1.0 };

  for (unsigned i = 0; i < G_N_ELEMENTS (p); i++)
    {
      SlMoeSetting     setting = { .choice = { .p = p[i], .w_balance = 0.5 } };
      const SlChooser *chooser;
      double           pairs = 0.0, loss = 0.0, mean[5] = { 0 };
      SlRng            rng;
      Mix              mix;

      begin_logits (&mix, 40, 5, &setting);
      sl_rng_init (&rng, 8, "balance");
      sl_normal_fill (&rng, 200, mix.x);
      mix_objective (&mix, false);
      chooser = &mix.moe.chooser;
      for (size_t c = 0; c < 200; c++)
        {
          pairs += chooser->wanted[c];
          mean[c % 5] += (double) chooser->score[c] / 40.0;
        }
      for (size_t c = 0; c < 200; c++)
        loss += 0.5 * 5.0 * chooser->wanted[c] / pairs * mean[c % 5];
      sl_assert_near (mix.moe.balance.choice_loss, loss, 1e-5, 0.0);
      if (p[i] == 1.0)
        sl_assert_near (loss, 0.5, 1e-5, 0.0);
      mix_clear (&mix);
    }
}

static int
by_falling (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x < y) - (x > y);
}

/* The fewest, against sorting, for rows of all lengths and with many equal numbers. */
static void
test_reach (void)
{
  SlRng rng;

  sl_rng_init (&rng, 5, "reach");
  for (size_t n = 1; n < 70; n++)
    {
      sl_real v[70];
      double  sorted[70], wanted, sum = 0.0, all = 0.0;
      uint8_t mask[70];
      size_t  fewest = 0, marked = 0;

      for (size_t i = 0; i < n; i++) /* of few bits: sums are exact */
        {
          v[i] = (sl_real) floor (sl_rng_uniform (&rng) * 32.0) / 64;
          sorted[i] = (double) v[i];
          all += sorted[i];
        }
      wanted = all * sl_rng_uniform (&rng);
      qsort (sorted, n, sizeof *sorted, by_falling);
      while (fewest < n && sum < wanted)
        sum += sorted[fewest++];
      sl_select_reach (n, v, wanted, mask);
      for (size_t i = 0; i < n; i++)
        {
          marked += mask[i];
          for (size_t j = 0; j < n; j++) /* none left out is larger, or equal with a lower number */
            g_assert_false (mask[i] && !mask[j] && (v[j] > v[i] || (v[j] == v[i] && j < i)));
        }
      g_assert_cmpuint (marked, ==, fewest);
    }
}

/* ---- zero-computation experts ---- */

/* W1 (n, D, H), b1, W2 (n, H, O) and b2 to where they lie in the block. */
static void
load_experts (Mix *mix, JsonObject *object)
{
  const SlMoeShape *s = &mix->moe.shape;
  const size_t size[] = { s->inputs * s->hidden, s->hidden, s->hidden * s->outputs, s->outputs };
  static const char *const of[] = { "W1", "b1", "W2", "b2" };

  for (size_t part = 0, offset = 0; part < 4; offset += size[part++])
    {
      g_autofree sl_real *block = g_new (sl_real, s->experts * size[part]);

      golden_load (object, of[part], block, s->experts * size[part]);
      for (size_t i = 0; i < s->experts; i++)
        memcpy (mix->moe.experts.weights + i * mix->moe.experts.each + offset,
                block + i * size[part], size[part] * sizeof *block);
    }
}

static void
begin_zero (Mix *mix, JsonObject *object)
{
  size_t rows = sl_golden_rows (object, "x"), d = sl_golden_columns (object, "x");
  size_t columns = sl_golden_columns (object, "Wg"), zero = golden_whole (object, "zero");
  g_autofree sl_real *gate = g_new (sl_real, d * columns);

  mix_init (mix,
            &(SlMoeShape) { SL_MOE_NOISY, d, .hidden = sl_golden_columns (object, "b1"),
                            .outputs = sl_golden_columns (object, "b2"), .experts = columns - zero,
                            .groups = 1, .most = rows, .zero = zero,
                            .identity = g_str_equal (json_object_get_string_member (object, "kind"),
                                                     "identity") },
            &(SlMoeSetting) { .k = golden_whole (object, "k"), .skip_load = true });
  mix->batch = rows;
  golden_load (object, "x", mix->x, rows * d);
  golden_load (object, "Wg", gate, d * columns);
  for (size_t i = 0; i < d; i++)
    memcpy (mix->weights + i * 2 * columns, gate + i * columns, columns * sizeof *gate);
  load_experts (mix, object);
}

static void
check_zero (JsonObject *object)
{
  Mix                 mix;
  const SlMoe        *moe = &mix.moe;
  size_t              rows, k, columns, d;
  g_autofree double  *ids = NULL, *real = NULL;
  g_autofree sl_real *g = NULL;

  begin_zero (&mix, object);
  rows = mix.batch;
  k = mix.setting.k;
  d = moe->shape.inputs;
  columns = moe->shape.experts + moe->shape.zero;
  ids = golden_list (object, "ids", rows * k);
  real = golden_list (object, "real", rows);
  g = g_new0 (sl_real, rows * columns);
  sl_moe_forward (&mix.moe, &mix.setting, rows, mix.x, false, false, mix.y);
  for (size_t e = 0; e < rows; e++)
    {
      size_t of = moe->dispatch.first[e + 1] - moe->dispatch.first[e];

      g_assert_cmpuint (of, ==, (size_t) real[e]);
      for (size_t p = e * k; p < (e + 1) * k; p++)
        {
          size_t at = 0;

          while (at < k && (uint32_t) ids[e * k + at] != moe->gates[0].chosen[p])
            at++;
          g_assert_cmpuint (at, <, k);
          g[e * columns + moe->gates[0].chosen[p]] = moe->gates[0].g[p];
        }
    }
  golden_check (g, object, "G", rows * columns);
  golden_check (mix.y, object, "y", rows * moe->shape.outputs);
  golden_check_number (moe->balance.executed / (double) rows, object, "mean_real");
  /* The golden gate has no noise, whose scales cost as much again. */
  g_assert_cmpfloat (sl_moe_gate_macs (moe, &mix.setting), ==, 2.0 * (double) (d * columns));
  golden_check_number ((double) (d * columns)
                         + moe->balance.executed / (double) rows * sl_moe_expert_macs (moe),
                       object, "multiplications");
  mix_clear (&mix);
}

static void
test_zero (void)
{
  for_each ("zero", check_zero);
}

static const SlMoeShape among
  = { SL_MOE_NOISY, .inputs = 6, .hidden = 4, .outputs = 6,    .experts = 5,
      .groups = 1,  .most = 300, .zero = 3,   .identity = true };
static const SlMoeSetting balanced = { .k = 2,
                                       .noise = true,
                                       .floor = (sl_real) 0.01,
                                       .threshold = true,
                                       .w_importance = (sl_real) 0.1,
                                       .w_load = (sl_real) 0.1,
                                       .gate_rate = 1.0,
                                       .zero_target = 1.0,
                                       .zero_rate = 0.01 };

/* The bias moves choices towards those experts, one at a time, and leaves the values of the chosen as they are: the
 * softmax of their logits.  */
static void
test_bias (void)
{
  const size_t columns = among.experts + among.zero;
  Mix          mix;
  double       before = 1e9, first = 0.0;

  mix_init (&mix, &among, &balanced);
  mix_randomise (&mix, 300, 4);
  for (double bias = -100.0; bias <= 100.0; bias += 20.0)
    {
      const SlGate *gate = &mix.moe.gates[0];

      *mix.moe.zero_bias = bias;
      mix_objective (&mix, false);
      g_assert_cmpfloat ((double) mix.moe.dispatch.total, <=, before);
      before = (double) mix.moe.dispatch.total;
      first = bias == -100.0 ? before : first;
      for (size_t e = 0; e < 300; e++)
        {
          const sl_real  *h = gate->h + e * columns, *g = gate->g + e * 2;
          const uint32_t *chosen = gate->chosen + e * 2;

          sl_assert_near (log ((double) g[0] / (double) g[1]),
                          (double) h[chosen[0]] - (double) h[chosen[1]], 1e-4, 1e-4);
        }
    }
  g_assert_cmpfloat (first, ==, 600.0);
  g_assert_cmpfloat (before, ==, 0.0);
  g_assert_cmpuint (mix.moe.balance.empty, ==, 300);
  mix_clear (&mix);
}

/* The same bias of all experts changes no choice, no value and no load. */
static void
test_bias_of_all (void)
{
  size_t              columns = among.experts + among.zero;
  SlGateSetting       setting = { .k = 2, .floor = (sl_real) 0.01, .load = true };
  g_autofree sl_real *load = NULL;
  Mix                 mix;
  SlGate             *gate;

  mix_init (&mix, &among, &balanced);
  mix_randomise (&mix, 300, 4);
  mix_objective (&mix, false);
  gate = &mix.moe.gates[0];
  load = g_memdup2 (gate->load, columns * sizeof *load);
  g_autofree uint32_t *chosen = g_memdup2 (gate->chosen, 600 * sizeof *chosen);
  SlGateRows           rows = gate->input;

  setting.biased = columns;
  setting.bias = 3;
  sl_gate_forward (gate, &setting, &rows);
  for (size_t i = 0; i < columns; i++)
    sl_assert_near ((double) gate->load[i], (double) load[i], 1e-4, 1e-4);
  g_assert_cmpmem (chosen, 600 * sizeof *chosen, gate->chosen, 600 * sizeof *chosen);
  mix_clear (&mix);
}

/* Margins are about the choice: above 0 for those chosen without noise, below for the others. */
static void
test_margins (void)
{
  Mix mix;

  mix_init (&mix, &among, &balanced);
  mix_randomise (&mix, 300, 4);
  *mix.moe.zero_bias = 0.5;
  sl_moe_forward (&mix.moe, &mix.setting, 300, mix.x, false, false, mix.y);
  for (size_t i = 0; i < among.experts + among.zero; i++)
    {
      sl_real margin[300];

      sl_moe_margin (&mix.moe, i, margin);
      for (size_t e = 0; e < 300; e++)
        {
          const uint32_t *chosen = mix.moe.gates[0].chosen + e * 2;

          g_assert_cmpint (margin[e] > 0, ==, chosen[0] == i || chosen[1] == i);
        }
    }
  mix_clear (&mix);
}

/* After an update the bias has moved by one step, up while examples have more experts than they should; as many as
 * they should, and it rests.  */
static void
test_follow (void)
{
  static const double targets[] = { 0.0, 2.0, 1.0 }, steps[] = { 1.0, -1.0, 0.0 };
  SlOptimSetting      optim = sl_optim_default ();

  for (unsigned i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      Mix mix;

      mix_init (&mix, &among, &balanced);
      mix_randomise (&mix, 300, 4);
      mix.setting.zero_target = targets[i];
      g_assert_cmpfloat (*mix.moe.zero_bias, ==, 0.0);
      mix_objective (&mix, false);
      if (steps[i] == 0.0)
        mix.setting.zero_target = (double) mix.moe.dispatch.total / 300.0;
      sl_moe_backward (&mix.moe, &mix.setting, mix.dy, mix.dx, &optim);
      sl_assert_near (*mix.moe.zero_bias, 0.01 * steps[i], 0.0, 1e-12);
      mix_clear (&mix);
    }
}

/* The same bytes with one thread and with more, of both gates. */
static void
test_threads (void)
{
  unsigned threads = sl_blas_threads ();

  for (unsigned i = 0; i < 2; i++)
    {
      SlMoeShape   shape = among;
      SlMoeSetting setting = balanced;
      Mix          one, more;

      if (i == 1)
        {
          shape.gate = SL_MOE_TOP_P;
          shape.zero = 0;
          setting.choice = (SlChooserSetting) { .p = 0.5, .w_entropy = 0.1 };
        }
      mix_init (&one, &shape, &setting);
      mix_init (&more, &shape, &setting);
      mix_randomise (&one, 300, 1);
      mix_randomise (&more, 300, 1);
      sl_blas_set_threads (1);
      mix_train (&one);
      sl_blas_set_threads (4);
      mix_train (&more);
      sl_blas_set_threads (threads);
      g_assert_cmpmem (one.y, 1800 * sizeof (sl_real), more.y, 1800 * sizeof (sl_real));
      g_assert_cmpmem (one.dx, 1800 * sizeof (sl_real), more.dx, 1800 * sizeof (sl_real));
      g_assert_cmpmem (one.gradient, one.moe.n * sizeof (sl_real), more.gradient,
                       more.moe.n * sizeof (sl_real));
      mix_clear (&one);
      mix_clear (&more);
    }
}

int
main (int argc, char **argv)
{
  int failed;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  g_test_add_func ("/active/top-p", test_top_p);
  g_test_add_func ("/active/top-p/ties", test_ties);
  g_test_add_func ("/active/top-p/balance", test_balance);
  g_test_add_func ("/active/reach", test_reach);
  g_test_add_func ("/active/zero", test_zero);
  g_test_add_func ("/active/zero/bias", test_bias);
  g_test_add_func ("/active/zero/bias/all", test_bias_of_all);
  g_test_add_func ("/active/zero/margins", test_margins);
  g_test_add_func ("/active/zero/follow", test_follow);
  g_test_add_func ("/active/threads", test_threads);
  failed = g_test_run ();
  json_node_unref (root);
  return failed;
}
