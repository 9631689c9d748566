/* SPDX-License-Identifier: MIT
 *
 * Sweeps as data: what is typed becomes a list of runs that is the same everywhere, and shards
 * are all of it once.  */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/error.h"
#include "core/run/sweep/command-line.h"
#include "core/run/sweep/run.h"
#include "core/run/sweep/sweep.h"
#include "tests/core/run/sweep-help.h"

static void
assert_axis (const char *lab, const char *typed, const char *expected)
{
  GError *error = NULL;
  SlSweep sweep;

  sl_sweep_init (&sweep, sweep_lab (lab));
  sl_sweep_add_axis (&sweep, typed, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sweep.n_axes, ==, 1);

  g_autofree char *text = sl_sweep_axis_text (&sweep, 0);

  g_assert_cmpstr (text, ==, expected);
  sl_sweep_clear (&sweep);
}

static void
test_axes (void)
{
  assert_axis ("experts", "k=1,2,4", "k=1,2,4");
  assert_axis ("experts", "k=1:16:5log", "k=1,2,4,8,16");
  assert_axis ("experts", "k=1:3:9", "k=1,2,3");
  assert_axis ("experts", "k=4,4,2", "k=4,2");
  assert_axis ("experts", "gate=noisy,balanced", "gate=noisy,balanced");
  assert_axis ("sign-estimator", "rank=50-35-25,25-25-25,5", "rank=50-35-25,25-25-25,5");
  assert_axis ("sign-estimator", "rank=5:50:4", "rank=5,20,35,50");
  assert_axis ("sign-estimator", "theta=0:1:11", "theta=0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1");
  assert_axis ("sign-estimator", "learning-rate=0.001:0.1:3log", "learning-rate=0.001,0.01,0.1");
  assert_axis ("gated-recurrence", "s=-0.75:0:4", "s=-0.75,-0.5,-0.25,0");
}

static void
test_refusals (void)
{
  static const struct
  {
    const char *typed, *hint;
  } wrong[] = {
    { "rank", "ID=VALUES" },         { "ranks=5", "rank" },
    { "=5", "ID=VALUES" },           { "rank=", "rank" },
    { "rank=5,,6", "rank" },         { "rank=0:5", "lo:hi:n" },
    { "rank=1:64:7lag", "lo:hi:n" }, { "theta=0:1:3log", "above 0" },
    { "rank=1:2:0", "lo:hi:n" },     { "theta=9", "from -2 to 2" },
    { "optimiser=0:1:2", "commas" }, { "theta=0:1:9999", "too many" },
    { "theta=nan:1:3", "lo:hi:n" },  { "rank=1:9e99:3", "rank" },
    { "seed=1,2,3", "--seeds 1-3" },
  };
  SlSweep sweep;

  sl_sweep_init (&sweep, sweep_lab ("sign-estimator"));
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (sl_sweep_add_axis (&sweep, wrong[i].typed, &error));
      g_assert_nonnull (error);
      g_test_message ("%s: %s", wrong[i].typed, error->message);
      g_assert_nonnull (strstr (error->message, wrong[i].hint));
      g_assert_cmpuint (sweep.n_axes, ==, 0);
    }
  for (const char *const *text = (const char *const[]) { "", "1-", "5-1", "a", "1,,2", "-3",
                                                         "1-9999", "99999999999999999999", NULL };
       *text != NULL; text++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (sl_sweep_set_seeds (&sweep, *text, &error));
      g_assert_nonnull (error);
      g_assert_cmpuint (sweep.seeds->len, ==, 1);
    }
  for (const char *const *text
       = (const char *const[]) { "", "0/2", "3/2", "1", "1/2/3", "-1/2", "1/0", NULL };
       *text != NULL; text++)
    {
      g_autoptr (GError) error = NULL;
      unsigned i, n;

      g_assert_false (sl_sweep_read_shard (*text, &i, &n, &error));
      g_assert_nonnull (error);
    }
  sl_sweep_clear (&sweep);
}

static void
test_checks (void)
{
  g_autoptr (GError) error = NULL;
  SlSweep sweep;

  sweep_small (&sweep);
  g_assert_true (sl_sweep_check (&sweep, NULL));
  sweep.budget.steps = 0;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  sweep.budget.epochs = NAN;
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  sweep.budget.epochs = 1;
  g_free (sweep.data);
  sweep.data = g_strdup ("grammar");
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_assert_error (error, SL_ERROR, SL_EUNSUPPORTED);
  g_clear_error (&error);
  g_free (sweep.data);
  sweep.data = g_strdup ("moonz");
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  g_free (sweep.data);
  sweep.data = g_strdup ("moons");
  for (int a = 0; a < 2; a++)
    g_assert_true (
      sl_sweep_add_axis (&sweep, a == 0 ? "rank=1:1000:999" : "learning-rate=0.001:0.1:999", NULL));
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_assert_nonnull (strstr (error->message, "at most 100000"));
  sl_sweep_clear (&sweep);
}

