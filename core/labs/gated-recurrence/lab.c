/* SPDX-License-Identifier: MIT
 *
 * Lab `gated-recurrence`: a language model of gated recurrent units most of which copy their last
 * state, so that they need not be computed (Davis 2016, chapter 4).  This file has the state and
 * the step, gated-recurrence-tables.c what is said about them, gated-recurrence-read.c what reading
 * a text finds out, and gated-recurrence-probes.c the panels that need a computation of their
 * own.  */
#include "core/labs/gated-recurrence/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/dense/batchnorm.h"
#include "core/nn/kernels/mat.h"
#include "core/nn/optim/optim.h"

/* The gates of a training pass. */
static SlGruGates
own_gates (const SlLabState *s)
{
  SlGruGates gates = sl_recurrence_given (s);

  gates.given = false;
  return gates;
}

/* Letters of one stream of the training text. */
static size_t
stream_of (const SlLabState *s)
{
  return s->dataset->n[SL_TRAIN] / s->batch;
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s)
{
  SlGruNet *net = &s->net, *twin = &s->twin;
  SlArena  *kept = &s->kept, *scratch = &s->scratch;
  size_t    h = net->gru[0].units, work;

  kept->used = scratch->used = 0;
  sl_gru_net_carve (net, true, kept, scratch);
  sl_gru_net_carve (twin, s->has_twin, kept, scratch);
  sl_gru_run_carve (&s->train, net, s->batch, s->length, true, scratch);
  if (s->has_twin)
    {
      sl_gru_run_carve (&s->twin_train, twin, s->batch, s->length, true, scratch);
      sl_gru_run_carve (&s->twin_read, twin, s->readers, STRETCH, false, scratch);
    }
  sl_gru_run_carve (&s->read, net, s->readers, STRETCH, false, scratch);
  sl_gru_run_carve (&s->timed, net, TIMED, 1, false, scratch);
  sl_gru_run_carve (&s->twin_timed, twin, TIMED, 1, false, scratch);
  s->symbol = sl_arena_carve (scratch, (s->length + 1) * s->batch, 1);
  s->read_symbol = sl_arena_carve (scratch, (STRETCH + 1) * s->readers, 1);
  s->timed_symbol = sl_arena_carve (scratch, TIMED, 1);
  s->times_on = sl_arena_carve (scratch, SL_GRU_LAYERS * net->gru[0].columns, sizeof *s->times_on);
  s->state = sl_arena_reals (scratch, sl_gru_net_state (net));
  s->twin_state = sl_arena_reals (scratch, sl_gru_net_state (twin));
  s->z = sl_arena_reals (scratch, SL_GRU_LAYERS * h);
  s->logits = sl_arena_reals (scratch, net->symbols);
  work = sl_gru_net_work (net) > sl_gru_net_work (twin) ? sl_gru_net_work (net)
                                                        : sl_gru_net_work (twin);
  s->work = sl_arena_reals (scratch, work);
  s->rows = sl_arena_carve (scratch, h, sizeof *s->rows);
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

/* What only makes sense together. */
static SlStatus
check (const SlSettings *settings, const SlDataset *dataset)
{
  double h = settings->value[P_UNITS].v[0], g = settings->value[P_GATES].v[0];
  double needed = settings->value[P_BATCH].v[0] * (settings->value[P_LENGTH].v[0] + 1);

  if (settings->value[P_GATING].v[0] != 0.0 && fmod (h, g) != 0.0)
    return sl_status_new (SL_EINVAL, "gates", "a number that does not divide the units",
                          "blocks of equal size");
  if ((double) dataset->n[SL_TRAIN] < needed)
    return sl_status_new (SL_EUNSUPPORTED, dataset->title, "too short a text",
                          "at least batch × (length + 1) letters to train on");
  return SL_SUCCESS;
}

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlStatus    status = check (settings, dataset);
  SlLabState *s;
  SlRng       init;
  unsigned    layers;
  size_t      units;

  *state = NULL;
  if (!sl_ok (&status))
    return status;
  s = calloc (1, sizeof *s);
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  s->seed = seed;
  s->has_twin = value_of (s, P_TWIN) != 0.0;
  s->batch = (size_t) value_of (s, P_BATCH);
  s->length = (size_t) value_of (s, P_LENGTH);
  s->readers = dataset->n[SL_VALID] / STRETCH;
  s->readers = s->readers < 1 ? 1 : s->readers > READERS ? READERS : s->readers;
  layers = (unsigned) value_of (s, P_LAYERS);
  units = (size_t) value_of (s, P_UNITS);
  sl_gru_net_shape (&s->net, (SlGruGating) (SL_GRU_UNITS + (int) value_of (s, P_GATING)),
                    value_of (s, P_BOTTLENECK) == 0.0, dataset->classes, layers, units,
                    (size_t) value_of (s, P_GATES));
  sl_gru_net_shape (&s->twin, SL_GRU_DENSE, true, dataset->classes, layers, units, 0);

  cut (s);
  status = sl_arena_init (&s->kept, s->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (sl_ok (&status))
    {
      cut (s);
      sl_rng_init (&init, seed, "init");
      status = sl_gru_net_init (&s->net, &init);
      sl_rng_init (&init, seed, "init");
    }
  if (sl_ok (&status))
    status = sl_gru_net_init (&s->twin, &init);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  for (unsigned i = 0; i < ORDERS; i++)
    s->line[i] = sl_recurrence_gram_bits (dataset, i + 1);
  *state = s;
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  s->settings.value[param] = *value;
  s->now.look = true;
  return SL_SUCCESS;
}

/* Multiply-adds of one letter's way through the dense network. */
static double
dense_macs (const SlLabState *s)
{
  double macs = sl_gru_net_output_macs (&s->net);

  for (unsigned l = 0; l < s->net.layers; l++)
    macs += sl_gru_unit_macs (&s->twin.gru[l]) + sl_gru_gate_macs (&s->twin.gru[l]);
  return macs;
}

static void
report_training (SlLabState *s, const double *density, const double *executed, SlSink *sink)
{
  double offset = value_of (s, P_OFFSET);
  bool   rectified = s->net.gru[0].rectify && s->net.gru[0].gating != SL_GRU_UNITS;

  for (unsigned l = 0; l < s->net.layers; l++)
    sl_sink_value (sink, V_DENSITY, T_TRAIN, l, 100.0 * density[l]);
  sl_sink_value (sink, V_DENSITY, T_NORMAL, 0, 100.0 * sl_norm_share_on (offset, false));
  if (rectified)
    sl_sink_value (sink, V_DENSITY, T_RECTIFIED, 0, 100.0 * sl_norm_share_on (offset, true));
  sl_sink_value (sink, V_BITS, T_BITS_TRAIN, 0, s->now.loss / s->now.seen / M_LN2);
  if (s->has_twin)
    sl_sink_value (sink, V_BITS, T_BITS_TWIN, 0, s->now.twin_loss / s->now.seen / M_LN2);
  sl_sink_value (sink, V_BITS, T_UNIFORM, 0, log2 (s->dataset->classes));
  for (unsigned i = 0; i < ORDERS; i++)
    if (isfinite (s->line[i]))
      sl_sink_value (sink, V_BITS, T_ONE + i, 0, s->line[i]);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_recurrence_cost (s, executed));
  sl_sink_value (sink, V_COST, T_DENSE, 0, 100.0);
  s->now.loss = s->now.twin_loss = s->now.seen = 0.0;
}

