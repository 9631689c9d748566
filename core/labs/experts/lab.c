/* SPDX-License-Identifier: MIT
 *
 * Lab `experts`: a sparsely-gated mixture of experts (Shazeer et al. 2017), and what keeps its load
 * even.  This file has the state and the step, net.c the network; reports.c what is published as it
 * trains, map.c the view of single inputs, probes.c and speed.c the panels that need a computation
 * of their own, tables.c and panels.c the words.  */
#include "core/labs/experts/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/dropout.h"

static void
carve (SlLabState *state)
{
  SlExpertsLab *s = sl_experts_lab (state);
  SlArena      *kept = &state->kept, *scratch = &state->scratch;
  size_t        middle = MOST_BATCH * s->width, ends = MOST_BATCH * s->outputs;

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  sl_moe_carve (&s->moe, &s->shape, kept, scratch);
  sl_experts_nets_carve (s, kept, scratch);
  sl_batches_carve (&state->batches, state->dataset, kept);
  sl_experts_choices_carve (s, kept, scratch);
  if (s->shape.own != NULL)
    sl_batches_carve (&s->began, state->dataset, scratch);

  s->x = sl_arena_reals (scratch, MOST_BATCH * s->inputs);
  s->logits = sl_arena_reals (scratch, ends);
  s->dlogits = sl_arena_reals (scratch, ends);
  s->h = sl_arena_reals (scratch, middle);
  s->y = sl_arena_reals (scratch, middle);
  s->mixed = sl_arena_reals (scratch, middle);
  s->dmixed = sl_arena_reals (scratch, middle);
  s->dh = sl_arena_reals (scratch, middle);
  s->mask = sl_arena_carve (scratch, middle, 1);
  s->label = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->margin = sl_arena_reals (scratch, 2 * MOST_BATCH);
  s->set = sl_arena_carve (scratch, 2 * MOST_BATCH, sizeof *s->set);
  s->joint = sl_arena_carve (scratch, s->shape.experts * state->dataset->classes, sizeof *s->joint);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlExpertsLab *s = sl_experts_lab (state);

  state->weights = (SlSpan) { s->weights, s->n };
  sl_experts_nets_init (s, seed);
  sl_rng_init (&s->now->noise, seed, "gate noise");
  sl_rng_init (&s->now->dropout, seed, "dropout");
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlExpertsLab *s = sl_experts_lab (state);

  if (param == P_OPTIMISER && before->v[0] != sl_value_of (state, param))
    {
      sl_moe_clear_moments (&s->moe);
      sl_experts_nets_clear_moments (s);
    }
  if (param == P_EXPERT)
    return SL_SUCCESS; /* who is looked at changes no curve */
  /* With other experts per example the network is another one from the next update on. */
  if (param == P_K || param == P_P || param == P_K_GROUPS || param == P_BASELINES)
    state->now.evaluate = true;
  state->now.report = true;
  return SL_SUCCESS;
}

/* Draws a batch, the noise of its gates and its dropout, and notes where that began. */
static void
draw (SlExpertsLab *s, size_t batch)
{
  if (s->shape.own != NULL)
    {
      sl_batches_copy (&s->base.batches, batch, &s->began);
      s->counted = s->base.now;
      s->moved = *s->now;
    }
  sl_batches_next (&s->base.batches, s->base.dataset, batch, s->x, s->label);
  if (sl_is_on (&s->base, P_NOISE) && s->moe.shape.gate == SL_MOE_NOISY)
    sl_moe_draw (&s->moe, batch, &s->now->noise);
  if (s->width > 0 && sl_value_of (&s->base, P_DROPOUT) > 0.0)
    sl_dropout_draw (&s->now->dropout, sl_value_of (&s->base, P_DROPOUT), batch * s->width,
                     s->mask);
}