static void
test_expansion (void)
{
  SlSweep sweep, other;

  sweep_small (&sweep);

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  g_assert_cmpuint (jobs->len, ==, 8);
  g_assert_cmpuint (sl_sweep_count (&sweep), ==, 8);
  for (guint i = 0; i < jobs->len; i++)
    {
      const SlSweepJob *job = &g_array_index (jobs, SlSweepJob, i);

      g_assert_cmpuint (job->number, ==, i);
      g_assert_cmpuint (job->seed, ==, 1 + i / 4);
      g_assert_cmpuint (job->at[0], ==, i / 2 % 2);
      g_assert_cmpuint (job->at[1], ==, i % 2);
      g_assert_true (g_uuid_string_is_valid (job->id));
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (job->id, !=, g_array_index (jobs, SlSweepJob, j).id);
    }
  /* A name is for always: stores of other machines and versions know it. */
  g_assert_cmpstr (g_array_index (jobs, SlSweepJob, 0).id, ==,
                   "5256c273-cc89-82b7-9ee0-ed31eff24082");

  /* Whatever way it was typed, the run is the same one. */
  sweep_small (&other);
  g_free (other.data);
  other.data = g_strdup ("moons:points=300,noise=0.08");
  g_assert_true (sl_sweep_add_axis (&other, "rank=6-4", NULL));

  g_autoptr (GArray) fewer = sl_sweep_expand (&other);

  g_assert_cmpstr (g_array_index (fewer, SlSweepJob, 0).id, ==,
                   g_array_index (jobs, SlSweepJob, 2).id);
  other.budget.steps++;

  g_autoptr (GArray) longer = sl_sweep_expand (&other);

  g_assert_cmpstr (g_array_index (fewer, SlSweepJob, 0).id, !=,
                   g_array_index (longer, SlSweepJob, 0).id);
  sl_sweep_clear (&sweep);
  sl_sweep_clear (&other);
}

/* A list that follows another one has its length, whichever axis comes first. */
static void
test_following_lists (void)
{
  SlSweep sweep;

  sl_sweep_init (&sweep, sweep_lab ("sign-estimator"));
  g_assert_true (sl_sweep_add_axis (&sweep, "rank=7", NULL));
  g_assert_true (sl_sweep_add_axis (&sweep, "hidden=10,10-9,10-9-8-7", NULL));

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  unsigned hidden = sweep.axis[1].param, rank = sweep.axis[0].param;

  g_assert_cmpuint (jobs->len, ==, 3);
  for (guint i = 0; i < jobs->len; i++)
    {
      const SlSettings *settings = &g_array_index (jobs, SlSweepJob, i).settings;

      g_assert_cmpuint (settings->value[rank].n, ==, settings->value[hidden].n);
      for (unsigned l = 0; l < settings->value[rank].n; l++)
        g_assert_cmpfloat (settings->value[rank].v[l], ==, 7);
    }
  sl_sweep_clear (&sweep);
}

static void
test_shards (void)
{
  SlSweep sweep;

  sweep_small (&sweep);
  for (unsigned shards = 1; shards <= 10; shards++)
    {
      unsigned seen[8] = { 0 };

      for (unsigned shard = 1; shard <= shards; shard++)
        {
          g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

          sl_sweep_shard (jobs, shard, shards);
          for (guint i = 0; i < jobs->len; i++)
            seen[g_array_index (jobs, SlSweepJob, i).number]++;
        }
      for (unsigned i = 0; i < 8; i++)
        g_assert_cmpuint (seen[i], ==, 1);
    }
  sl_sweep_clear (&sweep);
}

/* A sweep of capacity with these members, which are wrong, and what the sentence says. */
#define CAPACITY(members) "{\"sluice-sweep\": 1, \"lab\": \"capacity\", " members "}"

static const char *const wrong_json[][2] = {
  { "", "the sweep" },
  { "[]", "a JSON object" },
  { "{}", "no \"sluice-sweep\"" },
  { "{\"sluice-sweep\": 2}", "expected version 1, the newest" },
  { "{\"sluice-sweep\": 0.5}", "with 0.5" },
  { "{\"sluice-sweep\": 1}", "lab" },
  { "{\"sluice-sweep\": 1, \"lab\": \"none\"}", "the id of a lab" },
  { "{\"sluice-sweep\": \"1\", \"lab\": \"capacity\", \"seeds\": \"1\", \"steps\": 5}",
    "found a text" },
  { CAPACITY ("\"seeds\": \"1\""), "the length of a run" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": -1"), "steps: found a number out of range" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 1e15"), "steps: found a number out of range" },
  { CAPACITY ("\"seeds\": \"1\", \"epochs\": -1"), "epochs: found a number out of range" },
  { CAPACITY ("\"seeds\": \"1\", \"seconds\": \"5\""), "seconds: found something else" },
  { CAPACITY ("\"seeds\": \"1\", \"patience\": -2"), "patience: found a number out of range" },
  { CAPACITY ("\"seeds\": 1, \"steps\": 5"), "seeds: found no text" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"axes\": [5]"), "texts like" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"axes\": 5"), "an array" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"data\": \"moons\""), "it needs no data" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"settings\": {\"x\": \"1\"}"), "x" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"settings\": {\"w\": 1}"), "a text" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"settings\": 1"), "an object" },
  { CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"how\": \"random\", \"points\": 5"),
    "draw: found no text" },
  { CAPACITY ("\"how\": \"random\", \"points\": 5, \"draw\": \"x\""), "draw: found no text" },
  { CAPACITY ("\"how\": \"random\", \"points\": 0, \"draw\": \"1\""), "from 1 to 1000" },
  { CAPACITY ("\"how\": \"random\", \"points\": 1001, \"draw\": \"1\""), "from 1 to 1000" },
  { CAPACITY ("\"how\": \"halton\", \"points\": 5, \"draw\": \"1\""), "random, latin" },
  { CAPACITY ("\"how\": \"random\", \"points\": \"5\", \"draw\": \"1\""),
    "points: found something else" },
};

