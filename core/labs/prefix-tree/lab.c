/* SPDX-License-Identifier: MIT
 *
 * Lab `prefix-tree`: a layer whose weights are a sum along a path of a binary tree, and the path is
 * chosen by k bits of its input (Cho and Bengio 2014).  This file has the state and the step,
 * layer.c a tree with its bits, pass.c how the network runs, learn.c the way back through it, tables.c what is said about it,
 * probes.c the panels that need a computation of their own.  */
#include "core/labs/prefix-tree/lab.h"

#include <math.h>
#include <string.h>

#include "core/lab/kit/schedule.h"
#include "core/nn/dense/init.h"

bool
sl_prefix_has_letters (const SlPrefixLab *s)
{
  return s->base.dataset->facts[0] != '\0' && sl_dataset_has (s->base.dataset, "data.letters");
}

/* How many letters an example has: five bits and one of the alphabet for each. */
static unsigned
letters_before (const SlPrefixLab *s)
{
  const SlDataset *data = s->base.dataset;
  unsigned         letters = data->features / (5 + data->classes);

  return letters < SL_NGRAMS_CONTEXT ? letters : SL_NGRAMS_CONTEXT;
}

static void
carve (SlLabState *state)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  SlArena     *kept = &state->kept, *scratch = &state->scratch;

  s->now = sl_arena_carve (kept, 1, sizeof *s->now);
  s->weights = sl_arena_reals (kept, s->n);
  s->m = sl_arena_reals (kept, s->n);
  s->v = sl_arena_reals (kept, s->n);
  s->gradient = sl_arena_reals (scratch, s->n_gradient);
  sl_batches_carve (&state->batches, state->dataset, kept);
  sl_tape_carve (&s->tape, &s->body, MOST_BATCH, scratch);
  for (unsigned l = 0; l < s->layers; l++)
    sl_prefix_layer_carve (s, &s->layer[l]);
  s->label = sl_arena_carve (scratch, MOST_BATCH, 1);
  if (sl_prefix_has_letters (s))
    sl_ngrams_carve (&s->ngrams, state->dataset->classes, letters_before (s), scratch);
  s->h = sl_arena_reals (scratch, MOST_BATCH * sl_prefix_last (s)->tree.shape.units);
  s->logits = sl_arena_reals (scratch, MOST_BATCH * s->outputs);
  s->dlogits = sl_arena_reals (scratch, MOST_BATCH * s->outputs);
  s->loss = sl_arena_reals (scratch, MOST_BATCH);
  s->work = sl_arena_reals (scratch, MOST_BATCH);
}

/* What a step with these settings adds to the clock of the decay. */
static SlStatus
tick_of (const SlSettings *settings, double scale, double *tick)
{
  return sl_decay_tick ((SlDecayKind) settings->value[P_DECAY_KIND].v[0],
                        settings->value[P_RATE].v[0] * scale, settings->value[P_DECAY].v[0], tick);
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  size_t       q = sl_prefix_last (s)->tree.shape.units;
  SlRng        rng;

  state->weights = (SlSpan) { s->weights, s->n };
  s->body.weights = s->weights;
  s->body.m = s->m;
  s->body.v = s->v;
  s->body.gradient = s->gradient;
  for (unsigned l = 0; l < s->layers; l++)
    sl_prefix_layer_bind (s, &s->layer[l]);

  sl_rng_init (&rng, seed, "init");
  sl_net_init (&s->body, &rng);
  for (unsigned l = 0; l < s->layers; l++)
    sl_prefix_layer_init (s, &s->layer[l], &rng);
  sl_init_glorot (&rng, q, s->outputs, q * s->outputs, s->weights + s->at_head);
  sl_rng_init (&rng, seed, "gate-init");
  for (unsigned l = 0; l < s->layers; l++)
    {
      SlGating gating = sl_prefix_gating (s, &s->layer[l]);

      sl_gating_init (&gating, &rng, s->weights + s->layer[l].at_gates);
    }
  sl_rng_init (&rng, seed, "gating-units");
  for (unsigned l = 0; l < s->layers; l++)
    sl_tree_choose (&s->layer[l].tree, sl_value_of (state, P_SOURCES) == SOURCES_DRAWN, &rng);
  sl_rng_init (&s->now->gates, seed, "gates");
  sl_prefix_fix_thresholds (s);
  if (sl_prefix_has_letters (s))
    sl_ngrams_count (&s->ngrams, state->dataset->label, state->dataset->n[SL_TRAIN]);
  return SL_SUCCESS;
}

