/* SPDX-License-Identifier: MIT
 *
 * What sweeps vary, settings in words, and runs of one setting, against what is counted one by one.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/run/query/setting.h"
#include "core/run/tradeoff/tradeoff.h"
#include "tests/core/run/made-run.h"

static const char *const gates[] = { "noisy", "bias", "switch" };
static const char *const places[] = { "moons", "spirals" };

enum { RUNS = 48, TURNS = 20 };

/* What a made run was made of. */
typedef struct
{
  unsigned gate, k, data, lab;
} Made;

/* Runs of random settings, data and labs; few enough of each that most groups have several. */
static GPtrArray *
make_runs (Made made[RUNS])
{
  GPtrArray *runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);

  for (unsigned i = 0; i < RUNS; i++)
    {
      g_autofree char *words = NULL;
      SlStoreRun      *run;

      made[i]
        = (Made) { (unsigned) g_test_rand_int_range (0, 3), (unsigned) g_test_rand_int_range (1, 3),
                   (unsigned) g_test_rand_int_range (0, 2),
                   (unsigned) (g_test_rand_int_range (0, 4) == 0) };
      words = made[i].lab == 0 ? g_strdup_printf ("gate=%s k=%u", gates[made[i].gate], made[i].k)
                               : g_strdup_printf ("learning-rate=%g", 0.01 * made[i].k);
      run = made_run (made[i].lab == 0 ? "experts" : "sign-estimator", words,
                      g_test_rand_double_range (5, 50), "");
      run->data = places[made[i].data];
      run->seed = (guint64) g_test_rand_int_range (1, 1000);
      g_ptr_array_add (runs, run);
    }
  return runs;
}

static gboolean
is_one_setting (const Made *a, const Made *b)
{
  return a->lab == b->lab && a->data == b->data && a->k == b->k
         && (a->lab == 1 || a->gate == b->gate);
}

/* Two runs are together just when they differ in nothing but the seed, in whatever order they come. */
static void
test_groups (void)
{
  for (unsigned turn = 0; turn < TURNS; turn++)
    {
      Made     made[RUNS];
      unsigned group[RUNS], counted = 0;
      SlField  field;
      g_autoptr (GPtrArray) runs = make_runs (made);
      g_autoptr (GArray) groups = NULL;

      g_assert_true (sl_field_find ("setting", NULL, &field));
      groups = sl_run_groups (runs, &field, group);
      for (unsigned i = 0; i < RUNS; i++)
        for (unsigned k = 0; k < RUNS; k++)
          {
            gboolean same = is_one_setting (&made[i], &made[k]);

            g_assert_cmpint (group[i] == group[k], ==, same);
            g_assert_cmpint (
              sl_run_setting_key (runs->pdata[i]) == sl_run_setting_key (runs->pdata[k]), ==, same);
          }
      for (guint g = 0; g < groups->len; g++)
        {
          const SlRunGroup *one = &g_array_index (groups, SlRunGroup, g);
          double            sum = 0.0;
          unsigned          n = 0;

          for (unsigned i = 0; i < RUNS; i++)
            if (group[i] == g)
              {
                sum += sl_store_run_score (runs->pdata[i], "outcome.error");
                n++;
              }
          g_assert_cmpuint (n, >, 0);
          g_assert_cmpuint (one->n, ==, n);
          g_assert_cmpuint (one->error.n, ==, n);
          g_assert_cmpfloat_with_epsilon (one->error.mean, sum / n, 1e-9);
          counted += n;
        }
      g_assert_cmpuint (counted, ==, RUNS);
    }
}

/* Groups rise by their values, numbers as numbers, and are called by what differs. */
static void
test_order (void)
{
  static const char *const words[] = { "k=10", "k=2", "k=10", "k=1" };
  static const char *const called[] = { "k 1", "k 2", "k 10" };
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  g_autoptr (GArray) groups = NULL;
  unsigned group[G_N_ELEMENTS (words)];

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    g_ptr_array_add (runs, made_run ("experts", words[i], 10, ""));
  groups = sl_run_setting_groups (runs, TRUE, group);
  g_assert_cmpuint (groups->len, ==, G_N_ELEMENTS (called));
  for (guint g = 0; g < groups->len; g++)
    g_assert_cmpstr (g_array_index (groups, SlRunGroup, g).value.text, ==, called[g]);
  g_assert_cmpuint (group[0], ==, 2);
  g_assert_cmpuint (group[2], ==, 2);

  /* With the data, where there are several. */
  ((SlStoreRun *) runs->pdata[3])->data = "/here/rings.csv";
  g_clear_pointer (&groups, g_array_unref);
  groups = sl_run_setting_groups (runs, TRUE, group);
  g_assert_cmpstr (g_array_index (groups, SlRunGroup, 0).value.text, ==, "k 1, rings.csv");

  /* Of a lab that is not known, each run is its own. */
  for (guint i = 0; i < runs->len; i++)
    {
      SlStoreRun *run = runs->pdata[i];

      run->lab = NULL;
      run->uuid[0] = (char) ('a' + i);
    }
  g_clear_pointer (&groups, g_array_unref);
  groups = sl_run_setting_groups (runs, TRUE, group);
  g_assert_cmpuint (groups->len, ==, G_N_ELEMENTS (words));
  g_ptr_array_set_size (runs, 0);
  g_clear_pointer (&groups, g_array_unref);
  groups = sl_run_setting_groups (runs, TRUE, group);
  g_assert_cmpuint (groups->len, ==, 0);
}

