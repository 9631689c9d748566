/* SPDX-License-Identifier: MIT
 *
 * Lab `sign-estimator`: a rectifier network whose hidden units are switched off where a
 * low-rank product says that they would be (Davis 2016, chapter 3; Davis and Arel 2013).
 * This file has the descriptor, the state and the step; sign-surveys.c the panels that
 * need a computation of their own.  */
#include "core/lab/sign-estimator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/schedule.h"

static const SlChoice activations[] = { { "rectifier", "Rectifier" }, { "tanh", "tanh" }, { 0 } };

static const SlChoice schedules[]
    = { { "constant", "Constant" }, { "cosine", "Cosine to zero" }, { "steps", "× 0.9 in steps" }, { 0 } };

static const SlChoice optimisers[]
    = { { "sgd", "Gradient descent" }, { "momentum", "Momentum 0.9" }, { "adam", "Adam" }, { 0 } };

/* In the order of SlEstimateMode. */
static const SlChoice modes[] = { { "off", "Off" }, { "watch", "Watch only" }, { "on", "On" }, { 0 } };

static const SlChoice rank_modes[] = { { "fixed", "Fixed per layer" }, { "energy", "By lost energy" }, { 0 } };

#define CONDITIONAL "Conditional computation"
#define TRAINING "Training"
#define MODEL "Model"
#define MEASURING "Measuring"

