/* SPDX-License-Identifier: MIT
 *
 * See sweep-help.h.  */
#include "tests/core/run/sweep-help.h"
#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "tests/support/folder.h"

const SlLab *
sweep_lab (const char *id)
{
  const SlLab *lab = sl_lab_find (id);

  g_assert_nonnull (lab);
  return lab;
}

void
sweep_set (SlSweep *sweep, const char *words)
{
  g_auto (GStrv) word = g_strsplit (words, " ", -1);

  for (char **w = word; *w != NULL; w++)
    {
      char    *value = strchr (*w, '=');
      SlStatus status;

      *value++ = '\0';
      status
        = sl_settings_set (&sweep->settings, sweep->lab->params, sweep->lab->n_params, *w, value);
      g_assert_cmpint (status.code, ==, SL_OK);
    }
}

void
sweep_small (SlSweep *sweep)
{
  GError *error = NULL;

  sl_sweep_init (sweep, sweep_lab ("sign-estimator"));
  g_free (sweep->data);
  sweep->data = g_strdup ("moons:points=300");
  sweep_set (sweep, "hidden=12-8 batch=10 report-every=5 evaluate-every=20");
  sweep->budget.steps = 40;
  sl_sweep_add_axis (sweep, "rank=2-2,6-4", &error);
  g_assert_no_error (error);
  sl_sweep_add_axis (sweep, "learning-rate=0.001,0.01", &error);
  g_assert_no_error (error);
  sl_sweep_set_seeds (sweep, "1-2", &error);
  g_assert_no_error (error);
}

void
sweep_begin (SweepFixture *f)
{
  GError *error = NULL;

  f->folder = g_dir_make_tmp ("sluice-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "runs.sluice", NULL);
  f->store = sl_store_open (f->path, &error);
  g_assert_no_error (error);
  sweep_small (&f->sweep);
}

void
sweep_list (SweepFixture *f)
{
  SlStatus status = sl_source_open (f->sweep.data, &f->dataset);

  g_assert_cmpint (status.code, ==, SL_OK);
  f->jobs = sl_sweep_expand (&f->sweep);
}

void
sweep_end (SweepFixture *f)
{
  g_object_unref (f->store);
  sl_remove_all (f->folder);
  g_free (f->path);
  g_free (f->folder);
  g_array_unref (f->jobs);
  sl_dataset_free (f->dataset);
  sl_sweep_clear (&f->sweep);
}

void
sweep_set_up (SweepFixture *f, gconstpointer data)
{
  sweep_begin (f);
  sweep_list (f);
}

void
sweep_tear_down (SweepFixture *f, gconstpointer data)
{
  sweep_end (f);
}
