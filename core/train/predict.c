/* SPDX-License-Identifier: MIT */
#include "core/train/predict.h"

#include <stdlib.h>

#include "core/lab/kit/state.h"

SlStatus
sl_trainer_predict (SlTrainer *trainer, SlPredictions *predictions)
{
  SlLabState *state = sl_trainer_state (trainer);
  SlCell      cell[SL_PREDICTIONS];
  size_t      first, n;
  SlStatus    status;
  sl_real    *x;

  predictions->n = 0;
  if (state->lab->map == NULL)
    return sl_status_new (SL_EUNSUPPORTED, state->lab->id,
                          sl_message ("a lab that has no map of its inputs"), SL_NO_MESSAGE);
  n = sl_watched (state, SL_PREDICTIONS, &first);
  x = malloc (n * state->dataset->features * sizeof *x);
  if (x == NULL)
    return sl_status_no_memory ("examples");
  sl_dataset_range (state->dataset, first, n, x, NULL);
  status = sl_state_map (state, x, n, cell);
  free (x);
  if (!sl_ok (&status))
    return status;
  for (size_t i = 0; i < n; i++)
    predictions->of[i] = (SlPrediction) { (uint8_t) cell[i].label, (float) cell[i].margin };
  predictions->n = n;
  return SL_SUCCESS;
}
