/* SPDX-License-Identifier: MIT
 *
 * Lab `prefix-tree`: a layer whose weights are a sum along a path of a binary tree, and the path is
 * chosen by k bits of its input (Cho and Bengio 2014).  This file has the state and the step,
 * prefix-tree-pass.c how the network runs, prefix-tree-learn.c the way back through it,
 * prefix-tree-tables.c what is said about it, prefix-tree-probes.c the panels that need a
 * computation of their own.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/schedule.h"
#include "core/nn/dense/init.h"
#include "core/nn/gater/units.h"

/* What a threshold keeps of itself when it moves to a batch's median. */
static const sl_real keep_threshold = (sl_real) 0.9;

static void
bind (SlLabState *s)
{
  s->body.weights = s->weights;
  s->body.m = s->m;
  s->body.v = s->v;
  s->body.gradient = s->gradient;
  sl_tree_bind (&s->tree, s->weights + s->at_tree, s->m + s->at_tree, s->v + s->at_tree);
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, uint64_t seed)
{
  size_t p = s->tree.shape.inputs, q = s->tree.shape.units, bits = s->tree.bits;
  size_t gains = s->tree.windows * (s->tree.shape.k + 1);

  s->kept.used = s->scratch.used = 0;
  s->weights = sl_arena_reals (&s->kept, s->n);
  s->m = sl_arena_reals (&s->kept, s->n);
  s->v = sl_arena_reals (&s->kept, s->n);
  s->tau = sl_arena_reals (&s->kept, bits);
  s->over = sl_arena_reals (&s->kept, bits);
  s->under = sl_arena_reals (&s->kept, bits);
  s->visits = sl_arena_carve (&s->kept, (size_t) 1 << s->tree.shape.k, sizeof *s->visits);
  s->ones = sl_arena_carve (&s->kept, bits, sizeof *s->ones);
  s->gradient = sl_arena_reals (&s->scratch, s->n - s->tree.n);
  sl_tree_carve (&s->tree, &s->kept, &s->scratch);
  sl_batches_init (&s->batches, s->dataset, seed, &s->kept);
  sl_tape_carve (&s->tape, &s->body, MOST_BATCH, &s->scratch);

  s->label = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->bit = sl_arena_carve (&s->scratch, MOST_BATCH * bits, 1);
  s->baseline = sl_arena_reals (&s->scratch, bits);
  s->x = sl_arena_reals (&s->scratch, MOST_BATCH * p);
  s->dx = sl_arena_reals (&s->scratch, MOST_BATCH * p);
  s->gating = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->uniform = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->probability = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->fired = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->worth = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->credit = sl_arena_reals (&s->scratch, MOST_BATCH * bits);
  s->gain = sl_arena_reals (&s->scratch, MOST_BATCH * gains);
  s->part = sl_arena_reals (&s->scratch, MOST_BATCH * gains);
  s->a = sl_arena_reals (&s->scratch, MOST_BATCH * q);
  s->h = sl_arena_reals (&s->scratch, MOST_BATCH * q);
  s->delta = sl_arena_reals (&s->scratch, MOST_BATCH * q);
  s->logits = sl_arena_reals (&s->scratch, MOST_BATCH * s->outputs);
  s->dlogits = sl_arena_reals (&s->scratch, MOST_BATCH * s->outputs);
  s->loss = sl_arena_reals (&s->scratch, MOST_BATCH);
  s->work = sl_arena_reals (&s->scratch, MOST_BATCH);
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

/* Refuses tables that the budget does not allow, and says what it would. */
static SlStatus
check_budget (const SlLabState *s)
{
  const double mebi = 1048576.0;
  SlTreeShape  shape = s->tree.shape;
  double       budget = value_of (s, P_BUDGET), need = sl_tree_bytes (&shape) / mebi;
  char         found[128], fits[128];

  if (need <= budget)
    return SL_SUCCESS;
  snprintf (found, sizeof found, "k = %u: %zu tables of %zu × %zu, %.0f MiB with their moments",
            shape.k, s->tree.nodes, shape.inputs, shape.units, need);
  while (shape.k > 0 && sl_tree_bytes (&shape) / mebi > budget)
    shape.k--;
  if (sl_tree_bytes (&shape) / mebi > budget)
    snprintf (fits, sizeof fits, "at most %.0f MiB, which does not hold even one", budget);
  else
    snprintf (fits, sizeof fits, "at most %.0f MiB, as set: k = %u with %.1f MiB", budget, shape.k,
              sl_tree_bytes (&shape) / mebi);
  return sl_status_new (SL_ENOMEM, "tree", found, fits);
}

/* What a step with these settings adds to the clock of the decay. */
static SlStatus
tick_of (const SlSettings *settings, double scale, double *tick)
{
  return sl_decay_tick ((SlDecayKind) settings->value[P_DECAY_KIND].v[0],
                        settings->value[P_RATE].v[0] * scale, settings->value[P_DECAY].v[0], tick);
}

/* Without its root a new tree would give 0 for every input, and a rectifier at 0 learns nothing:
 * the two nodes below begin as the root does, in its place.  */
static void
init_without_root (SlLabState *s)
{
  SlTree *tree = &s->tree;

  if (value_of (s, P_ROOT) != 0.0 || !sl_prefix_is_modulated (s) || tree->top > 0
      || tree->shape.k == 0)
    return;
  for (size_t node = 1; node <= 2; node++)
    memcpy (sl_tree_table (tree, tree->table, 0, node), tree->table,
            tree->shape.inputs * tree->shape.units * sizeof *tree->table);
}

static void
init (SlLabState *s, uint64_t seed)
{
  size_t p = s->tree.shape.inputs, q = s->tree.shape.units, bits = s->tree.bits;
  SlRng  rng;

  sl_rng_init (&rng, seed, "init");
  sl_net_init (&s->body, &rng);
  sl_tree_init (&s->tree, &rng);
  init_without_root (s);
  sl_init_glorot (&rng, q, s->outputs, q * s->outputs, s->weights + s->at_head);
  sl_rng_init (&rng, seed, "gate-init");
  sl_init_glorot (&rng, p, bits, sl_prefix_gate_numbers (s), s->weights + s->at_gates);
  sl_rng_init (&s->now.gates, seed, "gates");
  for (size_t i = 0; i < bits; i++)
    {
      s->over[i] = s->under[i] = SL_GATER_START;
      if (value_of (s, P_THRESHOLD) == THRESHOLD_FIXED)
        s->tau[i] = (sl_real) value_of (s, P_TAU);
    }
}

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  const SlValue *hidden = &settings->value[P_HIDDEN];
  size_t         widths[SL_NET_LAYERS + 1];
  SlLabState    *s = calloc (1, sizeof *s);
  SlTreeShape    shape = { .most = MOST_BATCH };
  SlStatus       status;
  double         tick;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  widths[0] = dataset->features;
  for (unsigned l = 0; l < hidden->n; l++)
    widths[l + 1] = (size_t) hidden->v[l];
  sl_net_shape (&s->body, SL_RECTIFIER, widths, hidden->n);
  shape.inputs = widths[hidden->n];
  shape.units = (size_t) value_of (s, P_UNITS);
  shape.k = (unsigned) value_of (s, P_K);
  shape.flat = value_of (s, P_TABLE) == TABLE_FLAT;
  shape.sliding = value_of (s, P_WINDOW) != 0.0;
  sl_tree_shape (&s->tree, &shape);
  s->outputs = dataset->classes == 2 ? 1 : dataset->classes;
  s->at_tree = s->body.n;
  s->at_gates = s->at_tree + s->tree.n;
  s->at_head = s->at_gates + (is_sampled (s) ? shape.inputs * s->tree.bits : 0);
  s->n = s->at_head + sl_prefix_head_numbers (s);

  status = tick_of (settings, 1.0, &tick);
  if (sl_ok (&status))
    status = check_budget (s);
  if (sl_ok (&status))
    {
      cut (s, seed);
      status = sl_arena_init (&s->kept, s->kept.used);
    }
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  cut (s, seed);
  bind (s);
  init (s, seed);
  *state = s;
  return SL_SUCCESS;
}

