/* SPDX-License-Identifier: MIT
 *
 * The passes of the lab `experts` that the host times: the layer, and a dense one of as many parameters.  */
#include "core/labs/experts/lab.h"

#include <math.h>

#include "core/lab/kit/clock.h"
#include "core/nn/dense/act.h"
#include "core/nn/kernels/blocks.h"

/* The most multiply-adds of a single dense pass, so that training does not wait for seconds. */
static const double too_much = 1e10;

/* What the passes run. */
typedef struct
{
  SlMoeSetting   setting;
  size_t         units;  /* of the dense layer */
  const sl_real *w;      /* (units, D), then (outputs, units): any numbers of normal size */
  sl_real       *hidden; /* (B, units) */
} Own;

/* Units of all experts. */
static size_t
dense_units (const SlExpertsLab *s)
{
  const SlMoeShape *shape = &s->moe.shape;

  return (shape->experts + shape->shared) * shape->hidden;
}

static size_t
clock_begin (SlPasses *passes)
{
  SlExpertsLab     *s = sl_experts_lab (passes->probe.state);
  const SlMoeShape *shape = &s->moe.shape;
  size_t            units = dense_units (s);
  double            macs = (double) units * (double) (shape->inputs + shape->outputs);
  size_t            most = (size_t) (too_much / macs);
  size_t            batch = sl_least (sl_count_of (&s->base, P_BATCH), most);
  Own              *own = sl_probe_room (&passes->probe, 1, sizeof *own);

  if (own == NULL || batch == 0)
    return 0;
  batch = sl_experts_run_validation (s, batch);
  *own = (Own) { .setting = sl_experts_setting (s),
                 .units = units,
                 .w = s->moe.weights + s->moe.n_gates,
                 .hidden = sl_probe_room (&passes->probe, batch * units, sizeof (sl_real)) };
  own->setting.skip_load = true; /* a deployed network has no use for it, */
  own->setting.w_load = 0;       /* nor for the loss that would need it */
  passes->own = own;
  return batch;
}

static void
clock_dense (SlPasses *passes)
{
  SlExpertsLab *s = sl_experts_lab (passes->probe.state);
  const Own    *own = passes->own;
  size_t        inputs = s->moe.shape.inputs;

  sl_probe_dense (passes->batch, inputs, own->units, sl_experts_seen (s), own->w, own->w,
                  own->hidden);
  sl_relu_forward (passes->batch * own->units, own->hidden, own->hidden);
  sl_probe_dense (passes->batch, own->units, s->moe.shape.outputs, own->hidden,
                  own->w + own->units * inputs, own->w, sl_experts_output (s));
}

static void
clock_conditional (SlPasses *passes)
{
  SlExpertsLab *s = sl_experts_lab (passes->probe.state);
  const Own    *own = passes->own;

  sl_moe_forward (&s->moe, &own->setting, passes->batch, sl_experts_seen (s), false, false,
                  sl_experts_output (s));
}

const SlClock sl_experts_passes = { .channel = "speed.parameters",
                                    .speed_up = true,
                                    .begin = clock_begin,
                                    .dense = clock_dense,
                                    .conditional = clock_conditional };

void
sl_experts_probe_speed (SlProbe *p)
{
  const SlMeasured empty[2] = { sl_counted (NAN), sl_counted (NAN) };

  sl_probe_bars (p, 0, 2, empty);
  sl_probe_note (p, "Kernel %s; dense layer of %zu units", sl_probe_kernel (p),
                 dense_units (sl_experts_lab (p->state)));
}
