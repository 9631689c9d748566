/* SPDX-License-Identifier: MIT
 *
 * Gated recurrent units: golden cases of all gatings, batch passes against one example at a time
 * and against the equations written out, gradients against central differences.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/gated-recurrence/math/gru.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/mat.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double eps = 1e-12;
#else
static const double eps = 2e-5;
#endif

typedef struct
{
  SlGru       gru;
  SlGruPacked packed;
  SlGruTape   tape;
  SlArena     arena;
  sl_real    *w, *dw;
} Layer;

static void
layer_init (Layer *layer, const SlGru *gru, size_t batch, size_t steps)
{
  SlStatus status;

  *layer = (Layer) { .gru = *gru };
  for (int pass = 0; pass < 2; pass++)
    {
      layer->w = sl_arena_reals (&layer->arena, gru->n);
      layer->dw = sl_arena_reals (&layer->arena, gru->n);
      sl_gru_pack_carve (&layer->packed, gru, true, &layer->arena);
      sl_gru_tape_carve (&layer->tape, gru, batch, steps, true, &layer->arena);
      if (pass == 0)
        {
          status = sl_arena_init (&layer->arena, layer->arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
}

static void
layer_forward (Layer *layer, size_t steps, const uint8_t *symbol, const SlGruNorm *norm)
{
  size_t batch = layer->tape.batch;

  sl_gru_pack (&layer->gru, layer->w, &layer->packed);
  for (size_t t = 0; t < steps; t++)
    {
      sl_gru_gates (&layer->gru, layer->w, &layer->packed, &layer->tape, t, symbol + t * batch,
                    norm);
      sl_gru_states (&layer->gru, layer->w, &layer->packed, &layer->tape, t, symbol + t * batch);
    }
}

#ifdef SL_DOUBLE
static JsonObject *golden;

/* Fills rows of [W U] from the transposed matrices of the golden file. */
static void
fill_rows (JsonObject *setup, const char *first, const char *second, size_t rows, size_t d,
           size_t h, sl_real *w)
{
  g_autoptr (GArray) a = sl_golden_numbers (setup, first), b = sl_golden_numbers (setup, second);

  g_assert_cmpuint (a->len, ==, d * rows);
  g_assert_cmpuint (b->len, ==, h * rows);
  for (size_t i = 0; i < rows; i++)
    {
      for (size_t j = 0; j < d; j++)
        w[i * (d + h) + j] = (sl_real) g_array_index (a, double, j *rows + i);
      for (size_t j = 0; j < h; j++)
        w[i * (d + h) + d + j] = (sl_real) g_array_index (b, double, j *rows + i);
    }
}

/* A gradient (rows, columns) of ours against the transposed one of the golden file. */
static void
expect_rows (JsonObject *grads, const char *member, size_t rows, size_t columns, const sl_real *got,
             size_t ld)
{
  g_autoptr (GArray) want = sl_golden_numbers (grads, member);

  g_assert_cmpuint (want->len, ==, rows * columns);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      sl_assert_near ((double) got[i * ld + j], g_array_index (want, double, j *rows + i), 0,
                      1e-10);
}

enum { T = 3, B = 4, D = 2, H = 4, G = 2 };

static void
golden_weights (const SlGru *gru, JsonObject *setup, sl_real *w)
{
  g_autofree sl_real *a = g_new (sl_real, D * H), *q = g_new (sl_real, H * H);

  fill_rows (setup, "Wr", "Ur", H, D, H, w + gru->at_r);
  sl_golden_copy (setup, "Wh", a, D * H);
  sl_golden_copy (setup, "Uh", q, H * H);
  for (size_t i = 0; i < H; i++)
    {
      for (size_t j = 0; j < D; j++)
        w[gru->at_a + i * D + j] = a[j * H + i];
      for (size_t j = 0; j < H; j++)
        w[gru->at_q + i * H + j] = q[j * H + i];
    }
  fill_rows (setup, "Wl", "Ul", G, D, H, w + gru->at_l);
  if (gru->gating == SL_GRU_UNITS)
    sl_golden_copy (setup, "Wz", w + gru->at_v, G * H);
  sl_golden_copy (setup, "br", w + gru->bias_r, H);
  sl_golden_copy (setup, "bh", w + gru->bias_a, H);
  sl_golden_copy (setup, "bl", w + gru->bias_l, G);
}

