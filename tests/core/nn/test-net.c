/* SPDX-License-Identifier: MIT
 *
 * Networks of gated layers and stacks of layers: what each layer gives against sums written out, gradients
 * against central differences in double, and the statistics and activations between them.  */
#include "core/nn/dense/net.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/dense/loss.h"
#include "core/nn/dense/stack.h"
#include "core/nn/kernels/vector.h"
#include "tests/support/close.h"

#ifdef SL_DOUBLE
static const double eps = 1e-13;
#else
static const double eps = 1e-5;
#endif

enum { BATCH = 9, WIDEST = 50 };

static void
fill (SlRng *rng, size_t n, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) sl_rng_normal (rng);
}

/* What a network is made of, and how a pass goes. */
typedef struct
{
  size_t         widths[5];
  unsigned       layers, convolutions;
  SlPatches      picture;
  SlActivation   activation;
  double         cut, l1, kl;
  SlDropout      dropout;
  SlEstimateMode mode;
  bool           skips;
} Kind;

static const Kind kinds[] = {
  { { 5, 7, 4, 3 }, .layers = 3 },
  { { 5, 6, 1 }, .layers = 2, .activation = SL_TANH, .dropout = { 0.2, 0.4 } },
  { { 6, 9, 1 }, .layers = 2, .cut = 0.3, .l1 = 0.4, .dropout = { 0.0, 0.5 } },
  { { 5, 7, 4, 3 }, .layers = 3, .activation = SL_LEAKY, .l1 = 0.3, .kl = 0.7 },
  { { 5, 7, 4, 3 },
    .layers = 3,
    .activation = SL_ELU,
    .l1 = 0.2,
    .kl = 0.3,
    .mode = SL_ESTIMATE_GATE },
  { { 5, 7, 4, 3 },
    .layers = 3,
    .activation = SL_TANH,
    .l1 = 0.2,
    .kl = 0.3,
    .mode = SL_ESTIMATE_WATCH },
  { { 5, 8, 6, 3 }, .layers = 3, .kl = 0.5, .dropout = { 0.3, 0.3 }, .mode = SL_ESTIMATE_GATE },
  { { 5, 8, 6, 3 }, .layers = 3, .cut = 0.2, .mode = SL_ESTIMATE_GATE, .skips = true },
  { { 5, 8, 6, 3 }, .layers = 3, .dropout = { 0.0, 0.4 }, .mode = SL_ESTIMATE_GATE, .skips = true },
  { { 5, 8, 6, 3 }, .layers = 3, .activation = SL_LEAKY, .mode = SL_ESTIMATE_GATE, .skips = true },
  { { 5, 7, 4, 3 },
    .layers = 3,
    .activation = SL_PRELU,
    .l1 = 0.3,
    .kl = 0.7,
    .dropout = { 0.1, 0.3 } },
  { { 5, 8, 6, 3 }, .layers = 3, .activation = SL_PRELU, .mode = SL_ESTIMATE_GATE, .skips = true },
  { { 25, 3, 4, 1 },
    .layers = 3,
    .convolutions = 1,
    .picture = { 1, 5, 5, 3, 2 },
    .activation = SL_PRELU,
    .mode = SL_ESTIMATE_GATE },
  { { 5, 7, 4, 3 }, .layers = 3, .activation = SL_SWIGLU, .l1 = 0.3, .dropout = { 0.2, 0.3 } },
  { { 5, 7, 4, 1 }, .layers = 3, .activation = SL_SWIGLU, .mode = SL_ESTIMATE_GATE },
  { { 40, 3, 4, 3 }, .layers = 3, .convolutions = 2, .picture = { 2, 4, 5, 2, 1 }, .kl = 0.4 },
  { { 25, 3, 4, 3 },
    .layers = 3,
    .convolutions = 1,
    .picture = { 1, 5, 5, 3, 2 },
    .dropout = { 0.1, 0.2 } },
  { { 40, 3, 4, 3 },
    .layers = 3,
    .convolutions = 2,
    .picture = { 2, 4, 5, 2, 1 },
    .l1 = 0.4,
    .mode = SL_ESTIMATE_GATE,
    .skips = true },
};

typedef struct
{
  const Kind *kind;
  SlNet       net;
  SlTape      tape;
  SlArena     kept, scratch;
  SlRng       rng;
  uint8_t     label[BATCH];
  sl_real     est[4][BATCH * WIDEST]; /* what the predictor says */
  unsigned    asked;                  /* how often */
} Fixture;

