/* SPDX-License-Identifier: MIT
 *
 * Lab `style`: style transfer seen as matching the distributions of features (Li, Wang, Liu and Hou
 * 2017).  This file has the state and the step, levels.c what is compared and the memory for it,
 * losses.c the loss and its gradient, reports.c the figures, probes.c the pictures and comparisons,
 * tables.c and panels.c what is said about them.  */
#include "core/labs/style/lab.h"

#include <math.h>

#include "core/nn/optim/optim.h"

static void
clear (SlLabState *state)
{
  sl_features_free (sl_style_lab (state)->features);
}

static SlStatus
open_network (SlStyleLab *s)
{
  const SlPicturePair *pair = s->base.dataset->pictures;

  if (pair->net != NULL)
    return sl_features_load (&s->features, pair->net);
  /* Not of the run's seed: a checkpoint goes on in a run of any seed. */
  return sl_features_random (&s->features, (uint64_t) sl_value_of (&s->base, P_FILTERS),
                             (unsigned) sl_value_of (&s->base, P_SCALES));
}

static SlStatus
shape (SlLabState *state)
{
  SlStyleLab *s = sl_style_lab (state);
  SlStatus    status;

  s->height = state->dataset->pictures->height;
  s->width = state->dataset->pictures->width;
  status = open_network (s);
  return sl_ok (&status) ? sl_style_plan (s) : status;
}

static SlStatus
init (SlLabState *state, uint64_t seed)
{
  SlStyleLab *s = sl_style_lab (state);

  state->weights = (SlSpan) { s->x, s->n };
  s->now->seed = seed;
  sl_rng_init (&s->now->pairs, seed, "pairs");
  sl_style_learn (s);
  return SL_SUCCESS;
}

static bool
by_lbfgs (const SlStyleLab *s)
{
  return sl_value_of (&s->base, P_OPTIMISER) == OPTIMISER_LBFGS;
}

static SlStatus
set (SlLabState *state, unsigned param, const SlValue *before)
{
  SlStyleLab *s = sl_style_lab (state);

  if (param == P_METHOD || param == P_SECOND || param == P_C || param == P_WEIGHTS
      || param == P_EQUAL)
    s->now->scaled = false;
  /* The rule is about one loss: another one begins anew. */
  if (param <= P_SMOOTH)
    s->now->last = s->now->stop = 0.0;
  /* What L-BFGS knows of the curvature was that of another loss. */
  if (param <= P_SMOOTH && by_lbfgs (s))
    sl_lbfgs_clear (&s->lbfgs);
  state->now.report = true;
  return SL_SUCCESS;
}

static void
step_adam (SlStyleLab *s, const Parts *parts)
{
  SlOptimSetting optim = sl_optim_default ();

  optim.rate = (sl_real) sl_value_of (&s->base, P_RATE);
  sl_style_slope (s, s->x, parts, s->gradient);
  sl_optim_step (&optim, s->base.now.t, s->n, s->gradient, s->x, s->m, s->v);
  /* Back to what can be shown. */
  for (size_t i = 0; i < s->n; i++)
    s->x[i] = s->x[i] < 0 ? 0 : s->x[i] > 1 ? 1 : s->x[i];
}

/* What L-BFGS asks for. */
typedef struct
{
  SlStyleLab *s;
  Parts       parts;
} Question;

static void
answer (void *data, const sl_real *x, double *loss, sl_real *gradient)
{
  Question *question = data;

  sl_style_evaluate_image (question->s, x, sl_style_wanted (question->s), true);
  *loss = sl_style_sum (question->s, &question->parts);
  if (isfinite (*loss))
    sl_style_slope (question->s, x, &question->parts, gradient);
}

static bool
step_lbfgs (SlStyleLab *s, const Parts *parts)
{
  SlLbfgsReport report;

  if (compares (s, SL_STYLE_GAUSSIAN))
    sl_lbfgs_redraw (&s->lbfgs);
  return sl_lbfgs_step (&s->lbfgs, sl_value_of (&s->base, P_RATE) * sqrt ((double) s->n), s->x,
                        answer, &(Question) { s, *parts }, &report);
}

