/* SPDX-License-Identifier: MIT
 *
 * Convolution, forward and back to its input, by tiles and by the definition, against the bare
 * products of the same shapes on columns that are already there; and how long a style transfer's
 * passes through the first eight layers of VGG-19 take.  The weights are random: time does not
 * depend on them.  */
#include <string.h>

#include "bench/bench.h"
#include "core/base/arena.h"
#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/nn/conv/conv.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/style/features.h"

enum { SIDE = 256, ROUNDS = 7, PASSES = 200, PASS_ROUNDS = 5, VGG_LAYERS = 8 };

/* VGG-19's layers from conv1_1 to conv3_4 for a picture of SIDE pixels; those with a figure of
 * their own have its name.  */
static const struct
{
  const char *name, *figure;
  size_t      inputs, outputs, side;
} layers[VGG_LAYERS] = {
  { "conv1_1", NULL, 3, 64, SIDE },
  { "conv1_2", NULL, 64, 64, SIDE },
  { "conv2_1", "conv.2_1", 64, 128, SIDE / 2 },
  { "conv2_2", "conv.2_2", 128, 128, SIDE / 2 },
  { "conv3_1", "conv.3_1", 128, 256, SIDE / 4 },
  { "conv3_2", "conv.3_2-3_4", 256, 256, SIDE / 4 },
  { "conv3_3", NULL, 256, 256, SIDE / 4 },
  { "conv3_4", NULL, 256, 256, SIDE / 4 },
};

typedef struct
{
  SlConv   conv, direct; /* the same layer by tiles and by the definition */
  SlArena  arena;
  size_t   k, positions; /* rows and columns of the spread-out picture */
  sl_real *x, *w, *y, *columns, *work, *direct_work;
} Layer;

static void
cut (Layer *layer)
{
  const SlConv *conv = &layer->conv;
  unsigned      passes = SL_CONV_FORWARD | SL_CONV_TO_INPUT;

  layer->x = sl_arena_reals (&layer->arena, sl_conv_inputs (conv));
  layer->w = sl_arena_reals (&layer->arena, sl_conv_weights (conv));
  layer->y = sl_arena_reals (&layer->arena, sl_conv_outputs (conv));
  layer->columns = sl_arena_reals (&layer->arena, layer->k * layer->positions);
  layer->work = sl_arena_reals (&layer->arena, sl_conv_work (conv, passes));
  layer->direct_work = sl_arena_reals (&layer->arena, sl_conv_work (&layer->direct, passes));
}

static void
fill (SlRng *rng, size_t n, double size, sl_real *to)
{
  for (size_t i = 0; i < n; i++)
    to[i] = (sl_real) (size * (2 * sl_rng_uniform (rng) - 1));
}

static SlStatus
prepare (Layer *layer, size_t which)
{
  SlRng    rng;
  SlStatus status;

  memset (layer, 0, sizeof *layer);
  layer->conv = (SlConv) {
    layers[which].inputs, layers[which].outputs, layers[which].side, layers[which].side, 3, 3, 1, 1
  };
  layer->direct = layer->conv;
  layer->direct.direct = true;
  layer->k = layers[which].inputs * 9;
  layer->positions = layers[which].side * layers[which].side;
  cut (layer);
  status = sl_arena_init (&layer->arena, layer->arena.used);
  if (!sl_ok (&status))
    return status;
  cut (layer);
  sl_rng_init (&rng, 1, "bench");
  fill (&rng, sl_conv_inputs (&layer->conv), 1, layer->x);
  fill (&rng, sl_conv_weights (&layer->conv), 0.1, layer->w);
  fill (&rng, layer->k * layer->positions, 1, layer->columns);
  return status;
}

static void
convolve (Layer *layer, const SlConv *conv, sl_real *work)
{
  sl_conv_forward (conv, 1, layer->x, layer->w, NULL, true, layer->y, work);
  sl_conv_backward (conv, 1, NULL, layer->w, layer->y, NULL, NULL, layer->x, false, work);
}

