/* SPDX-License-Identifier: MIT
 *
 * The network of the lab `experts`: the layer with what may stand before and behind it, forward and
 * backward side by side.  */
#include "core/labs/experts/lab.h"

#include <string.h>

#include "core/nn/dense/act.h"
#include "core/nn/dense/dense.h"
#include "core/nn/dense/dropout.h"
#include "core/nn/dense/init.h"
#include "core/nn/dense/loss.h"
#include "core/nn/kernels/special.h"

SlMoeSetting
sl_experts_setting (const SlExpertsLab *s)
{
  static const SlMixtureParams params = {
    .k = P_K,
    .k_groups = P_K_GROUPS,
    .w_importance = P_W_IMPORTANCE,
    .w_load = P_W_LOAD,
    .noise = P_NOISE,
    .noise_floor = P_NOISE_FLOOR,
    .threshold = P_THRESHOLD,
    .recompute = P_RECOMPUTE,
  };
  SlMoeSetting setting = sl_mixture_setting (&s->base, &params);

  setting.k *= sl_count_of (&s->base, P_SPLIT);
  sl_experts_choice_setting (s, &setting);
  return setting;
}

double
sl_experts_embedding_macs (const SlExpertsLab *s)
{
  return (double) s->inputs * (double) s->width;
}

double
sl_experts_head_macs (const SlExpertsLab *s)
{
  return (double) s->width * (double) s->outputs;
}

unsigned
sl_experts_learning (const SlExpertsLab *s)
{
  unsigned n = 1;

  while (n < s->nets && (s->net[n].role == NET_TWIN || sl_is_on (&s->base, P_BASELINES)))
    n++;
  return n;
}

/* A network's embedding W (width, D), its middle and its head W (outputs, width); W is followed by the
 * bias.  */
static sl_real *
middle_of (const SlExpertsLab *s, sl_real *block)
{
  return block + s->n_embedding;
}

static sl_real *
head_of (const SlExpertsLab *s, const SlExpertsNet *net, sl_real *block)
{
  return block + s->n_embedding + net->n_middle;
}

/* What numbers and moments of the networks from `first` on need, in MiB. */
static double
need_of (const SlExpertsLab *s, unsigned first)
{
  double n = 0.0;

  for (unsigned i = first; i < s->nets; i++)
    n += (double) (s->net[i].stack.n + s->n_embedding + s->n_head);
  return 3.0 * n * sizeof (sl_real) / 1048576.0;
}

/* The next network. */
static SlExpertsNet *
add_net (SlExpertsLab *s, SlExpertsRole role)
{
  SlExpertsNet *net = &s->net[s->nets++];

  *net = (SlExpertsNet) { .role = role };
  return net;
}

/* Multiply-adds of the layer for one example: with what a soft mixture does besides in a batch, without the plan
 * of a balanced assignment.  */
static double
layer_macs (const SlExpertsLab *s)
{
  const SlMoe  moe = { .shape = s->shape };
  SlMoeSetting setting = sl_experts_setting (s);
  bool         soft = s->shape.gate == SL_MOE_SOFT;
  double       chosen
    = soft ? (double) (s->shape.experts * s->shape.slots) / (double) sl_count_of (&s->base, P_BATCH)
           : sl_mixture_chosen (&moe, &setting);

  return sl_moe_gate_macs (&moe, &setting) + (soft ? sl_moe_batch_macs (&moe) : 0.0)
         + (chosen + (double) s->shape.shared) * sl_moe_expert_macs (&moe);
}

/* The dense baseline of equal cost. */
static SlStatus
shape_twin (SlExpertsLab *s, double budget)
{
  unsigned layers = (unsigned) sl_value_of (&s->base, P_TWIN);
  SlStack *stack;

  /* What a gate that leaves the number of experts open will cost is not known. */
  if (layers == 0 || sl_moe_is_open (&s->shape))
    return SL_SUCCESS;
  stack = &add_net (s, NET_TWIN)->stack;
  sl_stack_within (stack, s->shape.inputs, s->shape.outputs, layers, (size_t) layer_macs (s));
  if (need_of (s, 1) <= budget)
    return SL_SUCCESS;
  return sl_status_new (SL_ENOMEM, "twin",
                        sl_message ("a baseline of %u × %zu units: %.0f MiB with its moments",
                                    layers, stack->width[1], need_of (s, 1)),
                        sl_message ("at most %.0f MiB, as set, or none", budget));
}

