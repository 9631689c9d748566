/* SPDX-License-Identifier: MIT
 *
 * See bench-run.h.  */
#include "bench/run.h"

SlExit
sl_bench_open (SlHeadlessRun *run, const char *lab, const char *data, const char *settings,
               unsigned threads)
{
  g_auto (GStrv) words = g_strsplit (settings, " ", -1);
  SlExit code = SL_EXIT_FINE;
  SlPlan plan;

  sl_plan_init (&plan, sl_lab_find (lab));
  plan.data = g_strdup (data);
  plan.threads = threads;
  for (char **word = words; *word != NULL && code == SL_EXIT_FINE; word++)
    code = sl_plan_set (&plan, *word);
  if (code == SL_EXIT_FINE)
    {
      code = sl_headless_open (run, &plan);
      if (code != SL_EXIT_FINE)
        sl_headless_clear (run);
    }
  sl_plan_clear (&plan);
  return code;
}

SlExit
sl_bench_train (SlHeadlessRun *run, unsigned updates)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < updates && sl_ok (&status); i++)
    status = sl_trainer_step (run->trainer, &run->sink.sink);
  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}
