/* SPDX-License-Identifier: MIT
 *
 * Lab `stochastic-gates`: a layer of experts that a second network switches on and off, by chance
 * while it learns (Bengio, Léonard and Courville 2013).  This file has the state and the step, train.c
 * how layers run and learn, tables.c what is said about them, reports.c what is measured on the way,
 * probes.c and toy.c the panels that need a computation of their own.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/schedule.h"
#include "core/nn/gater/concrete.h"

/* Hard concrete gates: temperature in training, and how far they reach beyond 0 and 1 before they are cut off
 * there (Louizos, Welling and Kingma 2018, §4).  */
static const double BETA_CONCRETE = 2.0 / 3.0, STRETCH = 0.1;

/* As Gumbel-sigmoid gates are set. */
static double
gumbel_temperature (const SlGatesLab *s)
{
  return sl_concrete_temperature (
    sl_value_of (&s->base, P_TEMPERATURE), sl_value_of (&s->base, P_TEMPERATURE_END),
    sl_value_of (&s->base, P_TEMPERATURE_HALF), (double) s->base.now.t);
}

SlGaterUnit
sl_gates_unit_of (const SlGatesLab *s, SlGaterKind kind)
{
  double temperature = kind == SL_GATER_GUMBEL ? gumbel_temperature (s) : BETA_CONCRETE;

  return (SlGaterUnit) { .kind = kind,
                         .slope = sl_is_on (&s->base, P_SLOPE),
                         .thin = sl_value_of (&s->base, P_FIRING) == FIRE_PLAIN,
                         .hard = sl_is_on (&s->base, P_HARD),
                         .apart = kind == SL_GATER_STS
                                  && sl_value_of (&s->base, P_NOISE_HALF) == NOISE_DECIDES,
                         .mean = (sl_real) sl_gates_shift (s),
                         .times = sl_gates_noise_times (s, kind),
                         .temperature = (sl_real) temperature,
                         .stretch = (sl_real) STRETCH };
}

SlGaterUnit
sl_gates_unit (const SlGatesLab *s)
{
  return sl_gates_unit_of (s, sl_gates_kind (s));
}

bool
sl_gates_has_l0 (const SlGatesLab *s)
{
  return sl_value_of (&s->base, P_GATE) == SL_GATER_CONCRETE
         && sl_value_of (&s->base, P_L0_TERM) == L0_PUBLISHED;
}

double
sl_gates_weight (const SlGatesLab *s)
{
  static const double published[] = { [SL_GATER_STS] = 0.001,
                                      [SL_GATER_SBN] = 1.0,
                                      [SL_GATER_ST] = 0.1,
                                      [SL_GATER_GUMBEL] = 0.01,
                                      [SL_GATER_CONCRETE] = 0.01 };
  SlGaterKind         kind = sl_gates_unit (s).kind;

  if (sl_gates_has_l0 (s))
    return sl_value_of (&s->base, P_L0_WEIGHT);
  return sl_gater_has_term (kind) ? published[kind] * sl_value_of (&s->base, P_WEIGHT) : 0.0;
}

double
sl_gates_factor (const SlGatesLab *s)
{
  return (sl_gates_unit (s).kind == SL_GATER_SBN ? 0.01 : 1.0) * sl_value_of (&s->base, P_FACTOR);
}

static SlStatus
shape (SlLabState *state)
{
  SlGatesLab *s = sl_gates_lab (state);
  size_t      units = sl_count_of (state, P_UNITS);

  s->layers = (unsigned) sl_count_of (state, P_LAYERS);
  s->top = &s->layer[s->layers - 1];
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      sl_gater_shape (&l->gater, l == s->layer ? state->dataset->features : units,
                      sl_count_of (state, P_HIDDEN), units,
                      l == s->top ? state->dataset->classes : 0);
      s->all.n += l->gater.n;
    }
  return SL_SUCCESS;
}

/* One block for all layers. */
static void
carve_weights (SlGatesLab *s)
{
  size_t at = 0;

  sl_gater_carve (&s->all, &s->base.kept, &s->base.scratch);
  for (SlGatesLayer *l = s->layer; s->all.weights != NULL && l <= s->top; l++)
    {
      l->gater.weights = s->all.weights + at;
      l->gater.velocity = s->all.velocity + at;
      l->gater.gradient = s->all.gradient + at;
      at += l->gater.n;
    }
}

