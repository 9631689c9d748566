/* SPDX-License-Identifier: MIT
 *
 * What sampled bits are drawn from: against loops, and its gradient against central differences, in double.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/prefix-tree/math/gating.h"

enum { BATCH = 4, INPUTS = 5, MOST_HIDDEN = 6, BITS = 3, MOST = 80 };

typedef struct
{
  SlGating gating;
  sl_real  x[BATCH * INPUTS], w[MOST], dv[BATCH * BITS];
  sl_real  deep[BATCH * MOST_HIDDEN], v[BATCH * BITS];
} Fixture;

static void
draw (SlRng *rng, size_t n, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = sl_rng_normal (rng);
}

static void
fixture_init (Fixture *f, size_t hidden)
{
  SlRng rng;

  *f = (Fixture) { .gating = { .inputs = INPUTS, .hidden = hidden, .bits = BITS } };
  g_assert_cmpuint (sl_gating_numbers (&f->gating), <=, MOST);
  sl_rng_init (&rng, 3, "test");
  draw (&rng, BATCH * INPUTS, f->x);
  draw (&rng, sl_gating_numbers (&f->gating), f->w);
  draw (&rng, BATCH * BITS, f->dv);
}

/* Σ dv v, by the function. */
static double
objective (Fixture *f)
{
  double sum = 0;

  sl_gating_forward (&f->gating, BATCH, f->x, f->w, f->deep, f->v);
  for (size_t i = 0; i < BATCH * BITS; i++)
    sum += f->dv[i] * f->v[i];
  return sum;
}

/* One gating value by the formula. */
static double
by_hand (const Fixture *f, size_t e, size_t bit)
{
  size_t         hidden = f->gating.hidden;
  const sl_real *x = f->x + e * INPUTS, *u = f->w + hidden * (INPUTS + 1);
  double         sum = 0;

  for (size_t i = 0; i < (hidden > 0 ? hidden : INPUTS); i++)
    {
      double unit = hidden > 0 ? f->w[hidden * INPUTS + i] : x[i];

      for (size_t d = 0; hidden > 0 && d < INPUTS; d++)
        unit += x[d] * f->w[i * INPUTS + d];
      sum += (hidden > 0 ? fmax (unit, 0) : unit) * u[i * BITS + bit];
    }
  return sum;
}

static void
test_forward (gconstpointer data)
{
  Fixture f;

  fixture_init (&f, GPOINTER_TO_SIZE (data));
  objective (&f);
  for (size_t e = 0; e < BATCH; e++)
    for (size_t bit = 0; bit < BITS; bit++)
      g_assert_true (fabs (f.v[e * BITS + bit] - by_hand (&f, e, bit)) < 1e-12);
}

/* The slope of the objective along each of the n numbers. */
static void
check_slopes (Fixture *f, size_t n, sl_real *numbers, const sl_real *slope)
{
  const double step = 1e-6;

  for (size_t i = 0; i < n; i++)
    {
      double was = numbers[i], above, below;

      numbers[i] = was + step;
      above = objective (f);
      numbers[i] = was - step;
      below = objective (f);
      numbers[i] = was;
      g_assert_true (fabs ((above - below) / (2 * step) - slope[i]) < 1e-7);
    }
}

static void
test_backward (gconstpointer data)
{
  Fixture f;
  sl_real dw[MOST], alone[MOST], dx[BATCH * INPUTS], ddeep[BATCH * MOST_HIDDEN];

  fixture_init (&f, GPOINTER_TO_SIZE (data));
  objective (&f);
  for (size_t i = 0; i < BATCH * INPUTS; i++)
    dx[i] = 2;
  sl_gating_backward (&f.gating, BATCH, f.x, f.w, f.deep, f.dv, ddeep, dw, dx);
  for (size_t i = 0; i < BATCH * INPUTS; i++)
    dx[i] -= 2; /* it adds */
  memcpy (alone, dw, sizeof dw);
  sl_gating_backward (&f.gating, BATCH, f.x, f.w, f.deep, f.dv, ddeep, dw, NULL);
  g_assert_cmpmem (alone, sl_gating_numbers (&f.gating) * sizeof *dw, dw,
                   sl_gating_numbers (&f.gating) * sizeof *dw);
  check_slopes (&f, sl_gating_numbers (&f.gating), f.w, dw);
  check_slopes (&f, BATCH * INPUTS, f.x, dx);
}

static void
test_macs (void)
{
  const SlGating matrix = { 10, 0, 4 }, network = { 10, 6, 4 };

  g_assert_true (sl_gating_macs (&matrix) == 40);
  g_assert_true (sl_gating_macs (&network) == 84);
  g_assert_cmpuint (sl_gating_numbers (&network), ==, 90);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/gating/forward/matrix", GSIZE_TO_POINTER (0), test_forward);
  g_test_add_data_func ("/gating/forward/network", GSIZE_TO_POINTER (MOST_HIDDEN), test_forward);
  g_test_add_data_func ("/gating/backward/matrix", GSIZE_TO_POINTER (0), test_backward);
  g_test_add_data_func ("/gating/backward/network", GSIZE_TO_POINTER (MOST_HIDDEN), test_backward);
  g_test_add_func ("/gating/macs", test_macs);
  return g_test_run ();
}
