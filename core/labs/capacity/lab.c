/* SPDX-License-Identifier: MIT
 *
 * Lab `capacity`: how the capacity of a model's output spreads over its input on the way down
 * through many layers (after Donier 2019, arXiv 1903.04455).  Theory is computed anew for every
 * picture; a step averages in one more random network, compares gradients in another, and trains a
 * third by one update.  This file has the state and the step, design.c what the settings mean,
 * live.c, gradients.c, images.c and depth.c the kinds of networks, probes.c, curves.c, circle.c and
 * kinds.c the panels, tables.c and panels.c what is said about them.  */
#include "core/labs/capacity/lab.h"

#include <math.h>

static SlStatus
shape (SlLabState *state)
{
  return SL_SUCCESS;
}

static void
carve (SlLabState *state)
{
  SlCapacityLab *s = sl_capacity_lab (state);
  SlArena       *scratch = &state->scratch;
  size_t         n = sl_count_of (state, P_POSITIONS), levels = MOST_LAYERS + 1;

  s->now = sl_arena_carve (&state->kept, 1, sizeof *s->now);
  s->slope = sl_arena_carve (scratch, MOST_LAYERS, sizeof (double));
  s->fall.profile = sl_arena_carve (scratch, levels * n, sizeof (double));
  s->fall.mean = sl_arena_carve (scratch, levels, sizeof (double));
  s->fall.variance = sl_arena_carve (scratch, levels, sizeof (double));
  s->fall.bucket = sl_arena_carve (scratch, MOST_LAYERS, sizeof *s->fall.bucket);
  s->work = sl_arena_carve (scratch, sl_capacity_work (n), sizeof (double));
  sl_capacity_field_carve (s);
  sl_capacity_images_carve (s);
  sl_capacity_gradients_carve (s);
  sl_capacity_transfer_carve (s);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlCapacityLab *s = sl_capacity_lab (state);

  s->now->seed = seed;
  sl_rng_init (&s->now->weights, seed, "weights");
  sl_rng_init (&s->now->inputs, seed, "inputs");
  sl_rng_init (&s->now->gradients, seed, "gradients");
  sl_rng_init (&s->now->outputs, seed, "outputs");
  sl_rng_init (&s->now->images, seed, "images");
  sl_capacity_transfer_clear (s);
  return SL_SUCCESS;
}

/* What was measured under other settings is forgotten. */
static void
forget (SlCapacityLab *s, unsigned param)
{
  switch (param)
    {
    case P_LAYERS:
    case P_RATE:
    case P_KERNEL:
    case P_RADIUS:
    case P_ACTIVATION:
    case P_OMEGA:
    case P_CHANNEL_SCALE:
      sl_capacity_gradients_clear (s, false);
      sl_capacity_images_clear (s);
      sl_capacity_field_clear (s);
      break;
    case P_EXPONENT:
      sl_capacity_gradients_clear (s, true);
      sl_capacity_images_clear (s);
      sl_capacity_field_clear (s);
      break;
    case P_LEAK_SCALE:
      if (sl_value_of (&s->base, P_TASK) == TASK_RECALL)
        sl_capacity_transfer_clear (s);
      sl_capacity_field_clear (s);
      break;
    case P_DILATION:
    case P_REACH:
    case P_LEAK:
    case P_TIED:
    case P_BIAS:
    case P_BIAS_SCALE:
    case P_EDGE:
    case P_POSITION:
    case P_MIXING: sl_capacity_field_clear (s); break;
    case P_TASK:
    case P_BALANCED:
    case P_STRENGTH:
    case P_DISTANCE:
    case P_UPDATES:
    case P_LEARNING_RATE: sl_capacity_transfer_clear (s); break;
    default: break;
    }
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  if (before->v[0] != sl_value_of (state, param))
    forget (sl_capacity_lab (state), param);
  state->now.report = true;
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlCapacityLab *s = sl_capacity_lab (state);
  bool           report = sl_report_due (state, P_REPORT);

  state->now.examples = ++state->now.t;
  state->now.report = false;
  sl_capacity_field_step (s, sink, report);
  if (sl_is_on (state, P_IMAGES))
    sl_capacity_images_step (s);
  if (sl_is_on (state, P_GRADIENTS))
    sl_capacity_gradients_step (s);
  if (sl_is_on (state, P_TRAIN))
    sl_capacity_transfer_step (s, sink, report);
  return SL_SUCCESS;
}