static const SlParam params[N_PARAMS] = {
  [P_HIDDEN] = {
    .id = "hidden", .title = "Hidden layers", .unit = "units", .group = MODEL,
    .help = "Widths of the hidden layers from input to output, joined by dashes. "
            "Wider layers leave more multiplications to save.",
    .source = "Davis 2016, table 3.1: 1000-600-400 for MNIST",
    .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .effect = SL_RESTART, .list = "1000-600-400" },
  [P_ACTIVATION] = {
    .id = "activation", .title = "Activation", .unit = "", .group = MODEL,
    .help = "The function of the hidden units. A sign estimate only makes sense for the rectifier, "
            "whose units are exactly zero half of the time; tanh is here to compare.",
    .source = "", .kind = SL_CHOICE, .fallback = SL_RECTIFIER, .effect = SL_RESTART,
    .choices = activations },
  [P_RATE] = {
    .id = "learning-rate", .title = "Learning rate", .unit = "", .group = TRAINING,
    .help = "Size of an update. Too large and the loss stops being a number, too small and nothing happens.",
    .source = "Davis 2016, table 3.1: 1e-4; we start higher so that a change shows sooner",
    .kind = SL_REAL, .lo = 1e-6, .hi = 10, .step = 1e-4, .fallback = 5e-4, .logarithmic = true,
    .effect = SL_LIVE },
  [P_SCHEDULE] = {
    .id = "schedule", .title = "Schedule", .unit = "", .group = TRAINING,
    .help = "How the learning rate falls during the run. Constant keeps the lab alive for as long as you look; "
            "cosine ends at zero and gives the lowest error.",
    .source = "Davis 2016, table 3.1: × 0.9 every 50 epochs", .kind = SL_CHOICE,
    .fallback = SL_CONSTANT, .effect = SL_LIVE, .choices = schedules },
  [P_SCHEDULE_EPOCHS] = {
    .id = "schedule-epochs", .title = "Schedule length", .unit = "epochs", .group = TRAINING,
    .help = "Epochs until the cosine reaches zero, or between two steps. "
            "Make it the length of the run that you plan.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 10000, .step = 1, .fallback = 50,
    .logarithmic = true, .effect = SL_LIVE },
  [P_BATCH] = {
    .id = "batch", .title = "Batch", .unit = "examples", .group = TRAINING,
    .help = "Examples per update. Larger batches use the processor better and give a smoother, "
            "less exploring descent.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = MOST_BATCH, .step = 1, .fallback = 128,
    .logarithmic = true, .effect = SL_LIVE },
  [P_OPTIMISER] = {
    .id = "optimiser", .title = "Optimiser", .unit = "", .group = TRAINING,
    .help = "The rule that turns gradients into updates. Changing it clears its moments.",
    .source = "Davis 2016, table 3.1: Adam (Kingma and Ba 2015)", .kind = SL_CHOICE,
    .fallback = SL_ADAM, .effect = SL_LIVE, .choices = optimisers },
  [P_DECAY] = {
    .id = "weight-decay", .title = "Weight decay", .unit = "", .group = TRAINING,
    .help = "Pulls every weight towards zero by this share of the learning rate. "
            "Smaller weights have a faster falling spectrum, which a low rank estimates better.",
    .source = "", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.001, .fallback = 0, .effect = SL_LIVE },
  [P_INPUT_DROPOUT] = {
    .id = "input-dropout", .title = "Input dropout", .unit = "", .group = TRAINING,
    .help = "Share of the inputs set to zero in each training example. "
            "It holds back overfitting; evaluation always sees all of them.",
    .source = "Davis 2016, table 3.1: 0.3 for MNIST", .kind = SL_REAL, .lo = 0, .hi = 0.9,
    .step = 0.05, .fallback = 0.3, .effect = SL_LIVE },
  [P_HIDDEN_DROPOUT] = {
    .id = "hidden-dropout", .title = "Hidden dropout", .unit = "", .group = TRAINING,
    .help = "Share of the hidden units set to zero in each training example. "
            "The rest is scaled up, and the estimate sees the same scaled values.",
    .source = "Davis 2016, table 3.1: 0.5", .kind = SL_REAL, .lo = 0, .hi = 0.9, .step = 0.05,
    .fallback = 0.5, .effect = SL_LIVE },
  [P_ESTIMATOR] = {
    .id = "estimator", .title = "Estimator", .unit = "", .group = CONDITIONAL,
    .help = "On: units whose estimate is not positive are switched off, in training and evaluation. "
            "Watch only: estimates are made and compared, the network stays dense.",
    .source = "Davis 2016, §3.1.1", .kind = SL_CHOICE, .fallback = SL_ESTIMATE_GATE,
    .effect = SL_LIVE, .choices = modes, .needs = "activation=rectifier" },
  [P_RANK_MODE] = {
    .id = "rank-mode", .title = "Rank is", .unit = "", .group = CONDITIONAL,
    .help = "Fixed ranks are set by hand, as published. By lost energy, each refresh takes the smallest rank "
            "that keeps enough of the weights.",
    .source = "fixed: Davis 2016, §3.1.3", .kind = SL_CHOICE, .fallback = 0, .effect = SL_LIVE,
    .choices = rank_modes, .needs = "activation=rectifier" },
  [P_RANK] = {
    .id = "rank", .title = "Rank", .unit = "", .group = CONDITIONAL,
    .help = "Singular directions of a layer's weights that the estimate may use. "
            "A small rank is cheap and misjudges more signs; at full rank it is exact and saves nothing.",
    .source = "Davis 2016, table 3.3: 50-35-25 to 10-10-5", .kind = SL_LIST, .lo = 0, .hi = 4096,
    .step = 1, .logarithmic = true, .effect = SL_LIVE, .list = "50-35-25", .each = "hidden",
    .needs = "rank-mode=fixed" },
  [P_ENERGY] = {
    .id = "energy-loss", .title = "Lost energy at most", .unit = "", .group = CONDITIONAL,
    .help = "Share of the squared singular values that the estimate may leave out. "
            "Smaller means a higher rank and fewer mistakes.",
    .source = "", .kind = SL_REAL, .lo = 0.001, .hi = 0.9, .step = 0.01, .fallback = 0.3,
    .logarithmic = true, .effect = SL_LIVE, .needs = "rank-mode=energy" },
  [P_THETA] = {
    .id = "theta", .title = "Threshold θ", .unit = "", .group = CONDITIONAL,
    .help = "Taken from every estimate before its sign is read. Above zero, fewer units are computed "
            "and more of the active ones are lost.",
    .source = "Davis 2016, §3.4 (the suggested sparsity bias)", .kind = SL_REAL, .lo = 0, .hi = 2,
    .step = 0.05, .fallback = 0, .effect = SL_LIVE, .needs = "activation=rectifier" },
  [P_REFRESH] = {
    .id = "refresh", .title = "Refresh every", .unit = "updates", .group = CONDITIONAL,
    .help = "Updates between two singular value decompositions. In between the weights move away "
            "from the factors: the saw-tooth in the agreement.",
    .source = "Davis 2016, §3.1.3: once per epoch", .kind = SL_INTEGER, .lo = 1, .hi = 1e6,
    .step = 1, .fallback = 50, .logarithmic = true, .effect = SL_LIVE,
    .needs = "activation=rectifier" },
  [P_TWIN] = {
    .id = "twin", .title = "Train a control twin", .unit = "", .group = CONDITIONAL,
    .help = "A second network without estimator: same first weights, same batches, same dropout. "
            "What differs between the two is what the estimator did.",
    .source = "", .kind = SL_FLAG, .fallback = 0, .effect = SL_RESTART },
  [P_REPORT] = {
    .id = "report-every", .title = "Report every", .unit = "updates", .group = MEASURING,
    .help = "Updates between two points of the curves; losses are means over them. "
            "Small nets take thousands of updates a second and want a larger number.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 10,
    .logarithmic = true, .effect = SL_LIVE },
  [P_EVALUATE] = {
    .id = "evaluate-every", .title = "Evaluate every", .unit = "updates", .group = MEASURING,
    .help = "Updates between two measurements on the validation examples. "
            "They take time from training.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 1, .fallback = 100,
    .logarithmic = true, .effect = SL_LIVE },
  [P_EXAMPLES] = {
    .id = "evaluate-examples", .title = "Evaluate on", .unit = "examples", .group = MEASURING,
    .help = "Validation examples of each such measurement. The final scores always use whole splits.",
    .source = "", .kind = SL_INTEGER, .lo = 1, .hi = 1e6, .step = 100, .fallback = 1000,
    .logarithmic = true, .effect = SL_LIVE },
};

