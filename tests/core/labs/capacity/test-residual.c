/* SPDX-License-Identifier: MIT
 *
 * The residual layer: a network without any randomness whose every number is known, edges and
 * batches against plain loops, and gradients against central differences in double.  */
#include <string.h>

#include "core/base/rng.h"
#include "core/labs/capacity/math/residual.h"
#include "tests/core/labs/capacity/capacity-help.h"

enum { N = 5, C = 2, K = 3, L = 2, WEIGHTS = K * C * C };

#ifdef SL_DOUBLE
static const double RIGHT = 6e-7;
#else
static const double RIGHT = 4e-6;
#endif

static void
ring (int32_t *from)
{
  for (int x = 0; x < N; x++)
    for (int k = 0; k < K; k++)
      from[x * K + k] = (x + k - 1 + N) % N;
}

static SlShatter
activation_of (const char *name)
{
  const char *const names[] = { "linear", "rectifier", "sine", "tanh", NULL };

  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name))
      return (SlShatter) i;
  g_assert_not_reached ();
}

static void
test_golden (void)
{
  JsonArray *cases = json_object_get_array_member (golden, "backward");
  int32_t    from[N * K];

  ring (from);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      JsonObject   *o = json_array_get_object_element (cases, i);
      const sl_real phase[] = { (sl_real) 0.5, (sl_real) 1.5 };
      SlResidual    layer
        = { .activation = activation_of (json_object_get_string_member (o, "activation")),
            .omega = 4,
            .rows = N,
            .channels = C,
            .taps = K,
            .from = from,
            .phase = phase };
      sl_real w[L][WEIGHTS], h[N * C], slope[L][N * C], delta[N * C] = { 0 }, work[N * C * (K + 1)];
      double  power[N];

      g_assert_cmpuint (sl_residual_work (&layer), ==, G_N_ELEMENTS (work));
      for (int l = 0; l < L; l++)
        for (int j = 0; j < WEIGHTS; j++)
          w[l][j] = (sl_real) (cos (1 + l * WEIGHTS + j) / sqrt (2));
      for (int x = 0; x < N; x++)
        for (int c = 0; c < C; c++)
          h[x * C + c] = (sl_real) sin (1 + 2 * x + c);
      for (int l = 0; l < L; l++)
        sl_residual_forward (&layer, w[l], NULL, h, slope[l], NULL, work);
      for (guint c = 0; c < C; c++)
        sl_assert_near ((double) h[2 * C + c], number (o, "h", c), 0, RIGHT);
      delta[2 * C] = 1;
      for (int l = L - 1; l >= 0; l--)
        sl_residual_backward (&layer, w[l], slope[l], NULL, delta, NULL, work);
      sl_residual_power (N, C, delta, power);
      expect (power, o, "G", 3 * RIGHT);
      sl_assert_near (sl_capacity_sum (N, power), sl_golden_number (o, "sum"), 0, 5 * RIGHT);
    }
}

/* Positions without some taps, rows of different norms, an extra input: plain loops. */
static void
test_naive (void)
{
  enum { ROWS = 7, WIDE = 4, TAPS = 2 };
  const int32_t from[ROWS * TAPS] = { 1, -1, 0, 2, -1, -1, 6, 6, 4, 3, 5, 0, -1, 2 };
  sl_real       phase[WIDE], norm[ROWS], w[TAPS * WIDE * WIDE], extra[ROWS * WIDE], h[ROWS * WIDE];
  sl_real       before[ROWS * WIDE], slope[ROWS * WIDE], value[ROWS * WIDE];
  sl_real       work[ROWS * WIDE * (TAPS + 1)];
  SlRng         rng;

  sl_rng_init (&rng, 1, "residual");
  for (int i = 0; i < WIDE; i++)
    phase[i] = (sl_real) (6.28 * sl_rng_uniform (&rng));
  for (int i = 0; i < ROWS; i++)
    norm[i] = (sl_real) (0.5 + sl_rng_uniform (&rng));
  for (int i = 0; i < TAPS * WIDE * WIDE; i++)
    w[i] = (sl_real) sl_rng_normal (&rng);
  for (int i = 0; i < ROWS * WIDE; i++)
    {
      extra[i] = (sl_real) sl_rng_normal (&rng);
      before[i] = h[i] = (sl_real) (3 * sl_rng_normal (&rng));
    }
  for (int a = 0; a < 4; a++)
    {
      SlResidual layer = { .activation = (SlShatter) a,
                           .omega = 9,
                           .rows = ROWS,
                           .channels = WIDE,
                           .taps = TAPS,
                           .from = from,
                           .phase = phase,
                           .norm = norm };

      memcpy (h, before, sizeof h);
      sl_residual_forward (&layer, w, extra, h, slope, value, work);
      for (int r = 0; r < ROWS; r++)
        for (int o = 0; o < WIDE; o++)
          {
            double       sum = (double) before[r * WIDE + o] + (double) extra[r * WIDE + o];
            double       u = (double) before[r * WIDE + o], psi = 9 * u + (double) phase[o];
            const double slopes[] = { 1, u > 0, sqrt (2) * cos (psi), 1 - tanh (u) * tanh (u) };

            sl_assert_near ((double) slope[r * WIDE + o], slopes[a], 0, 20 * RIGHT);
            for (int k = 0; k < TAPS; k++)
              for (int i = 0; i < WIDE && from[r * TAPS + k] >= 0; i++)
                {
                  double       v = (double) before[from[r * TAPS + k] * WIDE + i];
                  const double values[]
                    = { v, fmax (v, 0), sqrt (2) / 9 * sin (9 * v + (double) phase[i]), tanh (v) };

                  sum += values[a] * (double) w[(k * WIDE + i) * WIDE + o];
                }
            sl_assert_near ((double) h[r * WIDE + o], sum * (double) norm[r], 0, 20 * RIGHT);
          }
    }
}

