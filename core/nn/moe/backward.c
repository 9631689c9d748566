/* SPDX-License-Identifier: MIT
 *
 * The backward pass of a mixture of experts; see moe.h.  */
#include <string.h>

#include "core/nn/kernels/vector.h"
#include "core/nn/moe/private.h"

/* dloss/dG of all assignments with the importance loss, in moe->dg example by example. */
static void
collect_slopes (SlMoe *moe, const sl_real *dy)
{
  SlDispatch *dispatch = &moe->dispatch;

  for (size_t i = 0; i < moe->shape.experts; i++)
    for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
      dispatch->slope[a] += moe->dimportance[i];
  if (moe->shape.zero > 0)
    sl_moe_collect_zero (moe, dy);
  else
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
split_slopes_strict (SlMoe *moe)
{
  const SlStrict *primary = &moe->strict[0];
  const sl_real  *dg = moe->dg;
  size_t          a = moe->shape.groups, size = sl_moe_group_size (moe), q = 0;

  memset (moe->cursor, 0, a * sizeof *moe->cursor);
  for (size_t e = 0; e < moe->batch; e++)
    for (size_t i = 0; i < a; i++)
      {
        const SlStrict *within = &moe->strict[1 + i];
        sl_real        *own = slopes_within (moe, i), sum = 0;

        if (!primary->mask[e * a + i])
          continue;

        size_t r = moe->cursor[i]++, at = within->first[r];

        for (size_t j = r * size; j < (r + 1) * size; j++)
          if (within->mask[j])
            {
              sum += within->g[j] * *dg;
              own[at++] = primary->g[e * a + i] * *dg++;
            }
        moe->dg_groups[q++] = sum;
      }
}

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

static void
backward_strict (SlMoe *moe, sl_real *dx)
{
  double scale = moe->batch > 0 ? 1.0 / (double) moe->batch : 0.0;

  if (!sl_moe_grouped (moe))
    {
      sl_strict_backward (&moe->strict[0], moe->dg, scale, true, dx);
      return;
    }
  split_slopes_strict (moe);
  sl_strict_backward (&moe->strict[0], moe->dg_groups, scale, true, dx);
  for (size_t i = 0; i < moe->shape.groups; i++)
    {
      size_t rows = moe->strict[1 + i].rows;

      sl_moe_collect (moe, i, rows);
      sl_strict_backward (&moe->strict[1 + i], slopes_within (moe, i), scale, false,
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

/* All numbers of the gate, at its own rate. */
static void
update_at_rate (SlMoe *moe, const SlMoeSetting *setting, const SlOptimSetting *optim)
{
  SlOptimSetting own = *optim;

  own.rate = (sl_real) ((double) own.rate * setting->gate_rate);
  moe->updates++;
  update_numbers (moe, &own, 0, moe->n_gates);
}

static void
update_gates (SlMoe *moe, const SlOptimSetting *optim)
{
  size_t groups = sl_moe_groups (moe), primary = sl_moe_gate_numbers (&moe->shape, groups);
  size_t each = sl_moe_gate_numbers (&moe->shape, sl_moe_group_size (moe));

  moe->updates++;
  if (groups == 1)
    {
      update_numbers (moe, optim, 0, moe->n_gates);
      return;
    }
  update_numbers (moe, optim, 0, primary);
  for (size_t i = 0; i < groups; i++)
    if (sl_moe_reached (moe, i) > 0)
      update_numbers (moe, optim, primary + i * each, each);
}

static void
backward_choice (SlMoe *moe, const SlMoeSetting *setting, sl_real *dx, const SlOptimSetting *optim)
{
  SlChooserSetting choice = sl_moe_choice_setting (setting);

  sl_chooser_backward (&moe->chooser, &choice, moe->dg, true, dx);
  if (optim == NULL || moe->batch == 0)
    return;
  update_at_rate (moe, setting, optim);
  sl_chooser_follow (&moe->chooser, &choice);
}

static void
backward_soft (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
               const SlOptimSetting *optim)
{
  SlSoft *soft = &moe->soft;

  if (moe->batch == 0)
    {
      memset (moe->gradient, 0, moe->n_gates * sizeof *moe->gradient);
      sl_experts_backward (&moe->experts, &moe->dispatch, moe->x, dy, true, NULL, optim);
      return;
    }
  sl_soft_backward_outer (soft, dy);
  sl_experts_backward (&moe->experts, &soft->work, soft->inner, soft->d_outer, setting->recompute,
                       soft->d_inner, optim);
  sl_soft_backward_inner (soft, dx);
  if (optim != NULL)
    update_at_rate (moe, setting, optim);
}

static void
backward_shared (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                 const SlOptimSetting *optim)
{
  sl_experts_backward (&moe->shared, &moe->everybody, moe->x, dy, setting->recompute,
                       dx != NULL ? moe->dx_shared : NULL, optim);
  if (dx != NULL)
    sl_vector_add (moe->batch * moe->shape.inputs, moe->dx_shared, dx);
}

/* The backward pass of noisy and balanced gates. */
static void
backward_gates (SlMoe *moe, const SlMoeSetting *setting, sl_real *dx, const SlOptimSetting *optim)
{
  SlGateSetting flat = sl_moe_gate_setting (setting, setting->k, false);
  bool          load = setting->w_load > 0;

  if (moe->shape.gate == SL_MOE_BALANCED)
    backward_strict (moe, dx);
  else if (sl_moe_grouped (moe))
    backward_groups (moe, setting, load, dx);
  else
    sl_gate_backward (&moe->gates[0], &flat, moe->dg, load ? moe->dload : NULL, true, dx);
  if (optim == NULL || moe->batch == 0)
    return;
  update_gates (moe, optim);
  if (moe->shape.zero > 0)
    sl_moe_follow_zero (moe, setting);
}

/* The backward pass of the experts; where the slopes of the gate can fail, the updates wait for them. */
static bool
backward_experts (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                  const SlOptimSetting *optim)
{
  bool waits = moe->chooser.weighted;

  sl_experts_backward (&moe->experts, &moe->dispatch, moe->x, dy, setting->recompute, dx,
                       waits ? NULL : optim);
  collect_slopes (moe, dy);
  if (waits && !sl_chooser_slopes (&moe->chooser, moe->dg))
    return false;
  if (waits && optim != NULL)
    sl_experts_update (&moe->experts, &moe->dispatch, optim);
  return true;
}

bool
sl_moe_backward (SlMoe *moe, const SlMoeSetting *setting, const sl_real *dy, sl_real *dx,
                 const SlOptimSetting *optim)
{
  if (sl_moe_is_soft (&moe->shape))
    backward_soft (moe, setting, dy, dx, optim);
  else if (!backward_experts (moe, setting, dy, dx, optim))
    return false;
  else
    {
      if (moe->shape.zero > 0 && dx != NULL)
        sl_moe_add_zero_slope (moe, dy, dx);
      if (sl_moe_is_choice (&moe->shape))
        backward_choice (moe, setting, dx, optim);
      else
        backward_gates (moe, setting, dx, optim);
    }
  if (moe->shape.shared > 0)
    backward_shared (moe, setting, dy, dx, optim);
  return true;
}
