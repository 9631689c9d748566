/* SPDX-License-Identifier: MIT
 *
 * Runs, figures, sweeps and stores of the library, through its header alone.  Where memory is watched, nothing may be left
 * of any round.  */
#include <glib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "lib/sluice.h"

#define FINE(call) g_assert_cmpint (call, ==, SLUICE_FINE)

static const char small[] = "experts=5\nhidden=6\nbatch=20\nk=2";

static SluiceData *
open_data (void)
{
  SluiceData *data;

  FINE (sluice_data_open ("moons:points=300", &data));
  return data;
}

static SluiceRun *
begin (const SluiceData *data, const char *settings, const SluiceGate *gate)
{
  SluiceRun *run;

  FINE (sluice_run_new (
    &(SluiceRunSpec) {
      .lab = "experts", .settings = settings, .data = data, .seed = 3, .threads = 1, .gate = gate },
    &run));
  return run;
}

static void
train (SluiceRun *run, uint64_t updates)
{
  FINE (sluice_run_train (run, &(SluiceUntil) { .updates = updates }, NULL, NULL));
}

/* ---- rounds ---- */

static void
look (SluiceRun *run)
{
  SluiceFigure *figure, *both;
  SluiceSeries  series;
  double       *numbers;
  size_t        n;
  void         *bytes;
  char         *json;

  FINE (sluice_run_series (run, "cv.hard", &series));
  g_assert_true (series.n > 0 && isfinite (series.value[series.n - 1]));
  FINE (sluice_run_panel (run, "classes", &json, &numbers, &n));
  g_assert_cmpuint (n, >, 0);
  sluice_free (json);
  sluice_free (numbers);
  FINE (sluice_run_panel (run, "pruning", &json, &numbers, &n));
  g_assert_cmpuint (n, >, 0);
  g_assert_nonnull (strstr (json, "\"curves\": [{\"id\": \"pruning.saliency\""));
  sluice_free (json);
  sluice_free (numbers);
  FINE (sluice_figure_new (run, "error cv.hard", "style=icml", &figure));
  FINE (sluice_figure_join ((SluiceFigure *[]) { figure, figure }, 2, NULL, &both));
  FINE (sluice_figure_bytes (both, "svg", &bytes, &n));
  g_assert_true (n > 1000 && memmem (bytes, n, "<svg", 4) != NULL);
  sluice_free (bytes);
  sluice_figure_free (figure);
  sluice_figure_free (both);
  FINE (sluice_run_scores (run, &json));
  g_assert_nonnull (strstr (json, "validation"));
  sluice_free (json);
  FINE (sluice_run_about (run, &json));
  sluice_free (json);
}

static void
test_rounds (void)
{
  SluiceData *data = open_data ();

  for (unsigned i = 0; i < 12; i++)
    {
      SluiceRun *run = begin (data, small, NULL);

      train (run, 10);
      if (i % 4 == 0)
        look (run);
      sluice_run_free (run);
    }
  sluice_data_free (data);
}

/* Two inputs of one's own are the same to the network. */
static void
assert_same_look (SluiceRun *run, const float a[2], const float b[2])
{
  double *one, *other;
  size_t  n, m;
  char   *json;

  FINE (sluice_run_look_at (run, a, 2, 0));
  FINE (sluice_run_panel (run, "alive", &json, &one, &n));
  sluice_free (json);
  FINE (sluice_run_look_at (run, b, 2, 0));
  FINE (sluice_run_panel (run, "alive", &json, &other, &m));
  sluice_free (json);
  g_assert_cmpmem (one, n * sizeof *one, other, m * sizeof *other);
  sluice_free (one);
  sluice_free (other);
}

/* ---- words ---- */