/* r and ĥ where they were computed. */
static void
expect_pairs (const Layer *layer, JsonObject *c)
{
  const SlGru *gru = &layer->gru;
  g_autoptr (GArray) r = sl_golden_numbers (c, "r"), a = sl_golden_numbers (c, "hhat");

  for (size_t b = 0; b < gru->groups; b++)
    for (size_t l = 0; l < layer->tape.start[b * (T + 1) + T]; l++)
      for (size_t i = 0; i < gru->group; i++)
        {
          size_t at = b * gru->group * T * B + l * gru->group + i;
          size_t of = layer->tape.row[b * T * B + l] * H + b * gru->group + i;

          sl_assert_near ((double) layer->tape.r[at], g_array_index (r, double, of), 0, 1e-10);
          sl_assert_near ((double) layer->tape.a[at], g_array_index (a, double, of), 0, 1e-10);
        }
}

static void
test_golden (gconstpointer name)
{
  JsonObject *setup = json_object_get_object_member (golden, "setup");
  JsonObject *c = json_object_get_object_member (golden, name), *grads;
  bool        blocks = g_str_has_prefix (name, "block");
  bool        rectify = strcmp (json_object_get_string_member (c, "f"), "relu") == 0;
  SlGruNorm   norm = { .epsilon = (sl_real) sl_golden_number (setup, "eps"),
                       .s = (sl_real) sl_golden_number (c, "s") };
  g_autoptr (GArray) x = sl_golden_numbers (setup, "X"), first = sl_golden_numbers (setup, "H0");
  g_autoptr (GArray) want_z = sl_golden_numbers (c, "z"), active;
  uint8_t symbol[T * B] = { 0 };
  sl_real dout[T * B * H] = { 0 };
  double  loss = 0;
  SlGru   gru;
  Layer   layer;

  sl_gru_shape (&gru, blocks ? SL_GRU_BLOCKS : SL_GRU_UNITS, false, rectify, D, H, G);
  layer_init (&layer, &gru, B, T);
  golden_weights (&gru, setup, layer.w);
  sl_golden_copy (setup, "Cw", dout + (T - 1) * B * H, B * H);
  for (size_t row = 0; row < T * B; row++)
    for (size_t j = 0; j < D; j++)
      sl_gru_input (&gru, &layer.tape, 0)[row * gru.stride + j]
        = (sl_real) g_array_index (x, double, row *D + j);
  for (size_t e = 0; e < B; e++)
    for (size_t j = 0; j < H; j++)
      sl_gru_state (&gru, &layer.tape, 0)[e * gru.stride + j]
        = (sl_real) g_array_index (first, double, e *H + j);

  layer_forward (&layer, T, symbol, &norm);
  active = sl_golden_numbers (c, "active_fraction");
  for (size_t t = 0; t < T; t++)
    {
      double on = 0;

      for (size_t i = t * B * H; i < (t + 1) * B * H; i++)
        {
          sl_real z = layer.tape.z[blocks ? i / gru.group : i];

          sl_assert_near ((double) z, g_array_index (want_z, double, i), 0, 1e-10);
          on += z > 0;
        }
      sl_assert_near (on / (B * H), g_array_index (active, double, t), 0, 1e-12);
    }
  expect_pairs (&layer, c);
  for (size_t e = 0; e < B; e++)
    for (size_t j = 0; j < H; j++)
      loss += (double) (sl_gru_state (&gru, &layer.tape, T)[e * gru.stride + j]
                        * dout[(T - 1) * B * H + e * H + j]);
  sl_assert_near (loss, sl_golden_number (c, "loss"), 0, 1e-10);

  for (size_t i = 0; i < gru.n; i++)
    layer.dw[i] = (sl_real) NAN; /* it is written, not added to */
  sl_gru_backward (&gru, layer.w, &layer.packed, &layer.tape, T, symbol, dout, H, layer.dw);
  grads = json_object_get_object_member (c, "grads");
  expect_rows (grads, "Wr", H, D, layer.dw + gru.at_r, gru.wide);
  expect_rows (grads, "Ur", H, H, layer.dw + gru.at_r + D, gru.wide);
  expect_rows (grads, "Wh", H, D, layer.dw + gru.at_a, D);
  expect_rows (grads, "Uh", H, H, layer.dw + gru.at_q, H);
  expect_rows (grads, "Wl", G, D, layer.dw + gru.at_l, gru.wide);
  expect_rows (grads, "Ul", G, H, layer.dw + gru.at_l + D, gru.wide);
  if (!blocks)
    sl_golden_expect (layer.dw + gru.at_v, grads, "Wz", G * H, 0, 1e-10);
  sl_golden_expect (layer.dw + gru.bias_r, grads, "br", H, 0, 1e-10);
  sl_golden_expect (layer.dw + gru.bias_a, grads, "bh", H, 0, 1e-10);
  sl_golden_expect (layer.dw + gru.bias_l, grads, "bl", G, 0, 1e-10);
  sl_golden_expect (layer.tape.dstate, c, "dH0", B * H, 0, 1e-10);
  sl_assert_near (layer.tape.ds, sl_golden_number (c, "ds"), 0, 1e-10);
  sl_arena_clear (&layer.arena);
}

