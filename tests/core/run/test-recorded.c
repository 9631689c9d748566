/* SPDX-License-Identifier: MIT
 *
 * Data of runs: which lab they are shown in, what is said of a batch that is larger than they are, and copies of what a
 * run published.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/record/data.h"
#include "core/run/record/recipe.h"
#include "tests/core/run/walk-lab.h"
#include "tests/support/english.h"

static void
assert_lab (const char *shown, const char *spec, const char *expected)
{
  g_assert_cmpstr (sl_lab_for_data (sl_lab_find (shown), spec)->id, ==, expected);
}

/* Another lab only where this one has no use for the data. */
static void
test_lab_for_data (void)
{
  const SlLab *text = sl_lab_for_data (sl_lab_find ("experts"), "grammar");

  assert_lab ("experts", "moons", "experts");
  assert_lab ("sign-estimator", "moons", "sign-estimator");
  assert_lab ("experts", "nowhere.csv", "experts");
  assert_lab ("experts", "moons:noise=none", "experts");
  assert_lab ("style", "pictures", "style");
  g_assert_cmpint (text->data, ==, SL_NEEDS_TEXT);
  for (const SlLab *const *lab = sl_labs; *lab != text; lab++)
    g_assert_cmpint ((*lab)->data, !=, SL_NEEDS_TEXT);
  g_assert_true (sl_lab_for_data (text, "grammar:seed=2") == text);
}

static void
test_batch (void)
{
  const SlLab *lab = sl_lab_find ("experts"), *capacity = sl_lab_find ("capacity");
  SlSettings   settings;
  SlDataset   *dataset = NULL;
  SlStatus     status = sl_open_data ("moons:points=200", &dataset);
  int          batch = sl_param_find (lab->params, lab->n_params, "batch");

  g_assert_true (sl_ok (&status));
  sl_settings_default (&settings, lab->params, lab->n_params);
  for (int extra = 0; extra <= 1; extra++)
    {
      g_autofree char *expected = g_strdup_printf ("batch is %zu, but there are %zu examples",
                                                   dataset->n[SL_TRAIN] + 1, dataset->n[SL_TRAIN]);

      settings.value[batch].v[0] = (double) dataset->n[SL_TRAIN] + extra;

      g_autofree char *note = sl_data_note (lab, &settings, dataset);

      if (extra == 0)
        g_assert_null (note);
      else
        g_assert_true (g_str_has_prefix (note, expected));
    }
  g_assert_null (sl_data_note (lab, &settings, NULL));
  sl_settings_default (&settings, capacity->params, capacity->n_params);
  g_assert_null (sl_data_note (capacity, &settings, NULL));
  sl_dataset_free (dataset);
  status = sl_open_data ("nowhere.csv", &dataset);
  g_assert_false (sl_ok (&status));
}

/* ---- what a run published ---- */

static void
take (SlRecord *record, uint64_t step, uint32_t channel, double value, unsigned generation)
{
  SlSample sample = { .step = step, .value = value, .channel = channel, .generation = generation };

  g_assert_true (sl_record_take (record, &sample));
}

static void
make_record (SlRecord *record, SlSettings *settings)
{
  SlStatus status;

  sl_settings_default (settings, sl_walk_lab.params, sl_walk_lab.n_params);
  status = sl_record_init (record, &sl_walk_lab, settings, 3);
  g_assert_true (sl_ok (&status));
}

static void
test_copy (void)
{
  SlRecord   record, copy;
  SlSettings settings;
  SlSnapshot snapshot = { .panel = 1, .generation = 3, .step = 7 };

  make_record (&record, &settings);
  take (&record, 1, 0, 0.5, 3);
  take (&record, 2, 0, NAN, 3);
  take (&record, 2, 1, 4.0, 3);
  take (&record, 3, 0, 9.0, 2);               /* of another generation */
  take (&record, 3, record.layout.n, 9.0, 3); /* of no channel */
  g_assert_true (sl_record_show (&record, &snapshot));
  snapshot.generation = 4;
  g_assert_true (sl_record_show (&record, &snapshot));
  snapshot.generation = 3;
  snapshot.panel = sl_walk_lab.n_panels;
  g_assert_true (sl_record_show (&record, &snapshot));
  g_assert_cmpuint (record.snapshot_version[1], ==, 1);
  g_assert_true (sl_record_copy (&copy, &record, &settings));
  g_assert_cmpuint (copy.generation, ==, 3);
  g_assert_cmpuint (copy.series[0].n, ==, 2);
  g_assert_cmpfloat (copy.series[0].step[1], ==, 2);
  g_assert_cmpfloat (copy.series[0].value[0], ==, 0.5);
  g_assert_true (isnan (copy.series[0].value[1]));
  g_assert_cmpuint (copy.series[1].n, ==, 1);
  g_assert_true (copy.has_snapshot[1] && !copy.has_snapshot[0]);
  g_assert_cmpuint (copy.snapshot[1].step, ==, 7);
  sl_record_clear (&copy);
  sl_record_clear (&record);
  g_assert_null (record.lab);
}

