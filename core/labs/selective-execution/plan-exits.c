/* SPDX-License-Identifier: MIT
 *
 * Networks with answers on the way: high or low, cascades, exits by a threshold.  */
#include "core/labs/selective-execution/draft.h"

#include <math.h>

/* N1 → Q → N2, high, or N3, low.  A dense high branch also sees the input itself. */
void
sl_selective_plan_high_low (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  SlDagPlan *plan = &d->net->plan;
  unsigned   stem, q, low, high, out;
  SlDagShape seen;

  stem = sl_draft_first_node (d, in, input, &seen);
  d->net->exits = true;
  q = sl_draft_controller (d, "Q", stem, seen, 2, 0.5);
  sl_draft_begin (d, SL_MARK ("low"), SL_DAG_REGULAR, seen);
  sl_draft_pool (d);
  sl_draft_classify (d, sl_draft_units_of (d, P_LOW));
  low = sl_draft_end (d, 0.08);
  sl_draft_begin (d, SL_MARK ("high"), SL_DAG_REGULAR, seen);
  if (d->pictures)
    {
      sl_draft_conv (d, 2 * sl_draft_units_of (d, P_CHANNELS), 1);
      sl_draft_pool (d);
      sl_draft_conv (d, 4 * sl_draft_units_of (d, P_CHANNELS), 1);
    }
  else
    sl_draft_see_both (d, input, seen);
  sl_draft_classify (d, sl_draft_units_of (d, P_HIGH));
  high = sl_draft_end (d, 0.92);
  out = sl_draft_output (d);
  if (!d->pictures)
    sl_dag_join (plan, in, high);
  sl_dag_join (plan, stem, low);
  sl_dag_join (plan, stem, high);
  sl_dag_control (plan, q, low);
  sl_dag_control (plan, q, high);
  sl_dag_default (plan, low, out);
  sl_dag_default (plan, high, out);
}

/* The features of one stage of a cascade.  Dense ones also see the input again. */
static unsigned
stage (SlNodeDraft *d, unsigned k, unsigned last, unsigned in, SlDagShape input, unsigned from,
       SlDagShape before)
{
  static const char *const name[] = { "N1", "N3", "N5", "N7", "N9" };
  double   width = sl_value_of (&d->s->base, P_WIDTH), high = sl_value_of (&d->s->base, P_HIGH);
  unsigned i;

  sl_draft_begin (d, name[k], SL_DAG_REGULAR, k == 0 ? input : before);
  if (d->pictures)
    {
      if (k == 0)
        sl_draft_conv (d, sl_draft_units_of (d, P_CHANNELS), 2);
      else if (k < last)
        sl_draft_conv (d, sl_draft_units_of (d, P_CHANNELS) << (k < 2 ? k : 2), 1);
      if (k == 1)
        sl_draft_pool (d);
      if (k == last)
        sl_draft_classify (d, (size_t) high);
    }
  else
    {
      if (k > 0)
        sl_draft_see_both (d, input, before);
      sl_draft_dense (d, (size_t) round (width * pow (high / width, (double) k / last)), true);
      if (k == last)
        sl_draft_dense (d, d->s->classes, false);
    }
  i = sl_draft_end (d, 0.72);
  if (k == 0 || !d->pictures)
    sl_dag_join (&d->net->plan, in, i);
  if (k > 0)
    sl_dag_join (&d->net->plan, from, i);
  return i;
}

/* N1 + N2, N3 + N4, …: each stage has an exit, and a controller that goes on or leaves there. */
void
sl_selective_plan_cascade (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  static const char *const exits[] = { "N2", "N4", "N6", "N8" };
  static const char *const controllers[] = { "Q1", "Q2", "Q3", "Q4" };
  SlDagPlan               *plan = &d->net->plan;
  unsigned last = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), out = sl_draft_output (d),
           features, exit, q;
  SlDagShape seen;

  d->net->exits = true;
  features = stage (d, 0, last, in, input, in, input);
  seen = d->shape;
  for (unsigned k = 0; k < last; k++)
    {
      q = sl_draft_controller (d, controllers[k], features, seen, 2, 0.98);
      sl_draft_begin (d, exits[k], SL_DAG_REGULAR, seen);
      if (d->pictures)
        sl_draft_pool (d);
      sl_draft_classify (d, sl_draft_units_of (d, P_LOW));
      exit = sl_draft_end (d, 0.12);
      sl_dag_join (plan, features, exit);
      sl_dag_control (plan, q, exit);
      sl_dag_default (plan, exit, out);
      features = stage (d, k + 1, last, in, input, features, seen);
      seen = d->shape;
      sl_dag_control (plan, q, features);
    }
  sl_dag_default (plan, features, out);
}

/* The same stages and exits without controllers: at each exit an example leaves where the rule lets it.  The
 * exit itself runs for all who come that far.  */
void
sl_selective_plan_exits (SlNodeDraft *d, unsigned in, SlDagShape input)
{
  static const char *const exits[] = { "N2", "N4", "N6", "N8" };
  static const char *const rules[] = { "λ1", "λ2", "λ3", "λ4" };
  static const char *const leaves[]
    = { SL_MARK ("leave 1"), SL_MARK ("leave 2"), SL_MARK ("leave 3"), SL_MARK ("leave 4") };
  SlDagPlan *plan = &d->net->plan;
  unsigned   last = (unsigned) sl_value_of (&d->s->base, P_DECISIONS), out = sl_draft_output (d),
           features;
  SlDagShape seen, answer;

  d->net->exits = d->net->ruled = true;
  features = stage (d, 0, last, in, input, in, input);
  seen = d->shape;
  for (unsigned k = 0; k < last; k++)
    {
      unsigned exit = sl_draft_small_answer (d, exits[k], features, seen, 0.42), rule, leave;

      d->net->aside[exit] = true;
      answer = d->shape;
      sl_draft_begin (d, rules[k], SL_DAG_CONTROL, answer);
      sl_draft_layer (d, (SlDagLayer) { .kind = SL_DAG_RULE, .units = 2, .rule = &d->s->rule });
      rule = sl_draft_end (d, 0.98);
      sl_draft_begin (d, leaves[k], SL_DAG_REGULAR, answer);
      leave = sl_draft_end (d, 0.06);
      sl_dag_join (plan, exit, rule);
      sl_dag_join (plan, exit, leave);
      sl_dag_control (plan, rule, leave);
      sl_dag_default (plan, leave, out);
      features = stage (d, k + 1, last, in, input, features, seen);
      seen = d->shape;
      sl_dag_control (plan, rule, features);
    }
  sl_dag_default (plan, features, out);
}