static void
test_json (void)
{
  SlSweep sweep, again;
  GError *error = NULL;

  sweep_small (&sweep);
  sweep.budget.epochs = 0.1;
  sweep.budget.patience = 2.5;

  g_autofree char *json = sl_sweep_write (&sweep);

  sl_sweep_read (json, &again, &error);
  g_assert_no_error (error);

  g_autofree char *twice = sl_sweep_write (&again);
  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  g_autoptr (GArray) others = sl_sweep_expand (&again);

  g_assert_cmpstr (json, ==, twice);
  g_assert_cmpuint (jobs->len, ==, others->len);
  for (guint i = 0; i < jobs->len; i++)
    g_assert_cmpstr (g_array_index (jobs, SlSweepJob, i).id, ==,
                     g_array_index (others, SlSweepJob, i).id);
  sl_sweep_clear (&sweep);
  sl_sweep_clear (&again);

  /* An earlier version's, which pruned: that is noted, and the rest is read. */
  g_assert_true (
    sl_sweep_read (CAPACITY ("\"seeds\": \"1\", \"steps\": 5, \"prune\": 2"), &again, NULL));
  g_assert_true (again.note == sl_sweep_unpruned);
  g_assert_cmpuint (again.budget.steps, ==, 5);
  sl_sweep_clear (&again);
  g_assert_true (sl_sweep_read (CAPACITY ("\"seeds\": \"1\", \"steps\": 5"), &again, NULL));
  g_assert_null (again.note);
  sl_sweep_clear (&again);

  for (size_t i = 0; i < G_N_ELEMENTS (wrong_json); i++)
    {
      g_autoptr (GError) refused = NULL;

      g_assert_false (sl_sweep_read (wrong_json[i][0], &again, &refused));
      g_test_message ("%s: %s", wrong_json[i][0], refused->message);
      g_assert_nonnull (strstr (refused->message, wrong_json[i][1]));
    }
}

static void
assert_check (const SlSweep *sweep, const char *hint)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sl_sweep_check (sweep, &error), ==, hint == NULL);
  if (hint != NULL && strstr (error->message, hint) == NULL)
    g_error ("\"%s\" says nothing of \"%s\"", error->message, hint);
}

/* As much as there may be, and one more. */
static void
test_limits (void)
{
  static const char *const axes[]
    = { "rank=5,10", "learning-rate=0.1,0.2", "batch=10,20", "theta=0,1", "hidden=10,20" };
  g_autoptr (GError) error = NULL;
  SlSweep sweep;

  sl_sweep_init (&sweep, sweep_lab ("sign-estimator"));
  sweep.budget.steps = 1;
  assert_check (&sweep, NULL);
  g_assert_true (sl_sweep_set_seeds (&sweep, "1-1000", NULL));
  g_assert_true (sl_sweep_add_axis (&sweep, "rank=1:100:100", NULL));
  g_assert_cmpuint (sl_sweep_count (&sweep), ==, SL_SWEEP_JOBS_MAX);
  assert_check (&sweep, NULL);
  g_assert_true (sl_sweep_add_axis (&sweep, "rank=1:101:101", NULL));
  assert_check (&sweep, "101000 runs");
  g_assert_false (sl_sweep_set_seeds (&sweep, "1-1001", NULL));
  g_assert_false (sl_sweep_set_seeds (&sweep, "1-1000,7,2000", NULL));
  g_assert_true (sl_sweep_set_seeds (&sweep, "1-1000,7", NULL));
  g_assert_true (sl_sweep_set_seeds (&sweep, "1", NULL));
  g_assert_true (sl_sweep_add_axis (&sweep, "rank=1:1000:1000", NULL));
  g_assert_cmpuint (sweep.axis[0].n, ==, SL_SWEEP_VALUES_MAX);
  g_assert_false (sl_sweep_add_axis (&sweep, "theta=0:1:1001", &error));
  g_assert_nonnull (strstr (error->message, "at most 1000"));
  g_assert_true (sl_sweep_add_axis (&sweep, "rank=5:5:1", NULL));
  g_assert_cmpuint (sweep.axis[0].n, ==, 1);
  for (size_t i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      assert_check (&sweep, NULL);
      g_assert_true (sl_sweep_add_axis (&sweep, axes[i], NULL));
    }
  g_assert_cmpuint (sweep.n_axes, ==, 5);
  assert_check (&sweep, "at most 4");
  sl_sweep_clear (&sweep);
}

