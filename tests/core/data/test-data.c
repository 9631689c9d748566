/* SPDX-License-Identifier: MIT
 *
 * Data sets in memory: hash, gathering, generators and specifications.  */
#include <math.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/data/source/source.h"
#include "tests/support/close.h"
#include "tests/support/english.h"
#include "tests/support/folder.h"

static SlDataset *
open_spec (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[512];

  if (!sl_ok (&status))
    g_error ("%s: %s", spec, sl_status_text (&status, text, sizeof text));
  return dataset;
}

static size_t
count (const SlDataset *dataset)
{
  return dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
}

/* The published test vectors of XXH64, which cross every branch of the tail. */
static void
test_hash (void)
{
  uint8_t  bytes[256];
  uint64_t seen[257];

  g_assert_cmphex (sl_hash ("", 0, 0), ==, 0xef46db3751d8e999u);
  g_assert_cmphex (sl_hash ("a", 1, 0), ==, 0xd24ec4f1a98c6e5bu);
  g_assert_cmphex (sl_hash ("abc", 3, 0), ==, 0x44bc2cf5ad770999u);
  g_assert_cmphex (sl_hash ("Nobody inspects the spammish repetition", 39, 0), ==,
                   0xfbcea83c8a378bf1u);

  /* Every length is another hash, and each byte counts. */
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) (i * 37);
  for (size_t n = 0; n <= sizeof bytes; n++)
    {
      seen[n] = sl_hash (bytes, n, 1);
      for (size_t m = 0; m < n; m++)
        g_assert_cmphex (seen[m], !=, seen[n]);
    }
  for (size_t i = 0; i < sizeof bytes; i++)
    {
      bytes[i] ^= 1;
      g_assert_cmphex (sl_hash (bytes, sizeof bytes, 1), !=, seen[256]);
      bytes[i] ^= 1;
    }
}

/* The hash of a data set is that of its sizes, its features as little-endian floats and its
 * labels; the same in both precisions.  */
static void
test_dataset_hash (void)
{
  SlDataset *dataset = open_spec ("moons:points=600");
  uint64_t   sizes[8] = { 480, 60, 60, 2, 2, 0, 0, 0 };
  size_t     n = 1200;
  uint8_t   *bytes = g_malloc (4 * n);
  uint64_t   hash;

  for (int i = 0; i < 8; i++)
    sizes[i] = GUINT64_TO_LE (sizes[i]);
  hash = sl_hash (sizes, sizeof sizes, 0);
  for (size_t i = 0; i < n; i++)
    {
      float    value = (float) dataset->values[i];
      uint32_t word;

      g_assert_true ((sl_real) value == dataset->values[i]);
      memcpy (&word, &value, 4);
      word = GUINT32_TO_LE (word);
      memcpy (bytes + 4 * i, &word, 4);
    }
  /* Numbers are hashed 1024 at a time. */
  hash = sl_hash (bytes, 4096, hash);
  hash = sl_hash (bytes + 4096, 4 * n - 4096, hash);
  hash = sl_hash (dataset->label, 600, hash);
  g_assert_cmphex (dataset->hash, ==, hash);
  g_free (bytes);
  sl_dataset_free (dataset);
}

static void
test_gather (void)
{
  static const char *const specs[] = { "digits:images=200", "moons:points=200" };

  for (int k = 0; k < 2; k++)
    {
      SlDataset *dataset = open_spec (specs[k]);
      size_t     d = dataset->features, n = 50;
      uint32_t   index[50];
      uint8_t    label[50];
      sl_real   *x = g_new (sl_real, n * d), *range = g_new (sl_real, n * d);

      for (uint32_t i = 0; i < n; i++)
        index[i] = (i * 77 + 13) % 200;
      sl_dataset_gather (dataset, index, n, x, label);
      for (size_t i = 0; i < n; i++)
        {
          g_assert_cmpuint (label[i], ==, dataset->label[index[i]]);
          for (size_t j = 0; j < d; j++)
            {
              size_t  at = index[i] * d + j;
              sl_real want = dataset->bytes != NULL ? (sl_real) dataset->bytes[at] / 128 - 1
                                                    : dataset->values[at];

              g_assert_true (x[i * d + j] == want);
            }
        }
      for (uint32_t i = 0; i < n; i++)
        index[i] = 120 + i;
      sl_dataset_gather (dataset, index, n, x, NULL);
      sl_dataset_range (dataset, 120, n, range, label);
      g_assert_cmpmem (x, n * d * sizeof *x, range, n * d * sizeof *range);
      g_assert_cmpmem (label, n, dataset->label + 120, n);
      g_free (range);
      g_free (x);
      sl_dataset_free (dataset);
    }
}

