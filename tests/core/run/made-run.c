/* SPDX-License-Identifier: MIT */
#include "tests/core/run/made-run.h"

#include "core/labs/registry.h"

SlStoreRun *
made_run (const char *lab, const char *settings, double error, const char *tags)
{
  SlStoreRun *run = g_new0 (SlStoreRun, 1);
  SlSettings  each;
  SlStatus    status;

  run->lab = sl_lab_find (lab);
  g_assert_nonnull (run->lab);
  run->lab_id = g_intern_string (lab);
  run->name = g_strdup ("");
  run->data = "moons:noise=0.2";
  run->kernel = "haswell";
  run->version = "1";
  run->problem = "";
  run->sweep = "";
  run->tags = g_strdup (tags);
  run->status = SL_RUN_FINISHED;
  run->seed = 1;
  made_figure (run, "outcome.error", error);
  sl_settings_default (&each, run->lab->params, run->lab->n_params);
  status = sl_settings_set_words (&each, run->lab->params, run->lab->n_params, settings);
  g_assert_cmpint (status.code, ==, SL_OK);
  run->settings = sl_settings_pack (&each, run->lab->params, run->lab->n_params);
  return run;
}

void
made_figure (SlStoreRun *run, const char *name, double value)
{
  run->figure = g_renew (SlRunScore, run->figure, run->n_figures + 1);
  run->figure[run->n_figures++] = (SlRunScore) { g_intern_string (name), value };
}
