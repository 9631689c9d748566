/* SPDX-License-Identifier: MIT
 *
 * Lab `stochastic-gates`: a layer of experts that a second network switches on and off, by chance
 * while it learns (Bengio, Léonard and Courville 2013).  This file has the state and the step,
 * stochastic-gates-tables.c what is said about them, stochastic-gates-reports.c what is measured
 * on the way, stochastic-gates-probes.c and -toy.c the panels that need a computation of their
 * own.  */
#include "core/labs/stochastic-gates/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/schedule.h"
#include "core/nn/gater/sparsity.h"
#include "core/nn/kernels/normal.h"

/* Weights of the past in the means that follow the batches. */
static const double keep_rate = 0.99, keep_baseline = 0.9;

/* A unit is nudged when it is on less often than this share of what is wished. */
static const double starving = 0.1;

SlGaterUnit
sl_gates_unit (const SlLabState *s)
{
  return (SlGaterUnit) { .kind = (SlGaterKind) value_of (s, P_GATE),
                         .slope = value_of (s, P_SLOPE) != 0.0,
                         .thin = value_of (s, P_FIRING) == FIRE_PLAIN };
}

SlGaterNoise
sl_gates_noise (const SlLabState *s, double *scale)
{
  SlGaterKind kind = sl_gates_unit (s).kind;

  *scale = value_of (s, P_NOISE_SCALE);
  if (*scale == 0.0 || (kind != SL_GATER_NOISY && kind != SL_GATER_SIGMOID))
    return SL_GATER_NO_NOISE;
  return kind == SL_GATER_NOISY && value_of (s, P_NOISE) == NOISE_LOGISTIC ? SL_GATER_LOGISTIC
                                                                           : SL_GATER_GAUSSIAN;
}

double
sl_gates_weight (const SlLabState *s)
{
  static const double published[]
    = { [SL_GATER_STS] = 0.001, [SL_GATER_SBN] = 1.0, [SL_GATER_ST] = 0.1 };
  SlGaterKind kind = sl_gates_unit (s).kind;

  return sl_gater_is_binary (kind) ? published[kind] * value_of (s, P_WEIGHT) : 0.0;
}

double
sl_gates_factor (const SlLabState *s)
{
  return (sl_gates_unit (s).kind == SL_GATER_SBN ? 0.01 : 1.0) * value_of (s, P_FACTOR);
}

/* False when there is no such noise; the density is the mode that it is made for. */
static bool
beta_noise (const SlLabState *s, SlGaterBeta *noise)
{
  if (sl_gates_unit (s).kind != SL_GATER_STS || value_of (s, P_BETA_NOISE) == BETA_OFF)
    return false;
  *noise = sl_gater_beta (value_of (s, P_DENSITY), value_of (s, P_BETA),
                          value_of (s, P_BETA_NOISE) == BETA_CODE);
  return true;
}

double
sl_gates_shift (const SlLabState *s)
{
  SlGaterBeta noise;

  return beta_noise (s, &noise) ? sl_gater_beta_mean (&noise) : 0.0;
}