/* What every generator promises, under its defaults and other shares. */
static void
test_generator (const void *data)
{
  const SlSource  *source = data;
  bool             images = sl_param_find (source->params, source->n_params, "images") >= 0;
  g_autofree char *spec
    = g_strdup_printf ("%s:%s=1000,valid=0.2,test=0.15", source->id, images ? "images" : "points");
  g_autofree char *other_seed = g_strdup_printf ("%s,seed=2", spec);
  SlDataset       *dataset = open_spec (spec), *again = open_spec (dataset->id);
  SlDataset       *other = open_spec (other_seed);
  size_t           per_class[256] = { 0 };

  g_assert_cmpuint (dataset->n[SL_TRAIN], ==, 650);
  g_assert_cmpuint (dataset->n[SL_VALID], ==, 200);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, 150);
  g_assert_cmpuint (sl_dataset_first (dataset, SL_TRAIN), ==, 0);
  g_assert_cmpuint (sl_dataset_first (dataset, SL_VALID), ==, 650);
  g_assert_cmpuint (sl_dataset_first (dataset, SL_TEST), ==, 850);
  g_assert_cmpstr (dataset->title, ==, source->title);

  /* Classes are balanced, and mixed: the validation part has them all. */
  for (size_t i = 0; i < count (dataset); i++)
    {
      g_assert_cmpuint (dataset->label[i], <, dataset->classes);
      per_class[dataset->label[i]]++;
    }
  for (unsigned c = 0; c < dataset->classes; c++)
    g_assert_cmpuint (per_class[c] - 1000 / dataset->classes, <=, 1);
  for (unsigned c = 0; c < dataset->classes; c++)
    g_assert_nonnull (memchr (dataset->label + 650, (int) c, 200));

  if (images)
    {
      g_assert_null (dataset->values);
      g_assert_cmpuint (dataset->features, ==,
                        dataset->width * dataset->height * dataset->channels);
    }
  else
    {
      g_assert_cmpuint (dataset->features, ==, 2);
      for (size_t i = 0; i < 2 * count (dataset); i++)
        if (!(fabs ((double) dataset->values[i]) <= 1.6))
          g_error ("feature %zu is %g", i, (double) dataset->values[i]);
    }

  g_assert_cmpstr (again->id, ==, dataset->id);
  g_assert_cmphex (again->hash, ==, dataset->hash);
  g_assert_cmphex (other->hash, !=, dataset->hash);
  sl_dataset_free (other);
  sl_dataset_free (again);
  sl_dataset_free (dataset);
}

/* The distance from the half circle of a moon: one above its centre, one below. */
static double
off_moon (unsigned label, double x, double y)
{
  double u = 1.5 * x + (label == 0 ? 0.5 : -0.5), v = 1.5 * y + (label == 0 ? 0.25 : -0.25);

  return (label == 0) == (v > 0.0) || fabs (v) < 1e-6 ? fabs (hypot (u, v) - 1.0) : 9.0;
}

