/* SPDX-License-Identifier: MIT
 *
 * The forward pass of a mixture of experts: gates, the experts of each row, experts, and how evenly
 * that spreads the work; see moe.h.  */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/nn/kernels/vector.h"
#include "core/nn/moe/balance.h"
#include "core/nn/moe/private.h"

static void
add_reach (SlMoe *moe, size_t group, size_t example)
{
  moe->reach[group * moe->shape.most + moe->cursor[group]++] = (uint32_t) example;
}

/* The examples in each group: those for which the primary gate chose it. */
static void
list_reach (SlMoe *moe)
{
  size_t a = moe->shape.groups;

  memset (moe->cursor, 0, a * sizeof *moe->cursor);
  for (size_t e = 0; e < moe->batch; e++)
    if (moe->shape.gate == SL_MOE_BALANCED)
      {
        for (size_t i = 0; i < a; i++)
          if (moe->strict[0].mask[e * a + i])
            add_reach (moe, i, e);
      }
    else
      for (size_t p = 0, k = moe->gates[0].k; p < k; p++)
        add_reach (moe, moe->gates[0].chosen[e * k + p], e);
}

static void
decide_noisy (SlMoe *moe, const SlMoeSetting *setting, bool noise, bool frozen)
{
  size_t        n = sl_moe_columns (&moe->shape), groups = sl_moe_groups (moe);
  bool          grouped = groups > 1;
  SlGateSetting primary
    = sl_moe_gate_setting (setting, grouped ? setting->k_groups : setting->k, frozen);
  SlGateSetting within = sl_moe_gate_setting (setting, setting->k, frozen);
  SlGateRows    all = {
       .rows = moe->batch,
       .x = moe->x,
       .epsilon = !noise    ? NULL
                  : grouped ? moe->epsilon_groups
                            : moe->epsilon,
       .stride = grouped ? groups : n,
  };

  if (moe->shape.zero > 0)
    {
      primary.biased = moe->shape.zero;
      primary.bias = (sl_real) *moe->zero_bias;
    }
  sl_gate_forward (&moe->gates[0], &primary, &all);
  if (!grouped)
    return;
  list_reach (moe);
  for (size_t i = 0; i < groups; i++)
    {
      SlGateRows some = {
        .rows = moe->cursor[i],
        .x = moe->x_group,
        .epsilon = noise ? moe->epsilon + i * (n / groups) : NULL,
        .stride = n,
        .which = moe->reach + i * moe->shape.most,
      };

      sl_moe_collect (moe, i, some.rows);
      sl_gate_forward (&moe->gates[1 + i], &within, &some);
    }
}

static void
decide_strict (SlMoe *moe, const SlMoeSetting *setting, bool training, bool frozen)
{
  size_t groups = sl_moe_groups (moe), k = setting->k < 1 ? 1 : setting->k;
  size_t k_groups = setting->k_groups < 1 ? 1 : setting->k_groups;

  sl_strict_forward (&moe->strict[0], groups > 1 ? k_groups : k, moe->batch, moe->x, training,
                     frozen);
  if (groups == 1)
    return;
  list_reach (moe);
  for (size_t i = 0; i < groups; i++)
    {
      sl_moe_collect (moe, i, moe->cursor[i]);
      sl_strict_forward (&moe->strict[1 + i], k, moe->cursor[i], moe->x_group, training, frozen);
    }
}

/* Goes through all assignments, examples rising and within one the experts; counts them in
 * moe->hard, or adds them to the dispatch.  */
static void
walk_flat (SlMoe *moe, bool add)
{
  const SlGate *gate = &moe->gates[0];
  size_t        k = gate->k;

  for (size_t e = 0; e < moe->batch; e++)
    for (size_t p = e * k; p < (e + 1) * k && gate->chosen[p] < moe->shape.experts; p++)
      if (add)
        sl_dispatch_add (&moe->dispatch, (uint32_t) e, gate->chosen[p], gate->g[p]);
      else
        moe->hard[gate->chosen[p]]++;
}