static void
assert_seeds (const char *typed, const char *expected)
{
  SlSweep          sweep;
  g_autofree char *text = NULL;

  sl_sweep_init (&sweep, sweep_lab ("capacity"));
  g_assert_true (sl_sweep_set_seeds (&sweep, typed, NULL));
  text = sl_sweep_seeds_text (&sweep);
  g_assert_cmpstr (text, ==, expected);
  sl_sweep_clear (&sweep);
}

static void
test_seeds (void)
{
  unsigned shard, shards;

  assert_seeds ("5", "5");
  assert_seeds ("0-2,7", "0-2,7");
  assert_seeds ("3,4,5,9,8", "3-5,9,8");
  assert_seeds ("2-2,2", "2");
  assert_seeds ("18446744073709551614-18446744073709551615",
                "18446744073709551614-18446744073709551615");
  g_assert_true (sl_sweep_read_shard ("1/1", &shard, &shards, NULL));
  g_assert_true (shard == 1 && shards == 1);
  g_assert_true (sl_sweep_read_shard ("3/3", &shard, &shards, NULL));
  g_assert_true (shard == 3 && shards == 3);
}

/* A length that is not a number of updates, epochs or seconds. */
static void
test_lengths (void)
{
  SlSweep sweep;

  sweep_small (&sweep);
  for (int i = 0; i < 3; i++)
    {
      double *length = i == 0   ? &sweep.budget.epochs
                       : i == 1 ? &sweep.budget.seconds
                                : &sweep.budget.patience;

      for (int bad = 0; bad < 3; bad++)
        {
          *length = bad == 0 ? -1 : bad == 1 ? (double) INFINITY : (double) NAN;
          assert_check (&sweep, "negative or endless");
        }
      *length = 2;
      assert_check (&sweep, NULL);
      sweep.budget.steps = 0; /* it is long enough by itself */
      assert_check (&sweep, NULL);
      sweep.budget.steps = 40;
      *length = 0;
      assert_check (&sweep, NULL);
    }
  g_clear_pointer (&sweep.data, g_free);
  assert_check (&sweep, "no data");
  sl_sweep_clear (&sweep);
}

/* A name tells apart everything that makes another run, and nothing else. */
static void
test_names (void)
{
  SlBudget     plain = { .steps = 10 }, patient = { .steps = 10, .patience = 2 };
  SlBudget     epochs = { .steps = 10, .epochs = 1 }, seconds = { .steps = 10, .seconds = 1 };
  SlBudget     none = { 0 };
  const SlLab *lab = sweep_lab ("sign-estimator");
  SlSettings   usual;
  char         id[9][SL_SWEEP_ID];

  sl_settings_default (&usual, lab->params, lab->n_params);
  sl_sweep_name (lab, &usual, "moons", 1, &plain, id[0]);
  sl_sweep_name (lab, &usual, "moons", 1, &patient, id[1]);
  sl_sweep_name (lab, &usual, "moons", 1, &epochs, id[2]);
  sl_sweep_name (lab, &usual, "moons", 1, &seconds, id[3]);
  sl_sweep_name (lab, &usual, "moons", 1, &none, id[4]);
  sl_sweep_name (lab, &usual, "moons", 2, &plain, id[5]);
  sl_sweep_name (lab, &usual, "spirals", 1, &plain, id[6]);
  sl_sweep_name (lab, &usual, NULL, 1, &plain, id[7]);
  sl_sweep_name (lab, &usual, "nowhere.csv", 1, &plain, id[8]);
  for (int i = 0; i < 9; i++)
    {
      g_assert_true (g_uuid_string_is_valid (id[i]));
      g_assert_cmpint (id[i][14], ==, '8');
      g_assert_nonnull (strchr ("89ab", id[i][19]));
      for (int j = 0; j < i; j++)
        g_assert_cmpstr (id[i], !=, id[j]);
    }
}

