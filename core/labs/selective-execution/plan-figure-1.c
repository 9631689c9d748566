/* SPDX-License-Identifier: MIT
 *
 * The two graphs of the paper's figure 1.  Their nodes have no sizes there: those are ours, and so is
 * the output of the right one.  */
#include "core/labs/selective-execution/draft.h"

/* A node with one layer behind another node. */
static unsigned
add (SlNodeDraft *d, const char *name, unsigned from, size_t units, bool rectified, double lane)
{
  unsigned i;

  sl_draft_begin (d, name, name[0] == 'Q' ? SL_DAG_CONTROL : SL_DAG_REGULAR, d->shape);
  sl_draft_dense (d, units, rectified);
  i = sl_draft_end (d, lane);
  sl_dag_join (&d->net->plan, from, i);
  return i;
}

/* Q lets N2 answer, or nothing. */
void
sl_selective_plan_figure_1_left (SlNodeDraft *d, unsigned in)
{
  SlDagPlan *plan = &d->net->plan;
  unsigned stem = add (d, "N1", in, 16, true, 0.5), q = add (d, "Q", stem, 2, false, 0.5), nothing,
           answer, out;

  sl_draft_begin (d, "D", SL_DAG_DUMMY, d->shape);
  d->node.shape = (SlDagShape) { d->s->classes, 1, 1 };
  nothing = sl_draft_end (d, 0.25);
  answer = add (d, "N2", stem, d->s->classes, false, 0.75);
  out = sl_draft_output (d);
  sl_dag_control (plan, q, nothing);
  sl_dag_control (plan, q, answer);
  sl_dag_default (plan, nothing, out);
  sl_dag_default (plan, answer, out);
}

/* Q lets three narrow or three wide nodes run. */
void
sl_selective_plan_figure_1_right (SlNodeDraft *d, unsigned in)
{
  static const char *const name[] = { "N2", "N3", "N4", "N5", "N6", "N7" };
  static const size_t      units[] = { 8, 64, 8, 64, 16, 16 };
  SlDagPlan               *plan = &d->net->plan;
  unsigned stem = add (d, "N1", in, 32, true, 0.5), q = add (d, "Q", stem, 2, false, 0.5),
           last[2] = { stem, stem }, answer;

  for (unsigned i = 0; i < 6; i++)
    {
      last[i % 2] = add (d, name[i], last[i % 2], units[i], true, i % 2 == 0 ? 0.25 : 0.75);
      if (i < 2)
        sl_dag_control (plan, q, last[i]);
    }
  sl_draft_begin (d, "N8", SL_DAG_REGULAR, d->shape);
  sl_draft_dense (d, d->s->classes, false);
  answer = sl_draft_end (d, 0.5);
  sl_dag_default (plan, last[0], answer);
  sl_dag_default (plan, last[1], answer);
  sl_dag_join (plan, answer, sl_draft_output (d));
}