/* The bound on the gain over a dense layer of this shape when the share α of the units is on. */
static double
gain_bound (const SlGru *gru, double alpha)
{
  double h = (double) gru->units, dense = sl_gru_unit_macs (gru) + h * (double) gru->wide;

  return dense / (sl_gru_gate_macs (gru) + alpha * sl_gru_unit_macs (gru));
}

/* The four readings of eq. 4.7 (ours is the recommended one), a column without variance, the densities
 * of normal inputs and the bounds.  */
static void
test_norm (void)
{
  static const char *const names[] = { "s=0", "s=-0.25", "s=-0.5", "s=-0.75" };
  static const struct
  {
    const char *name;
    bool        variance; /* divides by σ² where ours divides by σ */
    int         sign;     /* of s */
  } reading[] = {
    { "std_plus_s_recommended", false, 1 },
    { "var_plus_s", true, 1 },
    { "std_minus_s", false, -1 },
    { "printed_var_minus_s", true, -1 },
  };
  JsonObject *readings = json_object_get_object_member (golden, "bn_readings");
  JsonObject *flat = json_object_get_object_member (golden, "zero_variance"), *with;
  JsonObject *all = json_object_get_object_member (readings, "readings");
  JsonArray  *shares = json_object_get_array_member (golden, "population_active_fraction");
  JsonArray  *bounds = json_object_get_array_member (golden, "flop_bounds_h1024");
  sl_real     v[4], z[4], mean, variance, inverse;

  for (int i = 0; i < 4; i++)
    for (size_t r = 0; r < G_N_ELEMENTS (reading); r++)
      {
        JsonObject *said = json_object_get_object_member (
          json_object_get_object_member (all, names[i]), reading[r].name);
        double on = 0;

        sl_golden_copy (readings, "v", v, 4);
        sl_norm_forward (4, 1, 0, v, &mean, &variance, &inverse);
        sl_assert_near ((double) mean, sl_golden_number (readings, "mu"), 0, 1e-12);
        sl_assert_near ((double) variance, sl_golden_number (readings, "var"), 0, 1e-12);
        /* Dividing by the variance is dividing by the deviation once more. */
        for (int e = 0; e < 4 && reading[r].variance; e++)
          v[e] *= inverse;
        sl_clipped_tanh_forward (4, (sl_real) (reading[r].sign * -0.25 * i), v, z);
        sl_golden_expect (z, said, "z", 4, 0, 1e-10);
        for (int e = 0; e < 4; e++)
          on += z[e] > 0;
        g_assert_cmpfloat (on, ==, sl_golden_number (said, "active"));
      }
  with = json_object_get_object_member (flat, "with_eps");
  for (int i = -1; i <= 1; i++)
    {
      static const char *const members[] = { "s=-0.25", "s=0", "s=0.25" };

      sl_golden_copy (flat, "v", v, 4);
      sl_norm_forward (4, 1, (sl_real) 1e-5, v, &mean, &variance, &inverse);
      sl_clipped_tanh_forward (4, (sl_real) (0.25 * i), v, z);
      sl_golden_expect (z, with, members[i + 1], 4, 0, 1e-10);
    }
  for (guint i = 0; i < json_array_get_length (shares); i++)
    {
      JsonObject *row = json_array_get_object_element (shares, i);
      double      s = sl_golden_number (row, "s");

      sl_assert_near (sl_norm_share_on (s, false), sl_golden_number (row, "gauss_plus_s"), 0,
                      1e-12);
      sl_assert_near (sl_norm_share_on (s, true), sl_golden_number (row, "relu_gauss_plus_s"), 0,
                      1e-12);
    }
  g_assert_cmpfloat (sl_norm_share_on (0.75, true), ==, 1.0);
  for (guint i = 0; i < json_array_get_length (bounds); i++)
    {
      JsonObject *row = json_array_get_object_element (bounds, i);
      size_t      g = (size_t) sl_golden_number (row, "g");
      double      normal = sl_golden_number (row, "alpha_gauss");
      SlGru       units, blocks;

      sl_gru_shape (&units, SL_GRU_UNITS, false, true, 1024, 1024, g);
      sl_gru_shape (&blocks, SL_GRU_BLOCKS, false, true, 1024, 1024, g);
      sl_assert_near (gain_bound (&units, normal), sl_golden_number (row, "unstructured_bound"),
                      1e-12, 0);
      sl_assert_near (gain_bound (&blocks, normal), sl_golden_number (row, "block_bound_gauss"),
                      1e-12, 0);
      sl_assert_near (gain_bound (&blocks, sl_golden_number (row, "alpha_relu")),
                      sl_golden_number (row, "block_bound_relu"), 1e-12, 0);
    }
}

