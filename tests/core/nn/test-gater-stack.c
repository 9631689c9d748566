/* SPDX-License-Identifier: MIT
 *
 * Two gated layers on top of each other: what the upper one gives to the lower, against differences and against
 * all states of a few gates; updates; the units that are on against all of them.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/nn/gater/gater.h"
#include "core/nn/gater/noise.h"
#include "tests/support/close.h"

enum { B = 5, D = 4, M = 3, N = 6, C = 3, LAYERS = 2, FEW = 2 /* gates of a layer */ };

typedef struct
{
  SlGater     gater[LAYERS]; /* the lower one first */
  SlGaterTape tape[LAYERS];
  SlArena     arena;
  sl_real     dx[B * D]; /* of the lowest layer */
  uint8_t     label[B];
} Stack;

static void
stack_init (Stack *stack, SlGaterKind kind, size_t units)
{
  SlRng rng;

  memset (stack, 0, sizeof *stack);
  sl_rng_init (&rng, 3, "stack");
  sl_gater_shape (&stack->gater[0], D, M, units, 0);
  sl_gater_shape (&stack->gater[1], units, M, units, C);
  for (int pass = 0; pass < 2; pass++)
    {
      stack->arena.used = 0;
      for (int l = 0; l < LAYERS; l++)
        {
          sl_gater_carve (&stack->gater[l], &stack->arena, &stack->arena);
          sl_gater_tape_carve (&stack->tape[l], &stack->gater[l], B,
                               l > 0 ? &stack->tape[l - 1] : NULL, &stack->arena);
        }
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&stack->arena, stack->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
  stack->tape[0].dx = stack->dx;
  for (int l = 0; l < LAYERS; l++)
    {
      sl_gater_init (&stack->gater[l], kind, &rng);
      for (size_t i = 0; i < stack->gater[l].n; i++)
        stack->gater[l].weights[i] += (sl_real) (0.2 * sl_rng_normal (&rng));
      sl_gater_draw_uniform (&rng, B * units, stack->tape[l].uniform);
    }
  for (size_t i = 0; i < B * D; i++)
    stack->tape[0].x[i] = (sl_real) sl_rng_normal (&rng);
  for (size_t e = 0; e < B; e++)
    stack->label[e] = (uint8_t) sl_rng_below (&rng, C);
}

/* Mean loss of `batch` examples, with the decisions on the tapes or with new ones. */
static double
run (Stack *stack, const SlGaterUnit *unit, size_t batch, bool frozen)
{
  size_t errors;

  for (int l = 0; l < LAYERS; l++)
    sl_gater_forward (&stack->gater[l], unit, &stack->tape[l], batch, false, frozen);
  return sl_gater_loss (&stack->gater[1], &stack->tape[1], batch, stack->label, &errors);
}

static void
go_back (Stack *stack, const SlGaterUnit *unit, size_t batch, const SlGaterLearning *learning)
{
  const sl_real none[N] = { 0 };
  SlGaterSignal signal = { .loss = stack->tape[1].loss, .baseline = none };

  for (int l = LAYERS; l-- > 0;)
    sl_gater_backward (&stack->gater[l], unit, &stack->tape[l], batch, &signal, learning);
}

static const SlGaterKind smooth[]
  = { SL_GATER_RECTIFIER, SL_GATER_NOISY, SL_GATER_STS, SL_GATER_SIGMOID };

#ifdef SL_DOUBLE
static double
difference (Stack *stack, const SlGaterUnit *unit, sl_real *at)
{
  const double step = 1e-6, kept = *at;
  double       above, below;

  *at = kept + step;
  above = run (stack, unit, B, true);
  *at = kept - step;
  below = run (stack, unit, B, true);
  *at = kept;
  return (above - below) / (2 * step);
}

/* Gates that are smooth once they are decided: weights of both layers, and the input of the lower one. */
static void
test_differences (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (smooth); k++)
    {
      SlGaterUnit unit = { .kind = smooth[k] };
      double      sum = 0;
      Stack       stack;

      stack_init (&stack, unit.kind, N);
      run (&stack, &unit, B, false);
      go_back (&stack, &unit, B, NULL);
      for (int l = 0; l < LAYERS; l++)
        for (size_t i = 0; i < stack.gater[l].n; i++)
          sl_assert_near (stack.gater[l].gradient[i],
                          difference (&stack, &unit, &stack.gater[l].weights[i]), 1e-6, 1e-8);
      for (size_t i = 0; i < B * D; i++)
        {
          sl_assert_near (stack.dx[i], difference (&stack, &unit, &stack.tape[0].x[i]), 1e-6, 1e-8);
          sum += fabs (stack.dx[i]);
        }
      g_assert_cmpfloat (sum, >, 1e-3);
      sl_arena_clear (&stack.arena);
    }
}

/* Expected loss of one example over all decisions of both layers and, unless NULL, the mean of what the estimator
 * says of the weights of a layer.  */
static double
enumerate (Stack *stack, int layer, double *mean)
{
  const SlGaterUnit unit = { .kind = SL_GATER_SBN };
  double            expected = 0;

  for (unsigned state = 0; state < 1U << LAYERS * FEW; state++)
    {
      double loss, chance = 1;

      for (int i = 0; i < LAYERS * FEW; i++)
        stack->tape[i / FEW].on[i % FEW] = state >> i & 1;
      loss = run (stack, &unit, 1, true);
      for (int i = 0; i < LAYERS * FEW; i++)
        {
          double p = stack->tape[i / FEW].p[i % FEW];

          chance *= state >> i & 1 ? p : 1 - p;
        }
      expected += chance * loss;
      if (mean == NULL)
        continue;
      go_back (stack, &unit, 1, NULL);
      for (size_t i = 0; i < stack->gater[layer].n; i++)
        mean[i] += chance * stack->gater[layer].gradient[i];
    }
  return expected;
}

