/* SPDX-License-Identifier: MIT
 *
 * Gates that the task trains: how often they are on, and their gradient against central differences of what it is the
 * gradient of, with the draws held.  In double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/sign-estimator/math/task.h"
#include "tests/support/close.h"

enum { B = 7, D = 5, H = 6, R = 3 };

/* A layer's product with all it meets. */
typedef struct
{
  SlArena    arena;
  SlLearned  product;
  SlTaskRoom room;
  sl_real    x[B * D], slope[B * H], value[B * H];
} Layer;

static void
fill (SlRng *rng, size_t n, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) sl_rng_normal (rng);
}

static void
carve (Layer *y)
{
  sl_learned_init (&y->product, H, D, R, &y->arena, &y->arena);
  y->room.value = sl_arena_reals (&y->arena, B * H);
  y->room.chance = sl_arena_reals (&y->arena, B * H);
  y->room.mean = sl_arena_reals (&y->arena, H);
  y->room.pull = sl_arena_reals (&y->arena, H);
  y->room.low = sl_arena_reals (&y->arena, B * R);
}

static void
open_layer (Layer *y, size_t rank, bool rectifies)
{
  SlRng    rng;
  SlStatus status;

  memset (y, 0, sizeof *y);
  carve (y);
  status = sl_arena_init (&y->arena, y->arena.used);
  g_assert_true (sl_ok (&status));
  carve (y);
  y->product.inputs = D;
  y->product.rank = rank;
  y->product.rectifies = rectifies;
  sl_rng_init (&rng, 5, "task");
  fill (&rng, sl_learned_numbers (&y->product), y->product.weights);
  fill (&rng, B * D, y->x);
  fill (&rng, B * H, y->slope);
  fill (&rng, B * H, y->value);
}

/* Straight through the draw, y = (S + q) ⊙ φ (pre) but for a constant, under this slope; and KL (target ‖ mean). */
static double
loss_of (Layer *y, const SlTaskPrice *price)
{
  double  loss = 0.0;
  sl_real q[B * H];

  sl_learned_scores (&y->product, B, y->x, y->room.low, q);
  for (size_t i = 0; i < B * H; i++)
    loss += y->slope[i] * y->value[i] * q[i];
  for (size_t i = 0; i < H; i++)
    {
      double mean = 0.0;

      for (size_t e = 0; e < B; e++)
        mean += 1 / (1 + exp (-q[e * H + i])) / B;
      loss += price->weight / H
              * (price->target * log (price->target / mean)
                 + (1 - price->target) * log ((1 - price->target) / (1 - mean)));
    }
  return loss;
}

static void
check_gradient (size_t rank, bool rectifies, double weight)
{
  const double step = 1e-6;
  SlTaskPrice  price = { .weight = weight, .target = 0.2 };
  Layer        y;

  open_layer (&y, rank, rectifies);
  memcpy (y.room.value, y.value, sizeof y.value);
  sl_task_credit (&y.product, B, y.x, y.slope, &price, &y.room);
  for (size_t i = 0; i < sl_learned_numbers (&y.product); i++)
    {
      sl_real *w = &y.product.weights[i], kept = *w;
      double   above, below;

      *w = kept + step;
      above = loss_of (&y, &price);
      *w = kept - step;
      below = loss_of (&y, &price);
      *w = kept;
      sl_assert_near (y.product.gradient[i], (above - below) / (2 * step), 1e-6, 1e-8);
    }
  sl_arena_clear (&y.arena);
}

static void
test_gradient (void)
{
  for (int rectifies = 0; rectifies < 2; rectifies++)
    for (int weight = 0; weight < 3; weight += 2)
      check_gradient (R, rectifies, weight);
  check_gradient (0, false, 2);
}

/* The term that is reported is the divergence up to the entropy of its target. */
static void
test_price (void)
{
  SlTaskPrice price = { .weight = 2, .target = 0.2 }, none = { 0 };
  double      entropy = -0.2 * log (0.2) - 0.8 * log (0.8);
  Layer       y;

  open_layer (&y, R, false);
  sl_assert_near (sl_task_credit (&y.product, B, y.x, y.slope, &price, &y.room),
                  loss_of (&y, &price) - loss_of (&y, &(SlTaskPrice) { .target = 0.2 })
                    + price.weight * entropy,
                  0, 1e-10);
  g_assert_cmpfloat (sl_task_credit (&y.product, B, y.x, y.slope, &none, &y.room), ==, 0.0);
  sl_arena_clear (&y.arena);
}

/* On as often as the score says, within four standard deviations. */
static void
test_draw (void)
{
  enum { N = 40000 };
  static sl_real q[N];
  SlRng          rng;

  sl_rng_init (&rng, 3, "gates");
  for (int k = -3; k <= 3; k++)
    {
      double p = 1 / (1 + exp (-k)), on = 0;

      for (size_t i = 0; i < N; i++)
        q[i] = k;
      sl_task_draw (N, &rng, q);
      for (size_t i = 0; i < N; i++)
        on += q[i] > 0;
      g_assert_cmpfloat (fabs (on / N - p), <, 4 * sqrt (p * (1 - p) / N));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/task/gradient", test_gradient);
  g_test_add_func ("/task/price", test_price);
  g_test_add_func ("/task/draw", test_draw);
  return g_test_run ();
}