/* Without noise each point lies where the shape of its class says. */
static void
test_geometry (void)
{
  static const char *const specs[] = {
    "xor:noise=0",           "moons:noise=0",        "spirals:noise=0,arms=5,turns=1",
    "rings:noise=0,rings=4", "checkerboard:noise=0", "mixture:noise=0,classes=4,clusters=3",
  };

  for (int task = 0; task < 6; task++)
    {
      SlDataset  *dataset = open_spec (specs[task]);
      GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

      for (size_t i = 0; i < count (dataset); i++)
        {
          double   x = (double) dataset->values[2 * i], y = (double) dataset->values[2 * i + 1];
          double   radius = hypot (x, y), turn = atan2 (y, x) / (2.0 * M_PI);
          unsigned label = dataset->label[i], got = 99;

          g_assert_cmpfloat (fabs (x), <=, 1.0 + 1e-6);
          g_assert_cmpfloat (fabs (y), <=, 1.0 + 1e-6);
          switch (task)
            {
            case 0: got = x * y > 0.0 ? 0 : 1; break;
            case 1:
              g_assert_cmpfloat (off_moon (label, x, y), <, 1e-6);
              got = label;
              break;
            case 2: got = (unsigned) lrint (5.0 * (turn - radius + 2.0)) % 5; break;
            case 3: got = (unsigned) (radius * 3.7); break;
            case 4: got = ((unsigned) ((x + 1.0) * 2.0) + (unsigned) ((y + 1.0) * 2.0)) % 2; break;
            default:
              g_hash_table_add (places, g_strdup_printf ("%u %.9g %.9g", label, x, y));
              got = label;
            }
          g_assert_cmpuint (got, ==, label);
        }
      if (task == 5)
        g_assert_cmpuint (g_hash_table_size (places), ==, 12);
      g_hash_table_destroy (places);
      sl_dataset_free (dataset);
    }
}

/* Noise moves the same points by the deviation it is given. */
static void
test_noise (void)
{
  SlDataset *clean = open_spec ("spirals:noise=0,points=4000");
  SlDataset *noisy = open_spec ("spirals:noise=0.1,points=4000");
  double     squares = 0.0;

  g_assert_cmpmem (clean->label, 4000, noisy->label, 4000);
  for (size_t i = 0; i < 8000; i++)
    {
      double moved = (double) noisy->values[i] - (double) clean->values[i];

      squares += moved * moved;
    }
  /* The standard error of the deviation is 0.1 / sqrt (2 * 8000) = 0.0008. */
  sl_assert_near (sqrt (squares / 8000), 0.1, 0.0, 0.004);
  sl_dataset_free (clean);
  sl_dataset_free (noisy);
}

/* Nearest neighbour by squared distance of the bytes. */
static double
neighbour_accuracy (const char *spec)
{
  SlDataset *dataset = open_spec (spec);
  size_t     d = dataset->features, first = sl_dataset_first (dataset, SL_TEST), right = 0;

  for (size_t i = 0; i < dataset->n[SL_TEST]; i++)
    {
      const uint8_t *a = dataset->bytes + (first + i) * d;
      unsigned       least = G_MAXUINT;
      size_t         nearest = 0;

      for (size_t j = 0; j < dataset->n[SL_TRAIN]; j++)
        {
          const uint8_t *b = dataset->bytes + j * d;
          unsigned       distance = 0;

          for (size_t k = 0; k < d; k++)
            distance += (unsigned) ((a[k] - b[k]) * (a[k] - b[k]));
          if (distance < least)
            {
              least = distance;
              nearest = j;
            }
        }
      right += dataset->label[nearest] == dataset->label[first + i];
    }
  right = right * 10000 / dataset->n[SL_TEST];
  sl_dataset_free (dataset);
  return (double) right / 10000;
}

/* Easy digits can be learnt from a thousand, and the stated difficulty is a true one. */
static void
test_digits_difficulty (void)
{
  double easy = neighbour_accuracy ("digits:images=1500,hardest=0.2,test=0.2");
  double middle = neighbour_accuracy ("digits:images=1500,easiest=0.4,hardest=0.6,test=0.2");
  double hard = neighbour_accuracy ("digits:images=1500,easiest=0.8,test=0.2");

  g_test_message ("nearest neighbour: %.3f %.3f %.3f", easy, middle, hard);
  g_assert_cmpfloat (easy, >, 0.97);
  g_assert_cmpfloat (middle, <, easy - 0.05);
  g_assert_cmpfloat (hard, <, middle - 0.05);
  g_assert_cmpfloat (hard, >, 0.2);
}

