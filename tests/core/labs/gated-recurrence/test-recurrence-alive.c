/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `gated-recurrence` against gates, states and costs by plain loops, in random states.  */
#include "core/labs/gated-recurrence/lab.h"
#include "tests/core/labs/alive.h"

enum { STATES = 20, MOST = 48, LETTERS = 40 };

enum { FIELD, BARS, STATE };

/* A layer by plain loops: its state, its gates, and what the state would be with all of them on. */
typedef struct
{
  double h[MOST], z[MOST], full[MOST];
} Layer;

static double
dot (size_t n, const sl_real *w, const double *x)
{
  double sum = 0.0;

  for (size_t i = 0; i < n; i++)
    sum += (double) w[i] * x[i];
  return sum;
}

/* Gates of a layer from [x H] (k). */
static void
find_gates (const SlGruNet *net, unsigned l, const SlGruGates *by, const double *in, size_t symbol,
            double *z)
{
  const SlGru   *gru = &net->gru[l];
  const sl_real *w = net->weights + net->at[l];
  size_t         g = gru->gates;
  double         gate[MOST];

  for (size_t i = 0; i < g; i++)
    {
      gate[i] = (double) w[gru->bias_l + i] + dot (gru->wide, w + gru->at_l + i * gru->wide, in)
                + (gru->one_hot ? (double) w[gru->table_l + symbol * g + i] : 0.0);
      gate[i] = gru->rectify ? fmax (gate[i], 0.0) : gate[i];
    }
  for (size_t c = 0; c < gru->columns; c++)
    {
      double v = gate[c % g];

      if (gru->gating == SL_GRU_UNITS)
        {
          v = 0.0;
          for (size_t i = 0; i < g; i++)
            v += gate[i] * (double) w[gru->at_v + i * gru->units + c];
        }
      v = (v - (double) net->mean[l][c]) / sqrt ((double) net->variance[l][c] + by->epsilon)
          + by->s;
      z[c] = fmax (tanh (v), 0.0);
    }
}

/* One letter in one layer; x is the state of the one below. */
static void
read_one (const SlGruNet *net, unsigned l, const SlGruGates *by, const double *x, size_t symbol,
          Layer *layer)
{
  const SlGru   *gru = &net->gru[l];
  const sl_real *w = net->weights + net->at[l];
  size_t         h = gru->units, k = gru->wide, d = k - h;
  double         in[2 * MOST];

  if (d > 0)
    memcpy (in, x, d * sizeof *in);
  memcpy (in + d, layer->h, h * sizeof *in);
  find_gates (net, l, by, in, symbol, layer->z);
  for (size_t i = 0; i < h; i++)
    {
      double r = (double) w[gru->bias_r + i] + dot (k, w + gru->at_r + i * k, in);
      double a = (double) w[gru->bias_a + i] + (d > 0 ? dot (d, w + gru->at_a + i * d, in) : 0.0);

      r += gru->one_hot ? (double) w[gru->table_r + symbol * h + i] : 0.0;
      a += gru->one_hot ? (double) w[gru->table_a + symbol * h + i] : 0.0;
      layer->full[i] = tanh (a + dot (h, w + gru->at_q + i * h, in + d) / (1.0 + exp (-r)));
    }
  for (size_t i = 0; i < h; i++)
    layer->h[i] += layer->z[i / (h / gru->columns)] * (layer->full[i] - layer->h[i]);
}

/* What is to be seen of a block behind a letter; *lost is what the copy is off by. */
static SlAliveState
state_of (const SlGru *gru, const Layer *layer, size_t block, double *lost)
{
  size_t n = gru->units / gru->columns;
  double norm = 0.0, away = 0.0;

  *lost = 0.0;
  if (layer->z[block] > 0.0)
    return SL_ALIVE_USED;
  for (size_t c = 0; gru->gating == SL_GRU_UNITS && c < gru->columns; c++)
    if (layer->z[c] > 0.0) /* units below 64 are all neighbours */
      return SL_ALIVE_IN_VAIN;
  for (size_t i = 0; i < gru->units; i++)
    norm += layer->h[i] * layer->h[i];
  for (size_t i = block * n; i < (block + 1) * n; i++)
    away += pow (layer->full[i] - layer->h[i], 2.0);
  away = sqrt (away / (double) n);
  *lost = fmin (away / sqrt (norm), 1.0);
  return away > 0.1 * sqrt (norm) ? SL_ALIVE_MISSED : SL_ALIVE_SKIPPED;
}

