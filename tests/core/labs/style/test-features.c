/* SPDX-License-Identifier: MIT
 *
 * Networks of features: what they are made of, against the layers done one by one; their way back
 * against central differences (in double); and memory that is stated before it is taken.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/data/image/bitmap.h"
#include "core/data/read/weights.h"
#include "core/labs/style/math/features.h"
#include "tests/core/nn/reference.h"
#include "tests/support/close.h"
#include "tests/support/english.h"

#ifdef SL_DOUBLE
static const double eps = 1e-12;
#else
static const double eps = 2e-4;
#endif

/* A file that somebody made up: tensors by rising name. */
typedef struct
{
  GArray    *tensor; /* of SlTensor */
  GPtrArray *owned;
  SlTensors  tensors;
  SlRng      rng;
} File;

static void
file_init (File *file)
{
  file->tensor = g_array_new (FALSE, TRUE, sizeof (SlTensor));
  file->owned = g_ptr_array_new_with_free_func (g_free);
  sl_rng_init (&file->rng, 1, "file");
}

static void
file_clear (File *file)
{
  g_array_unref (file->tensor);
  g_ptr_array_unref (file->owned);
}

/* Normal numbers that keep the size of what goes through. */
static sl_real *
file_add (File *file, const char *name, size_t o, size_t i, size_t side)
{
  SlTensor tensor = { .dims = side > 0 ? 4 : 1, .dim = { o, i, side, side } };
  double   deviation = side > 0 ? sqrt (2.0 / (double) (i * side * side)) : 0.1;
  char    *copy = g_strdup (name);
  sl_real *data;

  tensor.n = side > 0 ? o * i * side * side : o;
  data = g_new (sl_real, tensor.n);
  for (size_t k = 0; k < tensor.n; k++)
    data[k] = (sl_real) (deviation * sl_rng_normal (&file->rng));
  tensor.name = copy;
  tensor.data = data;
  g_ptr_array_add (file->owned, copy);
  g_ptr_array_add (file->owned, data);
  g_array_append_val (file->tensor, tensor);
  return data;
}

/* Both tensors of a convolution. */
static void
file_add_conv (File *file, const char *name, size_t o, size_t i, size_t side)
{
  g_autofree char *w = g_strconcat (name, ".weight", NULL), *b = g_strconcat (name, ".bias", NULL);

  file_add (file, w, o, i, side);
  file_add (file, b, o, 0, 0);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (((const SlTensor *) a)->name, ((const SlTensor *) b)->name);
}

static const SlTensors *
file_tensors (File *file)
{
  g_array_sort (file->tensor, by_name);
  file->tensors = (SlTensors) { .subject = (char *) "net.safetensors",
                                .tensor = (SlTensor *) (void *) file->tensor->data,
                                .n = file->tensor->len };
  return &file->tensors;
}

static SlFeatures *
file_load (File *file)
{
  SlFeatures *features;
  SlStatus    status = sl_features_load (&features, file_tensors (file));
  char        text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return features;
}

/* Two blocks of a narrow VGG, by Caffe's names. */
static void
add_vgg (File *file)
{
  file_add_conv (file, "conv1_1", 64, 3, 3);
  file_add_conv (file, "conv1_2", 6, 64, 3);
  file_add_conv (file, "conv2_1", 5, 6, 3);
  file_add_conv (file, "conv2_2", 7, 5, 3);
  file_add_conv (file, "conv3_1", 4, 7, 3);
}