#endif

static sl_real
normal (SlRng *rng)
{
  return (sl_real) sl_rng_normal (rng);
}

/* What goes into the clipped tanh of a column. */
static double
normal_ref (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, double v, size_t column)
{
  double y = (v - (double) norm->mean[column])
             / sqrt ((double) norm->variance[column] + (double) norm->epsilon);

  if (gru->affine)
    y = y * (double) w[gru->at_gamma + column] + (double) w[gru->at_beta + column];
  return y + (double) norm->s;
}

/* The input of σ in the reset gate of a unit. */
static double
reset_ref (const SlGru *gru, const sl_real *w, const double *x, uint8_t symbol, const double *state,
           size_t i)
{
  size_t h = gru->units, k = gru->wide, off = k - h;
  double r = (double) w[gru->bias_r + i];

  if (gru->one_hot)
    r += (double) w[gru->table_r + symbol * h + i];
  for (size_t j = 0; j < k; j++)
    r += (double) w[gru->at_r + i * k + j] * (j < off ? x[j] : state[j - off]);
  return r;
}

/* One step of one example by the equations, in double; state (h) is moved on. */
static void
step_ref (const SlGru *gru, const sl_real *w, const SlGruNorm *norm, const double *x,
          uint8_t symbol, double *state)
{
  size_t             h = gru->units, d = gru->inputs, g = gru->gates, k = gru->wide, off = k - h;
  g_autofree double *l = g_new0 (double, g), *next = g_new (double, h), *y = g_new0 (double, g);
  g_autofree double *inside = g_new (double, h); /* what gates the states before the product */

  for (size_t i = 0; i < h; i++)
    inside[i] = gru->gating == SL_GRU_STANDARD
                  ? 1 / (1 + exp (-reset_ref (gru, w, x, symbol, state, i)))
                  : 1;
  for (size_t i = 0; i < g; i++)
    {
      l[i] = (double) w[gru->bias_l + i];
      if (gru->one_hot)
        l[i] += (double) w[gru->table_l + symbol * g + i];
      for (size_t j = 0; j < k; j++)
        l[i] += (double) w[gru->at_l + i * k + j] * (j < off ? x[j] : state[j - off]);
      if (gru->rectify && !sl_gru_is_dense (gru))
        l[i] = fmax (l[i], 0);
      if (gru->gating == SL_GRU_BLOCKS || gru->gating == SL_GRU_MIXED)
        y[i] = normal_ref (gru, w, norm, l[i], i);
    }
  for (size_t i = 0; i < h; i++)
    {
      double r = 1 / (1 + exp (-reset_ref (gru, w, x, symbol, state, i)));
      double a = (double) w[gru->bias_a + i], q = 0, v = 0, z = 0;

      if (gru->one_hot)
        a += (double) w[gru->table_a + symbol * h + i];
      for (size_t j = 0; j < off; j++)
        a += (double) w[gru->at_a + i * d + j] * x[j];
      for (size_t j = 0; j < h; j++)
        q += (double) w[gru->at_q + i * h + j] * state[j] * inside[j];
      a = tanh (a + q * (gru->gating == SL_GRU_STANDARD ? 1 : r));
      if (gru->gating == SL_GRU_UNITS || gru->gating == SL_GRU_MIXED)
        for (size_t j = 0; j < g; j++)
          v += l[j] * (double) w[gru->at_v + j * h + i];
      switch (gru->gating)
        {
        case SL_GRU_STANDARD:
        case SL_GRU_DENSE: z = 1 / (1 + exp (-l[i])); break;
        case SL_GRU_UNITS: z = tanh (fmax (0, normal_ref (gru, w, norm, v, i))); break;
        case SL_GRU_BLOCKS: z = tanh (fmax (0, y[i / gru->group])); break;
        case SL_GRU_MIXED:
          z = tanh (fmax (0, y[i / gru->group])) / (1 + exp (-(v + (double) w[gru->bias_v + i])));
          break;
        }
      next[i] = (1 - z) * state[i] + z * a;
    }
  memcpy (state, next, h * sizeof *state);
}

