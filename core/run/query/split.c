/* SPDX-License-Identifier: MIT */
#include "core/run/query/split.h"

#include <math.h>

bool
sl_run_counts (const SlStoreRun *run)
{
  return run->status != SL_RUN_DIVERGED && run->status != SL_RUN_PRUNED;
}

bool
sl_run_is_tested (const SlStoreRun *run)
{
  double at = sl_store_run_score (run, "scored.test");

  /* Earlier versions wrote none. */
  return isnan (at) || at == (double) run->step || run->status == SL_RUN_RUNNING;
}

double
sl_run_error (const SlStoreRun *run, bool validation)
{
  SlStoreErrors errors;

  sl_store_run_errors (run, &errors);
  if (validation)
    return errors.valid;
  return errors.test_at == (double) run->step || run->status == SL_RUN_RUNNING ? errors.test
                                                                               : (double) NAN;
}

void
sl_error_count_add (SlErrorCount *count, const SlStoreRun *run)
{
  bool test, valid;

  if (!sl_run_counts (run))
    return;
  test = isfinite (sl_run_error (run, false));
  valid = isfinite (sl_run_error (run, true));
  count->test += test;
  count->valid += valid;
  count->both += test && valid;
}

bool
sl_error_count_is_validation (const SlErrorCount *count)
{
  return count->valid > count->test;
}