SlStatus
sl_experts_nets_shape (SlExpertsLab *s)
{
  const SlMoeShape *shape = &s->shape;
  size_t            match = sl_count_of (&s->base, P_MATCH);
  size_t            hidden = sl_count_of (&s->base, P_HIDDEN); /* of an expert before any split */
  double            budget = sl_value_of (&s->base, P_BUDGET);
  SlStatus          status;
  unsigned          first;

  s->nets = 0;
  add_net (s, NET_MIXTURE);
  status = shape_twin (s, budget);
  if (!sl_ok (&status) || match == 0)
    return status;
  first = s->nets;
  sl_stack_wide (&add_net (s, NET_WIDE)->stack, shape->inputs, shape->outputs, match, hidden);
  sl_stack_deep (&add_net (s, NET_DEEP)->stack, shape->inputs, shape->outputs, match, hidden);
  if (need_of (s, first) <= budget)
    return SL_SUCCESS;
  return sl_status_new (SL_ENOMEM, "match",
                        sl_message ("baselines of %zu × %zu units: %.0f MiB with their moments",
                                    match, hidden, need_of (s, first)),
                        sl_message ("at most %.0f MiB, as set, or 0 for none", budget));
}

void
sl_experts_nets_carve (SlExpertsLab *s, SlArena *kept, SlArena *scratch)
{
  size_t at = 0;

  s->n = 0;
  for (unsigned i = 0; i < s->nets; i++)
    {
      SlExpertsNet *net = &s->net[i];

      net->n_middle = net->role == NET_MIXTURE ? s->moe.n : net->stack.n;
      net->n = s->n_embedding + net->n_middle + s->n_head;
      net->n_moments = net->n - (net->role == NET_MIXTURE ? net->n_middle : 0);
      s->n += net->n;
    }
  s->weights = sl_arena_reals (kept, s->n);
  s->gradient = sl_arena_reals (scratch, s->n);
  for (unsigned i = 0; i < s->nets; at += s->net[i++].n)
    {
      SlExpertsNet *net = &s->net[i];

      net->weights = s->weights != NULL ? s->weights + at : NULL;
      net->gradient = s->gradient != NULL ? s->gradient + at : NULL;
      net->m = sl_arena_reals (kept, net->n_moments);
      net->v = sl_arena_reals (kept, net->n_moments);
      if (net->role != NET_MIXTURE)
        sl_stack_tape_carve (&net->tape, &net->stack, MOST_BATCH, true, scratch);
    }
}

void
sl_experts_nets_clear_moments (SlExpertsLab *s)
{
  for (unsigned i = 0; i < s->nets; i++)
    {
      memset (s->net[i].m, 0, s->net[i].n_moments * sizeof *s->net[i].m);
      memset (s->net[i].v, 0, s->net[i].n_moments * sizeof *s->net[i].v);
    }
  memset (s->now->moments, 0, sizeof s->now->moments);
}

void
sl_experts_nets_init (SlExpertsLab *s, uint64_t seed)
{
  SlRng        first, twin, matched;
  SlRng *const of[NETS] = { &first, &twin, &matched, &matched };

  sl_rng_init (&first, seed, "init");
  sl_rng_init (&twin, seed, "twin");
  sl_rng_init (&matched, seed, "baselines");
  sl_moe_bind (&s->moe, middle_of (s, s->net[0].weights), middle_of (s, s->net[0].gradient));
  for (unsigned i = 0; i < s->nets; i++)
    {
      SlExpertsNet *net = &s->net[i];
      SlRng        *own = of[net->role];

      if (net->role == NET_MIXTURE)
        sl_moe_init (&s->moe, own);
      else
        sl_stack_init (&net->stack, own, middle_of (s, net->weights));
      if (s->width == 0)
        continue;
      sl_init_glorot (own, s->inputs, s->width, s->inputs * s->width, net->weights);
      sl_init_glorot (own, s->width, s->outputs, s->width * s->outputs,
                      head_of (s, net, net->weights));
    }
}

