/* SPDX-License-Identifier: MIT
 *
 * Lab `gated-recurrence`: a language model of gated recurrent units most of which copy their last
 * state, so that they need not be computed (Davis 2016, chapter 4).  This file has the state and
 * the step, tables.c what is said about them, read.c what reading a text finds out, and probes.c
 * the panels that need a computation of their own.  */
#include "core/labs/gated-recurrence/lab.h"

#include <math.h>
#include <string.h>

#include "core/nn/dense/batchnorm.h"
#include "core/nn/optim/optim.h"

/* How fast the statistics that evaluation uses follow those of the training batches, per update. */
static const double FOLLOW = 0.05;

/* A longer gradient is scaled down to this length. */
static const double LONGEST = 1.0;

/* The gates of a training pass. */
static SlGruGates
own_gates (const SlRecurrenceLab *s)
{
  SlGruGates gates = sl_recurrence_given (s);

  gates.given = false;
  return gates;
}

/* Letters of one stream of the training text. */
static size_t
stream_of (const SlRecurrenceLab *s)
{
  return s->base.dataset->n[SL_TRAIN] / s->batch;
}

static SlStatus
shape (SlLabState *state)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  const SlDataset *data = state->dataset;
  size_t           units = sl_count_of (state, P_UNITS), gates = sl_count_of (state, P_GATES);
  unsigned         layers = (unsigned) sl_value_of (state, P_LAYERS);

  s->batch = sl_count_of (state, P_BATCH);
  s->length = sl_count_of (state, P_LENGTH);
  if (sl_is_on (state, P_GATING) && units % gates != 0)
    return sl_status_new (SL_EINVAL, "gates",
                          sl_message ("a number that does not divide the units"),
                          sl_message ("blocks of equal size"));
  if (data->n[SL_TRAIN] < s->batch * (s->length + 1))
    return sl_status_new (SL_EUNSUPPORTED, data->title, sl_message ("too short a text"),
                          sl_message ("at least batch × (length + 1) letters to train on"));
  s->has_twin = sl_is_on (state, P_TWIN);
  s->readers = data->n[SL_VALID] / STRETCH;
  s->readers = s->readers < 1 ? 1 : s->readers > READERS ? READERS : s->readers;
  sl_gru_net_shape (&s->net, (SlGruGating) (SL_GRU_UNITS + (int) sl_value_of (state, P_GATING)),
                    !sl_is_on (state, P_BOTTLENECK), sl_is_on (state, P_AFFINE), data->classes,
                    layers, units, gates);
  sl_gru_net_shape (&s->twin, sl_is_on (state, P_BASELINE) ? SL_GRU_STANDARD : SL_GRU_DENSE, true,
                    false, data->classes, layers, units, 0);
  return SL_SUCCESS;
}

static void
carve (SlLabState *state)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  SlGruNet        *net = &s->net, *twin = &s->twin;
  SlArena         *kept = &state->kept, *scratch = &state->scratch;
  size_t h = net->gru[0].units, own = sl_gru_net_work (net), dense = sl_gru_net_work (twin);

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  sl_gru_net_carve (net, true, kept, scratch);
  sl_gru_net_carve (twin, s->has_twin, kept, scratch);
  sl_gru_run_carve (&s->train, net, s->batch, s->length, true, scratch);
  if (s->has_twin)
    {
      sl_gru_run_carve (&s->twin_train, twin, s->batch, s->length, true, scratch);
      sl_gru_run_carve (&s->twin_read, twin, s->readers, STRETCH, false, scratch);
    }
  sl_gru_run_carve (&s->read, net, s->readers, STRETCH, false, scratch);
  sl_gru_run_carve (&s->timed, net, s->batch, 1, false, scratch);
  sl_gru_run_carve (&s->twin_timed, twin, s->batch, 1, false, scratch);
  s->symbol = sl_arena_carve (scratch, (s->length + 1) * s->batch, 1);
  s->read_symbol = sl_arena_carve (scratch, (STRETCH + 1) * s->readers, 1);
  s->timed_symbol = sl_arena_carve (scratch, s->batch, 1);
  s->times_on = sl_arena_carve (scratch, SL_GRU_LAYERS * net->gru[0].columns, sizeof *s->times_on);
  s->state = sl_arena_reals (scratch, sl_gru_net_state (net));
  s->twin_state = sl_arena_reals (scratch, sl_gru_net_state (twin));
  s->z = sl_arena_reals (scratch, SL_GRU_LAYERS * h);
  s->logits = sl_arena_reals (scratch, net->symbols);
  s->work = sl_arena_reals (scratch, own > dense ? own : dense);
  s->rows = sl_arena_carve (scratch, h, sizeof *s->rows);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  SlGruNet        *nets[] = { &s->net, &s->twin };
  SlStatus         status = SL_SUCCESS;
  SlRng            rng;

  s->seed = seed;
  state->weights = (SlSpan) { s->net.weights, s->net.n };
  for (int i = 0; i < 2 && sl_ok (&status); i++)
    {
      sl_rng_init (&rng, seed, "init");
      status = sl_gru_net_init (nets[i], &rng);
    }
  for (unsigned i = 0; i < ORDERS; i++)
    s->line[i] = sl_recurrence_gram_bits (state->dataset, i + 1);
  return status;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  state->now.report = true;
  return SL_SUCCESS;
}