static void
add_squeezenet (File *file, bool classes)
{
  static const size_t squeeze[] = { 16, 16, 32, 32, 48, 48, 64, 64 };
  size_t              inputs = 96;

  file_add_conv (file, "conv1", 96, 3, 7);
  for (unsigned f = 0; f < 8; f++)
    {
      g_autofree char *one = g_strdup_printf ("fire%u/squeeze1x1", f + 2);
      g_autofree char *two = g_strdup_printf ("fire%u/expand1x1", f + 2);
      g_autofree char *three = g_strdup_printf ("fire%u/expand3x3", f + 2);

      file_add_conv (file, one, squeeze[f], inputs, 1);
      file_add_conv (file, two, 4 * squeeze[f], squeeze[f], 1);
      file_add_conv (file, three, 4 * squeeze[f], squeeze[f], 3);
      inputs = 8 * squeeze[f];
    }
  if (classes)
    file_add_conv (file, "conv10", 10, 512, 1);
}

typedef struct
{
  SlFeatures  *features;
  SlFeatureRun run;
  SlArena      arena;
  SlRng        rng;
  size_t       n; /* 3 H W */
  sl_real     *image;
} Bench;

/* Takes exactly the memory that was measured, and a picture of noise. */
static void
bench_init (Bench *bench, SlFeatures *features, size_t height, size_t width, unsigned taps,
            bool backward)
{
  SlStatus status = sl_features_fit (features, height, width, taps);
  size_t   measured;

  g_assert_true (sl_ok (&status));
  *bench = (Bench) { .features = features, .n = 3 * height * width };
  sl_features_carve (&bench->run, features, height, width, taps, backward, &bench->arena);
  measured = bench->arena.used;
  status = sl_arena_init (&bench->arena, measured);
  g_assert_true (sl_ok (&status));
  sl_features_carve (&bench->run, features, height, width, taps, backward, &bench->arena);
  g_assert_cmpuint (bench->arena.used, ==, measured);
  sl_rng_init (&bench->rng, 5, "picture");
  bench->image = g_new (sl_real, bench->n);
  for (size_t i = 0; i < bench->n; i++)
    bench->image[i] = (sl_real) sl_rng_uniform (&bench->rng);
}

static void
bench_clear (Bench *bench)
{
  sl_arena_clear (&bench->arena);
  sl_features_free (bench->features);
  g_free (bench->image);
}

/* The first two layers and the pooling by hand. */
static void
test_vgg (void)
{
  File                file;
  Bench               b;
  const SlTensor     *w;
  SlConv              first = { 3, 64, 10, 12, 3, 3, 1, 1 }, second = { 64, 6, 10, 12, 3, 3, 1, 1 };
  SlConv              third = { 6, 5, 5, 6, 3, 3, 1, 1 };
  SlPool              pool = { 10, 12, 2, 2, 2, false };
  static const double mean[3] = { 103.939, 116.779, 123.68 };
  sl_real             prepared[3 * 120], one[64 * 120], two[6 * 120], pooled[6 * 30], three[5 * 30];
  double              want[64 * 120];
  size_t              height, width;

  file_init (&file);
  add_vgg (&file);
  bench_init (&b, file_load (&file), 10, 12, 3, false);
  g_assert_cmpstr (sl_english_text (sl_features_title (b.features).packed), ==, "VGG, 5 layers");
  g_assert_cmpuint (sl_features_taps (b.features), ==, 5);
  g_assert_cmpstr (sl_features_tap_name (b.features, 3), ==, "relu2_2");
  g_assert_cmpuint (sl_features_tap_channels (b.features, 3), ==, 7);
  g_assert_cmpstr (sl_features_tap_name (b.features, 2), ==, "relu2_1");
  g_assert_cmpfloat (b.run.products, ==, 120.0 * 9 * (3 * 64 + 64 * 6) + 30.0 * 9 * 6 * 5);

  sl_features_forward (&b.run, b.image);
  for (unsigned c = 0; c < 3; c++)
    for (size_t i = 0; i < 120; i++)
      prepared[c * 120 + i] = (sl_real) (255 * (double) b.image[(2 - c) * 120 + i] - mean[c]);
  w = sl_tensors_find (&file.tensors, "conv1_1.weight");
  sl_conv_forward_ref (&first, 1, prepared, w->data,
                       sl_tensors_find (&file.tensors, "conv1_1.bias")->data, true, one);
  w = sl_tensors_find (&file.tensors, "conv1_2.weight");
  sl_conv_forward_ref (&second, 1, one, w->data,
                       sl_tensors_find (&file.tensors, "conv1_2.bias")->data, true, two);
  sl_pool_max_forward (&pool, 6, two, pooled, NULL);
  w = sl_tensors_find (&file.tensors, "conv2_1.weight");
  sl_conv_forward_ref (&third, 1, pooled, w->data,
                       sl_tensors_find (&file.tensors, "conv2_1.bias")->data, true, three);
  g_assert_cmpuint (sl_features_positions (&b.run, 0, &height, &width), ==, 120);
  for (size_t i = 0; i < 64 * 120; i++)
    want[i] = (double) one[i];
  sl_assert_close (sl_features_tap (&b.run, 0), want, 64 * 120, eps, eps * 100);
  g_assert_cmpuint (sl_features_positions (&b.run, 2, &height, &width), ==, 30);
  g_assert_cmpuint (height, ==, 5);
  g_assert_cmpuint (width, ==, 6);
  for (size_t i = 0; i < 5 * 30; i++)
    want[i] = (double) three[i];
  sl_assert_close (sl_features_tap (&b.run, 2), want, 5 * 30, eps, eps * 1000);
  bench_clear (&b);
  file_clear (&file);
}

