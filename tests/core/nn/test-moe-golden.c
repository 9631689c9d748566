/* SPDX-License-Identifier: MIT
 *
 * The mixture of experts against numbers from an independent float64 implementation.  In
 * double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/moe/balance.h"
#include "tests/core/nn/moe-mix.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

static JsonObject  *golden; /* everything */
static const double tol = 1e-10;

/* The n numbers of a member. */
static double *
numbers (JsonObject *object, const char *member, size_t n)
{
  GArray *array = sl_golden_numbers (object, member);

  g_assert_cmpuint (array->len, ==, n);
  return (double *) (gpointer) g_array_free (array, FALSE);
}

static void
load (JsonObject *object, const char *member, sl_real *to, size_t n)
{
  g_autofree double *from = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) from[i];
}

static void
check (const sl_real *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);

  sl_assert_close (got, want, n, 0, tol);
}

static void
check_whole (const uint32_t *got, JsonObject *object, const char *member, size_t n)
{
  g_autofree double *want = numbers (object, member, n);

  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (got[i], ==, (guint) want[i]);
}

static JsonObject *
part (JsonObject *object, const char *member)
{
  g_assert_true (json_object_has_member (object, member));
  return json_object_get_object_member (object, member);
}

enum { B = 5, D = 3, N = 4, K = 2, H = 3, O = 2 };

/* Wg and Wnoise of the golden case side by side. */
static void
load_gate (Mix *mix, JsonObject *moe)
{
  sl_real wg[D * N], wn[D * N];

  load (moe, "Wg", wg, D * N);
  load (moe, "Wn", wn, D * N);
  for (size_t d = 0; d < D; d++)
    {
      memcpy (mix->weights + d * 2 * N, wg + d * N, sizeof wg / D);
      memcpy (mix->weights + d * 2 * N + N, wn + d * N, sizeof wn / D);
    }
}

/* A member of each expert, to or from where it lies in the block. */
static void
load_experts (Mix *mix, JsonObject *moe)
{
  sl_real a[N * D * H], c[N * H * O], a0[N * H], c0[N * O];

  load (moe, "E1", a, N * D * H);
  load (moe, "e1", a0, N * H);
  load (moe, "E2", c, N * H * O);
  load (moe, "e2", c0, N * O);
  for (size_t i = 0; i < N; i++)
    {
      sl_real *to = mix->weights + mix->moe.n_gates + i * mix->moe.experts.each;

      memcpy (to, a + i * D * H, D * H * sizeof *to);
      memcpy (to + D * H, a0 + i * H, H * sizeof *to);
      memcpy (to + (D + 1) * H, c + i * H * O, H * O * sizeof *to);
      memcpy (to + (D + 1) * H + H * O, c0 + i * O, O * sizeof *to);
    }
}

static void
init_golden (Mix *mix, SlMoeGate gate)
{
  JsonObject  *moe = part (golden, "moe");
  SlMoeShape   shape = { gate, D, H, O, N, .groups = 1, .most = B };
  SlMoeSetting setting = {
    .k = K,
    .noise = true,
    .threshold = true,
    .w_importance = (sl_real) sl_golden_number (moe, "w_importance"),
    .w_load = (sl_real) sl_golden_number (moe, "w_load"),
  };

  mix_init (mix, &shape, &setting);
  mix->batch = B;
  load (moe, "X", mix->x, B * D);
  load (moe, "Cw", mix->dy, B * O);
  if (gate == SL_MOE_NOISY)
    {
      load (moe, "noise", mix->moe.epsilon, B * N);
      load_gate (mix, moe);
    }
  load_experts (mix, moe);
}

/* G (B, n) from the dispatch. */
static void
spread (const SlDispatch *dispatch, sl_real *g)
{
  memset (g, 0, dispatch->batch * dispatch->experts * sizeof *g);
  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      g[dispatch->row[a] * dispatch->experts + i] = dispatch->weight[a];
}

static void
check_g (Mix *mix, JsonObject *object, const char *member)
{
  sl_real g[B * N];

  spread (&mix->moe.dispatch, g);
  check (g, object, member, B * N);
}

