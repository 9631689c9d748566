/* SPDX-License-Identifier: MIT
 *
 * Lab `experts-text`: a language model with a mixture of experts between two recurrent layers, against
 * models that do as many multiplications without one (Shazeer et al. 2017, appendix C.1).  This file has
 * the state and the step; read.c what reading a text finds out, reports.c what is published, probes.c the
 * panels that need a computation of their own, tables.c and panels.c the words.  */
#include "core/labs/experts-text/lab.h"

#include <math.h>
#include <string.h>

/* Symbols of one stream of the training text. */
static size_t
stream_of (const SlExpertsTextLab *s)
{
  return s->words.n[SL_TRAIN] / s->batch;
}

static SlLanguageShape
shape_of (const SlExpertsTextLab *s, SlMiddle middle)
{
  const SlLabState *state = &s->base;
  size_t            units = sl_count_of (state, P_UNITS), rows = sl_experts_text_rows (s);
  SlLanguageShape   shape = {
      .middle = middle,
      .kinds = s->words.kinds,
      .units = units,
      .experts = {
        .gate = (SlMoeGate) sl_value_of (state, P_GATE),
        .inputs = units,
        .hidden = sl_count_of (state, P_HIDDEN),
        .outputs = units,
        .experts = sl_count_of (state, P_EXPERTS),
        .groups = sl_count_of (state, P_GROUPS),
        .most = rows > READERS * STRETCH ? rows : READERS * STRETCH,
        .factored = sl_is_on (state, P_FACTORED),
      },
      .matched = sl_count_of (state, P_MATCHED),
      .residual = sl_is_on (state, P_RESIDUAL),
      .sigmoid = sl_is_on (state, P_SIGMOID),
  };

  return shape;
}

static SlStatus
read_words (SlExpertsTextLab *s)
{
  if (!sl_is_on (&s->base, P_SYMBOLS))
    return sl_words_letters (&s->words, s->base.dataset);
  return sl_words_read (&s->words, s->base.dataset, sl_count_of (&s->base, P_VOCABULARY));
}

static size_t
least (size_t a, size_t b)
{
  return a < b ? a : b;
}

static SlStatus
shape (SlLabState *state)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  SlLanguageShape   net, baseline;
  SlStatus          status = read_words (s);

  if (!sl_ok (&status))
    return status;
  state->pass = s->words.n[SL_TRAIN];
  s->batch = sl_count_of (state, P_BATCH);
  s->length = sl_count_of (state, P_LENGTH);
  s->readers = least (READERS, least (s->words.n[SL_VALID], s->words.n[SL_TEST]) - 1);
  s->has_baseline = sl_is_on (state, P_BASELINE);
  if (stream_of (s) < s->length + 1)
    return sl_status_new (SL_EUNSUPPORTED, state->dataset->title, sl_message ("too short a text"),
                          sl_message ("at least streams × (symbols per update + 1) symbols to "
                                      "train on"));
  net = shape_of (s, (SlMiddle) sl_value_of (state, P_LAYER));
  /* In the order of the choices, of which the first is none. */
  baseline = shape_of (s, (SlMiddle) sl_value_of (state, P_BASELINE));
  sl_language_shape (&s->net.model, &net);
  sl_language_shape (&s->baseline.model, &baseline);
  if (sl_experts_text_mixes (s))
    status = sl_mixture_check (&net.experts, MOST_MEMORY);
  return sl_ok (&status) ? sl_experts_text_single (s) : status;
}

static void
carve_net (const SlExpertsTextLab *s, SlExpertsTextNet *net, SlArena *kept, SlArena *scratch)
{
  sl_language_carve (&net->model, kept, scratch);
  sl_language_run_carve (&net->train, &net->model, s->batch, s->length, true, scratch);
  sl_language_run_carve (&net->read, &net->model, s->readers, STRETCH, false, scratch);
}