SlOptimSetting
sl_experts_optim (const SlExpertsLab *s)
{
  static const SlMixtureOptimParams params = { P_OPTIMISER, P_RATE, P_SCHEDULE, P_WARM_UP, P_FLAT };

  return sl_mixture_optim (&s->base, &params);
}

/* Leaves in s->set what the first few examples of the batch would choose without the noise that
 * they are about to get.  Returns how many; 0 when there is no noise.  */
static size_t
run_without_noise (SlExpertsLab *s, size_t batch)
{
  size_t n = batch < WATCHED ? batch : WATCHED;

  if (!sl_is_on (&s->base, P_NOISE) || s->moe.shape.gate != SL_MOE_NOISY)
    return 0;
  sl_experts_net_forward (s, NET_MIXTURE, n, false, false);
  sl_mixture_sets (&s->moe.dispatch, n, s->set);
  return n;
}

/* Share of those examples that chose the same with the noise. */
static double
same_with_noise (SlExpertsLab *s, size_t n, size_t batch)
{
  uint64_t *noisy = s->set + MOST_BATCH;
  size_t    same = 0;

  if (n == 0)
    return NAN;
  sl_mixture_sets (&s->moe.dispatch, batch, noisy);
  for (size_t e = 0; e < n; e++)
    same += s->set[e] == noisy[e];
  return (double) same / (double) n;
}

/* The same step of the dense baselines, on the same batch with the same dropout; its multiplications are
 * not those of the run.  */
static SlStatus
step_baselines (SlExpertsLab *s, size_t batch, const SlOptimSetting *optim)
{
  for (unsigned net = 1; net < sl_experts_learning (s); net++)
    {
      size_t errors;
      double loss;

      s->now->moments[s->net[net].role]++;
      sl_experts_net_forward (s, net, batch, true, false);
      loss = sl_experts_loss (s, batch, true, &errors);
      if (!isfinite (loss))
        return sl_diverged (loss);
      sl_experts_net_backward (s, net, batch, optim);
    }
  return SL_SUCCESS;
}

/* Takes an update back whose gate failed; weights and moments have not changed. */
static SlStatus
take_back (SlExpertsLab *s, size_t batch)
{
  sl_batches_copy (&s->began, batch, &s->base.batches);
  s->base.now = s->counted;
  *s->now = s->moved;
  return sl_own_take (&s->base.own);
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlExpertsLab  *s = sl_experts_lab (state);
  size_t         batch = sl_count_of (state, P_BATCH), errors, watched = 0;
  SlOptimSetting optim = sl_experts_optim (s);
  bool           report = sl_report_due (state, P_REPORT);
  double         loss, total, same = NAN;
  SlStatus       status, failure;

  draw (s, batch);
  if (report)
    watched = run_without_noise (s, batch);
  sl_experts_net_forward (s, NET_MIXTURE, batch, true, false);
  if (!sl_ok (&state->own.failure) && s->moe.balance.not_finite == 0)
    return take_back (s, batch);
  loss = sl_experts_loss (s, batch, true, &errors);
  total = loss + sl_mixture_loss (&s->moe);
  state->now.t++;
  s->now->moments[NET_MIXTURE]++;
  if (s->moe.balance.not_finite > 0)
    {
      sl_own_take (&state->own); /* a gate need not bear such logits */
      return sl_mixture_not_finite (s->moe.balance.not_finite);
    }
  if (!isfinite (total))
    return sl_diverged (total);
  if (report)
    same = same_with_noise (s, watched, batch);
  sl_count_batch (state, batch, loss, errors, sl_experts_step_macs (s, batch));
  sl_mixture_sum (&s->now->sums, &s->moe);
  sl_experts_sum_choices (s);
  if (!sl_experts_net_backward (s, NET_MIXTURE, batch, &optim))
    return take_back (s, batch);
  status = step_baselines (s, batch, &optim);
  state->now.report = false;
  if (report)
    sl_experts_report (s, same, sink);
  if (sl_evaluation_due (state, P_EVALUATE))
    sl_experts_report_validation (s, sink);
  failure = sl_own_take (&state->own);
  return sl_ok (&status) ? failure : status;
}

