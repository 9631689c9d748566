/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `stochastic-gates` that need a computation of their own: timed kernels, the
 * price of the gater, the gate as a function.  They read the weights and use the tape as scratch,
 * which every step fills anew.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/clock.h"
#include "core/nn/kernels/mat.h"

enum {
  PROBE = 64,   /* examples whose gates are counted */
  POINTS = 121, /* of a drawn function */
  WIDTHS = 33,  /* of the gater */
};

/* What the sides of a timing run: the examples on the tape with their gates, one or all at a time.
 * All of them each time: a single one would find the few rows of weights that it needs in the
 * cache, where the dense product does not find its many.  */
typedef struct
{
  SlGatesLab  *s;
  size_t       n;
  SlGatesDraws draws; /* of gates that are drawn */
} Pass;

typedef void (*Run) (Pass *pass, size_t from, size_t batch);

static void
go_through (SlPasses *passes, Run run)
{
  Pass *pass = passes->own;

  for (size_t e = 0; e + passes->batch <= pass->n; e += passes->batch)
    run (pass, e, passes->batch);
}

/* The experts of a layer; those of a lower one are the input of the next. */
static void
run_experts (const SlGater *g, size_t batch, const sl_real *x, sl_real *e)
{
  sl_probe_dense (batch, g->inputs, g->units, x, sl_gater_weight (g, SL_GATER_EXPERTS),
                  sl_gater_bias (g, SL_GATER_EXPERTS), e);
}

/* All experts, without gates or gaters. */
static void
run_dense (Pass *pass, size_t from, size_t batch)
{
  const SlGatesLab *s = pass->s;
  const SlGater    *g = &s->top->gater;
  const sl_real    *bias = sl_gater_bias (g, SL_GATER_OUTPUT);
  SlGaterTape       top = sl_gates_tape_from (s->top, from);

  for (const SlGatesLayer *l = s->layer; l < s->top; l++)
    {
      SlGaterTape tape = sl_gates_tape_from (l, from);

      run_experts (&l->gater, batch, tape.x, tape.g);
    }
  run_experts (g, batch, top.x, top.e);
  for (size_t e = 0; e < batch; e++)
    memcpy (top.o + e * g->outputs, bias, g->outputs * sizeof *bias);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, g->outputs, g->units, 1, top.e, g->units,
              sl_gater_weight (g, SL_GATER_OUTPUT), g->outputs, 1, top.o, g->outputs);
}

/* The whole network, as it is used. */
static void
run_gated (Pass *pass, size_t from, size_t batch)
{
  sl_gates_run_tapes (pass->s, sl_gates_use (pass->s), from, batch, &pass->draws);
}

/* Nothing where no gate is ever off. */
static size_t
clock_begin (SlPasses *passes)
{
  SlGatesLab *s = sl_gates_lab (passes->probe.state);
  size_t      first, n = sl_watched (&s->base, sl_value_of (&s->base, P_BATCH), &first);
  Pass       *pass = sl_probe_room (&passes->probe, 1, sizeof *pass);

  if (sl_gates_unit (s).kind == SL_GATER_SIGMOID || pass == NULL)
    return 0;
  *pass = (Pass) { .s = s, .n = n, .draws = s->now->draws };
  sl_gates_run (s, sl_gates_use (s), first, n);
  passes->own = pass;
  return n;
}

static void
clock_dense (SlPasses *passes)
{
  go_through (passes, run_dense);
}

static void
clock_conditional (SlPasses *passes)
{
  go_through (passes, run_gated);
}

const SlClock sl_gates_passes = { .channel = "speed.with",
                                  .bar = 2,
                                  .speed_up = true,
                                  .begin = clock_begin,
                                  .dense = clock_dense,
                                  .conditional = clock_conditional };

static void
probe_speed (SlProbe *p)
{
  SlGatesLab *s = sl_gates_lab (p->state);
  size_t      first, n = sl_watched (&s->base, PROBE, &first);
  double      wished = sl_value_of (&s->base, P_DENSITY),
         target[MOST_LAYERS] = { wished, wished, wished };
  SlGatesEvaluation now;
  SlMeasured        with[4] = { [2] = sl_counted (NAN), [3] = sl_counted (NAN) }, without[2];

  if (sl_gates_unit (s).kind == SL_GATER_SIGMOID)
    {
      sl_probe_note (p, "Sigmoid gates are never 0: there is nothing to leave out.");
      return;
    }
  now = sl_gates_evaluate (s, first, n);
  with[0] = sl_counted (100.0 / sl_gates_cost (s, target, true));
  without[0] = sl_counted (100.0 / sl_gates_cost (s, target, false));
  with[1] = sl_counted (100.0 / sl_gates_cost (s, now.layer, true));
  without[1] = sl_counted (100.0 / fmax (sl_gates_cost (s, now.layer, false), 1e-3));
  sl_probe_bars (p, T_WITH_GATER, 4, with);
  sl_probe_bars (p, T_WITHOUT_GATER, 2, without);
  sl_probe_note (p, "Kernel %s; after update %llu", sl_probe_kernel (p),
                 (unsigned long long) s->base.now.t);
  if (wished * (double) s->top->gater.units < 1.0)
    sl_probe_note (p, "; the target is less than one gate per input");
}