/* A batch, one example at a time and the equations, with given statistics. */
static void
check_passes (SlRng *rng, SlGruGating gating, bool one_hot, size_t d, size_t h, size_t g)
{
  enum { BATCH = 11, STEPS = 3 };
  SlGru    gru;
  Layer    layer;
  uint8_t  symbol[STEPS * BATCH];
  SlStatus status;

  sl_gru_shape (&gru, gating, one_hot, h % 2 == 0, d, h, g);
  if (d % 2 == 1)
    sl_gru_shape_affine (&gru);
  layer_init (&layer, &gru, BATCH, STEPS);
  g_autofree sl_real  *mean = g_new (sl_real, gru.columns + 1), *in = g_new (sl_real, gru.wide);
  g_autofree sl_real  *variance = g_new (sl_real, gru.columns + 1), *z = g_new (sl_real, h);
  g_autofree sl_real  *work = g_new (sl_real, sl_gru_one_work (&gru));
  g_autofree uint32_t *rows = g_new (uint32_t, h);
  g_autofree double   *state = g_new (double, h), *x = g_new (double, d);
  SlGruNorm            norm = { .given = true,
                                .mean = mean,
                                .variance = variance,
                                .epsilon = (sl_real) 1e-5,
                                .s = (sl_real) -0.2 };

  status = sl_gru_init (&gru, rng, layer.w);
  g_assert_true (sl_ok (&status));
  for (size_t i = 0; i < h; i++)
    {
      layer.w[gru.bias_r + i] = normal (rng);
      layer.w[gru.bias_a + i] = normal (rng);
    }
  for (size_t i = 0; i < gru.columns; i++)
    {
      if (gru.affine)
        {
          g_assert_true (layer.w[gru.at_gamma + i] == 1 && layer.w[gru.at_beta + i] == 0);
          layer.w[gru.at_gamma + i] = normal (rng);
          layer.w[gru.at_beta + i] = normal (rng);
        }
      mean[i] = normal (rng) / 4;
      variance[i] = (sl_real) (0.2 + sl_rng_uniform (rng));
    }
  for (size_t i = 0; i < STEPS * BATCH; i++)
    symbol[i] = (uint8_t) sl_rng_below (rng, d);
  for (size_t i = 0; i < (STEPS + 1) * BATCH * gru.stride; i++)
    layer.tape.in[i] = normal (rng) / 2;
  g_autofree sl_real *start = g_memdup2 (layer.tape.in, BATCH * gru.stride * sizeof *start);

  layer_forward (&layer, STEPS, symbol, &norm);
  for (size_t e = 0; e < BATCH; e++)
    {
      size_t off = gru.wide - h;

      for (size_t i = 0; i < h; i++)
        state[i] = (double) start[e * gru.stride + off + i];
      memcpy (in + off, start + e * gru.stride + off, h * sizeof *in);
      for (size_t t = 0; t < STEPS; t++)
        {
          size_t   row = t * BATCH + e, on = 0;
          sl_real *out = sl_gru_state (&gru, &layer.tape, t + 1) + e * gru.stride;

          for (size_t j = 0; j < off; j++)
            {
              in[j] = layer.tape.in[row * gru.stride + j];
              x[j] = (double) in[j];
            }
          step_ref (&gru, layer.w, &norm, x, symbol[row], state);
          on = sl_gru_one (&gru, layer.w, &norm, in, symbol[row], NULL, z, work, rows);
          sl_assert_close (out, state, h, eps, 10 * eps);
          sl_assert_close (in + off, state, h, eps, 10 * eps);
          for (size_t i = 0; i < h; i++)
            on -= z[i] != 0;
          g_assert_cmpuint (on, ==, 0);
        }
    }
  sl_arena_clear (&layer.arena);
}