static void
freeze (SlLabState *state)
{
  size_t batch = sl_count_of (state, P_BATCH);

  draw (sl_experts_lab (state), batch);
  sl_experts_net_forward (sl_experts_lab (state), NET_MIXTURE, batch, true, false);
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlExpertsLab *s = sl_experts_lab (state);
  size_t        batch = sl_count_of (state, P_BATCH), errors;
  double        loss = 0.0;
  double        balance = 0.0;

  if (gradient != NULL)
    memset (s->gradient, 0, s->n * sizeof *s->gradient);
  for (unsigned net = 0; net < sl_experts_learning (s); net++)
    {
      sl_experts_net_forward (s, net, batch, true, true);
      loss += sl_experts_loss (s, batch, true, &errors);
      if (net == NET_MIXTURE)
        balance = sl_mixture_loss (&s->moe);
      if (gradient != NULL)
        sl_experts_net_backward (s, net, batch, NULL);
    }
  if (gradient != NULL)
    memcpy (gradient, s->gradient, s->n * sizeof *gradient);
  return loss + balance;
}

static unsigned
blobs (SlLabState *state, SlBlob *blob)
{
  SlExpertsLab *s = sl_experts_lab (state);

  *blob = (SlBlob) { "updates of the gates", &s->moe.updates, sizeof s->moe.updates };
  return 1;
}

/* What a way to balance does, and what it costs: panels that its presets pin. */
#define BALANCE "violation error usage dropped bias"

