/* SPDX-License-Identifier: MIT
 *
 * Random networks of the lab `capacity`: one convolutional network with skip paths, one probe at
 * the output, and where the squares of its gradient arrive.  In expectation over the weights that
 * is the layer rule exactly (rule of squared shares), for every activation whose squared slope has
 * mean 1.  Each block is divided by the root of its Z, which changes no share and keeps both passes
 * inside the range of numbers.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/lab.h"
#include "core/nn/kernels/normal.h"

static size_t
channels_of (const SlCapacityLab *s)
{
  return sl_count_of (&s->base, P_CHANNELS);
}

void
sl_capacity_field_carve (SlCapacityLab *s)
{
  size_t     n = sl_count_of (&s->base, P_POSITIONS), c = channels_of (s);
  SlResidual largest = { .rows = n, .channels = c, .taps = MOST_KERNEL };

  s->layer_rng = sl_arena_carve (&s->base.scratch, MOST_LAYERS, sizeof *s->layer_rng);
  s->from = sl_arena_carve (&s->base.scratch, n * MOST_KERNEL, sizeof *s->from);
  s->phase = sl_arena_reals (&s->base.scratch, c);
  s->norm = sl_arena_reals (&s->base.scratch, n);
  s->w = sl_arena_reals (&s->base.scratch, MOST_KERNEL * c * c);
  s->h = sl_arena_reals (&s->base.scratch, n * c);
  s->delta = sl_arena_reals (&s->base.scratch, n * c);
  s->all_delta = sl_arena_reals (&s->base.scratch, n * c);
  s->extra = sl_arena_reals (&s->base.scratch, (n + 1) * c);
  s->slopes = sl_arena_reals (&s->base.scratch, MOST_LAYERS * n * c);
  s->room = sl_arena_reals (&s->base.scratch, sl_residual_work (&largest));
  s->power = sl_arena_carve (&s->base.scratch, n, sizeof *s->power);
  s->absent = sl_arena_carve (&s->base.scratch, n, sizeof *s->absent);
}

void
sl_capacity_field_clear (SlCapacityLab *s)
{
  s->now->field = (Field) { 0 };
}

/* A real layer has whole dilations. */
static void
place_taps (SlCapacityLab *s, const Design *d, size_t l)
{
  long dilation = lrint (sl_capacity_design_dilation (d, l));

  for (size_t x = 0; x < d->n; x++)
    for (unsigned k = 0; k < d->kernel.n; k++)
      s->from[x * d->kernel.n + k] = (int32_t) sl_capacity_place (
        (long) x + dilation * d->kernel.tap[k].offset, (long) d->n, d->edge);
}

/* The factor of each row's output, 1/√Z, and the share of Z that reads nothing: zeros beyond an
 * absorbing edge are part of Z, absent taps of a renormalised one are not.  */
static void
find_norms (SlCapacityLab *s, const Design *d, size_t l)
{
  double scale = d->law.scale, slope = d->slope != NULL ? d->slope[l] : 1.0;
  double others = 1.0 + scale * (d->law.leak + d->law.bias);

  for (size_t x = 0; x < d->n; x++)
    {
      double present = 0.0, absent = 0.0, z;

      for (unsigned k = 0; k < d->kernel.n; k++)
        if (s->from[x * d->kernel.n + k] >= 0)
          present += scale * slope * d->kernel.tap[k].rate;
        else
          absent += scale * slope * d->kernel.tap[k].rate;
      z = others + present + (d->edge == SL_EDGE_ABSORBING ? absent : 0.0);
      s->norm[x] = (sl_real) (1.0 / sqrt (z));
      s->absent[x] = d->edge == SL_EDGE_ABSORBING ? absent / z : 0.0;
    }
}

/* The weights of one layer: normal, with the variance that makes s q_k the share of tap k, spread
 * over the input channels as `mixing` says.  The same generator gives the same weights again.  */