static void
test_passes (void)
{
  static const size_t shapes[][3]
    = { { 5, 6, 2 }, { 3, 48, 3 }, { 27, 96, 3 }, { 40, 130, 2 }, { 1, 1, 1 }, { 7, 64, 64 } };
  SlRng rng;

  sl_rng_init (&rng, 3, "gru");
  for (int gating = SL_GRU_STANDARD; gating <= SL_GRU_MIXED; gating++)
    for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
      for (int one_hot = 0; one_hot <= 1; one_hot++)
        check_passes (&rng, (SlGruGating) gating, one_hot != 0, shapes[i][0], shapes[i][1],
                      shapes[i][2]);
}

/* A copied state is the same bytes; with s large everything is on. */
static void
test_ends (void)
{
  enum { BATCH = 5, UNITS = 40 };
  SlRng   rng;
  uint8_t symbol[2 * BATCH] = { 0, 1, 2, 0, 1 };

  sl_rng_init (&rng, 4, "gru");
  for (int gating = SL_GRU_UNITS; gating <= SL_GRU_MIXED; gating++)
    for (int high = 0; high <= 1; high++)
      {
        SlGru     gru;
        Layer     layer;
        SlGruNorm norm = { .epsilon = (sl_real) 1e-5, .s = high ? 50 : -50 };
        SlStatus  status;

        sl_gru_shape (&gru, (SlGruGating) gating, true, true, 3, UNITS, 8);
        layer_init (&layer, &gru, BATCH, 2);
        status = sl_gru_init (&gru, &rng, layer.w);
        g_assert_true (sl_ok (&status));
        for (size_t i = 0; i < BATCH * gru.stride; i++)
          layer.tape.in[i] = normal (&rng);
        layer_forward (&layer, 2, symbol, &norm);
        g_assert_cmpuint (sl_gru_pairs (&gru, &layer.tape, 2), ==, high ? 2 * BATCH * UNITS : 0);
        if (!high)
          for (size_t e = 0; e < BATCH; e++)
            g_assert_cmpmem (layer.tape.in + e * gru.stride, UNITS * sizeof (sl_real),
                             layer.tape.in + (2 * BATCH + e) * gru.stride,
                             UNITS * sizeof (sl_real));
        sl_arena_clear (&layer.arena);
      }
}