static void
carve (Fixture *f)
{
  sl_net_carve (&f->net, &f->kept, &f->scratch);
  sl_tape_carve (&f->tape, &f->net, BATCH, &f->scratch);
  sl_tape_carve_skip (&f->tape, &f->net, &f->scratch);
}

static void
fixture_init (Fixture *f, const Kind *kind)
{
  SlStatus status;

  memset (f, 0, sizeof *f);
  f->kind = kind;
  g_assert_true (sl_net_shape_convolutions (&f->net, kind->activation, kind->widths, kind->layers,
                                            &kind->picture, kind->convolutions));
  f->net.cut = (sl_real) kind->cut;
  f->net.l1 = (sl_real) kind->l1;
  f->net.kl = (sl_real) kind->kl;
  f->net.activity = (sl_real) 0.3;
  carve (f);
  status = sl_arena_init (&f->kept, f->kept.used);
  g_assert_true (sl_ok (&status));
  status = sl_arena_init (&f->scratch, f->scratch.used);
  g_assert_true (sl_ok (&status));
  carve (f);
  sl_rng_init (&f->rng, 1, "net");
  sl_net_init (&f->net, &f->rng);
  for (unsigned l = 0; l < f->net.layers; l++)
    {
      fill (&f->rng, sl_net_units (&f->net, l), sl_net_bias (&f->net, l));
      if (sl_net_is_gated (&f->net, l))
        fill (&f->rng, sl_net_units (&f->net, l), sl_net_up_bias (&f->net, l));
    }
  fill (&f->rng, BATCH * f->net.width[0], f->tape.x[0]);
  for (size_t e = 0; e < BATCH; e++)
    f->label[e] = (uint8_t) (e % (f->net.width[f->net.layers] == 1 ? 2 : 3));
  for (unsigned l = 0; l + 1 < f->net.layers; l++)
    fill (&f->rng, BATCH * f->net.width[l + 1], f->est[l]);
  sl_net_draw (&f->net, &f->tape, BATCH, &kind->dropout, &f->rng);
  sl_net_mask_input (&f->net, &f->tape, BATCH, &kind->dropout);
}

static void
fixture_clear (Fixture *f)
{
  sl_arena_clear (&f->kept);
  sl_arena_clear (&f->scratch);
}

static void
predict (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  Fixture *f = data;

  memcpy (tape->est[layer], f->est[layer], batch * f->net.width[layer + 1] * sizeof (sl_real));
  f->asked++;
}

static void
forward (Fixture *f)
{
  SlEstimate estimate
    = { .mode = f->kind->mode, .predict = predict, .data = f, .skips = f->kind->skips };

  sl_net_forward (&f->net, &f->tape, BATCH, &f->kind->dropout, &estimate);
}

static bool
is_dropped (const Fixture *f, unsigned layer, size_t at)
{
  double rate = layer == 0 ? f->kind->dropout.input : f->kind->dropout.hidden;

  return rate > 0.0 && f->tape.mask[layer][at] == 0;
}

/* Whether a unit of a hidden layer is computed, and whether its gate lets it pass. */
static bool
is_on (const Fixture *f, unsigned layer, size_t at)
{
  if (f->kind->mode != SL_ESTIMATE_GATE || layer + 1 == f->net.layers)
    return true;
  return f->est[layer][at] > 0 && !(f->kind->skips && is_dropped (f, layer + 1, at));
}

/* Number k of what a layer's units meet at a place. */
static double
read_one (const Fixture *f, unsigned l, size_t e, size_t place, size_t k)
{
  const SlPatches *p = &f->net.patches[l];
  const sl_real   *x = f->tape.x[l] + e * f->net.width[l];
  size_t           channel, row, column;

  if (l >= f->net.convolutions)
    return (double) x[k];
  channel = k % p->channels;
  row = place / sl_patches_across (p) * p->stride + k / p->channels / p->side;
  column = place % sl_patches_across (p) * p->stride + k / p->channels % p->side;
  return (double) (l == 0 ? x[(channel * p->height + row) * p->width + column]
                          : x[(row * p->width + column) * p->channels + channel]);
}

static double
sum_with (const Fixture *f, const sl_real *w, const sl_real *b, unsigned l, size_t e, size_t place,
          size_t unit)
{
  size_t inputs = f->net.inputs[l];
  double sum = (double) b[unit];

  for (size_t k = 0; k < inputs; k++)
    sum += (double) w[unit * inputs + k] * read_one (f, l, e, place, k);
  return sum;
}

static double
sum_of (const Fixture *f, unsigned l, size_t e, size_t place, size_t unit)
{
  return sum_with (f, sl_net_weight (&f->net, l), sl_net_bias (&f->net, l), l, e, place, unit);
}

