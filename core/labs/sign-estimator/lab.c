/* SPDX-License-Identifier: MIT
 *
 * Lab `sign-estimator`: a rectifier network whose hidden units are switched off where a
 * low-rank product says that they would be (Davis 2016, chapter 3; Davis and Arel 2013).
 * This file has the state and the step, sign-estimator-tables.c what is said about them,
 * sign-estimator-reports.c the traces and scores, and sign-estimator-probes.c the panels that need
 * a computation of their own.  */
#include "core/labs/sign-estimator/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/lab/kit/schedule.h"

SlEstimate
sl_sign_estimate (const SlLabState *s)
{
  SlEstimate estimate = { .mode = (SlEstimateMode) value_of (s, P_ESTIMATOR),
                          .factors = s->factors,
                          .theta = (sl_real) value_of (s, P_THETA) };

  if (s->net.activation != SL_RECTIFIER || !s->now.factored || s->hidden == 0)
    estimate.mode = SL_ESTIMATE_OFF;
  return estimate;
}

static bool
wants_factors (const SlLabState *s)
{
  return s->net.activation == SL_RECTIFIER && value_of (s, P_ESTIMATOR) != SL_ESTIMATE_OFF;
}

/* Copies what a checkpoint needs out of the structures that hold pointers, and back. */
static void
gather_moving (SlLabState *s)
{
  s->now.shuffle = s->batches.rng;
  s->now.cursor = s->batches.cursor;
  for (unsigned l = 0; l < s->hidden; l++)
    {
      s->now.rank[l] = s->factors[l].rank;
      s->now.tracked[l] = s->factors[l].kept;
      s->now.energy[l] = s->factors[l].energy;
      s->now.lost[l] = s->factors[l].lost;
    }
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  for (unsigned l = 0; l < s->hidden; l++)
    {
      if (s->now.rank[l] > s->now.tracked[l] || s->now.tracked[l] > s->factors[l].most)
        return sl_out_of_range ();
      s->factors[l].rank = s->now.rank[l];
      s->factors[l].kept = s->now.tracked[l];
      s->factors[l].energy = s->now.energy[l];
      s->factors[l].lost = s->now.lost[l];
    }
  return sl_batches_restore (&s->batches, &s->now.shuffle, s->now.cursor);
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, uint64_t seed)
{
  size_t widest = 1;

  s->kept.used = s->scratch.used = 0;
  sl_net_carve (&s->net, &s->kept, &s->scratch);
  if (s->has_twin)
    sl_net_carve (&s->twin, &s->kept, &s->scratch);
  if (s->net.activation == SL_RECTIFIER)
    for (unsigned l = 0; l < s->hidden; l++)
      {
        sl_lowrank_init (&s->factors[l], s->net.width[l + 1], s->net.width[l], &s->kept,
                         &s->scratch);
        s->anchor[l] = sl_arena_reals (&s->kept, s->net.width[l] * s->net.width[l + 1]);
      }
  sl_batches_init (&s->batches, s->dataset, seed, &s->kept);
  for (unsigned l = 0; l <= s->net.layers; l++)
    if (s->net.width[l] > widest)
      widest = s->net.width[l];
  sl_tape_carve (&s->tape, &s->net, MOST_BATCH, &s->scratch);
  s->label = sl_arena_carve (&s->scratch, MOST_BATCH, 1);
  s->gate = sl_arena_carve (&s->scratch, MOST_BATCH * widest, 1);
  s->rows = sl_arena_carve (&s->scratch, widest, sizeof *s->rows);
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
  const SlValue *hidden = &settings->value[P_HIDDEN];
  size_t         widths[SL_NET_LAYERS + 1];
  SlLabState    *s = calloc (1, sizeof *s);
  SlStatus       status = SL_SUCCESS;
  SlRng          init;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  s->hidden = hidden->n;
  s->has_twin = value_of (s, P_TWIN) != 0.0;
  widths[0] = dataset->features;
  for (unsigned l = 0; l < hidden->n; l++)
    widths[l + 1] = (size_t) hidden->v[l];
  widths[hidden->n + 1] = dataset->classes == 2 ? 1 : dataset->classes;
  sl_net_shape (&s->net, (SlActivation) value_of (s, P_ACTIVATION), widths, hidden->n + 1);
  s->twin = s->net;

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
  sl_net_init (&s->net, &init);
  if (s->has_twin)
    {
      sl_rng_init (&init, seed, "init");
      sl_net_init (&s->twin, &init);
    }
  sl_rng_init (&s->now.dropout, seed, "dropout");
  sl_rng_init (&s->now.subspace, seed, "subspace");
  s->now.stale = true;
  *state = s;
  return SL_SUCCESS;
}

