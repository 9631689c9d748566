/* SPDX-License-Identifier: MIT */
#include "core/run/cost/learn.h"

#include <math.h>

#include "core/labs/registry.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/trial.h"

enum {
  TRIALS = 11,
  DRAWS = 8 * TRIALS,
  PASSES = 8 /* trials that time a pass as well */
};

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
  /* A lab that refuses the first ones refuses all. */
  for (unsigned i = 0; i < (tried->n > 0 ? DRAWS : TRIALS) && tried->n < TRIALS; i++)
    {
      SlCostTrial *trial = &tried->trial[tried->n];

      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (!sl_cost_try (model, lab, tried->dataset, &rng, passes < PASSES, trial))
        continue;
      passes += isfinite (trial->timed_speed_up);
      tried->n++;
    }
}

/* Times updates once more, when all labs had their turn: whatever slowed one timing down may be over. */
static void
time_again (const SlCostModel *model, const SlLab *lab, Tried *tried, GCancellable *cancellable)
{
  g_autofree SlCostTrial *again = g_new (SlCostTrial, 1);

  for (unsigned i = 0; i < tried->n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      *again = tried->trial[i];
      if (sl_cost_time_trial (model, lab, tried->dataset, false, again))
        tried->trial[i].timed_update = fmin (tried->trial[i].timed_update, again->timed_update);
    }
}

static SlCostLearned
learn (const Tried *tried)
{
  SlCostTerms   updates[TRIALS], passes[TRIALS];
  double        update[TRIALS], pass[TRIALS];
  unsigned      n_passes = 0;
  SlCostLearned learned;

  for (unsigned i = 0; i < tried->n; i++)
    {
      const SlCostTrial *trial = &tried->trial[i];

      updates[i] = trial->update_terms;
      update[i] = trial->timed_update;
      if (!isfinite (trial->timed_speed_up))
        continue;
      passes[n_passes] = trial->pass_terms;
      pass[n_passes++] = trial->dense / trial->timed_speed_up;
    }
  sl_cost_fit (tried->n, updates, update, &learned.update, &learned.update_error);
  sl_cost_fit (n_passes, passes, pass, &learned.pass, &learned.pass_error);
  return learned;
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
    time_again (model, sl_labs[i], &tried[i], cancellable);
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      if (sl_labs[i]->cost != NULL)
        model->learned[i] = learn (&tried[i]);
      sl_dataset_free (tried[i].dataset);
    }
  return !g_cancellable_is_cancelled (cancellable);
}
