/* SPDX-License-Identifier: MIT
 *
 * What the lab `experts` does with single inputs: sets of experts and the gating map.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/loss.h"

void
sl_experts_sets (const SlExpertsLab *s, size_t batch, uint64_t *set)
{
  const SlDispatch *dispatch = &s->moe.dispatch;

  memset (set, 0, batch * sizeof *set);
  for (size_t i = 0; i < dispatch->experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      set[dispatch->row[a]] |= (uint64_t) 1 << i;
}

/* How far the gate is from choosing otherwise, 0 … 1.  A margin of u standard deviations of the
 * noise maps to 2 Φ(u) - 1: the noise decides at 0 and cannot change anything at 1.  Balanced gates
 * have no noise; there 1 / n, the mean of their values, takes the place of σ and the map is
 * linear-over-linear.  */
static double
confidence (const SlExpertsLab *s, double margin)
{
  double distance = fabs (margin);

  if (s->moe.shape.gate == SL_MOE_NOISY)
    return erf (distance * sqrt (0.5));
  distance *= (double) s->moe.shape.experts;
  return distance / (1.0 + distance);
}

/* The least confident decision about an example counts: of its chosen experts the one that would
 * be dropped first; balanced gates decide about every expert on its own.  */
static void
fill_confidence (SlExpertsLab *s, size_t take, const uint64_t *set, SlCell *cells)
{
  bool all = s->moe.shape.gate == SL_MOE_BALANCED;

  for (size_t e = 0; e < take; e++)
    cells[e].confidence = 1;
  for (size_t i = 0; i < s->moe.shape.experts; i++)
    {
      sl_moe_margin (&s->moe, i, s->margin);
      for (size_t e = 0; e < take; e++)
        if ((all || (set[e] >> i & 1)) && isfinite (s->margin[e]))
          {
            double own = confidence (s, (double) s->margin[e]);

            if (own < (double) cells[e].confidence)
              cells[e].confidence = (sl_real) own;
          }
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
        if (dispatch->weight[a] > largest[e])
          {
            largest[e] = dispatch->weight[a];
            cells[e].top = (uint32_t) i;
          }
      }
}

/* A set of so many experts that no bit is left to tell it from a hash. */
static uint64_t
hashed (uint64_t set)
{
  return ((set ^ set >> 32) * 0x9e3779b97f4a7c15U) | (uint64_t) 1 << SL_CELL_HASH;
}

void
sl_experts_map (SlLabState *state, const sl_real *points, size_t n, SlCell *cells)
{
  SlExpertsLab *s = sl_experts_lab (state);
  SlMoeSetting  setting = sl_experts_setting (s);
  double        always = sl_moe_gate_macs (&s->moe, &setting) + sl_experts_embedding_macs (s)
                  + sl_experts_head_macs (s);

  memcpy (s->x, points, n * s->inputs * sizeof *points);
  sl_experts_net_forward (s, n, false, false);
  sl_experts_sets (s, n, s->set);
  fill_confidence (s, n, s->set, cells);
  fill_experts (s, n, cells);
  for (size_t e = 0; e < n; e++)
    {
      cells[e].pattern = s->shape.experts < SL_CELL_HASH ? s->set[e] : hashed (s->set[e]);
      cells[e].cost = (sl_real) (always + cells[e].active * sl_moe_expert_macs (&s->moe));
      cells[e].label = sl_decide (s->outputs, s->logits + e * s->outputs, &cells[e].margin);
    }
}
