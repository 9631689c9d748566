/* SPDX-License-Identifier: MIT
 *
 * What the lab `sign-estimator` keeps: its shape, its memory, its first weights, and what a checkpoint has of it.  */
#include "core/labs/sign-estimator/lab.h"

/* Copies what a checkpoint needs out of the structures that hold pointers, and back. */
unsigned
sl_sign_blobs (SlLabState *state, SlBlob *blob)
{
  SlSignLab *s = sl_sign_lab (state);

  for (unsigned l = 0; l < s->hidden; l++)
    {
      const SlLowRank *svd = &s->predictor[l].svd;

      s->now->rank[l] = svd->rank;
      s->now->tracked[l] = svd->kept;
      s->now->energy[l] = svd->energy;
      s->now->lost[l] = svd->lost;
      s->now->inputs[l] = s->predictor[l].learned.inputs;
      s->now->learned_rank[l] = s->predictor[l].learned.rank;
    }
  return 0;
}

/* Takes the sizes of a layer's predictors, if they can be. */
static bool
take_sizes (SlSignLab *s, unsigned l)
{
  const SlSignMoving *now = s->now;
  SlLowRank          *svd = &s->predictor[l].svd;
  SlLearned          *learned = &s->predictor[l].learned;

  if (now->rank[l] > now->tracked[l] || now->tracked[l] > svd->most
      || now->learned_rank[l] > learned->most || !sl_is_truth (&now->ahead[l])
      || (now->ahead[l] && !sl_sign_can_look_ahead (s, l))
      || (now->inputs[l] != 0 && now->inputs[l] != s->net.inputs[now->ahead[l] ? l - 1 : l])
      || (now->inputs[l] == 0) != (now->inputs[0] == 0))
    return false;
  svd->rank = now->rank[l];
  svd->kept = now->tracked[l];
  svd->energy = now->energy[l];
  svd->lost = now->lost[l];
  learned->inputs = now->inputs[l];
  learned->rank = now->learned_rank[l];
  return true;
}

SlStatus
sl_sign_restored (SlLabState *state)
{
  SlSignLab *s = sl_sign_lab (state);

  if (!sl_is_truth (&s->now->stale) || !sl_is_truth (&s->now->factored)
      || !sl_is_truth (&s->now->aimed))
    return sl_out_of_range ();
  for (unsigned l = 0; sl_activation_has_sign (s->net.activation) && l < s->hidden; l++)
    if (!take_sizes (s, l))
      return sl_out_of_range ();
  return SL_SUCCESS;
}

/* The pictures of the data and the kernel of all convolutions. */
static SlPatches
picture_of (const SlLabState *state)
{
  const SlDataset *data = state->dataset;

  return (SlPatches) { .channels = data->channels,
                       .height = data->height,
                       .width = data->width,
                       .side = sl_count_of (state, P_KERNEL),
                       .stride = CONVOLUTION_STRIDE };
}

SlStatus
sl_sign_shape (SlLabState *state)
{
  SlSignLab *s = sl_sign_lab (state);
  size_t     widths[SL_NET_LAYERS + 1];
  unsigned   convolutions = (unsigned) sl_value_of (state, P_CONVOLUTIONS);
  SlPatches  picture = picture_of (state);

  s->hidden = sl_widths_of (state, P_HIDDEN, widths);
  s->has_twin = sl_is_on (state, P_TWIN);
  widths[s->hidden + 1] = sl_outputs_of (state->dataset);
  if (convolutions > s->hidden)
    convolutions = s->hidden;
  if (convolutions > 0 && picture.width == 0)
    return sl_status_new (SL_EUNSUPPORTED, "convolutions", sl_message ("data that are no pictures"),
                          sl_message ("pictures"));
  if (convolutions > 0 && sl_value_of (state, P_ACTIVATION) == SL_SWIGLU)
    return sl_status_new (SL_EUNSUPPORTED, "convolutions", sl_message ("gated units"),
                          sl_message ("another activation"));
  if (!sl_net_shape_convolutions (&s->net, (SlActivation) sl_value_of (state, P_ACTIVATION), widths,
                                  s->hidden + 1, &picture, convolutions))
    return sl_status_new (SL_EINVAL, "convolutions",
                          sl_message ("a picture smaller than the kernel"),
                          sl_message ("fewer convolutions or a smaller kernel"));
  s->twin = s->net;
  return SL_SUCCESS;
}

