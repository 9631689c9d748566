/* SPDX-License-Identifier: MIT
 *
 * The source of two pictures, and options that are files: how their paths are written and read,
 * and what is refused.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/image/canvas.h"
#include "core/data/image/png-write.h"
#include "core/data/source/source.h"
#include "tests/support/english.h"

static char *folder;

static SlDataset *
open_spec (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[1024];

  if (!sl_ok (&status))
    g_error ("%s: %s", spec, sl_status_text (&status, text, sizeof text));
  g_assert_true (sl_dataset_kind (dataset) == SL_NEEDS_PICTURES);
  return dataset;
}

static SlStatus
refuse (const char *spec)
{
  SlDataset *dataset = (SlDataset *) &dataset;
  SlStatus   status = sl_source_open (spec, &dataset);

  g_assert_false (sl_ok (&status));
  g_assert_null (dataset);
  return status;
}

/* A picture of one colour, its left half black. */
static char *
save (const char *name, unsigned width, unsigned height, uint8_t level)
{
  char    *path = g_build_filename (folder, name, NULL);
  SlBitmap bitmap;
  uint8_t *bytes;
  size_t   size;
  SlStatus status = sl_bitmap_init (&bitmap, name, width, height);

  g_assert_true (sl_ok (&status));
  for (unsigned y = 0; y < height; y++)
    for (unsigned x = 0; x < width; x++)
      memset (bitmap.rgb + 3 * (y * width + x), 2 * x < width ? 0 : level, 3);
  status = sl_bitmap_encode (&bitmap, NULL, NULL, &bytes, &size);
  g_assert_true (sl_ok (&status));
  g_assert_true (g_file_set_contents (path, (const char *) bytes, (gssize) size, NULL));
  free (bytes);
  sl_bitmap_clear (&bitmap);
  return path;
}

/* Every combination opens, at the size asked for, the same each time and unlike the others. */
static void
test_painted (void)
{
  const SlSource *source = sl_source_find ("pictures");
  GHashTable     *hashes = g_hash_table_new (g_int64_hash, g_int64_equal);
  SlDataset      *opened[SL_N_SCENES + SL_N_SURFACES];
  unsigned        n = 0;

  for (int param = 1; param <= 2; param++)
    for (const SlChoice *choice = source->params[param].choices; choice->id != NULL; choice++)
      {
        g_autofree char *spec
          = g_strdup_printf ("pictures:size=40,%s=%s", source->params[param].id, choice->id);
        SlDataset           *dataset = open_spec (spec), *again = open_spec (dataset->id);
        const SlPicturePair *pair = dataset->pictures;
        double               mean = 0.0, square = 0.0;

        g_assert_true (again->hash == dataset->hash);
        g_assert_cmpstr (again->id, ==, dataset->id);
        g_assert_cmpuint (pair->width, ==, 40);
        g_assert_cmpuint (pair->height, ==, 30);
        g_assert_cmpstr (param == 1 ? pair->content_title : pair->style_title, ==, choice->title);
        for (size_t i = 0; i < 3 * 40 * 30; i++)
          {
            double v = (double) (param == 1 ? pair->content : pair->style)[i];

            g_assert_true (v >= 0.0 && v <= 1.0);
            g_assert_true (pair->content[i] == again->pictures->content[i]);
            g_assert_true (pair->style[i] == again->pictures->style[i]);
            mean += v / (3 * 40 * 30);
            square += v * v / (3 * 40 * 30);
          }
        /* There is something to see. */
        g_assert_true (mean > 0.15 && mean < 0.85);
        g_assert_true (sqrt (square - mean * mean) > 0.1);
        /* The defaults come twice, once as a scene and once as a surface. */
        if (choice - source->params[param].choices != (long) source->params[param].fallback
            || param == 1)
          g_assert_true (g_hash_table_add (hashes, &dataset->hash));
        opened[n++] = dataset;
        sl_dataset_free (again);
      }
  g_assert_cmpuint (n, ==, SL_N_SCENES + SL_N_SURFACES);
  g_hash_table_unref (hashes);
  while (n > 0)
    sl_dataset_free (opened[--n]);
}