static void
carve_layer (SlGatesLab *s, SlGatesLayer *l)
{
  SlArena *kept = &s->base.kept, *scratch = &s->base.scratch;
  size_t   units = l->gater.units;

  l->rate = sl_arena_reals (kept, units);
  l->over = sl_arena_reals (kept, units);
  l->under = sl_arena_reals (kept, units);
  if (l > s->layer)
    l->lambda = sl_arena_carve (kept, 1, sizeof *l->lambda);
  sl_gater_tape_carve (&l->tape, &l->gater, MOST_BATCH, l > s->layer ? &l[-1].tape : NULL, scratch);
  l->baseline = sl_arena_reals (scratch, units);
  l->pull = sl_arena_reals (scratch, units);
  l->frozen = sl_arena_reals (scratch, MOST_BATCH * units);
}

static void
carve (SlLabState *state)
{
  SlGatesLab *s = sl_gates_lab (state);
  SlArena    *kept = &state->kept, *scratch = &state->scratch;
  size_t      units = s->top->gater.units;

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  carve_weights (s);
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    carve_layer (s, l);
  sl_batches_carve (&state->batches, state->dataset, kept);
  s->mean = sl_arena_reals (scratch, units);
  s->values = sl_arena_reals (scratch, MOST_BATCH * units);
  s->held_loss = sl_arena_reals (scratch, MOST_BATCH);
  s->label = sl_arena_carve (scratch, MOST_BATCH, 1);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlGatesLab *s = sl_gates_lab (state);
  SlRng       rng;

  state->weights = (SlSpan) { s->all.weights, s->all.n };
  sl_rng_init (&rng, seed, "init");
  s->layer[0].lambda = &s->now->lambda;
  for (SlGatesLayer *l = s->layer; l <= s->top; l++)
    {
      sl_gater_init (&l->gater, sl_gates_unit (s).kind, &rng);
      for (size_t i = 0; i < l->gater.units; i++)
        l->over[i] = l->under[i] = SL_GATER_START;
      *l->lambda = sl_value_of (state, P_L1_START);
    }
  sl_rng_init (&s->now->draws.shift, seed, "gate noise");
  sl_rng_init (&s->now->draws.uniform, seed, "gate draws");
  return SL_SUCCESS;
}

static SlStatus
restored (SlLabState *state)
{
  sl_gates_lab (state)->has_threshold = false;
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  sl_gates_lab (state)->has_threshold = false;
  state->now.report = true;
  /* What it costs should show at once, not at the next evaluation. */
  state->now.evaluate = state->now.evaluate || param == P_DENSITY || param == P_USE;
  return SL_SUCCESS;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlGatesLab     *s = sl_gates_lab (state);
  size_t          batch = sl_count_of (state, P_BATCH), errors;
  bool            report = sl_report_due (state, P_REPORT);
  double          loss, term;
  SlGaterLearning learning = {
    .rate
    = (sl_real) (sl_value_of (state, P_RATE) * sl_scheduled (state, P_SCHEDULE, P_SCHEDULE_EPOCHS)),
    .factor = (sl_real) sl_gates_factor (s),
    .momentum = (sl_real) sl_value_of (state, P_MOMENTUM),
    .most = (sl_real) sl_value_of (state, P_MAX_NORM),
  };

  loss = sl_gates_draw_and_run (s, batch, &errors);
  state->now.t++;
  if (!isfinite (loss))
    return sl_diverged (loss);
  term = sl_gates_learn (s, batch, &learning);
  sl_gates_follow (s, batch);
  s->has_threshold = false;

  sl_count_batch (state, batch, loss, errors, sl_gates_step_macs (s, batch));
  s->now->term += term * (double) batch;
  state->now.report = false;
  if (report)
    sl_gates_report (s, batch, sink);
  if (sl_evaluation_due (state, P_EVALUATE))
    sl_gates_report_validation (s, sink);
  return SL_SUCCESS;
}

