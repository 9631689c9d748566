/* SPDX-License-Identifier: MIT
 *
 * Lab `selective-execution`: networks that choose their own path (Liu and Deng 2017).  This file
 * has the state and the step; selective-execution-nets.c the architectures, -learn.c rewards and
 * losses, -exits.c what is taught beside the paths, -judge.c the deployed network, -reports.c what
 * is published as it trains, -probes.c, -graph.c and -clock.c the panels that need a computation
 * of their own, -map.c the view of single inputs, -tables.c and -panels.c the words.  */
#include "core/labs/selective-execution/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/schedule.h"

/* Copies what a checkpoint needs out of the structures that hold pointers, and back. */
static void
gather_moving (SlLabState *s)
{
  s->now.shuffle = s->batches.rng;
  s->now.cursor = s->batches.cursor;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  return sl_batches_restore (&s->batches, &s->now.shuffle, s->now.cursor);
}

/* The static nets, one after the other in the same scratch. */
static void
cut_twins (SlLabState *s)
{
  size_t begin = s->scratch.used, most = begin;

  for (unsigned i = 0; i < s->n_twins; i++)
    {
      SlDagPlan  plan = s->twin[i].plan;
      SlDagFacts facts = s->twin[i].facts;

      s->scratch.used = begin;
      sl_dag_carve (&s->twin[i], &plan, &facts, MOST_BATCH, &s->kept, &s->scratch);
      most = s->scratch.used > most ? s->scratch.used : most;
      s->n += s->twin[i].n;
    }
  s->scratch.used = most;
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, const SlDagFacts *facts, uint64_t seed)
{
  s->kept.used = s->scratch.used = 0;
  sl_dag_carve (&s->dag, &s->net.plan, facts, MOST_BATCH, &s->kept, &s->scratch);
  s->n = s->dag.n;
  cut_twins (s);
  s->weights = sl_arena_reals (&s->kept, s->n);
  sl_batches_init (&s->batches, s->dataset, seed, &s->kept);

  s->gradient = sl_arena_reals (&s->scratch, s->n);
  s->positive = sl_arena_carve (&s->scratch, s->n_positive, sizeof *s->positive);
  s->x = sl_arena_reals (&s->scratch, MOST_BATCH * s->inputs);
  s->label = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->forced = sl_arena_carve (&s->scratch, MOST_DECISIONS * MOST_BATCH, 1);
  s->said = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->row = sl_arena_carve (&s->scratch, MOST_BATCH, sizeof *s->row);
  s->cost = sl_arena_carve (&s->scratch, MOST_BATCH, sizeof *s->cost);
  s->reward = sl_arena_carve (&s->scratch, MOST_BATCH, sizeof *s->reward);
  s->path = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->any = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->earned = sl_arena_reals (&s->scratch, MOST_DECISIONS * MOST_BATCH * 2);
  s->ahead = sl_arena_reals (&s->scratch, MOST_BATCH);
  s->joint = sl_arena_carve (&s->scratch, MOST_PATHS * s->classes, sizeof *s->joint);
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

/* The static nets of the paths with 0, 1, … dear choices. */
static SlStatus
plan_twins (SlLabState *s, const SlDagFacts *facts)
{
  SlStatus status = SL_SUCCESS;

  s->n_paths = facts->n_controllers + 1;
  s->n_twins = value_of (s, P_TWINS) != 0.0 ? s->n_paths : 0;
  sl_selective_list_ways (s, facts);
  for (unsigned dear = 0; dear < s->n_twins && sl_ok (&status); dear++)
    {
      uint8_t action[SL_DAG_CONTROLLERS] = { 0 };

      for (unsigned c = 0; c < dear; c++)
        action[c] = (uint8_t) (facts->n_actions[c] - 1);
      sl_dag_fix (&s->net.plan, facts, action, &s->twin[dear].plan);
      status = sl_dag_check (&s->twin[dear].plan, &s->twin[dear].facts);
    }
  return status;
}

/* The class against the rest, and how many examples it has to begin with. */
static SlStatus
look_at_task (SlLabState *s)
{
  size_t positive = (size_t) value_of (s, P_POSITIVE), n = s->dataset->n[SL_TRAIN];
  char   found[64], expected[64];

  s->classes = s->dataset->classes;
  if (value_of (s, P_TASK) != TASK_ONE)
    return SL_SUCCESS;
  s->classes = 2;
  for (size_t e = 0; e < n; e++)
    s->n_positive += s->dataset->label[e] == positive;
  if (s->n_positive > 0)
    return SL_SUCCESS;
  snprintf (found, sizeof found, "class %zu, of which there is no training example", positive);
  snprintf (expected, sizeof expected, "one of 0 to %u", s->dataset->classes - 1);
  return sl_status_new (SL_EINVAL, "positive", found, expected);
}

static void
begin (SlLabState *s, uint64_t seed)
{
  size_t at = s->dag.n, found = 0;
  SlRng  rng;

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
  for (uint32_t e = 0; e < s->dataset->n[SL_TRAIN] && s->n_positive > 0; e++)
    if (s->dataset->label[e] == (uint8_t) value_of (s, P_POSITIVE))
      s->positive[found++] = e;
  for (uint32_t e = 0; e < MOST_BATCH; e++)
    s->row[e] = e;
  sl_rng_init (&s->now.explore, seed, "exploration");
  sl_rng_init (&s->now.bags, seed, "bags");
}

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlLabState *s = calloc (1, sizeof *s);
  SlDagFacts  facts;
  SlStatus    status;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  s->inputs = dataset->features;
  status = look_at_task (s);
  if (sl_ok (&status))
    status = sl_selective_plan (s, &s->net);
  if (sl_ok (&status))
    status = sl_dag_check (&s->net.plan, &facts);
  if (sl_ok (&status))
    status = plan_twins (s, &facts);
  if (sl_ok (&status))
    {
      cut (s, &facts, seed);
      status = sl_arena_init (&s->kept, s->kept.used);
    }
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  cut (s, &facts, seed);
  begin (s, seed);
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
      sl_dag_clear_moments (&s->dag);
      for (unsigned i = 0; i < s->n_twins; i++)
        sl_dag_clear_moments (&s->twin[i]);
    }
  /* Measured anew when it is wanted again. */
  if (param == P_COST && changed)
    memset (s->now.seconds, 0, sizeof s->now.seconds);
  s->now.look = true;
  return SL_SUCCESS;
}

