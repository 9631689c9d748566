/* SPDX-License-Identifier: MIT
 *
 * Painted points: what is painted is what a run then reads.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/data/source/source.h"
#include "core/run/base/error.h"
#include "core/run/files/painting.h"
#include "tests/support/close.h"

static char *folder;

static SlDataset *
open_data (const char *spec)
{
  SlDataset *dataset;
  SlStatus   status = sl_source_open (spec, &dataset);
  char       text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
  return dataset;
}

/* How often a point with this label is among the examples. */
static unsigned
count (const SlDataset *dataset, double x, double y, unsigned label)
{
  unsigned found = 0;

  for (size_t i = 0; i < dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST]; i++)
    {
      sl_real at[2];
      uint8_t l;

      sl_dataset_range (dataset, i, 1, at, &l);
      found += l == label && fabs ((double) at[0] - x) < 1e-6 && fabs ((double) at[1] - y) < 1e-6;
    }
  return found;
}

/* Removes a folder of plain files. */
static void
remove_folder (const char *path)
{
  GDir *dir = g_dir_open (path, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_remove (file);
    }
  g_dir_close (dir);
  g_rmdir (path);
}

static void
test_round_trip (void)
{
  SlDataset *moons = open_data ("moons:points=60"), *painted;
  SlPainting painting;
  g_autoptr (GError) error = NULL;
  g_autofree char *spec = NULL, *again = NULL, *inside = g_build_filename (folder, "new", NULL);

  sl_painting_init (&painting, moons);
  g_assert_cmpuint (painting.points->len, ==, 60);
  g_assert_true (sl_painting_add (&painting, 3.25, -7.5, 1));
  spec = sl_painting_save (&painting, inside, &error);
  g_assert_no_error (error);
  again = sl_painting_save (&painting, inside, &error);
  g_assert_cmpstr (spec, ==, again);

  /* Every point is there where it was painted, none is moved by the others. */
  painted = open_data (spec);
  g_assert_cmpuint (painted->features, ==, 2);
  g_assert_cmpuint (painted->classes, ==, 2);
  g_assert_cmpuint (count (painted, 3.25, -7.5, 1), ==, 1);
  for (guint i = 0; i < painting.points->len; i++)
    {
      const SlPaintedPoint *p = &g_array_index (painting.points, SlPaintedPoint, i);

      g_assert_cmpuint (count (painted, p->x, p->y, p->label), >=, 1);
    }
  sl_dataset_free (painted);

  g_assert_cmpuint (sl_painting_erase (&painting, 3.0, -7.0, 0.4, 0.8), ==, 1);
  g_assert_cmpuint (sl_painting_erase (&painting, 3.0, -7.0, 0.4, 0.8), ==, 0);
  g_assert_cmpuint (painting.points->len, ==, 60);
  sl_painting_clear (&painting);
  sl_dataset_free (moons);
  remove_folder (inside);
}

static void
test_refusals (void)
{
  SlDataset *moons = open_data ("moons:points=60"), *digits = open_data ("digits:images=300");
  SlPainting painting;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_build_filename (folder, "file", NULL);

  sl_painting_init (&painting, digits);
  g_assert_cmpuint (painting.points->len, ==, 0);
  for (int i = 0; i < 5; i++)
    sl_painting_add (&painting, i, i, 0);
  g_assert_null (sl_painting_save (&painting, folder, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  while (sl_painting_add (&painting, 0.5, 0.5, 1))
    ;
  g_assert_cmpuint (painting.points->len, ==, SL_PAINTING_MOST);
  sl_painting_clear (&painting);

  sl_painting_init (&painting, moons);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_null (sl_painting_save (&painting, file, &error));
  g_assert_error (error, SL_ERROR, SL_EIO);
  sl_painting_clear (&painting);
  sl_dataset_free (digits);
  sl_dataset_free (moons);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("sluice-painting-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/painting/round-trip", test_round_trip);
  g_test_add_func ("/painting/refusals", test_refusals);
  result = g_test_run ();
  remove_folder (folder);
  g_free (folder);
  return result;
}