/* Gates that are given instead of computed. */
static void
test_given (void)
{
  enum { UNITS = 20 };
  SlGru     gru;
  Layer     layer;
  SlRng     rng;
  SlStatus  status;
  sl_real   mean[UNITS] = { 0 }, variance[UNITS], z[UNITS], forced[UNITS] = { 0 }, before[UNITS];
  uint32_t  rows[UNITS];
  SlGruNorm norm = { .given = true, .mean = mean, .variance = variance, .s = 1 };

  sl_rng_init (&rng, 5, "gru");
  sl_gru_shape (&gru, SL_GRU_UNITS, true, true, 3, UNITS, 4);
  layer_init (&layer, &gru, 1, 1);
  status = sl_gru_init (&gru, &rng, layer.w);
  g_assert_true (sl_ok (&status));
  g_autofree sl_real *work = g_new (sl_real, sl_gru_one_work (&gru));
  for (size_t i = 0; i < UNITS; i++)
    {
      variance[i] = 1;
      before[i] = layer.tape.in[i] = normal (&rng);
    }
  forced[3] = forced[7] = (sl_real) 0.5;
  g_assert_cmpuint (sl_gru_one (&gru, layer.w, &norm, layer.tape.in, 1, forced, z, work, rows), ==,
                    2);
  for (size_t i = 0; i < UNITS; i++)
    g_assert_true ((layer.tape.in[i] == before[i]) == (i != 3 && i != 7));
  sl_arena_clear (&layer.arena);
}

/* The same bytes for any number of threads. */
static void
check_threads (SlGruGating gating)
{
  enum { BATCH = 32, UNITS = 320, STEPS = 2 };
  SlRng               rng;
  SlGru               gru;
  Layer               layer;
  SlStatus            status;
  SlGruNorm           norm = { .epsilon = (sl_real) 1e-5, .s = (sl_real) -0.25 };
  uint8_t             symbol[STEPS * BATCH] = { 0 };
  g_autofree sl_real *first = NULL, *dout = g_new (sl_real, STEPS * BATCH * UNITS);

  sl_rng_init (&rng, 6, "gru");
  sl_gru_shape (&gru, gating, false, true, UNITS, UNITS, 10);
  layer_init (&layer, &gru, BATCH, STEPS);
  status = sl_gru_init (&gru, &rng, layer.w);
  g_assert_true (sl_ok (&status));
  for (size_t i = 0; i < (STEPS + 1) * BATCH * gru.stride; i++)
    layer.tape.in[i] = normal (&rng);
  for (size_t i = 0; i < STEPS * BATCH * UNITS; i++)
    dout[i] = normal (&rng);
  for (unsigned threads = 1; threads <= 2; threads++)
    {
      sl_blas_set_threads (threads);
      layer_forward (&layer, STEPS, symbol, &norm);
      sl_gru_backward (&gru, layer.w, &layer.packed, &layer.tape, STEPS, symbol, dout, UNITS,
                       layer.dw);
      if (threads == 1)
        first = g_memdup2 (layer.dw, gru.at_l * sizeof *first);
    }
  /* The gradient of the gates' weights is one product of the library, which shares its sums out. */
  g_assert_cmpmem (first, gru.at_l * sizeof *first, layer.dw, gru.at_l * sizeof *first);
  sl_arena_clear (&layer.arena);
}

static void
test_threads (void)
{
  check_threads (SL_GRU_BLOCKS);
  check_threads (SL_GRU_STANDARD);
}

#ifdef SL_DOUBLE
static double
loss_of (Layer *layer, const uint8_t *symbol, const SlGruNorm *norm, const sl_real *dout,
         size_t steps)
{
  const SlGru *gru = &layer->gru;
  double       loss = 0;

  layer_forward (layer, steps, symbol, norm);
  for (size_t row = 0; row < steps * layer->tape.batch; row++)
    for (size_t i = 0; i < gru->units; i++)
      loss
        += dout[row * gru->units + i] * sl_gru_state (gru, &layer->tape, 1)[row * gru->stride + i];
  return loss;
}

static void
check_difference (Layer *layer, sl_real *at, double slope, double scale, const uint8_t *symbol,
                  const SlGruNorm *norm, const sl_real *dout, size_t steps)
{
  const double h = 1e-5;
  double       was = *at, up, down;

  *at = was + h;
  up = loss_of (layer, symbol, norm, dout, steps);
  *at = was - h;
  down = loss_of (layer, symbol, norm, dout, steps);
  *at = was;
  sl_assert_near ((up - down) / (2 * h), slope, 0, 1e-6 * scale);
}