static void
report_validation (SlLabState *s, SlSink *sink)
{
  size_t   n = s->dataset->n[SL_VALID], wanted = (size_t) value_of (s, P_LETTERS);
  Findings found;

  n = n < wanted ? n : wanted;
  n = n < s->readers ? s->readers : n;
  sl_recurrence_read (s, false, sl_dataset_first (s->dataset, SL_VALID), n, &found, NULL, NULL);
  sl_sink_value (sink, V_BITS, T_BITS_VALID, 0, found.bits);
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      sl_sink_value (sink, V_DENSITY, T_VALID, l, 100.0 * found.density[l]);
      sl_sink_value (sink, V_STRENGTH, 0, l, found.strength[l]);
      sl_sink_value (sink, V_STUCK, T_OFF, l, 100.0 * found.stuck[l][T_OFF]);
      sl_sink_value (sink, V_STUCK, T_ON, l, 100.0 * found.stuck[l][T_ON]);
    }
}

/* Puts the next stretch of every stream into `symbol`.  At the end of the text all begin anew,
 * and each does now and then: one after the other, so that there always are some whose states
 * are young. A network that never sees those may stay in them for ever when it is used.  */
static void
next_stretch (SlLabState *s)
{
  bool     wrap = s->now.position + s->length > stream_of (s);
  uint64_t every = (uint64_t) value_of (s, P_RESET);

  if (wrap)
    s->now.position = 0;
  for (size_t e = 0; e < s->batch; e++)
    if (wrap || (s->now.t + e * every / s->batch) % every == 0)
      {
        sl_gru_net_rest (&s->net, &s->train, e, 1);
        if (s->has_twin)
          sl_gru_net_rest (&s->twin, &s->twin_train, e, 1);
      }
  sl_recurrence_fetch (s, s->now.position, stream_of (s), s->batch, s->length, s->symbol);
}