/* When the rule of the paper stops: a relative change below 0.5 %, or 1000 updates. */
static void
watch_change (SlStyleLab *s, double total, double *change)
{
  *change = s->now->last > 0.0 ? 100.0 * fabs (total - s->now->last) / s->now->last : NAN;
  if (s->now->stop == 0.0 && (*change < 0.5 || s->base.now.t >= LONGEST))
    s->now->stop = (double) s->base.now.t;
  s->now->last = total;
}

static SlMessage
ended (const SlLabState *state)
{
  double stop = ((const SlStyleLab *) state)->now->stop;

  if (sl_value_of (state, P_STOP) == 0.0 || stop == 0.0)
    return SL_NO_MESSAGE;
  return stop < LONGEST ? sl_message ("The loss changed by less than 0.5 %% at update %.0f.", stop)
                        : sl_message ("The rule ends every run at update %.0f.", stop);
}

static SlStatus
step (SlLabState *state, SlSink *sink)
{
  SlStyleLab *s = sl_style_lab (state);
  bool        report = sl_report_due (state, P_REPORT), fine = true;
  bool        evaluate = sl_report_due (state, P_EVALUATE);
  unsigned    wanted = report || evaluate ? WANT_ALL : sl_style_wanted (s);
  double      total, change;
  Parts       parts;

  if (!s->now->scaled)
    sl_style_scale (s);
  parts = sl_style_parts (s);
  if ((wanted >> SL_STYLE_GAUSSIAN & 1) != 0)
    sl_style_draw (s);
  /* Figures are those of the picture before the update, whose features the update needs. */
  if (wanted != WANT_ALL && by_lbfgs (s) && s->lbfgs.memory->begun
      && !compares (s, SL_STYLE_GAUSSIAN))
    total = s->lbfgs.memory->loss;
  else
    {
      sl_style_evaluate_image (s, s->x, wanted, false);
      total = sl_style_sum (s, &parts);
    }
  state->now.examples = ++state->now.t;
  if (!isfinite (total))
    return sl_diverged (total);
  watch_change (s, total, &change);
  if (report)
    sl_style_report (s, sink, total, change, &parts);
  if (evaluate)
    sl_style_evaluate (s, sink, &parts);
  if (by_lbfgs (s))
    fine = step_lbfgs (s, &parts);
  else
    step_adam (s, &parts);
  state->now.macs = s->now->network + s->now->losses;
  state->now.report = false;
  return fine ? SL_SUCCESS : sl_diverged (NAN);
}

static void
freeze (SlLabState *state)
{
  SlStyleLab *s = sl_style_lab (state);

  if (!s->now->scaled)
    sl_style_scale (s);
  sl_style_draw (s);
  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), false);
}

static double
objective (SlLabState *state, sl_real *gradient)
{
  SlStyleLab *s = sl_style_lab (state);
  Parts       parts = sl_style_parts (s);

  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), true);
  if (gradient != NULL)
    sl_style_slope (s, s->x, &parts, gradient);
  return sl_style_sum (s, &parts);
}

static SlStatus
restored (SlLabState *state)
{
  const SlStyleLab    *s = sl_style_lab (state);
  const SlLbfgsMemory *memory = s->lbfgs.memory;

  if (!sl_is_truth (&s->now->scaled) || !(s->now->stop >= 0.0 && s->now->stop <= 1e15))
    return sl_out_of_range ();
  if (by_lbfgs (s) && (memory->pairs > s->lbfgs.most || memory->next >= s->lbfgs.most))
    return sl_out_of_range ();
  return SL_SUCCESS;
}

static SlStatus
picture (SlLabState *state, SlBitmap *picture)
{
  SlStyleLab *s = sl_style_lab (state);
  SlStatus    status = sl_bitmap_init (picture, "picture", s->width, s->height);

  if (sl_ok (&status))
    sl_bitmap_from_planes (s->x, picture);
  return status;
}

#define HILLS "pictures:content=hills,size=16"
#define SMALL                                                                                      \
  "scales=2 levels=1-2 content-level=2 gamma=5 report-every=1 evaluate-every=3 positions=20 "