static void
walk_groups (SlMoe *moe, bool add)
{
  const SlGate *primary = &moe->gates[0];
  size_t        size = sl_moe_group_size (moe);

  memset (moe->cursor, 0, moe->shape.groups * sizeof *moe->cursor);
  for (size_t e = 0; e < moe->batch; e++)
    for (size_t q = e * primary->k; q < (e + 1) * primary->k; q++)
      {
        uint32_t      group = primary->chosen[q];
        const SlGate *within = &moe->gates[1 + group];
        size_t        r = moe->cursor[group]++, k = within->k;

        for (size_t p = r * k; p < (r + 1) * k; p++)
          {
            uint32_t expert = (uint32_t) (group * size) + within->chosen[p];

            if (add)
              sl_dispatch_add (&moe->dispatch, (uint32_t) e, expert, primary->g[q] * within->g[p]);
            else
              moe->hard[expert]++;
          }
      }
}

/* The same where the gates have counted already: those in row r of a gate, whose experts begin at `from`,
 * for an example.  */
static void
add_row (SlMoe *moe, const SlStrict *gate, size_t r, size_t from, size_t example, sl_real weight)
{
  size_t n = gate->experts;

  for (size_t i = 0; i < n; i++)
    if (gate->mask[r * n + i])
      sl_dispatch_add (&moe->dispatch, (uint32_t) example, (uint32_t) (from + i),
                       weight * gate->g[r * n + i]);
}

static void
walk_mask (SlMoe *moe, bool add)
{
  const SlStrict *strict = moe->strict;
  size_t          n = moe->shape.experts, groups = sl_moe_groups (moe), size = n / groups;

  if (!add)
    {
      for (size_t i = 0; i < groups; i++)
        memcpy (moe->hard + i * size, strict[groups > 1 ? 1 + i : 0].count,
                size * sizeof *moe->hard);
      return;
    }
  if (groups > 1)
    memset (moe->cursor, 0, groups * sizeof *moe->cursor);
  for (size_t e = 0; e < moe->batch; e++)
    if (groups == 1)
      add_row (moe, strict, e, 0, e, 1);
    else
      for (size_t i = 0; i < groups; i++)
        if (strict[0].mask[e * groups + i])
          add_row (moe, &strict[1 + i], moe->cursor[i]++, i * size, e, strict[0].g[e * groups + i]);
}

static void
walk_choice (SlMoe *moe, bool add)
{
  const SlChooser *choice = &moe->chooser;
  size_t           n = moe->shape.experts;

  if (!add)
    memcpy (moe->hard, choice->count, n * sizeof *moe->hard);
  for (size_t e = 0; add && e < moe->batch; e++)
    for (size_t i = 0; i < n; i++)
      if (choice->mask[e * n + i])
        sl_dispatch_add (&moe->dispatch, (uint32_t) e, (uint32_t) i, choice->g[e * n + i]);
}

/* All experts compute every example, weighted by their shares. */
static void
walk_soft (SlMoe *moe, bool add)
{
  size_t n = moe->shape.experts;

  for (size_t i = 0; !add && i < n; i++)
    moe->hard[i] = (uint32_t) moe->batch;
  for (size_t e = 0; add && e < moe->batch; e++)
    for (size_t i = 0; i < n; i++)
      sl_dispatch_add (&moe->dispatch, (uint32_t) e, (uint32_t) i, moe->soft.share[e * n + i]);
}

void
sl_moe_dispatch (SlMoe *moe)
{
  void (*walk) (SlMoe *, bool) = walk_flat;

  if (sl_moe_is_choice (&moe->shape))
    walk = walk_choice;
  else if (sl_moe_is_soft (&moe->shape))
    walk = walk_soft;
  else if (moe->shape.gate == SL_MOE_BALANCED)
    walk = walk_mask;
  else if (sl_moe_grouped (moe))
    walk = walk_groups;
  memset (moe->hard, 0, moe->shape.experts * sizeof *moe->hard);
  walk (moe, false);
  sl_dispatch_begin (&moe->dispatch, moe->batch, moe->hard);
  walk (moe, true);
  sl_dispatch_end (&moe->dispatch);
}