static void
clear_moments (SlNet *net)
{
  memset (net->m, 0, net->n * sizeof *net->m);
  memset (net->v, 0, net->n * sizeof *net->v);
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  bool changed = s->settings.value[param].v[0] != value->v[0];

  s->settings.value[param] = *value;
  if (param == P_OPTIMISER && changed)
    {
      clear_moments (&s->net);
      if (s->has_twin)
        clear_moments (&s->twin);
      s->now.moments = 0;
    }
  /* A new rank has to show at the next step, not at the next refresh. */
  if (param == P_RANK || param == P_RANK_MODE || param == P_ENERGY || param == P_ESTIMATOR)
    s->now.stale = true;
  /* So has its price: the network learns to live with its gates within some hundred updates,
   * and the next evaluation might come after that.  */
  if (s->now.stale || param == P_THETA)
    s->now.judge = true;
  s->now.look = true;
  return SL_SUCCESS;
}

/* Brings the factors of all hidden layers up to the weights of now. */
static void
refresh (SlLabState *s)
{
  bool good = true;

  for (unsigned l = 0; l < s->hidden; l++)
    {
      const sl_real *w = sl_net_weight (&s->net, l);
      size_t         n = s->net.width[l] * s->net.width[l + 1];
      SlStatus       status;

      if (value_of (s, P_RANK_MODE) == 0)
        status = sl_lowrank_refresh (&s->factors[l], w, (size_t) s->settings.value[P_RANK].v[l], 1,
                                     &s->now.subspace);
      else
        status = sl_lowrank_refresh_energy (&s->factors[l], w, value_of (s, P_ENERGY),
                                            s->factors[l].most, 1, &s->now.subspace);
      if (sl_ok (&status))
        memcpy (s->anchor[l], w, n * sizeof *w);
      else
        good = false;
    }
  /* Weights that are not finite keep the old factors; the loss of this step will say so. */
  s->now.factored = s->now.factored || good;
  s->now.stale = false;
  s->now.since_refresh = 0;
}

/* Multiply-adds of one training step: forward, both backward products of all layers but the
 * first, whose input needs no gradient, and the estimates.  */
static double
step_macs (const SlLabState *s, size_t batch, SlEstimateMode mode)
{
  const SlNet *net = &s->net;
  double       macs = 3.0 * sl_net_macs (net) - (double) net->width[0] * (double) net->width[1];

  if (s->has_twin)
    macs *= 2.0;
  if (mode != SL_ESTIMATE_OFF)
    for (unsigned l = 0; l < s->hidden; l++)
      macs += (double) s->factors[l].rank * (double) (net->width[l] + net->width[l + 1]);
  return macs * (double) batch;
}

static SlDropout
dropout_of (const SlLabState *s)
{
  return (SlDropout) { .input = value_of (s, P_INPUT_DROPOUT),
                       .hidden = value_of (s, P_HIDDEN_DROPOUT) };
}