static void
test_digits_range (void)
{
  SlDataset *dataset = open_spec ("digits:images=2000,easiest=0.3,hardest=0.4");
  SlDataset *calm = open_spec ("digits:images=500,hardest=0");
  double     sum = 0.0;

  for (size_t i = 0; i < 2000; i++)
    {
      double difficulty = (double) dataset->difficulty[i];

      g_assert_true (difficulty >= 0.3 - 1e-6 && difficulty <= 0.4 + 1e-6);
      sum += difficulty;
    }
  sl_assert_near (sum / 2000, 0.35, 0.0, 0.005);

  /* At difficulty 0 there is no grain: the corners of the paper are blank. */
  for (size_t i = 0; i < 500; i++)
    {
      const uint8_t *image = calm->bytes + 784 * i;
      unsigned       ink = 0;

      g_assert_cmpuint (image[0] + image[27] + image[756] + image[783], ==, 0);
      for (int j = 0; j < 784; j++)
        ink += image[j];
      g_assert_cmpuint (ink, >, 20 * 255);
      g_assert_cmpuint (ink, <, 260 * 255);
    }
  sl_dataset_free (calm);
  sl_dataset_free (dataset);
}

static double
ink_of (const SlDataset *dataset, size_t i)
{
  double ink = 0;

  for (size_t j = 0; j < dataset->features; j++)
    ink += dataset->bytes[i * dataset->features + j];
  return ink / 255;
}

/* Pieces add ink as the difficulty says; without them there is one digit, not always in the same place. */
static void
test_clutter (void)
{
  SlDataset *dataset = open_spec ("clutter:images=600,side=64,pieces=10");
  SlDataset *bare = open_spec ("clutter:images=200,side=64,pieces=0");
  double     ink[2] = { 0 };
  size_t     n[2] = { 0 }, above = 0;

  g_assert_cmpuint (dataset->width, ==, 64);
  for (size_t i = 0; i < 600; i++)
    {
      int hard = dataset->difficulty[i] > 0.5;

      ink[hard] += ink_of (dataset, i);
      n[hard]++;
    }
  g_assert_cmpfloat (ink[1] / n[1], >, 1.3 * ink[0] / n[0]);
  for (size_t i = 0; i < 200; i++)
    {
      const uint8_t *image = bare->bytes + 64 * 64 * i;
      double         top = 0;

      for (int j = 0; j < 64 * 32; j++)
        top += image[j];
      g_assert_cmpfloat (ink_of (bare, i), >, 20);
      g_assert_cmpfloat (ink_of (bare, i), <, 260);
      above += top > 255 * ink_of (bare, i) / 2;
    }
  g_assert_cmpuint (above, >, 50);
  g_assert_cmpuint (above, <, 150);
  sl_dataset_free (bare);
  sl_dataset_free (dataset);
}

/* A specification is read, written in full and read again. */
static void
test_spec_round_trip (void)
{
  const SlSource *source, *again;
  SlSettings      settings, settings_again;
  char            text[512], text_again[512];
  SlStatus        status;

  status = sl_source_parse ("spirals:noise=0.1,arms=5", &source, &settings, NULL);
  g_assert_true (sl_ok (&status));
  g_assert_true (source == sl_source_find ("spirals"));
  g_assert_cmpstr (sl_source_format (source, &settings, NULL, text, sizeof text), ==,
                   "spirals:arms=5,turns=1.25,points=1000,noise=0.1,valid=0.1,test=0.1,seed=1");

  for (const SlSource *const *each = sl_sources; *each != NULL; each++)
    {
      status = sl_source_parse ((*each)->id, &source, &settings, NULL);
      g_assert_true (sl_ok (&status));
      g_assert_true (source == *each);
      for (unsigned i = 0; i < source->n_params; i++)
        {
          const SlParam *param = &source->params[i];

          g_assert_cmpint (param->effect, ==, SL_RESTART);
          g_assert_cmpstr (param->group, ==, "Data");
          settings.value[i].v[0]
            = param->kind == SL_REAL ? param->lo + (param->hi - param->lo) / 3 : param->hi;
        }
      sl_source_format (source, &settings, NULL, text, sizeof text);
      status = sl_source_parse (text, &again, &settings_again, NULL);
      g_assert_true (sl_ok (&status));
      g_assert_true (again == source);
      for (unsigned i = 0; i < source->n_params; i++)
        g_assert_true (settings.value[i].v[0] == settings_again.value[i].v[0]);
      g_assert_cmpstr (
        sl_source_format (again, &settings_again, NULL, text_again, sizeof text_again), ==, text);
    }
}