/* Of two axes the last one is a row; one axis, or a list that was cut, makes no table. */
static void
test_rows (void)
{
  static const struct
  {
    const char *axes[2];
    unsigned    cut, row;
  } cases[] = {
    { { "rank=5,10", "learning-rate=0.1,0.2,0.3" }, 0, 3 },
    { { "rank=5,10", "learning-rate=0.1,0.2,0.3" }, 1, 0 },
    { { "rank=5,10,15" }, 0, 0 },
    { { NULL }, 0, 0 },
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SlSettings *settings[6];
      SlSweep           sweep;

      sl_sweep_init (&sweep, sweep_lab ("sign-estimator"));
      for (unsigned a = 0; a < 2 && cases[i].axes[a] != NULL; a++)
        g_assert_true (sl_sweep_add_axis (&sweep, cases[i].axes[a], NULL));

      g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

      g_assert_cmpuint (jobs->len, <=, G_N_ELEMENTS (settings));
      for (guint j = 0; j < jobs->len; j++)
        settings[j] = &g_array_index (jobs, SlSweepJob, j).settings;
      g_assert_cmpuint (sl_sweep_row (sweep.lab, settings, jobs->len - cases[i].cut), ==,
                        cases[i].row);
      sl_sweep_clear (&sweep);
    }
}

/* An axis over presets is whole settings: what one of them changes is as by default in the others,
 * what none changes is as in the sweep, and other axes are on top.  */
static void
test_presets (void)
{
  const SlLab *lab = sweep_lab ("experts");
  int          batch = sl_param_find (lab->params, lab->n_params, "batch");
  int          k = sl_param_find (lab->params, lab->n_params, "k");
  int          noise = sl_param_find (lab->params, lab->n_params, "noise");
  GError      *error = NULL;
  SlSweep      sweep;

  assert_axis ("experts", "preset=quick,collapse,quick", "preset=quick,collapse");
  sl_sweep_init (&sweep, lab);
  g_assert_false (sl_sweep_add_axis (&sweep, "preset=quick,none-of-them", &error));
  g_assert_nonnull (strstr (error->message, "collapse"));
  g_clear_error (&error);
  sl_settings_set_words (&sweep.settings, lab->params, lab->n_params, "noise=no noise-floor=0.05");
  sl_sweep_add_axis (&sweep, "k=1,3", &error);
  g_assert_no_error (error);
  sl_sweep_add_axis (&sweep, "preset=quick,collapse", &error);
  g_assert_no_error (error);
  sweep.budget.steps = 10;

  g_autofree char *json = sl_sweep_write (&sweep);
  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  SlSweep back;

  g_assert_cmpuint (jobs->len, ==, 4);
  for (guint i = 0; i < jobs->len; i++)
    {
      const SlSettings *settings = &g_array_index (jobs, SlSweepJob, i).settings;
      bool              quick = i % 2 == 0;

      g_assert_cmpfloat (settings->value[k].v[0], ==, i < 2 ? 1 : 3);
      g_assert_cmpfloat (settings->value[batch].v[0], ==,
                         quick ? 100 : lab->params[batch].fallback);
      g_assert_cmpfloat (settings->value[noise].v[0], ==, quick);
      g_assert_cmpfloat (
        settings->value[sl_param_find (lab->params, lab->n_params, "noise-floor")].v[0], ==, 0.05);
    }
  g_assert_true (sl_sweep_read (json, &back, &error));
  g_assert_no_error (error);

  g_autoptr (GArray) again = sl_sweep_expand (&back);

  for (guint i = 0; i < jobs->len; i++)
    g_assert_cmpstr (g_array_index (again, SlSweepJob, i).id, ==,
                     g_array_index (jobs, SlSweepJob, i).id);
  sl_sweep_clear (&back);
  sl_sweep_clear (&sweep);
}

/* Each sweep that a lab suggests can be made, with the seeds, axes and updates that it names. */
static void
test_hints (void)
{
  unsigned hints = 0;

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      g_assert_null (sl_sweep_hint (*lab, "nothing of this name"));
      for (unsigned i = 0; i < sl_lab_n_sweeps (*lab); i++)
        {
          const SlSweepHint *hint = &(*lab)->sweeps[i];
          g_auto (GStrv) axes = g_strsplit (hint->axes, " ", -1);
          g_autofree char *seeds = NULL;
          GError          *error = NULL;
          SlSweep          sweep;

          g_assert_true (sl_sweep_hint (*lab, hint->id) == hint);
          sl_sweep_init (&sweep, *lab);
          sl_sweep_suggest (&sweep, hint, &error);
          g_assert_no_error (error);
          g_assert_true (sl_sweep_check (&sweep, &error));
          g_assert_cmpuint (sweep.n_axes, ==, g_strv_length (axes));
          g_assert_cmpuint (sweep.budget.steps, ==, hint->steps);
          seeds = sl_sweep_seeds_text (&sweep);
          g_assert_cmpstr (seeds, ==, hint->seeds);
          g_assert_cmpuint (sl_sweep_count (&sweep), >, 1);
          sl_sweep_clear (&sweep);
          hints++;
        }
    }
  g_assert_cmpuint (hints, >=, 5);
}

