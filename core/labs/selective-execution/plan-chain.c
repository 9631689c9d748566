/* SPDX-License-Identifier: MIT
 *
 * Chains, whose links choose what a vector passes through.  */
#include "core/labs/selective-execution/draft.h"

/* What a link does beside what passes: nothing, a little or much. */
static unsigned
plan_part (SlNodeDraft *d, const char *name, unsigned from, SlDagShape seen, size_t units,
           double lane)
{
  unsigned part;

  sl_draft_begin (d, name, SL_DAG_REGULAR, seen);
  if (d->pictures && units > 0)
    sl_draft_conv (d, 2 * seen.channels, 1);
  else if (!d->pictures)
    sl_draft_dense (d, units, true);
  if (d->pictures)
    sl_draft_conv (d, seen.channels, 1);
  else
    sl_draft_dense (d, sl_dag_width (seen), false);
  part = sl_draft_end (d, lane);
  sl_dag_join (&d->net->plan, from, part);
  return part;
}

/* One link.  Residual ones add what they choose to what passes, and may choose nothing; others put what they
 * choose in its place, as published.  */
static unsigned
plan_link (SlNodeDraft *d, unsigned k, unsigned from, SlDagShape seen)
{
  static const char *const controllers[] = { "Q1", "Q2", "Q3", "Q4" };
  static const char *const nothing[] = { "D1", "D2", "D3", "D4" };
  static const char *const little[]
    = { SL_MARK ("low 1"), SL_MARK ("low 2"), SL_MARK ("low 3"), SL_MARK ("low 4") };
  static const char *const much[]
    = { SL_MARK ("high 1"), SL_MARK ("high 2"), SL_MARK ("high 3"), SL_MARK ("high 4") };
  static const char *const sums[] = { "+1", "+2", "+3", "+4" };
  bool                     residual = sl_value_of (&d->s->base, P_LINKS) == LINKS_RESIDUAL;
  size_t                   low = d->pictures ? 0 : sl_draft_units_of (d, P_LOW);
  SlDagPlan               *plan = &d->net->plan;
  unsigned                 part[3], n = 0, sum,
                    q = sl_draft_controller (d, controllers[k], from, seen, residual ? 3 : 2, 0.98);

  if (residual)
    {
      d->node = (SlDagNode) { .name = nothing[k], .kind = SL_DAG_DUMMY, .shape = seen };
      part[n++] = sl_draft_end (d, 0.06);
    }
  part[n++] = plan_part (d, little[k], from, seen, low, 0.3);
  part[n++] = plan_part (d, much[k], from, seen, sl_draft_units_of (d, P_HIGH), 0.76);
  sl_draft_begin (d, sums[k], SL_DAG_REGULAR, seen);
  sum = sl_draft_end (d, 0.5);
  if (residual)
    sl_dag_join (plan, from, sum);
  for (unsigned p = 0; p < n; p++)
    {
      sl_dag_control (plan, q, part[p]);
      sl_dag_default (plan, part[p], sum);
    }
  return sum;
}

void
sl_selective_plan_chain (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  unsigned   links = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), from, last;
  SlDagShape seen;

  from = sl_draft_first_node (d, in, input, &seen);
  for (unsigned k = 0; k < links; k++)
    from = plan_link (d, k, from, seen);
  last = sl_draft_small_answer (d, "N2", from, seen, 0.5);
  sl_dag_join (&d->net->plan, last, sl_draft_output (d));
}