static double
activation_of (const Fixture *f, unsigned l, double pre)
{
  switch (f->kind->activation)
    {
    case SL_TANH: return tanh (pre);
    case SL_LEAKY: return pre > 0 ? pre : 0.01 * pre;
    case SL_ELU: return pre > 0 ? pre : expm1 (pre);
    case SL_PRELU:
      return pre > 0 ? pre : (double) f->net.weights[sl_net_slope_at (&f->net, l)] * pre;
    case SL_SWIGLU: return pre / (1 + exp (-pre));
    case SL_RECTIFIER:
    default: return pre > f->kind->cut ? pre : 0;
    }
}

/* One layer from what the one before it gave. */
static double
check_layer (const Fixture *f, unsigned l)
{
  size_t units = sl_net_units (&f->net, l), places = f->net.places[l];
  double macs = 0.0;
  bool   last = l + 1 == f->net.layers, skips = f->kind->skips && !last;

  for (size_t e = 0; e < BATCH; e++)
    for (size_t i = 0; i < places * units; i++)
      {
        size_t at = e * places * units + i;
        double want = sum_of (f, l, e, i / units, i % units);
        bool   on = is_on (f, l, at);

        macs += on || !skips ? (double) f->net.inputs[l] : 0.0;
        macs += sl_net_is_gated (&f->net, l) ? (double) f->net.inputs[l] : 0.0;
        if (!last)
          {
            sl_assert_near ((double) f->tape.pre[l][at], on || !skips ? want : 0.0, eps, 10 * eps);
            want = !on && f->kind->activation != SL_TANH
                     ? 0.0
                     : activation_of (f, l, (double) f->tape.pre[l][at]);
            if (sl_net_is_gated (&f->net, l))
              want *= sum_with (f, sl_net_up_weight (&f->net, l), sl_net_up_bias (&f->net, l), l, e,
                                0, i);
            if (is_dropped (f, l + 1, at))
              want = 0.0;
            else
              want /= 1.0 - f->kind->dropout.hidden;
          }
        sl_assert_near ((double) f->tape.x[l + 1][at], want, eps, 10 * eps);
      }
  return macs;
}

static void
test_forward (gconstpointer data)
{
  const Kind *kind = data;
  Fixture     f;
  double      macs = 0.0, all = 0.0;

  fixture_init (&f, kind);
  forward (&f);
  for (unsigned l = 0; l < f.net.layers; l++)
    {
      macs += check_layer (&f, l);
      all += (double) (f.net.places[l] * f.net.inputs[l] * sl_net_units (&f.net, l))
             * (sl_net_is_gated (&f.net, l) ? 2 : 1);
    }
  g_assert_cmpuint (f.asked, ==, kind->mode == SL_ESTIMATE_OFF ? 0 : kind->layers - 1);
  g_assert_cmpfloat (f.tape.macs[0], ==, macs);
  g_assert_cmpfloat (sl_net_macs (&f.net), ==, all);
  if (!kind->skips)
    {
      g_assert_cmpfloat (macs, ==, BATCH * all);
      sl_net_backward (&f.net, &f.tape, BATCH, &kind->dropout, NULL, 1);
      g_assert_cmpfloat (f.tape.macs[1], ==, BATCH * sl_net_backward_macs (&f.net));
    }
  fixture_clear (&f);
}

#ifdef SL_DOUBLE
static double
loss_of (Fixture *f)
{
  forward (f);
  return sl_net_loss (&f->net, &f->tape, BATCH, f->label, false, NULL)
         + sl_net_penalty (&f->net, &f->tape, BATCH, &f->kind->dropout);
}

static void
test_gradient (gconstpointer data)
{
  const double        step = 1e-6;
  Fixture             f;
  g_autofree sl_real *gradient = NULL;

  fixture_init (&f, data);
  forward (&f);
  (void) sl_net_loss (&f.net, &f.tape, BATCH, f.label, true, NULL);
  sl_net_backward (&f.net, &f.tape, BATCH, &f.kind->dropout, NULL, 1);
  gradient = g_memdup2 (f.net.gradient, f.net.n * sizeof *gradient);
  for (size_t i = 0; i < f.net.n; i++)
    {
      double kept = f.net.weights[i], above, below;

      f.net.weights[i] = kept + step;
      above = loss_of (&f);
      f.net.weights[i] = kept - step;
      below = loss_of (&f);
      f.net.weights[i] = kept;
      sl_assert_near (gradient[i], (above - below) / (2 * step), 1e-6, 1e-8);
    }
  fixture_clear (&f);
}
#endif