static void
test_words (void)
{
  SluiceData   *data = open_data ();
  SluiceRun    *run, *none = (SluiceRun *) 1;
  SluiceFigure *figure;
  char         *text;

  g_assert_cmpint (sluice_run_new (&(SluiceRunSpec) { .lab = NULL }, &none), ==, SLUICE_INVALID);
  g_assert_null (none);
  g_assert_cmpint (sluice_run_new (&(SluiceRunSpec) { .lab = "experts", .settings = "k" }, &none),
                   ==, SLUICE_INVALID);
  g_assert_cmpint (
    sluice_run_new (&(SluiceRunSpec) { .lab = "experts", .settings = "gate=own" }, &none), !=,
    SLUICE_FINE);
  g_assert_cmpstr (sluice_error (), !=, "");
  run = begin (data, small, NULL);
  g_assert_cmpint (sluice_run_set (run, "kk", "3"), ==, SLUICE_INVALID);
  FINE (sluice_run_set (run, "experts", "7"));
  FINE (sluice_run_get (run, "experts", &text));
  g_assert_cmpstr (text, ==, "7");
  sluice_free (text);
  g_assert_cmpint (sluice_run_set (run, "experts", "0"), ==, SLUICE_INVALID);
  train (run, 5);
  g_assert_cmpint (sluice_run_set (run, "experts", "8"), ==, SLUICE_INVALID);
  g_assert_cmpint (sluice_run_train (run, &(SluiceUntil) { 0 }, NULL, NULL), ==, SLUICE_INVALID);
  g_assert_cmpint (sluice_figure_new (run, "error", "styl=icml", &figure), ==, SLUICE_INVALID);
  g_assert_null (figure);
  g_assert_cmpint (sluice_figure_new (run, "error", "inset=7000:8000", &figure), ==,
                   SLUICE_INVALID);
  g_assert_null (figure);
  FINE (sluice_figure_new (run, "error", "inset=1:3", &figure));
  sluice_figure_free (figure);
  g_assert_cmpint (sluice_figure_join (NULL, 0, NULL, &figure), ==, SLUICE_INVALID);
  g_assert_cmpuint (sluice_run_updates (run), ==, 5);
  /* What else than a disk refuses says so. */
  g_assert_cmpint (sluice_figure_new (run, "error", "style=no-such-style", &figure), ==,
                   SLUICE_INVALID);
  assert_same_look (run, (const float[2]) { NAN, 0.5f }, (const float[2]) { 0.0f, 0.5f });
  sluice_run_free (run);
  sluice_data_free (data);
  sluice_run_free (NULL);
  sluice_figure_free (NULL);
  sluice_sweep_free (NULL);
}

/* ---- a gate ---- */

typedef struct
{
  SluiceRun *run;
  unsigned   calls, fails; /* at this call; 0: never */
} Own;

/* The expert with the largest logit. */
static int
choose (void *data, SluiceGateBatch *batch)
{
  Own *own = data;

  for (size_t r = 0; r < batch->rows; r++)
    {
      const float *logit = batch->logits + r * batch->experts;
      size_t       best = 0;

      for (size_t i = 1; i < batch->experts; i++)
        best = logit[i] > logit[best] ? i : best;
      batch->mask[r * batch->experts + best] = 1;
    }
  if (own->run != NULL)
    g_assert_cmpint (sluice_run_set (own->run, "k", "1"), ==, SLUICE_INVALID);
  return ++own->calls == own->fails;
}

