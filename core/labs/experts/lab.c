/* SPDX-License-Identifier: MIT
 *
 * Lab `experts`: a sparsely-gated mixture of experts (Shazeer et al. 2017), and what keeps its load
 * even.  This file has the state and the step, experts-net.c the network; experts-reports.c what is
 * published as it trains, experts-map.c the view of single inputs, experts-probes.c and
 * experts-speed.c the panels that need a computation of their own, experts-tables.c and
 * experts-panels.c the words.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/schedule.h"
#include "core/nn/dense/dropout.h"

/* Copies what a checkpoint needs out of the structures that hold pointers, and back. */
static void
gather_moving (SlLabState *s)
{
  s->now.shuffle = s->batches.rng;
  s->now.cursor = s->batches.cursor;
  s->now.gates = s->moe.updates;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  s->moe.updates = s->now.gates;
  return sl_batches_restore (&s->batches, &s->now.shuffle, s->now.cursor);
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, const SlMoeShape *shape, uint64_t seed)
{
  size_t middle = MOST_BATCH * s->width, ends = MOST_BATCH * s->outputs;

  s->kept.used = s->scratch.used = 0;
  sl_moe_carve (&s->moe, shape, &s->kept, &s->scratch);
  s->n = s->n_embedding + s->moe.n + s->n_head;
  s->weights = sl_arena_reals (&s->kept, s->n);
  s->m = sl_arena_reals (&s->kept, s->n_embedding + s->n_head);
  s->v = sl_arena_reals (&s->kept, s->n_embedding + s->n_head);
  sl_batches_init (&s->batches, s->dataset, seed, &s->kept);

  s->gradient = sl_arena_reals (&s->scratch, s->n);
  s->x = sl_arena_reals (&s->scratch, MOST_BATCH * s->inputs);
  s->logits = sl_arena_reals (&s->scratch, ends);
  s->dlogits = sl_arena_reals (&s->scratch, ends);
  s->h = sl_arena_reals (&s->scratch, middle);
  s->y = sl_arena_reals (&s->scratch, middle);
  s->mixed = sl_arena_reals (&s->scratch, middle);
  s->dmixed = sl_arena_reals (&s->scratch, middle);
  s->dh = sl_arena_reals (&s->scratch, middle);
  s->mask = sl_arena_carve (&s->scratch, middle, 1);
  s->label = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->margin = sl_arena_reals (&s->scratch, 2 * MOST_BATCH);
  s->set = sl_arena_carve (&s->scratch, 2 * MOST_BATCH, sizeof *s->set);
  s->joint = sl_arena_carve (&s->scratch, shape->experts * s->dataset->classes, sizeof *s->joint);
}

static void
destroy (SlLabState *s)
{
  if (s == NULL)
    return;
  sl_arena_clear (&s->kept);
  sl_arena_clear (&s->scratch);
  free (s);
}

static SlStatus
uneven (size_t experts, size_t groups)
{
  char found[64], expected[64];

  snprintf (found, sizeof found, "%zu groups for %zu experts", groups, experts);
  snprintf (expected, sizeof expected, "a number of groups that divides the experts");
  return sl_status_new (SL_EINVAL, "groups", found, expected);
}

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlLabState *s = calloc (1, sizeof *s);
  SlStatus    status = SL_SUCCESS;
  SlMoeShape  shape;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  s->inputs = dataset->features;
  s->width = (size_t) value_of (s, P_EMBEDDING);
  s->outputs = dataset->classes == 2 ? 1 : dataset->classes;
  if (s->width > 0)
    {
      s->n_embedding = (s->inputs + 1) * s->width;
      s->n_head = (s->width + 1) * s->outputs;
    }
  shape = (SlMoeShape) {
    .gate = (SlMoeGate) value_of (s, P_GATE),
    .inputs = s->width > 0 ? s->width : s->inputs,
    .hidden = (size_t) value_of (s, P_HIDDEN),
    .outputs = s->width > 0 ? s->width : s->outputs,
    .experts = (size_t) value_of (s, P_EXPERTS),
    .groups = (size_t) value_of (s, P_GROUPS),
    .most = MOST_BATCH,
    .factored = value_of (s, P_FACTORED) != 0.0,
  };
  if (shape.gate == SL_MOE_BALANCED)
    shape.groups = 1;
  if (shape.experts % shape.groups != 0)
    status = uneven (shape.experts, shape.groups);
  if (sl_ok (&status))
    {
      cut (s, &shape, seed);
      status = sl_arena_init (&s->kept, s->kept.used);
    }
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  cut (s, &shape, seed);
  sl_moe_bind (&s->moe, s->weights + s->n_embedding, s->gradient + s->n_embedding);
  sl_experts_net_init (s, seed);
  sl_rng_init (&s->now.noise, seed, "gate noise");
  sl_rng_init (&s->now.dropout, seed, "dropout");
  *state = s;
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  bool changed = s->settings.value[param].v[0] != value->v[0];

  s->settings.value[param] = *value;
  if (param == P_OPTIMISER && changed)
    {
      sl_moe_clear_moments (&s->moe);
      memset (s->m, 0, (s->n_embedding + s->n_head) * sizeof *s->m);
      memset (s->v, 0, (s->n_embedding + s->n_head) * sizeof *s->v);
      s->now.moments = 0;
    }
  if (param == P_EXPERT)
    return SL_SUCCESS; /* who is looked at changes no curve */
  /* With other experts per example the network is another one from the next update on. */
  if (param == P_K || param == P_K_GROUPS)
    s->now.judge = true;
  s->now.look = true;
  return SL_SUCCESS;
}