static void
load_of_groups (SlMoe *moe)
{
  size_t size = sl_moe_group_size (moe);

  for (size_t i = 0; i < moe->shape.groups; i++)
    {
      const SlGate *within = &moe->gates[1 + i];

      memcpy (moe->load + i * size, within->load, size * sizeof *moe->load);
      sl_balance_group_load (size, moe->gates[0].load[i], within->input.rows, moe->load + i * size);
    }
}

/* The smooth load, and what the gates say of their noise. */
static void
measure_noisy (SlMoe *moe, bool load)
{
  size_t n = moe->shape.experts, gates = sl_moe_gates (moe);
  double noise = 0.0, cells = 0.0;

  for (size_t i = 0; i < gates; i++)
    {
      double count = (double) moe->gates[i].input.rows * (double) moe->gates[i].experts;

      moe->balance.not_finite += moe->gates[i].not_finite;
      noise += moe->gates[i].noise * count;
      cells += count;
    }
  moe->balance.noise = cells > 0.0 ? noise / cells : 0.0;
  if (!load)
    for (size_t i = 0; i < n; i++)
      moe->load[i] = (sl_real) NAN;
  else if (gates > 1)
    load_of_groups (moe);
  else
    memcpy (moe->load, moe->gates[0].load, n * sizeof *moe->load);
}

static void
measure_strict (SlMoe *moe, bool training)
{
  double agreed = 0.0, pairs = 0.0, loss = 0.0;

  for (size_t i = 0; i < sl_moe_gates (moe); i++)
    {
      const SlStrict *gate = &moe->strict[i];
      double          own = (double) gate->rows * (double) gate->experts;

      moe->balance.not_finite += gate->not_finite;
      agreed += own * sl_strict_agreement (gate);
      pairs += own;
      loss += sl_strict_loss (gate);
    }
  for (size_t i = 0; i < moe->shape.experts; i++)
    moe->load[i] = (sl_real) moe->hard[i];
  if (!training)
    return;
  moe->balance.agreement = pairs > 0.0 ? agreed / pairs : 1.0;
  if (moe->batch > 0)
    moe->balance.threshold_loss = loss / (double) moe->batch;
}

/* The load is what was wanted; nothing estimates it. */
static void
measure_choice (SlMoe *moe)
{
  const SlChooser *choice = &moe->chooser;
  SlMoeBalance    *balance = &moe->balance;

  for (size_t i = 0; i < moe->shape.experts; i++)
    moe->load[i] = (sl_real) choice->want[i];
  balance->not_finite = choice->not_finite;
  balance->wanted = choice->want;
  balance->agreement = choice->agreement;
  balance->choice_loss = choice->balance_loss;
  balance->z_loss = choice->z_loss;
  balance->l1_loss = choice->l1_loss;
  balance->entropy_loss = choice->entropy_loss;
}

/* Every example goes to all experts, in a batch and alone. */
static void
measure_soft (SlMoe *moe, bool training)
{
  for (size_t i = 0; i < moe->shape.experts; i++)
    moe->load[i] = (sl_real) moe->hard[i];
  moe->balance.not_finite = moe->soft.not_finite;
  moe->balance.agreement = training ? 1.0 : NAN;
}

/* Measures everything that only needs the experts of each row. */
static void
measure_dispatch (SlMoe *moe)
{
  const SlDispatch *dispatch = &moe->dispatch;

  for (size_t i = 0; i < moe->shape.experts; i++)
    {
      double importance = 0.0;

      for (uint32_t a = dispatch->start[i]; a < dispatch->start[i + 1]; a++)
        importance += (double) dispatch->weight[a];
      moe->importance[i] = (sl_real) importance;
    }
  for (size_t e = 0; e < moe->batch; e++)
    moe->balance.empty += dispatch->first[e] == dispatch->first[e + 1];
}

