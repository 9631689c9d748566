/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `stochastic-gates` that need a computation of their own: timed kernels, the
 * price of the gater, the gate as a function.  They read the weights and use the tape as scratch,
 * which every step fills anew.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/dense/dense.h"
#include "core/nn/kernels/gather.h"
#include "core/nn/kernels/mat.h"

enum {
  TIMED = 64,   /* the larger batch of the timings */
  POINTS = 121, /* of a drawn function */
  WIDTHS = 33,  /* of the gater */
};

/* What the sides of a timing run: the examples on the tape with their gates, `batch` at a time.
 * All of them each time: a single one would find the few rows of weights that it needs in the
 * cache, where the dense product does not find its many.  */
typedef struct
{
  SlLabState *s;
  size_t      n, batch;
} Pass;

typedef void (*Run) (const SlLabState *s, SlGaterTape *tape, size_t batch);

static void
go_through (const Pass *pass, Run run)
{
  const SlGater *g = &pass->s->gater;

  for (size_t e = 0; e + pass->batch <= pass->n; e += pass->batch)
    {
      SlGaterTape here = pass->s->tape;

      here.x += e * g->inputs;
      here.u += e * g->hidden;
      here.z += e * g->units;
      here.h += e * g->units;
      here.e += e * g->units;
      here.o += e * g->outputs;
      run (pass->s, &here, pass->batch);
    }
}

/* All experts, without gates or gater. */
static void
run_dense (const SlLabState *s, SlGaterTape *tape, size_t batch)
{
  const SlGater *g = &s->gater;
  const sl_real *w = sl_gater_weight (g, SL_GATER_EXPERTS);
  const sl_real *b = sl_gater_bias (g, SL_GATER_EXPERTS);
  const sl_real *top = sl_gater_bias (g, SL_GATER_OUTPUT);

  if (batch == 1)
    {
      sl_mat_vec (g->units, g->inputs, w, g->inputs, tape->x, tape->e);
      for (size_t i = 0; i < g->units; i++)
        tape->e[i] += b[i];
    }
  else
    sl_dense_forward (batch, g->inputs, g->units, tape->x, w, b, tape->e);
  for (size_t e = 0; e < batch; e++)
    memcpy (tape->o + e * g->outputs, top, g->outputs * sizeof *top);
  sl_mat_mul (SL_PLAIN, SL_PLAIN, batch, g->outputs, g->units, 1, tape->e, g->units,
              sl_gater_weight (g, SL_GATER_OUTPUT), g->outputs, 1, tape->o, g->outputs);
}

/* The experts that the gates on the tape leave on. */
static void
run_bare (const SlLabState *s, SlGaterTape *tape, size_t batch)
{
  const SlGater *g = &s->gater;

  sl_gather_gated (batch, g->inputs, g->units, g->outputs, sl_gater_weight (g, SL_GATER_EXPERTS),
                   sl_gater_bias (g, SL_GATER_EXPERTS), tape->x, tape->h,
                   sl_gater_weight (g, SL_GATER_OUTPUT), sl_gater_bias (g, SL_GATER_OUTPUT),
                   tape->o);
}

/* The whole network. */
static void
run_gated (const SlLabState *s, SlGaterTape *tape, size_t batch)
{
  SlGaterUnit unit = sl_gates_unit (s);

  sl_gater_deploy (&s->gater, &unit, (sl_real) sl_gates_shift (s), s->cut, tape, batch);
}

static void
pass_dense (void *data)
{
  go_through (data, run_dense);
}

static void
pass_bare (void *data)
{
  go_through (data, run_bare);
}

static void
pass_gated (void *data)
{
  go_through (data, run_gated);
}

static void
time_passes (SlLabState *s, size_t n, size_t batch, SlSink *sink, double *gated, double *bare)
{
  Pass pass = { s, n, batch };

  *gated = sl_time_ratio (pass_dense, pass_gated, &pass, sink);
  *bare = sl_time_ratio (pass_dense, pass_bare, &pass, sink);
}

static SlStatus
probe_speed (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint32_t          first = sink->layout->first[V_SPEED][0];
  SlSplit           split = s->dataset->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  size_t            begin = sl_dataset_first (s->dataset, split), n = s->dataset->n[split];
  SlGatesEvaluation figures;
  double            value[2][4], *bars;

  if (sl_gates_unit (s).kind == SL_GATER_SIGMOID)
    {
      snprintf (snapshot->note, sizeof snapshot->note,
                "Sigmoid gates are never 0: there is nothing to leave out.");
      return SL_SUCCESS;
    }
  n = n < TIMED ? n : TIMED;
  figures = sl_gates_evaluate (s, begin, n);
  value[T_WITH_GATER][0] = 100.0 / sl_gates_cost (s, value_of (s, P_DENSITY), true);
  value[T_WITHOUT_GATER][0] = 100.0 / sl_gates_cost (s, value_of (s, P_DENSITY), false);
  value[T_WITH_GATER][1] = 100.0 / sl_gates_cost (s, figures.density, true);
  value[T_WITHOUT_GATER][1] = 100.0 / fmax (sl_gates_cost (s, figures.density, false), 1e-3);
  sl_gates_run (s, begin, n);
  time_passes (s, n, 1, sink, &value[T_WITH_GATER][2], &value[T_WITHOUT_GATER][2]);
  time_passes (s, n, n, sink, &value[T_WITH_GATER][3], &value[T_WITHOUT_GATER][3]);
  for (unsigned trace = 0; trace < 2; trace++)
    {
      if (!isfinite (value[trace][2]) || !isfinite (value[trace][3]))
        return sl_probe_cancelled ();
      bars = sl_snapshot_curve (snapshot, first + trace, 4, false);
      if (bars == NULL)
        return sl_probe_no_memory ();
      for (int i = 0; i < 4; i++)
        {
          bars[i] = i;
          bars[4 + i] = value[trace][i];
        }
    }
  snprintf (snapshot->note, sizeof snapshot->note, "Kernel %s, %u thread%s; after update %llu%s",
            sl_blas_kernel (), sl_blas_threads (), sl_blas_threads () == 1 ? "" : "s",
            (unsigned long long) s->now.t,
            value_of (s, P_DENSITY) * (double) s->gater.units < 1.0
              ? "; less than one gate per input is wished for"
              : "");
  return SL_SUCCESS;
}