/* Torchvision's names make the same network with its own way of preparing pictures. */
static void
test_torch (void)
{
  File   file;
  Bench  b;
  double sum = 0;

  file_init (&file);
  file_add_conv (&file, "features.0", 64, 3, 3);
  file_add_conv (&file, "features.2", 4, 64, 3);
  file_add_conv (&file, "features.5", 3, 4, 3);
  file_add_conv (&file, "features.7", 2, 3, 3);
  bench_init (&b, file_load (&file), 6, 6, 4, false);
  g_assert_cmpstr (sl_features_tap_name (b.features, 1), ==, "relu1_2");
  g_assert_cmpstr (sl_features_tap_name (b.features, 3), ==, "relu2_2");
  sl_features_forward (&b.run, b.image);
  for (size_t i = 0; i < 36; i++)
    sum += fabs ((double) b.run.value[0][i] - ((double) b.image[i] - 0.485) / 0.229);
  sl_assert_near (sum, 0, 0, 36 * 10 * eps);
  bench_clear (&b);
  file_clear (&file);
}

/* L = Σ_t <a_t, tap_t> + ½ ‖tap_t‖² for some taps; returns it and the slopes. */
static double
objective (Bench *b, unsigned chosen, sl_real **slope)
{
  double sum = 0;

  sl_features_forward (&b->run, b->image);
  for (unsigned t = 0; t < b->run.taps; t++)
    if (chosen & 1u << t)
      {
        const sl_real *tap = sl_features_tap (&b->run, t);
        size_t         n = sl_features_tap_channels (b->features, t)
                   * sl_features_positions (&b->run, t, NULL, NULL);
        double part = 0;

        for (size_t i = 0; i < n; i++)
          {
            double a = cos ((double) i + t), v = (double) tap[i];

            part += a * v + 0.5 * v * v;
            if (slope != NULL)
              slope[t][i] = (sl_real) ((a + v) / (double) n);
          }
        sum += part / (double) n;
      }
  return sum;
}