/* The multiplications of the definition, and nothing else. */
static void
multiply (Layer *layer)
{
  size_t o = layer->conv.outputs, n = layer->positions;

  sl_mat_mul (SL_PLAIN, SL_PLAIN, o, n, layer->k, 1, layer->w, layer->k, layer->columns, n, 0,
              layer->y, n);
  sl_mat_mul (SL_TRANSPOSED, SL_PLAIN, layer->k, n, o, 1, layer->w, layer->k, layer->y, n, 0,
              layer->columns, n);
}

/* How many times as fast as the bare products, by tiles and by the definition. */
typedef struct
{
  double tiles, direct;
} Speed;

/* All sides keep their numbers small: what one pass writes the next one reads. */
static Speed
speed_of (Layer *layer, double (*clock) (void))
{
  double tiles[ROUNDS], direct[ROUNDS];

  for (int round = 0; round < ROUNDS; round++)
    {
      SlRng  rng;
      double begin[4];

      sl_rng_init (&rng, (uint64_t) round, "bench");
      fill (&rng, sl_conv_inputs (&layer->conv), 1, layer->x);
      fill (&rng, layer->k * layer->positions, 1, layer->columns);
      begin[0] = clock ();
      convolve (layer, &layer->conv, layer->work);
      begin[1] = clock ();
      convolve (layer, &layer->direct, layer->direct_work);
      begin[2] = clock ();
      multiply (layer);
      begin[3] = clock ();
      tiles[round] = (begin[3] - begin[2]) / (begin[1] - begin[0]);
      direct[round] = (begin[3] - begin[2]) / (begin[2] - begin[1]);
    }
  return (Speed) { sl_median (tiles, ROUNDS), sl_median (direct, ROUNDS) };
}

static void
report_layer (SlBench *bench, size_t i, Layer *layer)
{
  g_autofree char *direct = g_strconcat (layers[i].figure, "-direct", NULL);
  g_autofree char *threads = g_strconcat (layers[i].figure, "-threads", NULL);
  g_autofree char *note = NULL;
  Speed            speed;

  note = g_strdup_printf ("forward and back, %zu to %zu channels of %zu x %zu, one thread; by "
                          "tiles with %.2f of the multiplications; %.1f MB of work space",
                          layers[i].inputs, layers[i].outputs, layers[i].side, layers[i].side,
                          sl_conv_executed (&layer->conv) / sl_conv_products (&layer->conv),
                          1e-6 * sizeof (sl_real)
                            * (double) sl_conv_work (&layer->conv, SL_CONV_TO_INPUT));
  sl_blas_set_threads (1);
  speed = speed_of (layer, sl_clock_thread);
  sl_bench_result (bench, layers[i].figure, speed.tiles, "of products", SL_BAR_LEAST, 0.6, note);
  sl_bench_result (bench, direct, speed.direct, "of products", SL_BAR_LEAST, 0.6,
                   "the same by the definition");
  if (sl_blas_set_threads (sl_blas_cores ()) > 1)
    sl_bench_result (bench, threads, speed_of (layer, sl_clock_wall).tiles, "of products",
                     SL_BAR_NONE, 0, "by tiles with all threads, by the clock on the wall");
}

static SlExit
bench_layers (SlBench *bench)
{
  for (size_t i = 0; i < VGG_LAYERS; i++)
    {
      Layer    layer;
      SlStatus status;

      if (layers[i].figure == NULL)
        continue;
      status = prepare (&layer, i);
      if (!sl_ok (&status))
        return sl_cli_fail (&status);
      report_layer (bench, i, &layer);
      sl_arena_clear (&layer.arena);
    }
  return SL_EXIT_FINE;
}