/* Layers that are updated on the way back get what they would get afterwards. */
static void
test_update (gconstpointer data)
{
  SlOptimSetting setting = sl_optim_default ();
  Fixture        f, other;

  fixture_init (&f, data);
  fixture_init (&other, data);
  for (uint64_t t = 1; t <= 2; t++)
    {
      for (int i = 0; i < 2; i++)
        {
          Fixture *g = i == 0 ? &f : &other;

          forward (g);
          (void) sl_net_loss (&g->net, &g->tape, BATCH, g->label, true, NULL);
        }
      sl_net_backward (&f.net, &f.tape, BATCH, &f.kind->dropout, &setting, t);
      sl_net_backward (&other.net, &other.tape, BATCH, &f.kind->dropout, NULL, t);
      sl_optim_step (&setting, t, other.net.n, other.net.gradient, other.net.weights, other.net.m,
                     other.net.v);
    }
  g_assert_cmpmem (f.net.weights, f.net.n * sizeof (sl_real), other.net.weights,
                   f.net.n * sizeof (sl_real));
  g_assert_cmpmem (f.net.m, f.net.n * sizeof (sl_real), other.net.m, f.net.n * sizeof (sl_real));
  g_assert_cmpmem (f.net.v, f.net.n * sizeof (sl_real), other.net.v, f.net.n * sizeof (sl_real));
  fixture_clear (&f);
  fixture_clear (&other);
}

/* What is held stays gated as it was, and nobody is asked; a kernel that does not fit is refused. */
static void
test_held (void)
{
  Fixture    f;
  SlEstimate held = { .mode = SL_ESTIMATE_HELD };
  sl_real    out[BATCH * 3];
  SlNet      net;

  fixture_init (&f, &kinds[4]);
  forward (&f);
  memcpy (out, f.tape.x[3], sizeof out);
  f.asked = 0;
  sl_net_forward (&f.net, &f.tape, BATCH, &f.kind->dropout, &held);
  g_assert_cmpuint (f.asked, ==, 0);
  g_assert_cmpmem (out, sizeof out, f.tape.x[3], sizeof out);
  fixture_clear (&f);
  g_assert_false (sl_net_shape_convolutions (&net, SL_RECTIFIER, (size_t[]) { 25, 3, 3, 2 }, 3,
                                             &(SlPatches) { 1, 5, 5, 3, 2 }, 2));
}

/* What gates are told, as the bias of their layer gets it. */
typedef struct
{
  const Fixture *f;
  sl_real        db[4][WIDEST];
} Told;

static void
take_credit (void *data, SlTape *tape, unsigned layer, size_t batch, const sl_real *slope)
{
  Told        *told = data;
  const SlNet *net = &told->f->net;
  size_t       units = sl_net_units (net, layer);

  for (size_t i = 0; i < batch * net->width[layer + 1]; i++)
    if (tape->est[layer][i] > 0 && tape->pre[layer][i] > 0)
      told->db[layer][i % units] += slope[i];
}

/* Gates that learn are told the slope of what their layer gives, dropout and penalties included. */
static void
test_credit (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      Fixture    f;
      Told       told = { .f = &f };
      SlEstimate held = { .mode = SL_ESTIMATE_HELD, .credit = take_credit, .data = &told };

      if (kinds[k].activation != SL_RECTIFIER || kinds[k].mode != SL_ESTIMATE_GATE
          || kinds[k].cut > 0)
        continue;
      fixture_init (&f, &kinds[k]);
      forward (&f);
      sl_net_forward (&f.net, &f.tape, BATCH, &kinds[k].dropout, &held);
      (void) sl_net_loss (&f.net, &f.tape, BATCH, f.label, true, NULL);
      sl_net_backward (&f.net, &f.tape, BATCH, &kinds[k].dropout, NULL, 1);
      for (unsigned l = 0; l + 1 < f.net.layers; l++)
        for (size_t i = 0; i < sl_net_units (&f.net, l); i++)
          sl_assert_near ((double) told.db[l][i],
                          (double) f.net.gradient[f.net.at[l] + sl_net_in_layer (&f.net, l) + i],
                          eps, 10 * eps);
      fixture_clear (&f);
    }
}