#ifdef SL_DOUBLE
enum { ROWS = 6, WIDE = 3, TAPS = 3, SIZE = ROWS * WIDE };

/* A weighted sum of what two layers make of h. */
static double
objective (const SlResidual *layer, const sl_real *w, const sl_real *start, const sl_real *probe)
{
  sl_real h[SIZE], slope[SIZE], work[SIZE * (TAPS + 1)];
  double  sum = 0;

  memcpy (h, start, sizeof h);
  for (int l = 0; l < 2; l++)
    sl_residual_forward (layer, w + l * TAPS * WIDE * WIDE, NULL, h, slope, NULL, work);
  for (int i = 0; i < SIZE; i++)
    sum += probe[i] * h[i];
  return sum;
}

static void
test_gradient (void)
{
  const int32_t from[ROWS * TAPS] = { 5, 0, 1, 0, 1, 2, -1, 2, 3, 2, 3, -1, 3, 4, 5, 4, 5, 0 };
  enum { ALL = 2 * TAPS * WIDE * WIDE };
  sl_real       w[ALL], dw[ALL], start[SIZE], h[SIZE], probe[SIZE], delta[SIZE], slope[2][SIZE];
  sl_real       value[2][SIZE], work[SIZE * (TAPS + 1)], phase[WIDE] = { 0.1, 2, 4 };
  const sl_real norm[ROWS] = { 1, 0.5, 0.7, 1.2, 0.9, 1 };
  SlRng         rng;

  sl_rng_init (&rng, 2, "residual");
  for (int i = 0; i < ALL; i++)
    w[i] = sl_rng_normal (&rng);
  for (int i = 0; i < SIZE; i++)
    {
      start[i] = sl_rng_normal (&rng);
      probe[i] = sl_rng_normal (&rng);
    }
  for (int a = 0; a < 4; a++)
    {
      SlResidual layer = { .activation = (SlShatter) a,
                           .omega = 3,
                           .rows = ROWS,
                           .channels = WIDE,
                           .taps = TAPS,
                           .from = from,
                           .phase = phase,
                           .norm = norm };
      double     wrong = 0, size = 0;

      memcpy (h, start, sizeof h);
      for (int l = 0; l < 2; l++)
        sl_residual_forward (&layer, w + l * ALL / 2, NULL, h, slope[l], value[l], work);
      memcpy (delta, probe, sizeof delta);
      for (int l = 1; l >= 0; l--)
        sl_residual_backward (&layer, w + l * ALL / 2, slope[l], value[l], delta, dw + l * ALL / 2,
                              work);
      for (int i = 0; i < SIZE + ALL; i++)
        {
          sl_real *x = i < SIZE ? &start[i] : &w[i - SIZE], kept = *x;
          double   got = i < SIZE ? delta[i] : dw[i - SIZE], above, below;

          *x = kept + 1e-6;
          above = objective (&layer, w, start, probe);
          *x = kept - 1e-6;
          below = objective (&layer, w, start, probe);
          *x = kept;
          wrong += pow (got - (above - below) / 2e-6, 2);
          size += got * got;
        }
      g_assert_true (sqrt (wrong / size) < 1e-6);
    }
}
#endif

/* One tap in place is a fully connected layer over many inputs: without a table the same. */
static void
test_in_place (void)
{
  const int32_t from[N] = { 0, 1, 2, 3, 4 };
  sl_real       w[C * C] = { (sl_real) 0.3, -1, 2, (sl_real) 0.7 }, h[2][N * C], slope[2][N * C];
  sl_real       work[N * C * 2], delta[2][N * C];

  for (int way = 0; way < 2; way++)
    {
      SlResidual layer = { .activation = SL_SHATTER_TANH,
                           .rows = N,
                           .channels = C,
                           .taps = 1,
                           .from = way == 0 ? from : NULL };

      for (int i = 0; i < N * C; i++)
        {
          h[way][i] = (sl_real) cos (i);
          delta[way][i] = (sl_real) sin (i);
        }
      sl_residual_forward (&layer, w, NULL, h[way], slope[way], NULL, work);
      sl_residual_backward (&layer, w, slope[way], NULL, delta[way], NULL, work);
    }
  g_assert_cmpmem (h[0], sizeof h[0], h[1], sizeof h[1]);
  g_assert_cmpmem (delta[0], sizeof delta[0], delta[1], sizeof delta[1]);
}

int
main (int argc, char **argv)
{
  JsonNode *root;
  int       code;

  g_test_init (&argc, &argv, NULL);
  root = sl_golden_load (argv[1]);
  golden = json_node_get_object (root);
  g_test_add_func ("/residual/golden", test_golden);
  g_test_add_func ("/residual/naive", test_naive);
#ifdef SL_DOUBLE
  g_test_add_func ("/residual/gradient", test_gradient);
#endif
  g_test_add_func ("/residual/in-place", test_in_place);
  code = g_test_run ();
  json_node_unref (root);
  return code;
}