/* What comes from a file and is used as an index. */
static SlStatus
restored (SlLabState *state)
{
  const SlPrefixLab *s = sl_prefix_lab (state);

  for (unsigned l = 0; l < s->layers; l++)
    if (!sl_tree_is_sound (&s->layer[l].tree))
      return sl_out_of_range ();
  return SL_SUCCESS;
}

static SlStatus
shape (SlLabState *state)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  size_t       widths[SL_NET_LAYERS + 1];
  unsigned     hidden = sl_widths_of (state, P_HIDDEN, widths);
  double       tick;
  SlStatus     status = tick_of (&state->settings, 1.0, &tick);

  if (sl_is_on (state, P_ON_INPUT))
    hidden = 0;
  sl_net_shape (&s->body, SL_RECTIFIER, widths, hidden);
  s->outputs = sl_outputs_of (state->dataset);
  s->layers = (unsigned) sl_value_of (state, P_TREES);
  s->n = s->n_gradient = s->body.n;
  for (unsigned l = 0; l < s->layers; l++)
    {
      s->layer[l].raw = hidden == 0 && l == 0;
      sl_prefix_layer_shape (s, &s->layer[l],
                             l == 0 ? widths[hidden] : s->layer[l - 1].tree.shape.units);
    }
  s->at_head = s->n;
  s->n += sl_prefix_head_numbers (s);
  s->n_gradient += sl_prefix_head_numbers (s);
  if (sl_ok (&status))
    status = sl_prefix_check_credit (s);
  return sl_ok (&status) ? sl_prefix_check_budget (s) : status;
}

static void
clear_moments (SlPrefixLab *s)
{
  memset (s->m, 0, s->n * sizeof *s->m);
  memset (s->v, 0, s->n * sizeof *s->v);
  for (unsigned l = 0; l < s->layers; l++)
    sl_tree_clear_moments (&s->layer[l].tree);
  s->now->moments = 0;
}

static void
flush (SlPrefixLab *s, const SlDecayClock *clock)
{
  for (unsigned l = 0; l < s->layers; l++)
    sl_tree_flush (&s->layer[l].tree, clock);
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  SlDecayClock clock = sl_prefix_clock (s);
  bool         changed = before->v[0] != sl_value_of (state, param);
  double       tick;
  SlStatus     status = tick_of (&state->settings, 1.0, &tick);

  if (sl_ok (&status))
    status = sl_prefix_check_credit (s);
  if (!sl_ok (&status))
    return status;
  /* What was missed until now was missed under the old rule. */
  if (param == P_DECAY_KIND)
    clock.kind = (SlDecayKind) before->v[0];
  if (changed && (param == P_DECAY_KIND || param == P_DECAY || param == P_DECAY_RULE))
    flush (s, &clock);
  if (param == P_OPTIMISER && changed)
    clear_moments (s);
  if (param == P_THRESHOLD || param == P_TAU)
    sl_prefix_fix_thresholds (s);
  if (param == P_THRESHOLD || param == P_TAU || param == P_CREDIT || param == P_ROOT)
    state->now.evaluate = true;
  state->now.report = true;
  return SL_SUCCESS;
}

/* Counts the paths of the batch through a tree for the next report. */
static void
count_visits (SlPrefixLayer *layer, size_t batch)
{
  const SlTree *tree = &layer->tree;

  for (unsigned w = 0; w < tree->windows; w++)
    for (size_t e = 0; e < batch; e++)
      layer->visits[tree->leaf[w * tree->shape.most + e]] += 1.0;
  for (size_t e = 0; e < batch; e++)
    for (size_t i = 0; i < tree->bits; i++)
      layer->ones[i] += layer->bit[e * tree->bits + i];
}