static void
test_gate (void)
{
  static const char settings[] = "experts=5\nhidden=6\nbatch=20\ngate=own\nevaluate-every=1000000";
  SluiceData       *data = open_data ();
  Own               own = { 0 };
  SluiceGate        gate = { .choose = choose, .data = &own };
  SluiceRun        *run = begin (data, settings, &gate), *same = begin (data, settings, &gate);
  const float      *a, *b;
  size_t            n, m;
  char             *json;

  train (run, 10);
  own = (Own) { .run = same, .fails = 4 };
  g_assert_cmpint (sluice_run_train (same, &(SluiceUntil) { .updates = 10 }, NULL, NULL), ==,
                   SLUICE_GATE);
  g_assert_cmpuint (sluice_run_updates (same), <, 10);
  own = (Own) { 0 };
  g_assert_cmpint (sluice_run_map (same, (float[]) { 0, 0 }, 1, 2, &(SluiceCell) { 0 }), ==,
                   SLUICE_FINE);
  own = (Own) { .fails = 1 };
  g_assert_cmpint (sluice_run_map (same, (float[]) { 0, 0 }, 1, 2, &(SluiceCell) { 0 }), ==,
                   SLUICE_GATE);
  own = (Own) { .fails = 1 };
  g_assert_cmpint (sluice_run_time (same, &json), ==, SLUICE_GATE);
  own = (Own) { 0 };
  FINE (sluice_run_time (same, &json));
  sluice_free (json);
  train (same, 10 - sluice_run_updates (same));
  FINE (sluice_run_weights (run, &a, &n));
  FINE (sluice_run_weights (same, &b, &m));
  g_assert_cmpmem (a, n * sizeof *a, b, m * sizeof *b);
  sluice_run_free (run);
  sluice_run_free (same);
  sluice_data_free (data);
}

/* ---- stops, stores, sweeps ---- */

static int
stop (void *data, uint64_t update, double share)
{
  return update >= 20;
}

/* Tries what the run cannot do meanwhile, before its first update. */
static int
meddle (void *data, uint64_t update, double share)
{
  SluiceRun *run = data;

  g_assert_cmpint (sluice_run_train (run, NULL, NULL, NULL), ==, SLUICE_INVALID);
  g_assert_cmpint (sluice_run_set (run, "experts", "3"), ==, SLUICE_INVALID);
  FINE (sluice_run_set (run, "k", "1"));
  return 0;
}

static void
test_stop (void)
{
  SluiceData *data = open_data ();
  SluiceRun  *run = begin (data, small, NULL);

  FINE (sluice_run_train (run, &(SluiceUntil) { .updates = 2 }, meddle, run));
  g_assert_cmpuint (sluice_run_updates (run), ==, 2);

  g_assert_cmpint (sluice_run_train (run, &(SluiceUntil) { .seconds = 60 }, stop, NULL), ==,
                   SLUICE_STOPPED);
  g_assert_cmpuint (sluice_run_updates (run), >=, 20);
  train (run, 1);
  sluice_run_free (run);
  sluice_data_free (data);
}

static void
test_store (void)
{
  g_autofree char *folder = g_dir_make_tmp ("sluice-lib-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.sluice", NULL);
  SluiceData      *data = open_data ();
  SluiceRun       *run = begin (data, small, NULL), *again, *past, *from_recipe;
  SluiceData      *other;
  const float     *a, *b;
  size_t           n, m;
  char            *name, *json;

  train (run, 20);
  FINE (sluice_run_keep (run, path, &name));
  FINE (sluice_store_run (path, name, NULL, NULL, &again));
  train (run, 10);
  train (again, 10);
  FINE (sluice_run_weights (run, &a, &n));
  FINE (sluice_run_weights (again, &b, &m));
  g_assert_cmpmem (a, n * sizeof *a, b, m * sizeof *b);
  FINE (sluice_data_open ("xor", &other));
  g_assert_cmpint (sluice_store_run (path, name, other, NULL, &past), ==, SLUICE_INVALID);
  g_assert_null (past);
  sluice_data_free (other);
  FINE (sluice_store_run (path, name, NULL, NULL, &past));
  train (past, 10);
  sluice_run_free (past);
  sluice_free (name);
  FINE (sluice_store_table (path, "lab = experts", &json));
  g_assert_nonnull (strstr (json, "experts"));
  sluice_free (json);
  FINE (sluice_run_recipe (run, &json));
  FINE (sluice_run_again (json, NULL, NULL, &from_recipe));
  FINE (sluice_run_train (from_recipe, NULL, NULL, NULL));
  FINE (sluice_run_weights (from_recipe, &b, &m));
  g_assert_cmpmem (a, n * sizeof *a, b, m * sizeof *b);
  sluice_free (json);
  sluice_run_free (run);
  sluice_run_free (again);
  sluice_run_free (from_recipe);
  sluice_data_free (data);
  g_remove (path);
  g_rmdir (folder);
}

