/* SPDX-License-Identifier: MIT
 *
 * Lab `style`: style transfer seen as matching the distributions of features (Li, Wang, Liu and Hou
 * 2017).  This file has the state and the step, style-levels.c what is compared and the memory for
 * it, style-losses.c the loss and its gradient, style-reports.c the figures, style-probes.c the
 * pictures and comparisons, style-tables.c and style-panels.c what is said about them.  */
#include "core/labs/style/lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lab/kit/common.h"
#include "core/nn/optim/optim.h"

static void
destroy (SlLabState *s)
{
  if (s == NULL)
    return;
  sl_arena_clear (&s->kept);
  sl_arena_clear (&s->scratch);
  sl_features_free (s->features);
  free (s);
}

static SlStatus
open_network (SlLabState *s)
{
  const SlPicturePair *pair = s->dataset->pictures;

  if (pair->net != NULL)
    return sl_features_load (&s->features, pair->net);
  /* Not of the run's seed: a checkpoint goes on in a run of any seed. */
  return sl_features_random (&s->features, (uint64_t) value_of (s, P_FILTERS),
                             (unsigned) value_of (s, P_SCALES));
}

static SlStatus
create (SlLabState **state, const SlSettings *settings, const SlDataset *dataset, uint64_t seed)
{
  SlLabState *s = calloc (1, sizeof *s);
  SlStatus    status;

  *state = NULL;
  if (s == NULL)
    return sl_status_new (SL_ENOMEM, "lab", NULL, NULL);
  s->dataset = dataset;
  s->settings = *settings;
  s->height = dataset->pictures->height;
  s->width = dataset->pictures->width;
  s->now.seed = seed;
  sl_rng_init (&s->now.pairs, seed, "pairs");
  status = open_network (s);
  if (sl_ok (&status))
    status = sl_style_plan (s);
  if (sl_ok (&status))
    status = sl_arena_init (&s->kept, s->kept.used);
  if (sl_ok (&status))
    status = sl_arena_init (&s->scratch, s->scratch.used);
  if (!sl_ok (&status))
    {
      destroy (s);
      return status;
    }
  sl_style_carve (s);
  sl_style_learn (s);
  *state = s;
  return SL_SUCCESS;
}

static bool
by_lbfgs (const SlLabState *s)
{
  return value_of (s, P_OPTIMISER) == OPTIMISER_LBFGS;
}

static SlStatus
set (SlLabState *s, unsigned param, const SlValue *value)
{
  s->settings.value[param] = *value;
  if (param == P_METHOD || param == P_SECOND || param == P_C || param == P_WEIGHTS
      || param == P_EQUAL)
    s->now.scaled = false;
  /* What L-BFGS knows of the curvature was that of another loss. */
  if (param <= P_SMOOTH && by_lbfgs (s))
    sl_lbfgs_clear (&s->lbfgs);
  s->now.look = true;
  return SL_SUCCESS;
}

/* Multiplications counted so far. */
static double
macs (const SlLabState *s)
{
  return s->now.network + s->now.losses;
}

static void
step_adam (SlLabState *s, const Parts *parts)
{
  SlOptimSetting optim = sl_optim_default ();

  optim.rate = (sl_real) value_of (s, P_RATE);
  sl_style_slope (s, s->x, parts, s->gradient);
  sl_optim_step (&optim, s->now.t, s->n, s->gradient, s->x, s->m, s->v);
  /* Back to what can be shown. */
  for (size_t i = 0; i < s->n; i++)
    s->x[i] = s->x[i] < 0 ? 0 : s->x[i] > 1 ? 1 : s->x[i];
}

