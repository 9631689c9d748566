/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/alive.h"

#include <math.h>

enum { SLOT = 7 }; /* of no hue: those are of experts */

/* ---- switched off ---- */

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

static size_t
columns_of (const SlMoe *moe)
{
  return moe->shape.experts + moe->shape.zero;
}

/* A gate whose logit of an expert is no number never chooses it, and gives it no weight where all are computed; a
 * bias could.  */
void
sl_mixture_close (SlMixtureClosed *closed, SlProbe *p, SlMoe *moe)
{
  closed->n = 0;
  for (size_t i = 0; i < columns_of (moe) && closed->n < SL_SUBJECT_CLOSED; i++)
    {
      size_t   numbers;
      sl_real *gate = gate_of (moe, i, &numbers);

      if (!sl_alive_closes (p, 0, i)
          || !sl_alive_set_aside (&closed->aside[closed->n], p, gate, numbers, 1, (sl_real) NAN))
        continue;
      closed->n++;
    }
}

void
sl_mixture_open (const SlMixtureClosed *closed)
{
  for (unsigned n = closed->n; n-- > 0;)
    sl_alive_put_back (&closed->aside[n]);
}

/* ---- one row ---- */

/* What decides about an expert; *spread is the standard deviation of its noise, 0 without. */
static double
score_of (const SlMixtureAlive *v, size_t i, double *spread)
{
  const SlMoe *moe = v->moe;
  size_t       at = v->row * columns_of (moe) + i;

  *spread = 0.0;
  switch (moe->shape.gate)
    {
    case SL_MOE_NOISY:
      if (moe->gates[0].has_sigma && v->noise)
        *spread = (double) moe->gates[0].sigma[at];
      return (double) moe->gates[0].logits[v->row * columns_of (moe) + at]
             + (i < moe->shape.experts ? 0.0 : *moe->zero_bias);
    case SL_MOE_BALANCED: return (double) moe->strict[0].logits[at];
    case SL_MOE_SOFT: return (double) moe->soft.share[at];
    case SL_MOE_BIAS: return (double) moe->chooser.score[at] + moe->chooser.bar[i];
    case SL_MOE_TOP_P:
    case SL_MOE_EXPERT_CHOICE: return (double) moe->chooser.score[at];
    case SL_MOE_DENSE:
    case SL_MOE_BASE:
    case SL_MOE_RELU:
    case SL_MOE_SWITCH:
    case SL_MOE_OWN: break;
    }
  return (double) moe->chooser.logits[at];
}

/* The assignment of the row to an expert; false where there is none. */
static bool
find_assignment (const SlMixtureAlive *v, size_t expert, size_t *assignment)
{
  const SlDispatch *dispatch = &v->moe->dispatch;

  for (size_t a = dispatch->start[expert]; a < dispatch->start[expert + 1]; a++)
    if (dispatch->row[a] == v->row)
      {
        *assignment = a;
        return true;
      }
  return false;
}

/* The gate value of an expert, zero-computation ones too; false where it is not chosen. */
static bool
find_value (const SlMixtureAlive *v, size_t expert, double *value)
{
  const SlGate *gate = v->moe->gates;
  size_t        a;

  if (expert < v->moe->shape.experts)
    {
      if (!find_assignment (v, expert, &a))
        return false;
      *value = (double) v->moe->dispatch.weight[a];
      return true;
    }
  for (size_t p = v->row * gate->k; p < (v->row + 1) * gate->k; p++)
    if (gate->chosen[p] == expert)
      {
        *value = (double) gate->g[p];
        return true;
      }
  return false;
}

void
sl_mixture_alive_find (SlMixtureAlive *v, const SlProbe *p, const SlMoe *moe, size_t row,
                       bool noise, bool (*is_dead) (const SlLabState *state, size_t expert))
{
  *v = (SlMixtureAlive) { .moe = moe, .row = row, .noise = noise };
  for (size_t i = 0; i < columns_of (moe); i++)
    {
      double value = 0.0;
      bool   computes = i < moe->shape.experts;
      bool   closed = sl_alive_closes (p, 0, i), used = !closed && find_value (v, i, &value);

      v->state[i] = closed                                                 ? SL_ALIVE_CLOSED
                    : used                                                 ? SL_ALIVE_USED
                    : computes && is_dead != NULL && is_dead (p->state, i) ? SL_ALIVE_DEAD
                                                                           : SL_ALIVE_SKIPPED;
      v->states |= 1U << v->state[i];
      v->chosen += used && computes;
      v->sum += value;
    }
}

double
sl_mixture_alive_weight (const SlMixtureAlive *v, size_t expert)
{
  double value;

  return find_value (v, expert, &value) ? value / fmax (v->sum, 1.0) : 0.0;
}

/* Gates on two levels have no score of an expert whose group is not reached: its gate value is shown. */
static double
shown_score (const SlMixtureAlive *v, size_t i, double *spread)
{
  if (v->moe->shape.groups == 1)
    return score_of (v, i, spread);
  *spread = 0.0;
  return sl_mixture_alive_weight (v, i);
}

static void
add_scores (const SlMixtureAlive *v, SlAliveWriter *w)
{
  size_t n = columns_of (v->moe);
  double lo = HUGE_VAL, hi = -HUGE_VAL, spread;

  for (size_t i = 0; i < n; i++)
    {
      double score = shown_score (v, i, &spread);

      lo = fmin (lo, score);
      hi = fmax (hi, score + spread);
    }
  sl_alive_group (w, SL_ALIVE_SCORES, n, SLOT,
                  v->moe->shape.groups == 1 ? sl_message ("scores") : sl_message ("weights"));
  for (size_t i = 0; i < n; i++)
    {
      double score = shown_score (v, i, &spread), span = hi > lo ? hi - lo : 1.0;

      sl_alive_cell (w, v->state[i], (score - lo) / span, spread / span, i);
    }
}

static SlMessage
name_of_boxes (const SlMoeShape *shape)
{
  if (shape->zero > 0)
    return sl_message ("experts: %zu–%zu skip", shape->experts + 1, shape->experts + shape->zero);
  return shape->shared > 0 ? sl_message ("experts: + %zu shared", shape->shared)
                           : sl_message ("experts");
}

/* Zero-computation experts are skipped where they are chosen too; those that give the input have an edge. */
void
sl_mixture_alive_add (const SlMixtureAlive *v, SlAliveWriter *w)
{
  const SlMoeShape *shape = &v->moe->shape;
  size_t            n = columns_of (v->moe), gives = shape->identity ? n : shape->experts;

  add_scores (v, w);
  sl_alive_group (w, SL_ALIVE_BOXES, n, SLOT, name_of_boxes (shape));
  for (size_t i = 0; i < n; i++)
    sl_alive_cell (
      w, i >= shape->experts && v->state[i] == SL_ALIVE_USED ? SL_ALIVE_SKIPPED : v->state[i],
      sl_mixture_alive_weight (v, i), 0.0, i);
  sl_alive_group (w, SL_ALIVE_SUM, 1, SLOT, sl_message ("sum"));
  sl_alive_cell (w, SL_ALIVE_USED, 1.0, 0.0, 0);
  for (size_t i = 0; i < gives; i++)
    if (v->state[i] == SL_ALIVE_USED)
      sl_alive_edge (w, w->groups - 2, (unsigned) i, sl_mixture_alive_weight (v, i));
}