/* A letter's column of the field. */
static void
check_column (const SlAlive *alive, const SlRecurrenceLab *s, const Layer *layer, size_t column,
              double count[SL_N_ALIVE_STATES])
{
  size_t blocks = s->net.gru[0].columns, rows = s->net.layers * blocks;

  g_assert_cmpuint (alive->group[FIELD].n, ==, rows * LETTERS);
  for (size_t row = 0; row < rows; row++)
    {
      unsigned      l = (unsigned) (row / blocks);
      double        lost;
      SlAliveState  state = state_of (&s->net.gru[l], &layer[l], row % blocks, &lost);
      const double *cell = alive_cell (alive, FIELD, row * LETTERS + column);

      count[state]++;
      g_assert_cmpuint (sl_alive_state (cell), ==, state);
      g_assert_cmpfloat (cell[4], ==, (double) row + 1.0);
      sl_assert_near (sl_alive_value (cell), layer[l].z[row % blocks], 1e-9, 1e-9);
      sl_assert_near (cell[3], state == SL_ALIVE_MISSED ? lost : 0.0, 1e-9, 1e-9);
      if (column == LETTERS - 1)
        g_assert_cmpmem (alive_cell (alive, BARS, row), sizeof (double) * SL_ALIVE_COLUMNS, cell,
                         sizeof (double) * SL_ALIVE_COLUMNS);
    }
}

/* The strip of states: how large each block's is beside the largest. */
static void
check_strip (const SlAlive *alive, const SlRecurrenceLab *s, const Layer *layer)
{
  size_t blocks = s->net.gru[0].columns, n = s->net.gru[0].units / blocks;
  double size[2 * MOST] = { 0 }, most = 0.0;

  g_assert_cmpuint (alive->group[STATE].n, ==, s->net.layers * blocks);
  for (size_t row = 0; row < s->net.layers * blocks; row++)
    {
      for (size_t i = 0; i < n; i++)
        size[row] += pow (layer[row / blocks].h[row % blocks * n + i], 2.0);
      size[row] = sqrt (size[row]);
      most = fmax (most, size[row]);
    }
  for (size_t row = 0; row < s->net.layers * blocks; row++)
    sl_assert_near (sl_alive_value (alive_cell (alive, STATE, row)), size[row] / most, 1e-9, 1e-9);
}

/* With an h² for each of r and q of a unit, and of a layer that reads another two more; its gates cost g k, and for
 * each unit of its own h g.  */
static double
cost_of (const SlRecurrenceLab *s, const double *computed /* (layers) shares */)
{
  double out = (double) (s->net.symbols * s->net.gru[0].units), dense = out, gated = out;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      const SlGru *gru = &s->net.gru[l];
      double       h = (double) gru->units, g = (double) gru->gates, k = l == 0 ? h : 2.0 * h;

      dense += h * (3.0 * k);
      gated += computed[l] * h * (2.0 * k) + g * k + (gru->gating == SL_GRU_UNITS ? g * h : 0.0);
    }
  return 100.0 * gated / dense;
}

static void
check_sentence (const Run *run, const SlRecurrenceLab *s, const SlAlive *alive,
                const double count[SL_N_ALIVE_STATES])
{
  size_t blocks = s->net.gru[0].columns;
  double number[4], share[SL_GRU_LAYERS] = { 0 };

  for (size_t row = 0; row < s->net.layers * blocks; row++)
    share[row / blocks]
      += sl_alive_is_on (alive_cell (alive, BARS, row)) ? 1.0 / (double) blocks : 0.0;
  g_assert_cmpuint (alive_numbers (run, number, 4), ==, 4);
  g_assert_cmpfloat (number[0], ==, count[SL_ALIVE_USED] + count[SL_ALIVE_IN_VAIN]);
  g_assert_cmpfloat (number[1], ==, (double) (s->net.layers * blocks));
  g_assert_cmpfloat (number[2], ==, count[SL_ALIVE_MISSED]);
  sl_assert_near (number[3], cost_of (s, share), 0, 0.5001);
}

/* The letters that are read stand above, and what is right is the one that comes next. */
static void
check_letters (const Run *run, const SlAlive *alive, size_t at)
{
  const uint8_t *text = run->dataset->bytes;

  g_auto (GStrv) name = g_strsplit (run->snapshot.row_names, "\n", -1);

  g_assert_cmpuint (alive->n_points, ==, LETTERS);
  for (size_t i = 0; i < LETTERS; i++)
    {
      const char *title = run->dataset->class_title[text[at + 1 - LETTERS + i]];

      g_assert_cmpint (alive->pixel[i * SL_ALIVE_COLUMNS + 2] > 0.0, ==, i == LETTERS - 1);
      if (*title != ' ')
        g_assert_nonnull (strstr (name[i + 1], title));
    }
  for (unsigned i = 0; i < alive->n_classes; i++)
    g_assert_cmpint (alive->class[i * SL_ALIVE_COLUMNS + 2] > 0.0, ==,
                     alive->class[i * SL_ALIVE_COLUMNS + 4] == text[at + 1]);
}

