/* SPDX-License-Identifier: MIT */
#include "core/run/cost/learn.h"

#include <math.h>

#include "core/labs/registry.h"
#include "core/run/cost/fit.h"
#include "core/run/cost/trial.h"

enum {
  TRIALS = 16,
  DRAWS = 8 * TRIALS,
  PASSES = 8 /* trials that time a pass as well */
};

/* Runs of which something was timed. */
typedef struct
{
  SlCostTerms terms[TRIALS];
  double      timed[TRIALS];
  unsigned    n;
} Timed;

static void
append_timed (Timed *runs, const SlCostTerms *terms, double timed)
{
  if (!isfinite (timed))
    return;
  runs->terms[runs->n] = *terms;
  runs->timed[runs->n++] = timed;
}

static SlCostLearned
learn_lab (const SlCostModel *model, const SlLab *lab, const SlDataset *dataset,
           GCancellable *cancellable)
{
  Timed         updates = { 0 }, passes = { 0 };
  unsigned      done = 0;
  SlCostLearned learned;
  SlRng         rng;

  sl_rng_init (&rng, 2, lab->id);
  /* A lab that refuses the first ones refuses all. */
  for (unsigned i = 0; i < (done > 0 ? DRAWS : TRIALS) && done < TRIALS; i++)
    {
      g_autofree SlCostTrial *trial = g_new (SlCostTrial, 1);

      if (g_cancellable_is_cancelled (cancellable))
        break;
      if (!sl_cost_try (model, lab, dataset, &rng, passes.n < PASSES, trial))
        continue;
      append_timed (&updates, &trial->update_terms, trial->timed_update);
      append_timed (&passes, &trial->pass_terms, trial->dense / trial->timed_speed_up);
      done++;
    }
  sl_cost_fit (updates.n, updates.terms, updates.timed, &learned.update, &learned.update_error);
  sl_cost_fit (passes.n, passes.terms, passes.timed, &learned.pass, &learned.pass_error);
  return learned;
}

gboolean
sl_cost_learn (SlCostModel *model, GCancellable *cancellable)
{
  for (unsigned i = 0; sl_labs[i] != NULL && i < SL_COST_LABS; i++)
    {
      SlDataset *dataset = NULL;
      SlStatus   status = SL_SUCCESS;

      sl_cost_learned_init (&model->learned[i]);
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
