/* SPDX-License-Identifier: MIT
 *
 * Mixtures of depths.  */
#include "core/labs/selective-execution/draft.h"

/* Names of the nodes of the blocks of a mixture of depths. */
enum { N_ROUTER, N_GUESS, N_RANK, N_PAST, N_BLOCK, N_WEIGHED, N_SUM, BLOCK_NODES };
static const char *const block_name[BLOCK_NODES][MOST_CONTROLLERS] = {
  [N_ROUTER] = { "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8" },
  [N_GUESS] = { "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8" },
  [N_RANK] = { "P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8" },
  [N_PAST] = { "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8" },
  [N_BLOCK] = { "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8" },
  [N_WEIGHED] = { "×1", "×2", "×3", "×4", "×5", "×6", "×7", "×8" },
  [N_SUM] = { "+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8" },
};

static void
name_node (SlNodeDraft *d, unsigned node, unsigned kind, unsigned k, double lane)
{
  d->net->plan.node[node].name = block_name[kind][k];
  d->net->lane[node] = lane;
}

/* Block k for those whom the batch, or alone the guess, sends there.  The router and the guess are no part of
 * what the block would cost without a choice.  */
static unsigned
plan_routed (SlNodeDraft *d, unsigned k, unsigned from, size_t width)
{
  bool       squashed = sl_value_of (&d->s->base, P_WEIGHT) == WEIGHT_SIGMOID;
  SlDagBlock b = sl_dag_add_block (&d->net->plan, from, width, sl_draft_units_of (d, P_HIGH),
                                   squashed, &d->s->rank, &d->s->guess_optim);
  unsigned   routed = 0;

  for (unsigned i = 0; i < b.router; i++)
    routed += d->net->plan.node[i].kind == SL_DAG_CONTROL;
  name_node (d, b.router, N_ROUTER, k, 0.74);
  name_node (d, b.guess, N_GUESS, k, 0.98);
  name_node (d, b.rank, N_RANK, k, 0.86);
  name_node (d, b.past, N_PAST, k, 0.02);
  name_node (d, b.block, N_BLOCK, k, 0.26);
  name_node (d, b.weighed, N_WEIGHED, k, 0.26);
  name_node (d, b.sum, N_SUM, k, 0.5);
  d->net->aside[b.router] = d->net->aside[b.guess] = true;
  d->net->guess[routed] = b.guess;
  return b.sum;
}

/* Block k for all. */
static unsigned
plan_residual (SlNodeDraft *d, unsigned k, unsigned from, size_t width)
{
  SlDagPlan *plan = &d->net->plan;
  unsigned   block = sl_dag_add_residual (plan, width, sl_draft_units_of (d, P_HIGH)), sum;

  sum = sl_dag_add (plan, &(SlDagNode) { .kind = SL_DAG_REGULAR });
  name_node (d, block, N_BLOCK, k, 0.26);
  name_node (d, sum, N_SUM, k, 0.5);
  sl_dag_join (plan, from, block);
  sl_dag_join (plan, from, sum);
  sl_dag_join (plan, block, sum);
  return sum;
}

/* Blocks one behind the other that add to what passes; every few of them only for a share of the examples. */
void
sl_selective_plan_depths (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  unsigned   blocks = (unsigned) sl_value_of (&d->s->base, P_BLOCKS), from, last;
  unsigned   every = (unsigned) sl_value_of (&d->s->base, P_ROUTED_EVERY);
  SlDagShape seen;

  d->net->ranked = true;
  from = sl_draft_first_node (d, in, input, &seen);
  for (unsigned k = 0; k < blocks; k++)
    from = (k + 1) % every == 0 ? plan_routed (d, k, from, sl_dag_width (seen))
                                : plan_residual (d, k, from, sl_dag_width (seen));
  sl_draft_begin (d, "N2", SL_DAG_REGULAR, seen);
  sl_draft_dense (d, d->s->classes, false);
  last = sl_draft_end (d, 0.5);
  sl_dag_join (&d->net->plan, from, last);
  sl_dag_join (&d->net->plan, last, sl_draft_output (d));
}