/* Weights decay, the slopes of parametric rectifiers do not. */
static void
test_decay (void)
{
  static const Kind kind = { { 5, 7, 4, 3 }, .layers = 3, .activation = SL_PRELU };
  SlOptimSetting    setting = { .kind = SL_SGD, .rate = 1, .decay = (sl_real) 0.5 };
  Fixture           f;
  sl_real           weight, slope;

  fixture_init (&f, &kind);
  memset (f.tape.x[0], 0, BATCH * 5 * sizeof (sl_real));
  g_assert_cmpfloat (f.net.weights[sl_net_slope_at (&f.net, 1)], ==, (sl_real) 0.25);
  forward (&f);
  (void) sl_net_loss (&f.net, &f.tape, BATCH, f.label, true, NULL);
  weight = sl_net_weight (&f.net, 0)[0];
  slope = f.net.weights[sl_net_slope_at (&f.net, 1)];
  sl_net_backward (&f.net, &f.tape, BATCH, &kind.dropout, &setting, 1);
  sl_assert_near ((double) sl_net_weight (&f.net, 0)[0], (double) weight / 2, eps, 0);
  sl_assert_near ((double) f.net.weights[sl_net_slope_at (&f.net, 1)],
                  (double) (slope - f.net.gradient[sl_net_slope_at (&f.net, 1)]), eps, eps);
  fixture_clear (&f);
}

/* ---- Stacks ---- */

static double
stack_loss (const SlStack *stack, const sl_real *w, SlStackTape *tape, const sl_real *x,
            const sl_real *slope, sl_real *y)
{
  double sum = 0.0;

  sl_stack_forward (stack, w, tape, BATCH, x, y);
  for (size_t i = 0; i < BATCH * stack->width[stack->layers]; i++)
    sum += (double) y[i] * (double) slope[i];
  return sum;
}

/* One example, layer after layer. */
static void
check_example (const SlStack *stack, const sl_real *w, const sl_real *x, const sl_real *y)
{
  double here[WIDEST], next[WIDEST];

  for (size_t k = 0; k < stack->width[0]; k++)
    here[k] = (double) x[k];
  for (unsigned l = 0; l < stack->layers; l++)
    {
      size_t         inputs = stack->width[l], units = stack->width[l + 1];
      const sl_real *weight = w + stack->at[l];

      for (size_t i = 0; i < units; i++)
        {
          next[i] = (double) weight[inputs * units + i];
          for (size_t k = 0; k < inputs; k++)
            next[i] += (double) weight[i * inputs + k] * here[k];
          if (l + 1 < stack->layers)
            next[i] = fmax (next[i], 0.0);
        }
      memcpy (here, next, sizeof here);
    }
  for (size_t i = 0; i < stack->width[stack->layers]; i++)
    sl_assert_near ((double) y[i], here[i], eps, 20 * eps);
}

/* Each number of `at` moved changes the loss by its gradient. */
static void
check_slopes (const SlStack *stack, const sl_real *w, SlStackTape *tape, const sl_real *x,
              const sl_real *slope, sl_real *y, size_t n, sl_real *at, const sl_real *gradient)
{
#ifdef SL_DOUBLE
  const double step = 1e-6;

  for (size_t i = 0; i < n; i++)
    {
      double kept = at[i], above, below;

      at[i] = kept + step;
      above = stack_loss (stack, w, tape, x, slope, y);
      at[i] = kept - step;
      below = stack_loss (stack, w, tape, x, slope, y);
      at[i] = kept;
      sl_assert_near (gradient[i], (above - below) / (2 * step), 1e-6, 1e-7);
    }
#endif
}

static void
check_stack (const SlStack *stack)
{
  SlStackTape tape;
  SlArena     arena = { 0 };
  SlRng       rng;
  size_t      inputs = stack->width[0], outputs = stack->width[stack->layers];
  sl_real    *w = NULL, *dw = NULL, *x = NULL, *dx = NULL, *y = NULL, *slope = NULL;
  SlStatus    status;

  for (int pass = 0; pass < 2; pass++)
    {
      w = sl_arena_reals (&arena, stack->n);
      dw = sl_arena_reals (&arena, stack->n);
      x = sl_arena_reals (&arena, BATCH * inputs);
      dx = sl_arena_reals (&arena, BATCH * inputs);
      y = sl_arena_reals (&arena, BATCH * outputs);
      slope = sl_arena_reals (&arena, BATCH * outputs);
      sl_stack_tape_carve (&tape, stack, BATCH, true, &arena);
      if (pass == 0)
        {
          status = sl_arena_init (&arena, arena.used);
          g_assert_true (sl_ok (&status));
        }
    }
  sl_rng_init (&rng, 2, "stack");
  sl_stack_init (stack, &rng, w);
  for (unsigned l = 0; l < stack->layers; l++)
    {
      sl_real *bias = w + stack->at[l] + stack->width[l] * stack->width[l + 1];

      for (size_t i = 0; i < stack->width[l + 1]; i++)
        g_assert_cmpfloat (bias[i], ==, 0);
      fill (&rng, stack->width[l + 1], bias);
    }
  fill (&rng, BATCH * inputs, x);
  fill (&rng, BATCH * outputs, slope);
  (void) stack_loss (stack, w, &tape, x, slope, y);
  for (size_t e = 0; e < BATCH; e++)
    check_example (stack, w, x + e * inputs, y + e * outputs);
  sl_stack_backward (stack, w, &tape, BATCH, x, slope, dw, dx);
  check_slopes (stack, w, &tape, x, slope, y, stack->n, w, dw);
  check_slopes (stack, w, &tape, x, slope, y, BATCH * inputs, x, dx);
  sl_arena_clear (&arena);
}