/* clang-format off */
const SlLab sl_lab_style = {
  .id = "style", .title = "Style",
  .summary = "Gives a picture the feature distribution of another, the style.",
  .reference = "Li, Wang, Liu and Hou 2017, arXiv 1701.01036",
  .params = sl_style_params, .n_params = N_PARAMS, .panels = sl_style_panels, .n_panels = N_PANELS,
  .front = &(const SlFrontPage) {
    .panels = "alive total levels mmd change losses",
    .knobs = "gamma method goal smoothness start",
    .bars = {
      { SL_MARK ("style"), "total.style", NULL, NULL },
      { SL_MARK ("content"), "total.content", NULL, NULL },
      { SL_MARK ("change of the picture"), "change.change", "change.stop", "%" },
    },
  },
 
  .data = SL_NEEDS_PICTURES, .best = "total.total", .error = "mmd",
  .state_bytes = sizeof (SlStyleLab), .state_version = 2, .shape = shape, .carve = sl_style_carve,
  .init = init, .set = set, .step = step, .probes = sl_style_probes, .score = sl_style_score, .scores = sl_style_score_names,
  .picture = picture, .freeze = freeze, .objective = objective, .restored = restored, .ended = ended,
  .clear = clear,
  SL_SWEEPS (
    { .id = "gamma", .title = "Four comparisons by γ",
      .help = "Each comparison at each strength of the paper's figure 2.",
      .axes = "method=gram,linear,gaussian,moments gamma=0.1,0.2,1,5,10",
      .settings = "start=content smoothness=0.02", .seeds = "1", .steps = 100 },
    { .id = "levels", .title = "Texture by levels",
      .help = "The style alone, at ever more levels: patterns grow, as in the paper's figure 1.",
      .axes = "method=gram,linear,gaussian,moments levels=1,1-2,1-2-3,1-2-3-4,1-2-3-4-5",
      .settings = "goal=style", .seeds = "1", .steps = 100 },
    { .id = "fusion", .title = "Fusion of two",
      .help = "Means and deviations mixed with Gram, from (0.9, 0.1) to (0.1, 0.9).",
      .axes = "fusion=0.9,0.7,0.5,0.3,0.1",
      .settings = "method=moments second=gram gamma=25 start=content smoothness=0.02", .seeds = "1",
      .steps = 100 },
    { .id = "fusion-kernels", .title = "Fusion of two kernels",
      .help = "The linear kernel mixed with the Gaussian one.",
      .axes = "fusion=0.9,0.7,0.5,0.3,0.1",
      .settings = "method=linear second=gaussian gamma=25 start=content smoothness=0.02",
      .seeds = "1", .steps = 100 }),
  SL_PRESETS (
    { "paper", "As in the paper",
      .help = "The published pictures need the weights of VGG-19.",
      .settings = "method=gram start=noise gamma=5 levels=1-2-3-4-5 weights=1 equal-levels=no "
                  "content-level=4 smoothness=0" },
    { "quick", "Quick",
      .help = "From the content: a picture after a few updates.",
      .settings = "levels=1-2 scales=2 start=content smoothness=0.02" },
    { "texture", "Texture alone",
      .help = "Without the content only the texture of the style is left.",
      .settings = "goal=style" }),
  SL_HEALTH (
    SL_HEALTH_LOSS ("total.total", "learning-rate")),
  .readings = SL_NAMES (
    "Reading: Gram matrices are divided by the number of positions.",
    "Reading: the Gaussian kernel is exp (−‖x − y‖² / 2σ²) with σ² the mean squared distance of the drawn pairs.",
    "Reading: ⌊M/2⌋ disjoint random pairs of positions, drawn anew for each update.",
    "Reading: deviations are √(variance + 10⁻⁸); as printed, a constant channel has an infinite gradient.",
    "Ours: all comparisons are brought to the norm of the content's gradient on noise, so that γ means the same for "
    "each; Z and β′ are not given."),
  /* Filters are such that no rectifier turns within the steps of the gradient check. */
  SL_TRIALS (
    { HILLS, SMALL "method=gram optimiser=adam" },
    { HILLS, SMALL "method=linear second=moments fusion=0.3 start=content goal=style" },
    { HILLS, SMALL "method=poly smoothness=0.1 content-level=1" },
    { HILLS, SMALL "method=gaussian second=poly c=0.5 filters=2 equal-levels=off" },
    { HILLS, SMALL "method=gaussian optimiser=adam start=style taps=last weights=2-1 gamma=20 "
            "stop=yes" },
    { HILLS,
      "scales=1 levels=3-1-1-7 weights=1-0-2-1 content-level=5 goal=content report-every=2 "
      "filters=2 positions=2" }),
};
/* clang-format on */