/* Binary neurons in both layers: on average the estimate is the gradient of the expected loss, in the lower layer
 * too, which has its part of it from what the upper layer's decisions depend on.  */
static void
test_unbiased (void)
{
  Stack stack;

  stack_init (&stack, SL_GATER_SBN, FEW);
  for (int l = 0; l < LAYERS; l++)
    {
      double mean[200] = { 0 };

      g_assert_cmpuint (stack.gater[l].n, <=, G_N_ELEMENTS (mean));
      enumerate (&stack, l, mean);
      for (size_t i = 0; i < stack.gater[l].n; i++)
        {
          sl_real *w = &stack.gater[l].weights[i], kept = *w;
          double   above, below;

          *w = kept + 1e-6;
          above = enumerate (&stack, l, NULL);
          *w = kept - 1e-6;
          below = enumerate (&stack, l, NULL);
          *w = kept;
          sl_assert_near (mean[i], (above - below) / 2e-6, 1e-6, 1e-8);
        }
    }
  sl_arena_clear (&stack.arena);
}
#endif

/* Going down while the gradient is made is the same as making it and going down. */
static void
test_updates (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (smooth); k++)
    {
      const SlGaterLearning learning = { .rate = 0.2F, .factor = 0.5F };
      SlGaterUnit           unit = { .kind = smooth[k] };
      Stack                 direct, apart;

      stack_init (&direct, unit.kind, N);
      stack_init (&apart, unit.kind, N);
      run (&direct, &unit, B, false);
      go_back (&direct, &unit, B, &learning);
      run (&apart, &unit, B, false);
      go_back (&apart, &unit, B, NULL);
      for (int l = 0; l < LAYERS; l++)
        for (size_t i = 0; i < apart.gater[l].n; i++)
          {
            const SlGater *g = &apart.gater[l];
            sl_real rate = learning.rate * (i < g->at[SL_GATER_EXPERTS] ? learning.factor : 1);

            sl_assert_near ((double) direct.gater[l].weights[i],
                            (double) (g->weights[i] - rate * g->gradient[i]), 1e-5, 1e-6);
          }
      sl_arena_clear (&direct.arena);
      sl_arena_clear (&apart.arena);
    }
}

/* The units that are on give what all of them give, and others are not computed. */
static void
test_open (void)
{
  for (size_t k = 0; k < G_N_ELEMENTS (smooth); k++)
    {
      SlGaterUnit  unit = { .kind = smooth[k] };
      Stack        stack;
      SlGaterTape *low = &stack.tape[0];
      sl_real      g[B * N], o[B * C];

      stack_init (&stack, unit.kind, N);
      run (&stack, &unit, B, false);
      memcpy (g, low->g, sizeof g);
      memcpy (o, stack.tape[1].o, sizeof o);
      for (size_t n = 1; n <= B; n += B - 1)
        {
          memset (low->g, 0xff, sizeof g);
          for (int l = 0; l < LAYERS; l++)
            {
              sl_gater_decide (&stack.gater[l], &unit, &stack.tape[l], n, false, false);
              sl_gater_run (&stack.gater[l], &unit, &stack.tape[l], n);
            }
          for (size_t i = 0; i < n * N; i++)
            {
              sl_assert_near ((double) low->g[i], (double) g[i], 1e-5, 1e-6);
              if (unit.kind != SL_GATER_SIGMOID)
                g_assert_true (low->h[i] != 0 || low->e[i] == 0);
            }
          for (size_t i = 0; i < n * C; i++)
            sl_assert_near ((double) stack.tape[1].o[i], (double) o[i], 1e-5, 1e-5);
        }
      sl_arena_clear (&stack.arena);
    }
}

/* A single example with more units than are listed at a time. */
static void
test_many (void)
{
  enum { MANY = 2051 };
  const SlGaterUnit   unit = { .kind = SL_GATER_RECTIFIER };
  Stack               stack;
  SlGaterTape        *low = &stack.tape[0];
  g_autofree sl_real *g = NULL;

  stack_init (&stack, unit.kind, MANY);
  run (&stack, &unit, 1, false);
  g = g_memdup2 (low->g, MANY * sizeof *g);
  g_assert_true (g[MANY - 1] != 0 || g[MANY - 2] != 0 || g[MANY - 3] != 0);
  memset (low->g, 0xff, MANY * sizeof *g);
  sl_gater_run (&stack.gater[0], &unit, low, 1);
  for (size_t i = 0; i < MANY; i++)
    sl_assert_near ((double) low->g[i], (double) g[i], 1e-5, 1e-5);
  sl_arena_clear (&stack.arena);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#ifdef SL_DOUBLE
  g_test_add_func ("/gater-stack/differences", test_differences);
  g_test_add_func ("/gater-stack/unbiased", test_unbiased);
#endif
  g_test_add_func ("/gater-stack/updates", test_updates);
  g_test_add_func ("/gater-stack/open", test_open);
  g_test_add_func ("/gater-stack/many", test_many);
  return g_test_run ();
}
