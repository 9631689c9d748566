/* SPDX-License-Identifier: MIT
 *
 * How gates that the task trains take part in a pass of the lab `sign-estimator`; math/task.h has what they are.  */
#include "core/labs/sign-estimator/lab.h"

#include <string.h>

static void
draw (void *data, SlTape *tape, unsigned layer, size_t batch)
{
  SlSignLab *s = data;

  sl_sign_scores (s, SL_PREDICTOR_TASK, layer, batch, tape->est[layer]);
  sl_task_draw (batch * s->net.width[layer + 1], &s->now->gates, tape->est[layer]);
}

static void
take_credit (void *data, SlTape *tape, unsigned layer, size_t batch, const sl_real *slope)
{
  SlSignLab  *s = data;
  size_t      n = batch * s->net.width[layer + 1];
  SlTaskPrice price
    = { .weight = sl_value_of (&s->base, P_KL), .target = sl_value_of (&s->base, P_KL_TARGET) };
  SlTaskRoom room = s->task;

  room.low = tape->low;
  memcpy (room.value, tape->pre[layer], n * sizeof *room.value);
  sl_net_activate (&s->net, layer, n, room.value);
  sl_task_credit (&s->predictor[layer].learned, batch * s->net.places[layer],
                  sl_sign_inputs (s, SL_PREDICTOR_TASK, layer), slope, &price, &room);
}

void
sl_sign_learn_by_task (SlEstimate *estimate)
{
  estimate->predict = draw;
  estimate->credit = take_credit;
}

void
sl_sign_update_gates (SlSignLab *s)
{
  sl_real rate = (sl_real) sl_value_of (&s->base, P_LEARN_RATE);

  for (unsigned l = 0; s->tape.credit != NULL && l < s->hidden; l++)
    sl_learned_update (&s->predictor[l].learned, rate, ++s->now->learned_t[l]);
}
