/* SPDX-License-Identifier: MIT
 *
 * Lab `selective-execution`: networks that choose their own path (Liu and Deng 2017).  This file
 * has the state and the step; nets.c, draft.c and plan-*.c the architectures, own.c networks of the data, learn.c rewards and losses, exits.c what is
 * taught beside the paths, depths.c blocks whose examples are ranked, evaluate.c the deployed network, reports.c what is published as it
 * trains, probes.c, alive.c and clock.c the panels that need a computation of their own, map.c the
 * view of single inputs, tables.c and panels.c the words.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/params.h"

/* The static nets of the paths with 0, 1, … dear choices. */
static SlStatus
plan_twins (SlSelectiveLab *s, const SlDagFacts *facts)
{
  SlStatus status = sl_selective_list_ways (s, facts);

  s->n_paths = facts->n_controllers + 1;
  s->n_twins = sl_is_on (&s->base, P_TWINS) ? s->n_paths : 0;
  for (unsigned dear = 0; dear < s->n_twins && sl_ok (&status); dear++)
    {
      uint8_t action[SL_DAG_CONTROLLERS] = { 0 };

      for (unsigned c = 0; c < dear && c < facts->n_controllers; c++)
        action[c] = (uint8_t) (facts->n_actions[c] - 1);
      sl_dag_fix (&s->net.plan, facts, action, &s->twin[dear].plan);
      status = sl_dag_check (&s->twin[dear].plan, &s->twin[dear].facts);
      /* A way on which nothing is computed leaves no network to train. */
      if (!sl_ok (&status))
        {
          s->n_twins = 0;
          return SL_SUCCESS;
        }
    }
  return status;
}

/* The class against the rest, and how many examples it has to begin with. */
SlStatus
sl_selective_look_at_task (SlSelectiveLab *s)
{
  size_t positive = sl_count_of (&s->base, P_POSITIVE), n = s->base.dataset->n[SL_TRAIN];

  s->classes = s->base.dataset->classes;
  if (sl_value_of (&s->base, P_TASK) != TASK_ONE)
    return SL_SUCCESS;
  s->classes = 2;
  for (size_t e = 0; e < n; e++)
    s->n_positive += s->base.dataset->label[e] == positive;
  if (s->n_positive > 0)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, "positive",
                        sl_message ("class %zu, of which there is no training example", positive),
                        sl_message ("one of 0 to %u", s->base.dataset->classes - 1));
}

static SlStatus
shape (SlLabState *state)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  SlStatus        status = sl_selective_look_at_task (s);

  s->inputs = state->dataset->features;
  if (sl_ok (&status))
    status = sl_selective_plan (s, &s->net);
  if (sl_ok (&status))
    status = sl_dag_check (&s->net.plan, &s->dag.facts);
  if (s->net.own)
    status = sl_selective_check_own (s, status);
  if (s->net.own && sl_ok (&status))
    sl_selective_place_own (s);
  for (unsigned i = 0; sl_ok (&status) && i < s->net.plan.n_nodes; i++)
    if (s->net.aside[i])
      s->dag.facts.dearest_macs -= s->dag.facts.macs[i];
  return sl_ok (&status) ? plan_twins (s, &s->dag.facts) : status;
}

static void
carve_net (SlSelectiveLab *s, SlDag *dag, SlDagPlan plan)
{
  SlDagFacts facts = dag->facts;

  sl_dag_carve (dag, &plan, &facts, MOST_BATCH, &s->base.kept, &s->base.scratch);
  s->n += dag->n;
}

