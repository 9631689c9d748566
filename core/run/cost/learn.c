/* SPDX-License-Identifier: MIT */
#include "core/run/cost/learn.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/labs/registry.h"
#include "core/run/cost/trial.h"

enum { TRIALS = 16, DRAWS = 8 * TRIALS, FEWEST = 3 };

/* Of a lab too few runs of which could be timed; and the least that is believed of any. */
static const double unknown_error = 0.5, least_error = 0.05;

/* The median of the logarithms of timed ÷ predicted, and how far nearly all are from it. */
static void
summarise (double *ratio, unsigned n, double *factor, double *error)
{
  double centre;

  *factor = 1;
  *error = unknown_error;
  if (n < FEWEST)
    return;
  centre = sl_median (ratio, n);
  for (unsigned i = 0; i < n; i++)
    ratio[i] = fabs (ratio[i] - centre);
  sl_median (ratio, n);
  *factor = exp (centre);
  *error = fmax (expm1 (ratio[(n - 1) * 9 / 10]), least_error);
}

static void
append_ratio (double *ratio, unsigned *n, double timed, double predicted)
{
  double value = log (timed / predicted);

  if (isfinite (value))
    ratio[(*n)++] = value;
}

static SlCostLearned
learn_lab (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
           GCancellable *cancellable)
{
  double        update[TRIALS], speed_up[TRIALS];
  unsigned      updates = 0, speed_ups = 0, done = 0;
  SlCostLearned learned;
  SlRng         rng;

  sl_rng_init (&rng, 2, lab->id);
  for (unsigned i = 0; i < DRAWS && done < TRIALS; i++)
    {
      g_autofree SlCostTrial *trial = g_new (SlCostTrial, 1);

      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (!sl_cost_try (model, lab, dataset, &rng, trial))
        continue;
      append_ratio (update, &updates, trial->timed_update, trial->update.seconds);
      append_ratio (speed_up, &speed_ups, trial->timed_speed_up, trial->speed_up.seconds);
      done++;
    }
  summarise (update, updates, &learned.update, &learned.update_error);
  summarise (speed_up, speed_ups, &learned.speed_up, &learned.speed_up_error);
  return learned;
}

gboolean
sl_cost_learn (SlCostModel *model, GCancellable *cancellable)
{
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      SlDataset *dataset = NULL;
      SlStatus   status = SL_SUCCESS;

      model->learned[i] = (SlCostLearned) { 1, 1, unknown_error, unknown_error };
      if (sl_labs[i]->cost == NULL)
        continue;
      status = sl_cost_trial_data (sl_labs[i], &dataset);
      if (sl_ok (&status))
        {
          SlCostLearned learned = learn_lab (model, sl_labs[i], dataset, cancellable);

          model->learned[i] = learned;
        }
      sl_dataset_free (dataset);
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
    }
  return TRUE;
}
