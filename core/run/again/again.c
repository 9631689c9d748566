/* SPDX-License-Identifier: MIT */
#include "core/run/again/again.h"

typedef struct
{
  SlAgain   *again;
  SlAgainAsk ask;
  void      *data;
  SlStatus   status; /* of the moments */
} Way;

static bool
look (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  Way *way = data;

  if (!way->ask (way->data, done))
    return false;
  way->status = sl_frames_offer (way->again->frames, run->trainer, done);
  return sl_ok (&way->status);
}

static SlStatus
check_data (const SlHeadlessRun *run, const SlRecipe *recipe)
{
  if (recipe->data_hash == 0 || run->dataset == NULL || run->dataset->hash == recipe->data_hash)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, recipe->data, sl_message (SL_MARK ("other data by now")),
                        sl_message (SL_MARK ("those of the run")));
}

static SlStatus
train (SlAgain *again, SlAgainAsk ask, void *data)
{
  Way      way = { .again = again, .ask = ask, .data = data, .status = SL_SUCCESS };
  SlStatus status = sl_headless_train (&again->run, look, &way);

  if (!sl_ok (&way.status))
    return way.status;
  /* A run that diverged is shown up to there. */
  if (status.code == SL_EDIVERGED)
    return SL_SUCCESS;
  return sl_ok (&status) ? sl_frames_end (again->frames, again->run.trainer) : status;
}

SlStatus
sl_again_make (SlAgain *again, const SlRecipe *recipe, const bool *wanted, unsigned most,
               SlAgainAsk ask, void *data)
{
  unsigned examples[SL_FRAMES_EXAMPLES], n;
  SlStatus status;

  *again = (SlAgain) { 0 };
  sl_plan_init (&again->plan, recipe->lab);
  sl_plan_recipe (&again->plan, recipe, 0);
  again->plan.budget.steps = recipe->step;
  status = sl_headless_open (&again->run, &again->plan, NULL);
  if (sl_ok (&status))
    status = check_data (&again->run, recipe);
  if (!sl_ok (&status))
    return status;
  n = sl_frames_choose (again->run.dataset, recipe->seed, examples);
  again->frames = sl_frames_new (recipe->lab, wanted, most, examples, n);
  if (again->frames == NULL)
    return sl_status_no_memory (SL_MARK ("the moments of the run"));
  return train (again, ask, data);
}

void
sl_again_clear (SlAgain *again)
{
  g_clear_pointer (&again->frames, sl_frames_free);
  sl_headless_clear (&again->run);
  sl_plan_clear (&again->plan);
}
