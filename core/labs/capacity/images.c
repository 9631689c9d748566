/* SPDX-License-Identifier: MIT
 *
 * Two and three dimensions in the lab `capacity`: the layer rule on a torus, and random networks over small images,
 * which are those of live.c with the taps of a square.  Side inputs, biases and boundaries are left out.  */
#include <math.h>
#include <string.h>

#include "core/labs/capacity/probes.h"
#include "core/nn/kernels/normal.h"

enum { ROWS = IMAGE * IMAGE, SIDE = 2 * IMAGE_RADIUS + 1, TAPS = SIDE * SIDE };

void
sl_capacity_images_carve (SlCapacityLab *s)
{
  SlArena   *scratch = &s->base.scratch;
  SlResidual largest = { .rows = ROWS, .channels = IMAGE_CHANNELS, .taps = TAPS };

  s->image_from = sl_arena_carve (scratch, (size_t) ROWS * TAPS, sizeof *s->image_from);
  s->image_w = sl_arena_reals (scratch, TAPS * IMAGE_CHANNELS * IMAGE_CHANNELS);
  s->image_h = sl_arena_reals (scratch, ROWS * IMAGE_CHANNELS);
  s->image_delta = sl_arena_reals (scratch, ROWS * IMAGE_CHANNELS);
  s->image_slopes = sl_arena_reals (scratch, (size_t) IMAGE_LAYERS * ROWS * IMAGE_CHANNELS);
  s->image_norm = sl_arena_reals (scratch, ROWS);
  s->image_room = sl_arena_reals (scratch, sl_residual_work (&largest));
  s->image_power = sl_arena_carve (scratch, ROWS, sizeof *s->image_power);
}

void
sl_capacity_images_clear (SlCapacityLab *s)
{
  s->now->image = (Images) { 0 };
}

/* Whether the kernel has a counterpart in two dimensions. */
static bool
has_square (const SlCapacityLab *s)
{
  return !drifts (s) && sl_value_of (&s->base, P_DILATION) == DILATION_NONE;
}

bool
sl_capacity_images_can (const SlCapacityLab *s)
{
  return has_square (s) && sl_value_of (&s->base, P_RADIUS) <= IMAGE_RADIUS
         && sl_value_of (&s->base, P_LAYERS) <= IMAGE_LAYERS;
}

/* The taps of the square, each weaker by how many more there are than in one dimension. */
static unsigned
square_taps (const SlCapacityLab *s, const Design *d, SlCapacityPlaneTap *tap)
{
  long     radius = (long) sl_value_of (&s->base, P_RADIUS);
  double   q = d->kernel.tap[0].rate / (double) (2 * radius + 1);
  unsigned n = 0;

  for (long y = -radius; y <= radius; y++)
    for (long x = -radius; x <= radius; x++)
      if (x != 0 || y != 0 || sl_value_of (&s->base, P_KERNEL) == KERNEL_WITH_CENTRE)
        tap[n++] = (SlCapacityPlaneTap) { x, y, q };
  return n;
}

/* ---- random networks ---- */

static void
place_square (SlCapacityLab *s, const SlCapacityPlaneTap *tap, unsigned taps)
{
  for (long y = 0; y < IMAGE; y++)
    for (long x = 0; x < IMAGE; x++)
      for (unsigned k = 0; k < taps; k++)
        s->image_from[(y * IMAGE + x) * taps + k]
          = (int32_t) ((y + tap[k].dy + IMAGE) % IMAGE * IMAGE + (x + tap[k].dx + IMAGE) % IMAGE);
}

static void
draw_square (SlCapacityLab *s, const Design *d, double q, unsigned taps, SlRng rng)
{
  size_t  n = taps * IMAGE_CHANNELS * IMAGE_CHANNELS;
  double  gain = d->activation == SL_SHATTER_RECTIFIER ? 2.0 : 1.0;
  sl_real scale = (sl_real) sqrt (gain * d->law.scale * q / IMAGE_CHANNELS);

  sl_normal_fill (&rng, n, s->image_w);
  for (size_t i = 0; i < n; i++)
    s->image_w[i] *= scale;
}

/* Both axes are alike, and count half each. */
static void
add_axes (SlCapacityLab *s)
{
  sl_residual_power (ROWS, IMAGE_CHANNELS, s->image_delta, s->image_power);
  for (size_t at = 0; at < IMAGE; at++)
    {
      double both = 0.0;

      for (size_t i = 0; i < IMAGE; i++)
        both += 0.5 * (s->image_power[at * IMAGE + i] + s->image_power[i * IMAGE + at]);
      sum_add (&s->now->image.axis[at], both);
    }
  s->now->image.networks++;
}