static void
carve (SlLabState *state)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  SlArena          *kept = &state->kept, *scratch = &state->scratch;
  size_t            rows = sl_experts_text_rows (s);

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  carve_net (s, &s->net, kept, scratch);
  if (s->has_baseline)
    carve_net (s, &s->baseline, kept, scratch);
  s->symbol = sl_arena_carve (scratch, (s->length + 1) * s->batch, sizeof *s->symbol);
  s->read_symbol = sl_arena_carve (scratch, (STRETCH + 1) * s->readers, sizeof *s->read_symbol);
  s->margin = sl_arena_reals (scratch, 2 * STRETCH * s->readers);
  s->set = sl_arena_carve (scratch, 2 * rows, sizeof *s->set);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  SlRng             rng;

  state->weights = (SlSpan) { s->net.model.weights, s->net.model.n };
  sl_rng_init (&rng, seed, "init");
  sl_language_init (&s->net.model, &rng);
  if (s->has_baseline)
    {
      sl_rng_init (&rng, seed, "init baseline");
      sl_language_init (&s->baseline.model, &rng);
    }
  sl_rng_init (&s->now->noise, seed, "gate noise");
  sl_rng_init (&s->now->dropout, seed, "dropout");
  sl_rng_init (&s->now->dropout_baseline, seed, "dropout baseline");
  return SL_SUCCESS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);

  if (param == P_OPTIMISER && before->v[0] != sl_value_of (state, param))
    {
      sl_language_clear_moments (&s->net.model);
      if (s->has_baseline)
        sl_language_clear_moments (&s->baseline.model);
      s->now->moments = 0;
    }
  if (param == P_EXPERT)
    return SL_SUCCESS; /* who is looked at changes no curve */
  /* With other experts per symbol the model is another one from the next update on. */
  if (param == P_K || param == P_K_GROUPS)
    state->now.evaluate = true;
  state->now.report = true;
  return SL_SUCCESS;
}

/* Puts the next stretch of every stream into `symbol`; at the end of the text all begin anew. */
static void
next_stretch (SlExpertsTextLab *s)
{
  if (s->now->position + s->length >= stream_of (s))
    {
      s->now->position = 0;
      sl_language_rest (&s->net.model, &s->net.train, 0, s->batch);
      if (s->has_baseline)
        sl_language_rest (&s->baseline.model, &s->baseline.train, 0, s->batch);
    }
  sl_experts_text_fetch (s, s->now->position, stream_of (s), s->batch, s->length, s->symbol);
}

static SlOptimSetting
optim_of (const SlExpertsTextLab *s)
{
  static const SlMixtureOptimParams params = { P_OPTIMISER, P_RATE, P_SCHEDULE, P_WARM_UP, P_FLAT };

  return sl_mixture_optim (&s->base, &params);
}

/* Draws a net's dropout and noise, and runs it over the stretch; its loss in nats per symbol. */
static double
run (SlExpertsTextLab *s, SlExpertsTextNet *net, SlRng *dropout, size_t *errors)
{
  SlLanguagePass pass = sl_experts_text_pass (s, true);

  sl_language_draw (&net->model, &net->train, s->length, &pass, dropout, &s->now->noise);
  sl_language_forward (&net->model, &net->train, s->length, s->symbol, &pass);
  return sl_language_loss (&net->model, &net->train, s->length, s->symbol + s->batch, true, errors);
}

/* The update after it. */
static void
learn (SlExpertsTextLab *s, SlExpertsTextNet *net)
{
  SlLanguagePass pass = sl_experts_text_pass (s, true);
  SlOptimSetting optim = optim_of (s);

  sl_language_backward (&net->model, &net->train, s->length, s->symbol, &pass, &optim,
                        s->now->moments);
  sl_language_carry (&net->model, &net->train, s->length);
}

static bool
has_noise (const SlExpertsTextLab *s)
{
  SlLanguagePass pass = sl_experts_text_pass (s, true);

  return sl_experts_text_mixes (s) && sl_mixture_is_noisy (&s->net.model.moe, &pass.experts);
}