/* P (B, n): the loads of batches of one. */
static void
check_p (Mix *mix, JsonObject *object, const char *member)
{
  sl_real p[B * N], x[B * D], epsilon[B * N];

  memcpy (x, mix->x, sizeof x);
  memcpy (epsilon, mix->moe.epsilon, sizeof epsilon);
  mix->batch = 1;
  for (size_t e = 0; e < B; e++)
    {
      memcpy (mix->x, x + e * D, D * sizeof *x);
      memcpy (mix->moe.epsilon, epsilon + e * N, N * sizeof *x);
      mix_objective (mix, false);
      memcpy (p + e * N, mix->moe.balance.load, N * sizeof *p);
    }
  memcpy (mix->x, x, sizeof x);
  memcpy (mix->moe.epsilon, epsilon, sizeof epsilon);
  mix->batch = B;
  check (p, object, member, B * N);
}

/* Each row of the gate's numbers has `at` … of the two halves. */
static void
check_gate_part (const Mix *mix, size_t half, JsonObject *object, const char *member)
{
  sl_real got[D * N];

  for (size_t d = 0; d < D; d++)
    memcpy (got + d * N, mix->gradient + d * 2 * N + half * N, N * sizeof *got);
  check (got, object, member, D * N);
}

static void
check_expert_part (const Mix *mix, size_t at, size_t size, JsonObject *object, const char *member)
{
  sl_real got[N * D * H];

  for (size_t i = 0; i < N; i++)
    memcpy (got + i * size, mix->gradient + mix->moe.n_gates + i * mix->moe.experts.each + at,
            size * sizeof *got);
  check (got, object, member, N * size);
}

static void
test_forward (void)
{
  JsonObject         *moe = part (golden, "moe");
  const SlGate       *gate;
  const SlMoeBalance *balance;
  sl_real             clean[B * N];
  Mix                 mix;

  init_golden (&mix, SL_MOE_NOISY);
  gate = &mix.moe.gates[0];
  balance = &mix.moe.balance;
  sl_assert_near (mix_objective (&mix, false), sl_golden_number (moe, "total"), 0, tol);
  for (size_t e = 0; e < B; e++)
    memcpy (clean + e * N, gate->logits + e * 2 * N, N * sizeof *clean);
  check (clean, moe, "clean", B * N);
  check (gate->sigma, moe, "noise_sd", B * N);
  check (gate->h, moe, "H", B * N);
  check_g (&mix, moe, "G");
  check (mix.y, moe, "y", B * O);
  check (balance->importance, moe, "importance", N);
  check (balance->load, moe, "load", N);
  check_whole (balance->hard, moe, "hard_load", N);
  sl_assert_near (balance->importance_loss, sl_golden_number (moe, "L_importance"), 0, tol);
  sl_assert_near (balance->load_loss, sl_golden_number (moe, "L_load"), 0, tol);
  g_assert_cmpfloat (balance->threshold_loss, ==, 0.0);
  g_assert_cmpuint (balance->empty + balance->not_finite, ==, 0);
  sl_assert_near (sl_balance_cv (N, balance->importance), sl_golden_number (moe, "cv_importance"),
                  0, tol);
  sl_assert_near (sl_balance_cv (N, balance->load), sl_golden_number (moe, "cv_load"), 0, tol);
  sl_assert_near (sl_balance_peak (N, balance->load), sl_golden_number (moe, "max_over_mean_load"),
                  0, tol);
  check_p (&mix, moe, "P");
  mix_clear (&mix);
}

/* The chosen, best first, and who sets the bar for each. */
static void
test_choices (void)
{
  JsonObject        *moe = part (golden, "moe");
  g_autofree double *topk = numbers (moe, "topk", B * K);
  g_autofree double *bar = numbers (moe, "kth_excluding_index", B * N);
  sl_real            hard[N];
  Mix                mix;

  init_golden (&mix, SL_MOE_NOISY);
  mix_objective (&mix, false);
  for (size_t e = 0; e < B; e++)
    {
      const uint32_t *best = mix.moe.gates[0].best + e * (K + 1);

      for (size_t p = 0; p < K; p++)
        g_assert_cmpuint (best[p], ==, (guint) topk[e * K + p]);
      for (size_t i = 0; i < N; i++)
        g_assert_cmpuint (best[i == best[0] || i == best[1] ? K : K - 1], ==,
                          (guint) bar[e * N + i]);
    }
  for (size_t i = 0; i < N; i++)
    hard[i] = (sl_real) mix.moe.balance.hard[i];
  sl_assert_near (sl_balance_cv (N, hard), sl_golden_number (moe, "cv_hard"), 0, tol);
  sl_assert_near (sl_balance_peak (N, hard), sl_golden_number (moe, "max_over_mean_hard"), 0, tol);
  mix_clear (&mix);
}

