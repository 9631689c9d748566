/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `experts`: what the gate thinks of each expert for one example, whom it
 * chooses, and how much of the sum each has.  */
#include "core/labs/experts/lab.h"

#include <math.h>

#include "core/lab/kit/alive.h"

enum { SLOT = 7 }; /* of no hue: those are of experts */

/* One example behind a forward pass. */
typedef struct
{
  SlExpertsLab *s;
  size_t        experts, chosen;
  uint8_t       state[MOST_EXPERTS]; /* SlAliveState */
  unsigned      states;              /* those there are, as bits */
  double        sum;                 /* of the gate values */
  SlAliveWriter w;
} Picture;

/* What decides about an expert; *spread is the standard deviation of its noise, 0 without. */
static double
score_of (const Picture *v, size_t i, double *spread)
{
  const SlMoe *moe = &v->s->moe;

  *spread = 0.0;
  switch (moe->shape.gate)
    {
    case SL_MOE_NOISY:
      if (moe->gates[0].has_sigma && sl_is_on (&v->s->base, P_NOISE))
        *spread = (double) moe->gates[0].sigma[i];
      return (double) moe->gates[0].logits[i];
    case SL_MOE_BALANCED: return (double) moe->strict[0].logits[i];
    case SL_MOE_SOFT: return (double) moe->soft.share[i];
    case SL_MOE_BIAS: return (double) moe->chooser.score[i] + moe->chooser.bar[i];
    case SL_MOE_EXPERT_CHOICE: return (double) moe->chooser.score[i];
    case SL_MOE_DENSE:
    case SL_MOE_BASE:
    case SL_MOE_RELU:
    case SL_MOE_SWITCH: break;
    }
  return (double) moe->chooser.logits[i];
}

/* The gate value of an expert, 0 where it is not chosen; its part of them all where they are more than 1 together. */
static double
weight_of (const Picture *v, size_t i)
{
  const SlDispatch *dispatch = &v->s->moe.dispatch;

  return dispatch->start[i] < dispatch->start[i + 1]
           ? (double) dispatch->weight[dispatch->start[i]] / fmax (v->sum, 1.0)
           : 0.0;
}

/* The first row of the gate's weights, at an expert; *n are its numbers there. */
static sl_real *
gate_of (const SlMoe *moe, size_t i, size_t *n)
{
  size_t         each = moe->shape.experts / moe->shape.groups;
  const sl_real *within;

  *n = moe->shape.gate == SL_MOE_SOFT ? moe->shape.slots : 1;
  if (moe->shape.groups == 1)
    return moe->weights + i * *n;
  within = moe->shape.gate == SL_MOE_BALANCED ? moe->strict[1 + i / each].weights
                                              : moe->gates[1 + i / each].weights;
  return moe->weights + (within - moe->weights) + i % each;
}

/* A gate whose logit of an expert is no number never chooses it, and gives it no weight where all are computed; a
 * bias could.  */
static void
forward (Picture *v, SlProbe *p)
{
  SlMoe       *moe = &v->s->moe;
  bool         biased = moe->shape.gate == SL_MOE_BIAS;
  SlAliveAside aside[SL_SUBJECT_CLOSED];
  double       bar[SL_SUBJECT_CLOSED];
  size_t       which[SL_SUBJECT_CLOSED], numbers;
  unsigned     n = 0;

  for (size_t i = 0; i < v->experts && n < SL_SUBJECT_CLOSED; i++)
    {
      sl_real *gate = gate_of (moe, i, &numbers);

      if (!sl_alive_closes (p, 0, i)
          || !sl_alive_set_aside (&aside[n], p, gate, numbers, 1, (sl_real) NAN))
        continue;
      which[n] = i;
      if (biased)
        {
          bar[n] = moe->chooser.bar[i];
          moe->chooser.bar[i] = -HUGE_VAL;
        }
      n++;
    }
  sl_experts_net_forward (v->s, NET_MIXTURE, 1, false, false);
  while (n > 0)
    {
      n--;
      sl_alive_put_back (&aside[n]);
      if (biased)
        moe->chooser.bar[which[n]] = bar[n];
    }
}

static void
find_states (Picture *v, const SlProbe *p)
{
  const SlDispatch *dispatch = &v->s->moe.dispatch;

  for (size_t i = 0; i < v->experts; i++)
    {
      bool used = dispatch->start[i] < dispatch->start[i + 1] && !sl_alive_closes (p, 0, i);

      v->state[i] = sl_alive_closes (p, 0, i)      ? SL_ALIVE_CLOSED
                    : used                         ? SL_ALIVE_USED
                    : sl_experts_is_dead (v->s, i) ? SL_ALIVE_DEAD
                                                   : SL_ALIVE_SKIPPED;
      v->states |= 1U << v->state[i];
      v->chosen += used;
      v->sum += used ? (double) dispatch->weight[dispatch->start[i]] : 0.0;
    }
}

/* Gates on two levels have no score of an expert whose group is not reached: its gate value is shown. */
static void
add_scores (Picture *v)
{
  bool   flat = v->s->shape.groups == 1;
  double lo = HUGE_VAL, hi = -HUGE_VAL, spread;

  for (size_t i = 0; i < v->experts; i++)
    {
      double score = flat ? score_of (v, i, &spread) : weight_of (v, i);

      spread = flat ? spread : 0.0;
      lo = fmin (lo, score);
      hi = fmax (hi, score + spread);
    }
  sl_alive_group (&v->w, SL_ALIVE_SCORES, v->experts, SLOT,
                  flat ? sl_message ("scores") : sl_message ("weights"));
  for (size_t i = 0; i < v->experts; i++)
    {
      double score = flat ? score_of (v, i, &spread) : weight_of (v, i);
      double span = hi > lo ? hi - lo : 1.0;

      sl_alive_cell (&v->w, v->state[i], (score - lo) / span, flat ? spread / span : 0.0, i);
    }
}

static void
add_boxes (Picture *v)
{
  size_t shared = v->s->shape.shared;

  sl_alive_group (&v->w, SL_ALIVE_BOXES, v->experts, SLOT,
                  shared > 0 ? sl_message ("experts: + %zu shared", shared)
                             : sl_message ("experts"));
  for (size_t i = 0; i < v->experts; i++)
    sl_alive_cell (&v->w, v->state[i], weight_of (v, i), 0.0, i);
  sl_alive_group (&v->w, SL_ALIVE_SUM, 1, SLOT, sl_message ("sum"));
  sl_alive_cell (&v->w, SL_ALIVE_USED, 1.0, 0.0, 0);
  for (size_t i = 0; i < v->experts; i++)
    if (v->state[i] == SL_ALIVE_USED)
      sl_alive_edge (&v->w, v->w.groups - 2, (unsigned) i, weight_of (v, i));
}

void
sl_experts_probe_alive (SlProbe *p)
{
  SlExpertsLab *s = sl_experts_lab (p->state);
  Picture       v = { .s = s, .experts = s->shape.experts };

  sl_alive_take (p, s->x, s->label);
  forward (&v, p);
  find_states (&v, p);
  if (!sl_alive_begin (&v.w, p))
    return;
  sl_alive_input (&v.w, s->x, v.states | 1U << SL_ALIVE_SKIPPED);
  add_scores (&v);
  add_boxes (&v);
  sl_probe_note (p, "%zu of %zu experts computed: %.3g %% of the multiplications.", v.chosen,
                 v.experts, sl_experts_executed (s, (double) v.chosen));
  sl_alive_output (&v.w, s->outputs, s->logits, s->label[0]);
  sl_alive_end (&v.w);
}
