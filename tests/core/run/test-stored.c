/* SPDX-License-Identifier: MIT
 *
 * Stored runs as others see them: the table of runs, the run that a recipe is of, and curves for other programs.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/json.h"
#include "core/run/foreign/foreign.h"
#include "core/run/foreign/stored.h"
#include "core/run/headless/headless.h"
#include "core/run/query/table.h"
#include "core/run/record/name.h"
#include "core/run/store/about/same.h"
#include "tests/core/run/made-run.h"
#include "tests/support/store-place.h"

/* ---- tables ---- */

static void
test_table (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func ((GDestroyNotify) sl_store_run_free);
  g_autofree char *csv = NULL, *none = NULL;
  SlStoreRun      *a = made_run ("experts", "k=3", 7.5, ""),
             *b = made_run ("sign-estimator", "", NAN, "");

  g_strlcpy (a->uuid, "aaaa", sizeof a->uuid);
  g_strlcpy (b->uuid, "bbbb", sizeof b->uuid);
  g_free (a->name);
  a->name = g_strdup ("my \"first\"");
  a->created = 1795478400; /* 2026-11-24 00:00 */
  a->step = 100;
  a->seconds = 2.5;
  a->threads = 2;
  b->created = -5;
  b->lab = NULL; /* of a lab that there is no more */
  made_figure (a, "test.error", 8);
  made_figure (a, "cost.executed", 20); /* a channel, of which there are many */
  made_figure (b, "valid.error", 9);
  g_ptr_array_add (runs, a);
  none = sl_store_table_csv (runs);
  g_assert_nonnull (strstr (none, ",error-of,error-at,k,outcome.error,test.error\n"));
  g_ptr_array_add (runs, b);
  csv = sl_store_table_csv (runs);
  g_assert_cmpstr (csv, ==,
                   "id,name,lab,data,seed,status,step,seconds,created,sweep,kernel,threads,error,"
                   "error-of,error-at,k,outcome.error,test.error,valid.error\n"
                   "aaaa,\"my \"\"first\"\"\",experts,moons:noise=0.2,1,finished,100,2.5,"
                   "2026-11-24T00:00:00Z,,haswell,2,8,test,100,3,7.5,8,\n"
                   "bbbb,,sign-estimator,moons:noise=0.2,1,finished,0,0,,,haswell,0,,,,,,,9\n");
}

/* The error of a run is its score, else its own figure, else what was measured on the way. */
static void
test_outcome (void)
{
  g_autoptr (SlStoreRun) run = made_run ("sign-estimator", "", NAN, "");
  g_autofree char *score = g_strconcat ("test.", run->lab->error, NULL);
  SlOutcome        outcome;

  sl_store_run_outcome (run, &outcome);
  g_assert_true (isnan (outcome.error) && isnan (outcome.executed) && isnan (outcome.timed));
  g_assert_false (outcome.validation);
  made_figure (run, run->lab->valid, 30);
  sl_store_run_outcome (run, &outcome);
  g_assert_cmpfloat (outcome.error, ==, 30);
  g_assert_true (outcome.validation);
  made_figure (run, score, 20);
  made_figure (run, sl_lab_costs (run->lab).executed, 40);
  made_figure (run, "valid.parameters", 5);
  sl_store_run_outcome (run, &outcome);
  g_assert_cmpfloat (outcome.error, ==, 20);
  g_assert_false (outcome.validation);
  g_assert_cmpfloat (outcome.executed, ==, 40);
  g_assert_cmpfloat (outcome.parameters, ==, 5);
  run->figure[0].value = 10;
  made_figure (run, "test.parameters", 6);
  made_figure (run, "outcome.executed", 41);
  made_figure (run, "outcome.timed-spread", 0.5);
  sl_store_run_outcome (run, &outcome);
  g_assert_cmpfloat (outcome.error, ==, 20);
  g_assert_cmpfloat (outcome.executed, ==, 41);
  g_assert_cmpfloat (outcome.parameters, ==, 6);
  g_assert_cmpfloat (outcome.timed_spread, ==, 0.5);
  run->lab = NULL;
  sl_store_run_outcome (run, &outcome);
  g_assert_cmpfloat (outcome.error, ==, 10);
}