static void
draw_weights (SlCapacityLab *s, const Design *d, SlRng rng)
{
  size_t c = channels_of (s), square = c * c;
  double gain = d->activation == SL_SHATTER_RECTIFIER ? 2.0 : 1.0,
         mixing = sl_value_of (&s->base, P_MIXING);
  sl_real mixed = (sl_real) sqrt (mixing / (double) c);
  sl_real own = (sl_real) sqrt (1.0 - mixing + mixing / (double) c);

  sl_normal_fill (&rng, d->kernel.n * square, s->w);
  for (unsigned k = 0; k < d->kernel.n; k++)
    {
      sl_real scale = (sl_real) sqrt (gain * d->law.scale * d->kernel.tap[k].rate);

      for (size_t i = 0; i < square; i++)
        s->w[k * square + i] *= scale * (i % (c + 1) == 0 ? own : mixed);
    }
}

/* Side inputs, a normal number each, and biases, one per channel, which a tied layer has kept. */
static bool
draw_extra (SlCapacityLab *s, const Design *d, bool kept)
{
  size_t   c = channels_of (s), n = d->n * c;
  sl_real *bias = s->extra + n;
  sl_real  side_scale = (sl_real) sqrt (d->law.scale * d->law.leak);
  sl_real  bias_scale = (sl_real) sqrt (d->law.scale * d->law.bias);

  if (d->law.leak + d->law.bias == 0.0)
    return false;
  sl_normal_fill (&s->now->inputs, kept ? n : n + c, s->extra);
  for (size_t i = 0; i < n; i++)
    s->extra[i] = side_scale * s->extra[i] + bias_scale * bias[i % c];
  return true;
}

static void
forward (SlCapacityLab *s, const Design *d, SlResidual *net)
{
  size_t c = channels_of (s);
  bool   tied = sl_is_on (&s->base, P_TIED);

  sl_normal_fill (&s->now->inputs, d->n * c, s->h);
  for (size_t i = 0; i < c; i++)
    s->phase[i] = (sl_real) (2.0 * M_PI * sl_rng_uniform (&s->now->inputs));
  for (size_t l = 0; l < d->layers; l++)
    {
      bool kept = tied && l > 0, more = draw_extra (s, d, kept);

      if (l == 0 || d->dilation != DILATION_NONE)
        place_taps (s, d, l);
      if (l == 0 || d->dilation != DILATION_NONE || d->slope != NULL)
        find_norms (s, d, l);
      if (!kept)
        {
          s->layer_rng[l] = s->now->weights;
          sl_rng_next (&s->now->weights);
          draw_weights (s, d, s->layer_rng[l]);
        }
      sl_residual_forward (net, s->w, more ? s->extra : NULL, s->h, s->slopes + l * d->n * c, NULL,
                           s->room);
    }
}

/* Centroid and variance of this network's capacity, as it is at depth m. */
static double
look (SlCapacityLab *s, const Design *d, size_t m, double *mean, double *variance)
{
  size_t c = channels_of (s);
  double total, own = 0.0;

  sl_residual_power (d->n, c, s->delta, s->power);
  total = sl_capacity_sum (d->n, s->power);
  sl_capacity_spread (d->n, s->power, d->x0, d->edge == SL_EDGE_PERIODIC, mean, variance);
  for (size_t x = 0; x < d->n; x++)
    own += pow ((double) s->delta[x * c], 2.0);
  sum_add (&s->now->field.width[m], *variance);
  sum_add (&s->now->field.own[m], own);
  return total;
}

/* An output that reads every layer has its own weight, of either sign, for each: in the mean over them the
 * squares add up.  */
static void
read_layer (SlCapacityLab *s, const Design *d, sl_real *delta)
{
  delta[(size_t) d->x0 * channels_of (s)] += sl_rng_uniform (&s->now->outputs) < 0.5 ? -1 : 1;
}

static void
add_skips (SlCapacityLab *s, const Design *d)
{
  double *power = s->work;

  sl_residual_power (d->n, channels_of (s), s->all_delta, power);
  for (size_t x = 0; x < d->n; x++)
    sum_add (&s->now->field.skips[x], power[x]);
  s->now->field.skip_networks++;
}

static SlResidual
net_of (SlCapacityLab *s, const Design *d)
{
  return (SlResidual) { .activation = d->activation,
                        .omega = (sl_real) d->omega,
                        .rows = d->n,
                        .channels = channels_of (s),
                        .taps = d->kernel.n,
                        .from = s->from,
                        .phase = s->phase,
                        .norm = s->norm };
}