static void
clear_moments (SlLabState *s)
{
  memset (s->m, 0, s->n * sizeof *s->m);
  memset (s->v, 0, s->n * sizeof *s->v);
  sl_tree_clear_moments (&s->tree);
  s->now.moments = 0;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  SlSettings   settings = s->settings;
  SlDecayClock clock = sl_prefix_clock (s);
  bool         changed = settings.value[param].v[0] != value->v[0];
  double       tick;
  SlStatus     status;

  settings.value[param] = *value;
  status = tick_of (&settings, 1.0, &tick);
  if (!sl_ok (&status))
    return status;
  /* What was missed until now was missed under the old rule. */
  if (changed && (param == P_DECAY_KIND || param == P_DECAY || param == P_DECAY_RULE))
    sl_tree_flush (&s->tree, &clock);
  s->settings = settings;
  if (param == P_OPTIMISER && changed)
    clear_moments (s);
  if ((param == P_THRESHOLD || param == P_TAU) && value_of (s, P_THRESHOLD) == THRESHOLD_FIXED)
    for (size_t i = 0; i < s->tree.bits; i++)
      s->tau[i] = (sl_real) value_of (s, P_TAU);
  if (param == P_THRESHOLD || param == P_TAU || param == P_CREDIT || param == P_ROOT)
    s->now.judge = true;
  s->now.look = true;
  return SL_SUCCESS;
}