enum { T_AGREEMENT, T_ALL_OFF };
static const SlTrace agreement_traces[] = {
  [T_AGREEMENT] = { "agreement", "agreement", "%", "Share of units whose sign was guessed right.", SL_MEASURED, "hidden" },
  [T_ALL_OFF] = { "all-off", "all off", "%", "What guessing \"off\" every time would score.", SL_REFERENCE, "hidden" },
};

static const SlTrace recall_traces[]
    = { { "recall", "recall", "%", "Share of the active units that are computed.", SL_MEASURED, "hidden" } };

static const SlTrace false_alarm_traces[]
    = { { "false-alarm", "false alarm", "%", "Share of the inactive units that are computed for nothing.", SL_MEASURED, "hidden" } };

static const SlTrace lost_traces[]
    = { { "lost", "lost energy", "%", "Squared activation that the estimate switches off.", SL_MEASURED, "hidden" } };

enum { T_TRAIN, T_VALID, T_VALID_DENSE, T_TWIN };
static const SlTrace error_traces[] = {
  [T_TRAIN] = { "train", "train, with dropout", "%", "Wrong predictions on the training batches since the last report.", SL_MEASURED, NULL },
  [T_VALID] = { "valid", "validation", "%", "Wrong predictions on the validation examples, estimator as set.", SL_MEASURED, NULL },
  [T_VALID_DENSE] = { "valid-dense", "same weights, no estimator", "%", "The same weights evaluated densely.", SL_REFERENCE, NULL },
  [T_TWIN] = { "twin", "control twin", "%", "The network trained beside it without estimator.", SL_REFERENCE, NULL },
};

enum { T_LOSS, T_TWIN_LOSS };
static const SlTrace loss_traces[] = {
  [T_LOSS] = { "train", "training loss", "nats", "Mean cross entropy of the batches since the last report.", SL_MEASURED, NULL },
  [T_TWIN_LOSS] = { "twin", "control twin", "nats", "The same of the control twin.", SL_REFERENCE, NULL },
};

enum { T_ALPHA, T_TRUE_DENSITY };
static const SlTrace density_traces[] = {
  [T_ALPHA] = { "alpha", "computed α", "%", "Share of the units that the estimate switches on.", SL_MEASURED, "hidden" },
  [T_TRUE_DENSITY] = { "truth", "truly on", "%", "Share of the units with a positive input.", SL_REFERENCE, "hidden" },
};

enum { T_EXPECTED, T_EXECUTED, T_BREAK_EVEN };
static const SlTrace cost_traces[] = {
  [T_EXPECTED] = { "expected", "expected (eq. 3.8)", "% of dense", "Operations that eq. 3.8 predicts from rank and true density.", SL_THEORY, NULL },
  [T_EXECUTED] = { "executed", "executed", "% of dense", "Multiplications counted: the estimate and the units that it switched on.", SL_MEASURED, NULL },
  [T_BREAK_EVEN] = { "dense", "dense", "% of dense", "Above this line the estimate costs more than it saves.", SL_REFERENCE, NULL },
};

static const SlTrace speed_traces[] = {
  { "speed-up", "speed-up over dense", "×", "Dense cost ÷ conditional cost of one forward pass.", SL_MEASURED, NULL },
};
static const char *const speed_categories[]
    = { "expected", "executed", "timed, batch 1", "timed, batch 64", NULL };