static void
middle_forward (SlExpertsLab *s, SlExpertsNet *net, size_t batch, const sl_real *x, bool training,
                bool frozen, sl_real *y)
{
  SlMoeSetting setting = sl_experts_setting (s);

  if (net->role == NET_MIXTURE)
    sl_moe_forward (&s->moe, &setting, batch, x, training, frozen, y);
  else
    sl_stack_forward (&net->stack, middle_of (s, net->weights), &net->tape, batch, x, y);
}

/* From the output of the middle, and s->h, to the logits. */
static void
finish (SlExpertsLab *s, const sl_real *head, size_t batch, bool drop)
{
  size_t n = batch * s->width;
  double rate = sl_value_of (&s->base, P_DROPOUT);

  if (s->width == 0)
    return;
  if (sl_is_on (&s->base, P_SIGMOID))
    for (size_t i = 0; i < n; i++)
      s->y[i] = sl_sigmoid (s->y[i]);
  if (drop && rate > 0.0)
    sl_dropout_apply (n, rate, s->mask, s->y, s->mixed);
  else
    memcpy (s->mixed, s->y, n * sizeof *s->y);
  if (sl_is_on (&s->base, P_RESIDUAL))
    for (size_t i = 0; i < n; i++)
      s->mixed[i] += s->h[i];
  sl_dense_forward (batch, s->width, s->outputs, s->mixed, head, head + s->width * s->outputs,
                    s->logits);
}

void
sl_experts_finish (SlExpertsLab *s, size_t batch)
{
  finish (s, head_of (s, &s->net[NET_MIXTURE], s->net[NET_MIXTURE].weights), batch, false);
}

/* `drop`: with dropout, if there is any. */
static void
run_net (SlExpertsLab *s, unsigned number, size_t batch, bool training, bool frozen, bool drop)
{
  SlExpertsNet  *net = &s->net[number];
  const sl_real *embedding = net->weights;

  if (s->width > 0)
    {
      sl_dense_forward (batch, s->inputs, s->width, s->x, embedding,
                        embedding + s->inputs * s->width, s->h);
      sl_relu_forward (batch * s->width, s->h, s->h);
    }
  middle_forward (s, net, batch, sl_experts_seen (s), training, frozen, sl_experts_output (s));
  finish (s, head_of (s, net, net->weights), batch, drop);
}

void
sl_experts_net_forward (SlExpertsLab *s, unsigned number, size_t batch, bool training, bool frozen)
{
  run_net (s, number, batch, training, frozen, training);
}

void
sl_experts_forward_together (SlExpertsLab *s, size_t batch)
{
  run_net (s, NET_MIXTURE, batch, true, false, false);
}

double
sl_experts_loss (SlExpertsLab *s, size_t batch, bool slope, size_t *errors)
{
  sl_real *dlogits = slope ? s->dlogits : NULL;

  if (s->outputs == 1)
    return sl_logistic_loss (batch, s->logits, s->label, dlogits, errors);
  return sl_softmax_loss (batch, s->outputs, s->logits, s->label, dlogits, errors);
}

/* Updates `n` numbers of a network from `at` on, whose moments begin at `from`. */
static void
update (SlExpertsLab *s, SlExpertsNet *net, size_t at, size_t n, size_t from,
        const SlOptimSetting *optim)
{
  sl_optim_step (optim, s->now->moments[net->role], n, net->gradient + at, net->weights + at,
                 net->m + from, net->v + from);
}