/* What score() tells. */
static const SlScore score_names[] = {
  { "error", SL_MARK ("error"), "%", 0 },
  { "loss", SL_MARK ("cross entropy"), "nats", 0 },
  { "density", SL_MARK ("gates on"), "%", 0 },
  { "cost", SL_MARK ("cost with the gater"), "% of dense", 0 },
  { "cost-bare", SL_MARK ("cost without the gater"), "% of dense", 0 },
  { "error-threshold", SL_MARK ("error, optimised threshold"), "%", 0 },
  { "density-threshold", SL_MARK ("gates on, optimised threshold"), "%", 0 },
  { "error-half", SL_MARK ("error, on above one half"), "%", 0 },
  { "density-half", SL_MARK ("gates on, on above one half"), "%", 0 },
  { "error-sampled", SL_MARK ("error, gates drawn"), "%", 0 },
  { "density-sampled", SL_MARK ("gates on, gates drawn"), "%", 0 },
  { 0 },
};

/* The same network with its gates used in each of the three ways. */
static void
score_uses (SlGatesLab *s, SlSplit split, SlScore *scores, unsigned *n)
{
  static const char *const errors[N_USES] = {
    [USE_THRESHOLD] = "error-threshold",
    [USE_HALF] = "error-half",
    [USE_SAMPLED] = "error-sampled",
  };
  static const char *const densities[N_USES] = {
    [USE_THRESHOLD] = "density-threshold",
    [USE_HALF] = "density-half",
    [USE_SAMPLED] = "density-sampled",
  };
  size_t first = sl_dataset_first (s->base.dataset, split);

  for (unsigned use = 0; use < N_USES; use++)
    {
      SlGatesEvaluation all
        = sl_gates_evaluate_as (s, (SlGatesUse) use, first, s->base.dataset->n[split]);

      scores[(*n)++] = sl_score (score_names, errors[use], all.error);
      scores[(*n)++] = sl_score (score_names, densities[use], 100.0 * all.density);
    }
}

static void
score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlGatesLab       *s = sl_gates_lab (state);
  SlGatesEvaluation all
    = sl_gates_evaluate (s, sl_dataset_first (state->dataset, split), state->dataset->n[split]);

  scores[(*n)++] = sl_score (score_names, "error", all.error);
  scores[(*n)++] = sl_score (score_names, "loss", all.loss);
  scores[(*n)++] = sl_score (score_names, "density", 100.0 * all.density);
  scores[(*n)++] = sl_score (score_names, "cost", sl_gates_cost (s, all.layer, true));
  scores[(*n)++] = sl_score (score_names, "cost-bare", sl_gates_cost (s, all.layer, false));
  if (sl_gater_has_threshold (sl_gates_unit (s).kind))
    score_uses (s, split, scores, n);
}

#define SMALL "experts=12 gater-hidden=6 report-every=1 evaluate-every=7 "