/* clang-format off */
const SlLab sl_lab_experts = {
  .id = "experts", .title = "Experts",
  .summary = "A gate sends each example to a few of many small networks. Without balancing, the same few "
          "can get nearly all examples.",
  .reference = "Shazeer et al. 2017, arXiv 1701.06538",
  .params = sl_experts_params, .n_params = N_PARAMS, .panels = sl_experts_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive active cv usage error map classes",
    .knobs = "gate k p experts w-importance w-load w-balance bias-rate gate-rate learning-rate",
  },
  .data = SL_NEEDS_LABELS, .best = "error.valid", .error = "error",
  .valid = "error.valid",
  .baseline = (const SlBaseline[]) {
    { SL_MARK ("baseline of equal cost"), "error-twin", "cost.twin" }, { NULL } },
  .clock = &sl_experts_passes,
  .state_bytes = sizeof (SlExpertsLab), .state_version = 7, .shape = sl_experts_shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_experts_probes, .map = sl_experts_map,
  .score = sl_experts_score, .scores = sl_experts_score_names, .recording = sl_experts_recording, .freeze = freeze, .objective = objective, .blobs = blobs,
  .overview = &(const SlSummary) {
    .idea = "Expert load", .panel = "cv", .traces = "hard floor collapse",
    .words = "CV {cv.hard:2:10} (chance {cv.floor:2})", .expected = "cost.expected",
    .executed = "cost.executed", .error = "error.valid",
    .settings = "experts=16 k=2 hidden=16 batch=100 report-every=5 evaluate-every=60 "
                "evaluate-examples=300" },
  SL_SWEEPS (
    { .id = "k", .title = "Sweep k",
      .help = "Error against executed multiplications with 1, 2, 4 and 8 experts per example.",
      .axes = "k=1,2,4,8", .seeds = "1-3", .steps = 400 },
    { .id = "experts", .title = "Do experts help?",
      .help = "Error against the number of experts at equal multiplications, beside one wide and one deep expert.",
      .axes = "experts=4,16,64,256", .settings = "baselines=yes",
      .seeds = "1-3", .steps = 1000 },
    { .id = "gates", .title = "Gates at equal cost",
      .help = "Five gates with 1, 2 and 4 experts, beside networks without a gate: error against executed "
              "multiplications.",
      .axes = "gate=noisy,bias,switch,expert-choice,relu k=1,2,4", .settings = "twin=wide", .seeds = "1-3", .steps = 700 }),
  SL_PRESETS (
    { "pays", "Do experts help?",
      .help = "Many experts beside one wide and one deep expert with as many multiplications.",
      .settings = "experts=32 k=4 match=4 baselines=yes" },
    { "paper", "As in the paper",
      .help = "32 experts of 1024 units, trained like the language models.",
      .settings = "experts=32 k=4 match=4 hidden=1024 embedding=512 residual=yes sigmoid=yes "
                  "dropout=0.1 w-importance=0.1 w-load=0.1 schedule=inverse-root warm-up=1000 "
                  "batch=1024" },
    { "quick", "Quick",
      .help = "A small network: the curves move within seconds.",
      .settings = "experts=8 hidden=16 batch=100",
      .holds = SL_NAMES ("200", "cv.hard < cv.collapse / 2", "effective.used > 5") },
    { "collapse", "Make it collapse",
      .help = "Nothing rewards balance: a few experts soon do nearly everything.",
      .settings = "w-importance=0 w-load=0 noise=no", .panels = BALANCE,
      .holds = SL_NAMES ("300", "effective.effective < 4") },
    { "collapse-bias", "Collapse, then mend it",
      .help = "One or two experts take nearly every example. Set the bias rule to Sign while it runs, and the "
              "others return.",
      .settings = "gate=bias bias-rule=off bias-rate=0.01 k=1 values=raw", .panels = BALANCE,
      .holds = SL_NAMES ("300", "effective.effective < 3", "bias-rule=sign 250", "effective.effective > 12",
                         "violation.batch < violation.batch@300 / 2") },
    { "mend-loss", "Balanced by a loss",
      .help = "Switch: an uneven load costs, and each expert has a capacity.",
      .settings = "gate=switch", .panels = BALANCE,
      .holds = SL_NAMES ("300", "violation.batch < 1", "dropped.dropped > 0") },
    { "mend-bias", "Balanced by a bias",
      .help = "A bias follows the counts of each batch: it changes choices, not gate values.",
      .settings = "gate=bias", .panels = BALANCE,
      .holds = SL_NAMES ("400", "violation.batch < 1") },
    { "mend-choice", "Balanced by expert choice",
      .help = "Experts choose examples: every batch is even, and an example gets one expert, several or none.",
      .settings = "gate=expert-choice", .panels = BALANCE,
      .holds = SL_NAMES ("100", "violation.batch <= 0", "per-example.share.1 > 20", "per-example.share.3 > 10") },
    { "relu", "As many experts as needed",
      .help = "A rectifier switches experts on and off; a penalty leads to about two per example.",
      .settings = "gate=relu gate-rate=0.1",
      .holds = SL_NAMES ("600", "cost.executed > 0.5 * cost.expected", "cost.executed < 1.75 * cost.expected") },
    { "groups-bias", "Groups of experts, with a bias",
      .help = "Each example's four experts come from its best two of four groups, as if each group were one "
              "machine. The load is as even as without groups.",
      .settings = "gate=bias groups=4 k=4", .panels = BALANCE,
      .holds = SL_NAMES ("400", "violation.batch < 1", "effective.effective > 12") },
    { "balance-over", "Balanced too late",
      .help = "The balance loss counts the last 32 batches together and learns late of an overload: the load "
              "swings. Set Balance over to 1 while it runs, and it becomes even.",
      .settings = "gate=switch w-balance=1 balance-over=32", .panels = BALANCE,
      .holds = SL_NAMES ("400", "violation.batch > 1.5", "balance-over=1 300",
                         "violation.batch < violation.batch@400 / 2") },
    { "pruning", "Remove experts",
      .help = "See what is lost without some of 32 trained experts. On pictures half can go by saliency at hardly "
              "any cost, at random not; on spirals neither.",
      .settings = "gate=bias experts=32", .panels = "pruning usage error" },
    { "top-p", "More experts where the gate is unsure",
      .help = "Compare right with wrong answers: where the gate is less sure, it takes more experts and is more "
              "often wrong.",
      .settings = "gate=top-p", .panels = "active by-class per-example error",
      .holds = SL_NAMES ("600", "active.wrong > active.right", "active.mean < 5") },
    { "zero", "Experts that compute nothing",
      .help = "Six of 16 experts only pass their input on: look which classes get fewer real ones, while a bias "
              "keeps the mean at the target.",
      .settings = "experts=10 zero=6 zero-kind=identity embedding=32 residual=yes", .panels = "active by-class error cost",
      .holds = SL_NAMES ("600", "active.mean > 1.3", "active.mean < 1.7") },
    { "switch-published", "Switch as published",
      .help = "Capacity factor and loss weight as published.",
      .settings = "gate=switch k=1 w-balance=0.01" }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("loss.task", "learning-rate"),
    { .id = "collapse", .channel = "cv.hard", .than = "cv.collapse", .begins = 0.7, .ends = 0.5,
      .words = "A few experts do nearly everything; the others are dead.",
      .knobs = "w-importance w-load noise w-balance bias-rule bias-rate" },
    { .id = "dropped", .channel = "dropped.dropped", .begins = 25, .ends = 15,
      .words = "A quarter of the choices exceed the experts' capacity.",
      .knobs = "w-balance capacity" },
    { .id = "bias", .channel = "bias-spread.bias", .begins = 1, .ends = 0.9,
      .words = "The biases are further apart than the scores can be: the input no longer affects the choice.",
      .knobs = "bias-rate" }),
  .readings = SL_NAMES (
    "Convention: CV uses the population's standard deviation; the paper does not say which.",
    "Reading: the load of table 6 is the smooth estimate.",
    "Reading: with k = n the threshold is undefined; the load then costs nothing.",
    "Reading: the threshold loss is divided by the batch size.",
    "Reading: the strictly balanced gate takes ⌊k B ÷ n⌋ examples for each expert.",
    "Ours: strictly balanced gates begin with random weights and thresholds of 1/n.",
    "Ours: shared experts add to k; DeepSeekMoE counts them in k.",
    "Reading: published soft mixtures mix the tokens of one image; here, the examples of a batch.",
    "Ours: a soft mixture has ⌊k B ÷ n⌋ slots per expert, at least 1.",
    "Open: the attention functions of appendix G are for translation and not included.",
    "Reading: Switch is published for one expert; with more, capacity fills choice by choice.",
    "Ours: capacity is rounded up. The shares f count choices before dropping.",
    "Ours: the bias moves after its batch's update.",
    "Ours: for single examples of expert choice, thresholds follow the batches.",
    "Reading: an expert that ReLU routing switches off for all examples stays off; nothing published revives it.",
    "Ours: balanced assignment runs eight rounds of Sinkhorn's scaling; single examples choose without it.",
    "Reading: balance over batches counts past updates; published are the parts of one large batch.",
    "Convention: only noisy top-k has noise; Switch's published jitter is left out.",
    "Ours: one bias moves all zero-computation experts; the losses balance the others."),
  SL_TRIALS (
    { "moons:points=300", "experts=4 hidden=6 batch=32 report-every=1 evaluate-every=7" },
    { "digits:images=600",
      "experts=8 k=3 hidden=5 batch=30 schedule=inverse-root warm-up=10 flat=5" },
    { "digits:images=600",
      "experts=12 groups=4 hidden=4 batch=40 w-importance=0.2 w-load=0.3 recompute=yes" },
    { "digits:images=600",
      "gate=balanced experts=6 k=2 hidden=5 batch=30 embedding=9 residual=yes" },
    { "digits:images=600",
      "gate=balanced experts=9 groups=3 k=2 k-groups=2 hidden=4 batch=36 embedding=6" },
    { "moons:points=300",
      "experts=6 hidden=5 batch=40 embedding=7 residual=yes sigmoid=yes dropout=0.2 factored=yes" },
    { "moons:points=300",
      "experts=4 hidden=3 batch=20 embedding=5 residual=yes sigmoid=yes dropout=0.2 baselines=yes "
      "match=3" },
    { "digits:images=600", "experts=4 hidden=3 batch=20 baselines=yes noise=no" },
    { "moons:points=300",
      "experts=3 k=3 hidden=4 batch=20 noise=no optimiser=sgd learning-rate=0.1" },
    { "moons:points=300", "experts=5 k=1 hidden=4 batch=25 w-load=0.5 noise-floor=0.1" },
    { "digits:images=600",
      "experts=6 groups=3 k=1 k-groups=1 hidden=4 batch=20 embedding=8 sigmoid=yes "
      "recompute=yes" },
    { "moons:points=300", "gate=dense experts=4 hidden=3 batch=20 report-every=1 evaluate-every=7" },
    { "digits:images=600", "gate=base experts=5 k=1 hidden=4 batch=23 embedding=6" },
    { "digits:images=600", "gate=base experts=5 k=2 hidden=4 batch=20" },
    { "digits:images=600", "gate=relu experts=6 k=2 hidden=4 batch=20 l1-start=0.1 embedding=6" },
    { "digits:images=600", "gate=expert-choice experts=6 k=2 hidden=4 batch=20 evaluate-every=3" },
    { "digits:images=600",
      "gate=switch experts=6 k=2 hidden=4 batch=20 capacity=1 drop=value w-z=0.1 values=sum" },
    { "moons:points=300", "gate=switch experts=4 k=1 hidden=4 batch=25 capacity=0.7 embedding=5" },
    { "digits:images=600",
      "gate=bias experts=6 k=2 hidden=4 batch=20 bias-rate=0.05 report-every=1 evaluate-every=3" },
    { "digits:images=600",
      "gate=bias experts=3 k=1 split=2 shared=1 hidden=4 batch=20 twin=wide report-every=1 evaluate-every=7" },
    { "moons:points=300",
      "gate=soft experts=5 k=2 hidden=4 batch=21 shared=1 embedding=6 dropout=0.2 twin=deep evaluate-every=3" },
    { "digits:images=600", "gate=soft experts=4 split=2 hidden=6 batch=20 recompute=yes factored=yes" },
    { "moons:points=300",
      "experts=4 groups=2 k=1 split=2 shared=2 hidden=4 batch=20 twin=wide baselines=yes match=1" },
    { "moons:points=300",
      "gate=bias experts=4 k=2 hidden=4 batch=20 score=softmax values=raw bias-rule=proportional "
      "embedding=5" },
    { "digits:images=600",
      "gate=bias experts=6 groups=3 k-groups=2 k=3 split=2 hidden=4 batch=20 report-every=1 evaluate-every=7" },
    { "moons:points=300", "gate=switch experts=5 k=2 hidden=4 batch=20 balance-over=4 embedding=5" },
    { "digits:images=600", "gate=top-p experts=6 p=0.6 w-entropy=0.1 hidden=4 batch=20 report-every=1 evaluate-every=3" },
    { "digits:images=600", "gate=top-p experts=5 p=1 hidden=4 batch=23 embedding=6 shared=1" },
    { "digits:images=600",
      "experts=4 k=2 zero=3 zero-rate=0.05 zero-target=1 hidden=4 batch=20 report-every=1 evaluate-every=3" },
    { "moons:points=300",
      "experts=5 k=3 zero=2 zero-kind=identity embedding=6 residual=yes hidden=4 batch=21 twin=wide recompute=yes" }),
};
/* clang-format on */
