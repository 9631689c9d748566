/* SPDX-License-Identifier: MIT
 *
 * See run.h.  */
#include "bench/run.h"
#include "core/labs/registry.h"

#include "app/cli/plan.h"
#include "core/nn/kernels/mat.h"

SlExit
sl_bench_open (SlHeadlessRun *run, const char *lab, const char *data, const char *settings,
               unsigned threads)
{
  SlExit code;
  SlPlan plan;

  sl_plan_init (&plan, sl_lab_find (lab));
  plan.data = g_strdup (data);
  plan.threads = threads > 0 ? threads : sl_blas_cores ();
  code = sl_plan_set_words (&plan, settings);
  if (code == SL_EXIT_FINE)
    {
      SlStatus status = sl_headless_open (run, &plan, NULL);

      if (!sl_ok (&status))
        {
          code = sl_cli_fail (&status);
          sl_headless_clear (run);
        }
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

SlExit
sl_bench_probe (SlHeadlessRun *run, unsigned panel)
{
  SlStatus status = sl_headless_probe (run, panel, NULL, NULL);

  return sl_ok (&status) ? SL_EXIT_FINE : sl_cli_fail (&status);
}