static void
expect_refusal (const char *spec, const char *sentence)
{
  SlDataset *dataset = (SlDataset *) &dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[512];

  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_null (dataset);
  g_assert_cmpstr (sl_status_text (&status, text, sizeof text), ==, sentence);
}

static void
test_spec_refused (void)
{
  g_autofree char *longest = g_strnfill (3000, 'x');
  SlDataset       *dataset;
  SlStatus         status;

  expect_refusal ("spiral", "spiral: found no data set or file of this name, expected a file or a "
                            "source, perhaps spirals");
  expect_refusal ("digtis:images=200", "digtis: found no data set or file of this name, expected a "
                                       "file or a source, perhaps digits");
  expect_refusal (
    "table.csv",
    "table.csv: found no data set or file of this name, expected a file, "
    "fashion-mnist, digits, clutter, xor, moons, spirals, rings, checkerboard, mixture, "
    "letters, bible, grammar, pictures, router or recordings");
  expect_refusal ("moons:noise", "noise: found no value, expected option=value");
  expect_refusal ("moons:noise=0.1,", "found no value, expected option=value");
  expect_refusal ("moons:noise=loud", "noise: found \"loud\", expected a number from 0 to 0.5");
  expect_refusal ("moons:noise=nan", "noise: found \"nan\", expected a number from 0 to 0.5");
  expect_refusal ("spirals:arms=9", "arms: found \"9\", expected a whole number from 2 to 8");
  expect_refusal ("digits:easiest=0.5,hardest=0.2",
                  "easiest: found more than hardest, expected at most hardest");

  status = sl_source_open ("moons:poins=30", &dataset);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpstr (status.subject, ==, "poins");
  g_assert_nonnull (strstr (sl_english (&status.expected), "points"));

  status = sl_source_open (longest, &dataset);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpstr (sl_english (&status.expected), ==, "at most 2047 letters");
}

static void
test_default (void)
{
  const SlSource *source = sl_source_find (sl_source_default ());

  g_assert_nonnull (source);
  g_assert_true (source->available == NULL || source->available ());
  g_assert_null (sl_source_find ("nothing"));
}

/* What panels ask of the data: a fact, one with a number, several; words of settings are not theirs. */
static void
test_facts (void)
{
  SlDataset dataset = { .facts = "gates layers=3 tokens=0" };

  g_assert_true (sl_dataset_has (&dataset, "data.gates"));
  g_assert_false (sl_dataset_has (&dataset, "data.gate"));
  g_assert_false (sl_dataset_has (&dataset, "data.gatess"));
  g_assert_false (sl_dataset_has (&dataset, "data.scores"));
  g_assert_false (sl_dataset_has (&dataset, "data.tokens"));
  g_assert_true (sl_dataset_has (&dataset, "data.layers>2"));
  g_assert_false (sl_dataset_has (&dataset, "data.layers>3"));
  g_assert_true (sl_dataset_has (&dataset, "data.layers=3 data.network=0"));
  g_assert_false (sl_dataset_has (&dataset, "data.layers=2"));
  g_assert_false (sl_dataset_has (&dataset, "data.gates=0"));
  g_assert_true (sl_dataset_has (&dataset, "gate=noisy data.layers>1 data.gates"));
  g_assert_false (sl_dataset_has (&dataset, "data.gates  data.scores"));
  g_assert_true (sl_dataset_has (&dataset, "scores>1"));
  g_assert_true (sl_dataset_has (&dataset, NULL));
  g_assert_true (sl_dataset_has (NULL, "data.scores"));
  g_assert_true (sl_needs_hold (NULL, NULL, 0, "data.scores data.layers>1"));
}