/* Multiply-adds of one letter's way through the dense network. */
static double
dense_macs (const SlRecurrenceLab *s)
{
  double macs = sl_gru_net_output_macs (&s->net);

  for (unsigned l = 0; l < s->net.layers; l++)
    macs += sl_gru_unit_macs (&s->twin.gru[l]) + sl_gru_gate_macs (&s->twin.gru[l]);
  return macs;
}

static void
report_training (SlRecurrenceLab *s, const double *density, const double *executed, SlSink *sink)
{
  double offset = sl_value_of (&s->base, P_OFFSET);
  bool   rectified = s->net.gru[0].rectify && s->net.gru[0].gating != SL_GRU_UNITS;

  for (unsigned l = 0; l < s->net.layers; l++)
    sl_sink_value (sink, V_DENSITY, T_TRAIN, l, 100.0 * density[l]);
  sl_sink_value (sink, V_DENSITY, T_NORMAL, 0, 100.0 * sl_norm_share_on (offset, false));
  if (rectified)
    sl_sink_value (sink, V_DENSITY, T_RECTIFIED, 0, 100.0 * sl_norm_share_on (offset, true));
  sl_sink_value (sink, V_BITS, T_BITS_TRAIN, 0, s->base.now.loss / s->base.now.seen / M_LN2);
  if (s->has_twin)
    sl_sink_value (sink, V_BITS, T_BITS_TWIN, 0, s->now->twin_loss / s->base.now.seen / M_LN2);
  sl_sink_value (sink, V_BITS, T_UNIFORM, 0, log2 (s->base.dataset->classes));
  for (unsigned i = 0; i < ORDERS; i++)
    if (isfinite (s->line[i]))
      sl_sink_value (sink, V_BITS, T_ONE + i, 0, s->line[i]);
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_recurrence_cost (s, executed));
  sl_sink_value (sink, V_COST, T_DENSE, 0, 100.0);
  s->base.now.loss = s->base.now.seen = s->now->twin_loss = 0.0;
}

static void
report_validation (SlRecurrenceLab *s, SlSink *sink)
{
  size_t   n = sl_examples (&s->base, SL_VALID, sl_value_of (&s->base, P_LETTERS));
  Findings found;

  n = n < s->readers ? s->readers : n;
  sl_recurrence_read (s, false, sl_dataset_first (s->base.dataset, SL_VALID), n, &found, NULL,
                      NULL);
  sl_sink_value (sink, V_BITS, T_BITS_VALID, 0, found.bits);
  for (unsigned l = 0; l < s->net.layers; l++)
    {
      sl_sink_value (sink, V_DENSITY, T_VALID, l, 100.0 * found.density[l]);
      sl_sink_value (sink, V_STUCK, T_OFF, l, 100.0 * found.stuck[l][T_OFF]);
      sl_sink_value (sink, V_STUCK, T_ON, l, 100.0 * found.stuck[l][T_ON]);
    }
}

/* Puts the next stretch of every stream into `symbol`.  At the end of the text all begin anew,
 * and each does now and then: unless all are to at once, one after the other, so that there always are
 * some whose states are young. A network that never sees those may stay in them for ever when it is used.  */