/* Cost against the width of the gater, for two densities; the mark is where the first breaks
 * even.  */
static SlStatus
probe_width (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint32_t first = sink->layout->first[V_WIDTH][0];
  SlSplit  split = s->dataset->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  size_t   n = s->dataset->n[split] < MOST_BATCH ? s->dataset->n[split] : MOST_BATCH;
  double   density[2], all = sl_gater_expert_macs (&s->gater, 1.0), *curve;
  double   widest;

  density[0] = sl_gates_evaluate (s, sl_dataset_first (s->dataset, split), n).density;
  density[1] = value_of (s, P_DENSITY);
  snapshot->mark = sl_gater_break_even (&s->gater, density[0]);
  widest = 2.0 * fmax (snapshot->mark, (double) s->gater.hidden);
  for (unsigned trace = 0; trace < 2; trace++)
    {
      curve = sl_snapshot_curve (snapshot, first + trace, WIDTHS, false);
      if (curve == NULL)
        return sl_probe_no_memory ();
      for (unsigned i = 0; i < WIDTHS; i++)
        {
          double width = pow (widest, i / (WIDTHS - 1.0));

          curve[i] = width;
          curve[WIDTHS + i] = 100.0
                              * (width * (double) (s->gater.inputs + s->gater.units)
                                 + sl_gater_expert_macs (&s->gater, density[trace]))
                              / all;
        }
    }
  curve = sl_snapshot_curve (snapshot, first + 2, 1, false);
  if (curve == NULL)
    return sl_probe_no_memory ();
  curve[0] = (double) s->gater.hidden;
  curve[1] = sl_gates_cost (s, density[0], true);
  snprintf (snapshot->note, sizeof snapshot->note,
            "With %.3g %% of the gates on, a gater of %.0f hidden units breaks even",
            100.0 * density[0], snapshot->mark);
  return SL_SUCCESS;
}

static SlStatus
probe_unit (SlLabState *s, SlSink *sink, SlSnapshot *snapshot)
{
  uint32_t     first = sink->layout->first[V_UNIT][0];
  SlGaterUnit  unit = sl_gates_unit (s);
  double       scale, *curve[3];
  SlGaterNoise noise = sl_gates_noise (s, &scale);
  sl_real      cut = sl_gates_carve (s);

  for (unsigned c = 0; c < 3; c++)
    if (sl_snapshot_curve (snapshot, first + c, POINTS, false) == NULL)
      return sl_probe_no_memory ();
  /* A later curve may move an earlier one, so they are found when all are there. */
  for (unsigned c = 0; c < 3; c++)
    curve[c] = snapshot->data + snapshot->curve[c].offset;
  for (unsigned i = 0; i < POINTS; i++)
    {
      double  a = -6.0 + 12.0 * i / (POINTS - 1.0);
      sl_real logit = (sl_real) a, use;

      sl_gater_settle (&unit, cut, 1, &logit, &use);
      for (unsigned c = 0; c < 3; c++)
        curve[c][i] = a;
      curve[0][POINTS + i] = sl_gater_active (&unit, noise, scale, a);
      curve[1][POINTS + i] = sl_gater_mean (&unit, noise, scale, a);
      curve[2][POINTS + i] = (double) use;
    }
  if (sl_gater_is_binary (unit.kind))
    snapshot->mark = (double) cut;
  return SL_SUCCESS;
}

static SlStatus
probe_sts (SlSink *sink, SlSnapshot *snapshot)
{
  static const double aim = 0.3;
  uint32_t            first = sink->layout->first[V_STS][0];

  for (unsigned c = 0; c < 2; c++)
    {
      double *curve = sl_snapshot_curve (snapshot, first + c, POINTS, false);

      if (curve == NULL)
        return sl_probe_no_memory ();
      for (unsigned i = 0; i < POINTS; i++)
        {
          double a = -6.0 + 12.0 * i / (POINTS - 1.0);

          curve[i] = a;
          curve[POINTS + i] = c == 0 ? sl_gater_sts_slope (a, aim) : sl_gater_sts_backprop (a, aim);
        }
    }
  return SL_SUCCESS;
}

SlStatus
sl_gates_probe (SlLabState *s, unsigned panel, SlSink *sink)
{
  SlStatus    status = SL_SUCCESS;
  SlSnapshot *snapshot = sink->open != NULL ? sink->open (sink, panel) : NULL;

  if (snapshot == NULL)
    return SL_SUCCESS;
  switch (panel)
    {
    case V_SPEED: status = probe_speed (s, sink, snapshot); break;
    case V_WIDTH: status = probe_width (s, sink, snapshot); break;
    case V_UNIT: status = probe_unit (s, sink, snapshot); break;
    case V_STS: status = probe_sts (sink, snapshot); break;
    default: status = sl_gates_probe_toy (s, panel, sink, snapshot); break;
    }
  if (status.code == SL_ECANCELLED)
    return status;
  /* A failed probe shows what it has, and says why. */
  if (!sl_ok (&status))
    sl_status_text (&status, snapshot->note, sizeof snapshot->note);
  sink->publish (sink, snapshot);
  return status;
}