/* The same picture at another size, and another one for another seed. */
static void
test_sizes (void)
{
  SlDataset *small = open_spec ("pictures:size=32"), *large = open_spec ("pictures:size=128");
  SlDataset *other = open_spec ("pictures:size=32,seed=2");
  double     worst = 0.0;

  for (unsigned c = 0; c < 3; c++)
    for (unsigned y = 0; y < 24; y++)
      for (unsigned x = 0; x < 32; x++)
        {
          double sum = 0.0;

          for (unsigned j = 0; j < 4; j++)
            for (unsigned i = 0; i < 4; i++)
              sum += pow ((double) large->pictures->content[(c * 96 + 4 * y + j) * 128 + 4 * x + i],
                          2.0);
          worst = fmax (worst, fabs (sqrt (sum / 16.0)
                                     - (double) small->pictures->content[(c * 24 + y) * 32 + x]));
        }
  g_test_message ("at most %g apart", worst);
  g_assert_true (worst < 0.35);
  g_assert_true (small->hash != large->hash);
  g_assert_true (small->hash != other->hash);
  g_assert_cmpstr (small->title, ==, "Houses by a canal, Swirls of a brush");
  sl_dataset_free (small);
  sl_dataset_free (large);
  sl_dataset_free (other);
}

static void
test_nothing_to_split (void)
{
  SlDataset *dataset = open_spec ("pictures:size=16");

  for (int split = 0; split < SL_N_SPLITS; split++)
    {
      g_assert_cmpuint (dataset->n[split], ==, 0);
      g_assert_true (sl_dataset_scores (dataset, split) == (split == SL_TEST));
      g_assert_true (sl_dataset_scores (NULL, split) == (split == SL_TEST));
    }
  g_assert_true (sl_data_serves (SL_NEEDS_PICTURES, SL_NEEDS_PICTURES));
  g_assert_false (sl_data_serves (SL_NEEDS_PICTURES, SL_NEEDS_LABELS));
  g_assert_false (sl_data_serves (SL_NEEDS_IMAGES, SL_NEEDS_PICTURES));
  g_assert_true (sl_data_serves (SL_NEEDS_PICTURES, SL_NEEDS_NOTHING));
  g_assert_cmpstr (sl_source_default_for (SL_NEEDS_PICTURES), ==, "pictures");
  sl_dataset_free (dataset);
}

/* The content has the shape, the style the middle of its picture. */
static void
test_files (void)
{
  g_autofree char *tall = save ("tall.png", 60, 120, 200), *wide = save ("wide.png", 300, 100, 90);
  g_autofree char *thin = save ("thin.png", 1000, 2, 90);
  g_autofree char *spec
    = g_strdup_printf ("pictures:size=64,content-file=%s,style-file=%s", tall, wide);
  SlDataset           *dataset = open_spec (spec);
  const SlPicturePair *pair = dataset->pictures;

  g_assert_cmpuint (pair->width, ==, 32);
  g_assert_cmpuint (pair->height, ==, 64);
  g_assert_cmpstr (pair->content_title, ==, "tall.png");
  g_assert_cmpstr (pair->style_title, ==, "wide.png");
  g_assert_true (fabs ((double) pair->content[40 * 32 + 28] - 200 / 255.0) < 0.02);
  g_assert_true ((double) pair->content[40 * 32 + 4] < 0.06);
  g_assert_true (fabs ((double) pair->style[40 * 32 + 28] - 90 / 255.0) < 0.02);
  g_assert_true ((double) pair->style[40 * 32 + 4] < 0.06);
  sl_dataset_free (dataset);

  g_free (spec);
  spec = g_strdup_printf ("pictures:size=64,content-file=%s", thin);
  dataset = open_spec (spec);
  g_assert_cmpuint (dataset->pictures->width, ==, 64);
  g_assert_cmpuint (dataset->pictures->height, ==, 16);
  sl_dataset_free (dataset);
  g_remove (tall);
  g_remove (wide);
  g_remove (thin);
}