static const SlTrace rank_agreement_traces[] = {
  { "agreement", "agreement", "%", "Sign agreement if the layer had this rank now.", SL_MEASURED, "hidden" },
};

static const SlTrace rank_error_traces[] = {
  { "estimate", "value used", "",
    "‖relu (est) − relu (pre)‖ ÷ ‖relu (pre)‖: the estimate itself in place of the layer.",
    SL_REFERENCE, "hidden" },
  { "gated", "sign used", "",
    "‖S ⊙ relu (pre) − relu (pre)‖ ÷ ‖relu (pre)‖: only its sign S, as this lab does.",
    SL_MEASURED, "hidden" },
};

static const SlTrace spectrum_traces[] = {
  { "sigma", "σ", "", "Singular values of the layer's weights.", SL_MEASURED, "hidden" },
  { "cut", "rank", "", "The last direction that the estimate uses.", SL_TARGET, "hidden" },
};

static const SlTrace drift_traces[]
    = { { "drift", "drift", "%", "Distance of the weights from those last factored, relative to them.", SL_MEASURED, "hidden" } };

static const SlTrace rank_traces[]
    = { { "rank", "rank", "", "Directions in use since the last refresh.", SL_MEASURED, "hidden" } };

#define UPDATES { .label = "update", .unit = "" }
#define PERCENT(name, low, high) { .label = name, .unit = "%", .lo = low, .hi = high }
#define TRACES(of) .traces = of, .n_traces = sizeof of / sizeof *of

