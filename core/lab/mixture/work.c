/* SPDX-License-Identifier: MIT */
#include "core/lab/mixture/work.h"

#include <math.h>

typedef struct
{
  double busy; /* experts that get an example */
  size_t each; /* examples of one of them */
  size_t all;  /* assignments */
  bool   even; /* all have as many */
  size_t most; /* places of an expert; 0 where there is no limit */
} Spread;

/* The weights of a noisy gate begin at 0, and chance in the first batch decides whether an expert's logit rises or
 * falls.  Adam's first update moves every weight by the whole rate: on inputs that are much alike, as drawings on a
 * dark or bright ground are, the logit moves by nearly rate · Σ |x|, and momentum makes it several times as much.
 * Where that is large beside the noise, an expert that fell is never drawn again, and the load loss, whose slope is a
 * normal density, is too flat there to bring it back.  With more experts to each choice more are lost.  The numbers
 * were fitted to 300 random settings (digits, 120 updates) and held for another 240.  */
double
sl_mixture_lost (const SlMoeShape *shape, const SlMoeSetting *setting, const SlOptimSetting *first,
                 double input)
{
  static const double most = 0.6, half = 2.1, steepness = 2.5;
  double              n = (double) shape->experts, k = (double) setting->k;
  double              way = (double) first->rate * input * sqrt (n / fmax (k, 2));

  if (shape->gate != SL_MOE_NOISY || shape->groups > 1 || first->kind != SL_ADAM || k >= n
      || !(way > 0))
    return 0;
  return most / (1 + pow (half / way, steepness));
}

/* Assignments of a batch as chance spreads them among those that are not lost, or where everybody gets as many
 * evenly.  */
static Spread
spread_of (const SlMoeShape *shape, size_t k, size_t batch, double lost)
{
  double n = fmax ((double) shape->experts * (1 - lost), (double) k), all = (double) (batch * k);
  bool   even = k == shape->experts || shape->gate == SL_MOE_BALANCED
              || shape->gate == SL_MOE_EXPERT_CHOICE || shape->gate == SL_MOE_BASE;
  Spread spread
    = { .busy = even ? n : n * (1 - pow (1 - 1 / n, all)), .all = batch * k, .even = even };

  spread.each = (size_t) fmax (round (all / spread.busy), 1);
  return spread;
}

/* Experts that work on an example alone: of dense and soft mixtures all. */
static size_t
chosen_of (const SlMoeShape *shape, size_t k)
{
  return shape->gate == SL_MOE_DENSE || shape->gate == SL_MOE_SOFT || k > shape->experts
           ? shape->experts
           : k;
}

/* Going through the weights of all of them. */
static void
add_weights (const SlMoeShape *shape, SlWorkload *work, const Spread *spread, double times)
{
  double numbers = spread->busy * (double) (shape->hidden * (shape->inputs + shape->outputs));

  sl_cost_add (work, SL_COST_READ, times, (size_t) numbers, 1, 1);
}

/* A product of each expert: m examples of it, or sums over k of them.  Where they differ, half of the experts
 * have a half less than the mean and half as much more: kernels for few and for many are others.  */
static void
add_few (SlWorkload *work, SlCostKind kind, const Spread *spread, size_t rows, size_t columns)
{
  unsigned kinds = spread->even || spread->each < 2 ? 1 : 2;

  for (unsigned i = 0; i < kinds; i++)
    {
      size_t each = kinds == 1 ? spread->each : (2 * i + 1) * spread->each / 2;

      if (spread->most > 0 && each > spread->most)
        each = spread->most;
      if (kind == SL_COST_FEW_OUTER)
        sl_cost_add (work, kind, spread->busy / kinds, rows, columns, each);
      else
        sl_cost_add (work, kind, spread->busy / kinds, each, rows, columns);
    }
}

/* Inputs of all assignments, copied side by side and then read by the products. */
static void
add_inputs (const SlMoeShape *shape, SlWorkload *work, const Spread *spread)
{
  sl_cost_add (work, SL_COST_COPY, 1, spread->all, shape->inputs, 1);
  sl_cost_add (work, SL_COST_READ, 1, spread->all, shape->inputs, 1);
}

static void
add_experts (const SlMoeShape *shape, SlWorkload *work, const Spread *spread)
{
  add_inputs (shape, work, spread);
  add_few (work, SL_COST_FEW, spread, shape->hidden, shape->inputs);
  sl_cost_add (work, SL_COST_RELU, spread->busy, spread->each, shape->hidden, 1);
  add_few (work, SL_COST_FEW, spread, shape->outputs, shape->hidden);
  sl_cost_add (work, SL_COST_COPY, 1, spread->all, shape->outputs, 1);
  add_weights (shape, work, spread, 1);
}

/* Shared experts work on all examples. */
static Spread
shared_of (const SlMoeShape *shape, size_t batch)
{
  return (Spread) { (double) shape->shared, batch, batch * shape->shared, true, 0 };
}

/* What comes before the experts and after them; `drawn`: with noise. */
static void
add_gate (const SlMoeShape *shape, SlWorkload *work, size_t batch, bool training, bool drawn)
{
  bool   soft = shape->gate == SL_MOE_SOFT;
  size_t logits = (drawn ? 2 : soft ? shape->slots : 1) * shape->experts;

  sl_cost_add (work, SL_COST_DOWN, 1, batch, logits, shape->inputs);
  if (drawn)
    sl_cost_add (work, SL_COST_NORMAL, 1, batch, shape->experts, 1);
  if (drawn)
    sl_cost_add (work, SL_COST_SIGMOID, 3, batch, shape->experts, 1);
  else if (shape->gate != SL_MOE_NOISY)
    sl_cost_add (work, SL_COST_SIGMOID, soft && training ? 2 : 1, batch, logits, 1);
  if (shape->gate == SL_MOE_BASE && training)
    sl_cost_add (work, SL_COST_COPY, 2 * SL_CHOOSER_ROUNDS, batch, shape->experts, 1);
  if (!soft || !training)
    return;
  sl_cost_add (work, SL_COST_WEIGHTS, 1, logits, shape->inputs, batch);
  sl_cost_add (work, SL_COST_DOWN, 1, batch, shape->outputs, logits);
}