static void
next_stretch (SlRecurrenceLab *s)
{
  bool     wrap = s->now->position + s->length > stream_of (s);
  uint64_t every = (uint64_t) sl_value_of (&s->base, P_RESET);
  uint64_t apart = sl_is_on (&s->base, P_RESET_ALL) ? 0 : every;

  if (wrap)
    s->now->position = 0;
  for (size_t e = 0; e < s->batch; e++)
    if (wrap || (s->base.now.t + e * apart / s->batch) % every == 0)
      {
        sl_gru_net_rest (&s->net, &s->train, e, 1);
        if (s->has_twin)
          sl_gru_net_rest (&s->twin, &s->twin_train, e, 1);
      }
  sl_recurrence_fetch (s, s->now->position, stream_of (s), s->batch, s->length, s->symbol);
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
train (SlRecurrenceLab *s, SlGruNet *net, SlGruRun *run)
{
  SlOptimSetting optim = sl_optim_default ();
  SlGruGates     gates = own_gates (s);
  double         loss;

  optim.rate = (sl_real) sl_value_of (&s->base, P_RATE);
  sl_gru_net_pack (net);
  sl_gru_net_forward (net, run, s->length, s->symbol, &gates);
  loss = sl_gru_net_loss (net, run, s->length, s->symbol + s->batch, true);
  if (!isfinite (loss))
    return loss;
  sl_gru_net_backward (net, run, s->length, s->symbol);
  clip (net, LONGEST);
  sl_optim_step (&optim, s->base.now.t + 1, net->n, net->gradient, net->weights, net->m, net->v);
  return loss;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  bool             report = sl_report_due (state, P_REPORT);
  double           density[SL_GRU_LAYERS], executed[SL_GRU_LAYERS], loss, twin_loss = 0.0, dense;
  size_t           letters = s->batch * s->length;

  next_stretch (s);
  loss = train (s, &s->net, &s->train);
  if (s->has_twin && isfinite (loss))
    twin_loss = train (s, &s->twin, &s->twin_train);
  state->now.t++;
  if (!isfinite (loss) || !isfinite (twin_loss))
    return sl_diverged (isfinite (loss) ? twin_loss : loss);
  sl_gru_net_follow (&s->net, &s->train, s->length, s->now->followed ? FOLLOW : 1.0);
  s->now->followed = true;
  sl_recurrence_densities (&s->net, &s->train, s->length, density, executed);
  sl_gru_net_carry (&s->net, &s->train, s->length);
  if (s->has_twin)
    sl_gru_net_carry (&s->twin, &s->twin_train, s->length);
  s->now->position += s->length;
  /* The backward pass multiplies twice for every multiplication of the forward pass. */
  dense = 3.0 * (double) letters * dense_macs (s);
  sl_count_batch (state, letters, loss, 0,
                  dense * (sl_recurrence_cost (s, executed) + (s->has_twin ? 1.0 : 0.0)));
  s->now->twin_loss += twin_loss * (double) letters;
  if (report)
    report_training (s, density, executed, sink);
  if (state->now.report || sl_due (state->now.t, sl_value_of (state, P_EVALUATE)))
    report_validation (s, sink);
  state->now.report = false;
  return SL_SUCCESS;
}

/* What score() tells. */
static const SlScore score_names[] = {
  { "bits", SL_MARK ("bits per letter"), "", 0 },
  { "cost", SL_MARK ("multiplications executed"), "% of dense", 0 },
  { "bits-twin", SL_MARK ("bits per letter of the dense baseline"), "", 0 },
  { "on-1", SL_MARK ("gates on, layer 1"), "%", 0 },
  { "on-2", SL_MARK ("gates on, layer 2"), "%", 0 },
  { 0 },
};

static void
score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  static const char *const ids[SL_GRU_LAYERS] = { "on-1", "on-2" };
  SlRecurrenceLab         *s = sl_recurrence_lab (state);
  size_t   first = sl_dataset_first (state->dataset, split), count = state->dataset->n[split];
  Findings found;

  if (count < s->readers)
    return;
  sl_recurrence_read (s, false, first, count, &found, NULL, NULL);
  scores[(*n)++] = sl_score (score_names, "bits", found.bits);
  for (unsigned l = 0; l < s->net.layers; l++)
    scores[(*n)++] = sl_score (score_names, ids[l], 100.0 * found.density[l]);
  scores[(*n)++] = sl_score (score_names, "cost", 100.0 * sl_recurrence_cost (s, found.executed));
  if (!s->has_twin)
    return;
  sl_recurrence_read (s, true, first, count, &found, NULL, NULL);
  scores[(*n)++] = sl_score (score_names, "bits-twin", found.bits);
}

static void
freeze (SlLabState *state)
{
  next_stretch (sl_recurrence_lab (state));
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  SlGruGates       gates = own_gates (s);
  double           loss;

  sl_gru_net_pack (&s->net);
  sl_gru_net_forward (&s->net, &s->train, s->length, s->symbol, &gates);
  loss = sl_gru_net_loss (&s->net, &s->train, s->length, s->symbol + s->batch, true);
  if (gradient != NULL)
    {
      sl_gru_net_backward (&s->net, &s->train, s->length, s->symbol);
      memcpy (gradient, s->net.gradient, s->net.n * sizeof *gradient);
    }
  return loss;
}

