/* SPDX-License-Identifier: MIT
 *
 * What a mixture's share of a pass and of an update is made of, for every lab that has one.  */
#pragma once

#include "core/lab/kit/cost.h"
#include "core/nn/moe/moe.h"

typedef struct
{
  const SlMoeShape *shape;
  SlMoeSetting      setting;
  SlCostKind        optimiser;
} SlMixtureWork;

/* Gates and experts forward. */
void sl_mixture_work_forward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch,
                              bool training);

/* And backward, with the update. */
void sl_mixture_work_backward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch);

/* Refuses passes and updates of a mixture that cannot be predicted; whether it does. */
bool sl_mixture_work_refuse (const SlMixtureWork *mixture, SlWorkload *work);
