/* SPDX-License-Identifier: MIT
 *
 * What a network says to validation examples, and how sure it is.  Plain memory.  */
#pragma once

#include "core/train/trainer.h"

enum { SL_PREDICTIONS = 256 };

typedef struct
{
  uint8_t label;  /* the class decided for */
  float   margin; /* its probability minus that of the next best class: 0 unsure, 1 sure */
} SlPrediction;

typedef struct
{
  size_t n; /* of the first validation examples, training ones where there are none; 0: not known */
  SlPrediction of[SL_PREDICTIONS];
} SlPredictions;

/* Runs the network on them as a deployed one; changes nothing that a later update can see.  SL_EUNSUPPORTED: the lab
 * does not say; SL_ENOMEM, SL_EGATE.  On failure there are none.  The thread of the trainer.  */
SlStatus sl_trainer_predict (SlTrainer *trainer, SlPredictions *predictions);