static void
test_gradients (void)
{
  JsonObject *grads = part (part (golden, "moe"), "grads");
  Mix         mix;

  init_golden (&mix, SL_MOE_NOISY);
  for (int recompute = 0; recompute < 2; recompute++)
    {
      mix.setting.recompute = recompute;
      mix_train (&mix);
      check_gate_part (&mix, 0, grads, "Wg");
      check_gate_part (&mix, 1, grads, "Wn");
      check_expert_part (&mix, 0, D * H, grads, "E1");
      check_expert_part (&mix, D * H, H, grads, "e1");
      check_expert_part (&mix, (D + 1) * H, H * O, grads, "E2");
      check_expert_part (&mix, (D + 1) * H + H * O, O, grads, "e2");
      check (mix.dx, part (golden, "moe"), "dX", B * D);
    }
  mix_clear (&mix);
}

/* One expert per example: the winner's gate is 1 and the task teaches the gate nothing. */
static void
test_one (void)
{
  JsonObject *one = part (golden, "k1");
  Mix         mix;

  init_golden (&mix, SL_MOE_NOISY);
  mix.setting.k = 1;
  mix_objective (&mix, false);
  check_g (&mix, one, "G");
  check_p (&mix, one, "P");
  mix.setting.w_importance = mix.setting.w_load = 0;
  mix_train (&mix);
  for (size_t i = 0; i < mix.moe.n_gates; i++)
    g_assert_cmpfloat (mix.gradient[i], ==, 0);
  mix_clear (&mix);
}

static void
test_all (void)
{
  JsonObject *all = part (golden, "k_equals_n");
  Mix         mix;

  init_golden (&mix, SL_MOE_NOISY);
  g_assert_true (
    json_object_get_boolean_member (part (golden, "k_greater_n_clamped"), "G_equal_to_k_n"));
  for (size_t k = N; k <= 7; k += 3) /* N and the golden 7 */
    {
      mix.setting.k = k;
      mix_objective (&mix, false);
      check_g (&mix, all, "G");
      check_p (&mix, all, "P");
      mix_objective (&mix, false);
      g_assert_cmpfloat (mix.moe.balance.load_loss, ==, 0.0);
      sl_assert_near (sl_balance_cv (N, mix.moe.balance.load), sl_golden_number (all, "cv_load"), 0,
                      tol);
    }
  mix_clear (&mix);
}

static void
test_zero_init (void)
{
  JsonObject        *zero = part (golden, "zero_init");
  g_autofree double *train = numbers (zero, "train_topk", B * K);
  g_autofree double *eval = numbers (zero, "eval_topk", B * K);
  sl_real            hard[N];
  Mix                mix;
  SlRng              rng;

  init_golden (&mix, SL_MOE_NOISY);
  sl_rng_init (&rng, 1, "init");
  sl_moe_init (&mix.moe, &rng);
  mix_objective (&mix, false);
  for (size_t i = 0; i < B * N; i++)
    sl_assert_near ((double) mix.moe.gates[0].sigma[i], sl_golden_number (zero, "noise_sd"), 0,
                    tol);
  sl_assert_near (mix.moe.balance.noise, sl_golden_number (zero, "noise_sd"), 0, tol);
  for (size_t e = 0; e < B; e++)
    for (size_t p = 0; p < K; p++)
      g_assert_cmpuint (mix.moe.gates[0].best[e * (K + 1) + p], ==, (guint) train[e * K + p]);

  sl_moe_forward (&mix.moe, &mix.setting, B, mix.x, false, false, mix.y);
  for (size_t e = 0; e < B; e++)
    for (size_t p = 0; p < K; p++)
      g_assert_cmpuint (mix.moe.gates[0].best[e * (K + 1) + p], ==, (guint) eval[e * K + p]);
  check_g (&mix, zero, "eval_G");
  check_whole (mix.moe.balance.hard, zero, "eval_hard_load", N);
  for (size_t i = 0; i < N; i++)
    hard[i] = (sl_real) mix.moe.balance.hard[i];
  sl_assert_near (sl_balance_cv (N, hard), sl_golden_number (zero, "eval_cv_hard"), 0, tol);
  mix_clear (&mix);
}