/* Eight axes can be drawn from, and no ninth; one that is named again takes the place of the first. */
static void
test_many_axes (void)
{
  static const char *const axes[] = { "k",     "gate",   "learning-rate", "dropout",     "batch",
                                      "noise", "w-load", "experts",       "w-importance" };
  g_autoptr (GError) error = NULL;
  g_autofree char *noise = NULL;
  SlSweep          sweep;

  sl_sweep_init (&sweep, sweep_lab ("experts"));
  g_assert_true (sl_sweep_set_sample (&sweep, "random", SL_SWEEP_VALUES_MAX, 1, &error));
  for (unsigned i = 0; i < SL_SWEEP_AXES_MAX; i++)
    g_assert_true (sl_sweep_add_axis (&sweep, axes[i], &error));
  g_assert_false (sl_sweep_add_axis (&sweep, axes[SL_SWEEP_AXES_MAX], &error));
  g_assert_nonnull (strstr (error->message, "at most 8"));
  g_assert_true (sl_sweep_add_axis (&sweep, "k=2:3", NULL));
  g_assert_cmpuint (sweep.n_axes, ==, SL_SWEEP_AXES_MAX);
  noise = sl_sweep_axis_text (&sweep, 5);
  g_assert_cmpstr (noise, ==, "noise=no,yes");
  g_assert_cmpuint (sweep.axis[0].n, ==, 2);
  g_assert_true (sweep.axis[0].range && !sweep.axis[0].logarithmic);
  sl_sweep_clear (&sweep);
}

static void
assert_pool (unsigned at_once, unsigned threads, unsigned runs, unsigned wants_at_once,
             unsigned wants_threads)
{
  SlSweepPool pool = { .at_once = at_once, .threads = threads, .polite = true };
  SlSweepPool full = sl_sweep_pool (&pool, runs);

  g_assert_cmpuint (full.at_once, ==, wants_at_once);
  g_assert_cmpuint (full.threads, ==, wants_threads);
  g_assert_true (full.polite);
}

/* As many runs at a time as there are cores for, but no more than there are. */
static void
test_pool (void)
{
  unsigned cores = sl_blas_cores ();

  assert_pool (0, 0, 1000, cores, 1);
  assert_pool (0, cores, 1000, 1, cores);
  assert_pool (0, 10 * cores, 1000, 1, cores);
  assert_pool (0, 0, 1, 1, 1);
  assert_pool (0, 0, 0, 1, 1);
  assert_pool (7, 1, 1000, 7, 1);
  assert_pool (7, 1, 3, 3, 1);
}

/* What an axis is called, and one of presets too. */
static void
test_titles (void)
{
  const SlLab *lab = sweep_lab ("experts");
  unsigned     k = (unsigned) sl_param_find (lab->params, lab->n_params, "k");

  g_assert_cmpstr (sl_sweep_axis_title (lab, k), ==, lab->params[k].title);
  g_assert_cmpstr (sl_sweep_axis_title (lab, sl_lab_n_settings (lab)), ==, "Preset");
  g_assert_cmpstr (sl_sweep_axis_id (lab, k), ==, "k");
  g_assert_cmpstr (sl_sweep_axis_id (lab, sl_lab_n_settings (lab)), ==, "preset");
  g_assert_cmpint (sl_sweep_axis_find (lab, "k"), ==, k);
  g_assert_cmpint (sl_sweep_axis_find (lab, "preset"), ==, sl_lab_n_settings (lab));
  g_assert_cmpint (sl_sweep_axis_find (lab, "nothing"), ==, -1);
}

/* What only says how often something is measured is no axis, and the sentence says so. */
static void
test_view (void)
{
  SlSweep sweep;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sl_sweep_axis_find (sweep_lab ("experts"), "evaluate-every"), ==, -1);
  sl_sweep_init (&sweep, sweep_lab ("experts"));
  g_assert_false (sl_sweep_add_axis (&sweep, "evaluate-every=10,100", &error));
  g_assert_nonnull (strstr (error->message, "evaluate-every"));
  g_assert_nonnull (strstr (error->message, "view"));
  sl_sweep_clear (&sweep);
}

/* The ends of an axis: a single value is the lower one, and whole numbers are rounded. */
static void
test_ranges (void)
{
  assert_axis ("experts", "k=3:9:1", "k=3");
  assert_axis ("experts", "k=1:2:3", "k=1,2");
  assert_axis ("sign-estimator", "theta=1:-1:3", "theta=1,0,-1");
  assert_axis ("sign-estimator", "learning-rate=0.1:0.1:2log", "learning-rate=0.1");
  assert_axis ("sign-estimator", "learning-rate=0.001:0.1:1log", "learning-rate=0.001");
}

static void
draw_experts (SlSweep *sweep, const char *how, unsigned points, uint64_t draw)
{
  static const char *const axes[]
    = { "k=1:8", "learning-rate=0.0001:0.1:log", "gate=noisy,balanced", "dropout=0:0.5:lin" };
  GError *error = NULL;

  sl_sweep_init (sweep, sweep_lab ("experts"));
  sweep_set (sweep, "experts=8");
  sl_sweep_set_sample (sweep, how, points, draw, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < G_N_ELEMENTS (axes); i++)
    {
      sl_sweep_add_axis (sweep, axes[i], &error);
      g_assert_no_error (error);
    }
  sweep->budget.steps = 10;
  g_assert_true (sl_sweep_check (sweep, &error));
}