/* What score() tells. */
static const SlScore score_names[] = {
  { "left", SL_MARK ("capacity at the input, networks"), "%", 0 },
  { "sides", SL_MARK ("capacity at side inputs, networks"), "%", 0 },
  { "std-all-layers", SL_MARK ("spread, output of all layers"), "pixels", 0 },
  { "std-images", SL_MARK ("spread along an axis of images"), "pixels", 0 },
  { "networks", SL_MARK ("random networks averaged"), "", 0 },
  { "std", SL_MARK ("spread at the input, theory"), "pixels", 0 },
  { "std-networks", SL_MARK ("spread at the input, networks"), "pixels", 0 },
  { "distance", SL_MARK ("difference of networks and theory, total variation"), "", 0 },
  { "agreement", SL_MARK ("positions within 2 standard errors"), "%", 0 },
  { "log10-skip", SL_MARK ("log₁₀ of the skip path's share"), "", 0 },
  { 0 },
};

static void
add (SlScore *scores, unsigned *n, const char *id, double value)
{
  scores[(*n)++] = sl_score (score_names, id, value);
}

/* What random networks gave beside the width at the input. */
static void
score_networks (const SlCapacityLab *s, const Design *d, SlScore *scores, unsigned *n)
{
  const Field  *field = &s->now->field;
  const Images *image = &s->now->image;
  double        profile[MOST_POSITIONS], mean, variance;

  add (scores, n, "left", 100.0 * sum_mean (&field->where[T_INPUT], field->networks));
  add (scores, n, "sides", 100.0 * sum_mean (&field->where[T_SIDES], field->networks));
  if (field->skip_networks > 0)
    {
      for (size_t x = 0; x < d->n; x++)
        profile[x] = field->skips[x].sum;
      sl_capacity_spread (d->n, profile, d->x0, d->edge == SL_EDGE_PERIODIC, &mean, &variance);
      add (scores, n, "std-all-layers", sqrt (variance));
    }
  if (image->networks > 0)
    {
      for (size_t x = 0; x < IMAGE; x++)
        profile[x] = image->axis[x].sum;
      sl_capacity_spread (IMAGE, profile, IMAGE / 2, true, &mean, &variance);
      add (scores, n, "std-images", sqrt (variance));
    }
}

/* There are no examples, and so no splits: the same figures for each of them. */
static void
score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlCapacityLab *s = sl_capacity_lab (state);
  const Field   *field = &s->now->field;
  Design         d;
  double         distance, agreement = sl_capacity_agreement (s, &distance);

  sl_capacity_design (s, &d);
  add (scores, n, "networks", (double) field->networks);
  if (isfinite (sl_capacity_std (&d)))
    add (scores, n, "std", sl_capacity_std (&d));
  add (scores, n, "std-networks", sqrt (sum_mean (&field->width[d.layers], field->networks)));
  if (isfinite (agreement))
    {
      add (scores, n, "distance", distance);
      add (scores, n, "agreement", 100.0 * agreement);
    }
  if (d.law.rule == SL_CAPACITY_SQUARED)
    add (scores, n, "log10-skip", sl_capacity_design_log10_skip (&d));
  if (field->networks > 0)
    score_networks (s, &d, scores, n);
}

