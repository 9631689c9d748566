/* SPDX-License-Identifier: MIT */
#include "tests/ui/made-item.h"

#include "core/labs/registry.h"
#include "core/run/record/name.h"

SlRunItem *
made_item_on (const char *data, const char *id, const char *words, unsigned number, double error)
{
  SlStoreRun *run = g_new0 (SlStoreRun, 1);
  SlSettings  settings;
  SlStatus    status;

  run->lab = sl_lab_find (id);
  run->lab_id = g_intern_string (id);
  run->data = g_intern_string (data);
  run->sweep = run->problem = "";
  run->name = g_strdup_printf ("run %u", number);
  run->colour = number % SL_RUN_COLOURS + 1;
  run->n_figures = 1;
  run->figure = g_new (SlRunScore, 1);
  run->figure[0] = (SlRunScore) { g_intern_string ("outcome.error"), error };
  sl_settings_default (&settings, run->lab->params, run->lab->n_params);
  status = sl_settings_set_words (&settings, run->lab->params, run->lab->n_params, words);
  g_assert_true (sl_ok (&status));
  run->settings = sl_settings_pack (&settings, run->lab->params, run->lab->n_params);
  return sl_run_item_new (run, number);
}

SlRunItem *
made_item (const char *id, const char *words, unsigned number, double error)
{
  return made_item_on ("", id, words, number, error);
}