/* Whatever a file is called, its specification opens it, also from another folder. */
static void
test_names (void)
{
  static const char *const names[]
    = { "plain.png",     "two words.png", "a,b=c:d%e.png", "100%.png", "%41.png",  "größer.png",
        "new\nline.png", "\xff\xfe.png",  "=.png",         ",",        "a:b=c.png" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const SlSource  *source = sl_source_find ("pictures"), *again;
      SlSettings       settings, settings_again;
      SlSourceFiles    files = { 0 }, files_again;
      char             spec[sizeof ((SlDataset *) NULL)->id];
      g_autofree char *path = save (names[i], 20, 20, 100);
      g_autofree char *whole = realpath (path, NULL);
      SlStatus         status;
      SlDataset       *dataset, *twice;

      sl_settings_default (&settings, source->params, source->n_params);
      g_strlcpy (files.path[sl_source_file (source, "style-file")], path, SL_SOURCE_PATH_MAX);
      sl_source_format (source, &settings, &files, spec, sizeof spec);
      g_assert_true (g_utf8_validate (spec, -1, NULL));
      g_assert_null (strchr (spec, '\n'));
      status = sl_source_parse (spec, &again, &settings_again, &files_again);
      g_assert_true (sl_ok (&status));
      g_assert_true (again == source);
      g_assert_cmpstr (files_again.path[sl_source_file (source, "style-file")], ==, path);
      g_assert_cmpstr (files_again.path[sl_source_file (source, "content-file")], ==, "");

      dataset = open_spec (spec);
      g_assert_true (g_utf8_validate (dataset->title, -1, NULL));
      twice = open_spec (dataset->id);
      g_assert_true (twice->hash == dataset->hash);
      g_assert_cmpstr (twice->id, ==, dataset->id);
      status = sl_source_parse (dataset->id, &again, &settings_again, &files_again);
      g_assert_cmpstr (files_again.path[sl_source_file (source, "style-file")], ==, whole);
      sl_dataset_free (twice);
      sl_dataset_free (dataset);
      g_remove (path);
    }
}

/* Most paths may be typed as they are. */
static void
test_typed (void)
{
  const SlSource *source;
  SlSettings      settings;
  SlSourceFiles   files;
  SlStatus status = sl_source_parse ("pictures:content-file=/a b/c=d:e 100%.png,size=100,net=x%2Cy",
                                     &source, &settings, &files);
  g_autofree char *many = g_strnfill (1500, 'x');
  g_autofree char *spec = g_strdup_printf ("pictures:net=%s", many);

  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (files.path[sl_source_file (source, "content-file")], ==, "/a b/c=d:e 100%.png");
  g_assert_cmpstr (files.path[sl_source_file (source, "net")], ==, "x,y");
  g_assert_true (settings.value[0].v[0] == 100.0);
  g_assert_cmpint (sl_source_file (source, "size"), ==, -1);

  status = sl_source_locate (source, &files, "/home/me");
  g_assert_true (sl_ok (&status));
  g_assert_cmpstr (files.path[sl_source_file (source, "content-file")], ==, "/a b/c=d:e 100%.png");
  g_assert_cmpstr (files.path[sl_source_file (source, "net")], ==, "/home/me/x,y");
  g_assert_cmpstr (files.path[sl_source_file (source, "style-file")], ==, "");

  g_assert_cmpint (refuse (spec).code, ==, SL_EINVAL);
  g_assert_cmpint (refuse ("pictures:net=a%00b").code, ==, SL_EINVAL);
  g_assert_cmpint (refuse ("pictures:style-file").code, ==, SL_EINVAL);
  g_assert_cmpint (refuse ("pictures:no-file=x").code, ==, SL_EINVAL);
  /* An option of another source. */
  g_assert_cmpint (refuse ("moons:style-file=x").code, ==, SL_EINVAL);
}