/* The gradient along random directions and at single pixels. */
static void
check_gradient (Bench *b, unsigned chosen)
{
  const double        step = sizeof (sl_real) == sizeof (double) ? 1e-7 : 1e-3;
  const double        tolerance = sizeof (sl_real) == sizeof (double) ? 1e-6 : 2e-2;
  g_autofree sl_real *gradient = g_new (sl_real, b->n),
                     *kept = g_memdup2 (b->image, b->n * sizeof (sl_real));
  sl_real       *slope[32] = { NULL };
  const sl_real *given[32] = { NULL };

  for (unsigned t = 0; t < b->run.taps; t++)
    if (chosen & 1u << t)
      given[t] = slope[t] = g_new (sl_real, sl_features_tap_channels (b->features, t)
                                              * sl_features_positions (&b->run, t, NULL, NULL));
  objective (b, chosen, slope);
  for (size_t i = 0; i < b->n; i++)
    gradient[i] = (sl_real) NAN;
  sl_features_backward (&b->run, given, gradient);
  for (int direction = 0; direction < 6; direction++)
    {
      g_autofree double *along = g_new0 (double, b->n);
      double             want = 0, got = 0, both[2];

      if (direction < 3)
        for (size_t i = 0; i < b->n; i++)
          along[i] = sl_rng_normal (&b->rng) / sqrt ((double) b->n);
      else
        along[sl_rng_below (&b->rng, b->n)] = 1;
      for (int side = 0; side < 2; side++)
        {
          for (size_t i = 0; i < b->n; i++)
            b->image[i] = kept[i] + (sl_real) ((side == 0 ? 1 : -1) * step * along[i]);
          both[side] = objective (b, chosen, NULL);
        }
      memcpy (b->image, kept, b->n * sizeof (sl_real));
      want = (both[0] - both[1]) / (2 * step);
      for (size_t i = 0; i < b->n; i++)
        got += (double) gradient[i] * along[i];
      if (sizeof (sl_real) == sizeof (double))
        sl_assert_near (got, want, tolerance, tolerance * (1 + fabs (both[0])));
      else
        g_assert_true (isfinite (got));
    }
  for (unsigned t = 0; t < b->run.taps; t++)
    g_free (slope[t]);
}

static void
test_gradients (void)
{
  static const unsigned chosen[] = { 0x1f, 0x01, 0x10, 0x0a, 0x04 };
  File                  file;
  Bench                 b;
  SlFeatures           *random;
  SlStatus              status;

  file_init (&file);
  add_vgg (&file);
  bench_init (&b, file_load (&file), 13, 18, 5, true);
  for (size_t i = 0; i < G_N_ELEMENTS (chosen); i++)
    check_gradient (&b, chosen[i]);
  bench_clear (&b);
  file_clear (&file);

  status = sl_features_random (&random, 3, 3);
  g_assert_true (sl_ok (&status));
  bench_init (&b, random, 21, 16, 3, true);
  for (unsigned i = 1; i < 8; i++)
    check_gradient (&b, i);
  bench_clear (&b);

  file_init (&file);
  add_squeezenet (&file, true);
  bench_init (&b, file_load (&file), 37, 33, 10, true);
  check_gradient (&b, 0x3ff);
  bench_clear (&b);
  file_clear (&file);
}

/* No slope at all: no gradient. */
static void
test_no_slope (void)
{
  const sl_real *none[2] = { NULL, NULL };
  sl_real        gradient[3 * 64];
  SlFeatures    *random;
  Bench          b;
  SlStatus       status = sl_features_random (&random, 1, 2);

  g_assert_true (sl_ok (&status));
  bench_init (&b, random, 8, 8, 2, true);
  sl_features_forward (&b.run, b.image);
  sl_features_backward (&b.run, none, gradient);
  for (size_t i = 0; i < b.n; i++)
    g_assert_cmpfloat (gradient[i], ==, 0);
  bench_clear (&b);
}

