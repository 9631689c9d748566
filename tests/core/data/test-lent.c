/* SPDX-License-Identifier: MIT
 *
 * Pictures and their classes as arrays of a program: training and test apart, classes as texts or numbers.  */
#include <glib.h>
#include <string.h>

#include "core/data/read/containers/array.h"
#include "core/data/read/file.h"
#include "tests/support/english.h"

enum { TRAIN = 40, TEST = 6, SIDE = 2, LETTERS = 4 };

static void
lend (SlArrays *arrays, const char *name, SlArrayType type, unsigned size, uint64_t n,
      bool pictures, const void *numbers)
{
  SlArray *array;
  SlStatus status = sl_arrays_add (arrays, name, strlen (name), &array);

  g_assert_true (sl_ok (&status));
  array->type = type;
  array->size = size;
  array->axes = pictures ? 3 : 1;
  array->shape[0] = n;
  array->shape[1] = array->shape[2] = pictures ? SIDE : 0;
  status = sl_array_lend (arrays, array, numbers, NULL);
  g_assert_true (sl_ok (&status));
}

/* As NumPy has texts. */
static void
spell (uint32_t to[LETTERS], const char *word)
{
  for (unsigned i = 0; i < LETTERS; i++)
    to[i] = i < strlen (word) ? (uint32_t) word[i] : 0;
}

/* Opens pictures of which the first pixel is the class; of the test all have the second class, but for the last. */
static SlStatus
open_named (const char *const *names, unsigned n_names, const char *last, SlDataset **dataset)
{
  uint8_t pixels[TRAIN][SIDE][SIDE] = { 0 }, seen[TEST][SIDE][SIDE] = { 0 };
  uint32_t class[TRAIN][LETTERS], test[TEST][LETTERS];
  SlFileOptions options = { 0 };
  SlArrays      arrays;
  SlStatus      status;
  bool          split = true;

  sl_arrays_init (&arrays, "arrays");
  for (unsigned i = 0; i < TRAIN; i++)
    {
      pixels[i][0][0] = (uint8_t) (i % n_names);
      spell (class[i], names[i % n_names]);
    }
  for (unsigned i = 0; i < TEST; i++)
    {
      seen[i][0][0] = 1;
      spell (test[i], i + 1 < TEST ? names[1] : last);
    }
  lend (&arrays, "x_train", SL_ARRAY_NATURALS, 1, TRAIN, true, pixels);
  lend (&arrays, "y_train", SL_ARRAY_TEXTS, sizeof *class, TRAIN, false, class);
  lend (&arrays, "x_test", SL_ARRAY_NATURALS, 1, TEST, true, seen);
  lend (&arrays, "y_test", SL_ARRAY_TEXTS, sizeof *test, TEST, false, test);
  status = sl_file_of_arrays (&arrays, &options, &split, dataset);
  if (sl_ok (&status))
    g_assert_false (split && (*dataset)->n[SL_TEST] != TEST);
  sl_arrays_clear (&arrays);
  return status;
}

/* A class keeps its name, and its pictures, in training and test. */
static void
test_named (void)
{
  static const char *const names[] = { "cat", "ant", "bird" };
  SlDataset               *dataset = NULL;
  SlStatus                 status = open_named (names, G_N_ELEMENTS (names), "bird", &dataset);
  size_t                   first;

  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->classes, ==, 3);
  g_assert_cmpuint (dataset->n[SL_TEST], ==, TEST);
  first = sl_dataset_first (dataset, SL_TEST);
  for (size_t i = 0; i < first; i++)
    g_assert_cmpstr (dataset->class_title[dataset->label[i]], ==,
                     names[dataset->bytes[i * dataset->features]]);
  for (size_t i = 0; i < TEST; i++)
    g_assert_cmpstr (dataset->class_title[dataset->label[first + i]], ==,
                     i + 1 < TEST ? "ant" : "bird");
  sl_dataset_free (dataset);
}

/* A class that training does not have is refused. */
static void
test_unknown (void)
{
  static const char *const names[] = { "cat", "ant" };
  SlDataset               *dataset = NULL;
  SlStatus                 status = open_named (names, G_N_ELEMENTS (names), "dog", &dataset);

  g_assert_cmpint (status.code, ==, SL_EFORMAT);
  g_assert_null (dataset);
  g_assert_nonnull (strstr (sl_english (&status.expected), "training"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lent/named", test_named);
  g_test_add_func ("/lent/unknown", test_unknown);
  return g_test_run ();
}