static void
test_stack (void)
{
  SlStack stack;

  sl_stack_wide (&stack, 6, 4, 3, 5);
  g_assert_cmpuint (stack.width[1], ==, 15);
  g_assert_cmpfloat (sl_stack_macs (&stack), ==, 15 * 10);
  g_assert_cmpuint (stack.n, ==, 15 * 7 + 4 * 16);
  check_stack (&stack);
  sl_stack_deep (&stack, 6, 4, 3, 5);
  g_assert_cmpuint (stack.layers, ==, 4);
  check_stack (&stack);
  sl_stack_deep (&stack, 512, 512, 4, 1024);
  g_assert_cmpuint (stack.layers, ==, 5);
  g_assert_cmpuint (stack.width[1], ==, 1024);
  for (unsigned hidden = 1; hidden <= SL_STACK_HIDDEN; hidden++)
    {
      size_t u;

      sl_stack_within (&stack, 7, 3, hidden, 400);
      u = stack.width[1];
      g_assert_cmpuint (stack.layers, ==, hidden + 1);
      g_assert_cmpfloat (sl_stack_macs (&stack), ==, (double) (u * 10 + (hidden - 1) * u * u));
      g_assert_cmpuint (u * 10 + (hidden - 1) * u * u, <=, 400);
      g_assert_cmpuint ((u + 1) * 10 + (hidden - 1) * (u + 1) * (u + 1), >, 400);
      check_stack (&stack);
    }
  sl_stack_within (&stack, 7, 3, 2, 1);
  g_assert_cmpuint (stack.width[1], ==, 1);
}

/* ---- Statistics and activations ---- */

static void
test_norm_given (void)
{
  enum { COLUMNS = 70 };
  SlRng   rng;
  sl_real v[BATCH * COLUMNS], y[BATCH * COLUMNS], mean[COLUMNS], variance[COLUMNS];
  sl_real gamma[COLUMNS], beta[COLUMNS], dgamma[COLUMNS], dbeta[COLUMNS];

  sl_rng_init (&rng, 3, "given");
  fill (&rng, BATCH * COLUMNS, v);
  fill (&rng, COLUMNS, mean);
  fill (&rng, COLUMNS, gamma);
  fill (&rng, COLUMNS, beta);
  for (size_t j = 0; j < COLUMNS; j++)
    variance[j] = (sl_real) (0.1 + sl_rng_uniform (&rng));
  memcpy (y, v, sizeof y);
  sl_norm_given (BATCH, COLUMNS, (sl_real) 0.01, mean, variance, y);
  for (size_t i = 0; i < BATCH * COLUMNS; i++)
    sl_assert_near ((double) y[i],
                    (double) (v[i] - mean[i % COLUMNS])
                      / sqrt ((double) variance[i % COLUMNS] + 0.01),
                    10 * eps, eps);
  sl_norm_scale (BATCH, COLUMNS, gamma, beta, v, y);
  for (size_t i = 0; i < BATCH * COLUMNS; i++)
    sl_assert_near ((double) y[i],
                    (double) gamma[i % COLUMNS] * (double) v[i] + (double) beta[i % COLUMNS], eps,
                    eps);

  sl_real *dy = y;
  double   want_gamma[COLUMNS], want_beta[COLUMNS];

  for (size_t j = 0; j < COLUMNS; j++)
    {
      want_gamma[j] = dgamma[j] = (sl_real) j;
      want_beta[j] = dbeta[j] = -(sl_real) j;
    }
  fill (&rng, BATCH * COLUMNS, dy);
  for (size_t i = 0; i < BATCH * COLUMNS; i++)
    {
      want_gamma[i % COLUMNS] += (double) dy[i] * (double) v[i];
      want_beta[i % COLUMNS] += (double) dy[i];
    }

  g_autofree sl_real *before = g_memdup2 (dy, sizeof y);

  sl_norm_scale_backward (BATCH, COLUMNS, gamma, v, dy, dgamma, dbeta);
  sl_assert_close (dgamma, want_gamma, COLUMNS, eps, 20 * eps);
  sl_assert_close (dbeta, want_beta, COLUMNS, eps, 20 * eps);
  for (size_t i = 0; i < BATCH * COLUMNS; i++)
    sl_assert_near ((double) dy[i], (double) before[i] * (double) gamma[i % COLUMNS], eps, 0);
}

