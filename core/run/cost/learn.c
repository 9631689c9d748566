/* SPDX-License-Identifier: MIT */
#include "core/run/cost/learn.h"

#include <math.h>

#include "core/labs/registry.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/trial.h"

enum {
  TRIALS = 10,
  TRIES = 2 * TRIALS, /* some diverge */
  PASSES = 7          /* trials that time a pass as well */
};

/* Seconds of an update that is worth the time here. */
static const double slowest = 0.02;

/* Seconds that its gates have to settle. */
static const double settling = 0.15;

/* A run that takes longer than predicted from all runs of its lab, by more than this share, is timed once more. */
static const double late = 0.04;

/* Random settings of a lab that were timed, and what on. */
typedef struct
{
  SlDataset  *dataset;
  SlCostTrial trial[TRIALS];
  unsigned    n;
} Tried;

static void
draw_trials (const SlCostModel *model, const SlLab *lab, Tried *tried, GCancellable *cancellable)
{
  SlStatus status;
  unsigned passes = 0;
  SlRng    rng;

  if (g_cancellable_is_cancelled (cancellable))
    return;
  status = sl_cost_trial_data (lab, &tried->dataset);
  if (!sl_ok (&status))
    return;
  sl_rng_init (&rng, 2, lab->id);
  for (unsigned i = 0; i < TRIES && tried->n < TRIALS; i++)
    {
      SlCostTrial *trial = &tried->trial[tried->n];

      if (g_cancellable_is_cancelled (cancellable)
          || !sl_cost_draw (model, lab, tried->dataset, &rng, slowest, trial))
        break;
      if (!sl_cost_time_trial (lab, tried->dataset, passes < PASSES ? settling : 0, trial))
        continue;
      sl_cost_trial_correct (model, lab, tried->dataset, trial);
      passes += isfinite (trial->timed_speed_up);
      tried->n++;
    }
}

static SlCostLearned
learn (const Tried *tried)
{
  SlCostTimed   update[TRIALS], pass[TRIALS];
  unsigned      passes = 0;
  SlCostLearned learned;

  for (unsigned i = 0; i < tried->n; i++)
    {
      const SlCostTrial *trial = &tried->trial[i];

      update[i] = (SlCostTimed) { trial->update_terms, trial->timed_update, trial->update_unsure };
      if (isfinite (trial->timed_speed_up))
        pass[passes++] = (SlCostTimed) { trial->pass_terms, trial->dense / trial->timed_speed_up,
                                         trial->pass_unsure };
    }
  sl_cost_fit (tried->n, update, &learned.update, &learned.update_error);
  sl_cost_fit (passes, pass, &learned.pass, &learned.pass_error);
  return learned;
}

/* Times late updates once more, when all labs had their turn: whatever slowed them down may be over. */
static void
time_again (const SlLab *lab, Tried *tried, const SlCostTerms *factor, GCancellable *cancellable)
{
  g_autofree SlCostTrial *again = g_new (SlCostTrial, 1);

  for (unsigned i = 0; i < tried->n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      SlCostTrial *trial = &tried->trial[i];

      if (trial->timed_update <= (1 + late) * sl_cost_weigh (&trial->update_terms, factor))
        continue;
      *again = *trial;
      if (sl_cost_time_trial (lab, tried->dataset, 0, again))
        trial->timed_update = fmin (trial->timed_update, again->timed_update);
    }
}

gboolean
sl_cost_learn (SlCostModel *model, GCancellable *cancellable)
{
  g_autofree Tried *tried = g_new0 (Tried, SL_COST_LABS);

  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      sl_cost_learned_init (&model->learned[i]);
      if (sl_labs[i]->cost != NULL)
        draw_trials (model, sl_labs[i], &tried[i], cancellable);
    }
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      SlCostLearned once = learn (&tried[i]);

      time_again (sl_labs[i], &tried[i], &once.update, cancellable);
    }
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      if (sl_labs[i]->cost != NULL)
        model->learned[i] = learn (&tried[i]);
      sl_dataset_free (tried[i].dataset);
    }
  return !g_cancellable_is_cancelled (cancellable);
}