/* Draws a batch, the noise of its gates and its dropout. */
static void
draw (SlLabState *s, size_t batch)
{
  sl_batches_next (&s->batches, s->dataset, batch, s->x, s->label);
  if (value_of (s, P_NOISE) != 0.0 && s->moe.shape.gate == SL_MOE_NOISY)
    sl_moe_draw (&s->moe, batch, &s->now.noise);
  if (s->width > 0 && value_of (s, P_DROPOUT) > 0.0)
    sl_dropout_draw (&s->now.dropout, value_of (s, P_DROPOUT), batch * s->width, s->mask);
}

static SlOptimSetting
optim_of (const SlLabState *s)
{
  static const SlOptimiser kind[] = { SL_SGD, SL_ADAM }; /* in the order of the choices */
  SlOptimSetting           optim = sl_optim_default ();
  double                   factor = 1.0;

  if (value_of (s, P_SCHEDULE) != 0.0)
    factor = sl_schedule_inverse_root (value_of (s, P_WARM_UP), value_of (s, P_FLAT),
                                       (double) s->now.t + 1.0);
  optim.kind = kind[(unsigned) value_of (s, P_OPTIMISER)];
  optim.rate = (sl_real) (value_of (s, P_RATE) * factor);
  return optim;
}

/* Leaves in s->set what the first few examples of the batch would choose without the noise that
 * they are about to get.  Returns how many; 0 when there is no noise.  */
static size_t
run_without_noise (SlLabState *s, size_t batch)
{
  size_t n = batch < WATCHED ? batch : WATCHED;

  if (value_of (s, P_NOISE) == 0.0 || s->moe.shape.gate != SL_MOE_NOISY)
    return 0;
  sl_experts_net_forward (s, n, false, false);
  sl_experts_sets (s, n, s->set);
  return n;
}

/* Share of those examples that chose the same with the noise. */
static double
same_with_noise (SlLabState *s, size_t n, size_t batch)
{
  uint64_t *noisy = s->set + MOST_BATCH;
  size_t    same = 0;

  if (n == 0)
    return NAN;
  sl_experts_sets (s, batch, noisy);
  for (size_t e = 0; e < n; e++)
    same += s->set[e] == noisy[e];
  return (double) same / (double) n;
}

static SlStatus
not_a_number (size_t logits)
{
  char found[64];

  snprintf (found, sizeof found, "%zu logits of the gate that are not numbers", logits);
  return sl_status_new (SL_EDIVERGED, "training", found, "finite ones");
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  size_t         batch = (size_t) value_of (s, P_BATCH), errors, watched = 0;
  SlOptimSetting optim = optim_of (s);
  bool           report = s->now.look || sl_due (s->now.t + 1, value_of (s, P_REPORT));
  double         loss, total, same = NAN;

  draw (s, batch);
  if (report)
    watched = run_without_noise (s, batch);
  sl_experts_net_forward (s, batch, true, false);
  loss = sl_experts_loss (s, batch, true, &errors);
  total = loss + sl_experts_balance_loss (s);
  s->now.t++;
  s->now.moments++;
  if (s->moe.balance.not_finite > 0)
    return not_a_number (s->moe.balance.not_finite);
  if (!isfinite (total))
    return sl_diverged (total);
  if (report)
    same = same_with_noise (s, watched, batch);
  sl_experts_sum (s, loss, errors, batch);
  s->now.examples += batch;
  s->now.macs += sl_experts_step_macs (s, batch);
  sl_experts_net_backward (s, batch, &optim);
  if (report)
    {
      s->now.look = false;
      sl_experts_report (s, same, sink);
    }
  if (sl_evaluation_due (&s->now.judge, &s->now.judged, s->now.t, value_of (s, P_EVALUATE)))
    sl_experts_report_validation (s, sink);
  return SL_SUCCESS;
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->weights, s->n };
}

static void
freeze (SlLabState *s, bool frozen)
{
  size_t batch = (size_t) value_of (s, P_BATCH);

  s->held_batch = 0;
  if (!frozen)
    return;
  draw (s, batch);
  sl_experts_net_forward (s, batch, true, false);
  s->held_batch = batch;
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  size_t errors;

  if (s->held_batch == 0)
    return sl_not_frozen ();
  sl_experts_net_forward (s, s->held_batch, true, true);
  *loss = sl_experts_loss (s, s->held_batch, true, &errors) + sl_experts_balance_loss (s);
  if (gradient != NULL)
    {
      sl_experts_net_backward (s, s->held_batch, NULL);
      memcpy (gradient, s->gradient, s->n * sizeof *gradient);
    }
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  gather_moving (s);
  piece[0] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[1] = (SlBlob) { "weights, moments and order", s->kept.block, s->kept.used };
  return 2;
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = sl_progress (s->now.examples, s->batches.n, s->now.macs);
}

const SlLab sl_lab_experts = {
  .id = "experts",
  .title = "Experts",
  .summary = "A gate sends every example to a few of many small networks. Without a penalty it "
             "would send all examples to the same ones.",
  .reference = "Shazeer et al. 2017, arXiv 1701.06538",
  .readings = sl_experts_readings,
  .params = sl_experts_params,
  .n_params = N_PARAMS,
  .panels = sl_experts_panels,
  .n_panels = N_PANELS,
  .best = "error.valid",
  .error = "error",
  .clock = &(const SlClock) { "speed.parameters", 1, true },
  .overview = &sl_experts_summary,
  .sweeps = sl_experts_sweeps,
  .n_sweeps = 1,
  .data = SL_NEEDS_LABELS,
  .trials = sl_experts_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_experts_probe,
  .map = sl_experts_map,
  .score = sl_experts_score,
  .weights = weights,
  .objective = objective,
  .freeze = freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