static double
setting (const SlSweep *sweep, const GArray *jobs, guint i, const char *id)
{
  int p = sl_param_find (sweep->lab->params, sweep->lab->n_params, id);

  return g_array_index (jobs, SlSweepJob, i).settings.value[p].v[0];
}

/* Of a Latin hypercube every eighth of an axis has as many points as any other, whole numbers and choices too; ratios
 * have equal chances where the axis is logarithmic.  */
static void
test_latin (void)
{
  enum { POINTS = 64, EIGHTHS = 8 };
  unsigned k[EIGHTHS] = { 0 }, rate[EIGHTHS] = { 0 }, decay[EIGHTHS] = { 0 }, gate[16] = { 0 };
  SlSweep  sweep;

  draw_experts (&sweep, "latin", POINTS, 7);
  g_assert_cmpuint (sl_sweep_count (&sweep), ==, POINTS);

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  g_assert_cmpuint (jobs->len, ==, POINTS);
  for (guint i = 0; i < POINTS; i++)
    {
      double share = log (setting (&sweep, jobs, i, "learning-rate") / 0.0001) / log (1000);

      k[(unsigned) setting (&sweep, jobs, i, "k") - 1]++;
      rate[MIN ((unsigned) (share * EIGHTHS), EIGHTHS - 1)]++;
      decay[MIN ((unsigned) (setting (&sweep, jobs, i, "dropout") / 0.5 * EIGHTHS), EIGHTHS - 1)]++;
      gate[(unsigned) setting (&sweep, jobs, i, "gate")]++;
    }
  for (unsigned e = 0; e < EIGHTHS; e++)
    {
      g_assert_cmpuint (k[e], ==, POINTS / EIGHTHS);
      g_assert_cmpuint (rate[e], ==, POINTS / EIGHTHS);
      g_assert_cmpuint (decay[e], ==, POINTS / EIGHTHS);
    }
  for (size_t g = 0; g < G_N_ELEMENTS (gate); g++)
    g_assert_true (gate[g] == 0 || gate[g] == POINTS / 2);
  sl_sweep_clear (&sweep);
}

static void
assert_same_jobs (const GArray *a, const GArray *b, gboolean same)
{
  unsigned differ = 0;

  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    differ
      += !g_str_equal (g_array_index (a, SlSweepJob, i).id, g_array_index (b, SlSweepJob, i).id);
  g_assert_true (same ? differ == 0 : differ == a->len);
}

/* The same seed draws the same, as JSON and as a command too; another one, or another way, does not. */
static void
test_draws (void)
{
  static const char *const ways[] = { "random", "latin" };

  for (size_t w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      SlSweep sweep, again, other, back;
      GError *error = NULL;

      draw_experts (&sweep, ways[w], 30, 3);
      draw_experts (&again, ways[w], 30, 3);
      draw_experts (&other, ways[w], 30, 4);

      g_autofree char *json = sl_sweep_write (&sweep), *line = sl_command_line_sweep (&sweep);
      g_autoptr (GArray) a = sl_sweep_expand (&sweep), b = sl_sweep_expand (&again),
                         c = sl_sweep_expand (&other), d = NULL;

      assert_same_jobs (a, b, TRUE);
      assert_same_jobs (a, c, FALSE);
      for (guint i = 0; i < a->len; i++)
        {
          g_assert_cmpfloat (setting (&sweep, a, i, "k"), >=, 1);
          g_assert_cmpfloat (setting (&sweep, a, i, "k"), <=, 8);
          g_assert_cmpfloat (setting (&sweep, a, i, "learning-rate"), >=, 0.0001);
          g_assert_cmpfloat (setting (&sweep, a, i, "learning-rate"), <=, 0.1);
        }
      sl_sweep_read (json, &back, &error);
      g_assert_no_error (error);
      d = sl_sweep_expand (&back);
      assert_same_jobs (a, d, TRUE);
      g_assert_nonnull (strstr (line, ways[w]));
      g_assert_nonnull (strstr (line, "--sample 30 --sample-seed 3"));
      g_assert_nonnull (strstr (line, "learning-rate=0.0001:0.1:log"));
      sl_sweep_clear (&back);
      sl_sweep_clear (&other);
      sl_sweep_clear (&again);
      sl_sweep_clear (&sweep);
    }
}