static void
test_squeezenet (void)
{
  File   file;
  Bench  b;
  size_t height, width;

  file_init (&file);
  add_squeezenet (&file, true);
  bench_init (&b, file_load (&file), 227, 227, 10, false);
  g_assert_cmpstr (sl_features_tap_name (b.features, 0), ==, "relu1");
  g_assert_cmpstr (sl_features_tap_name (b.features, 8), ==, "fire9");
  g_assert_cmpstr (sl_features_tap_name (b.features, 9), ==, "classes");
  g_assert_cmpuint (sl_features_tap_channels (b.features, 8), ==, 512);
  /* As published: 111, 55, 27 and 13 pixels a side. */
  sl_features_positions (&b.run, 0, &height, &width);
  g_assert_cmpuint (height, ==, 111);
  sl_features_positions (&b.run, 1, &height, &width);
  g_assert_cmpuint (height, ==, 55);
  sl_features_positions (&b.run, 4, &height, &width);
  g_assert_cmpuint (width, ==, 27);
  sl_features_positions (&b.run, 8, &height, &width);
  g_assert_cmpuint (width, ==, 13);
  bench_clear (&b);
  file_clear (&file);
}

static void
check_refused (File *file, const char *part, const char *another)
{
  SlFeatures *features;
  SlStatus    status = sl_features_load (&features, file_tensors (file));
  char        text[512];

  g_assert_false (sl_ok (&status));
  g_assert_null (features);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  sl_status_text (&status, text, sizeof text);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "net.safetensors"));
  g_assert_nonnull (strstr (text, part));
  g_assert_nonnull (strstr (text, another));
  file_clear (file);
}

static void
test_refused (void)
{
  File     file;
  sl_real *data;

  file_init (&file);
  check_refused (&file, "0 tensors", "conv1_1.weight");
  file_init (&file);
  file_add_conv (&file, "dense", 4, 3, 1);
  check_refused (&file, "2 tensors", "SqueezeNet");
  file_init (&file);
  file_add (&file, "conv1_1.weight", 64, 3, 3);
  check_refused (&file, "no tensor conv1_1.bias", "conv1_1.bias of 64");
  file_init (&file);
  file_add_conv (&file, "conv1_1", 64, 4, 3);
  check_refused (&file, "64 x 4 x 3 x 3", "64 x 3 x 3 x 3");
  file_init (&file);
  file_add_conv (&file, "conv1_1", 64, 3, 3);
  file_add_conv (&file, "conv1_2", 64, 32, 3);
  check_refused (&file, "conv1_2.weight of 64 x 32 x 3 x 3", "any x 64 x 3 x 3");
  file_init (&file);
  file_add_conv (&file, "conv1_1", 64, 3, 3);
  file_add (&file, "conv1_2.weight", 8, 64, 3);
  file_add (&file, "conv1_2.bias", 7, 0, 0);
  check_refused (&file, "conv1_2.bias of 7", "conv1_2.bias of 8");
  file_init (&file);
  data = file_add (&file, "conv1_1.weight", 64, 3, 3);
  data[7] = (sl_real) INFINITY;
  file_add (&file, "conv1_1.bias", 64, 0, 0);
  check_refused (&file, "number 7 of conv1_1.weight", "finite");
  file_init (&file);
  file_add_conv (&file, "features.0", 64, 3, 3);
  file_add (&file, "features.1.weight", 64, 0, 0);
  check_refused (&file, "batch normalisation", "without");
  file_init (&file);
  file_add_conv (&file, "fire2/squeeze1x1", 16, 96, 1);
  check_refused (&file, "no tensor conv1.weight", "96 x 3 x 7 x 7");
}

/* Too small, too large, no scales. */
static void
test_sizes (void)
{
  SlFeatures *features;
  SlStatus    status = sl_features_random (&features, 1, 0);
  char        text[512];
  File        file;

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_null (features);
  status = sl_features_random (&features, 1, SL_FEATURE_SCALES + 1);
  g_assert_cmpint (status.code, ==, SL_EINVAL);

  file_init (&file);
  add_squeezenet (&file, false);
  features = file_load (&file);
  g_assert_cmpuint (sl_features_taps (features), ==, 9);
  status = sl_features_fit (features, 6, 300, 1);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_status_text (&status, text, sizeof text);
  g_assert_nonnull (strstr (text, "300 x 6"));
  g_assert_nonnull (strstr (text, "7 to 8192"));
  status = sl_features_fit (features, 7, 7, 1);
  g_assert_true (sl_ok (&status));
  status = sl_features_fit (features, 7, 100000, 1);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  status = sl_features_fit (features, 0, 0, 1);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  sl_features_free (features);
  file_clear (&file);
}