/* Copies what a checkpoint needs out of the structure that holds a pointer, and back. */
static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  s->has_cut = false;
  return sl_batches_restore (&s->batches, &s->now.shuffle, s->now.cursor);
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, uint64_t seed)
{
  size_t    units = s->gater.units;
  sl_real **kept[] = { &s->rate, &s->over, &s->under };
  sl_real **scratch[] = { &s->baseline, &s->pull, &s->mean };

  s->kept.used = s->scratch.used = 0;
  sl_gater_carve (&s->gater, &s->kept, &s->scratch);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    *kept[i] = sl_arena_reals (&s->kept, units);
  sl_batches_init (&s->batches, s->dataset, seed, &s->kept);
  sl_gater_tape_carve (&s->tape, &s->gater, MOST_BATCH, &s->scratch);
  for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
    *scratch[i] = sl_arena_reals (&s->scratch, units);
  s->values = sl_arena_reals (&s->scratch, MOST_BATCH * units);
  s->frozen = sl_arena_reals (&s->scratch, MOST_BATCH * units);
  s->held_loss = sl_arena_reals (&s->scratch, MOST_BATCH);
  s->label = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
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
  SlRng       init;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  sl_gater_shape (&s->gater, dataset->features, (size_t) value_of (s, P_HIDDEN),
                  (size_t) value_of (s, P_UNITS), dataset->classes);
  cut (s, seed);
  status = sl_arena_init (&s->kept, s->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  cut (s, seed);

  sl_rng_init (&init, seed, "init");
  sl_gater_init (&s->gater, sl_gates_unit (s).kind, &init);
  sl_rng_init (&s->now.shift, seed, "gate noise");
  sl_rng_init (&s->now.uniform, seed, "gate draws");
  for (size_t i = 0; i < s->gater.units; i++)
    s->over[i] = s->under[i] = SL_GATER_START;
  s->now.lambda = value_of (s, P_L1_START);
  *state = s;
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  s->settings.value[param] = *value;
  s->has_cut = false;
  s->now.look = true;
  /* What it costs should show at once, not at the next evaluation. */
  s->now.judge = s->now.judge || param == P_DENSITY;
  return SL_SUCCESS;
}

static void
stretch (size_t n, sl_real scale, sl_real *x)
{
  for (size_t i = 0; i < n; i++)
    x[i] *= scale;
}

/* Draws the additive noise of a batch; false when there is none. */
static bool
draw_shift (SlLabState *s, size_t n)
{
  SlGaterBeta beta;
  double      scale;

  if (beta_noise (s, &beta))
    {
      sl_gater_draw_beta (&s->now.shift, &beta, n, s->tape.shift);
      return true;
    }
  switch (sl_gates_noise (s, &scale))
    {
    case SL_GATER_NO_NOISE: return false;
    case SL_GATER_LOGISTIC: sl_gater_draw_logistic (&s->now.shift, scale, n, s->tape.shift); break;
    case SL_GATER_GAUSSIAN:
      sl_normal_fill (&s->now.shift, n, s->tape.shift);
      stretch (n, (sl_real) scale, s->tape.shift);
      break;
    }
  return true;
}

/* Draws a batch and its chances, and runs it.  Returns the mean loss. */
static double
draw_and_run (SlLabState *s, const SlGaterUnit *unit, size_t batch, size_t *errors)
{
  size_t n = batch * s->gater.units;
  bool   shifted;

  sl_batches_next (&s->batches, s->dataset, batch, s->tape.x, s->label);
  sl_gates_rescale (s, batch);
  shifted = draw_shift (s, n);
  if (sl_gater_is_binary (unit->kind))
    sl_gater_draw_uniform (&s->now.uniform, n, s->tape.uniform);
  sl_gater_forward (&s->gater, unit, &s->tape, batch, shifted, false);
  return sl_gater_loss (&s->gater, &s->tape, batch, s->label, errors);
}

/* The sparsity term of the batch on the tape and what the estimators need; the mean of p is left
 * in s->mean.  */
static double
prepare (SlLabState *s, const SlGaterUnit *unit, size_t batch, SlGaterSignal *signal)
{
  size_t units = s->gater.units;

  *signal = (SlGaterSignal) { .loss = s->tape.loss, .baseline = s->baseline };
  if (unit->kind == SL_GATER_SBN)
    sl_gater_baseline (units, s->over, s->under, s->baseline);
  if (sl_gater_is_binary (unit->kind))
    {
      signal->pull = s->pull;
      return sl_gater_kl (unit, batch, units, s->tape.p, value_of (s, P_DENSITY),
                          sl_gates_weight (s), s->mean, s->pull);
    }
  if (unit->kind == SL_GATER_SIGMOID)
    return 0.0;
  signal->l1 = (sl_real) s->now.lambda;
  return sl_gater_l1 (batch * units, s->tape.h, s->now.lambda);
}

/* Everything that follows the batches: baseline, rates, λ, and the nudge for units that starve. */
static void
follow (SlLabState *s, const SlGaterUnit *unit, size_t batch)
{
  size_t  units = s->gater.units;
  double  wished = value_of (s, P_DENSITY), nudge = value_of (s, P_NUDGE), density;
  sl_real keep = s->now.t == 1 ? 0 : (sl_real) keep_rate, *bias;

  if (unit->kind == SL_GATER_SBN)
    sl_gater_baseline_follow (batch, units, s->tape.p, s->tape.h, s->tape.loss,
                              (sl_real) keep_baseline, s->over, s->under);
  density = sl_gater_rates (batch, units, s->tape.h, s->mean);
  for (size_t i = 0; i < units; i++)
    s->rate[i] = keep * s->rate[i] + (1 - keep) * s->mean[i];
  s->now.density += density * (double) batch;
  if (!sl_gater_has_probability (unit->kind))
    s->now.lambda = sl_gater_lambda (s->now.lambda, density, wished, value_of (s, P_KAPPA));
  bias = sl_gater_bias (&s->gater, SL_GATER_LOGITS);
  for (size_t i = 0; nudge > 0.0 && i < units; i++)
    if (s->rate[i] < starving * wished)
      bias[i] += (sl_real) (nudge * (wished - (double) s->rate[i]));
}

/* Multiply-adds of one training step, which computes everything: forward, the gradients of the
 * weights, and those of what lies below the output and the logits.  */
static double
step_macs (const SlLabState *s, size_t batch)
{
  const SlGater *g = &s->gater;
  double         forward = sl_gater_macs (g) + sl_gater_expert_macs (g, 1.0);
  double         below = (double) g->units * (double) (g->hidden + g->outputs);

  return (2.0 * forward + below) * (double) batch;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  SlGaterUnit     unit = sl_gates_unit (s);
  SlGaterSignal   signal;
  size_t          batch = (size_t) value_of (s, P_BATCH), errors;
  bool            report = s->now.look || sl_due (s->now.t + 1, value_of (s, P_REPORT));
  double          epoch = (double) s->now.batch_examples / (double) s->batches.n, loss, term;
  SlGaterLearning learning = {
    .rate = (sl_real) (value_of (s, P_RATE)
                       * sl_schedule ((SlSchedule) value_of (s, P_SCHEDULE),
                                      value_of (s, P_SCHEDULE_EPOCHS), epoch)),
    .factor = (sl_real) sl_gates_factor (s),
    .momentum = (sl_real) value_of (s, P_MOMENTUM),
    .most = (sl_real) value_of (s, P_MAX_NORM),
  };

  loss = draw_and_run (s, &unit, batch, &errors);
  s->now.t++;
  if (!isfinite (loss))
    return sl_diverged (loss);
  term = prepare (s, &unit, batch, &signal);
  sl_gater_backward (&s->gater, &unit, &s->tape, batch, &signal, &learning);
  follow (s, &unit, batch);
  s->has_cut = false;

  s->now.batch_examples += batch;
  s->now.macs += step_macs (s, batch);
  s->now.loss += loss * (double) batch;
  s->now.term += term * (double) batch;
  s->now.errors += (double) errors;
  s->now.seen += (double) batch;
  s->now.look = false;
  if (report)
    sl_gates_report (s, batch, sink);
  if (sl_evaluation_due (&s->now.judge, &s->now.judged, s->now.t, value_of (s, P_EVALUATE)))
    sl_gates_report_validation (s, sink);
  return SL_SUCCESS;
}

static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  size_t            first = sl_dataset_first (s->dataset, split), count = s->dataset->n[split];
  SlGatesEvaluation figures;

  *n = 0;
  if (count == 0)
    return SL_SUCCESS;
  figures = sl_gates_evaluate (s, first, count);
  scores[(*n)++] = (SlScore) { "error", "error", "%", figures.error };
  scores[(*n)++] = (SlScore) { "loss", "cross entropy", "nats", figures.loss };
  scores[(*n)++] = (SlScore) { "density", "gates on", "%", 100.0 * figures.density };
  scores[(*n)++] = (SlScore) { "cost", "cost with the gater", "% of dense",
                               sl_gates_cost (s, figures.density, true) };
  scores[(*n)++] = (SlScore) { "cost-bare", "cost without the gater", "% of dense",
                               sl_gates_cost (s, figures.density, false) };
  return SL_SUCCESS;
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->gater.weights, s->gater.n };
}