static const SlPanel panels[N_PANELS] = {
  [V_AGREEMENT] = {
    .id = "agreement", .title = "Sign agreement",
    .help = "How often the low-rank estimate has the sign of the true input, on 128 validation examples. "
            "Look at recall beside it: where few units are on, guessing \"all off\" agrees well and is useless.",
    .source = "Davis 2016, fig. 3.2", .kind = SL_SERIES, .x = UPDATES,
    .y = PERCENT ("signs guessed right", 0, 0), TRACES (agreement_traces) },
  [V_RECALL] = {
    .id = "recall", .title = "Recall", .help = "Active units that are computed. "
    "A missed one is lost to the forward pass and gets no gradient either.",
    .source = "spec §3.4", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("active units found", 0, 0),
    TRACES (recall_traces) },
  [V_FALSE_ALARM] = {
    .id = "false-alarms", .title = "False alarms", .help = "Inactive units that are computed all the same. "
    "They cost time only: the rectifier still makes them zero.",
    .source = "spec §3.4", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("inactive units computed", 0, 0),
    TRACES (false_alarm_traces) },
  [V_LOST] = {
    .id = "lost-energy", .title = "Lost energy", .help = "Share of the squared activations that the estimate switches off. "
    "Of all figures here it foretells the loss of accuracy best.",
    .source = "spec §3.4", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "lost energy", .unit = "%", .logarithmic = true }, TRACES (lost_traces) },
  [V_ERROR] = {
    .id = "error", .title = "Error", .help = "Wrong predictions in training and on validation examples. "
    "The gap between validation and the same weights without estimator is the price of the estimate.",
    .source = "Davis 2016, table 3.3", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "wrong predictions", .unit = "%", .logarithmic = true }, TRACES (error_traces) },
  [V_LOSS] = {
    .id = "loss", .title = "Training loss", .help = "Mean cross entropy of the training batches, dropout included.",
    .source = "", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "cross entropy", .unit = "nats", .logarithmic = true }, TRACES (loss_traces) },
  [V_DENSITY] = {
    .id = "density", .title = "Units on", .help = "What the estimate switches on against what is truly on. "
    "The closer α is to the truth from above, the less is wasted.",
    .source = "Davis 2016, §3.2", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("fraction on", 0, 0),
    TRACES (density_traces) },
  [V_COST] = {
    .id = "cost", .title = "Cost", .help = "Work of one forward pass against the dense network's: by eq. 3.8 if exactly "
    "the active units were computed, and as counted. Refreshing the factors is not in it.",
    .source = "Davis 2016, eq. 3.8", .kind = SL_SERIES, .x = UPDATES,
    .y = { .label = "cost", .unit = "% of dense", .lo = 0, .hi = 100 }, TRACES (cost_traces) },
  [V_SPEED] = {
    .id = "speed", .title = "Speed-up", .help = "What the formula promises, what was counted, and what this machine's "
    "clock says with real conditional kernels on the weights of this moment.",
    .source = "Davis 2016, §3.1.4; timed here", .kind = SL_BARS, .x = { .label = "", .unit = "" },
    .y = { .label = "speed-up over dense", .unit = "×", .lo = 0, .hi = 1 }, TRACES (speed_traces),
    .categories = speed_categories, .survey_seconds = 2 },
  [V_RANK_AGREEMENT] = {
    .id = "rank-agreement", .title = "Agreement against rank", .help = "Sign agreement of each layer if it had that rank, "
    "on validation examples with the weights of this moment.",
    .source = "Davis 2016, fig. 3.3", .kind = SL_PROFILE,
    .x = { .label = "rank", .unit = "", .logarithmic = true }, .y = PERCENT ("signs guessed right", 0, 0),
    TRACES (rank_agreement_traces), .survey_seconds = 4 },
  [V_RANK_ERROR] = {
    .id = "rank-error", .title = "Error against rank", .help = "Relative error of a layer's output if the estimate itself were used, "
    "and if only its sign is. The sign needs far fewer directions.",
    .source = "Davis 2016, fig. 3.3", .kind = SL_PROFILE,
    .x = { .label = "rank", .unit = "", .logarithmic = true }, .y = { .label = "relative error", .unit = "" },
    TRACES (rank_error_traces), .survey_seconds = 4 },
  [V_SPECTRUM] = {
    .id = "spectrum", .title = "Singular values", .help = "The spectrum of each layer's weights with the rank in use. "
    "What lies right of the mark is what the estimate cannot see.",
    .source = "Davis 2016, §3.1.1", .kind = SL_PROFILE,
    .x = { .label = "direction", .unit = "", .logarithmic = true }, .y = { .label = "singular value", .unit = "", .logarithmic = true },
    TRACES (spectrum_traces), .survey_seconds = 3 },
  [V_DRIFT] = {
    .id = "drift", .title = "Drift since refresh", .help = "How far the weights have moved since their factors were computed. "
    "It falls to zero at every refresh.",
    .source = "Davis 2016, fig. 3.2", .kind = SL_SERIES, .x = UPDATES, .y = PERCENT ("‖W − W₀‖ ÷ ‖W₀‖", 0, 0),
    TRACES (drift_traces) },
  [V_RANK] = {
    .id = "rank-used", .title = "Rank in use", .help = "Directions of each layer's estimate, clamped to what the layer has; "
    "chosen at each refresh when the rank follows the lost energy.",
    .source = "", .kind = SL_SERIES, .x = UPDATES, .y = { .label = "rank", .unit = "", .logarithmic = true }, TRACES (rank_traces) },
  [V_FILTERS] = {
    .id = "filters", .title = "First-layer filters", .help = "Weights from the image into the first hidden units, each scaled to its own largest.",
    .source = "", .kind = SL_IMAGE, .x = { .label = "", .unit = "" }, .y = { .label = "weight", .unit = "" }, .survey_seconds = 1 },
};

static const SlTrial trials[] = {
  { "moons:points=300", "hidden=8-6 rank=2-3 batch=16 refresh=5 report-every=1 evaluate-every=7" },
  { "moons:points=300", "hidden=12 activation=tanh batch=20 input-dropout=0 optimiser=momentum" },
  { "digits:images=600", "hidden=20-12 rank=6-4 batch=32 theta=0.1 twin=yes refresh=3 optimiser=sgd schedule=cosine" },
  { "digits:images=600", "hidden=24-16-10 rank-mode=energy energy-loss=0.2 batch=25 weight-decay=0.01 schedule=steps" },
  { "digits:images=600", "hidden=16 estimator=watch hidden-dropout=0 batch=30" },
  { "digits:images=600", "hidden=16 estimator=off batch=30" },
  { "digits:images=600", "hidden=10-8 rank=0-999 batch=30 refresh=2" },
};

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

static void
restored (SlLabState *s)
{
  s->batches.rng = s->now.shuffle;
  s->batches.cursor = s->now.cursor;
  for (unsigned l = 0; l < s->hidden; l++)
    {
      s->factors[l].rank = s->now.rank[l];
      s->factors[l].kept = s->now.tracked[l];
      s->factors[l].energy = s->now.energy[l];
      s->factors[l].lost = s->now.lost[l];
    }
}

