/* SPDX-License-Identifier: MIT
 *
 * The layer of the lab `experts` against dense layers by the clock: one of as many parameters and
 * one of as many multiplications.  */
#include "core/labs/experts/lab.h"

#include <math.h>

#include "core/lab/kit/probe.h"
#include "core/nn/dense/act.h"

enum { SIZES = 3 };

static const size_t batch_size[SIZES] = { 1, 64, 1024 };

/* The most multiply-adds of a single dense pass, so that training does not wait for seconds. */
static const double too_much = 1e10;

/* What the two sides of a timing run. */
typedef struct
{
  SlExpertsLab  *s;
  SlMoeSetting   setting;
  size_t         batch, units; /* of the dense layer */
  const sl_real *w;            /* (units, D), then (outputs, units): any numbers of normal size */
  sl_real       *hidden;       /* (B, units) */
} Pass;

static void
pass_dense (void *data)
{
  Pass    *p = data;
  size_t   inputs = p->s->moe.shape.inputs, outputs = p->s->moe.shape.outputs;
  sl_real *y = p->s->width > 0 ? p->s->y : p->s->logits;

  sl_probe_dense (p->batch, inputs, p->units, sl_experts_seen (p->s), p->w, p->w, p->hidden);
  sl_relu_forward (p->batch * p->units, p->hidden, p->hidden);
  sl_probe_dense (p->batch, p->units, outputs, p->hidden, p->w + p->units * inputs, p->w, y);
}

static void
pass_experts (void *data)
{
  Pass *p = data;

  sl_moe_forward (&p->s->moe, &p->setting, p->batch, sl_experts_seen (p->s), false, false,
                  p->s->width > 0 ? p->s->y : p->s->logits);
}

void
sl_experts_probe_speed (SlProbe *p)
{
  SlExpertsLab     *s = sl_experts_lab (p->state);
  const SlMoeShape *shape = &s->moe.shape;
  Pass   pass = { .s = s, .setting = sl_experts_setting (s), .w = s->moe.weights + s->moe.n_gates };
  size_t all = (shape->experts + shape->shared) * shape->hidden, sizes = 0;
  double per_unit = (double) (shape->inputs + shape->outputs);
  SlMeasured ratio[2][SIZES];
  double     work = sl_moe_gate_macs (&s->moe, &pass.setting)
                + (double) (sl_mixture_chosen (&s->moe, &pass.setting) + shape->shared)
                    * sl_moe_expert_macs (&s->moe);
  /* As many units as its multiplications allow; with all experts on that is more than `all`. */
  size_t same[2] = { all, (size_t) fmin (fmax (work / per_unit, 1.0), (double) all) };

  while (sizes < SIZES && (double) batch_size[sizes] * (double) all * per_unit <= too_much)
    sizes++;
  if (sizes == 0)
    {
      sl_probe_note (p, "A dense layer of %zu units is too large to be timed here.", all);
      return;
    }
  pass.hidden = sl_probe_room (p, batch_size[sizes - 1] * all, sizeof (sl_real));
  if (pass.hidden == NULL)
    return;
  sl_experts_run_validation (s, MOST_BATCH);
  pass.setting.skip_load = true; /* a deployed network has no use for it, */
  pass.setting.w_load = 0;       /* nor for the loss that would need it */
  for (size_t i = 0; i < sizes; i++)
    for (int side = T_SAME_PARAMETERS; side <= T_SAME_WORK; side++)
      {
        pass.batch = batch_size[i];
        pass.units = same[side];
        ratio[side][i] = sl_probe_time_ratio (p, pass_dense, pass_experts, &pass);
      }
  for (unsigned side = T_SAME_PARAMETERS; side <= T_SAME_WORK; side++)
    sl_probe_bars (p, side, sizes, ratio[side]);
  sl_probe_note (p, "Kernel %s; dense layers of %zu and %zu units", sl_probe_kernel (p), same[0],
                 same[1]);
}