/* Memory of a run is its activations and no more than twice the largest of them on the way back,
 * with the work space of one layer.  */
static void
test_memory (void)
{
  File         file;
  SlFeatures  *features;
  SlFeatureRun run;
  SlArena      there = { 0 }, back = { 0 };
  size_t       values = 0, largest = 0;

  file_init (&file);
  add_vgg (&file);
  features = file_load (&file);
  sl_features_carve (&run, features, 512, 512, 5, false, &there);
  for (unsigned v = 0; v < 8; v++)
    {
      static const size_t channels[] = { 3, 64, 6, 6, 5, 7, 7, 4 };
      size_t              n = channels[v] * run.tall[v] * run.wide[v];

      values += n;
      largest = MAX (largest, n);
    }
  g_assert_cmpuint (there.used / sizeof (sl_real), <=, values + (17u << 20));
  sl_features_carve (&run, features, 512, 512, 5, true, &back);
  g_assert_cmpuint (back.used / sizeof (sl_real), <=, values + 2 * largest + (17u << 20));
  sl_features_free (features);
  file_clear (&file);
}

/* Filters of one seed are the same, of another not; each has length 1 and no mean. */
static void
test_random (void)
{
  SlFeatures *features[3];
  Bench       b[3];
  double      difference = 0;

  for (unsigned i = 0; i < 3; i++)
    {
      SlStatus status = sl_features_random (&features[i], i / 2, 2);

      g_assert_true (sl_ok (&status));
      bench_init (&b[i], features[i], 16, 16, 2, false);
      sl_features_forward (&b[i].run, b[i].image);
    }
  g_assert_cmpstr (sl_features_tap_name (features[0], 1), ==, "scale2");
  g_assert_cmpuint (sl_features_tap_channels (features[0], 1), ==, 102);
  g_assert_cmpmem (sl_features_tap (&b[0].run, 1), 102 * 64 * sizeof (sl_real),
                   sl_features_tap (&b[1].run, 1), 102 * 64 * sizeof (sl_real));
  for (size_t i = 0; i < 102 * 64; i++)
    difference
      += fabs ((double) (sl_features_tap (&b[0].run, 1)[i] - sl_features_tap (&b[2].run, 1)[i]));
  g_assert_cmpfloat (difference, >, 1);

  /* In the middle of a picture of one colour only the colours answer. */
  for (size_t i = 0; i < b[0].n; i++)
    b[0].image[i] = (sl_real) 0.75;
  sl_features_forward (&b[0].run, b[0].image);
  for (size_t c = 0; c < 102; c++)
    sl_assert_near ((double) sl_features_tap (&b[0].run, 0)[c * 256 + 8 * 16 + 8],
                    c >= 96 && c < 99 ? 0.5 : 0, 0, 10 * eps);
  for (unsigned i = 0; i < 3; i++)
    bench_clear (&b[i]);
}

/* A path in the folder of real data, or NULL after a skip. */
static char *
shared (const char *name)
{
  const char *base = g_getenv ("SLUICE_SHARED_DATA"), *source = g_getenv ("SLUICE_SOURCE");
  char       *path = base != NULL ? g_build_filename (base, name, NULL)
                                  : g_build_filename (source != NULL ? source : ".", "..", "shared",
                                                "data", name, NULL);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  g_test_skip ("the folder of real data is not here");
  g_free (path);
  return NULL;
}

static SlFeatures *
load_shared (const char *path)
{
  SlFeatures *features;
  SlTensors  *tensors;
  SlStatus    status = sl_weights_open (&tensors, path, sl_tensor_is_image_layer);

  g_assert_true (sl_ok (&status));
  status = sl_features_load (&features, tensors);
  g_assert_true (sl_ok (&status));
  sl_tensors_free (tensors);
  return features;
}

