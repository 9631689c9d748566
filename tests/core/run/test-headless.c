/* SPDX-License-Identifier: MIT
 *
 * Runs without a window: their limits, changes on the way, how they go into a store and on from there, the
 * list of a store as tables, and which stored run a recipe is of.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/json.h"
#include "core/run/headless/headless.h"
#include "core/run/store/same.h"
#include "core/run/store/table.h"
#include "tests/support/folder.h"

enum { STEPS = 30, SCORED = 125 };

typedef struct
{
  char    *folder;
  SlStore *store;
} Place;

static void
set_up (Place *place, gconstpointer unused)
{
  g_autofree char *path = NULL;

  place->folder = g_dir_make_tmp ("sluice-headless-XXXXXX", NULL);
  path = g_build_filename (place->folder, "runs.sluice", NULL);
  place->store = sl_store_open (path, NULL);
  g_assert_nonnull (place->store);
}

static void
tear_down (Place *place, gconstpointer unused)
{
  g_assert_finalize_object (place->store);
  sl_remove_all (place->folder);
  g_free (place->folder);
}

static void
assert_ok (SlStatus status)
{
  char text[512];

  if (!sl_ok (&status))
    g_error ("%s", sl_status_text (&status, text, sizeof text));
}

static const SlLab *
lab (void)
{
  return sl_lab_find ("experts");
}

static SlPlannedChange
change_of (const char *id, const char *value, bool by_epoch, double when)
{
  SlPlannedChange change = { .by_epoch = by_epoch, .when = when };
  SlSettings      settings;

  sl_settings_default (&settings, lab ()->params, lab ()->n_params);
  assert_ok (sl_settings_set (&settings, lab ()->params, lab ()->n_params, id, value));
  change.param = (unsigned) sl_param_find (lab ()->params, lab ()->n_params, id);
  change.value = settings.value[change.param];
  return change;
}

/* A plan with two changes, one of which comes after a quarter of an epoch. */
static void
make_plan (SlPlan *plan, SlStore *store, const char *batch)
{
  SlPlannedChange late = change_of ("learning-rate", "0.002", true, 0.25);
  SlPlannedChange early = change_of ("learning-rate", "0.001", false, 5);

  sl_plan_init (plan, lab ());
  assert_ok (sl_settings_set (&plan->settings, lab ()->params, lab ()->n_params, "batch", batch));
  plan->data = g_strdup ("moons");
  plan->budget.steps = STEPS;
  plan->threads = 1;
  g_array_append_val (plan->changes, late);
  g_array_append_val (plan->changes, early);
  plan->store = store != NULL ? g_object_ref (store) : NULL;
}

/* Trains a plan and writes it; *recipe is to be cleared. */
static void
perform (SlPlan *plan, SlRecipe *recipe)
{
  SlHeadlessRun run;
  SlRecord      record;

  assert_ok (sl_headless_open (&run, plan, NULL));
  sl_headless_write_begin (&run, plan);
  assert_ok (sl_headless_train (&run, NULL, NULL));
  if (run.writer != NULL)
    sl_writer_score (run.writer, "test.error", SCORED / 10.0);
  sl_headless_write_end (&run, SL_RUN_FINISHED);
  sl_headless_take (&run, &record, recipe);
  sl_record_clear (&record);
  sl_headless_clear (&run);
  sl_plan_clear (plan);
}

static GPtrArray *
list (Place *place)
{
  GPtrArray *runs;

  g_assert_true (sl_store_flush (place->store, NULL));
  runs = sl_store_list (place->store, NULL, FALSE, NULL);
  g_assert_nonnull (runs);
  return runs;
}

/* ---- limits ---- */

static bool
stop_at_ten (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  double *last = data;

  g_assert_true (done >= *last && done <= 1);
  *last = done;
  return sl_trainer_steps (run->trainer) < 10;
}

