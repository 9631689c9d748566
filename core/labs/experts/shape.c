/* SPDX-License-Identifier: MIT
 *
 * The sizes of the lab `experts` from its settings and data, and settings that do not go together.  */
#include "core/labs/experts/lab.h"

/* The sizes of experts that are cut into `split` smaller ones each. */
static SlStatus
check_split (const SlLabState *state)
{
  size_t split = sl_count_of (state, P_SPLIT), hidden = sl_count_of (state, P_HIDDEN);
  size_t experts = sl_count_of (state, P_EXPERTS) * split;

  if (hidden % split != 0)
    return sl_status_new (SL_EINVAL, "split",
                          sl_message ("experts of %zu units, cut into %zu", hidden, split),
                          sl_message ("a number of parts that divides the units"));
  if (split > 1 && experts > MOST_SPLIT)
    return sl_status_new (SL_EINVAL, "split", sl_message ("%zu experts after the split", experts),
                          sl_message ("at most %d", MOST_SPLIT));
  return SL_SUCCESS;
}

/* Slots of an expert of a soft mixture: as much work for the experts as k of them for each example of the first
 * batch size.  */
static size_t
slots_of (const SlLabState *state, size_t experts)
{
  size_t k = sl_count_of (state, P_K) * sl_count_of (state, P_SPLIT);
  size_t slots = (k < experts ? k : experts) * sl_count_of (state, P_BATCH) / experts;

  return slots > 0 ? slots : 1;
}

/* A setting that another gate left behind has no effect. */
static size_t
zero_of (const SlLabState *state)
{
  bool flat
    = (SlMoeGate) sl_value_of (state, P_GATE) == SL_MOE_NOISY && sl_count_of (state, P_GROUPS) == 1;

  return flat ? sl_count_of (state, P_ZERO) : 0;
}

/* Only a program can bring a gate, and with another gate there is no use for one. */
static SlStatus
check_own (SlLabState *state, SlMoeGate gate)
{
  state->own.used = gate == SL_MOE_OWN && state->own.gate != NULL;
  if (gate != SL_MOE_OWN || state->own.used)
    return SL_SUCCESS;
  return sl_status_new (
    SL_EINVAL, "gate", sl_message ("own, and no gate with it"),
    sl_message (
      "a gate that a program brings (sluice.gate in Python, SluiceGate in C), or another"));
}

SlStatus
sl_experts_shape (SlLabState *state)
{
  SlExpertsLab   *s = sl_experts_lab (state);
  const SlMoeGate gate = (SlMoeGate) sl_value_of (state, P_GATE);
  size_t          split = sl_count_of (state, P_SPLIT);
  size_t          experts = sl_count_of (state, P_EXPERTS) * split;
  SlStatus        status = check_split (state);

  if (sl_ok (&status))
    status = check_own (state, gate);
  if (!sl_ok (&status))
    return status;
  s->inputs = state->dataset->features;
  s->width = sl_count_of (state, P_EMBEDDING);
  s->outputs = sl_outputs_of (state->dataset);
  if (s->width > 0)
    {
      s->n_embedding = (s->inputs + 1) * s->width;
      s->n_head = (s->width + 1) * s->outputs;
    }
  s->shape = (SlMoeShape) {
    .gate = gate,
    .inputs = s->width > 0 ? s->width : s->inputs,
    .hidden = sl_count_of (state, P_HIDDEN) / split,
    .outputs = s->width > 0 ? s->width : s->outputs,
    .experts = experts,
    .groups = gate < SL_MOE_DENSE ? sl_count_of (state, P_GROUPS) : 1,
    .most = MOST_BATCH,
    .factored = sl_is_on (state, P_FACTORED),
    .first_layer = s->width == 0,
    .lambda = sl_value_of (state, P_L1_START),
    .shared = sl_count_of (state, P_SHARED),
    .slots = gate == SL_MOE_SOFT ? slots_of (state, experts) : 0,
    .zero = zero_of (state),
    .identity = sl_is_on (state, P_ZERO_KIND),
    .own = gate == SL_MOE_OWN ? &state->own : NULL,
  };
  if (s->shape.zero > 0 && s->shape.identity && s->width == 0)
    return sl_status_try (sl_status_new (SL_EINVAL, "zero-kind",
                                         sl_message ("identity without an embedding"),
                                         sl_message ("an embedding")),
                          "zero-kind", "nothing");
  if (gate == SL_MOE_BIAS)
    status = sl_mixture_check_groups (experts, sl_count_of (state, P_GROUPS));
  if (sl_ok (&status))
    status = sl_mixture_check (&s->shape, sl_value_of (state, P_BUDGET));
  return sl_ok (&status) ? sl_experts_nets_shape (s) : status;
}