/* Marks are numbered, more of them than there is room for at first, and those behind a step go. */
static void
test_marks (void)
{
  SlRecord   record;
  SlSettings settings;

  make_record (&record, &settings);
  for (unsigned i = 0; i < 40; i++)
    {
      g_autofree char *text = g_strdup_printf ("mark %u", i);

      g_assert_true (sl_record_mark (&record, i, text));
    }
  take (&record, 30, 0, 1, 3);
  take (&record, 31, 0, 1, 3);
  sl_record_truncate (&record, 30);
  g_assert_cmpuint (record.n_flags, ==, 31);
  g_assert_cmpuint (record.flag[30].number, ==, 31);
  g_assert_cmpstr (record.flag[0].text, ==, "mark 0");
  g_assert_cmpfloat (record.flag[30].step, ==, 30);
  g_assert_cmpuint (record.series[0].n, ==, 1);
  sl_record_clear (&record);
}

static void
add_change (SlRecipe *recipe, uint64_t step, const char *id, double value)
{
  const SlLab *lab = recipe->lab;
  SlChange     change = { .step = step,
                          .param = (unsigned) sl_param_find (lab->params, lab->n_params, id),
                          .value = { 1, { value } } };

  g_array_append_val (recipe->changes, change);
}

static double
rate_after (const SlRecipe *recipe, unsigned n)
{
  return sl_recipe_settings (recipe, n).value[0].v[0];
}

/* The settings after some of the changes, and messages of markers that stand in English. */
static void
test_changes (void)
{
  SlRecord   record;
  SlSettings settings;
  SlRecipe   recipe;

  make_record (&record, &settings);
  sl_recipe_init (&recipe, &sl_walk_lab, &settings, NULL, 5);
  g_assert_cmpuint (recipe.seed, ==, 5);
  g_assert_cmpstr (recipe.data, ==, "");
  g_assert_cmpstr (recipe.version, ==, SL_VERSION);
  g_assert_cmpfloat (rate_after (&recipe, 9), ==, 0.1);
  g_assert_true (sl_record_mark (&record, 11, "Rate 0.1 → 0.5"));
  sl_recipe_name_markers (&recipe, &record); /* there are no changes */
  g_assert_cmpstr (record.flag[0].text, ==, "Rate 0.1 → 0.5");
  recipe.changes = g_array_new (FALSE, FALSE, sizeof (SlChange));
  add_change (&recipe, 10, "rate", 0.2);
  add_change (&recipe, 12, "rate", 0.5); /* a drag: one marker */
  add_change (&recipe, 20, "kind", 1);
  g_assert_cmpfloat (rate_after (&recipe, 0), ==, 0.1);
  g_assert_cmpfloat (rate_after (&recipe, 1), ==, 0.2);
  g_assert_cmpfloat (rate_after (&recipe, 2), ==, 0.5);
  g_assert_cmpfloat (rate_after (&recipe, 99), ==, 0.5);
  g_assert_true (sl_record_mark (&record, 21, "Kind Fair → Upwards only"));
  g_assert_true (sl_record_mark (&record, 30, "Something else"));
  sl_recipe_name_markers (&recipe, &record);
  for (unsigned i = 0; i < 2; i++)
    g_assert_cmpstr (sl_english_text (record.flag[i].text), ==,
                     i == 0 ? "Rate 0.1 → 0.5" : "Kind Fair → Upwards only");
  g_assert_cmpstr (record.flag[0].text, !=, "Rate 0.1 → 0.5"); /* a message now */
  g_assert_cmpstr (record.flag[1].text, !=, "Kind Fair → Upwards only");
  g_assert_cmpstr (record.flag[2].text, ==, "Something else");
  sl_recipe_clear (&recipe);
  g_assert_null (recipe.changes);
  sl_record_clear (&record);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorded/lab", test_lab_for_data);
  g_test_add_func ("/recorded/batch", test_batch);
  g_test_add_func ("/recorded/copy", test_copy);
  g_test_add_func ("/recorded/marks", test_marks);
  g_test_add_func ("/recorded/changes", test_changes);
  return g_test_run ();
}