/* Draws a batch and its masks onto the tape. */
static void
draw (SlLabState *s, size_t batch, const SlDropout *dropout)
{
  sl_batches_next (&s->batches, s->dataset, batch, s->tape.x[0], s->label);
  sl_net_draw (&s->net, &s->tape, batch, dropout, &s->now.dropout);
  sl_net_mask_input (&s->net, &s->tape, batch, dropout);
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  size_t         batch = (size_t) value_of (s, P_BATCH), errors, twin_errors = 0;
  SlDropout      dropout = dropout_of (s);
  SlEstimate     estimate, none = { .mode = SL_ESTIMATE_OFF };
  SlOptimSetting optim = sl_optim_default ();
  bool           report = s->now.look || sl_due (s->now.t + 1, value_of (s, P_REPORT));
  double epoch = (double) s->now.batch_examples / (double) s->batches.n, loss, twin_loss = 0.0;

  if (wants_factors (s) && (s->now.stale || s->now.since_refresh >= value_of (s, P_REFRESH)))
    refresh (s);
  estimate = sl_sign_estimate (s);
  /* Watching does not change the training, and the reports have a pass of their own. */
  if (estimate.mode == SL_ESTIMATE_WATCH)
    estimate.mode = SL_ESTIMATE_OFF;
  optim.kind = (SlOptimiser) value_of (s, P_OPTIMISER);
  optim.decay = (sl_real) value_of (s, P_DECAY);
  optim.rate = (sl_real) (value_of (s, P_RATE)
                          * sl_schedule ((SlSchedule) value_of (s, P_SCHEDULE),
                                         value_of (s, P_SCHEDULE_EPOCHS), epoch));

  draw (s, batch, &dropout);
  s->now.moments++;
  sl_net_forward (&s->net, &s->tape, batch, &dropout, &estimate);
  loss = sl_net_loss (&s->net, &s->tape, batch, s->label, true, &errors);
  s->now.t++;
  s->now.since_refresh++;
  if (!isfinite (loss))
    return sl_diverged (loss);
  sl_net_backward (&s->net, &s->tape, batch, &dropout, &optim, s->now.moments);
  if (s->has_twin)
    {
      sl_net_forward (&s->twin, &s->tape, batch, &dropout, &none);
      twin_loss = sl_net_loss (&s->twin, &s->tape, batch, s->label, true, &twin_errors);
      if (!isfinite (twin_loss))
        return sl_diverged (twin_loss);
      sl_net_backward (&s->twin, &s->tape, batch, &dropout, &optim, s->now.moments);
    }

  s->now.batch_examples += batch;
  s->now.macs += step_macs (s, batch, estimate.mode);
  s->now.loss += loss * (double) batch;
  s->now.errors += (double) errors;
  s->now.twin_loss += twin_loss * (double) batch;
  s->now.twin_errors += (double) twin_errors;
  s->now.seen += (double) batch;
  s->now.look = false;
  if (report)
    {
      sl_sign_report_training (s, sink);
      sl_sign_report_signs (s, sink);
    }
  if (sl_evaluation_due (&s->now.judge, &s->now.judged, s->now.t, value_of (s, P_EVALUATE)))
    sl_sign_report_validation (s, sink);
  return SL_SUCCESS;
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->net.weights, s->net.n };
}

static void
freeze (SlLabState *s, bool frozen)
{
  size_t     batch = (size_t) value_of (s, P_BATCH);
  SlDropout  dropout = dropout_of (s);
  SlEstimate estimate;

  s->held_batch = 0;
  if (!frozen)
    return;
  if (wants_factors (s))
    refresh (s);
  draw (s, batch, &dropout);
  estimate = sl_sign_estimate (s);
  sl_net_forward (&s->net, &s->tape, batch, &dropout, &estimate);
  s->held_batch = batch;
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  SlDropout  dropout = dropout_of (s);
  SlEstimate estimate = sl_sign_estimate (s);
  size_t     errors;

  if (s->held_batch == 0)
    return sl_not_frozen ();
  estimate.mode = estimate.mode == SL_ESTIMATE_GATE ? SL_ESTIMATE_HELD : SL_ESTIMATE_OFF;
  sl_net_forward (&s->net, &s->tape, s->held_batch, &dropout, &estimate);
  *loss = sl_net_loss (&s->net, &s->tape, s->held_batch, s->label, true, &errors);
  if (gradient != NULL)
    {
      sl_net_backward (&s->net, &s->tape, s->held_batch, &dropout, NULL, 0);
      memcpy (gradient, s->net.gradient, s->net.n * sizeof *gradient);
    }
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  gather_moving (s);
  piece[0] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[1] = (SlBlob) { "weights, moments, factors and order", s->kept.block, s->kept.used };
  return 2;
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = sl_progress (s->now.batch_examples, s->batches.n, s->now.macs);
}

const SlLab sl_lab_sign_estimator = {
  .id = "sign-estimator",
  .title = "Sign estimator",
  .summary
  = "A low-rank product guesses which rectifiers will be off, and only the others are computed.",
  .reference = "Davis 2016, dissertation, chapter 3; Davis and Arel 2013, arXiv 1312.4461",
  .readings = sl_sign_readings,
  .params = sl_sign_params,
  .n_params = N_PARAMS,
  .panels = sl_sign_panels,
  .n_panels = N_PANELS,
  .best = "error.valid",
  .error = "error",
  .clock = &(const SlClock) { "speed.speed-up", 3, true },
  .overview = &sl_sign_summary,
  .sweeps = sl_sign_sweeps,
  .n_sweeps = 1,
  .data = SL_NEEDS_LABELS,
  .trials = sl_sign_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_sign_probe,
  .map = sl_sign_map,
  .score = sl_sign_score,
  .weights = weights,
  .objective = objective,
  .freeze = freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