static void
freeze (SlLabState *s, bool frozen)
{
  size_t      batch = (size_t) value_of (s, P_BATCH), n = batch * s->gater.units, errors;
  SlGaterUnit unit = sl_gates_unit (s);

  s->held_batch = 0;
  if (!frozen)
    return;
  draw_and_run (s, &unit, batch, &errors);
  memcpy (s->held_loss, s->tape.loss, batch * sizeof *s->held_loss);
  sl_gater_feedback (&s->gater, &s->tape, batch);
  memcpy (s->frozen, s->tape.dh, n * sizeof *s->frozen);
  s->held_batch = batch;
}

/* log P (on) of a binary gate with logit z. */
static double
log_chance (double z, bool on)
{
  double towards = on ? z : -z;

  return fmin (towards, 0.0) - log1p (exp (-fabs (z)));
}

/* A function whose gradient is what an estimator says where that is not the gradient of the loss
 * itself: the held signal times what the signal is credited to.  */
static double
surrogate (const SlLabState *s, const SlGaterUnit *unit, size_t batch)
{
  size_t units = s->gater.units;
  double sum = 0.0;

  if (unit->kind == SL_GATER_ST)
    for (size_t i = 0; i < batch * units; i++)
      sum += (double) s->frozen[i] * (double) (unit->slope ? s->tape.p[i] : s->tape.z[i]);
  if (unit->kind == SL_GATER_SBN)
    for (size_t i = 0; i < batch * units; i++)
      sum += log_chance ((double) s->tape.z[i], s->tape.on[i] != 0)
             * (double) (s->held_loss[i / units] - s->baseline[i % units]) / (double) batch;
  return sum;
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  SlGaterUnit   unit = sl_gates_unit (s);
  SlGaterSignal signal;
  SlGaterBeta   beta;
  size_t        batch = s->held_batch, errors;
  double        scale;
  bool          shifted = beta_noise (s, &beta) || sl_gates_noise (s, &scale) != SL_GATER_NO_NOISE;

  if (batch == 0)
    return sl_not_frozen ();
  sl_gater_forward (&s->gater, &unit, &s->tape, batch, shifted, true);
  *loss = sl_gater_loss (&s->gater, &s->tape, batch, s->label, &errors);
  *loss += prepare (s, &unit, batch, &signal);
  *loss += surrogate (s, &unit, batch);
  if (gradient != NULL)
    {
      signal.loss = s->held_loss;
      sl_gater_backward (&s->gater, &unit, &s->tape, batch, &signal, NULL);
      memcpy (gradient, s->gater.gradient, s->gater.n * sizeof *gradient);
    }
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  s->now.shuffle = s->batches.rng;
  s->now.cursor = s->batches.cursor;
  piece[0] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[1] = (SlBlob) { "weights, velocity, rates and order", s->kept.block, s->kept.used };
  return 2;
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = sl_progress (s->now.batch_examples, s->batches.n, s->now.macs);
}

const SlLab sl_lab_stochastic_gates = {
  .id = "stochastic-gates",
  .title = "Stochastic gates",
  .summary = "A second network decides at random which linear experts are computed, and learns "
             "from estimates of the gradient through these random decisions.",
  .reference = "Bengio, Léonard and Courville 2013, arXiv 1308.3432, and its supplement",
  .readings = sl_gates_readings,
  .params = sl_gates_params,
  .n_params = N_PARAMS,
  .panels = sl_gates_panels,
  .n_panels = N_PANELS,
  .best = "error.valid",
  .error = "error",
  .clock = &(const SlClock) { "speed.with", 3, true },
  .overview = &sl_gates_summary,
  .sweeps = sl_gates_sweeps,
  .n_sweeps = 1,
  .data = SL_NEEDS_LABELS,
  .trials = sl_gates_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_gates_probe,
  .map = sl_gates_map,
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