/* A stored run with an own gate is looked at without it, which leaves what the store has, and goes on with it. */
static void
test_stored_gate (void)
{
  static const char settings[] = "experts=5\nhidden=6\nbatch=20\ngate=own";
  g_autofree char  *folder = g_dir_make_tmp ("sluice-lib-XXXXXX", NULL);
  g_autofree char  *path = g_build_filename (folder, "a.sluice", NULL);
  SluiceData       *data = open_data ();
  Own               own = { 0 };
  SluiceGate        gate = { .choose = choose, .data = &own };
  SluiceRun        *run = begin (data, settings, &gate), *past, *again;
  SluiceSeries      series;
  const float      *a, *b;
  size_t            n, m;
  char             *name, *same, *json;

  train (run, 20);
  FINE (sluice_run_keep (run, path, &name));
  FINE (sluice_store_run (path, name, data, NULL, &past));
  FINE (sluice_run_series (past, "cv.hard", &series));
  g_assert_cmpuint (series.n, >, 0);
  g_assert_cmpint (sluice_run_train (past, NULL, NULL, NULL), ==, SLUICE_UNSUPPORTED);
  FINE (sluice_run_keep (past, path, &same));
  g_assert_cmpstr (same, ==, name);
  sluice_run_free (past);
  FINE (sluice_store_run (path, name, data, &gate, &again));
  train (again, 10);
  train (run, 10);
  FINE (sluice_run_weights (run, &a, &n));
  FINE (sluice_run_weights (again, &b, &m));
  g_assert_cmpmem (a, n * sizeof *a, b, m * sizeof *b);
  sluice_run_free (again);
  FINE (sluice_run_recipe (run, &json));
  g_assert_cmpint (sluice_run_again (json, data, NULL, &again), ==, SLUICE_INVALID);
  FINE (sluice_run_again (json, data, &gate, &again));
  FINE (sluice_run_train (again, NULL, NULL, NULL));
  FINE (sluice_run_weights (again, &b, &m));
  g_assert_cmpmem (a, n * sizeof *a, b, m * sizeof *b);
  sluice_free (json);
  sluice_free (same);
  sluice_free (name);
  sluice_run_free (again);
  sluice_run_free (run);
  sluice_data_free (data);
  g_remove (path);
  g_rmdir (folder);
}

static void
test_sweep (void)
{
  SluiceData   *data = open_data ();
  SluiceRunSpec spec = { .lab = "experts", .settings = small, .data = data };
  SluiceSweep  *sweep;
  char         *json;

  g_assert_cmpint (
    sluice_sweep_new (&spec, "k=nine", "1", &(SluiceUntil) { .updates = 10 }, &sweep), !=,
    SLUICE_FINE);
  FINE (sluice_sweep_new (&spec, "k=1,2", "1-2", &(SluiceUntil) { .updates = 10 }, &sweep));
  g_assert_cmpuint (sluice_sweep_size (sweep), ==, 4);
  FINE (sluice_sweep_make (sweep, 2, NULL, NULL, NULL));
  FINE (sluice_sweep_table (sweep, &json));
  g_assert_nonnull (strstr (json, "test.error"));
  sluice_free (json);
  sluice_sweep_free (sweep);
  sluice_data_free (data);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lib/rounds", test_rounds);
  g_test_add_func ("/lib/words", test_words);
  g_test_add_func ("/lib/gate", test_gate);
  g_test_add_func ("/lib/stop", test_stop);
  g_test_add_func ("/lib/store", test_store);
  g_test_add_func ("/lib/stored-gate", test_stored_gate);
  g_test_add_func ("/lib/sweep", test_sweep);
  return g_test_run ();
}