/* Moves the thresholds towards the medians of the batch just gated, so that each bit is 1 for
 * half of the examples.  */
static void
follow_medians (SlLabState *s, size_t batch)
{
  size_t bits = s->tree.bits;

  if (is_sampled (s) || value_of (s, P_THRESHOLD) != THRESHOLD_MEDIAN)
    return;
  for (size_t i = 0; i < bits; i++)
    {
      sl_real above = sl_tree_median (batch, s->gating + i, bits, s->work);

      s->tau[i] += (s->now.t == 0 ? 1 : 1 - keep_threshold) * above;
    }
}

/* Counts the paths of the batch for the next report. */
static void
count_visits (SlLabState *s, size_t batch)
{
  for (unsigned w = 0; w < s->tree.windows; w++)
    for (size_t e = 0; e < batch; e++)
      s->visits[s->tree.leaf[w * s->tree.shape.most + e]] += 1.0;
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < s->tree.bits; i++)
      s->ones[i] += s->bit[e * s->tree.bits + i];
}

/* Draws a batch and what its bits leave to chance. */
static void
draw (SlLabState *s, size_t batch)
{
  sl_batches_next (&s->batches, s->dataset, batch, s->tape.x[0], s->label);
  for (size_t i = 0; is_sampled (s) && i < batch * s->tree.bits; i++)
    s->uniform[i] = (sl_real) sl_rng_uniform (&s->now.gates);
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  size_t         batch = (size_t) value_of (s, P_BATCH), errors;
  SlDecayRule    rule = (SlDecayRule) value_of (s, P_DECAY_RULE);
  SlDecayClock   before = sl_prefix_clock (s), after = before;
  SlOptimSetting optim = sl_optim_default ();
  double         epoch = (double) s->now.examples / (double) s->batches.n, loss, tick, scale, macs;
  bool           report = s->now.look || sl_due (s->now.t + 1, value_of (s, P_REPORT));

  scale
    = sl_schedule ((SlSchedule) value_of (s, P_SCHEDULE), value_of (s, P_SCHEDULE_EPOCHS), epoch);
  optim.kind = (SlOptimiser) value_of (s, P_OPTIMISER);
  optim.rate = (sl_real) (value_of (s, P_RATE) * scale);
  SlStatus status = tick_of (&s->settings, scale, &tick);

  if (!sl_ok (&status))
    return status;
  after.now += tick;

  s->tree.macs = 0.0;
  draw (s, batch);
  sl_prefix_route (s, batch, PASS_TRAIN);
  follow_medians (s, batch);
  if (rule != SL_DECAY_PRINTED)
    sl_tree_refresh (&s->tree, after.kind, rule == SL_DECAY_EXACT ? before.now : after.now);
  sl_prefix_finish (s, batch, PASS_TRAIN);
  loss
    = sl_prefix_loss (s, batch, &errors, sl_prefix_credit (s) == CREDIT_REINFORCE ? s->loss : NULL);
  s->now.t++;
  s->now.moments++;
  s->now.clock = after.now;
  if (!isfinite (loss))
    return sl_diverged (loss);
  sl_prefix_backward (
    s, batch,
    &(SlTreeUpdate) { .optim = &optim, .clock = after, .t = s->now.t, .moments = s->now.moments },
    rule == SL_DECAY_PRINTED ? NULL
    : rule == SL_DECAY_EXACT ? &before
                             : &after,
    NULL);

  macs = s->tree.macs
         + (double) batch
             * (sl_prefix_dense_step (s) - 3.0 * sl_prefix_dense_layer (s)
                + (is_sampled (s) ? 3.0 * (double) sl_prefix_gate_numbers (s) : 0.0));
  s->now.examples += batch;
  s->now.macs += macs;
  s->now.step_macs += macs;
  s->now.loss += loss * (double) batch;
  s->now.errors += (double) errors;
  s->now.seen += (double) batch;
  s->now.look = false;
  count_visits (s, batch);
  if (report)
    sl_prefix_report (s, sink);
  if (sl_evaluation_due (&s->now.judge, &s->now.judged, s->now.t, value_of (s, P_EVALUATE)))
    sl_prefix_report_validation (s, sink);
  return SL_SUCCESS;
}

