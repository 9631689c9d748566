/* SPDX-License-Identifier: MIT
 *
 * What a mixture's share of a pass and of an update is made of, for every lab that has one.  */
#pragma once

#include "core/lab/kit/cost.h"
#include "core/nn/moe/moe.h"
#include "core/nn/optim/optim.h"

typedef struct
{
  const SlMoeShape *shape;
  SlMoeSetting      setting;
  SlCostKind        optimiser;
  double            lost; /* the share of experts that get no examples from the first updates on */
} SlMixtureWork;

/* That share, as expected of a gate whose first update is made with `first` and whose inputs' absolute values add up
 * to `input`.  Some seeds lose more, some fewer.  */
double sl_mixture_lost (const SlMoeShape *shape, const SlMoeSetting *setting,
                        const SlOptimSetting *first, double input);

/* Gates and experts forward. */
void sl_mixture_work_forward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch,
                              bool training);

/* And backward, with the update. */
void sl_mixture_work_backward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch);

/* Refuses passes and updates of a mixture that cannot be predicted; whether it does. */
bool sl_mixture_work_refuse (const SlMixtureWork *mixture, SlWorkload *work);