/* The states that the streams are in. */
static unsigned
blobs (SlLabState *state, SlBlob *blob)
{
  SlRecurrenceLab *s = sl_recurrence_lab (state);
  unsigned         n = 0;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      size_t bytes = s->batch * s->net.gru[l].stride * sizeof (sl_real);

      blob[n++] = (SlBlob) { "states", s->train.tape[l].in, bytes };
      if (s->has_twin)
        blob[n++] = (SlBlob) { "states of the twin", s->twin_train.tape[l].in, bytes };
    }
  return n;
}

static SlStatus
restored (SlLabState *state)
{
  const SlRecurrenceLab *s = sl_recurrence_lab (state);

  return s->now->position <= stream_of (s) ? SL_SUCCESS : sl_out_of_range ();
}

#define SMALL "report-every=5 evaluate-every=10 evaluate-letters=64 "
#define TEXT "grammar:length=3000"

/* clang-format off */
const SlLab sl_lab_gated_recurrence = {
  .id = "gated-recurrence", .title = "Gated recurrence",
  .summary = "Recurrent units copy their state most of the time; copying costs nothing.",
  .reference = "Davis 2016, dissertation, chapter 4",
  .params = sl_recurrence_params, .n_params = N_PARAMS, .panels = sl_recurrence_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive density bits copies sample",
    .knobs = "s gates gating units learning-rate",
  },
  .data = SL_NEEDS_TEXT, .error = "bits", .valid = "bits.valid",
  .clock = &sl_recurrence_passes,
  .costs = &(const SlCosts) { .executed = "cost.executed" },
  .state_bytes = sizeof (SlRecurrenceLab), .state_version = 2, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_recurrence_probes, .score = score, .scores = score_names,
  .freeze = freeze, .objective = objective, .blobs = blobs, .restored = restored,
  SL_SWEEPS (
    { .id = "s", .title = "Sweep the offset s",
      .help = "Bits per letter against the multiplications that are left.",
      .axes = "s=-1,-0.5,-0.25,0,0.5", .seeds = "1-2", .steps = 400 }),
  SL_PRESETS (
    { "paper", "As in the paper",
      .help = "Published sizes. An update takes seconds.",
      .settings = "layers=2 units=1024 gating=units gates=64 s=-0.25 learning-rate=0.001 batch=64 "
                  "length=50 reset=1000 reset-all=yes" },
    { "quick", "Quick",
      .help = "A small layer on short pieces of text: many updates a second.",
      .settings = "units=96 gates=8 batch=32 length=20" },
    { "collapse", "Make it collapse",
      .help = "A very low offset switches nearly all gates off.",
      .settings = "s=-1.5 units=96 gates=8 batch=32 length=20",
      .holds = SL_NAMES ("200", "density.valid.1 < 20", "bits.valid > bits.one - 0.2") }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("bits.train", "learning-rate"),
    { .id = "off", .channel = "stuck.off", .begins = 40, .ends = 25,
      .words = "Many gates are off for every letter.",
      .knobs = "s" }),
  .gone = SL_NAMES ("follow", "epsilon", "clip"),
  .readings = SL_NAMES (
    "Reading: eq. 4.7 divides by σ², which would tie the gates on to the scale of v; here it is √(σ² + ε), as in "
    "eq. 2.14.",
    "Reading: eq. 4.7 prints − s; the text, both tables and the captions need + s.",
    "Convention: statistics for use are averaged over the letters of an update.",
    "Ours: the third kind of gates, after the outlook of §4.5.4.",
    "Open: the published speed-ups are of 1024 units on another machine."),
  /* Every gating with and without the rectifier, one layer and two, with and without a twin; units
   * that do and do not fill their strips; an end of the text and a rest on the way.  */
  SL_TRIALS (
    { TEXT, SMALL "units=24 gates=4 batch=8 length=5 gating=units layers=2" },
    { TEXT, SMALL "units=24 gates=4 batch=8 length=5 gating=blocks layers=2 twin=yes" },
    { TEXT, SMALL "units=40 gates=8 batch=16 length=6 gating=mixed reset=7 affine=yes" },
    { TEXT, SMALL "units=12 gates=4 batch=3 length=5 reset=2 reset-all=yes" },
    { TEXT, SMALL "units=70 gates=7 batch=8 length=4 gating=units bottleneck=identity s=0.3 affine=yes" },
    { TEXT, SMALL "units=32 gates=2 batch=8 length=4 gating=blocks bottleneck=identity twin=yes "
            "baseline=inside" },
    { TEXT,
      SMALL "units=18 gates=6 batch=6 length=4 gating=mixed bottleneck=identity layers=2 "
            "s=-0.5" }),
};
/* clang-format on */