/* Every pixel that varies has mean 0 and deviation 1 over the training images, the others are 0; both ways to
 * read examples say the same.  */
static void
test_pixels (void)
{
  SlDataset          *plain, *dataset, *again;
  g_autofree double  *mean = NULL, *square = NULL;
  g_autofree sl_real *x = NULL, *row = NULL;
  size_t              d, n, varied = 0;

  g_assert_cmpint (sl_source_open ("digits:images=300", &plain).code, ==, SL_OK);
  g_assert_cmpint (sl_source_open ("digits:images=300,pixels=standardised", &dataset).code, ==,
                   SL_OK);
  g_assert_null (strstr (plain->id, "pixels"));
  g_assert_true (g_str_has_suffix (dataset->id, ",pixels=standardised"));
  g_assert_cmpuint (dataset->hash, !=, plain->hash);
  g_assert_cmpint (sl_source_open (dataset->id, &again).code, ==, SL_OK);
  g_assert_cmpuint (dataset->hash, ==, again->hash);

  d = dataset->features;
  n = dataset->n[SL_TRAIN];
  mean = g_new0 (double, d);
  square = g_new0 (double, d);
  x = g_new (sl_real, n * d);
  row = g_new (sl_real, d);
  sl_dataset_range (dataset, 0, n, x, NULL);
  for (size_t e = 0; e < n; e++)
    for (size_t i = 0; i < d; i++)
      {
        mean[i] += (double) x[e * d + i] / (double) n;
        square[i] += (double) (x[e * d + i] * x[e * d + i]) / (double) n;
      }
  for (size_t i = 0; i < d; i++)
    {
      sl_assert_near (mean[i], 0.0, 0.0, 1e-5);
      varied += square[i] > 0.5;
      if (square[i] > 0.5)
        sl_assert_near (square[i], 1.0, 0.0, 1e-4);
      else
        g_assert_cmpfloat (square[i], ==, 0.0);
    }
  g_assert_cmpuint (varied, >, d / 2);
  sl_dataset_gather (dataset, &(uint32_t) { 17 }, 1, row, NULL);
  g_assert_cmpmem (row, d * sizeof *row, x + 17 * d, d * sizeof *row);
  sl_dataset_free (plain);
  sl_dataset_free (dataset);
  sl_dataset_free (again);
}

static void
assert_network (const char *spec, const char *text, uint64_t other_than)
{
  SlDataset *dataset, *again;
  SlStatus   status = sl_source_open (spec, &dataset);

  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (dataset->network, ==, text);
  g_assert_false (sl_dataset_has (dataset, "data.network=0"));
  g_assert_true (dataset->hash != other_than);
  status = sl_source_open (dataset->id, &again);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (again->id, ==, dataset->id);
  g_assert_cmpstr (again->network, ==, text);
  g_assert_true (again->hash == dataset->hash);
  sl_dataset_free (again);
  sl_dataset_free (dataset);
}