/* Cost against the width of the gaters, for two densities; the mark is where the first breaks
 * even.  */
static void
probe_width (SlProbe *p)
{
  SlGatesLab       *s = sl_gates_lab (p->state);
  size_t            first, n = sl_watched (&s->base, MOST_BATCH, &first);
  SlGatesEvaluation now = sl_gates_evaluate (s, first, n);
  double            wished = sl_value_of (&s->base, P_DENSITY);
  double target[MOST_LAYERS] = { wished, wished, wished }, full[MOST_LAYERS] = { 1.0, 1.0, 1.0 };
  double hidden = (double) s->top->gater.hidden, all = sl_gates_expert_macs (s, full);
  double unit = sl_gates_gater_macs (s) / hidden;
  double experts[2] = { sl_gates_expert_macs (s, now.layer), sl_gates_expert_macs (s, target) };
  double even = (all - experts[0]) / unit, widest = 2.0 * fmax (even, hidden);
  double cost = sl_gates_cost (s, now.layer, true);

  for (unsigned trace = 0; trace < 2; trace++)
    {
      double x[WIDTHS], y[WIDTHS];

      for (unsigned i = 0; i < WIDTHS; i++)
        {
          x[i] = pow (widest, i / (WIDTHS - 1.0));
          y[i] = 100.0 * (x[i] * unit + experts[trace]) / all;
        }
      sl_probe_points (p, trace, 0, WIDTHS, x, y);
    }
  sl_probe_points (p, 2, 0, 1, &hidden, &cost);
  p->snapshot->mark = even;
  sl_probe_note (p, "With %.3g %% of the gates on, %.0f hidden units break even",
                 100.0 * now.density, even);
}

void
sl_gates_note_layer (const SlGatesLab *s, SlProbe *p)
{
  if (s->layers > 1)
    sl_probe_note (p, "Top of %u layers. ", s->layers);
}

/* The logits at which a function is drawn. */
static double
logit_at (unsigned i)
{
  return -6.0 + 12.0 * i / (POINTS - 1.0);
}

static void
probe_unit (SlProbe *p)
{
  SlGatesLab  *s = sl_gates_lab (p->state);
  SlGaterUnit  unit = sl_gates_unit (s);
  double       scale, x[POINTS], y[3][POINTS];
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  sl_real      threshold = sl_gates_cut (s, s->top, sl_gates_use (s));

  sl_gates_note_layer (s, p);
  for (unsigned i = 0; i < POINTS; i++)
    {
      sl_real logit, use;

      x[i] = logit_at (i);
      logit = (sl_real) x[i];
      sl_gater_settle (&unit, threshold, 1, &logit, &use);
      y[0][i] = sl_gater_active (&unit, noise, scale, x[i]);
      y[1][i] = sl_gater_mean (&unit, noise, scale, x[i]);
      y[2][i] = (double) use;
    }
  for (unsigned trace = 0; trace < 3; trace++)
    sl_probe_points (p, trace, 0, POINTS, x, y[trace]);
  if (sl_gater_has_term (unit.kind))
    p->snapshot->mark = (double) threshold;
}

static void
probe_sts (SlProbe *p)
{
  static const double aim = 0.3;
  double              x[POINTS], slope[POINTS], backprop[POINTS];

  for (unsigned i = 0; i < POINTS; i++)
    {
      x[i] = logit_at (i);
      slope[i] = sl_gater_sts_slope (x[i], aim);
      backprop[i] = sl_gater_sts_backprop (x[i], aim);
    }
  sl_probe_points (p, 0, 0, POINTS, x, slope);
  sl_probe_points (p, 1, 0, POINTS, x, backprop);
}

const SlProbePanel sl_gates_probes[N_PANELS] = {
  [V_ALIVE] = sl_gates_probe_alive,
  [V_SPEED] = probe_speed,
  [V_WIDTH] = probe_width,
  [V_UNIT] = probe_unit,
  [V_STS] = probe_sts,
  [V_DIRECTION] = sl_gates_probe_estimators,
  [V_NOISE] = sl_gates_probe_estimators,
  [V_TOY] = sl_gates_probe_toy,
  [V_USE] = sl_gates_probe_uses,
};