static void
carve (SlLabState *state)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  SlArena        *kept = &state->kept, *scratch = &state->scratch;
  size_t          begin, most;

  s->n = 0;
  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  carve_net (s, &s->dag, s->net.plan);
  /* The static nets, one after the other in the same scratch. */
  begin = most = scratch->used;
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      scratch->used = begin;
      carve_net (s, &s->twin[i], s->twin[i].plan);
      most = scratch->used > most ? scratch->used : most;
    }
  scratch->used = most;
  s->weights = sl_arena_reals (kept, s->n);
  sl_batches_carve (&state->batches, state->dataset, kept);

  s->gradient = sl_arena_reals (scratch, s->n);
  s->positive = sl_arena_carve (scratch, s->n_positive, sizeof *s->positive);
  s->x = sl_arena_reals (scratch, MOST_BATCH * s->inputs);
  s->label = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->forced = sl_arena_carve (scratch, MOST_CONTROLLERS * MOST_BATCH, 1);
  s->said = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->row = sl_arena_carve (scratch, MOST_BATCH, sizeof *s->row);
  s->cost = sl_arena_carve (scratch, MOST_BATCH, sizeof *s->cost);
  s->reward = sl_arena_carve (scratch, MOST_BATCH, sizeof *s->reward);
  s->path = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->any = sl_arena_carve (scratch, MOST_BATCH, 1);
  s->earned = sl_arena_reals (scratch, MOST_CONTROLLERS * MOST_BATCH * 2);
  s->ahead = sl_arena_reals (scratch, MOST_BATCH);
  s->joint = sl_arena_carve (scratch, MOST_PATHS * s->classes, sizeof *s->joint);
  s->last.joint = sl_arena_carve (scratch, MOST_PATHS * s->classes, sizeof *s->last.joint);
  s->routed = sl_arena_carve (scratch, MOST_CONTROLLERS * s->classes, sizeof *s->routed);
  s->last.routed = sl_arena_carve (scratch, MOST_CONTROLLERS * s->classes, sizeof *s->last.routed);
  sl_selective_carve_thresholds (s);
}

/* Of Adam for the guesses of the rank (ours): at 0.001 they followed their routers too late. */
static const double guess_rate = 0.01;

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlSelectiveLab  *s = sl_selective_lab (state);
  const SlDataset *data = state->dataset;
  size_t           at = s->dag.n, found = 0;
  SlRng            rng;

  state->weights = (SlSpan) { s->weights, s->n };
  sl_rng_init (&rng, seed, "init");
  sl_dag_bind (&s->dag, s->weights, s->gradient);
  sl_dag_init (&s->dag, &rng);
  sl_rng_init (&rng, seed, "static nets");
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      sl_dag_bind (&s->twin[i], s->weights + at, s->gradient + at);
      sl_dag_init (&s->twin[i], &rng);
      at += s->twin[i].n;
    }
  for (uint32_t e = 0; e < data->n[SL_TRAIN] && s->n_positive > 0; e++)
    if (data->label[e] == (uint8_t) sl_value_of (state, P_POSITIVE))
      s->positive[found++] = e;
  for (uint32_t e = 0; e < MOST_BATCH; e++)
    s->row[e] = e;
  s->guess_optim = sl_optim_default ();
  s->guess_optim.rate = (sl_real) guess_rate;
  sl_rng_init (&s->now->explore, seed, "exploration");
  sl_rng_init (&s->now->bags, seed, "bags");
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  bool            changed = before->v[0] != sl_value_of (state, param);

  if (param == P_OPTIMISER && changed)
    {
      sl_dag_clear_moments (&s->dag);
      for (unsigned i = 0; i < s->n_twins; i++)
        sl_dag_clear_moments (&s->twin[i]);
    }
  /* How sure the exits are is known only by this measure, and what a threshold does only at it. */
  if (param == P_CONFIDENCE)
    s->thresholds.n = 0;
  if (s->net.ruled && (param == P_CONFIDENCE || param == P_THRESHOLD))
    {
      s->last.n = 0;
      state->now.evaluate = true;
    }
  if (s->net.ranked && param == P_SHARE)
    {
      s->last.n = 0;
      state->now.evaluate = true;
    }
  /* Measured anew when it is wanted again. */
  if (param == P_COST && changed)
    memset (s->now->seconds, 0, sizeof s->now->seconds);
  state->now.report = true;
  return SL_SUCCESS;
}