/* Leaves in s->set what the symbols would choose without the noise that they are about to get. */
static void
run_without_noise (SlExpertsTextLab *s)
{
  SlLanguagePass pass = sl_experts_text_pass (s, false);

  sl_language_forward (&s->net.model, &s->net.train, s->length, s->symbol, &pass);
  sl_mixture_sets (&s->net.model.moe.dispatch, sl_experts_text_rows (s), s->set);
}

/* Share of the symbols that chose the same with it. */
static double
same_with_noise (SlExpertsTextLab *s)
{
  size_t    rows = sl_experts_text_rows (s), same = 0;
  uint64_t *noisy = s->set + rows;

  sl_mixture_sets (&s->net.model.moe.dispatch, rows, noisy);
  for (size_t row = 0; row < rows; row++)
    same += s->set[row] == noisy[row];
  return (double) same / (double) rows;
}

/* Multiply-adds of a training step: forward, and backward twice the same. */
static double
step_macs (const SlExpertsTextLab *s, const SlExpertsTextNet *net)
{
  double rows = (double) sl_experts_text_rows (s), chosen = 0.0;

  if (net->model.shape.middle == SL_MIDDLE_EXPERTS)
    chosen = (double) net->model.moe.dispatch.total / rows;
  return 3.0 * rows
         * (sl_experts_text_macs (s, net, chosen) + sl_language_softmax_macs (&net->model));
}

static SlStatus
check_loss (const SlExpertsTextLab *s, double loss)
{
  const SlMoe *moe = &s->net.model.moe;

  if (sl_experts_text_mixes (s) && moe->balance.not_finite > 0)
    return sl_mixture_not_finite (moe->balance.not_finite);
  return isfinite (loss) ? SL_SUCCESS : sl_diverged (loss);
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  bool              report = sl_report_due (state, P_REPORT), watched = report && has_noise (s);
  size_t            errors, other_errors;
  double            loss, other = 0.0, same = NAN, macs;
  SlStatus          status;

  next_stretch (s);
  if (watched)
    run_without_noise (s);
  loss = run (s, &s->net, &s->now->dropout, &errors);
  macs = step_macs (s, &s->net);
  if (s->has_baseline)
    {
      other = run (s, &s->baseline, &s->now->dropout_baseline, &other_errors);
      macs += step_macs (s, &s->baseline);
    }
  state->now.t++;
  s->now->moments++;
  status = check_loss (s, loss + other + sl_language_balance_loss (&s->net.model));
  if (!sl_ok (&status))
    return status;
  if (watched)
    same = same_with_noise (s);
  if (sl_experts_text_mixes (s))
    sl_mixture_sum (&s->now->sums, &s->net.model.moe);
  sl_count_batch (state, sl_experts_text_rows (s), loss, errors, macs);
  learn (s, &s->net);
  if (s->has_baseline)
    learn (s, &s->baseline);
  s->now->position += s->length;
  state->now.report = false;
  if (report)
    sl_experts_text_report (s, same, sink);
  if (sl_evaluation_due (state, P_EVALUATE))
    sl_experts_text_report_validation (s, sink);
  return SL_SUCCESS;
}

static void
freeze (SlLabState *state)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  size_t            errors;

  next_stretch (s);
  run (s, &s->net, &s->now->dropout, &errors);
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  SlLanguage       *model = &s->net.model;
  SlLanguagePass    pass = sl_experts_text_pass (s, true);
  size_t            errors;
  double            loss;

  pass.held = true;
  sl_language_forward (model, &s->net.train, s->length, s->symbol, &pass);
  loss = sl_language_loss (model, &s->net.train, s->length, s->symbol + s->batch, gradient != NULL,
                           &errors)
         + sl_language_balance_loss (model);
  if (gradient != NULL)
    {
      sl_language_backward (model, &s->net.train, s->length, s->symbol, &pass, NULL, 0);
      memcpy (gradient, model->gradient, model->n * sizeof *gradient);
    }
  return loss;
}