static void
check_gradient (SlRng *rng, SlGruGating gating, bool one_hot, bool rectify, bool affine)
{
  enum { BATCH = 6, STEPS = 4, INPUTS = 3, UNITS = 12, GATES = 4 };
  SlGru     gru;
  Layer     layer;
  SlGruNorm norm = { .epsilon = 1e-5, .s = 0.1 };
  uint8_t   symbol[STEPS * BATCH];
  sl_real   dout[STEPS * BATCH * UNITS];
  double    scale = 0;

  sl_gru_shape (&gru, gating, one_hot, rectify, INPUTS, UNITS, GATES);
  if (affine)
    sl_gru_shape_affine (&gru);
  layer_init (&layer, &gru, BATCH, STEPS);
  for (size_t i = 0; i < gru.n; i++)
    layer.w[i] = normal (rng) / 2;
  for (size_t i = 0; i < (STEPS + 1) * BATCH * gru.stride; i++)
    layer.tape.in[i] = normal (rng);
  for (size_t i = 0; i < STEPS * BATCH; i++)
    symbol[i] = (uint8_t) sl_rng_below (rng, INPUTS);
  for (size_t i = 0; i < STEPS * BATCH * UNITS; i++)
    dout[i] = normal (rng);

  loss_of (&layer, symbol, &norm, dout, STEPS);
  for (size_t i = 0; i < gru.n; i++)
    layer.dw[i] = (sl_real) NAN;
  sl_gru_backward (&gru, layer.w, &layer.packed, &layer.tape, STEPS, symbol, dout, UNITS, layer.dw);
  for (size_t i = 0; i < gru.n; i++)
    scale = fmax (scale, fabs (layer.dw[i]));
  g_autofree sl_real *din = g_memdup2 (layer.tape.din, STEPS * BATCH * gru.stride * sizeof *din);
  g_autofree sl_real *dstate = g_memdup2 (layer.tape.dstate, BATCH * UNITS * sizeof *dstate);

  for (size_t i = 0; i < gru.n; i++)
    check_difference (&layer, layer.w + i, layer.dw[i], scale, symbol, &norm, dout, STEPS);
  for (size_t e = 0; e < BATCH; e++)
    for (size_t i = 0; i < UNITS; i++)
      check_difference (&layer, sl_gru_state (&gru, &layer.tape, 0) + e * gru.stride + i,
                        dstate[e * UNITS + i], scale, symbol, &norm, dout, STEPS);
  for (size_t row = 0; !one_hot && row < STEPS * BATCH; row++)
    for (size_t j = 0; j < INPUTS; j++)
      check_difference (&layer, layer.tape.in + row * gru.stride + j, din[row * gru.stride + j],
                        scale, symbol, &norm, dout, STEPS);
  sl_arena_clear (&layer.arena);
}

static void
test_gradient (void)
{
  SlRng rng;

  sl_rng_init (&rng, 7, "gru");
  for (int gating = SL_GRU_STANDARD; gating <= SL_GRU_MIXED; gating++)
    for (int kind = 0; kind < 8; kind++)
      check_gradient (&rng, (SlGruGating) gating, kind % 2 != 0, kind / 2 % 2 != 0, kind / 4 != 0);
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#ifdef SL_DOUBLE
  g_assert_cmpint (argc, ==, 2);

  g_autoptr (JsonNode) root = sl_golden_load (argv[1]);
  static const char *const cases[] = { "unstructured_relu_s0",
                                       "unstructured_relu_s-0.25",
                                       "unstructured_relu_s-0.75",
                                       "unstructured_identity_s0",
                                       "unstructured_identity_s-0.25",
                                       "unstructured_identity_s-0.75",
                                       "block_relu_s0",
                                       "block_relu_s-0.25",
                                       "block_relu_s-0.75",
                                       "block_identity_s0",
                                       "block_identity_s-0.25",
                                       "block_identity_s-0.75" };

  golden = json_node_get_object (root);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/gru/golden/%s", cases[i]);

      g_test_add_data_func (path, cases[i], test_golden);
    }
  g_test_add_func ("/gru/norm", test_norm);
  g_test_add_func ("/gru/gradient", test_gradient);
#endif
  g_test_add_func ("/gru/passes", test_passes);
  g_test_add_func ("/gru/ends", test_ends);
  g_test_add_func ("/gru/given", test_given);
  g_test_add_func ("/gru/threads", test_threads);
  return g_test_run ();
}
