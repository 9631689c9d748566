/* SPDX-License-Identifier: MIT */
#include "core/labs/sign-estimator/math/task.h"

#include "core/nn/dense/act.h"
#include "core/nn/gater/sparsity.h"

void
sl_task_draw (size_t n, SlRng *rng, sl_real *q)
{
  sl_sigmoid_forward (n, q, q);
  for (size_t i = 0; i < n; i++)
    q[i] -= (sl_real) sl_rng_uniform (rng);
}

/* Adds the slopes of the price to dq (B, H). */
static double
add_price (const SlLearned *p, size_t batch, const SlTaskPrice *price, const SlTaskRoom *room,
           sl_real *dq)
{
  const SlGaterUnit unit = { .kind = SL_GATER_ST };
  const sl_real    *c = room->chance;
  double            term;

  sl_sigmoid_forward (batch * p->units, c, room->chance);
  term = sl_gater_kl (&unit, batch, p->units, c, price->target, price->weight / (double) p->units,
                      room->mean, room->pull);
  for (size_t e = 0; e < batch; e++, c += p->units, dq += p->units)
    for (size_t i = 0; i < p->units; i++)
      dq[i] += room->pull[i] * c[i] * (1 - c[i]);
  return term;
}

double
sl_task_credit (SlLearned *p, size_t batch, const sl_real *x, const sl_real *slope,
                const SlTaskPrice *price, const SlTaskRoom *room)
{
  sl_real *dq = room->value;
  double   term = 0.0;

  for (size_t i = 0; i < batch * p->units; i++)
    dq[i] *= slope[i];
  sl_learned_scores (p, batch, x, room->low, room->chance);
  if (price->weight > 0)
    term = add_price (p, batch, price, room, dq);
  sl_learned_credit (p, batch, x, dq, room->low);
  return term;
}