/* What is found run by run is what is found of all runs of a sweep at once, and only more. */
static void
test_varied (void)
{
  for (unsigned turn = 0; turn < TURNS; turn++)
    {
      static const char *const sweeps[] = { "one", "other" };
      g_autoptr (SlVaried) varied = sl_varied_new ();
      GPtrArray *of[2] = { g_ptr_array_new (), g_ptr_array_new () };
      GPtrArray *packed[2] = { g_ptr_array_new (), g_ptr_array_new () };
      Made       made[RUNS];
      g_autoptr (GPtrArray) runs = make_runs (made);

      for (unsigned i = 0; i < RUNS; i++)
        {
          SlStoreRun     *run = runs->pdata[i];
          unsigned        s = made[i].lab, expected[SL_PARAMS_MAX], n;
          const unsigned *param = NULL;
          unsigned before = of[s]->len > 0 ? sl_varied_params (varied, of[s]->pdata[0], NULL) : 0;
          gboolean grew;

          run->sweep = sweeps[s];
          g_ptr_array_add (of[s], run);
          g_ptr_array_add (packed[s], run->settings);
          grew = sl_varied_add (varied, run);
          n = sl_tradeoff_varied (run->lab, (const SlPacked *const *) packed[s]->pdata,
                                  packed[s]->len, expected);
          g_assert_cmpuint (sl_varied_params (varied, run, &param), ==, n);
          g_assert_cmpint (grew, ==, n > before);
          g_assert_cmpuint (n, >=, before);
          for (unsigned p = 0; p < n; p++)
            g_assert_cmpuint (param[p], ==, expected[p]);
          g_assert_false (sl_varied_add (varied, run));
        }
      for (unsigned s = 0; s < G_N_ELEMENTS (of); s++)
        {
          g_ptr_array_unref (of[s]);
          g_ptr_array_unref (packed[s]);
        }
    }
}

static void
assert_text (const SlStoreRun *run, const SlVaried *varied, const char *expected)
{
  g_autofree char *text = sl_run_settings_text (run, varied, ", ", " ");

  g_assert_cmpstr (text, ==, expected);
}

/* A choice that is the default is named where the sweep varies it, and before all else. */
static void
test_words (void)
{
  g_autoptr (SlStoreRun) usual = made_run ("experts", "batch=17", 10, "");
  g_autoptr (SlStoreRun) other = made_run ("experts", "gate=bias batch=17", 10, "");
  g_autoptr (SlStoreRun) outside = made_run ("experts", "gate=bias", 10, "");
  g_autoptr (SlVaried) varied = sl_varied_new ();
  g_autofree char *none = NULL, *title = NULL;

  usual->sweep = other->sweep = "s";
  g_assert_false (sl_varied_add (varied, usual));
  none = sl_varied_text (varied, usual);
  g_assert_cmpstr (none, ==, "");
  assert_text (usual, varied, "k 2, batch 17");
  g_assert_true (sl_varied_add (varied, other));
  g_assert_false (sl_varied_add (varied, outside));
  assert_text (usual, varied, "gate noisy, k 2, batch 17");
  assert_text (other, varied, "gate bias, k 2, batch 17");
  assert_text (other, NULL, "gate bias, k 2, batch 17");
  assert_text (outside, varied, "gate bias");
  title = sl_varied_text (varied, other);
  g_assert_cmpstr (title, ==, "gate");
}

/* A field like others: it is found, listed, and can be searched in. */
static void
test_field (void)
{
  g_autoptr (SlStoreRun) run = made_run ("experts", "gate=bias batch=17", 10, "");
  g_autoptr (GPtrArray) names = sl_field_names (NULL);
  SlFieldValue value;
  SlField      field;

  g_assert_true (sl_field_find (SL_FIELD_SETTING, NULL, &field));
  g_assert_true (sl_field_is_setting (&field));
  g_assert_true (g_ptr_array_find_with_equal_func (names, SL_FIELD_SETTING, g_str_equal, NULL));
  sl_field_read (&field, run, &value);
  g_assert_cmpstr (value.text, ==, "gate bias, batch 17");
  g_assert_true (sl_field_find ("gate", NULL, &field));
  g_assert_false (sl_field_is_setting (&field));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/setting/groups", test_groups);
  g_test_add_func ("/setting/order", test_order);
  g_test_add_func ("/setting/varied", test_varied);
  g_test_add_func ("/setting/words", test_words);
  g_test_add_func ("/setting/field", test_field);
  return g_test_run ();
}