/* ---- runs in a store ---- */

/* Trains a short run into the store; its name is to be freed, the recipe to be cleared. */
static char *
train (Place *place, uint64_t seed, unsigned steps, double change, SlRecipe *recipe)
{
  const SlLab    *lab = sl_lab_find ("sign-estimator");
  SlPlan          plan;
  SlHeadlessRun   run;
  SlRecord        record;
  char           *uuid;
  SlPlannedChange planned
    = { .when = 10,
        .param = (unsigned) sl_param_find (lab->params, lab->n_params, "learning-rate"),
        .value = { 1, { change } } };
  SlStatus status;

  sl_plan_init (&plan, lab);
  status = sl_settings_set_words (&plan.settings, lab->params, lab->n_params,
                                  "hidden=12-8 batch=10 report-every=5 evaluate-every=5");
  g_assert_true (sl_ok (&status));
  plan.data = g_strdup ("moons:points=300");
  plan.seed = seed;
  plan.budget.steps = steps;
  plan.store = g_object_ref (place->store);
  plan.uuid = uuid = g_uuid_string_random ();
  if (change > 0)
    g_array_append_val (plan.changes, planned);
  status = sl_headless_open (&run, &plan, NULL);
  g_assert_true (sl_ok (&status));
  sl_headless_write_begin (&run, &plan);
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_true (sl_ok (&status));
  sl_headless_write_end (&run, SL_RUN_FINISHED);
  g_assert_true (sl_store_flush (place->store, NULL));
  sl_headless_take (&run, &record, recipe);
  uuid = g_strdup (uuid);
  sl_record_clear (&record);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
  return uuid;
}

static void
assert_found (Place *place, const SlRecipe *recipe, const char *expected)
{
  g_autofree char *uuid = sl_store_find_recipe (place->store, recipe);

  g_assert_cmpstr (uuid, ==, expected);
}

/* The newest run of the same recipe that went at least as far. */
static void
test_same (Place *place, gconstpointer unused)
{
  SlRecipe               recipe, longer, changed, other;
  g_autofree char *first G_GNUC_UNUSED = train (place, 1, 20, 0, &recipe),
                         *second = train (place, 1, 30, 0, &longer);
  g_autofree char *third = train (place, 1, 30, 0.002, &changed),
                  *fourth = train (place, 2, 20, 0, &other);
  SlChange *change = &g_array_index (changed.changes, SlChange, 0);

  g_assert_cmpuint (changed.changes->len, ==, 1);
  assert_found (place, &longer, second);
  assert_found (place, &recipe, second);
  assert_found (place, &changed, third);
  assert_found (place, &other, fourth);
  /* Until its change it is the same run, whoever was the newest. */
  recipe.step = 9;
  assert_found (place, &recipe, third);
  recipe.step = 10;
  assert_found (place, &recipe, second);
  recipe.step = 31;
  assert_found (place, &recipe, NULL);
  recipe.step = 20;
  recipe.data_hash++;
  assert_found (place, &recipe, NULL);
  recipe.data_hash--;
  recipe.settings.value[0].v[0] += 1;
  assert_found (place, &recipe, NULL);
  other.seed = 3;
  assert_found (place, &other, NULL);
  change->value.v[0] = 0.003;
  assert_found (place, &changed, NULL);
  change->value.v[0] = 0.002;
  change->step = 11;
  assert_found (place, &changed, NULL);
  change->step = 10;
  change->param++;
  assert_found (place, &changed, NULL);
  sl_recipe_clear (&recipe);
  sl_recipe_clear (&longer);
  sl_recipe_clear (&changed);
  sl_recipe_clear (&other);
}

