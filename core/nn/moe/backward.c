/* SPDX-License-Identifier: MIT
 *
 * The backward pass of a mixture of experts; see moe.h.  */
#include <string.h>

#include "core/nn/moe/private.h"

/* dloss/dG of all assignments with the importance loss, in moe->dg example by example. */
static void
collect_slopes (SlMoe *moe)
{
  SlDispatch *dispatch = &moe->dispatch;

  for (size_t i = 0; i < moe->shape.experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      dispatch->slope[a] += moe->dimportance[i];
  for (size_t q = 0; q < dispatch->total; q++)
    moe->dg[q] = dispatch->slope[dispatch->slot[q]];
}

/* Where the slopes of a group's own G begin. */
static sl_real *
slopes_within (SlMoe *moe, size_t group)
{
  return moe->dg_within + group * moe->shape.most * sl_moe_group_size (moe);
}

/* From dloss/d(Gp G) in moe->dg: that of Gp, example by example, and of G, group by group. */
static void
split_slopes (SlMoe *moe)
{
  const SlGate  *primary = &moe->gates[0];
  const sl_real *dg = moe->dg;

  memset (moe->cursor, 0, moe->shape.groups * sizeof *moe->cursor);
  for (size_t q = 0; q < moe->batch * primary->k; q++)
    {
      uint32_t      group = primary->chosen[q];
      const SlGate *within = &moe->gates[1 + group];
      size_t        k = within->k, at = moe->cursor[group]++ * k;
      sl_real      *own = slopes_within (moe, group) + at, sum = 0;

      for (size_t p = 0; p < k; p++)
        {
          sum += within->g[at + p] * dg[p];
          own[p] = primary->g[q] * dg[p];
        }
      moe->dg_groups[q] = sum;
      dg += k;
    }
}

/* From dloss/dLoad_ij to that of the loads of both levels; |X^(i)| is a constant. */
static void
split_load (SlMoe *moe)
{
  size_t size = sl_moe_group_size (moe);

  for (size_t i = 0; i < moe->shape.groups; i++)
    {
      const SlGate *within = &moe->gates[1 + i];
      sl_real       rows = (sl_real) within->input.rows, sum = 0;

      for (size_t j = i * size; rows > 0 && j < (i + 1) * size; j++)
        {
          sum += moe->dload[j] * within->load[j - i * size] / rows;
          moe->dload_within[j] = moe->dload[j] * moe->gates[0].load[i] / rows;
        }
      moe->dload_groups[i] = sum;
    }
}

/* dx of the examples that reach a group += what its gate has found. */
static void
scatter_slope (SlMoe *moe, size_t group, size_t rows, sl_real *dx)
{
  const uint32_t *reach = moe->reach + group * moe->shape.most;
  size_t          d = moe->shape.inputs;

  for (size_t r = 0; r < rows; r++)
    for (size_t j = 0; j < d; j++)
      dx[reach[r] * d + j] += moe->dx_group[r * d + j];
}

static void
backward_groups (SlMoe *moe, const SlMoeSetting *setting, bool load, sl_real *dx)
{
  SlGateSetting primary = sl_moe_gate_setting (setting, setting->k_groups, false);
  SlGateSetting within = sl_moe_gate_setting (setting, setting->k, false);
  size_t        size = sl_moe_group_size (moe);

  split_slopes (moe);
  if (load)
    split_load (moe);
  sl_gate_backward (&moe->gates[0], &primary, moe->dg_groups, load ? moe->dload_groups : NULL, true,
                    dx);
  for (size_t i = 0; i < moe->shape.groups; i++)
    {
      SlGate *gate = &moe->gates[1 + i];
      size_t  rows = gate->input.rows;

      sl_moe_collect (moe, i, rows);
      sl_gate_backward (gate, &within, slopes_within (moe, i),
                        load ? moe->dload_within + i * size : NULL, false,
                        dx != NULL ? moe->dx_group : NULL);
      if (dx != NULL)
        scatter_slope (moe, i, rows, dx);
    }
}

/* Updates the gates' numbers from `at` on. */
static void
update_numbers (SlMoe *moe, const SlOptimSetting *optim, size_t at, size_t n)
{
  sl_optim_step (optim, moe->updates, n, moe->gradient + at, moe->weights + at, moe->m + at,
                 moe->v + at);
}

static void
update_gates (SlMoe *moe, const SlOptimSetting *optim)
{
  size_t d = moe->shape.inputs, groups = sl_moe_groups (moe);
  size_t each = sl_gate_numbers (d, sl_moe_group_size (moe));

  moe->updates++;
  if (groups == 1)
    {
      update_numbers (moe, optim, 0, moe->n_gates);
      return;
    }
  update_numbers (moe, optim, 0, sl_gate_numbers (d, groups));
  for (size_t i = 0; i < groups; i++)
    if (moe->gates[1 + i].input.rows > 0)
      update_numbers (moe, optim, sl_gate_numbers (d, groups) + i * each, each);
}

void
sl_moe_backward (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                 const SlOptimSetting *optim)
{
  SlGateSetting flat = sl_moe_gate_setting (setting, setting->k, false);
  bool          load = setting->w_load > 0;

  sl_experts_backward (&moe->experts, &moe->dispatch, moe->x, dy, setting->recompute, dx, optim);
  collect_slopes (moe);
  if (moe->shape.gate == SL_MOE_BALANCED)
    sl_strict_backward (&moe->strict, moe->dg, moe->dispatch.first,
                        moe->batch > 0 ? 1.0 / (double) moe->batch : 0.0, true, dx);
  else if (sl_moe_grouped (moe))
    backward_groups (moe, setting, load, dx);
  else
    sl_gate_backward (&moe->gates[0], &flat, moe->dg, load ? moe->dload : NULL, true, dx);
  if (optim != NULL && moe->batch > 0)
    update_gates (moe, optim);
}