static void
test_refused (void)
{
  g_autofree char *broken = g_build_filename (folder, "broken.png", NULL);
  g_autofree char *spec = g_strdup_printf ("pictures:content-file=%s", broken);
  g_autofree char *net = g_strdup_printf ("pictures:net=%s", broken);
  g_autofree char *a_folder = g_strdup_printf ("pictures:style-file=%s", folder);
  g_autofree char *picture = save ("whole.png", 30, 30, 50);
  char             text[512];
  SlStatus         status = refuse (spec);

  g_assert_cmpint (status.code, ==, SL_EIO);
  g_assert_true (g_file_set_contents (broken, "\x89PNG\r\n\x1a\n????", 12, NULL));
  status = refuse (spec);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_nonnull (strstr (sl_status_text (&status, text, sizeof text), "broken.png, byte 12"));
  g_assert_cmpint (refuse (net).code, ==, SL_EFORMAT);
  g_assert_cmpint (refuse (a_folder).code, ==, SL_EFORMAT);
  /* A picture is no table; the sentence says where it goes. */
  status = refuse (picture);
  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_nonnull (strstr (sl_english (&status.expected), "pictures:content-file="));
  g_remove (broken);
  g_remove (picture);
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

static void
test_real (void)
{
  static const struct
  {
    const char *name;
    unsigned    width, height;
    double      mean[3]; /* red, green, blue of 255, by ImageMagick */
  } known[] = {
    { "images/content-astronaut.png", 512, 512, { 141.56, 105.76, 96.48 } },
    { "images/content-chelsea.png", 451, 300, { 147.67, 111.44, 86.80 } },
    { "images/content-coffee.png", 600, 400, { 158.57, 85.79, 51.48 } },
    { "images/style-starry_night.jpg", 1024, 640, { 86.26, 113.87, 125.42 } },
    { "images/style-the_scream.jpg", 1200, 1528, { 112.80, 83.52, 53.80 } },
    { "images/style-shipwreck.jpg", 960, 662, { 78.49, 85.87, 59.58 } },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    {
      g_autofree char *path = shared (known[i].name);
      double           mean[3] = { 0 };
      SlBitmap         bitmap;
      SlStatus         status;
      size_t           n = (size_t) known[i].width * known[i].height;

      if (path == NULL)
        return;
      status = sl_bitmap_read (path, &bitmap);
      g_assert_true (sl_ok (&status));
      g_assert_cmpuint (bitmap.width, ==, known[i].width);
      g_assert_cmpuint (bitmap.height, ==, known[i].height);
      for (size_t p = 0; p < n; p++)
        for (int c = 0; c < 3; c++)
          mean[c] += bitmap.rgb[3 * p + c] / (double) n;
      g_test_message ("%s: %.2f %.2f %.2f", known[i].name, mean[0], mean[1], mean[2]);
      for (int c = 0; c < 3; c++)
        g_assert_true (fabs (mean[c] - known[i].mean[c]) < 0.5);
      sl_bitmap_clear (&bitmap);
    }
}

static void
test_real_net (void)
{
  g_autofree char *net = shared ("nets/vgg19_conv1_1-conv3_4.safetensors.gz");
  g_autofree char *spec = NULL;
  SlDataset       *with, *without;

  if (net == NULL)
    return;
  spec = g_strdup_printf ("pictures:size=32,net=%s", net);
  with = open_spec (spec);
  without = open_spec ("pictures:size=32");
  g_assert_nonnull (with->pictures->net);
  g_assert_null (without->pictures->net);
  g_assert_cmpstr (with->pictures->net_title, ==, "vgg19_conv1_1-conv3_4.safetensors.gz");
  g_assert_true (with->hash != without->hash);
  sl_dataset_free (with);
  sl_dataset_free (without);
}

/* A picture of another kind among those of a class is left out, and said to be. */
static void
test_class_folders (void)
{
  static const char *const names[]
    = { "pets",           "pets/cat",       "pets/dog",       "pets/cat/1.png",
        "pets/cat/2.PNG", "pets/dog/3.png", "pets/dog/4.webp" };
  g_autofree char *pets = g_build_filename (folder, names[0], NULL);
  SlDataset       *dataset;
  SlStatus         status;

  for (unsigned i = 0; i < 3; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
    }
  for (unsigned i = 3; i < G_N_ELEMENTS (names); i++)
    g_free (save (names[i], 12, 12, (uint8_t) (40 * i)));
  status = sl_source_open (pets, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST], ==, 3);
  g_assert_cmpuint (dataset->reading.n_notes, ==, 1);
  g_assert_nonnull (strstr (dataset->reading.note[0].packed, "left out"));
  sl_dataset_free (dataset);
  for (unsigned i = G_N_ELEMENTS (names); i-- > 0;)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-pictures-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/pictures/painted", test_painted);
  g_test_add_func ("/pictures/class-folders", test_class_folders);
  g_test_add_func ("/pictures/sizes", test_sizes);
  g_test_add_func ("/pictures/nothing-to-split", test_nothing_to_split);
  g_test_add_func ("/pictures/files", test_files);
  g_test_add_func ("/pictures/names", test_names);
  g_test_add_func ("/pictures/typed", test_typed);
  g_test_add_func ("/pictures/refused", test_refused);
  g_test_add_func ("/pictures/real", test_real);
  g_test_add_func ("/pictures/real-net", test_real_net);
  result = g_test_run ();
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
  return result;
}