/* Cuts everything; called once to measure and once for real. */
static void
cut (SlLabState *s, uint64_t seed)
{
  size_t widest = 1;

  s->kept.used = s->scratch.used = 0;
  sl_net_cut (&s->net, &s->kept, &s->scratch);
  if (s->has_twin)
    sl_net_cut (&s->twin, &s->kept, &s->scratch);
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
  sl_tape_cut (&s->tape, &s->net, MOST_BATCH, &s->scratch);
  s->label = sl_arena_cut (&s->scratch, MOST_BATCH, 1);
  s->gate = sl_arena_cut (&s->scratch, MOST_BATCH * widest, 1);
  s->rows = sl_arena_cut (&s->scratch, widest, sizeof *s->rows);
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
  size_t      widths[SL_NET_LAYERS + 1];
  SlLabState *s = calloc (1, sizeof *s);
  SlStatus    status = SL_SUCCESS;
  SlRng       init;

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
      size_t n = s->net.width[l] * s->net.width[l + 1];
      SlStatus status;

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

void
sl_sign_run (SlLabState *s, const SlNet *net, size_t first, size_t n, const SlEstimate *estimate)
{
  sl_dataset_range (s->dataset, first, n, s->tape.x[0], s->label);
  sl_net_forward (net, &s->tape, n, NULL, estimate);
}

size_t
sl_sign_probe (SlLabState *s, size_t most, const SlEstimate *estimate)
{
  SlSplit split = s->dataset->n[SL_VALID] > 0 ? SL_VALID : SL_TRAIN;
  size_t  n = s->dataset->n[split] < most ? s->dataset->n[split] : most;

  sl_sign_run (s, &s->net, sl_dataset_first (s->dataset, split), n, estimate);
  return n;
}

/* Mean loss in nats and error in % of a network on `n` examples from `first` on. */
static void
evaluate (SlLabState *s, const SlNet *net, size_t first, size_t n, const SlEstimate *estimate,
          double *loss, double *error)
{
  double sum = 0.0, wrong = 0.0;

  for (size_t done = 0; done < n;)
    {
      size_t take = n - done < MOST_BATCH ? n - done : MOST_BATCH, errors;

      sl_sign_run (s, net, first + done, take, estimate);
      sum += sl_net_loss (net, &s->tape, take, s->label, false, &errors) * (double) take;
      wrong += (double) errors;
      done += take;
    }
  *loss = sum / (double) n;
  *error = 100.0 * wrong / (double) n;
}

double
sl_sign_expected (const SlLabState *s, const double *density)
{
  double dense = 0.0, gated = 0.0;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double inputs = (double) s->net.width[l], units = (double) s->net.width[l + 1];
      double flops = sl_signs_dense_flops (inputs, units);

      dense += flops;
      gated += l < s->hidden
                   ? sl_signs_gated_flops (inputs, units, (double) s->factors[l].rank, density[l])
                   : flops;
    }
  return gated / dense;
}

double
sl_sign_executed (const SlLabState *s, const double *density)
{
  double gated = 0.0;

  for (unsigned l = 0; l < s->net.layers; l++)
    {
      double inputs = (double) s->net.width[l], units = (double) s->net.width[l + 1];

      gated += l < s->hidden
                   ? sl_signs_gated_macs (inputs, units, (double) s->factors[l].rank, density[l])
                   : inputs * units;
    }
  return gated / sl_net_macs (&s->net);
}

/* The traces per layer, on the same few validation examples every time and without dropout:
 * what a deployed network would meet, and free of the noise of changing batches.  */