/* The probe is one channel at the output position. */
static void
begin_probe (SlCapacityLab *s, const Design *d)
{
  size_t c = channels_of (s);

  memset (s->delta, 0, d->n * c * sizeof *s->delta);
  s->delta[(size_t) d->x0 * c] = 1;
}

/* Taps and norms of layer l on the way back. */
static void
prepare_layer (SlCapacityLab *s, const Design *d, size_t l)
{
  if (d->dilation != DILATION_NONE)
    place_taps (s, d, l);
  if (d->dilation != DILATION_NONE || d->slope != NULL)
    find_norms (s, d, l);
}

void
sl_capacity_field_light (SlCapacityLab *s, const Design *d, const SlRng *seed, double *light)
{
  SlRng      weights = s->now->weights, inputs = s->now->inputs;
  SlResidual net = net_of (s, d);
  size_t     c = channels_of (s);

  s->now->weights = s->now->inputs = *seed;
  sl_rng_next (&s->now->inputs);
  forward (s, d, &net);
  s->now->weights = weights;
  s->now->inputs = inputs;
  begin_probe (s, d);
  sl_residual_power (d->n, c, s->delta, light);
  for (size_t m = 0; m < d->layers; m++)
    {
      size_t l = d->layers - 1 - m;

      prepare_layer (s, d, l);
      if (!sl_is_on (&s->base, P_TIED))
        draw_weights (s, d, s->layer_rng[l]);
      sl_residual_backward (&net, s->w, s->slopes + l * d->n * c, NULL, s->delta, NULL, s->room);
      sl_residual_power (d->n, c, s->delta, light + (m + 1) * d->n);
    }
}

void
sl_capacity_field_step (SlCapacityLab *s, SlSink *sink, bool report)
{
  Field     *field = &s->now->field;
  size_t     c = channels_of (s);
  bool       tied = sl_is_on (&s->base, P_TIED), all = sl_is_on (&s->base, P_ALL_LAYERS);
  Design     d;
  double     mean, variance, total, side = 0.0, bias = 0.0, edge = 0.0;
  SlResidual net;

  sl_capacity_design (s, &d);
  net = net_of (s, &d);
  forward (s, &d, &net);
  begin_probe (s, &d);
  memset (s->all_delta, 0, d.n * c * sizeof *s->all_delta);
  read_layer (s, &d, s->all_delta);
  total = look (s, &d, 0, &mean, &variance);
  for (size_t m = 0; m < d.layers; m++)
    {
      size_t l = d.layers - 1 - m;
      double leaked = 0.0;

      prepare_layer (s, &d, l);
      for (size_t x = 0; x < d.n; x++)
        {
          leaked += pow ((double) s->norm[x], 2.0) * s->power[x];
          edge += s->absent[x] * s->power[x];
        }
      sum_add (&field->side[m], d.law.scale * d.law.leak * leaked);
      side += d.law.scale * d.law.leak * leaked;
      bias += d.law.scale * d.law.bias * leaked;
      if (!tied)
        draw_weights (s, &d, s->layer_rng[l]);
      sl_residual_backward (&net, s->w, s->slopes + l * d.n * c, NULL, s->delta, NULL, s->room);
      if (all)
        {
          sl_residual_backward (&net, s->w, s->slopes + l * d.n * c, NULL, s->all_delta, NULL,
                                s->room);
          read_layer (s, &d, s->all_delta);
        }
      total = look (s, &d, m + 1, &mean, &variance);
    }
  for (size_t x = 0; x < d.n; x++)
    sum_add (&field->profile[x], s->power[x]);
  sum_add (&field->where[T_INPUT], total);
  sum_add (&field->where[T_SIDES], side);
  sum_add (&field->where[T_BIASES], bias);
  sum_add (&field->where[T_EDGES], edge);
  sum_add (&field->wander, mean * mean);
  field->networks++;
  if (all)
    add_skips (s, &d);
  s->base.now.macs += 2.0 * (double) (d.n * c * c * d.kernel.n * d.layers);

  if (!report)
    return;
  sl_sink_value (sink, V_WIDTH, T_WIDTH, 0, sqrt (variance));
  sl_sink_value (sink, V_WIDTH, T_WANDER, 0, fabs (mean));
  sl_sink_value (sink, V_WIDTH, T_WIDTH_THEORY, 0, sl_capacity_std (&d));
}