/* An axis that is only named is all that the parameter can be; more than one parameter can be drawn than combined. */
static void
test_whole_ranges (void)
{
  static const char *const refused[]
    = { "k=8:1", "k=1:8:square", "gate=1:2", "k=1:8:7log", "learning-rate=0:1:log" };
  static const char *const axes[] = { "k", "gate", "learning-rate", "dropout", "batch", "w-load" };
  SlSweep                  sweep;
  GError                  *error = NULL;

  sl_sweep_init (&sweep, sweep_lab ("experts"));
  sweep.budget.steps = 1;
  g_assert_false (sl_sweep_set_sample (&sweep, "halton", 3, 1, &error));
  g_clear_error (&error);
  g_assert_false (sl_sweep_set_sample (&sweep, "latin", 0, 1, &error));
  g_clear_error (&error);
  g_assert_true (sl_sweep_set_sample (&sweep, "latin", 5, 1, &error));
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_assert_false (sl_sweep_add_axis (&sweep, refused[i], &error));
      g_assert_nonnull (error);
      g_clear_error (&error);
    }
  for (size_t i = 0; i < G_N_ELEMENTS (axes); i++)
    g_assert_true (sl_sweep_add_axis (&sweep, axes[i], &error));
  g_assert_true (sl_sweep_check (&sweep, &error));

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);

  g_assert_cmpuint (jobs->len, ==, 5);
  g_assert_true (sl_sweep_set_sample (&sweep, "grid", 0, 1, &error));
  g_assert_false (sl_sweep_check (&sweep, &error));
  g_clear_error (&error);
  sl_sweep_clear (&sweep);
}

/* Every setting and seed is run on each of the data; names, JSON and command line keep that. */
static void
test_data (void)
{
  SlSweep sweep, again;
  GError *error = NULL;
  guint   n;

  sweep_small (&sweep);
  n = (guint) sl_sweep_count (&sweep);
  for (int i = 0; i < 2; i++) /* data that are there already are no more runs */
    {
      g_assert_true (sl_sweep_add_data (&sweep, sweep.data, NULL));
      g_assert_true (sl_sweep_add_data (&sweep, "moons:noise=0.3", NULL));
    }
  g_assert_true (sl_sweep_check (&sweep, NULL));
  g_assert_cmpuint (sl_sweep_count (&sweep), ==, 2 * n);

  g_autoptr (GArray) jobs = sl_sweep_expand (&sweep);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *json = sl_sweep_write (&sweep), *line = sl_command_line_sweep (&sweep);
  guint            others = 0;

  g_assert_cmpuint (jobs->len, ==, 2 * n);
  for (guint i = 0; i < jobs->len; i++)
    {
      const SlSweepJob *job = &g_array_index (jobs, SlSweepJob, i);
      char              id[SL_SWEEP_ID];

      sl_sweep_name (sweep.lab, &job->settings, sl_sweep_data (&sweep, job->data), job->seed,
                     &sweep.budget, id);
      g_assert_cmpstr (job->id, ==, id);
      g_hash_table_add (names, (gpointer) job->id);
      others += job->data;
    }
  g_assert_cmpuint (g_hash_table_size (names), ==, 2 * n);
  g_assert_cmpuint (others, ==, n);
  g_assert_nonnull (strstr (strstr (line, "--data ") + 1, "--data moons:noise=0.3"));
  sl_sweep_read (json, &again, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sl_sweep_n_data (&again), ==, 2);
  g_assert_cmpstr (sl_sweep_data (&again, 1), ==, "moons:noise=0.3");
  sl_sweep_clear (&again);

  g_assert_true (sl_sweep_add_data (&sweep, "pictures", NULL));
  g_assert_false (sl_sweep_check (&sweep, NULL));
  for (n = sl_sweep_n_data (&sweep); n < SL_SWEEP_VALUES_MAX; n++)
    {
      g_autofree char *data = g_strdup_printf ("moons:seed=%u", n);

      g_assert_true (sl_sweep_add_data (&sweep, data, NULL));
    }
  g_assert_false (sl_sweep_add_data (&sweep, "xor", &error));
  g_assert_error (error, SL_ERROR, SL_EINVAL);
  g_clear_error (&error);
  sl_sweep_clear (&sweep);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/axes", test_axes);
  g_test_add_func ("/sweep/presets", test_presets);
  g_test_add_func ("/sweep/refusals", test_refusals);
  g_test_add_func ("/sweep/checks", test_checks);
  g_test_add_func ("/sweep/expansion", test_expansion);
  g_test_add_func ("/sweep/following-lists", test_following_lists);
  g_test_add_func ("/sweep/shards", test_shards);
  g_test_add_func ("/sweep/json", test_json);
  g_test_add_func ("/sweep/limits", test_limits);
  g_test_add_func ("/sweep/seeds", test_seeds);
  g_test_add_func ("/sweep/lengths", test_lengths);
  g_test_add_func ("/sweep/names", test_names);
  g_test_add_func ("/sweep/hints", test_hints);
  g_test_add_func ("/sweep/pool", test_pool);
  g_test_add_func ("/sweep/many-axes", test_many_axes);
  g_test_add_func ("/sweep/titles", test_titles);
  g_test_add_func ("/sweep/view", test_view);
  g_test_add_func ("/sweep/ranges", test_ranges);
  g_test_add_func ("/sweep/rows", test_rows);
  g_test_add_func ("/sweep/latin", test_latin);
  g_test_add_func ("/sweep/data", test_data);
  g_test_add_func ("/sweep/draws", test_draws);
  g_test_add_func ("/sweep/whole-ranges", test_whole_ranges);
  return g_test_run ();
}