/* Labelled examples of a source or a file take a network, which is a part of what they are. */
static void
test_network (void)
{
  g_autofree char *folder = g_dir_make_tmp ("network-XXXXXX", NULL);
  g_autofree char *network = g_build_filename (folder, "my, net.json", NULL);
  g_autofree char *table = g_build_filename (folder, "table.csv", NULL);
  g_autofree char *made = NULL, *read = NULL, *located = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);
  char       spec[sizeof ((SlDataset *) NULL)->id];
  SlDataset *plain;
  SlStatus   status;

  for (int i = 0; i < 40; i++)
    g_string_append_printf (rows, "%d,%d,%s\n", i, 2 * i % 7, i % 2 == 0 ? "a" : "b");
  g_assert_true (g_file_set_contents (table, rows->str, -1, NULL));
  g_assert_true (g_file_set_contents (network, "{ }", -1, NULL));

  status = sl_source_open ("moons:points=300", &plain);
  g_assert_true (sl_ok (&status) && plain->network == NULL);
  g_assert_true (sl_dataset_has (plain, "data.network=0"));
  g_assert_null (strstr (plain->id, "network"));
  made = g_strdup_printf ("moons:points=300,network-file=%s/my%%2C net.json", folder);
  assert_network (made, "{ }", plain->hash);
  status = sl_source_give_network ("moons:points=300", network, spec, sizeof spec);
  g_assert_true (sl_ok (&status));
  assert_network (spec, "{ }", plain->hash);
  sl_dataset_free (plain);

  status = sl_source_open (table, &plain);
  g_assert_true (sl_ok (&status) && plain->network == NULL);
  status = sl_source_give_network (plain->id, network, spec, sizeof spec);
  g_assert_true (sl_ok (&status));
  assert_network (spec, "{ }", plain->hash);
  read = g_strdup_printf ("%s:network-file=%s/my%%2C net.json", table, folder);
  assert_network (read, "{ }", plain->hash);
  sl_dataset_free (plain);

  located = g_strdup_printf ("%s:network-file=my%%2C net.json", table);
  status = sl_source_locate_spec (located, folder, spec, sizeof spec);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (spec, ==, read);
  /* Nothing is relative. */
  status = sl_source_locate_spec ("moons", folder, spec, sizeof spec);
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (spec, ==, "moons");

  g_assert_cmpint (sl_source_open ("grammar:network-file=x", &plain).code, ==, SL_EINVAL);
  g_assert_cmpint (sl_source_open ("moons:network-file=/nowhere.json", &plain).code, ==, SL_EIO);
  g_string_set_size (rows, 1 << 16);
  g_assert_true (g_file_set_contents (network, rows->str, (gssize) rows->len, NULL));
  g_assert_cmpint (sl_source_open (made, &plain).code, ==, SL_ENOMEM);
  g_assert_true (g_file_set_contents (network, "{ }", -1, NULL));
  g_string_truncate (rows, 0);
  for (int i = 0; i < 40; i++)
    g_string_append (rows, "Call me Ishmael. Some years ago, never mind how long precisely.\n");
  g_assert_true (g_file_set_contents (table, rows->str, -1, NULL));
  g_string_printf (rows, "%s:text=bytes,network-file=%s/my%%2C net.json", table, folder);
  g_assert_cmpint (sl_source_open (rows->str, &plain).code, ==, SL_EUNSUPPORTED);
  g_assert_null (plain);
  sl_remove_all (folder);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/hash", test_hash);
  g_test_add_func ("/data/facts", test_facts);
  g_test_add_func ("/data/dataset-hash", test_dataset_hash);
  g_test_add_func ("/data/gather", test_gather);
  for (const SlSource *const *source = sl_sources; *source != NULL; source++)
    /* Examples of a file are as they are: their classes are not balanced. */
    if (sl_param_find ((*source)->params, (*source)->n_params, "seed") >= 0
        && (*source)->n_files == 0 && (*source)->yields != SL_NEEDS_TEXT
        && (*source)->yields != SL_NEEDS_PICTURES && (*source)->yields != SL_NEEDS_ROUTING)
      {
        g_autofree char *path = g_strconcat ("/data/generator/", (*source)->id, NULL);

        g_test_add_data_func (path, *source, test_generator);
      }
  g_test_add_func ("/data/pixels", test_pixels);
  g_test_add_func ("/data/plane/geometry", test_geometry);
  g_test_add_func ("/data/plane/noise", test_noise);
  g_test_add_func ("/data/digits/difficulty", test_digits_difficulty);
  g_test_add_func ("/data/digits/range", test_digits_range);
  g_test_add_func ("/data/clutter", test_clutter);
  g_test_add_func ("/data/spec/round-trip", test_spec_round_trip);
  g_test_add_func ("/data/spec/refused", test_spec_refused);
  g_test_add_func ("/data/default", test_default);
  g_test_add_func ("/data/network", test_network);
  return g_test_run ();
}