static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  size_t count = s->dataset->n[split];
  double loss, error;

  *n = 0;
  if (count == 0)
    return SL_SUCCESS;
  sl_prefix_evaluate (s, sl_dataset_first (s->dataset, split), count, &loss, &error);
  scores[(*n)++] = (SlScore) { "error", "error", "%", error };
  scores[(*n)++] = (SlScore) { "loss", "cross entropy", "nats", loss };
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
  size_t       batch = (size_t) value_of (s, P_BATCH);
  SlDecayClock clock = sl_prefix_clock (s);

  s->held_batch = 0;
  if (!frozen)
    return;
  sl_tree_flush (&s->tree, &clock);
  draw (s, batch);
  sl_prefix_forward (s, batch, PASS_TRAIN);
  s->held_batch = batch;
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  size_t errors;

  if (s->held_batch == 0)
    return sl_not_frozen ();
  sl_prefix_forward (s, s->held_batch, PASS_HELD);
  *loss = sl_prefix_loss (s, s->held_batch, &errors, NULL);
  if (gradient != NULL)
    sl_prefix_backward (s, s->held_batch, NULL, NULL, gradient);
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  s->now.shuffle = s->batches.rng;
  s->now.cursor = s->batches.cursor;
  piece[0] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[1] = (SlBlob) { "weights, moments, decay and order", s->kept.block, s->kept.used };
  return 2;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  return sl_batches_restore (&s->batches, &s->now.shuffle, s->now.cursor);
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = sl_progress (s->now.examples, s->batches.n, s->now.macs);
}

const SlLab sl_lab_prefix_tree = {
  .id = "prefix-tree",
  .title = "Prefix tree",
  .summary = "Bits of the input choose a path through a tree of weight matrices: exponentially "
             "many weights, of which each example uses one per level.",
  .reference = "Cho and Bengio 2014, arXiv 1406.7362",
  .readings = sl_prefix_readings,
  .params = sl_prefix_params,
  .n_params = N_PARAMS,
  .panels = sl_prefix_panels,
  .n_panels = N_PANELS,
  .best = "error.valid",
  .error = "error",
  .clock = &(const SlClock) { "speed.cost", 4, false },
  .data = SL_NEEDS_LABELS,
  .trials = sl_prefix_trials,
  .n_trials = N_TRIALS,
  .sweeps = sl_prefix_sweeps,
  .n_sweeps = 1,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_prefix_probe,
  .map = sl_prefix_map,
  .score = score,
  .weights = weights,
  .objective = objective,
  .freeze = freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