static void
report_signs (SlLabState *s, SlSink *sink)
{
  SlEstimate estimate = sl_sign_estimate (s);
  double     computed[MOST_HIDDEN], truth[MOST_HIDDEN];
  size_t     n;

  if (estimate.mode == SL_ESTIMATE_OFF)
    return;
  n = sl_sign_probe (s, WATCHED, &estimate);

  for (unsigned l = 0; l < s->hidden; l++)
    {
      SlSigns signs = { 0 };

      sl_signs_count (n * s->net.width[l + 1], s->tape.pre[l], s->tape.est[l], &signs);
      computed[l] = sl_signs_density (&signs);
      truth[l] = sl_signs_truth (&signs);
      sl_sink_value (sink, V_AGREEMENT, T_AGREEMENT, l, 100.0 * sl_signs_agreement (&signs));
      sl_sink_value (sink, V_AGREEMENT, T_ALL_OFF, l, 100.0 * sl_signs_all_off (&signs));
      sl_sink_value (sink, V_RECALL, 0, l, 100.0 * sl_signs_recall (&signs));
      sl_sink_value (sink, V_FALSE_ALARM, 0, l, 100.0 * sl_signs_false_alarm (&signs));
      sl_sink_value (sink, V_LOST, 0, l, 100.0 * sl_signs_lost (&signs));
      sl_sink_value (sink, V_DENSITY, T_ALPHA, l, 100.0 * computed[l]);
      sl_sink_value (sink, V_DENSITY, T_TRUE_DENSITY, l, 100.0 * truth[l]);
      sl_sink_value (sink, V_DRIFT, 0, l,
                     100.0 * sl_signs_drift (s->net.width[l] * s->net.width[l + 1],
                                             sl_net_weight (&s->net, l), s->anchor[l]));
      sl_sink_value (sink, V_RANK, 0, l, (double) s->factors[l].rank);
    }
  sl_sink_value (sink, V_COST, T_EXPECTED, 0, 100.0 * sl_sign_expected (s, truth));
  sl_sink_value (sink, V_COST, T_EXECUTED, 0, 100.0 * sl_sign_executed (s, computed));
  sl_sink_value (sink, V_COST, T_BREAK_EVEN, 0, 100.0);
}

static void
report_training (SlLabState *s, SlSink *sink)
{
  double seen = s->now.seen;

  sl_sink_value (sink, V_ERROR, T_TRAIN, 0, 100.0 * s->now.errors / seen);
  sl_sink_value (sink, V_LOSS, T_LOSS, 0, s->now.loss / seen);
  if (s->has_twin)
    sl_sink_value (sink, V_LOSS, T_TWIN_LOSS, 0, s->now.twin_loss / seen);
  s->now.loss = s->now.errors = s->now.twin_loss = s->now.twin_errors = s->now.seen = 0.0;
}

static void
report_validation (SlLabState *s, SlSink *sink)
{
  size_t     first = sl_dataset_first (s->dataset, SL_VALID), n = s->dataset->n[SL_VALID];
  SlEstimate estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  double     loss, error;

  if (n > value_of (s, P_EXAMPLES))
    n = (size_t) value_of (s, P_EXAMPLES);
  if (n == 0)
    return;
  if (estimate.mode == SL_ESTIMATE_GATE)
    {
      evaluate (s, &s->net, first, n, &none, &loss, &error);
      sl_sink_value (sink, V_ERROR, T_VALID_DENSE, 0, error);
    }
  evaluate (s, &s->net, first, n, &estimate, &loss, &error);
  sl_sink_value (sink, V_ERROR, T_VALID, 0, error);
  if (s->has_twin)
    {
      evaluate (s, &s->twin, first, n, &none, &loss, &error);
      sl_sink_value (sink, V_ERROR, T_TWIN, 0, error);
    }
}

/* Multiply-adds of one training step: forward, both backward products of all layers but the
 * first, whose input needs no gradient, and the estimates.  */
static double
step_macs (const SlLabState *s, size_t batch, SlEstimateMode mode)
{
  const SlNet *net = &s->net;
  double macs = 3.0 * sl_net_macs (net) - (double) net->width[0] * (double) net->width[1];

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
  return (SlDropout) { .input = value_of (s, P_INPUT_DROPOUT), .hidden = value_of (s, P_HIDDEN_DROPOUT) };
}

/* Draws a batch and its masks onto the tape. */
static void
draw (SlLabState *s, size_t batch, const SlDropout *dropout)
{
  sl_batches_next (&s->batches, s->dataset, batch, s->tape.x[0], s->label);
  sl_net_draw (&s->net, &s->tape, batch, dropout, &s->now.dropout);
  sl_net_mask_input (&s->net, &s->tape, batch, dropout);
}

static bool
due (uint64_t t, double every)
{
  return t == 1 || t % (uint64_t) every == 0;
}