static SlOptimSetting
optim_of (const SlLabState *s)
{
  static const SlOptimiser kind[] = { SL_SGD, SL_MOMENTUM, SL_ADAM }; /* as sl_optimisers */
  SlOptimSetting           optim = sl_optim_default ();
  double                   epoch = (double) s->now.examples / (double) s->batches.n;

  optim.kind = kind[(unsigned) value_of (s, P_OPTIMISER)];
  optim.rate = (sl_real) (value_of (s, P_RATE)
                          * sl_schedule ((SlSchedule) value_of (s, P_SCHEDULE),
                                         value_of (s, P_SCHEDULE_EPOCHS), epoch));
  return optim;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  size_t          batch = (size_t) value_of (s, P_BATCH);
  SlOptimSetting  optim = optim_of (s);
  SlSelectiveLoss loss;
  double          total;

  if (value_of (s, P_COST) == COST_TIMED
      && (s->now.seconds[s->dag.facts.output] == 0.0 || s->now.t - s->now.timed >= TIME_APART))
    sl_selective_time (s);
  sl_selective_draw (s, batch);
  sl_selective_forward_taught (s, batch);
  sl_selective_settle (s, batch, false);
  loss = sl_selective_loss (s, batch, true, &s->now.sums);
  total = loss.classes + loss.controllers;
  s->now.t++;
  if (!isfinite (total))
    return sl_diverged (total);
  sl_selective_sum (s, batch, loss);
  s->now.examples += batch;
  s->now.macs += sl_dag_step_macs (&s->dag);
  sl_dag_backward (&s->dag, &optim);
  for (unsigned i = 0; i < s->n_twins; i++)
    {
      total = sl_selective_static_step (s, i, batch, true, &optim);
      s->now.macs += sl_dag_step_macs (&s->twin[i]);
      if (!isfinite (total))
        return sl_diverged (total);
    }
  if (s->now.look || sl_due (s->now.t, value_of (s, P_REPORT)))
    {
      /* What the knobs do to the path shows soon, whenever the next evaluation is. */
      s->now.judge |= s->now.look;
      s->now.look = false;
      sl_selective_report (s, sink);
    }
  if (sl_evaluation_due (&s->now.judge, &s->now.judged, s->now.t, value_of (s, P_EVALUATE)))
    sl_selective_report_validation (s, sink);
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
  sl_selective_draw (s, batch);
  sl_selective_forward_taught (s, batch);
  sl_selective_settle (s, batch, false);
  for (unsigned c = 0; c < s->dag.facts.n_controllers; c++)
    {
      const SlDagTurn *turn = &s->dag.turn[s->dag.facts.controller[c]];

      for (uint32_t k = 0; k < turn->n; k++)
        s->forced[c * MOST_BATCH + turn->row[k]] = turn->action[k];
    }
  s->held_batch = batch;
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  SlSelectiveLoss own;

  if (s->held_batch == 0)
    return sl_not_frozen ();
  sl_selective_forward_taught (s, s->held_batch);
  sl_selective_settle (s, s->held_batch, true);
  own = sl_selective_loss (s, s->held_batch, gradient != NULL, NULL);
  *loss = own.classes + own.controllers;
  if (gradient != NULL)
    sl_dag_backward (&s->dag, NULL);
  for (unsigned i = 0; i < s->n_twins; i++)
    *loss += sl_selective_static_step (s, i, s->held_batch, gradient != NULL, NULL);
  if (gradient != NULL)
    memcpy (gradient, s->gradient, s->n * sizeof *gradient);
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

/* clang-format off */
static const SlSweepHint sweeps[] = {
  { .id = "lambda", .title = "Sweep λ",
    .help = "Error against cost: each λ is a point, and the curve has to beat the static networks "
            "of the same modules.",
    .axes = "lambda=0,0.7,0.85,0.9,0.95,1", .seeds = "1-3", .steps = 3000 },
};
/* clang-format on */

const SlLab sl_lab_selective_execution = {
  .id = "selective-execution",
  .title = "Selective execution",
  .summary = "Controllers inside the network learn which parts to run for which example, from a "
             "reward for right answers at little cost.",
  .reference = "Liu and Deng 2017, arXiv 1701.00299",
  .readings = sl_selective_readings,
  .params = sl_selective_params,
  .n_params = N_PARAMS,
  .panels = sl_selective_panels,
  .n_panels = N_PANELS,
  .best = "error.valid",
  .error = "error",
  .clock = &(const SlClock) { "clock.timed", 2, false },
  .costs = &(const SlCosts) { "cost.expected", "cost.executed" },
  .sweeps = sweeps,
  .n_sweeps = sizeof sweeps / sizeof *sweeps,
  .data = SL_NEEDS_LABELS,
  .trials = sl_selective_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_selective_probe,
  .map = sl_selective_map,
  .score = sl_selective_score,
  .weights = weights,
  .objective = objective,
  .freeze = freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