/* Every run with its recipe. */
static void
test_json (Place *place, gconstpointer unused)
{
  SlRecipe         recipe, again;
  g_autofree char *uuid = train (place, 3, 20, 0.002, &recipe), *text = NULL,
                  *name = sl_run_name (uuid);
  g_autofree char *json = NULL;
  g_autoptr (GPtrArray) runs = sl_store_list (place->store, NULL, FALSE, NULL);
  g_autoptr (SlJson) parsed = NULL;
  g_autoptr (GError) error = NULL;
  const SlJson *one;

  json = sl_store_table_json (place->store, runs, &error);
  g_assert_no_error (error);
  parsed = sl_json_parse (json, strlen (json), 1 << 20, "table", &error);
  g_assert_no_error (error);
  one = parsed->first;
  g_assert_cmpstr (sl_json_member_of (one, "id", SL_JSON_TEXT)->text, ==, uuid);
  g_assert_cmpstr (sl_json_member_of (one, "name", SL_JSON_TEXT)->text, ==, name);
  g_assert_cmpfloat (sl_json_member_of (one, "step", SL_JSON_NUMBER)->number, ==, 20);
  text = sl_store_recipe (place->store, uuid, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (json, g_strchomp (text)));
  g_assert_true (sl_recipe_read (text, &again, &error));
  g_assert_cmpuint (again.changes->len, ==, 1);
  /* A run that is there no more. */
  g_strlcpy (((SlStoreRun *) runs->pdata[0])->uuid, "none", SL_UUID);
  g_assert_null (sl_store_table_json (place->store, runs, &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  sl_recipe_clear (&again);
  sl_recipe_clear (&recipe);
}

/* Curves of two runs side by side, and as files for TensorBoard. */
static void
test_foreign (Place *place, gconstpointer unused)
{
  SlRecipe         one, two;
  g_autofree char *first = train (place, 1, 20, 0, &one), *second = train (place, 2, 10, 0, &two);
  const char      *uuids[] = { first, second, NULL }, *nobody[] = { "nobody", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = sl_stored_wide (place->store, uuids, &error), *name = NULL, *column = NULL;
  g_autofree char *folder = g_build_filename (place->folder, "events", NULL), *within = NULL,
                  *path = NULL;
  g_autoptr (GDir) dir = NULL;
  SlSeries  series = { 0 };
  SlForeign foreign;

  g_assert_no_error (error);
  name = sl_run_name (second);
  column = g_strdup_printf (",%s/error.valid", name);
  g_assert_true (g_str_has_prefix (csv, "step,"));
  g_assert_nonnull (strstr (csv, column));
  g_assert_null (sl_stored_wide (place->store, nobody, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  g_assert_true (sl_stored_events (place->store, uuids, folder, &error));
  g_assert_no_error (error);
  within = g_build_filename (folder, name, NULL);
  dir = g_dir_open (within, 0, NULL);
  path = g_build_filename (within, g_dir_read_name (dir), NULL);
  g_assert_null (g_dir_read_name (dir));
  g_assert_true (sl_foreign_open (&foreign, path, &error));
  g_assert_cmpstr (foreign.title, ==, name);
  g_assert_true (sl_store_load_channel (place->store, second, "error.valid", &series, &error));
  g_assert_cmpuint (series.n, >=, 2);
  g_assert_cmpuint (sl_foreign_find (&foreign, "error.valid")->series.n, ==, series.n);
  g_assert_cmpfloat (sl_foreign_find (&foreign, "error.valid")->series.value[series.n - 1], ==,
                     (double) (float) series.value[series.n - 1]);
  g_assert_false (sl_stored_events (place->store, nobody, folder, &error));
  g_clear_error (&error);
  g_assert_false (sl_stored_events (place->store, uuids, path, &error)); /* no folder, but a file */
  g_assert_nonnull (strstr (error->message, "a folder that can be made"));
  sl_foreign_clear (&foreign);
  sl_series_clear (&series);
  sl_recipe_clear (&one);
  sl_recipe_clear (&two);
}

int
main (int argc, char **argv)
{
  sl_remember_only ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stored/table", test_table);
  g_test_add_func ("/stored/outcome", test_outcome);
  g_test_add ("/stored/same", Place, NULL, set_up_place, test_same, tear_down_place);
  g_test_add ("/stored/json", Place, NULL, set_up_place, test_json, tear_down_place);
  g_test_add ("/stored/foreign", Place, NULL, set_up_place, test_foreign, tear_down_place);
  return g_test_run ();
}