/* Draws a batch and what its bits leave to chance. */
static void
draw (SlPrefixLab *s, size_t batch)
{
  sl_batches_next (&s->base.batches, s->base.dataset, batch, s->tape.x[0], s->label);
  for (unsigned l = 0; is_sampled (s) && l < s->layers; l++)
    for (size_t i = 0; i < batch * s->layer[l].tree.bits; i++)
      s->layer[l].uniform[i] = (sl_real) sl_rng_uniform (&s->now->gates);
}

/* Multiply-adds of the trees since this was asked last. */
static double
take_macs (SlPrefixLab *s)
{
  double macs = 0.0;

  for (unsigned l = 0; l < s->layers; l++)
    {
      macs += s->layer[l].tree.macs;
      s->layer[l].tree.macs = 0.0;
    }
  return macs;
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlPrefixLab   *s = sl_prefix_lab (state);
  size_t         batch = sl_count_of (state, P_BATCH), errors;
  SlDecayRule    rule = (SlDecayRule) sl_value_of (state, P_DECAY_RULE);
  SlDecayClock   before = sl_prefix_clock (s), after = before;
  SlOptimSetting optim = sl_optim_default ();
  double         loss, tick, scale, macs;
  SlStatus       status;
  bool           report = sl_report_due (state, P_REPORT);

  scale = sl_scheduled (state, P_SCHEDULE, P_SCHEDULE_EPOCHS);
  optim.kind = (SlOptimiser) sl_value_of (state, P_OPTIMISER);
  optim.rate = (sl_real) (sl_value_of (state, P_RATE) * scale);
  status = tick_of (&state->settings, scale, &tick);
  if (!sl_ok (&status))
    return status;
  after.now += tick;

  take_macs (s);
  draw (s, batch);
  sl_prefix_forward (
    s, batch, PASS_TRAIN,
    &(SlPrefixUpkeep) { .decays = rule != SL_DECAY_PRINTED,
                        .kind = after.kind,
                        .until = rule == SL_DECAY_EXACT ? before.now : after.now });
  loss
    = sl_prefix_loss (s, batch, &errors, sl_prefix_credit (s) == CREDIT_REINFORCE ? s->loss : NULL);
  state->now.t++;
  s->now->moments++;
  s->now->clock = after.now;
  if (!isfinite (loss))
    return sl_diverged (loss);
  sl_prefix_backward (
    s, batch,
    &(SlTreeUpdate) {
      .optim = &optim, .clock = after, .t = state->now.t, .moments = s->now->moments },
    rule == SL_DECAY_PRINTED ? NULL
    : rule == SL_DECAY_EXACT ? &before
                             : &after,
    NULL);

  macs = take_macs (s) + (double) batch * sl_prefix_other_step (s);
  sl_count_batch (state, batch, loss, errors, macs);
  s->now->step_macs += macs;
  state->now.report = false;
  for (unsigned l = 0; l < s->layers; l++)
    count_visits (&s->layer[l], batch);
  if (report)
    sl_prefix_report (s, sink);
  if (sl_evaluation_due (state, P_EVALUATE))
    sl_prefix_report_validation (s, sink);
  return SL_SUCCESS;
}

/* What score() tells. */
static const SlScore score_names[] = {
  { "error", SL_MARK ("error"), "%", 0 },
  { "loss", SL_MARK ("cross entropy"), "nats", 0 },
  { "bits", SL_MARK ("bits per letter"), "bits", 0 },
  { "bits-ngram", SL_MARK ("bits per letter, n-gram of the same letters"), "bits", 0 },
  { 0 },
};

static void
score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  SlEvaluation all
    = sl_prefix_evaluate (s, sl_dataset_first (state->dataset, split), state->dataset->n[split]);

  scores[(*n)++] = sl_score (score_names, "error", all.error);
  scores[(*n)++] = sl_score (score_names, "loss", all.loss);
  if (sl_prefix_has_letters (s))
    {
      size_t first = sl_dataset_first (state->dataset, split), count = state->dataset->n[split];

      scores[(*n)++] = sl_score (score_names, "bits", all.loss / log (2.0));
      scores[(*n)++] = sl_score (score_names, "bits-ngram",
                                 sl_prefix_ngram_bits (s, s->ngrams.context, first, count));
    }
}