/* The class that SqueezeNet finds in the picture, by the mean over all positions. */
static size_t
classify (const char *network, const char *picture)
{
  const size_t   side = 227;
  size_t         positions, best = 0;
  double         most = -HUGE_VAL;
  const sl_real *tap;
  SlBitmap       bitmap, covered;
  SlStatus       status = sl_bitmap_read (picture, &bitmap);
  Bench          b;

  g_assert_true (sl_ok (&status));
  status = sl_bitmap_cover (&bitmap, (unsigned) side, (unsigned) side, &covered);
  g_assert_true (sl_ok (&status));
  bench_init (&b, load_shared (network), side, side, 10, false);
  sl_bitmap_planes (&covered, b.image);
  sl_features_forward (&b.run, b.image);
  positions = sl_features_positions (&b.run, 9, NULL, NULL);
  tap = sl_features_tap (&b.run, 9);
  for (size_t c = 0; c < sl_features_tap_channels (b.features, 9); c++)
    {
      double sum = 0;

      for (size_t i = 0; i < positions; i++)
        sum += (double) tap[c * positions + i];
      if (sum > most)
        {
          most = sum;
          best = c;
        }
    }
  bench_clear (&b);
  sl_bitmap_clear (&bitmap);
  sl_bitmap_clear (&covered);
  return best;
}

/* Numbers of ImageNet's classes: espresso, Egyptian cat. */
static void
test_espresso (void)
{
  g_autofree char *network = shared ("nets/squeezenet_v1.0_imagenet.safetensors.gz");
  g_autofree char *coffee = NULL, *cat = NULL;

  if (network == NULL)
    return;
  coffee = shared ("images/content-coffee.png");
  cat = shared ("images/content-chelsea.png");
  g_assert_cmpuint (classify (network, coffee), ==, 967);
  g_assert_cmpuint (classify (network, cat), ==, 285);
}

/* VGG-19's first layers, as they were published. */
static void
test_vgg_file (void)
{
  static const size_t channels[] = { 64, 64, 128, 128, 256, 256, 256, 256 };
  g_autofree char    *path = shared ("nets/vgg19_conv1_1-conv3_4.safetensors.gz");
  Bench               b;

  if (path == NULL)
    return;
  bench_init (&b, load_shared (path), 32, 40, 8, true);
  g_assert_cmpstr (sl_english_text (sl_features_title (b.features).packed), ==, "VGG, 8 layers");
  g_assert_cmpstr (sl_features_tap_name (b.features, 7), ==, "relu3_4");
  for (unsigned t = 0; t < 8; t++)
    g_assert_cmpuint (sl_features_tap_channels (b.features, t), ==, channels[t]);
  g_assert_cmpuint (sl_features_positions (&b.run, 7, NULL, NULL), ==, 8 * 10);
  /* Slopes are of losses over numbers in the hundreds. */
  for (size_t i = 0; i < b.n; i++)
    b.image[i] = (sl_real) (0.3 + 0.4 * sl_rng_uniform (&b.rng));
  check_gradient (&b, 0x95);
  bench_clear (&b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/features/vgg", test_vgg);
  g_test_add_func ("/features/torch", test_torch);
  g_test_add_func ("/features/squeezenet", test_squeezenet);
  g_test_add_func ("/features/random", test_random);
  g_test_add_func ("/features/gradients", test_gradients);
  g_test_add_func ("/features/no-slope", test_no_slope);
  g_test_add_func ("/features/refused", test_refused);
  g_test_add_func ("/features/sizes", test_sizes);
  g_test_add_func ("/features/memory", test_memory);
  g_test_add_func ("/features/espresso", test_espresso);
  g_test_add_func ("/features/vgg-file", test_vgg_file);
  return g_test_run ();
}