/* The states that the streams of a net are in. */
static unsigned
add_states (const SlExpertsTextLab *s, const SlExpertsTextNet *net, SlBlob *blob)
{
  size_t   bytes = s->batch * net->model.shape.units * sizeof (sl_real);
  unsigned n = 0;

  for (unsigned l = 0; l < net->model.layers; l++)
    if (sl_language_recurs (&net->model, l))
      {
        blob[n++] = (SlBlob) { "cells", net->train.tape[l].cell, bytes };
        blob[n++] = (SlBlob) { "states", net->train.tape[l].state, bytes };
      }
  return n;
}

static unsigned
blobs (SlLabState *state, SlBlob *blob)
{
  SlExpertsTextLab *s = sl_experts_text_lab (state);
  unsigned          n = add_states (s, &s->net, blob);

  if (s->has_baseline)
    n += add_states (s, &s->baseline, blob + n);
  if (sl_experts_text_mixes (s))
    blob[n++] = (SlBlob) { "updates of the gates", &s->net.model.moe.updates,
                           sizeof s->net.model.moe.updates };
  return n;
}

static SlStatus
restored (SlLabState *state)
{
  const SlExpertsTextLab *s = sl_experts_text_lab (state);

  return s->now->position <= stream_of (s) ? SL_SUCCESS : sl_out_of_range ();
}

static void
clear (SlLabState *state)
{
  sl_words_clear (&sl_experts_text_lab (state)->words);
}

#define SMALL "report-every=3 evaluate-every=10 evaluate-symbols=64 "
#define TEXT "grammar:length=4000"
#define AS_MANY "batch=32 units=64 hidden=128 k=4 matched=4 "