static void
carve_predictors (SlSignLab *s, unsigned l)
{
  SlArena     *kept = &s->base.kept, *scratch = &s->base.scratch;
  SlPredictor *p = &s->predictor[l];
  size_t       inputs = s->net.inputs[l], units = sl_net_units (&s->net, l), most, before = inputs;

  if (sl_sign_can_look_ahead (s, l) && s->net.inputs[l - 1] > before)
    before = s->net.inputs[l - 1];
  sl_lowrank_init (&p->svd, units, inputs, kept, scratch);
  most = p->svd.most < MOST_LEARNED ? p->svd.most : MOST_LEARNED;
  sl_learned_init (&p->learned, units, before, most, kept, scratch);
  p->learned.rectifies = sl_is_on (&s->base, P_BETWEEN);
  sl_sign_bits_init (&p->bits, units, inputs, scratch);
  s->anchor[l] = sl_arena_reals (kept, inputs * units);
  s->each[l] = sl_arena_carve (kept, units, sizeof *s->each[l]);
}

static void
carve_task (SlSignLab *s)
{
  SlArena *scratch = &s->base.scratch;
  size_t   widest = 0;

  for (unsigned l = 0; l < s->hidden; l++)
    widest = s->net.width[l + 1] > widest ? s->net.width[l + 1] : widest;
  s->task.value = sl_arena_reals (scratch, MOST_BATCH * widest);
  s->task.chance = sl_arena_reals (scratch, MOST_BATCH * widest);
  s->task.mean = sl_arena_reals (scratch, widest);
  s->task.pull = sl_arena_reals (scratch, widest);
  s->other = sl_arena_carve (scratch, widest, sizeof *s->other);
}

void
sl_sign_carve (SlLabState *state)
{
  SlSignLab *s = sl_sign_lab (state);
  SlArena   *kept = &state->kept, *scratch = &state->scratch;
  size_t     widest = 1;

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  sl_net_carve (&s->net, kept, scratch);
  if (s->has_twin)
    sl_net_carve (&s->twin, kept, scratch);
  if (sl_activation_has_sign (s->net.activation))
    {
      carve_task (s);
      for (unsigned l = 0; l < s->hidden; l++)
        carve_predictors (s, l);
    }
  else if (sl_sign_has_gates (s))
    for (unsigned l = 0; l < s->hidden; l++)
      s->anchor[l] = sl_arena_reals (kept, sl_net_in_layer (&s->net, l));
  sl_batches_carve (&state->batches, state->dataset, kept);
  for (unsigned l = 0; l <= s->net.layers; l++)
    if (s->net.width[l] > widest)
      widest = s->net.width[l];
  sl_tape_carve (&s->tape, &s->net, MOST_BATCH, scratch);
  sl_tape_carve_skip (&s->tape, &s->net, scratch);
  s->label = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->gate = sl_arena_carve (scratch, MOST_BATCH * widest, 1);
  s->rows = sl_arena_carve (scratch, widest, sizeof *s->rows);
}

SlStatus
sl_sign_init (SlLabState *state, uint64_t seed)
{
  SlSignLab *s = sl_sign_lab (state);
  SlRng      rng;

  state->weights = (SlSpan) { s->net.weights, s->net.n };
  sl_rng_init (&rng, seed, "init");
  sl_net_init (&s->net, &rng);
  sl_rng_init (&rng, seed, "init");
  if (s->has_twin)
    sl_net_init (&s->twin, &rng);
  sl_rng_init (&s->now->dropout, seed, "dropout");
  sl_rng_init (&s->now->subspace, seed, "subspace");
  sl_rng_init (&s->now->gates, seed, "gates");
  s->now->stale = true;
  return SL_SUCCESS;
}
