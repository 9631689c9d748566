/* SPDX-License-Identifier: MIT
 *
 * Times of updates of the lab `sign-estimator`: dense, computed and then masked, and skipping.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <string.h>

/* What a side of a timing runs. */
typedef struct
{
  SlSignLab     *s;
  SlNet          net; /* a copy whose weights and moments may change */
  size_t         batch;
  SlDropout      dropout;
  SlOptimSetting optim;
  SlEstimate     estimate;
} Side;

/* Both sides of a timing, and what part of an update they run. */
typedef struct
{
  Side dense, other;
  void (*run) (Side *side);
} Pair;

static void
run_forward (Side *side)
{
  size_t errors;

  sl_net_forward (&side->net, &side->s->tape, side->batch, &side->dropout, &side->estimate);
  sl_net_loss (&side->net, &side->s->tape, side->batch, side->s->label, true, &errors);
}

static void
run_update (Side *side)
{
  run_forward (side);
  sl_net_backward (&side->net, &side->s->tape, side->batch, &side->dropout, &side->optim, 1);
}

static void
run_dense (void *data)
{
  Pair *pair = data;

  pair->run (&pair->dense);
}

static void
run_other (void *data)
{
  Pair *pair = data;

  pair->run (&pair->other);
}

/* A batch of training examples with dropout, on the tape. */
static void
draw (Side *side)
{
  SlSignLab       *s = side->s;
  const SlDataset *data = s->base.dataset;
  SlRng            rng;

  side->batch = sl_examples (&s->base, SL_TRAIN, sl_value_of (&s->base, P_BATCH));
  sl_rng_init (&rng, 1, "training-speed");
  sl_dataset_range (data, sl_dataset_first (data, SL_TRAIN), side->batch, s->tape.x[0], s->label);
  sl_net_draw (&side->net, &s->tape, side->batch, &side->dropout, &rng);
  sl_net_mask_input (&side->net, &s->tape, side->batch, &side->dropout);
}

static bool
copy_net (SlProbe *p, SlNet *net)
{
  sl_real *weights = sl_probe_room (p, net->n, sizeof *weights);
  sl_real *m = sl_probe_room (p, net->n, sizeof *m), *v = sl_probe_room (p, net->n, sizeof *v);

  if (!sl_ok (&p->status))
    return false;
  memcpy (weights, net->weights, net->n * sizeof *weights);
  net->weights = weights;
  net->m = m;
  net->v = v;
  return true;
}

static void
time_side (SlProbe *p, Pair *pair, SlEstimate estimate, bool skips, SlMeasured bar[2])
{
  pair->other = pair->dense;
  pair->other.estimate = estimate;
  pair->other.estimate.skips = skips;
  pair->run = run_forward;
  bar[0] = sl_probe_time_ratio (p, run_dense, run_other, pair);
  pair->run = run_update;
  bar[1] = sl_probe_time_ratio (p, run_dense, run_other, pair);
}

/* How much was computed, and how long forward each of it took in units of the dense product: `masked` and
 * `skipped` are speed-ups of the forward pass, and what the masked one takes beyond the dense one is the
 * estimates.  */
static void
note_work (SlProbe *p, const Side *side, double masked, double skipped)
{
  const SlSignLab *s = side->s;
  const SlNet     *net = &s->net;
  double           all = (double) side->batch * sl_net_macs (net);
  double           forward = s->tape.macs[0] / all;
  double           backward = s->tape.macs[1] / ((double) side->batch * sl_net_backward_macs (net));
  double           each = (1 / skipped - (1 / masked - 1)) / forward;

  if (isfinite (each) && each > 0)
    sl_probe_note (
      p,
      "%.0f %% of the multiplications forward and %.0f %% backward. Forward, estimates apart, each "
      "takes %.1f times as long as in a dense product, because sums are folded one unit at a time; "
      "batch %zu; kernel %s",
      100.0 * forward, 100.0 * backward, each, side->batch, sl_probe_kernel (p));
  else
    sl_probe_note (
      p, "%.0f %% of the multiplications forward and %.0f %% backward; batch %zu; kernel %s",
      100.0 * forward, 100.0 * backward, side->batch, sl_probe_kernel (p));
}

void
sl_sign_probe_training (SlProbe *p)
{
  SlSignLab *s = sl_sign_lab (p->state);
  SlEstimate gated;
  SlMeasured masked[2], skipped[2];
  Pair       pair = { .dense = { .s = s, .net = s->net, .optim = sl_optim_default () } };

  if (!sl_sign_probe_estimate (p, &gated))
    return;
  if (!sl_sign_training_estimate (s).skips)
    {
      sl_probe_note (p, "Training does not skip.");
      return;
    }
  gated = sl_sign_training_estimate (s);
  pair.dense.dropout = sl_sign_dropout (s);
  pair.dense.optim.kind = (SlOptimiser) sl_value_of (p->state, P_OPTIMISER);
  pair.dense.optim.rate = 0;
  if (!copy_net (p, &pair.dense.net))
    return;
  draw (&pair.dense);
  time_side (p, &pair, gated, false, masked);
  time_side (p, &pair, gated, true, skipped);
  run_update (&pair.other);
  sl_probe_bars (p, T_STEP_MASKED, 2, masked);
  sl_probe_bars (p, T_STEP_SKIPPED, 2, skipped);
  note_work (p, &pair.other, masked[0].value, skipped[0].value);
}