/* What L-BFGS asks for. */
typedef struct
{
  SlLabState *s;
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
step_lbfgs (SlLabState *s, const Parts *parts)
{
  SlLbfgsReport report;

  if (compares (s, SL_STYLE_GAUSSIAN))
    sl_lbfgs_redraw (&s->lbfgs);
  return sl_lbfgs_step (&s->lbfgs, value_of (s, P_RATE) * sqrt ((double) s->n), s->x, answer,
                        &(Question) { s, *parts }, &report);
}

/* When the paper would have stopped: a relative change below 0.5 %, or 1000 updates. */
static void
watch_change (SlLabState *s, double total, double *change)
{
  *change = s->now.last > 0.0 ? 100.0 * fabs (total - s->now.last) / s->now.last : NAN;
  if (s->now.stop == 0.0 && (*change < 0.5 || s->now.t >= LONGEST))
    s->now.stop = (double) s->now.t;
  s->now.last = total;
}

static SlStatus
step (SlLabState *s, SlSink *sink)
{
  uint64_t t = s->now.t + 1;
  bool     report = s->now.look || sl_due (t, value_of (s, P_REPORT));
  bool     evaluate = s->now.look || sl_due (t, value_of (s, P_EVALUATE)), fine = true;
  unsigned wanted = report || evaluate ? WANT_ALL : sl_style_wanted (s);
  double   total, change;
  Parts    parts;

  if (!s->now.scaled)
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
  s->now.t = t;
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
  s->now.look = false;
  return fine ? SL_SUCCESS : sl_diverged (NAN);
}

static SlSpan
weights (SlLabState *s)
{
  return (SlSpan) { s->x, s->n };
}

static void
freeze (SlLabState *s, bool frozen)
{
  s->frozen = frozen;
  if (!frozen)
    return;
  if (!s->now.scaled)
    sl_style_scale (s);
  sl_style_draw (s);
  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), false);
}

static SlStatus
objective (SlLabState *s, double *loss, sl_real *gradient)
{
  Parts parts = sl_style_parts (s);

  if (!s->frozen)
    return sl_not_frozen ();
  sl_style_evaluate_image (s, s->x, sl_style_wanted (s), true);
  *loss = sl_style_sum (s, &parts);
  if (gradient != NULL)
    sl_style_slope (s, s->x, &parts, gradient);
  return isfinite (*loss) ? SL_SUCCESS : sl_diverged (*loss);
}

static unsigned
blobs (SlLabState *s, SlBlob *piece)
{
  piece[0] = (SlBlob) { "state", &s->now, sizeof s->now };
  piece[1] = (SlBlob) { "picture, moments or differences", s->kept.block, s->kept.used };
  return 2;
}

static SlStatus
restored (SlLabState *s, const SlSettings *settings)
{
  const SlLbfgsMemory *memory = s->lbfgs.memory;

  s->settings = *settings;
  if (by_lbfgs (s) && (memory->pairs > s->lbfgs.most || memory->next >= s->lbfgs.most))
    return sl_out_of_range ();
  return SL_SUCCESS;
}

static SlStatus
picture (SlLabState *s, SlBitmap *picture)
{
  SlStatus status = sl_bitmap_init (picture, "picture", s->width, s->height);

  if (sl_ok (&status))
    sl_bitmap_from_planes (s->x, picture);
  return status;
}

static void
progress (const SlLabState *s, SlProgress *progress)
{
  *progress = (SlProgress) { .examples = (double) s->now.t, .multiplications = macs (s) };
}

const SlLab sl_lab_style = {
  .id = "style",
  .title = "Style",
  .summary = "Forms a picture whose features have the distribution of one picture's and the "
             "places of another's. Gram matching is one kernel; other kernels give other styles.",
  .reference = "Li, Wang, Liu and Hou 2017, arXiv 1701.01036",
  .readings = sl_style_readings,
  .params = sl_style_params,
  .n_params = N_PARAMS,
  .panels = sl_style_panels,
  .n_panels = N_PANELS,
  .best = "total.total",
  .error = "mmd",
  .sweeps = sl_style_sweeps,
  .n_sweeps = N_SWEEPS,
  .data = SL_NEEDS_PICTURES,
  .trials = sl_style_trials,
  .n_trials = N_TRIALS,
  .create = create,
  .set = set,
  .step = step,
  .probe = sl_style_probe,
  .score = sl_style_score,
  .picture = picture,
  .weights = weights,
  .objective = objective,
  .freeze = freeze,
  .blobs = blobs,
  .state_version = 1,
  .restored = restored,
  .progress = progress,
  .destroy = destroy,
};