static void
freeze (SlLabState *state)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  size_t       batch = sl_count_of (state, P_BATCH);
  SlDecayClock clock = sl_prefix_clock (s);

  flush (s, &clock);
  draw (s, batch);
  sl_prefix_forward (s, batch, PASS_TRAIN, NULL);
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlPrefixLab *s = sl_prefix_lab (state);
  size_t       batch = sl_count_of (state, P_BATCH), errors;
  double       loss;

  sl_prefix_forward (s, batch, PASS_HELD, NULL);
  loss = sl_prefix_loss (s, batch, &errors, NULL);
  if (gradient != NULL)
    sl_prefix_backward (s, batch, NULL, NULL, gradient);
  return loss;
}

/* clang-format off */
const SlLab sl_lab_prefix_tree = {
  .id = "prefix-tree", .title = "Prefix tree",
  .summary = "Bits of the input choose a path through a tree of weight matrices. Of exponentially many "
             "weights each example uses one per level.",
  .reference = "Cho and Bengio 2014, arXiv 1406.7362",
  .params = sl_prefix_params, .n_params = N_PARAMS, .panels = sl_prefix_panels,
  .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive error map leaves-used occupancy",
    .knobs = "k trees threshold credit learning-rate",
  },
  .data = SL_NEEDS_LABELS, .best = "error.valid", .error = "error",
  .valid = "error.valid",
  .clock = &sl_prefix_passes,
  .costs = &(const SlCosts) { .expected = "cost.expected", .executed = "cost.executed" },
  .state_bytes = sizeof (SlPrefixLab), .state_version = 3, .shape = shape, .carve = carve,
  .init = init, .set = set, .step = step, .probes = sl_prefix_probes, .map = sl_prefix_map,
  .score = score, .scores = score_names, .freeze = freeze, .objective = objective, .restored = restored,
  SL_SWEEPS (
    { .id = "k", .title = "Sweep the bits k",
      .help = "Error against k: capacity grows while every example costs about the same.",
      .axes = "k=0,2,4,6,8", .seeds = "1-3", .steps = 400 },
    { .id = "trees", .title = "Trees and bits",
      .help = "One, two and three trees: does depth help, or paths?",
      .axes = "trees=1,2,3 k=0,2,4", .settings = "hidden=64 units=64", .seeds = "1-3", .steps = 400 },
    { .id = "windows", .title = "Windows of bits",
      .help = "The same bits for all inputs, neighbours, or drawn subsets: ever more combinations.",
      .axes = "window=shared,sliding,random k=2,4", .seeds = "1-3", .steps = 400 },
    { .id = "credit", .title = "Compare training of the bits",
      .help = "Untrained bits against each way of training them, as the paper asks.",
      .axes = "preset=credit-none,credit-through,credit-slope,credit-tanh,credit-amplify,"
              "credit-none-sampled,credit-reinforce,credit-through-sampled,"
              "credit-slope-sampled",
      .seeds = "1-3", .steps = 600 }),
  SL_PRESETS (
    { "deep", "Deep tree",
      .help = "1024 leaves, of which each example uses one.",
      .settings = "k=10 units=64 hidden=128" },
    { "on-input", "On the input",
      .help = "On images each leaf is a pattern of a few pixels.",
      .settings = "on-input=yes gating-units=drawn k=6 units=64" },
    { "letters", "Letters like n-grams",
      .help = "For the data \"Letters of a text\": a path is the last two letters, its prefixes "
              "are shorter contexts.",
      .settings = "on-input=yes k=10 threshold=fixed tau=0.5 units=24 decay=0.001" },
    { "two-trees", "Two trees",
      .help = "Units of one tree choose the path through a second.",
      .settings = "trees=2 k=4 units=64 hidden=128" },
    { "quick", "Quick",
      .help = "A small network: the curves move within seconds.",
      .settings = "k=3 hidden=64 units=32 batch=64",
      .holds = SL_NAMES ("200", "leaves-used.effective > 6") },
    { "collapse", "Make it collapse",
      .help = "A fixed threshold far above most units: nearly every example takes the leftmost "
              "path.",
      .settings = "threshold=fixed tau=5",
      .holds = SL_NAMES ("200", "occupancy.share@1 > 80") }),
  SL_ROWS (
    { "credit-none", "Untrained bits",
      .settings = "k=6 bits=threshold credit=none" },
    { "credit-through", "Straight-through",
      .settings = "k=6 bits=threshold credit=straight-through" },
    { "credit-slope", "Straight-through × σ′",
      .settings = "k=6 bits=threshold credit=straight-through-slope" },
    { "credit-tanh", "Modulation by tanh",
      .settings = "k=6 bits=threshold credit=tanh" },
    { "credit-amplify", "Amplification by tanh",
      .settings = "k=6 bits=threshold credit=tanh-amplifying" },
    { "credit-none-sampled", "Untrained sampled bits",
      .settings = "k=6 bits=sampled credit=none" },
    { "credit-reinforce", "REINFORCE",
      .settings = "k=6 bits=sampled credit=reinforce" },
    { "credit-through-sampled", "Straight-through, sampled bits",
      .settings = "k=6 bits=sampled credit=straight-through" },
    { "credit-slope-sampled", "Straight-through × σ′, sampled bits",
      .settings = "k=6 bits=sampled credit=straight-through-slope" }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("loss.train", "learning-rate"),
    { .id = "one-leaf", .channel = "leaves-used.effective", .than = "leaves-used.leaves",
      .begins = 0.08, .ends = 0.15,
      .words = "Nearly all examples take the same few paths.",
      .knobs = "tau threshold learning-rate" }),
  .readings = SL_NAMES (
    "Reading: a tree of k bits has 2ᵏ⁺¹ − 1 matrices; the paper prints 2ᵏ⁺¹.",
    "Reading: the tanh modulation begins at the root; as printed, it begins below.",
    "Reading: as printed, 1 − tanh x weakens the branches of a 1 and not those of a 0, the reverse of a gate.",
    "Open: the paper has no experiment; all figures are ours."),
  SL_TRIALS (
    { "spirals:points=300",
      "k=3 hidden=8 units=6 batch=16 report-every=1 evaluate-every=7 decay=0.05" },
    { "moons:points=300",
      "k=2 hidden=10-8 units=7 batch=20 window=sliding decay-kind=l1 decay=0.01 decay-rule=printed "
      "credit=straight-through optimiser=sgd learning-rate=0.1" },
    { "digits:images=600",
      "k=2 hidden=12 units=10 batch=25 weights=flat threshold=fixed tau=0.1 optimiser=momentum "
      "learning-rate=0.01 schedule=cosine" },
    { "digits:images=600",
      "k=4 hidden=16 units=10 batch=25 bits=sampled credit=reinforce decay-rule=before "
      "schedule=steps" },
    { "digits:images=600",
      "k=3 hidden=16 units=10 batch=25 bits=sampled credit=straight-through-slope decay-kind=l1" },
    { "digits:images=600", "k=3 hidden=16 units=10 batch=25 bits=sampled gating-hidden=7 "
                           "credit=straight-through trees=2" },
    { "moons:points=300", "k=3 hidden=9 units=8 batch=20 credit=tanh decay-kind=none" },
    { "moons:points=300",
      "k=2 hidden=9 units=8 batch=20 credit=tanh-amplifying window=sliding threshold=fixed "
      "root=no" },
    { "digits:images=600", "k=0 hidden=20 units=12 batch=50" },
    { "moons:points=300",
      "k=6 hidden=4 units=5 batch=20 window=sliding weights=flat bits=sampled" },
    { "letters:letters=2000,window=2", "on-input=yes k=4 threshold=fixed tau=0.5 units=12 batch=40 "
                                       "report-every=1 evaluate-every=3" },
    { "digits:images=600",
      "k=2 on-input=yes gating-units=drawn window=random units=30 trees=2 batch=25 "
      "credit=straight-through" },
    { "moons:points=300",
      "k=2 on-input=yes bits=sampled credit=reinforce units=8 trees=3 batch=20 tree=2" },
    { "moons:points=300",
      "k=3 hidden=9 units=8 trees=2 tree=2 batch=20 credit=tanh window=random gating-units=drawn" }),
};
/* clang-format on */
