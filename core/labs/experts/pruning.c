/* SPDX-License-Identifier: MIT
 *
 * The panel of what is lost when trained experts are removed: in the order of their saliency, their examples or their
 * outputs, or at random.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/probe.h"
#include "core/lab/mixture/margins.h"
#include "core/nn/moe/prune.h"

enum {
  ORDERS = 20, /* random ones */
  STEPS = 24,  /* at most so many points of a curve after the first */
};

/* What the examples are limited by: multiply-adds of all experts, and numbers of their outputs and of the gate. */
static const double most_macs = 2e9, most_outputs = 1 << 23, most_logits = 1 << 18;

typedef struct
{
  SlExpertsLab *s;
  SlMoeSetting  setting;
  SlPrune       prune;
  size_t        rows, experts, step, points; /* so many experts more at each point */
  bool         *removed;                     /* (n) */
  uint32_t     *order;                       /* (n) the first to go first */
} Pruning;

static size_t
rows_of (const SlExpertsLab *s)
{
  double n = (double) s->shape.experts;
  double rows = fmin (most_macs / (n * sl_moe_expert_macs (&s->moe)),
                      fmin (most_outputs / (n * (double) s->shape.outputs), most_logits / n));

  return (size_t) fmin (fmax (rows, 1.0), PROBE);
}

static bool
begin (Pruning *w, SlProbe *p)
{
  SlExpertsLab *s = w->s;
  size_t        n = s->shape.experts, rows = rows_of (s);
  sl_real      *logits = sl_probe_room (p, rows * n, sizeof *logits);
  sl_real      *outputs = sl_probe_room (p, rows * n * s->shape.outputs, sizeof *outputs);

  w->experts = n;
  w->step = (n - 1 + STEPS - 1) / STEPS;
  w->step = w->step > 0 ? w->step : 1;
  w->points = 1 + (n - 1) / w->step;
  w->removed = sl_probe_room (p, n, sizeof *w->removed);
  w->order = sl_probe_room (p, n, sizeof *w->order);
  if (logits == NULL || outputs == NULL || w->removed == NULL || w->order == NULL)
    return false;
  w->setting = sl_experts_setting (s);
  w->rows = sl_experts_run_validation (s, rows);
  if (w->rows > 0)
    sl_prune_begin (&w->prune, &s->moe, &w->setting, logits, outputs);
  return w->rows > 0;
}

/* Wrong predictions without some experts, in %. */
static double
error_without (Pruning *w)
{
  size_t errors;

  sl_prune_forward (&w->prune, w->removed, sl_experts_output (w->s));
  sl_experts_finish (w->s, w->rows);
  sl_experts_loss (w->s, w->rows, false, &errors);
  return 100.0 * (double) errors / (double) w->rows;
}

/* Removes them in w->order; error (points).  False when the probe is to stop. */
static bool
follow_order (Pruning *w, SlProbe *p, double *error)
{
  memset (w->removed, 0, w->experts * sizeof *w->removed);
  for (size_t i = 0; i < w->points; i++)
    {
      for (size_t r = i > 0 ? (i - 1) * w->step : 0; r < i * w->step; r++)
        w->removed[w->order[r]] = true;
      error[i] = error_without (w);
      if (sl_probe_cancelled (p))
        return false;
    }
  return true;
}

/* A curve with x filled, y at its points and room for spreads behind them; NULL: stop. */
static double *
add_curve (const Pruning *w, SlProbe *p, unsigned trace, bool with_spread)
{
  double *at = sl_probe_curve (p, trace, 0, w->points, with_spread);

  for (size_t i = 0; at != NULL && i < w->points; i++)
    at[i] = (double) (i * w->step);
  return at;
}

/* The least value goes first. */
static bool
add_ranked (Pruning *w, SlProbe *p, unsigned trace, const double *value)
{
  double *at = add_curve (w, p, trace, false);

  sl_prune_order (w->experts, value, w->order);
  return at != NULL && follow_order (w, p, at + w->points);
}

static bool
add_random (Pruning *w, SlProbe *p)
{
  double *at = add_curve (w, p, T_PRUNE_RANDOM, true), *mean, *spread;
  double  error[STEPS + 1];
  SlRng   rng; /* of its own, the same each time */

  if (at == NULL)
    return false;
  mean = at + w->points;
  spread = mean + w->points;
  sl_rng_init (&rng, 1, "pruning");
  memset (mean, 0, 2 * w->points * sizeof *mean);
  for (size_t i = 0; i < w->experts; i++)
    w->order[i] = (uint32_t) i;
  for (int o = 1; o <= ORDERS; o++)
    {
      sl_rng_shuffle (&rng, w->order, w->experts);
      if (!follow_order (w, p, error))
        return false;
      for (size_t i = 0; i < w->points; i++)
        {
          double off = error[i] - mean[i];

          mean[i] += off / o;
          spread[i] += off * (error[i] - mean[i]);
        }
    }
  for (size_t i = 0; i < w->points; i++)
    spread[i] = sqrt (spread[i] / (ORDERS - 1));
  return true;
}

/* Says how it is with half of them. */
static void
note_half (Pruning *w, SlProbe *p)
{
  const SlSnapshot *snapshot = p->snapshot;
  size_t            at = w->points / 2, left = w->experts - at * w->step;
  double            half[2], all = snapshot->data[snapshot->curve[0].offset + w->points];

  for (unsigned i = 0; i < 2; i++)
    half[i] = snapshot->data[snapshot->curve[i == 0 ? 0 : T_PRUNE_RANDOM].offset + w->points + at];
  sl_probe_note (
    p,
    "%zu of %zu experts left: %.3g %% wrong by saliency, %.3g %% at random; all: %.3g %%. "
    "%zu validation examples.",
    left, w->experts, half[0], half[1], all, w->rows);
}

void
sl_experts_probe_pruning (SlProbe *p)
{
  Pruning w = { .s = sl_experts_lab (p->state) };
  double  count[MOST_EXPERTS], saliency[MOST_EXPERTS], norm[MOST_EXPERTS];

  if (!sl_prune_is_possible (&w.s->shape))
    sl_probe_note (
      p, "Not for soft mixtures, strictly balanced gates, trees and zero-computation experts.");
  else if (sl_mixture_has_learned (p) && begin (&w, p))
    {
      sl_prune_forward (&w.prune, NULL, sl_experts_output (w.s));
      sl_prune_measure (&w.prune, count, saliency, norm);
      if (add_ranked (&w, p, T_PRUNE_SALIENCY, saliency) && add_ranked (&w, p, T_PRUNE_COUNT, count)
          && add_ranked (&w, p, T_PRUNE_NORM, norm) && add_random (&w, p))
        note_half (&w, p);
    }
}
