/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `experts`: one example before the gate, the experts that it goes to, and the class that
 * they decide for.  */
#include "core/lab/mixture/alive.h"
#include "core/labs/experts/lab.h"

static bool
is_dead (const SlLabState *state, size_t expert)
{
  return sl_experts_is_dead ((const SlExpertsLab *) state, expert);
}

void
sl_experts_probe_alive (SlProbe *p)
{
  SlExpertsLab   *s = sl_experts_lab (p->state);
  SlMixtureClosed closed;
  SlMixtureAlive  mixture;
  SlAliveWriter   w;

  sl_alive_take (p, s->x, s->label);
  sl_mixture_close (&closed, p, &s->moe);
  sl_experts_net_forward (s, NET_MIXTURE, 1, false, false);
  sl_mixture_open (&closed);
  sl_mixture_alive_find (&mixture, p, &s->moe, 0, sl_is_on (&s->base, P_NOISE), is_dead);
  if (!sl_alive_begin (&w, p))
    return;
  sl_alive_input (&w, s->x, mixture.states | 1U << SL_ALIVE_SKIPPED);
  sl_mixture_alive_add (&mixture, &w);
  sl_probe_note (p, "%zu of %zu experts computed: %.3g %% of the multiplications.", mixture.chosen,
                 s->shape.experts, sl_experts_executed (s, (double) mixture.chosen));
  sl_alive_output (&w, s->outputs, s->logits, s->label[0]);
  sl_alive_end (&w);
}