static void
test_cv2 (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "cv2");

  g_assert_cmpuint (json_array_get_length (cases), ==, 4);
  for (guint c = 0; c < json_array_get_length (cases); c++)
    {
      JsonObject *one = json_array_get_object_element (cases, c);
      g_autoptr (GArray) v = sl_golden_numbers (one, "v");
      sl_real value[8], gradient[8];
      size_t  n = v->len;

      load (one, "v", value, n);
      sl_assert_near (sl_balance_cv2 (n, value, gradient), sl_golden_number (one, "cv2_population"),
                      0, tol);
      sl_assert_near (sl_balance_cv (n, value), sl_golden_number (one, "cv"), 0, tol);
      sl_assert_near (sl_balance_peak (n, value), sl_golden_number (one, "max_over_mean"), 0, tol);
      check (gradient, one, "grad", n);
    }
}

static void
test_bounds (void)
{
  JsonArray  *cases = json_object_get_array_member (golden, "collapse_bounds");
  JsonObject *empty = part (golden, "empty_expert");
  sl_real     load_of[256], importance[N];

  for (guint c = 0; c < json_array_get_length (cases); c++)
    {
      JsonObject *one = json_array_get_object_element (cases, c);
      size_t n = (size_t) sl_golden_number (one, "n"), k = (size_t) sl_golden_number (one, "k");

      for (size_t i = 0; i < n; i++)
        load_of[i] = i < k ? 7 : 0;
      sl_assert_near (sl_balance_collapse (n, k), sl_golden_number (one, "cv_max"), 0, tol);
      sl_assert_near (sl_balance_cv (n, load_of), sl_golden_number (one, "cv_max"), 0, tol);
      sl_assert_near (sl_balance_peak (n, load_of), sl_golden_number (one, "max_over_mean"), 0,
                      tol);
      sl_assert_near (sl_balance_effective (n, load_of), (double) k, tol, 0);
    }
  load (empty, "importance", importance, N);
  sl_assert_near (sl_balance_cv (N, importance), sl_golden_number (empty, "cv"), 0, tol);
}

/* Two groups of three: inputs are unit vectors, so that the rows of the weights are the logits.
 * A gate value of 0 is a logit far below; the group it stands for is still computed.  */
static void
test_groups (void)
{
  enum { G = 2, S = 3, R = 3 };
  JsonObject        *want = part (golden, "hierarchical");
  SlMoeShape         shape = { SL_MOE_NOISY, R, 1, 1, G * S, .groups = G, .most = R };
  SlMoeSetting       setting = { .k = 2, .k_groups = G, .threshold = true };
  sl_real            primary[R * G], within[R * G * S], out[G * S], load_of[G * S], loads[G];
  g_autofree double *count = numbers (want, "count", G);
  Mix                mix;

  mix_init (&mix, &shape, &setting);
  load (want, "G_primary", primary, R * G);
  load (want, "G_secondary", within, R * G * S);
  load (want, "expert_out_scalar", out, G * S);
  for (size_t r = 0; r < R; r++)
    {
      mix.x[r * R + r] = 1;
      for (size_t i = 0; i < G; i++)
        {
          sl_real *own = mix.weights + R * 2 * G + i * R * 2 * S + r * 2 * S;

          mix.weights[r * 2 * G + i] = primary[r * G + i] > 0 ? log (primary[r * G + i]) : -1e9;
          for (size_t j = 0; j < S; j++)
            own[j] = within[(r * G + i) * S + j] > 0 ? log (within[(r * G + i) * S + j]) : -1e9;
        }
    }
  for (size_t i = 0; i < G * S; i++) /* the bias of the output is all there is */
    mix.weights[mix.moe.n_gates + (i + 1) * mix.moe.experts.each - 1] = out[i];
  mix.batch = R;
  mix_objective (&mix, false);
  check (mix.y, want, "y", R);
  check (mix.moe.balance.importance, want, "importance", G * S);
  sl_assert_near (sl_balance_cv (G * S, mix.moe.balance.importance),
                  sl_golden_number (want, "cv_importance"), 0, tol);

  load (want, "load_primary", loads, G);
  load (want, "load_secondary", load_of, G * S);
  for (size_t i = 0; i < G; i++)
    sl_balance_group_load (S, loads[i], (size_t) count[i], load_of + i * S);
  check (load_of, want, "load", G * S);
  sl_assert_near (sl_balance_cv (G * S, load_of), sl_golden_number (want, "cv_load"), 0, tol);
  mix_clear (&mix);
}