static void
test_limits (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;
  SlProgress    progress;
  double        last = 0;

  make_plan (&plan, NULL, "16");
  assert_ok (sl_headless_open (&run, &plan, NULL));
  status = sl_headless_train (&run, stop_at_ten, &last);
  g_assert_cmpint (status.code, ==, SL_ECANCELLED);
  g_assert_cmpuint (run.recipe.step, ==, 10);
  g_assert_cmpfloat (last, ==, 10.0 / STEPS);
  /* One change is made, the other one waits. */
  g_assert_cmpuint (run.recipe.changes->len, ==, 1);
  g_assert_cmpuint (g_array_index (run.recipe.changes, SlChange, 0).step, ==, 5);
  assert_ok (sl_headless_train (&run, NULL, NULL));
  g_assert_cmpuint (run.recipe.step, ==, STEPS);
  g_assert_cmpuint (run.recipe.changes->len, ==, 2);
  g_assert_cmpuint (run.record.n_flags, ==, 2);

  run.budget = (SlBudget) { .epochs = 12 };
  assert_ok (sl_headless_train (&run, NULL, NULL));
  sl_trainer_progress (run.trainer, &progress);
  g_assert_true (progress.epochs >= 12 && progress.epochs < 12.5);
  run.budget = (SlBudget) { .seconds = run.seconds + 0.01, .steps = UINT64_MAX };
  assert_ok (sl_headless_train (&run, NULL, NULL));
  g_assert_true (run.seconds >= run.budget.seconds);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

static void
test_refused (void)
{
  SlPlan        plan;
  SlHeadlessRun run;
  SlStatus      status;

  make_plan (&plan, NULL, "16");
  g_free (plan.data);
  plan.data = g_strdup ("moons:noise=much");
  status = sl_headless_open (&run, &plan, NULL);
  g_assert_false (sl_ok (&status));
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* A change of what cannot be changed while running ends the training. */
static void
test_refused_change (void)
{
  SlPlan          plan;
  SlHeadlessRun   run;
  SlPlannedChange change = { .when = 3 };
  SlStatus        status;

  make_plan (&plan, NULL, "16");
  while (lab ()->params[change.param].effect == SL_LIVE)
    change.param++;
  change.value = plan.settings.value[change.param];
  g_array_append_val (plan.changes, change);
  assert_ok (sl_headless_open (&run, &plan, NULL));
  status = sl_headless_train (&run, NULL, NULL);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
  g_assert_cmpuint (run.recipe.step, ==, 3);
  sl_headless_clear (&run);
  sl_plan_clear (&plan);
}

/* ---- in a store ---- */

static void
check_stored (Place *place, const char *uuid)
{
  SlStoredRun run;

  g_assert_true (sl_store_load (place->store, uuid, FALSE, UINT64_MAX, &run, NULL));
  g_assert_cmpuint (run.recipe.changes->len, ==, 2);
  g_assert_cmpuint (run.record.n_flags, ==, 2);
  g_assert_cmpuint (run.recipe.step, ==, 2 * STEPS);
  sl_stored_run_clear (&run);
}

/* A stored run goes on where it was, with the changes made before. */
static void
test_goes_on (Place *place, gconstpointer unused)
{
  SlPlan   plan;
  SlRecipe first, second;
  g_autoptr (GPtrArray) runs = NULL;
  const SlStoreRun *run;
  g_autofree char  *uuid = NULL;

  make_plan (&plan, place->store, "16");
  perform (&plan, &first);
  runs = list (place);
  g_assert_cmpuint (runs->len, ==, 1);
  run = runs->pdata[0];
  uuid = g_strdup (run->uuid);
  g_assert_cmpuint (run->step, ==, STEPS);
  g_assert_cmpint (run->status, ==, SL_RUN_FINISHED);
  g_assert_true (run->resumable);
  g_assert_cmpfloat (sl_store_run_score (run, "test.error"), ==, SCORED / 10.0);

  sl_plan_init (&plan, lab ());
  g_assert_true (sl_store_load (place->store, uuid, TRUE, UINT64_MAX, &plan.stored, NULL));
  sl_plan_recipe (&plan, &plan.stored.recipe, plan.stored.changes);
  g_assert_cmpuint (plan.changes->len, ==, 0);
  plan.budget.steps = 2 * STEPS;
  plan.store = g_object_ref (place->store);
  perform (&plan, &second);
  g_assert_cmpuint (second.step, ==, 2 * STEPS);
  g_assert_cmpuint (second.changes->len, ==, 2);
  g_clear_pointer (&runs, g_ptr_array_unref);
  runs = list (place);
  g_assert_cmpuint (runs->len, ==, 1);
  run = runs->pdata[0];
  g_assert_cmpstr (run->uuid, ==, uuid);
  g_assert_cmpuint (run->step, ==, 2 * STEPS);
  check_stored (place, uuid);
  sl_recipe_clear (&first);
  sl_recipe_clear (&second);
}

static void
assert_found (Place *place, const SlRecipe *recipe, const char *expected)
{
  g_autofree char *uuid = sl_store_find_recipe (place->store, recipe);

  g_assert_cmpstr (uuid, ==, expected);
}

static void
test_find (Place *place, gconstpointer unused)
{
  SlPlan   plan;
  SlRecipe mine, other;
  g_autoptr (GPtrArray) runs = NULL;
  const char *newest, *larger;
  SlChange   *change;

  for (unsigned i = 0; i < 3; i++)
    {
      make_plan (&plan, place->store, i < 2 ? "16" : "8");
      perform (&plan, i < 2 ? &mine : &other);
      if (i == 0)
        sl_recipe_clear (&mine);
    }
  runs = list (place);
  newest = ((SlStoreRun *) runs->pdata[1])->uuid;
  larger = ((SlStoreRun *) runs->pdata[2])->uuid;
  assert_found (place, &mine, newest);
  assert_found (place, &other, larger);
  mine.seed++;
  assert_found (place, &mine, NULL);
  mine.seed--;
  mine.data_hash ^= 1;
  assert_found (place, &mine, NULL);
  mine.data_hash ^= 1;
  mine.lab = sl_lab_find ("sign-estimator");
  assert_found (place, &mine, NULL);
  mine.lab = lab ();
  mine.step++;
  assert_found (place, &mine, NULL);
  /* Shorter: changes that were still to come do not count. */
  mine.step = 6;
  assert_found (place, &mine, newest);
  mine.step = STEPS;
  change = &g_array_index (mine.changes, SlChange, 0);
  change->value.v[0] *= 2;
  assert_found (place, &mine, NULL);
  change->value.v[0] /= 2;
  change->step++;
  assert_found (place, &mine, NULL);
  change->step--;
  assert_found (place, &mine, newest);
  g_array_set_size (mine.changes, 1);
  assert_found (place, &mine, NULL);
  sl_recipe_clear (&mine);
  sl_recipe_clear (&other);
}

/* The cells of a line; commas between quotes become semicolons. */
static char **
split (const char *line)
{
  g_autofree char *text = g_strdup (line);
  gboolean         quoted = FALSE;

  for (char *c = text; *c != '\0'; c++)
    {
      quoted ^= *c == '"';
      if (quoted && *c == ',')
        *c = ';';
    }
  return g_strsplit (text, ",", -1);
}

/* The value of a column in a row of a table. */
static char *
cell_of (char **lines, unsigned row, const char *column)
{
  g_auto (GStrv) head = split (lines[0]), cells = split (lines[row]);

  g_assert_cmpuint (g_strv_length (head), ==, g_strv_length (cells));
  for (unsigned i = 0; head[i] != NULL; i++)
    if (strcmp (head[i], column) == 0)
      return g_strdup (cells[i]);
  return NULL;
}

static void
assert_cell (char **lines, unsigned row, const char *column, const char *expected)
{
  g_autofree char *cell = cell_of (lines, row, column);

  g_assert_cmpstr (cell, ==, expected);
}

static void
test_tables (Place *place, gconstpointer unused)
{
  SlPlan   plan;
  SlRecipe recipe;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (SlJson) json = NULL;
  const SlJson    *array;
  unsigned         at = 0;
  g_autofree char *csv = NULL, *text = NULL, *json_text = NULL;
  g_auto (GStrv) lines = NULL;

  for (unsigned i = 0; i < 2; i++)
    {
      make_plan (&plan, place->store, i == 0 ? "17" : "8");
      plan.seed = 40 + i;
      perform (&plan, &recipe);
      sl_recipe_clear (&recipe);
    }
  runs = list (place);
  ((SlStoreRun *) runs->pdata[1])->created = -1;
  csv = sl_store_table_csv (runs);
  lines = g_strsplit (g_strchomp (csv), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  for (unsigned row = 1; row < 3; row++)
    {
      assert_cell (lines, row, "id", ((SlStoreRun *) runs->pdata[row - 1])->uuid);
      assert_cell (lines, row, "lab", "experts");
      assert_cell (lines, row, "status", "finished");
      assert_cell (lines, row, "step", "30");
      assert_cell (lines, row, "threads", "1");
      assert_cell (lines, row, "error", "12.5");
      assert_cell (lines, row, "error-of", "test");
      assert_cell (lines, row, "test.error", "12.5");
      assert_cell (lines, row, "learning-rate", "0.002");
      assert_cell (lines, row, "k", NULL); /* as usual in both */
    }
  assert_cell (lines, 1, "batch", "17");
  assert_cell (lines, 2, "batch", "8");
  assert_cell (lines, 1, "seed", "40");
  assert_cell (lines, 2, "seed", "41");
  assert_cell (lines, 2, "created", "");

  /* Of a lab that is not known here, and without scores. */
  ((SlStoreRun *) runs->pdata[0])->lab = NULL;
  ((SlStoreRun *) runs->pdata[0])->n_figures = 0;
  g_clear_pointer (&csv, g_free);
  g_clear_pointer (&lines, g_strfreev);
  csv = sl_store_table_csv (runs);
  lines = g_strsplit (g_strchomp (csv), "\n", -1);
  assert_cell (lines, 1, "batch", "");
  assert_cell (lines, 1, "test.error", "");
  assert_cell (lines, 1, "error-of", "");
  assert_cell (lines, 2, "test.error", "12.5");

  json_text = sl_store_table_json (runs);
  text = g_strdup_printf ("{\"runs\": %s}", json_text);
  json = sl_json_parse_object (text, strlen (text), 1 << 20, "table", NULL);
  g_assert_nonnull (json);
  array = sl_json_member_of (json, "runs", SL_JSON_ARRAY);
  g_assert_cmpuint (array->n, ==, 2);
  for (const SlJson *element = array->first; element != NULL; element = element->next)
    {
      const SlStoreRun *run = runs->pdata[at++];

      g_assert_cmpstr (sl_json_member_of (element, "id", SL_JSON_TEXT)->text, ==, run->uuid);
      g_assert_cmpfloat (sl_json_member_of (element, "step", SL_JSON_NUMBER)->number, ==, STEPS);
      g_assert_nonnull (sl_json_member_of (element, "recipe", SL_JSON_OBJECT));
      g_assert_true ((sl_json_member_of (element, "error", SL_JSON_NUMBER) != NULL) == (at == 2));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  sl_remember_only ();
  g_test_add_func ("/headless/limits", test_limits);
  g_test_add_func ("/headless/refused", test_refused);
  g_test_add_func ("/headless/refused-change", test_refused_change);
  g_test_add ("/headless/goes-on", Place, NULL, set_up, test_goes_on, tear_down);
  g_test_add ("/headless/find", Place, NULL, set_up, test_find, tear_down);
  g_test_add ("/headless/tables", Place, NULL, set_up, test_tables, tear_down);
  return g_test_run ();
}
