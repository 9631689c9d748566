/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts` does with single inputs: sets of experts and the gating map.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/loss.h"

/* How far the gate is from choosing otherwise, 0 … 1.  A margin of u standard deviations of the
 * noise maps to 2 Φ(u) - 1: the noise decides at 0 and cannot change anything at 1.  Balanced gates
 * have no noise; there the mean of their values takes the place of σ and the map is
 * linear-over-linear.  */
static double
confidence (const SlExpertsLab *s, double margin)
{
  double distance = fabs (margin);

  if (s->moe.shape.gate == SL_MOE_NOISY)
    return erf (distance * sqrt (0.5));
  distance *= (double) (s->moe.shape.experts / s->moe.shape.groups);
  return distance / (1.0 + distance);
}

/* The least confident decision about an example counts. */
static void
lower_confidence (const SlExpertsLab *s, size_t e, SlCell *cells)
{
  double own;

  if (!isfinite (s->margin[e]))
    return;
  own = confidence (s, (double) s->margin[e]);
  if (own < (double) cells[e].confidence)
    cells[e].confidence = (sl_real) own;
}

/* Of an example's chosen experts the one that would be dropped first decides; balanced gates decide
 * about every expert on its own.  */
static void
fill_confidence (SlExpertsLab *s, size_t take, SlCell *cells)
{
  const SlDispatch *dispatch = &s->moe.dispatch;
  bool              all = s->moe.shape.gate == SL_MOE_BALANCED;

  for (size_t e = 0; e < take; e++)
    cells[e].confidence = 1;
  for (size_t i = 0; i < dispatch->experts; i++)
    {
      sl_moe_margin (&s->moe, i, s->margin);
      for (size_t e = 0; all && e < take; e++)
        lower_confidence (s, e, cells);
      for (uint32_t a = dispatch->start[i]; !all && a < dispatch->start[i + 1]; a++)
        lower_confidence (s, dispatch->row[a], cells);
    }
  /* Those that compute nothing are not in the dispatch. */
  for (size_t i = 0; i < s->shape.zero; i++)
    {
      sl_moe_margin (&s->moe, dispatch->experts + i, s->margin);
      for (size_t e = 0; e < take; e++)
        if (s->margin[e] > 0)
          lower_confidence (s, e, cells);
    }
}

/* Of gates without noise: by how much the largest gate value is ahead of the second, ÷ their sum. */
static void
fill_lead (SlExpertsLab *s, size_t take, SlCell *cells)
{
  const SlDispatch *dispatch = &s->moe.dispatch;

  for (size_t e = 0; e < take; e++)
    {
      sl_real first = 0, second = 0, sum = 0;

      for (uint32_t q = dispatch->first[e]; q < dispatch->first[e + 1]; q++)
        {
          sl_real g = dispatch->weight[dispatch->slot[q]];

          second = g > first ? first : g > second ? g : second;
          first = g > first ? g : first;
          sum += (sl_real) fabs (g); /* those of a program's gate may be below 0 */
        }
      cells[e].confidence = sum > 0 ? (first - second) / sum : 0;
    }
}

static void
fill_experts (SlExpertsLab *s, size_t take, SlCell *cells)
{
  const SlDispatch *dispatch = &s->moe.dispatch;
  sl_real          *largest = s->margin;

  memset (largest, 0, take * sizeof *largest);
  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      {
        uint32_t e = dispatch->row[a];

        cells[e].active++;
        if (fabs (dispatch->weight[a]) > largest[e])
          {
            largest[e] = (sl_real) fabs (dispatch->weight[a]);
            cells[e].top = (uint32_t) i;
          }
      }
}

void
sl_experts_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlExpertsLab *s = sl_experts_lab (state);
  SlMoeSetting  setting = sl_experts_setting (s);
  double        always = sl_moe_gate_macs (&s->moe, &setting) + sl_experts_embedding_macs (s)
                  + sl_experts_head_macs (s)
                  + (double) s->shape.shared * sl_moe_expert_macs (&s->moe);

  memcpy (s->x, points, n * s->inputs * sizeof *points);
  sl_experts_net_forward (s, NET_MIXTURE, n, false, false);
  sl_mixture_sets (&s->moe.dispatch, n, s->set);
  if (s->moe.shape.gate >= SL_MOE_DENSE)
    fill_lead (s, n, cells);
  else
    fill_confidence (s, n, cells);
  fill_experts (s, n, cells);
  for (size_t e = 0; e < n; e++)
    {
      cells[e].pattern = s->set[e];
      cells[e].cost = (sl_real) (always + cells[e].active * sl_moe_expert_macs (&s->moe));
      cells[e].label = sl_decide (s->outputs, s->logits + e * s->outputs, &cells[e].margin);
    }
}