/* Shrinks a gradient that is longer than the limit; one that is not finite stays, and shows. */
static void
clip (SlGruNet *net, double limit)
{
  double square = 0;

  for (size_t i = 0; i < net->n; i++)
    square += (double) net->gradient[i] * (double) net->gradient[i];
  if (sqrt (square) > limit)
    {
      sl_real factor = (sl_real) (limit / sqrt (square));

      for (size_t i = 0; i < net->n; i++)
        net->gradient[i] *= factor;
    }
}

/* One update of a network; its loss in nats per letter. */
static double
train (SlLabState *s, SlGruNet *net, SlGruRun *run)
{
  SlOptimSetting optim = sl_optim_default ();
  SlGruGates     gates = own_gates (s);
  double         loss;

  optim.rate = (sl_real) value_of (s, P_RATE);
  sl_gru_net_pack (net);
  sl_gru_net_forward (net, run, s->length, s->symbol, &gates);
  loss = sl_gru_net_loss (net, run, s->length, s->symbol + s->batch, true);
  if (!isfinite (loss))
    return loss;
  sl_gru_net_backward (net, run, s->length, s->symbol);
  clip (net, value_of (s, P_CLIP));
  sl_optim_step (&optim, s->now.t + 1, net->n, net->gradient, net->weights, net->m, net->v);
  return loss;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  bool   report = s->now.look || sl_due (s->now.t + 1, value_of (s, P_REPORT));
  double density[SL_GRU_LAYERS], executed[SL_GRU_LAYERS], loss, twin_loss = 0.0;
  double letters = (double) (s->batch * s->length);

  next_stretch (s);
  loss = train (s, &s->net, &s->train);
  if (s->has_twin && isfinite (loss))
    twin_loss = train (s, &s->twin, &s->twin_train);
  s->now.t++;
  if (!isfinite (loss) || !isfinite (twin_loss))
    return sl_diverged (isfinite (loss) ? twin_loss : loss);
  sl_gru_net_follow (&s->net, &s->train, s->length, s->now.followed ? value_of (s, P_FOLLOW) : 1.0);
  s->now.followed = true;
  sl_recurrence_densities (&s->net, &s->train, s->length, density, executed);
  sl_gru_net_carry (&s->net, &s->train, s->length);
  if (s->has_twin)
    sl_gru_net_carry (&s->twin, &s->twin_train, s->length);
  s->now.position += s->length;
  s->now.letters += s->batch * s->length;
  /* The backward pass multiplies twice for every multiplication of the forward pass. */
  s->now.macs += 3.0 * letters * dense_macs (s)
                 * (sl_recurrence_cost (s, executed) + (s->has_twin ? 1.0 : 0.0));
  s->now.loss += loss * letters;
  s->now.twin_loss += twin_loss * letters;
  s->now.seen += letters;
  if (report)
    report_training (s, density, executed, sink);
  if (s->now.look || sl_due (s->now.t, value_of (s, P_EVALUATE)))
    report_validation (s, sink);
  s->now.look = false;
  return SL_SUCCESS;
}