static void
check_state (Run *run, unsigned example)
{
  SlRecurrenceLab *s = sl_recurrence_lab (sl_trainer_state (run->trainer));
  SlAlive          alive = alive_of (run, example);
  SlGruGates       by = sl_recurrence_given (s);
  size_t           at = sl_dataset_first (run->dataset, SL_VALID) + example;
  Layer            layer[SL_GRU_LAYERS] = { 0 };

  for (size_t i = 0; i < WARM_UP + LETTERS; i++)
    {
      double count[SL_N_ALIVE_STATES] = { 0 };

      for (unsigned l = 0; l < s->net.layers; l++)
        read_one (&s->net, l, &by, l > 0 ? layer[0].h : NULL,
                  run->dataset->bytes[at + 1 + i - LETTERS - WARM_UP], &layer[l]);
      if (i >= WARM_UP)
        check_column (&alive, s, layer, i - WARM_UP, count);
      if (i == WARM_UP + LETTERS - 1)
        check_sentence (run, s, &alive, count);
    }
  check_strip (&alive, s, layer);
  check_letters (run, &alive, at);
}

static void
test_states (void)
{
  for (int i = 0; i < STATES; i++)
    {
      static const char *const gating[] = { "blocks gates=4", "units gates=3", "blocks gates=8" };
      g_autofree char         *words
        = g_strdup_printf ("layers=%d units=%d batch=8 length=6 bottleneck=%s gating=%s", 1 + i % 2,
                           i % 3 == 1 ? 16 : 8 * g_test_rand_int_range (1, 6),
                           i % 5 > 2 ? "identity" : "rectifier", gating[i % 3]);
      Run run;

      assert_ok (lab_run_try (&run, "gated-recurrence", "grammar:length=3000", words));
      run_steps (&run, g_test_rand_int_range (1, 60));
      check_state (&run, (unsigned) g_test_rand_int_range (0, 100));
      run_clear (&run);
    }
}

/* The panel of a whole evaluation is of 32 pieces of 40 letters: the fields of 32 pictures are those pieces. */
static void
test_panels (void)
{
  double on = 0.0;
  Run    run;

  assert_ok (
    lab_run_try (&run, "gated-recurrence", "grammar:length=40000",
                 "units=32 gates=8 batch=8 length=6 evaluate-letters=1280 evaluate-every=10"));
  run_steps (&run, 30);
  for (unsigned e = 0; e < READERS; e++)
    {
      SlAlive alive = alive_of (&run, LETTERS * e + LETTERS - 1);

      for (size_t i = 0; i < (size_t) 8 * LETTERS; i++)
        on += sl_alive_is_on (alive_cell (&alive, FIELD, i));
    }
  sl_assert_near (now (&run, "density.valid.1"), 100.0 * on / (8.0 * LETTERS * READERS), 0, 1e-9);
  run_clear (&run);
}

/* One weight of a gate is set to zero: the gate's cells change. */
static void
test_weight (void)
{
  Run              run;
  SlRecurrenceLab *s;
  SlAlive          alive;
  double           before[LETTERS], most = 0.0;

  assert_ok (lab_run_try (&run, "gated-recurrence", "grammar:length=3000",
                          "units=32 gates=8 batch=8 length=6"));
  run_steps (&run, 20);
  s = sl_recurrence_lab (sl_trainer_state (run.trainer));
  alive = alive_of (&run, 50);
  for (size_t i = 0; i < LETTERS; i++)
    before[i] = sl_alive_value (alive_cell (&alive, FIELD, (size_t) 5 * LETTERS + i));
  s->net.weights[s->net.at[0] + s->net.gru[0].at_l + 5 * s->net.gru[0].wide + 3] = 0;
  alive = alive_of (&run, 50);
  for (size_t i = 0; i < LETTERS; i++)
    most = fmax (most, fabs (sl_alive_value (alive_cell (&alive, FIELD, (size_t) 5 * LETTERS + i))
                             - before[i]));
  g_assert_cmpfloat (most, >, 1e-6);
  run_clear (&run);
}

/* Gates of many units are more than there are rows for: some are shown, all are counted. */
static void
test_many (void)
{
  double  number[4];
  SlAlive alive;
  Run     run;

  assert_ok (lab_run_try (&run, "gated-recurrence", "grammar:length=3000",
                          "units=256 gating=units gates=16 batch=8 length=6 layers=2"));
  run_steps (&run, 3);
  alive = alive_of (&run, 7);
  g_assert_cmpuint (alive.group[BARS].n, ==, 32);
  g_assert_cmpfloat (alive_cell (&alive, BARS, 1)[4], ==, 17.0);
  g_assert_cmpuint (alive_numbers (&run, number, 4), ==, 4);
  g_assert_cmpfloat (number[1], ==, 512.0);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recurrence-alive/states", test_states);
  g_test_add_func ("/recurrence-alive/panels", test_panels);
  g_test_add_func ("/recurrence-alive/weight", test_weight);
  g_test_add_func ("/recurrence-alive/many", test_many);
  return g_test_run ();
}