/* Three batches of two examples each, followed at once, have the statistics of all six. */
static void
test_norm_follow (void)
{
  enum { STEPS = 3, COLUMNS = 2, EACH = 2 };
  static const double numbers[STEPS][EACH][COLUMNS]
    = { { { 1, 10 }, { 3, -10 } }, { { -4, 2 }, { 0, 7 } }, { { 2.5, 1 }, { 6, 1 } } };
  sl_real means[STEPS * COLUMNS], variances[STEPS * COLUMNS];
  sl_real mean[COLUMNS + 1] = { 5, -1, 42 }, variance[COLUMNS + 1] = { 1, 2, 43 };

  for (int t = 0; t < STEPS; t++)
    for (int j = 0; j < COLUMNS; j++)
      {
        double centre = (numbers[t][0][j] + numbers[t][1][j]) / 2;

        means[t * COLUMNS + j] = (sl_real) centre;
        variances[t * COLUMNS + j] = (sl_real) pow (numbers[t][0][j] - centre, 2);
      }
  sl_norm_follow (STEPS, COLUMNS, means, variances, (sl_real) 0.25, mean, variance);
  for (int j = 0; j < COLUMNS; j++)
    {
      double centre = 0.0, spread = 0.0;

      for (int i = 0; i < STEPS * EACH; i++)
        centre += numbers[i / EACH][i % EACH][j] / (STEPS * EACH);
      for (int i = 0; i < STEPS * EACH; i++)
        spread += pow (numbers[i / EACH][i % EACH][j] - centre, 2) / (STEPS * EACH);
      sl_assert_near ((double) mean[j], 0.75 * (j == 0 ? 5 : -1) + 0.25 * centre, 10 * eps, eps);
      sl_assert_near ((double) variance[j], 0.75 * (j + 1) + 0.25 * spread, 10 * eps, eps);
    }
  g_assert_cmpfloat (mean[COLUMNS], ==, 42);
  g_assert_cmpfloat (variance[COLUMNS], ==, 43);
}

static void
test_clipped_tanh (void)
{
  enum { N = 6 };
  const sl_real v[N] = { -2, -0.5, 0, 0.25, 1, 3 }, dz[N] = { 1, 2, 3, 4, 5, 6 };
  sl_real       z[N], dy[N];
  double        sum = 0.0, got;

  sl_clipped_tanh_forward (N, (sl_real) 0.5, v, z);
  got = sl_clipped_tanh_backward (N, z, dz, dy);
  for (int i = 0; i < N; i++)
    {
      double want = (double) v[i] + 0.5 > 0 ? tanh ((double) v[i] + 0.5) : 0;
      double slope = want > 0 ? (double) dz[i] * (1 - want * want) : 0;

      sl_assert_near ((double) z[i], want, eps, 0);
      sl_assert_near ((double) dy[i], slope, 0, 10 * eps);
      sum += slope;
    }
  sl_assert_near (got, sum, 0, 20 * eps);
}

static void
test_leaks (void)
{
  enum { N = 101 };
  SlRng   rng;
  sl_real x[N + 1], est[N], dy[N], y[N + 1];

  sl_rng_init (&rng, 4, "leaks");
  fill (&rng, N, est);
  fill (&rng, N, dy);
  for (int i = 0; i < N; i++)
    x[i] = (sl_real) ((i - 50) / 8.0);
  est[3] = 0;
  for (int way = 0; way < 8; way++)
    {
      const sl_real *gate = way & 1 ? est : NULL;
      bool           back = way & 2, leaky = way & 4;

      y[N] = 42;
      if (leaky && back)
        sl_leaky_backward (N, SL_LEAK, x, gate, dy, y);
      else if (leaky)
        sl_leaky_forward (N, SL_LEAK, x, gate, y);
      else if (back)
        sl_elu_backward (N, x, gate, dy, y);
      else
        sl_elu_forward (N, x, gate, y);
      for (int i = 0; i < N; i++)
        {
          double at = (double) x[i], value = at > 0 ? at : leaky ? 0.01 * at : expm1 (at);
          double slope = at > 0 ? 1 : leaky ? 0.01 : exp (at);
          double want = back ? slope * (double) dy[i] : value;

          sl_assert_near ((double) y[i], gate != NULL && !(est[i] > 0) ? 0 : want, eps, 0);
        }
      g_assert_cmpfloat (y[N], ==, 42);
    }
}