static SlOptimSetting
optim_of (const SlLabState *state)
{
  SlOptimSetting optim = sl_optim_default ();

  optim.kind = (SlOptimiser) sl_count_of (state, P_OPTIMISER);
  optim.rate
    = (sl_real) (sl_value_of (state, P_RATE) * sl_scheduled (state, P_SCHEDULE, P_SCHEDULE_EPOCHS));
  return optim;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  size_t          batch = sl_count_of (state, P_BATCH);
  SlOptimSetting  optim = optim_of (state);
  SlSelectiveLoss loss;
  double          total;

  if (sl_value_of (state, P_COST) == COST_TIMED
      && (s->now->seconds[s->dag.facts.output] == 0.0
          || state->now.t - s->now->timed >= TIME_APART))
    sl_selective_time (s);
  sl_selective_draw (s, batch);
  sl_selective_forward_taught (s, batch);
  sl_selective_settle (s, batch, false);
  loss = sl_selective_loss (s, batch, true, &s->now->sums);
  total = loss.classes + loss.controllers;
  state->now.t++;
  if (!isfinite (total))
    return sl_diverged (total);
  sl_selective_teach_guesses (s, batch);
  sl_selective_sum (s, batch, loss);
  state->now.examples += batch;
  state->now.macs += sl_dag_step_macs (&s->dag);
  sl_dag_backward (&s->dag, &optim);
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      total = sl_selective_static_step (s, i, batch, true, &optim);
      state->now.macs += sl_dag_step_macs (&s->twin[i]);
      if (!isfinite (total))
        return sl_diverged (total);
    }
  if (state->now.report || sl_due (state->now.t, sl_value_of (state, P_REPORT)))
    {
      /* What the knobs do to the path shows soon, whenever the next evaluation is. */
      state->now.evaluate |= state->now.report;
      state->now.report = false;
      sl_selective_report (s, sink);
    }
  if (sl_evaluation_due (state, P_EVALUATE))
    sl_selective_report_validation (s, sink);
  return SL_SUCCESS;
}

static void
freeze (SlLabState *state)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  size_t          batch = sl_count_of (state, P_BATCH);

  sl_selective_draw (s, batch);
  sl_selective_forward_taught (s, batch);
  sl_selective_settle (s, batch, false);
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      for (uint32_t k = 0; k < turn->n; k++)
        s->forced[c * MOST_BATCH + turn->row[k]] = turn->action[k];
    }
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlSelectiveLab *s = sl_selective_lab (state);
  size_t          batch = sl_count_of (state, P_BATCH);
  SlSelectiveLoss own;
  double          loss;

  sl_selective_forward_taught (s, batch);
  sl_selective_settle (s, batch, true);
  own = sl_selective_loss (s, batch, gradient != NULL, NULL);
  loss = own.classes + own.controllers;
  if (gradient != NULL)
    sl_dag_backward (&s->dag, NULL);
  for (unsigned i = 0; i < s->n_twins; i++)
    loss += sl_selective_static_step (s, i, batch, gradient != NULL, NULL);
  if (gradient != NULL)
    memcpy (gradient, s->gradient, s->n * sizeof *gradient);
  return loss;
}

/* What was evaluated last is of another network. */
static SlStatus
restored (SlLabState *state)
{
  sl_selective_lab (state)->last.n = 0;
  sl_selective_lab (state)->thresholds.n = 0;
  return SL_SUCCESS;
}

/* The same stages, with controllers and with thresholds. */
#define STAGES "decisions=2 width=16 "
#define LEARNED                                                                                    \
  STAGES "static-nets=no architecture=cascade every-exit=0.5 rewards=expected explore-for=300 "
#define SURE STAGES "architecture=exits "

/* How the paper trains; its bags have no size there. */
#define PUBLISHED "teach=action-values rewards=taken "
#define IN_BAGS "task=one bag=8 "

/* 283 456 multiplications on the most expensive path, where that of the stages has 283 392. */
#define RANKED "architecture=depths routed-every=1 width=32 high=1008 static-nets=no "