static SlStatus
diverged (double loss)
{
  char found[64];

  if (isnan (loss))
    snprintf (found, sizeof found, "a loss that is not a number");
  else
    snprintf (found, sizeof found, "an infinite loss");
  return sl_status_new (SL_EDIVERGED, "training", found, "a finite number");
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  size_t     batch = (size_t) value_of (s, P_BATCH), errors, twin_errors = 0;
  SlDropout  dropout = dropout_of (s);
  SlEstimate estimate, none = { .mode = SL_ESTIMATE_OFF };
  SlOptimSetting optim = sl_optim_default ();
  bool       report = s->now.look || due (s->now.t + 1, value_of (s, P_REPORT));
  double     epoch = (double) s->now.batch_examples / (double) s->batches.n, loss, twin_loss = 0.0;

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
    return diverged (loss);
  sl_net_backward (&s->net, &s->tape, batch, &dropout, &optim, s->now.moments);
  if (s->has_twin)
    {
      sl_net_forward (&s->twin, &s->tape, batch, &dropout, &none);
      twin_loss = sl_net_loss (&s->twin, &s->tape, batch, s->label, true, &twin_errors);
      if (!isfinite (twin_loss))
        return diverged (twin_loss);
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
      report_training (s, sink);
      report_signs (s, sink);
    }
  if (due (s->now.t, value_of (s, P_EVALUATE))
      || (s->now.judge && s->now.t - s->now.judged >= JUDGE_APART))
    {
      s->now.judge = false;
      s->now.judged = s->now.t;
      report_validation (s, sink);
    }
  return SL_SUCCESS;
}

static SlStatus
score (SlLabState *s, SlSplit split, SlScore *scores, unsigned *n)
{
  size_t     first = sl_dataset_first (s->dataset, split), count = s->dataset->n[split];
  SlEstimate estimate = sl_sign_estimate (s), none = { .mode = SL_ESTIMATE_OFF };
  double     loss, error;

  *n = 0;
  if (count == 0)
    return SL_SUCCESS;
  evaluate (s, &s->net, first, count, &estimate, &loss, &error);
  scores[(*n)++] = (SlScore) { "error", "error", "%", error };
  scores[(*n)++] = (SlScore) { "loss", "cross entropy", "nats", loss };
  if (estimate.mode == SL_ESTIMATE_GATE)
    {
      evaluate (s, &s->net, first, count, &none, &loss, &error);
      scores[(*n)++] = (SlScore) { "error-dense", "error of the same weights without estimator", "%", error };
    }
  if (s->has_twin)
    {
      evaluate (s, &s->twin, first, count, &none, &loss, &error);
      scores[(*n)++] = (SlScore) { "error-twin", "error of the control twin", "%", error };
    }
  return SL_SUCCESS;
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->net.weights, s->net.n };
}

static void
hold (SlLabState *s, bool held)
{
  size_t     batch = (size_t) value_of (s, P_BATCH);
  SlDropout  dropout = dropout_of (s);
  SlEstimate estimate;

  s->held_batch = 0;
  if (!held)
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
    return sl_status_new (SL_EINVAL, "objective", "no held batch", "hold (true) before");
  estimate.mode = estimate.mode == SL_ESTIMATE_GATE ? SL_ESTIMATE_HELD : SL_ESTIMATE_OFF;
  sl_net_forward (&s->net, &s->tape, s->held_batch, &dropout, &estimate);
  *loss = sl_net_loss (&s->net, &s->tape, s->held_batch, s->label, true, &errors);
  if (gradient != NULL)
    {
      sl_net_backward (&s->net, &s->tape, s->held_batch, &dropout, NULL, 0);
      memcpy (gradient, s->net.gradient, s->net.n * sizeof *gradient);
    }
  return isfinite (*loss) ? SL_SUCCESS : diverged (*loss);
}

static unsigned
pieces (SlLabState *s, SlPiece *piece)
{
  gather_moving (s);
  piece[0] = (SlPiece) { "state", &s->now, sizeof s->now };
  piece[1] = (SlPiece) { "settings", &s->settings, sizeof s->settings };
  piece[2] = (SlPiece) { "weights, moments, factors and order", s->kept.block, s->kept.used };
  return 3;
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  progress->examples = (double) s->now.batch_examples;
  progress->epochs = progress->examples / (double) s->batches.n;
  progress->multiplications = s->now.macs;
}

const SlLab sl_lab_sign_estimator = {
  .id = "sign-estimator",
  .title = "Sign estimator",
  .summary = "A low-rank product guesses which rectifiers will be off, and only the others are computed.",
  .reference = "Davis 2016, dissertation, chapter 3; Davis and Arel 2013, arXiv 1312.4461",
  .params = params,
  .n_params = N_PARAMS,
  .panels = panels,
  .n_panels = N_PANELS,
  .data = SL_NEEDS_LABELS,
  .trials = trials,
  .n_trials = sizeof trials / sizeof *trials,
  .create = create,
  .set = set,
  .step = step,
  .survey = sl_sign_survey,
  .score = score,
  .weights = weights,
  .objective = objective,
  .hold = hold,
  .pieces = pieces,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