/* Sums and multiples of a vector, and what is behind it. */
static void
test_vectors (void)
{
  SlRng rng;

  sl_rng_init (&rng, 5, "vectors");
  for (size_t n = 0; n < 70; n++)
    {
      sl_real a[71], b[71], sum[71], scaled[71], times[71];
      double  inner = 0.0;

      fill (&rng, n + 1, a);
      fill (&rng, n + 1, b);
      memcpy (sum, b, sizeof sum);
      memcpy (scaled, b, sizeof scaled);
      memcpy (times, b, sizeof times);
      sl_vector_add (n, a, sum);
      sl_vector_add_scaled (n, (sl_real) -1.5, a, scaled);
      sl_vector_scale (n, (sl_real) -1.5, a, times);
      for (size_t i = 0; i < n; i++)
        {
          inner += (double) a[i] * (double) b[i];
          sl_assert_near ((double) sum[i], (double) a[i] + (double) b[i], eps, eps);
          sl_assert_near ((double) scaled[i], (double) b[i] - 1.5 * (double) a[i], eps, eps);
          sl_assert_near ((double) times[i], -1.5 * (double) a[i], eps, 0);
        }
      g_assert_cmpfloat (sum[n], ==, b[n]);
      g_assert_cmpfloat (scaled[n], ==, b[n]);
      g_assert_cmpfloat (times[n], ==, b[n]);
      sl_assert_near (sl_vector_inner (n, a, b), inner, 1e-13, 1e-13);
      sl_assert_near ((double) sl_vector_dot (n, a, b), inner, eps, 30 * eps);
    }
}

/* The class of the largest output and by how much its probability is above the next one's. */
static void
test_decide (void)
{
  static const sl_real rows[][4]
    = { { 1, 2, 3, 0 }, { 3, 2, 1, 0 },  { 0, 4, 1, 3 }, { 1, 0, 3, 3 },
        { 2, 2, 2, 2 }, { -5, 0, 9, 8 }, { 7, 1, 7, 1 } };
  sl_real margin;

  for (size_t r = 0; r < G_N_ELEMENTS (rows); r++)
    for (size_t n = 2; n <= 4; n++)
      {
        size_t best = 0;
        double sum = 0.0, next = 0.0;

        for (size_t c = 0; c < n; c++)
          best = rows[r][c] > rows[r][best] ? c : best;
        for (size_t c = 0; c < n; c++)
          {
            double share = exp ((double) (rows[r][c] - rows[r][best]));

            sum += share;
            if (c != best)
              next = fmax (next, share);
          }
        g_assert_cmpuint (sl_decide (n, rows[r], &margin), ==, best);
        sl_assert_near ((double) margin, (1.0 - next) / sum, 10 * eps, eps);
      }
  for (double z = -2.0; z <= 2.0; z += 0.5)
    {
      g_assert_cmpuint (sl_decide (1, (sl_real[]) { (sl_real) z }, &margin), ==, z > 0);
      sl_assert_near ((double) margin, fabs (2.0 / (1.0 + exp (-z)) - 1.0), 10 * eps, 0);
    }
}

static void
add (const char *name, GTestDataFunc function)
{
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strdup_printf ("/net/%s/%zu", name, i);

      g_test_add_data_func (path, &kinds[i], function);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("forward", test_forward);
  add ("update", test_update);
#ifdef SL_DOUBLE
  add ("gradient", test_gradient);
#endif
  g_test_add_func ("/net/held", test_held);
  g_test_add_func ("/net/credit", test_credit);
  g_test_add_func ("/net/decay", test_decay);
  g_test_add_func ("/net/stack", test_stack);
  g_test_add_func ("/net/norm-given", test_norm_given);
  g_test_add_func ("/net/norm-follow", test_norm_follow);
  g_test_add_func ("/net/clipped-tanh", test_clipped_tanh);
  g_test_add_func ("/net/leaks", test_leaks);
  g_test_add_func ("/net/vectors", test_vectors);
  g_test_add_func ("/net/decide", test_decide);
  return g_test_run ();
}