/* The tensors of a VGG with random weights, of which *numbers owns the numbers. */
static void
make_tensors (SlTensor *tensor, char (*name)[24], sl_real **numbers)
{
  size_t n = 0;
  SlRng  rng;

  for (size_t i = 0; i < VGG_LAYERS; i++)
    n += layers[i].outputs * (layers[i].inputs * 9 + 1);
  *numbers = g_new0 (sl_real, n);
  sl_rng_init (&rng, 1, "bench");
  n = 0;
  for (size_t i = 0; i < VGG_LAYERS; i++)
    {
      size_t o = layers[i].outputs, c = layers[i].inputs;

      /* By rising name: "conv1_1.bias" comes before "conv1_1.weight". */
      g_snprintf (name[2 * i], sizeof name[0], "%s.bias", layers[i].name);
      g_snprintf (name[2 * i + 1], sizeof name[0], "%s.weight", layers[i].name);
      tensor[2 * i]
        = (SlTensor) { .name = name[2 * i], .dims = 1, .dim = { o }, .n = o, .data = *numbers + n };
      n += o;
      tensor[2 * i + 1] = (SlTensor) { .name = name[2 * i + 1],
                                       .dims = 4,
                                       .dim = { o, c, 3, 3 },
                                       .n = o * c * 9,
                                       .data = *numbers + n };
      fill (&rng, o * c * 9, 1 / (double) (c + 9), *numbers + n);
      n += o * c * 9;
    }
}

/* Seconds of PASSES passes there and back by one of the clocks. */
static double
time_passes (SlFeatureRun *run, const sl_real *image, const sl_real *slope, sl_real *dimage,
             double (*clock_of) (void))
{
  const sl_real *slopes[VGG_LAYERS] = { NULL };
  double         times[PASS_ROUNDS];

  slopes[VGG_LAYERS - 1] = slope;
  for (int round = 0; round < PASS_ROUNDS; round++)
    {
      double begin = clock_of ();

      sl_features_forward (run, image);
      sl_features_backward (run, slopes, dimage);
      times[round] = clock_of () - begin;
    }
  return PASSES * sl_median (times, PASS_ROUNDS);
}

static SlExit
bench_passes (SlBench *bench)
{
  SlTensor  tensor[2 * VGG_LAYERS];
  char      name[2 * VGG_LAYERS][24];
  SlTensors tensors = { .subject = (char *) "bench", .tensor = tensor, .n = 2 * VGG_LAYERS };
  g_autofree sl_real *numbers = NULL, *image = g_new0 (sl_real, 3 * SIDE * SIDE);
  g_autofree sl_real *slope = g_new0 (sl_real, 256 * (SIDE / 4) * (SIDE / 4));
  g_autofree sl_real *dimage = g_new0 (sl_real, 3 * SIDE * SIDE);
  g_autofree char    *note = NULL;
  SlFeatures         *features;
  SlFeatureRun        run;
  SlArena             arena = { 0 };
  SlStatus            status;
  SlRng               rng;

  make_tensors (tensor, name, &numbers);
  status = sl_features_load (&features, &tensors);
  if (!sl_ok (&status))
    return sl_cli_fail (&status);
  sl_features_carve (&run, features, SIDE, SIDE, VGG_LAYERS, true, &arena);
  status = sl_arena_init (&arena, arena.used);
  if (sl_ok (&status))
    {
      sl_features_carve (&run, features, SIDE, SIDE, VGG_LAYERS, true, &arena);
      sl_rng_init (&rng, 1, "picture");
      fill (&rng, 3 * SIDE * SIDE, 1, image);
      fill (&rng, 256 * (SIDE / 4) * (SIDE / 4), 1, slope);
      sl_blas_set_threads (sl_blas_cores ());
      note = g_strdup_printf ("200 times through VGG-19 to conv3_4 and back, %d x %d, %.1f G "
                              "multiplications each way, %.0f MB, by the clock on the wall",
                              SIDE, SIDE, 1e-9 * run.products, 1e-6 * (double) arena.used);
      sl_bench_result (bench, "conv.style-passes",
                       time_passes (&run, image, slope, dimage, sl_clock_wall), "s", SL_BAR_MOST,
                       90, note);
      sl_bench_result (bench, "conv.style-processor",
                       time_passes (&run, image, slope, dimage, sl_bench_process_seconds)
                         / (double) sl_blas_threads (),
                       "s", SL_BAR_NONE, 0,
                       "the same in time of each processor: what others compute does not count");
    }
  sl_arena_clear (&arena);
  sl_features_free (features);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}

static SlExit
bench_conv (SlBench *bench)
{
  SlExit code = bench_layers (bench);

  return code == SL_EXIT_FINE ? bench_passes (bench) : code;
}

const SlBenchGroup sl_bench_conv
  = { "conv", "convolution against bare products, and a style transfer's passes", false,
      bench_conv };