static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  static const char *const ids[SL_GRU_LAYERS] = { "on-1", "on-2" };
  static const char *const titles[SL_GRU_LAYERS] = { "gates on, layer 1", "gates on, layer 2" };
  size_t   first = sl_dataset_first (s->dataset, split), count = s->dataset->n[split];
  Findings found;

  *n = 0;
  if (count < s->readers)
    return SL_SUCCESS;
  sl_recurrence_read (s, false, first, count, &found, NULL, NULL);
  scores[(*n)++] = (SlScore) { "bits", "bits per letter", "", found.bits };
  for (unsigned l = 0; l < s->net.layers; l++)
    scores[(*n)++] = (SlScore) { ids[l], titles[l], "%", 100.0 * found.density[l] };
  scores[(*n)++] = (SlScore) { "cost", "multiplications executed", "% of dense",
                               100.0 * sl_recurrence_cost (s, found.executed) };
  if (s->has_twin)
    {
      sl_recurrence_read (s, true, first, count, &found, NULL, NULL);
      scores[(*n)++]
        = (SlScore) { "bits-twin", "bits per letter of the dense baseline", "", found.bits };
    }
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
  s->frozen = frozen;
  if (frozen)
    next_stretch (s);
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  SlGruGates gates = own_gates (s);

  if (!s->frozen)
    return sl_not_frozen ();
  sl_gru_net_pack (&s->net);
  sl_gru_net_forward (&s->net, &s->train, s->length, s->symbol, &gates);
  *loss = sl_gru_net_loss (&s->net, &s->train, s->length, s->symbol + s->batch, true);
  if (gradient != NULL)
    {
      sl_gru_net_backward (&s->net, &s->train, s->length, s->symbol);
      memcpy (gradient, s->net.gradient, s->net.n * sizeof *gradient);
    }
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  unsigned n = 0;

  piece[n++] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[n++] = (SlBlob) { "weights, moments and statistics", s->kept.block, s->kept.used };
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      size_t bytes = s->batch * s->net.gru[l].stride * sizeof (sl_real);

      piece[n++] = (SlBlob) { "states", s->train.tape[l].in, bytes };
      if (s->has_twin)
        piece[n++] = (SlBlob) { "states of the twin", s->twin_train.tape[l].in, bytes };
    }
  return n;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  s->settings = *settings;
  return s->now.position <= stream_of (s) ? SL_SUCCESS : sl_out_of_range ();
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = sl_progress (s->now.letters, s->dataset->n[SL_TRAIN], s->now.macs);
}

const SlLab sl_lab_gated_recurrence = {
  .id = "gated-recurrence",
  .title = "Gated recurrence",
  .summary = "Recurrent units that copy their state most of the time; copying costs nothing.",
  .reference = "Davis 2016, dissertation, chapter 4",
  .readings = sl_recurrence_readings,
  .params = sl_recurrence_params,
  .n_params = N_PARAMS,
  .panels = sl_recurrence_panels,
  .n_panels = N_PANELS,
  .error = "bits",
  .clock = &(const SlClock) { "speed.speed-up", 1, true },
  .data = SL_NEEDS_TEXT,
  .trials = sl_recurrence_trials,
  .n_trials = N_TRIALS,
  .sweeps = sl_recurrence_sweeps,
  .n_sweeps = 1,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_recurrence_probe,
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
