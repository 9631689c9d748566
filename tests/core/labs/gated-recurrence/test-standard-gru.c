/* SPDX-License-Identifier: MIT
 *
 * The standard gated recurrent unit, reset gate inside the product, against numbers from another program:
 * states and all gradients.  */
#include <glib.h>
#include <math.h>

#include "core/labs/gated-recurrence/math/gru.h"
#include "tests/support/close.h"
#include "tests/support/golden.h"

#ifdef SL_DOUBLE
static const double near = 1e-12;
#else
static const double near = 4e-6;
#endif

enum { T = 3, B = 4, D = 2, H = 5 };

typedef struct
{
  SlGru       gru;
  SlGruPacked packed;
  SlGruTape   tape;
  SlArena     arena;
  sl_real    *w, *dw;
} Layer;

static JsonObject *golden;

static void
layer_init (Layer *layer)
{
  *layer = (Layer) { 0 };
  sl_gru_shape (&layer->gru, SL_GRU_STANDARD, false, false, D, H, 0);
  for (int pass = 0; pass < 2; pass++)
    {
      layer->w = sl_arena_reals (&layer->arena, layer->gru.n);
      layer->dw = sl_arena_reals (&layer->arena, layer->gru.n);
      sl_gru_pack_carve (&layer->packed, &layer->gru, true, &layer->arena);
      sl_gru_tape_carve (&layer->tape, &layer->gru, B, T, true, &layer->arena);
      if (pass == 0)
        {
          SlStatus status = sl_arena_init (&layer->arena, layer->arena.used);

          g_assert_true (sl_ok (&status));
        }
    }
}

/* The (rows, H) matrix of the file, whose columns are units, into units `ld` apart. */
static void
fill (JsonObject *setup, const char *member, size_t rows, sl_real *w, size_t ld)
{
  g_autoptr (GArray) from = sl_golden_numbers (setup, member);

  g_assert_cmpuint (from->len, ==, rows * H);
  for (size_t i = 0; i < H; i++)
    for (size_t j = 0; j < rows; j++)
      w[i * ld + j] = (sl_real) g_array_index (from, double, j *H + i);
}

static void
expect (JsonObject *grads, const char *member, size_t rows, const sl_real *dw, size_t ld)
{
  g_autoptr (GArray) want = sl_golden_numbers (grads, member);

  g_assert_cmpuint (want->len, ==, rows * H);
  for (size_t i = 0; i < H; i++)
    for (size_t j = 0; j < rows; j++)
      sl_assert_near ((double) dw[i * ld + j], g_array_index (want, double, j *H + i), 0, near);
}

static void
fill_layer (Layer *layer, JsonObject *setup)
{
  const SlGru *gru = &layer->gru;
  sl_real     *w = layer->w;
  g_autoptr (GArray) x = sl_golden_numbers (setup, "X"), first = sl_golden_numbers (setup, "H0");

  fill (setup, "Wr", D, w + gru->at_r, gru->wide);
  fill (setup, "Ur", H, w + gru->at_r + D, gru->wide);
  fill (setup, "Wl", D, w + gru->at_l, gru->wide);
  fill (setup, "Ul", H, w + gru->at_l + D, gru->wide);
  fill (setup, "Wh", D, w + gru->at_a, D);
  fill (setup, "Uh", H, w + gru->at_q, H);
  sl_golden_copy (setup, "br", w + gru->bias_r, H);
  sl_golden_copy (setup, "bl", w + gru->bias_l, H);
  sl_golden_copy (setup, "bh", w + gru->bias_a, H);
  for (size_t row = 0; row < T * B; row++)
    for (size_t j = 0; j < D; j++)
      sl_gru_input (gru, &layer->tape, 0)[row * gru->stride + j]
        = (sl_real) g_array_index (x, double, row *D + j);
  for (size_t e = 0; e < B; e++)
    for (size_t j = 0; j < H; j++)
      sl_gru_state (gru, &layer->tape, 0)[e * gru->stride + j]
        = (sl_real) g_array_index (first, double, e *H + j);
}

static void
test_states (Layer *layer)
{
  static const uint8_t symbol[B];
  const SlGru         *gru = &layer->gru;
  g_autoptr (GArray) want = sl_golden_numbers (golden, "states");

  g_assert_cmpuint (want->len, ==, T * B * H);
  sl_gru_pack (gru, layer->w, &layer->packed);
  for (size_t t = 0; t < T; t++)
    {
      sl_gru_gates (gru, layer->w, &layer->packed, &layer->tape, t, symbol, &(SlGruNorm) { 0 });
      sl_gru_states (gru, layer->w, &layer->packed, &layer->tape, t, symbol);
      for (size_t e = 0; e < B; e++)
        for (size_t j = 0; j < H; j++)
          sl_assert_near ((double) sl_gru_state (gru, &layer->tape, t + 1)[e * gru->stride + j],
                          g_array_index (want, double, (t * B + e) * H + j), 0, near);
    }
}

static void
test_gradients (Layer *layer, JsonObject *setup)
{
  static const uint8_t symbol[T * B];
  const SlGru         *gru = &layer->gru;
  const sl_real       *dw = layer->dw;
  JsonObject          *grads = json_object_get_object_member (golden, "grads");
  sl_real              wanted[T * B * H];

  sl_golden_copy (setup, "wanted", wanted, T * B * H);
  for (size_t i = 0; i < gru->n; i++)
    layer->dw[i] = (sl_real) NAN; /* it is written, not added to */
  sl_gru_backward (gru, layer->w, &layer->packed, &layer->tape, T, symbol, wanted, H, layer->dw);
  expect (grads, "Wr", D, dw + gru->at_r, gru->wide);
  expect (grads, "Ur", H, dw + gru->at_r + D, gru->wide);
  expect (grads, "Wl", D, dw + gru->at_l, gru->wide);
  expect (grads, "Ul", H, dw + gru->at_l + D, gru->wide);
  expect (grads, "Wh", D, dw + gru->at_a, D);
  expect (grads, "Uh", H, dw + gru->at_q, H);
  sl_golden_expect (dw + gru->bias_r, grads, "br", H, 0, near);
  sl_golden_expect (dw + gru->bias_l, grads, "bl", H, 0, near);
  sl_golden_expect (dw + gru->bias_a, grads, "bh", H, 0, near);
  sl_golden_expect (layer->tape.dstate, grads, "H0", B * H, 0, near);
}

static void
test_golden (void)
{
  JsonObject *setup = json_object_get_object_member (golden, "setup");
  Layer       layer;

  layer_init (&layer);
  fill_layer (&layer, setup);
  test_states (&layer);
  test_gradients (&layer, setup);
  sl_arena_clear (&layer.arena);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);

  g_autoptr (JsonNode) root = sl_golden_load (argv[1]);

  golden = json_node_get_object (root);
  g_test_add_func ("/standard-gru/golden", test_golden);
  return g_test_run ();
}