/* clang-format off */
const SlLab sl_lab_stochastic_gates = {
  .id = "stochastic-gates", .title = "Stochastic gates",
  .summary = "A second network, the gater, draws which units are computed. It learns from estimates of the "
             "gradient through these draws.",
  .reference = "Bengio, Léonard and Courville 2013, arXiv 1308.3432, and its supplement",
  .params = sl_gates_params, .n_params = N_PARAMS, .panels = sl_gates_panels, .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive density error rates map",
    .knobs = "target-density gate use sparsity-weight learning-rate",
  },
 
  .data = SL_NEEDS_LABELS, .best = "error.valid", .error = "error",
  .valid = "error.valid",
  .clock = &sl_gates_passes,
  .state_bytes = sizeof (SlGatesLab), .state_version = 2, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_gates_probes, .map = sl_gates_map,
  .score = score, .scores = score_names, .freeze = sl_gates_freeze, .objective = sl_gates_objective, .restored = restored,
  .overview = &(const SlSummary) {
    .idea = "Gates on", .panel = "density", .traces = "target train valid",
    .words = "{density.train:1:5} % (aim {density.target:1} %)",
    .expected = "cost.expected", .executed = "cost.executed", .error = "error.valid",
    .settings = "experts=400 gater-hidden=32 report-every=5 evaluate-every=25 "
                "evaluate-examples=300" },
  SL_SWEEPS (
    { .id = "density", .title = "Sweep density",
      .help = "Error against remaining multiplications.",
      .axes = "target-density=0.05,0.1,0.2,0.4", .seeds = "1-3", .steps = 600 },
    { .id = "equal-cost", .title = "Gates at equal cost",
      .help = "Every gate at three densities: error against executed multiplications.",
      .axes = "gate=noisy-rectifier,sts,sbn,straight-through,gumbel,hard-concrete "
              "target-density=0.05,0.1,0.2",
      .settings = "experts=400 gater-hidden=80 batch=100", .seeds = "1-3", .steps = 1000 },
    { .id = "beta", .title = "β of the noise",
      .help = "The supplement's values of β: narrow noise hardly pushes gates towards a decision, wide noise drowns "
              "them.",
      .axes = "beta=1.1,2.6,5.1,10.1,20.1,40.1,80.1,160.1",
      .settings = "gate=sts experts=400 gater-hidden=80 batch=32 momentum=0.5", .seeds = "1-3",
      .steps = 1500 },
    { .id = "gater-rate", .title = "Gater learning rate",
      .help = "The gater's learning rate for binary neurons, from a thousandth of the experts' rate to all of it.",
      .axes = "gater-rate=0.1,1,10,100",
      .settings = "gate=sbn experts=400 gater-hidden=80 batch=32 sparsity-weight=0.1", .seeds = "1-3",
      .steps = 1500 },
    { .id = "max-norm", .title = "Maximum norm",
      .help = "Bounds on the weights; the supplement found 2 best in most cases.",
      .axes = "max-norm=0,1,2,4",
      .settings = "gate=straight-through experts=400 gater-hidden=80 batch=32", .seeds = "1-3",
      .steps = 1500 },
    { .id = "momentum", .title = "Momentum by gate",
      .help = "The supplement found momentum harmful for binary neurons and of little effect on most others.",
      .axes = "gate=noisy-rectifier,sts,sbn,straight-through momentum=0,0.5,0.9",
      .settings = "experts=400 gater-hidden=80 batch=32", .seeds = "1-2", .steps = 1000 }),
  SL_PRESETS (
    { "paper", "As in the paper",
      .help = "Sizes and training of the supplement.",
      .settings = "experts=2000 gater-hidden=400 target-density=0.1 batch=32 learning-rate=0.1 "
                  "gater-rate=1 momentum=0 max-norm=2" },
    { "quick", "Quick",
      .help = "A small network: the curves move within seconds.",
      .settings = "experts=400 gater-hidden=32" },
    { "gumbel", "Gumbel-sigmoid, annealed",
      .help = "Hard gates with the gradient of a soft one.",
      .settings = "gate=gumbel experts=400 gater-hidden=80 batch=100 temperature-half=1000" },
    { "hard-concrete", "Hard concrete",
      .help = "Gates that can be exactly 0 in training. A term of the loss moves their expected number to the density.",
      .settings = "gate=hard-concrete experts=400 gater-hidden=80 batch=100",
      .holds = SL_NAMES ("400", "density.expected < 20", "density.expected < density.expected@50 / 2") },
    { "stacked", "Two layers",
      .help = "The upper layer has a threshold of its own and learns from what the lower one lets through, here "
              "about as well as one layer.",
      .settings = "layers=2 experts=200 gater-hidden=40 batch=100 learning-rate=0.05",
      .holds = SL_NAMES ("400", "error.valid < 40", "density.valid > 8", "density.valid < 12") },
    { "collapse", "Make it collapse",
      .help = "The density term outweighs the error: every gate is on equally often for every input.",
      .settings = "experts=400 gater-hidden=32 sparsity-weight=1000",
      .holds = SL_NAMES ("300", "error.valid > 80") }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("loss.train", "learning-rate gater-rate"),
    { .id = "off", .channel = "density.train", .than = "density.target", .begins = 0.1,
      .ends = 0.4, .words = "Nearly all gates are off in training.",
      .knobs = "sparsity-weight gater-rate learning-rate" },
    { .id = "dead", .channel = "density.dead", .begins = 95, .ends = 80,
      .words = "Nearly all units are never on.",
      .knobs = "target-density sparsity-weight gater-rate nudge" }),
  .gone = SL_NAMES ("stretch", "beta-concrete"),
  .readings = SL_NAMES (
    "Reading: eq. 3 prints h = 1[z > σ (a)], which contradicts its own proof; z < σ (a) is used.",
    "Reading: proposition 2 prints P (h > 0) = σ (a) for smooth times stochastic gates; it is √σ (a). The "
    "density term is applied to √p.",
    "Reading: the printed density term leaves out the entropy, a constant, so it is no divergence.",
    "Reading: the supplement gives no test error of gates drawn or on above one half; drawn gates have the noise of "
    "training.",
    "Convention: the L0 term is λ times a mean over batch and units, not a sum.",
    "Ours: hard concrete gates depend on the input; the paper has one for each group of weights.",
    "Ours: stacked layers, which the supplement names and does not try. Each has its own density term and a "
    "threshold found with the layers below in use; an upper layer passes on the gradients of its experts and its "
    "gater.",
    "Reading: β is left out in use, as in the paper and the authors' code.",
    "Open: \"noisy rectifiers better than plain\" holds for the published validation error (1.52 against "
    "1.66), not the test error (1.87 against 1.60)."),
  SL_TRIALS (
    { "moons:points=300", SMALL "gate=straight-through batch=16" },
    { "moons:points=300",
      SMALL "gate=straight-through batch=16 slope=yes momentum=0.5 max-norm=0.5" },
    { "moons:points=300", SMALL "gate=rectifier batch=20 controller-gain=0.3 nudge=0.1" },
    { "moons:points=300", SMALL "gate=noisy-rectifier batch=20 noise-sd=0.5 target-density=0.3" },
    { "moons:points=300", SMALL "gate=noisy-rectifier batch=20 noise=logistic schedule=cosine" },
    { "moons:points=300", SMALL "gate=sts batch=20 target-density=0.4 sparsity-weight=100" },
    { "moons:points=300", SMALL "gate=sts batch=20 beta-noise=code beta=5.1 firing=plain" },
    { "digits:images=600",
      SMALL "gate=sts batch=25 beta-noise=off momentum=0.5 learning-rate=0.01" },
    { "moons:points=300",
      SMALL "gate=sts batch=20 sts-noise-sd=0.5 noise-half=decision target-density=0.4 "
            "sparsity-weight=100 use=sampled" },
    { "moons:points=300",
      SMALL "gate=sts batch=20 sts-noise-sd=0.7 beta-noise=off use=half" },
    { "moons:points=300",
      SMALL "gate=noisy-rectifier batch=20 noise-sd=0.6 noise-acts=factor target-density=0.3" },
    { "digits:images=600",
      SMALL "gate=sbn batch=25 learning-rate=0.01 gater-rate=10 sparsity-weight=0.5 nudge=0.2" },
    { "digits:images=600",
      SMALL "gate=sigmoid batch=25 learning-rate=0.01 noise-sd=0.3 schedule=steps" },
    { "digits:images=600",
      "experts=70 gater-hidden=20 gate=straight-through batch=30 learning-rate=0.01 noise-sd=0 "
      "toy-gates=12 rate-bins=60 max-norm=0" },
    { "digits:images=600", SMALL "gate=gumbel batch=25 learning-rate=0.01 temperature=2 momentum=0.5" },
    { "moons:points=300", SMALL "gate=gumbel batch=16 hard=no temperature=1 temperature-end=0.3 "
                                "temperature-half=5 nudge=0.1" },
    { "moons:points=300", SMALL "gate=hard-concrete batch=20 sparsity-weight=10 target-density=0.3" },
    { "digits:images=600", SMALL "gate=hard-concrete batch=25 learning-rate=0.01 l0-term=published "
                                 "l0-weight=1" },
    { "moons:points=300", SMALL "layers=2 gate=straight-through batch=16 momentum=0.5 max-norm=0.5" },
    { "digits:images=600", SMALL "layers=3 gate=straight-through batch=16 slope=yes learning-rate=0.01 nudge=0.1" },
    { "moons:points=300", SMALL "layers=3 gate=sbn batch=20 gater-rate=10 sparsity-weight=0.5 use=sampled" },
    { "digits:images=600", SMALL "layers=2 gate=sts batch=20 sts-noise-sd=0.5 noise-half=decision learning-rate=0.01" },
    { "moons:points=300", SMALL "layers=3 gate=noisy-rectifier batch=20 noise-sd=0.5 noise-acts=factor target-density=0.3" },
    { "moons:points=300", SMALL "layers=2 gate=sigmoid batch=20 noise-sd=0.3" },
    { "moons:points=300", SMALL "layers=3 gate=gumbel batch=16 target-density=0.4" },
    { "digits:images=600", SMALL "layers=2 gate=gumbel hard=no batch=16 learning-rate=0.01 use=half" },
    { "moons:points=300", SMALL "layers=3 gate=hard-concrete batch=20 sparsity-weight=10 target-density=0.3" }),
};
/* clang-format on */