/* clang-format off */
const SlLab sl_lab_selective_execution = {
  .id = "selective-execution", .title = "Selective execution",
  .summary = "Controllers choose which parts of the network run for each example.",
  .reference = "Liu and Deng 2017, arXiv 1701.00299",
  .params = sl_selective_params, .n_params = N_PARAMS, .panels = sl_selective_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive paths error trade map classes depth",
    .knobs = "lambda epsilon controller-weight exit-threshold share architecture learning-rate",
  },
  .data = SL_NEEDS_LABELS, .best = "error.valid", .error = "error",
  .valid = "error.valid",
  .baseline = (const SlBaseline[]) {
    { SL_MARK ("one way for every example"), "static-error-", "static-cost-" }, { NULL } },
  .clock = &sl_selective_passes,
  .parts = &(const SlLabParts) {
    .prefix = "way-", .one = SL_MARK ("way"), .title = SL_MARK ("Examples on each way"), .label = SL_MARK ("share of the examples"),
    .source = "Liu and Deng 2017, figure 4" },
  .costs = &(const SlCosts) { .expected = "cost.expected", .executed = "cost.executed" },
  .state_bytes = sizeof (SlSelectiveLab), .state_version = 4, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .network = sl_selective_write_network,
  .check_network = sl_selective_check_network, .probes = sl_selective_probes, .map = sl_selective_map,
  .score = sl_selective_score, .scores = sl_selective_score_names, .freeze = freeze, .objective = objective,
  .restored = restored,
  SL_SWEEPS (
    { .id = "lambda", .title = "Sweep λ",
      .help = "Error against cost for each λ, beside static networks.",
      .axes = "lambda=0,0.7,0.85,0.9,0.95,1", .seeds = "1-3", .steps = 3000 },
    { .id = "equal-cost", .title = "Choices at equal cost",
      .help = "Learned controllers, thresholds without training and a mixture of depths: error against executed "
              "multiplications.",
      .axes = "preset=learned-80,learned-90,learned-97,sure-30,sure-60,sure-90,ranked-12,ranked-25,"
              "ranked-50",
      .seeds = "1-3", .steps = 1500 },
    { .id = "figure-2", .title = "Figure 2, published rule",
      .help = "High or low, cascade, chain and both hierarchies: F1 of one class, or accuracy of hierarchies, "
              "against cost.",
      .axes = "preset=figure-2a,figure-2b,figure-2c,figure-2d,figure-2d-two lambda=0,0.9,0.95,0.98,1",
      .seeds = "1", .steps = 1500 }),
  SL_PRESETS (
    { "paper", "As in the paper",
      .help = "Convolutional modules and F1 in bags, as the published networks for faces.",
      .settings = "modules=convolutional task=one bag=32 batch=128 architecture=high-low" },
    { "quick", "Quick",
      .help = "A smaller expensive branch: the examples divide within seconds.",
      .settings = "high=64 explore-for=300 static-nets=no",
      .holds = SL_NAMES ("600", "paths.path-1 > 1", "paths.path-2 > 3") },
    { "sure-60", "Leave when sure",
      .help = "Three exits without controllers.",
      .settings = SURE "exit-threshold=0.6" },
    { "ranked-25", "Mixture of depths",
      .help = "Four residual blocks that each compute a quarter of a batch.",
      .settings = RANKED "share=0.25" },
    { "collapse", "Make it collapse",
      .help = "Only low cost counts: nearly every example takes the cheap path.",
      .settings = "lambda=0 explore-for=300",
      .holds = SL_NAMES ("350", "paths.path-1 > 90") }),
  SL_ROWS (
    { "learned-80", "Leave as learned, λ = 0.8", .settings = LEARNED "lambda=0.8" },
    { "learned-90", "Leave as learned, λ = 0.9", .settings = LEARNED "lambda=0.9" },
    { "learned-97", "Leave as learned, λ = 0.97", .settings = LEARNED "lambda=0.97" },
    { "sure-30", "Leave when sure, threshold 0.3", .settings = SURE "exit-threshold=0.3" },
    { "sure-90", "Leave when sure, threshold 0.9", .settings = SURE "exit-threshold=0.9" },
    { "ranked-12", "Mixture of depths, share 0.125", .settings = RANKED "share=0.125" },
    { "ranked-50", "Mixture of depths, share 0.5", .settings = RANKED "share=0.5" },
    { "figure-1-left", "Figure 1, left", .settings = "architecture=figure-1-left lambda=0.97" },
    { "figure-1-right", "Figure 1, right", .settings = "architecture=figure-1-right" },
    { "figure-2a", "Figure 2 (a), high or low",
      .settings = PUBLISHED IN_BAGS "architecture=high-low" },
    { "figure-2b", "Figure 2 (b), cascade",
      .settings = PUBLISHED IN_BAGS "architecture=cascade width=64" },
    { "figure-2c", "Figure 2 (c), chain",
      .settings = PUBLISHED IN_BAGS "architecture=chain links=either width=64" },
    { "figure-2d", "Figure 2 (d), hierarchy of three levels",
      .settings = PUBLISHED "architecture=hierarchy levels=3" },
    { "figure-2d-two", "Hierarchy of two levels", .settings = PUBLISHED "architecture=hierarchy" }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("loss.classes", "learning-rate")),
  .gone = SL_NAMES ("doubt", "plan"),
  .readings = SL_NAMES (
    "Reading: efficiency is the inverse of the cost and its negative; the reward here is λ A − (1 − λ) cost.",
    "Reading: costs are a share of the regular nodes on the most expensive path.",
    "Reading: the loss of a bag is divided by its size.",
    "Convention: F1, precision and recall are 1 where the divisor is 0; each training bag has an example of the "
    "class.",
    "Ours: below a least exploration of 0.05, branches that are never chosen grow worse.",
    "Ours: branches of the hierarchy are kinds of clothes for Fashion-MNIST, else parts of the classes in order.",
    "Convention: one threshold for all exits; BranchyNet has one each.",
    "Ours: in a mixture of depths the predictor passes no gradient on. Router and predictor are counted like "
    "controllers.",
    "Open: the published curves use data that are not available; only their shape can be compared."),
  /* λ is that with which no rectifier turns within a step of the gradient check. */
  SL_TRIALS (
    { "moons:points=300",
      "batch=32 width=16 low=3 high=12 controller=5 explore-for=20 report-every=1 evaluate-every=7 "
      "lambda=0.9" },
    { "digits:images=600",
      "batch=30 low=6 high=20 controller=6 schedule=cosine schedule-epochs=4 every-exit=0.4 "
      "rewards=every lambda=0.9" },
    { "digits:images=600",
      "architecture=cascade batch=30 low=5 high=14 width=7 controller=4 controller-layers=2 "
      "every-exit=1 lambda=0.9" },
    { "digits:images=600",
      "architecture=cascade decisions=2 batch=30 low=5 high=14 width=7 controller=4 every-exit=0.5 "
      "rewards=expected epsilon=0.2 lambda=0.9" },
    { "digits:images=600",
      "architecture=chain decisions=2 batch=30 low=4 high=9 width=8 controller=4 "
      "optimiser=momentum learning-rate=0.01 lambda=0.9" },
    { "digits:images=600",
      "architecture=hierarchy batch=30 low=5 high=16 width=8 controller=4 static-nets=no "
      "lambda=0.9" },
    { "digits:images=600",
      "architecture=chain links=either decisions=3 batch=30 low=4 high=9 width=8 controller=4 "
      "task=one positive=2 measure=recall bag=10 teach=action-values lambda=0.9" },
    { "digits:images=600",
      "architecture=hierarchy levels=3 batch=30 low=5 high=24 width=8 controller=4 lambda=0.9" },
    { "digits:images=600",
      "modules=convolutional channels=2 batch=12 low=6 high=10 controller=4 lambda=0.9" },
    { "digits:images=600",
      "task=one positive=3 bag=15 batch=40 low=6 high=14 controller=5 lambda=0.95" },
    { "moons:points=300",
      "architecture=cascade decisions=4 teach=action-values batch=25 low=4 high=9 width=5 "
      "controller=4 optimiser=sgd learning-rate=0.05 lambda=0.9" },
    { "digits:images=600",
      "architecture=cascade modules=convolutional decisions=2 channels=2 batch=12 bag=6 low=5 "
      "high=8 controller=4 controller-weight=0.5 epsilon=0.2 lambda=0.9" },
    { "digits:images=600",
      "architecture=exits decisions=2 batch=30 low=5 high=14 width=7 exit-threshold=0.3" },
    { "moons:points=300",
      "architecture=exits decisions=4 batch=25 low=4 high=9 width=5 confidence=entropy exit-threshold=0.5 "
      "promise=errors bound=hoeffding tolerance=0.1" },
    { "digits:images=600", "architecture=figure-1-right batch=30 lambda=0.9" },
    { "digits:images=600",
      "architecture=exits modules=convolutional decisions=1 channels=2 batch=12 low=5 high=8 "
      "confidence=top static-nets=no task=one positive=2 measure=precision" },
    { "digits:images=600", "architecture=depths batch=30 width=7 high=9 share=0.3 evaluate-every=7" },
    { "moons:points=300",
      "architecture=depths blocks=8 routed-every=1 weight=sigmoid batch=25 width=5 high=6 share=0.5 "
      "static-nets=no optimiser=sgd learning-rate=0.05" },
    { "digits:images=600",
      "architecture=depths modules=convolutional blocks=2 routed-every=3 batch=20 width=6 high=8" }),
};
/* clang-format on */