static bool
middle_backward (SlExpertsLab *s, SlExpertsNet *net, size_t batch, const sl_real *dy, sl_real *dx,
                 const SlOptimSetting *optim)
{
  SlMoeSetting   setting = sl_experts_setting (s);
  const sl_real *x = sl_experts_seen (s);

  if (net->role == NET_MIXTURE)
    return sl_moe_backward (&s->moe, &setting, dy, dx, optim);
  sl_stack_backward (&net->stack, middle_of (s, net->weights), &net->tape, batch, x, dy,
                     middle_of (s, net->gradient), dx);
  if (optim != NULL)
    update (s, net, s->n_embedding, net->n_middle, s->n_embedding + s->n_head, optim);
  return true;
}

bool
sl_experts_net_backward (SlExpertsLab *s, unsigned number, size_t batch,
                         const SlOptimSetting *optim)
{
  SlExpertsNet *net = &s->net[number];
  sl_real      *embedding = net->weights, *head = head_of (s, net, net->weights);
  sl_real      *d_embedding = net->gradient, *d_head = head_of (s, net, net->gradient);
  size_t        n = batch * s->width;
  double        rate = sl_value_of (&s->base, P_DROPOUT);
  bool          residual = sl_is_on (&s->base, P_RESIDUAL);

  if (s->width == 0)
    return middle_backward (s, net, batch, s->dlogits, NULL, optim);
  sl_dense_backward (batch, s->width, s->outputs, s->mixed, head, s->dlogits, d_head,
                     d_head + s->width * s->outputs, s->dmixed);
  /* The sum goes to the embedding as it is, and through dropout and sigmoid to the middle; `mixed`
   * is not needed any more and keeps the latter.  */
  if (rate > 0.0)
    sl_dropout_apply (n, rate, s->mask, s->dmixed, s->mixed);
  else
    memcpy (s->mixed, s->dmixed, n * sizeof *s->mixed);
  if (sl_is_on (&s->base, P_SIGMOID))
    for (size_t i = 0; i < n; i++)
      s->mixed[i] *= s->y[i] * (1 - s->y[i]);
  if (!middle_backward (s, net, batch, s->mixed, s->dh, optim))
    return false;
  for (size_t i = 0; residual && i < n; i++)
    s->dh[i] += s->dmixed[i];
  sl_relu_backward (n, s->h, s->dh, s->dh);
  sl_dense_backward (batch, s->inputs, s->width, s->x, embedding, s->dh, d_embedding,
                     d_embedding + s->inputs * s->width, NULL);
  if (optim != NULL)
    {
      update (s, net, s->n_embedding + net->n_middle, s->n_head, s->n_embedding, optim);
      update (s, net, 0, s->n_embedding, 0, optim);
    }
  return true;
}

/* Multiply-adds of the mixture in a training step. */
static double
mixture_step_macs (const SlExpertsLab *s, size_t batch)
{
  SlMoeSetting      setting = sl_experts_setting (s);
  const SlMoeShape *shape = &s->moe.shape;
  bool              soft = shape->gate == SL_MOE_SOFT;
  double            gate = sl_moe_gate_macs (&s->moe, &setting) * (double) batch;
  double            besides = sl_moe_batch_macs (&s->moe) * (double) batch;
  double            worked = s->moe.balance.executed, expert = sl_moe_expert_macs (&s->moe);
  double first = (double) shape->inputs * (double) shape->hidden; /* of an expert's products */
  /* Mixing has a way back as all products have, the plan of a balanced assignment has none. */
  double macs = 3.0 * (gate + worked * expert) + (soft ? 3.0 : 1.0) * besides;

  if (setting.recompute)
    macs += worked * first;
  if (!shape->first_layer)
    return macs;
  /* Nobody needs the gradient of the inputs; but what mixed them needs that of the mixtures. */
  if (soft)
    return macs - 2.0 * gate - (double) (batch * shape->shared) * first;
  return macs - gate - worked * first;
}

double
sl_experts_step_macs (const SlExpertsLab *s, size_t batch)
{
  double macs = mixture_step_macs (s, batch);

  if (s->width == 0)
    return macs;
  return macs
         + (double) batch * (2.0 * sl_experts_embedding_macs (s) + 3.0 * sl_experts_head_macs (s));
}