void
sl_capacity_images_step (SlCapacityLab *s)
{
  const size_t       all = ROWS * IMAGE_CHANNELS;
  SlCapacityPlaneTap tap[MOST_KERNEL * MOST_KERNEL];
  SlRng             *rng = &s->now->images;
  sl_real            phase[IMAGE_CHANNELS], norm;
  Design             d;
  unsigned           taps;
  SlResidual         net;

  if (!sl_capacity_images_can (s))
    return;
  sl_capacity_design (s, &d);
  taps = square_taps (s, &d, tap);
  place_square (s, tap, taps);
  net = (SlResidual) { .activation = d.activation,
                       .omega = (sl_real) d.omega,
                       .rows = ROWS,
                       .channels = IMAGE_CHANNELS,
                       .taps = taps,
                       .from = s->image_from,
                       .phase = phase,
                       .norm = s->image_norm };
  norm = (sl_real) (1.0 / sqrt (1.0 + d.law.scale * taps * tap[0].rate));
  for (size_t i = 0; i < ROWS; i++)
    s->image_norm[i] = norm;
  sl_normal_fill (rng, all, s->image_h);
  for (size_t i = 0; i < IMAGE_CHANNELS; i++)
    phase[i] = (sl_real) (2.0 * M_PI * sl_rng_uniform (rng));
  for (size_t l = 0; l < d.layers; l++)
    {
      s->layer_rng[l] = *rng;
      sl_rng_next (rng);
      draw_square (s, &d, tap[0].rate, taps, s->layer_rng[l]);
      sl_residual_forward (&net, s->image_w, NULL, s->image_h, s->image_slopes + l * all, NULL,
                           s->image_room);
    }
  memset (s->image_delta, 0, all * sizeof *s->image_delta);
  s->image_delta[ROWS / 2 * IMAGE_CHANNELS] = 1;
  for (size_t l = d.layers; l-- > 0;)
    {
      draw_square (s, &d, tap[0].rate, taps, s->layer_rng[l]);
      sl_residual_backward (&net, s->image_w, s->image_slopes + l * all, NULL, s->image_delta, NULL,
                            s->image_room);
    }
  add_axes (s);
  s->base.now.macs += 2.0 * (double) (all * IMAGE_CHANNELS * taps * d.layers);
}

/* ---- panels ---- */

/* The taps and the settings; none, with a note, where there is no square of them. */
static unsigned
square (SlProbe *p, Design *d, SlCapacityPlaneTap *tap)
{
  SlCapacityLab *s = sl_capacity_lab (p->state);

  if (!has_square (s))
    {
      sl_probe_note (p, "Only for two-sided kernels without dilation.");
      return 0;
    }
  sl_capacity_design (s, d);
  return square_taps (s, d, tap);
}

void
sl_capacity_probe_plane (SlProbe *p)
{
  SlCapacityPlaneTap tap[MOST_KERNEL * MOST_KERNEL];
  double            *out = sl_capacity_lab (p->state)->work, *cells;
  Design             d;
  unsigned           n = square (p, &d, tap);

  if (n == 0)
    return;
  sl_capacity_plane (tap, n, d.law.scale, (double) d.layers, PLANE, out, out + PLANE * PLANE);
  cells = sl_probe_matrix (p, 1, PLANE, PLANE);
  if (cells == NULL)
    return;
  for (size_t y = 0; y < PLANE; y++)
    for (size_t x = 0; x < PLANE; x++)
      cells[y * PLANE + x]
        = fmax (out[(y + PLANE / 2 + 1) % PLANE * PLANE + (x + PLANE / 2 + 1) % PLANE], 0.0);
  p->snapshot->hi = cells[PLANE * PLANE / 2];
  p->snapshot->lo = 1e-4 * p->snapshot->hi;
  sl_probe_note (p, "%zu layers, %u taps, squared shares, torus of %d × %d", d.layers, n, PLANE,
                 PLANE);
}

/* The layer rule along one axis of so many dimensions, on a ring as long, without side inputs and biases. */
static void
show_line (SlProbe *p, unsigned trace, const Design *d, unsigned dimensions)
{
  SlCapacityLaw     law = { .rule = SL_CAPACITY_SQUARED, .scale = d->law.scale };
  SlCapacityBuckets buckets = { 0 };
  SlCapacityShares  shares;
  SlCapacityKernel  axis;
  double            here[IMAGE] = { [IMAGE / 2] = 1.0 }, next[IMAGE];

  if (!sl_capacity_axis (&d->kernel, dimensions, &axis))
    return;
  sl_capacity_shares (&axis, &law, &shares);
  for (size_t m = 0; m < d->layers; m++)
    {
      sl_capacity_step (&axis, &shares, IMAGE, SL_EDGE_PERIODIC, here, next, &buckets);
      memcpy (here, next, sizeof next);
    }
  sl_capacity_profile (p, trace, d, here);
}

void
sl_capacity_probe_axis (SlProbe *p)
{
  SlCapacityLab     *s = sl_capacity_lab (p->state);
  const Images      *image = &s->now->image;
  SlCapacityPlaneTap tap[MOST_KERNEL * MOST_KERNEL];
  double            *out = s->work, axis[IMAGE] = { 0 };
  Design             d;
  unsigned           n = square (p, &d, tap);

  if (n == 0)
    return;
  sl_capacity_plane (tap, n, d.law.scale, (double) d.layers, IMAGE, out, out + ROWS);
  for (size_t y = 0; y < IMAGE; y++)
    for (size_t x = 0; x < IMAGE; x++)
      axis[(x + IMAGE / 2) % IMAGE] += out[y * IMAGE + x];
  d.n = IMAGE;
  sl_capacity_profile (p, T_AXIS, &d, axis);
  show_line (p, T_AXIS_LINE, &d, 1);
  show_line (p, T_AXIS_CUBE, &d, 3);
  sl_capacity_dots_near (
    p, T_AXIS_DOTS, axis,
    (SlCapacityDots) {
      .sum = image->axis, .networks = image->networks, .n = IMAGE, .factor = 1.0 });
  if (!sl_capacity_images_can (s))
    sl_probe_note (p, "Networks over images have at most %d layers and radius %d.", IMAGE_LAYERS,
                   IMAGE_RADIUS);
  else if (!sl_is_on (&s->base, P_IMAGES))
    sl_probe_note (p, "Networks over images are switched off.");
  else
    sl_probe_note (p, "%llu networks", (unsigned long long) image->networks);
  if (d.activation == SL_SHATTER_TANH)
    sl_probe_note (p, " Slopes of tanh, left out here, narrow the field.");
}
