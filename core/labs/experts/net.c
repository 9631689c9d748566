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

  return sl_mixture_setting (&s->base, &params);
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

/* The embedding's W (width, D) and the head's W (outputs, width), each followed by its bias. */
static sl_real *
embedding_of (const SlExpertsLab *s, sl_real *block)
{
  return block;
}

static sl_real *
head_of (const SlExpertsLab *s, sl_real *block)
{
  return block + s->n_embedding + s->moe.n;
}

void
sl_experts_net_init (SlExpertsLab *s, uint64_t seed)
{
  SlRng rng;

  sl_rng_init (&rng, seed, "init");
  sl_moe_init (&s->moe, &rng);
  if (s->width == 0)
    return;
  sl_init_glorot (&rng, s->inputs, s->width, s->inputs * s->width, embedding_of (s, s->weights));
  sl_init_glorot (&rng, s->width, s->outputs, s->width * s->outputs, head_of (s, s->weights));
}

void
sl_experts_net_forward (SlExpertsLab *s, size_t batch, bool training, bool frozen)
{
  SlMoeSetting   setting = sl_experts_setting (s);
  const sl_real *embedding = embedding_of (s, s->weights), *head = head_of (s, s->weights);
  size_t         n = batch * s->width;
  double         rate = sl_value_of (&s->base, P_DROPOUT);

  if (s->width == 0)
    {
      sl_moe_forward (&s->moe, &setting, batch, s->x, training, frozen, s->logits);
      return;
    }
  sl_dense_forward (batch, s->inputs, s->width, s->x, embedding, embedding + s->inputs * s->width,
                    s->h);
  sl_relu_forward (n, s->h, s->h);
  sl_moe_forward (&s->moe, &setting, batch, s->h, training, frozen, s->y);
  if (sl_is_on (&s->base, P_SIGMOID))
    for (size_t i = 0; i < n; i++)
      s->y[i] = sl_sigmoid (s->y[i]);
  if (training && rate > 0.0)
    sl_dropout_apply (n, rate, s->mask, s->y, s->mixed);
  else
    memcpy (s->mixed, s->y, n * sizeof *s->y);
  if (sl_is_on (&s->base, P_RESIDUAL))
    for (size_t i = 0; i < n; i++)
      s->mixed[i] += s->h[i];
  sl_dense_forward (batch, s->width, s->outputs, s->mixed, head, head + s->width * s->outputs,
                    s->logits);
}

double
sl_experts_loss (SlExpertsLab *s, size_t batch, bool slope, size_t *errors)
{
  sl_real *dlogits = slope ? s->dlogits : NULL;

  if (s->outputs == 1)
    return sl_logistic_loss (batch, s->logits, s->label, dlogits, errors);
  return sl_softmax_loss (batch, s->outputs, s->logits, s->label, dlogits, errors);
}

void
sl_experts_net_backward (SlExpertsLab *s, size_t batch, const SlOptimSetting *optim)
{
  SlMoeSetting setting = sl_experts_setting (s);
  sl_real     *embedding = embedding_of (s, s->weights), *head = head_of (s, s->weights);
  sl_real     *d_embedding = embedding_of (s, s->gradient), *d_head = head_of (s, s->gradient);
  size_t       n = batch * s->width;
  double       rate = sl_value_of (&s->base, P_DROPOUT);
  bool         residual = sl_is_on (&s->base, P_RESIDUAL);

  if (s->width == 0)
    {
      sl_moe_backward (&s->moe, &setting, s->dlogits, NULL, optim);
      return;
    }
  sl_dense_backward (batch, s->width, s->outputs, s->mixed, head, s->dlogits, d_head,
                     d_head + s->width * s->outputs, s->dmixed);
  if (optim != NULL)
    sl_optim_step (optim, s->now->moments, s->n_head, d_head, head, s->m + s->n_embedding,
                   s->v + s->n_embedding);
  /* The sum goes to the embedding as it is, and through dropout and sigmoid to the layer; `mixed`
   * is not needed any more and keeps the latter.  */
  if (rate > 0.0)
    sl_dropout_apply (n, rate, s->mask, s->dmixed, s->mixed);
  else
    memcpy (s->mixed, s->dmixed, n * sizeof *s->mixed);
  if (sl_is_on (&s->base, P_SIGMOID))
    for (size_t i = 0; i < n; i++)
      s->mixed[i] *= s->y[i] * (1 - s->y[i]);
  sl_moe_backward (&s->moe, &setting, s->mixed, s->dh, optim);
  for (size_t i = 0; residual && i < n; i++)
    s->dh[i] += s->dmixed[i];
  sl_relu_backward (n, s->h, s->dh, s->dh);
  sl_dense_backward (batch, s->inputs, s->width, s->x, embedding, s->dh, d_embedding,
                     d_embedding + s->inputs * s->width, NULL);
  if (optim != NULL)
    sl_optim_step (optim, s->now->moments, s->n_embedding, d_embedding, embedding, s->m, s->v);
}

double
sl_experts_step_macs (const SlExpertsLab *s, size_t batch)
{
  SlMoeSetting      setting = sl_experts_setting (s);
  const SlMoeShape *shape = &s->moe.shape;
  double            gate = sl_moe_gate_macs (&s->moe, &setting) * (double) batch;
  double assigned = (double) s->moe.dispatch.total, expert = sl_moe_expert_macs (&s->moe);
  double first = (double) shape->inputs * (double) shape->hidden; /* of an expert's products */
  double macs = 3.0 * (gate + assigned * expert);

  if (setting.recompute)
    macs += assigned * first;
  if (s->width == 0)
    return macs - gate - assigned * first;
  return macs
         + (double) batch * (2.0 * sl_experts_embedding_macs (s) + 3.0 * sl_experts_head_macs (s));
}