/* Inputs of the experts that are not shared. */
static Spread
worked_of (const SlMixtureWork *mixture, size_t batch, bool training)
{
  const SlMoeShape *shape = mixture->shape;
  SlChooserSetting  choice = mixture->setting.choice;
  Spread            spread;

  if (shape->gate == SL_MOE_SOFT && training)
    return (Spread) { (double) shape->experts, shape->slots, shape->experts * shape->slots, true,
                      0 };
  choice.k = chosen_of (shape, mixture->setting.k);
  spread = spread_of (shape, choice.k, batch, mixture->lost);
  if (shape->gate == SL_MOE_SWITCH)
    spread.most = sl_chooser_places (&choice, shape->experts, batch);
  return spread;
}

void
sl_mixture_work_forward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch,
                         bool training)
{
  const SlMoeShape *shape = mixture->shape;
  bool              drawn = training && shape->gate == SL_MOE_NOISY && mixture->setting.noise;
  Spread            spread = worked_of (mixture, batch, training);
  Spread            shared = shared_of (shape, batch);

  add_gate (shape, work, batch, training, drawn);
  add_experts (shape, work, &spread);
  add_experts (shape, work, &shared);
}

/* How often an update goes through the weights of its experts after the forward pass: for the gradient of what is
 * below, and to read and write them and each moment.  */
static double
passes (const SlMixtureWork *mixture)
{
  return 3 + (mixture->optimiser == SL_COST_ADAM ? 4 : 0);
}

/* `below`: what is below the experts learns, or mixes for them. */
static void
add_experts_backward (const SlMixtureWork *mixture, SlWorkload *work, const Spread *spread,
                      bool below)
{
  const SlMoeShape *shape = mixture->shape;

  if (mixture->setting.recompute)
    add_few (work, SL_COST_FEW, spread, shape->hidden, shape->inputs);
  add_inputs (shape, work, spread);
  add_few (work, SL_COST_FEW_BACK, spread, shape->hidden, shape->outputs);
  add_few (work, SL_COST_FEW_OUTER, spread, shape->hidden, shape->outputs);
  if (below)
    add_few (work, SL_COST_FEW_BACK, spread, shape->inputs, shape->hidden);
  add_few (work, SL_COST_FEW_OUTER, spread, shape->inputs, shape->hidden);
  sl_cost_add (work, mixture->optimiser, spread->busy, shape->hidden,
               shape->inputs + shape->outputs, 1);
  add_weights (shape, work, spread, passes (mixture));
}

/* The gate, with its noise if there is any; the optimiser goes through the weights of that all the same. */
static void
add_gate_backward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch)
{
  const SlMoeShape *shape = mixture->shape;
  bool              noisy = shape->gate == SL_MOE_NOISY, soft = shape->gate == SL_MOE_SOFT;
  bool              drawn = noisy && mixture->setting.noise;
  size_t            logits = (drawn ? 2 : soft ? shape->slots : 1) * shape->experts;
  size_t            numbers = noisy ? 2 * shape->experts : logits;

  if (soft)
    {
      sl_cost_add (work, SL_COST_FORWARD, 1, batch, logits, shape->outputs);
      sl_cost_add (work, SL_COST_WEIGHTS, 1, logits, shape->outputs, batch);
      sl_cost_add (work, SL_COST_FORWARD, 1, batch, logits, shape->inputs);
    }
  sl_cost_add (work, SL_COST_WEIGHTS, 1, shape->inputs, logits, batch);
  if (!shape->first_layer)
    sl_cost_add (work, SL_COST_FORWARD, soft ? 2 : 1, batch, shape->inputs, logits);
  if (drawn)
    sl_cost_add (work, SL_COST_SIGMOID, 2, batch, shape->experts, 1);
  else if (!noisy)
    sl_cost_add (work, SL_COST_COPY, soft ? 2 : 1, batch, logits, 1);
  sl_cost_add (work, mixture->optimiser, 1, shape->inputs, numbers, 1);
}

void
sl_mixture_work_backward (const SlMixtureWork *mixture, SlWorkload *work, size_t batch)
{
  const SlMoeShape *shape = mixture->shape;
  bool              below = !shape->first_layer;
  Spread            spread = worked_of (mixture, batch, true), shared = shared_of (shape, batch);

  add_experts_backward (mixture, work, &spread, below || shape->gate == SL_MOE_SOFT);
  add_experts_backward (mixture, work, &shared, below);
  add_gate_backward (mixture, work, batch);
}

bool
sl_mixture_work_refuse (const SlMixtureWork *mixture, SlWorkload *work)
{
  const SlMoeShape *shape = mixture->shape;
  SlMessage         why;

  if (shape->groups > 1)
    why = sl_message ("Gates with groups are not predicted.");
  else if (shape->gate == SL_MOE_RELU)
    why = sl_message ("ReLU routing learns how many experts are on; this is not known before.");
  else if (shape->gate == SL_MOE_NOISY && !mixture->setting.noise)
    why = sl_message (
      "Without noise a few experts get all examples at first; how many is not known before.");
  else
    return false;
  sl_cost_refuse (work, SL_COST_OF_PASS, why);
  sl_cost_refuse (work, SL_COST_OF_STEP, why);
  return true;
}
