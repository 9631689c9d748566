/* SPDX-License-Identifier: MIT
 *
 * Settings of the lab `prefix-tree` that are refused.  */
#include "core/labs/prefix-tree/lab.h"

/* Memory of all trees with paths of k bits, in MiB. */
static double
mebibytes (const SlPrefixLab *s, unsigned k)
{
  double bytes = 0.0;

  for (unsigned l = 0; l < s->layers; l++)
    {
      SlTreeShape shape = s->layer[l].tree.shape;

      shape.k = k;
      bytes += sl_tree_bytes (&shape);
    }
  return bytes / 1048576.0;
}

SlStatus
sl_prefix_check_budget (const SlPrefixLab *s)
{
  const SlTree *tree = &s->layer[0].tree;
  unsigned      k = tree->shape.k;
  double        budget = sl_value_of (&s->base, P_BUDGET), need = mebibytes (s, k);
  SlMessage     found, fits;

  if (need <= budget)
    return SL_SUCCESS;
  found = s->layers == 1
            ? sl_message ("k = %u: %zu tables of %zu × %zu, %.0f MiB with their moments", k,
                          tree->nodes, tree->shape.inputs, tree->shape.units, need)
            : sl_message ("k = %u: %u trees, %.0f MiB with their moments", k, s->layers, need);
  while (k > 0 && mebibytes (s, k) > budget)
    k--;
  if (mebibytes (s, k) > budget)
    fits = sl_message ("at most %.0f MiB, which does not hold even one", budget);
  else
    fits
      = sl_message ("at most %.0f MiB, as set: k = %u with %.1f MiB", budget, k, mebibytes (s, k));
  return sl_status_new (SL_ENOMEM, "tree", found, fits);
}

SlStatus
sl_prefix_check_credit (const SlPrefixLab *s)
{
  bool reinforce = sl_prefix_credit (s) == CREDIT_REINFORCE;

  if (reinforce && !is_sampled (s))
    return sl_status_new (SL_EINVAL, "credit",
                          sl_message ("REINFORCE with bits that are thresholds of units"),
                          sl_message ("sampled bits"));
  if (sl_prefix_is_modulated (s) && is_sampled (s))
    return sl_status_new (SL_EINVAL, "credit", sl_message ("tanh modulation with sampled bits"),
                          sl_message ("bits that are thresholds"));
  if (sl_is_on (&s->base, P_ON_INPUT) && s->layers == 1 && !is_sampled (s)
      && (sl_prefix_credit (s) == CREDIT_THROUGH || sl_prefix_credit (s) == CREDIT_THROUGH_SLOPE))
    return sl_status_new (
      SL_EINVAL, "credit",
      sl_message ("straight-through with bits that are thresholds of the input"),
      sl_message ("sampled bits, or layers before a tree"));
  return SL_SUCCESS;
}