static void
measure_load (SlMoe *moe, const SlMoeSetting *setting, bool training)
{
  SlMoeBalance *balance = &moe->balance;
  size_t        n = moe->shape.experts;
  bool          noisy = moe->shape.gate == SL_MOE_NOISY, choice = sl_moe_is_choice (&moe->shape);
  bool          soft = sl_moe_is_soft (&moe->shape);
  double        expected = 0.0;
  sl_real       w_importance
    = choice || soft ? 0 : setting->w_importance; /* the others' losses are their own */

  *balance = (SlMoeBalance) {
    .importance = moe->importance,
    .load = moe->load,
    .hard = moe->hard,
    .wanted = moe->hard,
    .agreement = NAN,
  };
  measure_dispatch (moe);
  if (choice)
    measure_choice (moe);
  else if (soft)
    measure_soft (moe, training);
  else if (!noisy)
    measure_strict (moe, training);
  else
    measure_noisy (moe, sl_moe_wants_load (setting));
  balance->importance_loss
    = (double) w_importance * sl_balance_cv2 (n, moe->importance, moe->dimportance);
  if (noisy && setting->w_load > 0)
    {
      balance->load_loss = (double) setting->w_load * sl_balance_cv2 (n, moe->load, moe->dload);
      for (size_t i = 0; i < n; i++)
        moe->dload[i] *= setting->w_load;
      memset (moe->dload + n, 0, moe->shape.zero * sizeof *moe->dload);
    }
  for (size_t i = 0; i < n; i++)
    {
      moe->dimportance[i] *= w_importance;
      expected += (double) moe->load[i];
    }
  balance->expected = moe->batch == 0                        ? 0.0
                      : choice && sl_moe_has_k (&moe->shape) ? (double) moe->chooser.k
                                                             : expected / (double) moe->batch;
  balance->executed
    = (double) (soft && training && moe->batch > 0 ? moe->shape.experts * moe->shape.slots
                                                   : moe->dispatch.total)
      + (double) (moe->batch * moe->shape.shared);
}

/* y += what the shared experts make of all examples. */
static void
add_shared (SlMoe *moe, bool keep, sl_real *y)
{
  size_t      m = moe->shape.shared;
  SlDispatch *everybody = &moe->everybody;

  for (size_t i = 0; i < m; i++)
    moe->hard_shared[i] = (uint32_t) moe->batch;
  sl_dispatch_begin (everybody, moe->batch, moe->hard_shared);
  for (size_t e = 0; e < moe->batch; e++)
    for (size_t i = 0; i < m; i++)
      sl_dispatch_add (everybody, (uint32_t) e, (uint32_t) i, 1);
  sl_dispatch_end (everybody);
  sl_experts_forward (&moe->shared, everybody, moe->x, keep, moe->y_shared);
  sl_vector_add (moe->batch * moe->shape.outputs, moe->y_shared, y);
}

static void
forward_soft (SlMoe *moe, bool keep, sl_real *y)
{
  SlSoft *soft = &moe->soft;

  sl_experts_forward (&moe->experts, &soft->work, soft->inner, keep, soft->outer);
  sl_soft_combine (soft, y);
}

void
sl_moe_forward (SlMoe *moe, const SlMoeSetting *setting, size_t batch, const sl_real *x,
                bool training, bool frozen, sl_real *y)
{
  bool soft = sl_moe_is_soft (&moe->shape), keep = training && !setting->recompute;

  assert (batch <= moe->shape.most);
  moe->x = x;
  moe->batch = batch;
  if (sl_moe_is_choice (&moe->shape))
    {
      SlChooserSetting choice = sl_moe_choice_setting (setting);

      sl_chooser_forward (&moe->chooser, &choice, batch, x, training, frozen);
    }
  else if (soft)
    sl_soft_forward (&moe->soft, batch, x, training);
  else if (moe->shape.gate == SL_MOE_BALANCED)
    decide_strict (moe, setting, training, frozen);
  else
    decide_noisy (moe, setting, training && setting->noise, frozen);
  sl_moe_dispatch (moe);
  measure_load (moe, setting, training);
  if (soft && training && batch > 0)
    forward_soft (moe, keep, y);
  else
    sl_experts_forward (&moe->experts, &moe->dispatch, x, keep, y);
  if (moe->shape.zero > 0)
    sl_moe_add_zero (moe, y);
  if (moe->shape.shared > 0)
    add_shared (moe, keep, y);
}
