/* SPDX-License-Identifier: MIT
 *
 * Nodes of a network that are put together layer by layer; see draft.h.  */
#include "core/labs/selective-execution/draft.h"

void
sl_draft_begin (SlNodeDraft *d, const char *name, SlDagKind kind, SlDagShape in)
{
  d->node = (SlDagNode) { .name = name, .kind = kind };
  d->shape = in;
}

void
sl_draft_layer (SlNodeDraft *d, SlDagLayer layer)
{
  d->node.layer[d->node.n_layers++] = layer;
  d->shape = sl_dag_layer_shape (&layer, d->shape);
}

void
sl_draft_dense (SlNodeDraft *d, size_t units, bool rectified)
{
  sl_draft_layer (d, (SlDagLayer) { .kind = SL_DAG_DENSE, .units = units, .rectified = rectified });
}

void
sl_draft_conv (SlNodeDraft *d, size_t channels, size_t stride)
{
  sl_draft_layer (
    d,
    (SlDagLayer) { .kind = SL_DAG_CONV, .units = channels, .stride = stride, .rectified = true });
}

void
sl_draft_pool (SlNodeDraft *d)
{
  if (d->shape.height > 1 || d->shape.width > 1)
    sl_draft_layer (d, (SlDagLayer) { .kind = SL_DAG_POOL, .stride = 2 });
}

unsigned
sl_draft_end (SlNodeDraft *d, double lane)
{
  unsigned i = sl_dag_add (&d->net->plan, &d->node);

  d->net->lane[i] = lane;
  return i;
}

size_t
sl_draft_units_of (const SlNodeDraft *d, unsigned param)
{
  return sl_count_of (&d->s->base, param);
}

void
sl_draft_classify (SlNodeDraft *d, size_t hidden)
{
  sl_draft_dense (d, hidden, true);
  sl_draft_dense (d, d->s->classes, false);
}

unsigned
sl_draft_controller (SlNodeDraft *d, const char *name, unsigned from, SlDagShape seen,
                     size_t actions, double lane)
{
  unsigned q;

  sl_draft_begin (d, name, SL_DAG_CONTROL, seen);
  sl_draft_pool (d);
  for (size_t l = 0; l < sl_draft_units_of (d, P_CONTROLLER_LAYERS); l++)
    sl_draft_dense (d, sl_draft_units_of (d, P_CONTROLLER), true);
  sl_draft_dense (d, actions, false);
  q = sl_draft_end (d, lane);
  sl_dag_join (&d->net->plan, from, q);
  return q;
}

unsigned
sl_draft_output (SlNodeDraft *d)
{
  sl_draft_begin (d, SL_MARK ("out"), SL_DAG_OUTPUT, (SlDagShape) { 0 });
  return sl_draft_end (d, 0.5);
}

void
sl_draft_see_both (SlNodeDraft *d, SlDagShape input, SlDagShape seen)
{
  d->node.beside = true;
  d->shape = (SlDagShape) { sl_dag_width (input) + sl_dag_width (seen), 1, 1 };
}

unsigned
sl_draft_first_node (SlNodeDraft *d, unsigned in, SlDagShape input, SlDagShape *seen)
{
  unsigned i;

  sl_draft_begin (d, "N1", SL_DAG_REGULAR, input);
  if (d->pictures)
    sl_draft_conv (d, sl_draft_units_of (d, P_CHANNELS), 2);
  else
    sl_draft_dense (d, sl_draft_units_of (d, P_WIDTH), true);
  i = sl_draft_end (d, 0.5);
  sl_dag_join (&d->net->plan, in, i);
  *seen = d->shape;
  return i;
}

unsigned
sl_draft_small_answer (SlNodeDraft *d, const char *name, unsigned from, SlDagShape seen,
                       double lane)
{
  unsigned i;

  sl_draft_begin (d, name, SL_DAG_REGULAR, seen);
  sl_draft_pool (d);
  sl_draft_classify (d, sl_draft_units_of (d, P_LOW));
  i = sl_draft_end (d, lane);
  sl_dag_join (&d->net->plan, from, i);
  return i;
}