/* clang-format off */
const SlLab sl_lab_capacity = {
  .id = "capacity", .title = "Capacity diffusion",
  .summary = "How much of a deep network's capacity each input gets. Theory is drawn as a line, random "
             "networks as dots.",
  .reference = "Donier 2019, Scaling up deep neural networks: a capacity allocation perspective, "
               "arXiv 1903.04455",
  .params = sl_capacity_params, .n_params = N_PARAMS, .panels = sl_capacity_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive waterfall profile spread skip-share",
    .knobs = "exponent layers rate radius activation",
    .bars = {
      { SL_MARK ("spread"), "width-of.width", "width-of.theory", "pixels" },
      { SL_MARK ("drift of the middle"), "width-of.wander", NULL, "pixels" },
      { SL_MARK ("training loss"), "loss.loss", "loss.baseline", NULL },
    },
  },
  .data = SL_NEEDS_NOTHING,
  .state_bytes = sizeof (SlCapacityLab), .state_version = 3, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_capacity_probes, .score = score, .scores = score_names,
  .freeze = sl_capacity_transfer_freeze, .objective = sl_capacity_transfer_objective,
  .restored = sl_capacity_transfer_restored,
  .overview = &(const SlSummary) {
    .idea = "Capacity diffusion", .panel = "profile", .traces = "exact networks",
    .words = "Spread {width-of.width:2:50} px (theory {width-of.theory:2})",
    .settings = "radius=2 rate=5 positions=97 gradients=no train=no report-every=2" },
  SL_SWEEPS (
    { .id = "exponent", .title = "Sweep the exponent a",
      .help = "From equal weights at every depth to weights that fall with depth.",
      .axes = "exponent=0,0.25,0.5,0.75,1", .seeds = "1-2", .steps = 100 }),
  SL_PRESETS (
    { "limit", "Close to the limit",
      .help = "Many positions and channels: single networks follow the theory.",
      .settings = "layers=64 positions=129 channels=32 width=512 deepest=64",
      .holds = SL_NAMES ("3", "width-of.width > 0.85 * width-of.theory", "width-of.width < 1.15 * width-of.theory") },
    { "quick", "Quick",
      .help = "Few channels and nothing trained: hundreds of networks a second.",
      .settings = "channels=8 gradients=no train=no" },
    { "recall", "Recurrent recall",
      .help = "Recurrent networks recall their first input after 8 to 64 steps. With rectifiers, weights that "
              "shrink as 1/T learn 64 steps; as 1/√T most runs do not.",
      .settings = "task=recall strength=0.5 gradients=no all-layers=no tied=yes leak=1 "
                  "activation=rectifier channels=8",
      .holds = SL_NAMES ("1500", "transfer.one@64 < 0.2", "transfer.half@64 > 0.2 in 7 of 10") },
    { "shatter", "Make it shatter",
      .help = "Weights do not shrink with depth: capacity spreads far, and gradients of neighbouring inputs are "
              "unrelated.",
      .settings = "exponent=0",
      .holds = SL_NAMES ("3", "width-of.width > 6", "angle.theory@10 < 0.01") }),
  SL_HEALTH (
    { .id = "loss", .channel = "loss.loss", .than = "loss.baseline", .begins = 10, .ends = 3,
      .words = "The loss is far above that of the constant answer 0.",
      .knobs = "learning-rate strength" }),
  .readings = SL_NAMES (
    "Reading: every formula was derived from the paper's prose and checked with numbers.",
    "Convention: capacity passes on in proportion to squared weight times input variance.",
    "Convention: two projectors fit the paper's definition for a linear model; they agree for uncorrelated inputs.",
    "Ours: a away from ½, drift of one-sided taps, boundaries, where leaked capacity goes, and "
    "the gradients of real networks.",
    "Open: the paper does not test local state transitions in recurrent networks; here they are in one toy task."),
  SL_TRIALS (
    { NULL,
      "layers=6 positions=17 channels=4 width=16 leak=1 deepest=16 transfer-updates=30 "
      "learning-rate=0.01 images=yes side-scale=unscaled" },
    { NULL,
      "layers=5 positions=21 channels=6 width=12 activation=rectifier edge=absorbing bias=1 "
      "balanced=yes position=-9 kernel=with-centre radius=2 learning-rate=0.1 tied=yes images=yes" },
    { NULL,
      "layers=4 positions=19 channels=3 width=16 activation=tanh leak=2 bias=1 bias-scale=unscaled "
      "dilation=smooth reach=3 strength=1.5 distance=1 learning-rate=0.01" },
    { NULL,
      "layers=3 positions=15 channels=5 width=8 activation=linear edge=renormalised kernel=causal "
      "dilation=blocks reach=4 mixing=0.3 bias=0.5 bias-scale=twice ridge=1 learning-rate=0.01 "
      "channel-scale=unscaled side-scale=twice all-layers=no tied=yes task=recall distance=1 "
      "strength=0.4" },
    { NULL,
      "layers=8 positions=16 channels=2 width=8 edge=reflecting rule=markov rate=20 exponent=0.2 "
      "learning-rate=0.01 model=product metric=whitened" },
    { NULL,
      "layers=4 positions=9 channels=4 width=8 exponent=1 model=tied rule=markov rate=1 "
      "strength=0.5 learning-rate=0.05" }),
};
/* clang-format on */
