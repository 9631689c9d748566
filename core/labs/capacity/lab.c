/* SPDX-License-Identifier: MIT
 *
 * Lab `capacity`: how the capacity of a model's output spreads over its input on the way down
 * through many layers (after Donier 2019, arXiv 1903.04455).  Theory is computed anew for every
 * picture; a step averages in one more random network, compares gradients in another, and trains
 * a third by one update.  This file has the state and the step, capacity-design.c what the settings
 * mean, capacity-live.c, capacity-gradients.c and capacity-depth.c the three kinds of networks,
 * capacity-probes.c, -curves.c, -circle.c and -kinds.c the panels, capacity-tables.c and
 * capacity-panels.c what is said about them.  */
#include "core/labs/capacity/lab.h"

#include <math.h>
#include <stdlib.h>

#include "core/lab/kit/common.h"

static void
cut_theory (SlLabState *s)
{
  size_t n = (size_t) value_of (s, P_POSITIONS), levels = MOST_LAYERS + 1;

  s->slope = sl_arena_carve (&s->scratch, MOST_LAYERS, sizeof (double));
  s->fall.profile = sl_arena_carve (&s->scratch, levels * n, sizeof (double));
  s->fall.mean = sl_arena_carve (&s->scratch, levels, sizeof (double));
  s->fall.variance = sl_arena_carve (&s->scratch, levels, sizeof (double));
  s->fall.bucket = sl_arena_carve (&s->scratch, MOST_LAYERS, sizeof *s->fall.bucket);
  s->work = sl_arena_carve (&s->scratch, sl_capacity_work (n), sizeof (double));
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s)
{
  s->kept.used = s->scratch.used = 0;
  s->now = sl_arena_carve (&s->kept, 1, sizeof *s->now);
  cut_theory (s);
  sl_capacity_field_carve (s);
  sl_capacity_gradients_carve (s);
  sl_capacity_transfer_carve (s);
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
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlLabState *s = calloc (1, sizeof *s);
  SlStatus    status;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->settings = *settings;
  cut (s);
  status = sl_arena_init (&s->kept, s->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  cut (s);
  s->now->seed = seed;
  sl_rng_init (&s->now->weights, seed, "weights");
  sl_rng_init (&s->now->inputs, seed, "inputs");
  sl_rng_init (&s->now->gradients, seed, "gradients");
  sl_capacity_transfer_clear (s);
  *state = s;
  return SL_SUCCESS;
}

/* What was measured under other settings is forgotten. */
static void
forget (SlLabState *s, unsigned param)
{
  switch (param)
    {
    case P_LAYERS:
    case P_RATE:
    case P_KERNEL:
    case P_RADIUS:
    case P_ACTIVATION:
    case P_OMEGA:
      sl_capacity_gradients_clear (s, false);
      sl_capacity_field_clear (s);
      break;
    case P_EXPONENT:
      sl_capacity_gradients_clear (s, true);
      sl_capacity_field_clear (s);
      break;
    case P_DILATION:
    case P_REACH:
    case P_LEAK:
    case P_BIAS:
    case P_BIAS_SCALE:
    case P_EDGE:
    case P_POSITION:
    case P_MIXING: sl_capacity_field_clear (s); break;
    case P_BALANCED:
    case P_STRENGTH:
    case P_DISTANCE:
    case P_UPDATES:
    case P_LEARNING_RATE: sl_capacity_transfer_clear (s); break;
    default: break;
    }
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  bool changed = s->settings.value[param].v[0] != value->v[0];

  s->settings.value[param] = *value;
  if (changed)
    forget (s, param);
  s->now->look = true;
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  bool report;

  s->now->t++;
  report = s->now->look || sl_due (s->now->t, value_of (s, P_REPORT));
  s->now->look = false;
  sl_capacity_field_step (s, sink, report);
  if (value_of (s, P_GRADIENTS) != 0.0)
    sl_capacity_gradients_step (s);
  if (value_of (s, P_TRAIN) != 0.0)
    sl_capacity_transfer_step (s, sink, report);
  return SL_SUCCESS;
}

/* There are no examples, and so no splits: the same figures for each of them. */
static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  const Field *field = &s->now->field;
  Design       d;
  double       distance, agreement = sl_capacity_agreement (s, &distance);

  *n = 0;
  sl_capacity_design (s, &d);
  scores[(*n)++]
    = (SlScore) { "networks", "random networks averaged", "", (double) field->networks };
  if (isfinite (sl_capacity_std (&d)))
    scores[(*n)++] = (SlScore) { "std", "standard deviation at the input, theory", "pixels",
                                 sl_capacity_std (&d) };
  scores[(*n)++]
    = (SlScore) { "std-networks", "the same about each network's own centroid", "pixels",
                  sqrt (sum_mean (&field->width[d.layers], field->networks)) };
  if (isfinite (agreement))
    {
      scores[(*n)++]
        = (SlScore) { "distance", "networks' mean from theory, total variation", "", distance };
      scores[(*n)++]
        = (SlScore) { "agreement", "positions within 2 standard errors", "%", 100.0 * agreement };
    }
  if (d.law.rule == SL_CAPACITY_SQUARED)
    scores[(*n)++] = (SlScore) { "log10-skip", "log₁₀ of the share of the skip path", "",
                                 sl_capacity_log10_skip (&d.kernel, &d.law, (double) d.layers) };
  return SL_SUCCESS;
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  piece[0] = (SlBlob) { "sums, weights and moments", s->kept.block, s->kept.used };
  return 1;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  const Transfer *transfer = &s->now->transfer;
  bool fine = transfer->seed < SEEDS && transfer->depth < DEPTHS && transfer->exponent < 3;

  s->settings = *settings;
  for (unsigned i = 0; i < DEPTHS; i++)
    for (unsigned e = 0; e < 3; e++)
      fine = fine && transfer->done[i][e] <= SEEDS;
  return fine ? SL_SUCCESS : sl_out_of_range ();
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = (SlProgress) { .examples = (double) s->now->t, .multiplications = s->now->macs };
}

const SlLab sl_lab_capacity = {
  .id = "capacity",
  .title = "Capacity diffusion",
  .summary = "Capacity is the effective number of parameters that a model spends on a given "
             "input. This lab shows how it spreads through a deep network: theory as a line, "
             "random networks as dots.",
  .reference = "Donier 2019, Scaling up deep neural networks: a capacity allocation "
               "perspective, arXiv 1903.04455",
  .readings = sl_capacity_readings,
  .params = sl_capacity_params,
  .n_params = N_PARAMS,
  .panels = sl_capacity_panels,
  .n_panels = N_PANELS,
  .overview = &sl_capacity_summary,
  .sweeps = sl_capacity_sweeps,
  .n_sweeps = 1,
  .data = SL_NEEDS_NOTHING,
  .trials = sl_capacity_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_capacity_probe,
  .score = score,
  .weights = sl_capacity_transfer_weights,
  .objective = sl_capacity_transfer_objective,
  .freeze = sl_capacity_transfer_freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