static void
test_strict (void)
{
  JsonObject        *want = part (golden, "strict_balance");
  Mix                mix;
  SlStrict          *strict;
  sl_real            mask[B * N];
  g_autofree double *slope = numbers (want, "dL_dT", N);

  init_golden (&mix, SL_MOE_BALANCED);
  strict = &mix.moe.strict[0];
  load (part (golden, "moe"), "Wg", mix.weights, D * N);
  load (want, "T", mix.weights + D * N, N);
  mix_train (&mix);
  check (strict->gates, want, "softmax_gates", B * N);
  for (size_t i = 0; i < B * N; i++)
    mask[i] = strict->mask[i];
  check (mask, want, "mask_batchwise", B * N);
  check_g (&mix, want, "G");
  for (size_t i = 0; i < N; i++)
    {
      g_assert_cmpuint (mix.moe.balance.hard[i], ==, (guint) sl_golden_number (want, "m"));
      /* The layer's loss is a mean over the batch. */
      sl_assert_near ((double) mix.gradient[D * N + i] * B, slope[i], 0, tol);
    }
  sl_assert_near (sl_strict_loss (strict), sl_golden_number (want, "L_batchwise"), 0, tol);
  sl_assert_near (mix.moe.balance.threshold_loss * B, sl_golden_number (want, "L_batchwise"), 0,
                  tol);
  sl_assert_near (mix.moe.balance.agreement, 1.0 - 2.0 / (B * N), 0, tol);
  g_assert_cmpuint (mix.moe.balance.empty, ==, 0);

  sl_moe_forward (&mix.moe, &mix.setting, B, mix.x, false, false, mix.y);
  for (size_t i = 0; i < B * N; i++)
    mask[i] = strict->mask[i];
  check (mask, want, "mask_threshold", B * N);
  mix_clear (&mix);
}

static void
test_cost (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "cost");

  for (guint c = 0; c < json_array_get_length (cases); c++)
    {
      JsonObject *one = json_array_get_object_element (cases, c);
      size_t      d = (size_t) sl_golden_number (one, "d_model");
      SlMoeShape  shape = {
         SL_MOE_NOISY,
         d,
         (size_t) sl_golden_number (one, "hidden"),
         d,
         (size_t) sl_golden_number (one, "gate_n"),
         .groups = 1,
         .most = 1,
      };
      SlMoeSetting setting = { .k = (size_t) sl_golden_number (one, "k") };
      SlArena      kept = { 0 }, scratch = { 0 };
      SlMoe        moe;

      sl_moe_carve (&moe, &shape, &kept, &scratch);
      g_assert_cmpfloat (sl_moe_gate_macs (&moe, &setting), ==, sl_golden_number (one, "gate_ops"));
      g_assert_cmpfloat (sl_moe_expert_macs (&moe) * (double) setting.k, ==,
                         sl_golden_number (one, "expert_ops"));
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (JsonNode) root = NULL;

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/moe/golden/forward", test_forward);
  g_test_add_func ("/moe/golden/choices", test_choices);
  g_test_add_func ("/moe/golden/gradients", test_gradients);
  g_test_add_func ("/moe/golden/k-1", test_one);
  g_test_add_func ("/moe/golden/k-n", test_all);
  g_test_add_func ("/moe/golden/zero-init", test_zero_init);
  g_test_add_func ("/moe/golden/cv2", test_cv2);
  g_test_add_func ("/moe/golden/bounds", test_bounds);
  g_test_add_func ("/moe/golden/groups", test_groups);
  g_test_add_func ("/moe/golden/strict", test_strict);
  g_test_add_func ("/moe/golden/cost", test_cost);
  return g_test_run ();
}