/* clang-format off */
const SlLab sl_lab_experts_text = {
  .id = "experts-text", .title = "Experts on text",
  .summary = "A gate sends each word of a language model to a few of many small networks.",
  .reference = "Shazeer et al. 2017, appendix C.1",
  .params = sl_experts_text_params, .n_params = N_PARAMS, .panels = sl_experts_text_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive perplexity usage cv effective cost size loss",
    .knobs = "layer k experts w-importance w-load learning-rate units",
    .bars = {
      { SL_MARK ("work per symbol"), "cost.executed", NULL, "thousand" },
      { SL_MARK ("load spread (CV)"), "cv.hard", "cv.floor", NULL },
      { SL_MARK ("perplexity"), "perplexity.valid", NULL, NULL },
    },
  },
  .data = SL_NEEDS_TEXT, .best = "perplexity.valid", .error = "perplexity",
  .valid = "perplexity.valid",
  .costs = &(const SlCosts) { .executed = "cost.executed", .label = "multiplications per symbol",
                              .unit = "thousand", .parameters = true },
  .state_bytes = sizeof (SlExpertsTextLab), .state_version = 3, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_experts_text_probes,
  .score = sl_experts_text_score, .scores = sl_experts_text_score_names, .freeze = freeze, .objective = objective, .blobs = blobs,
  .restored = restored, .clear = clear,
  SL_SWEEPS (
    { .id = "pay", .title = "Do experts help?",
      .help = "More experts at the same multiplications, against three dense models: perplexity against parameters "
              "and computation.",
      .axes = "preset=moe-4,moe-16,moe-64,moe-256,moe-64-h,moe-256-h,moe-1-wide,moe-1-deep,4xlstm",
      .seeds = "1-3", .steps = 2000 },
    { .id = "k", .title = "Sweep k",
      .help = "More experts per word: perplexity against multiplications.", .axes = "k=1,2,4,8",
      .seeds = "1-3", .steps = 600 }),
  SL_PRESETS (
    { "paper", "As in the paper",
      .help = "Published sizes, with fewer words per update. An update takes seconds.",
      .settings = "experts=256 k=4 hidden=1024 units=512 dropout=0.1 schedule=inverse-root "
                  "warm-up=1000 batch=64 vocabulary=20000" },
    { "quick", "Quick",
      .help = "A small network: the curves move within seconds.",
      .settings = "symbols=letters experts=8 k=2 matched=2 units=32 hidden=32 batch=16" },
    { "collapse", "Make it collapse",
      .help = "Nothing rewards balance: a few experts soon do nearly everything.",
      .settings = "w-importance=0 w-load=0 noise=no",
      .holds = SL_NAMES ("100", "effective.effective < 8", "cv.hard > 0.75 * cv.collapse") }),
  SL_ROWS (
    { "moe-4", "MoE-4",
      .settings = AS_MANY "experts=4" },
    { "moe-16", "MoE-16",
      .settings = AS_MANY "experts=16" },
    { "moe-64", "MoE-64",
      .settings = AS_MANY "experts=64" },
    { "moe-256", "MoE-256",
      .settings = AS_MANY "experts=256" },
    { "moe-64-h", "MoE-64-h",
      .settings = "batch=32 units=64 hidden=128 k=2 k-groups=2 groups=8 matched=4 experts=64" },
    { "moe-256-h", "MoE-256-h",
      .settings = "batch=32 units=64 hidden=128 k=2 k-groups=2 groups=16 matched=4 experts=256" },
    { "moe-1-wide", "MoE-1-Wide",
      .settings = AS_MANY "layer=wide" },
    { "moe-1-deep", "MoE-1-Deep",
      .settings = AS_MANY "layer=deep" },
    { "4xlstm", "4xLSTM",
      .settings = AS_MANY "layer=lstms" }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("perplexity.train", "learning-rate"),
    { .id = "collapse", .channel = "cv.hard", .than = "cv.collapse", .begins = 0.7, .ends = 0.5,
      .words = "A few experts do nearly everything; the others are dead.",
      .knobs = "w-importance w-load noise" }),
  .readings = SL_NAMES (
    "Open: the King James Bible has 0.8 million words, the published text a thousand million. Only the "
    "order of perplexities is comparable.",
    "Ours: one full softmax over the vocabulary; the paper samples, for 793 471 words.",
    "Ours: texts are streams, not separate sentences. An update has hundreds of words, not 300 000.",
    "Open: the attention functions of appendix G are for translation and not included."),
  /* Every middle layer and every gate, with and without what can be left out; letters and words; an
   * end of the text on the way.  */
  SL_TRIALS (
    { TEXT, SMALL "units=6 hidden=5 experts=4 k=2 batch=4 length=5 vocabulary=20" },
    { TEXT, SMALL "units=5 hidden=4 experts=6 groups=3 k=1 k-groups=2 batch=3 length=4 dropout=0 "
                  "vocabulary=50 recompute=yes baseline=deep matched=2" },
    { TEXT, SMALL "symbols=letters units=6 hidden=5 experts=4 k=2 gate=balanced batch=5 length=4 "
                  "sigmoid=no baseline=lstms" },
    { TEXT, SMALL "units=5 hidden=3 layer=wide matched=3 batch=3 length=5 residual=no vocabulary=30" },
    { TEXT, SMALL "units=5 hidden=3 layer=deep matched=2 batch=3 length=5 schedule=inverse-root "
                  "warm-up=10 baseline=wide vocabulary=30" },
    { TEXT, SMALL "units=4 layer=lstms batch=90 length=6 optimiser=sgd learning-rate=0.1 "
                  "vocabulary=30" },
    { TEXT, SMALL "units=5 hidden=4 experts=1 k=1 batch=3 length=4 vocabulary=30 factored=yes" },
    { TEXT, SMALL "units=5 hidden=4 experts=3 k=3 batch=3 length=4 vocabulary=30 noise=no" }),
};
/* clang-format on */
