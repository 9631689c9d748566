/* SPDX-License-Identifier: MIT
 *
 * The loss of the lab `style` and its gradient: α content + β Σ w_l L_l, with β = γ β' and β' such
 * that the gradients of all parts have the same norm at a picture of noise.  */
#include "core/labs/style/lab.h"

#include <math.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/nn/kernels/normal.h"

double
sl_style_norm (size_t n, const sl_real *x)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += (double) x[i] * (double) x[i];
  return sqrt (sum);
}

void
sl_style_noise (const SlStyleLab *s, sl_real *x)
{
  sl_real sd = (sl_real) sl_value_of (&s->base, P_NOISE);
  SlRng   rng;

  sl_rng_init (&rng, s->now->seed, "start");
  sl_normal_fill (&rng, s->n, x);
  for (size_t i = 0; i < s->n; i++)
    x[i] = (sl_real) 0.5 + sd * x[i];
}

void
sl_style_begin (const SlStyleLab *s, sl_real *x)
{
  if (sl_value_of (&s->base, P_START) == START_NOISE)
    sl_style_noise (s, x);
  else
    memcpy (x,
            sl_value_of (&s->base, P_START) == START_CONTENT ? s->base.dataset->pictures->content
                                                             : s->base.dataset->pictures->style,
            s->n * sizeof *x);
}

unsigned
sl_style_wanted (const SlStyleLab *s)
{
  unsigned second = method_of (s, 1) == SL_N_STYLES ? 0 : 1u << method_of (s, 1);

  return 1u << method_of (s, 0) | second;
}

void
sl_style_draw (SlStyleLab *s)
{
  for (unsigned l = 0; l < s->n_levels; l++)
    if (s->level[l].used)
      sl_style_pairs_draw (&s->level[l].pairs, &s->now->pairs, s->level[l].m, s->level[l].m);
}

/* Half the sum of squared differences of neighbours; adds `scale` of its slope unless 0. */
static double
smoothness (const SlStyleLab *s, const sl_real *x, double scale, sl_real *gradient)
{
  size_t  rows = 3 * s->height, w = s->width;
  sl_real by = (sl_real) scale;
  double  sum = 0;

  for (size_t row = 0; row < rows; row++)
    {
      bool more = (row + 1) % s->height != 0;

      for (size_t i = row * w; i < (row + 1) * w; i++)
        {
          sl_real right = i + 1 < (row + 1) * w ? x[i + 1] - x[i] : 0;
          sl_real below = more ? x[i + w] - x[i] : 0;

          sum += 0.5 * ((double) right * (double) right + (double) below * (double) below);
          if (scale == 0.0)
            continue;
          gradient[i] -= by * (right + below);
          if (i + 1 < (row + 1) * w)
            gradient[i + 1] += by * right;
          if (more)
            gradient[i + w] += by * below;
        }
    }
  return sum;
}

uint64_t
sl_style_features (SlStyleLab *s, const sl_real *x)
{
  uint64_t hash = sl_hash (x, s->n * sizeof *x, 0);

  if (hash != s->there || hash == 0)
    sl_features_forward (&s->run, x);
  s->there = hash;
  return hash;
}

void
sl_style_evaluate_image (SlStyleLab *s, const sl_real *x, unsigned wanted, bool keep)
{
  const unsigned by_gram = 1u << SL_STYLE_GRAM | 1u << SL_STYLE_POLY;
  uint64_t       hash = sl_style_features (s, x);

  /* What is counted must not depend on probes in between, nor on where a run was taken up. */
  if (hash != s->now->seen)
    s->now->network += s->run.products;
  s->now->seen = hash;
  s->content_loss = sl_style_content (s->content_n, sl_features_tap (&s->run, s->content_tap),
                                      s->content, 0, NULL);
  s->smooth_loss = smoothness (s, x, 0, NULL);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      Level         *level = &s->level[l];
      const sl_real *f;

      if (!level->used)
        continue;
      f = sl_features_tap (&s->run, level->tap);
      sl_style_moments (level->m, f, SL_STYLE_EPSILON, &level->now);
      if ((wanted & by_gram) != 0)
        sl_style_gram (level->m, f, &level->now);
      for (int method = 0; method < SL_N_STYLES; method++)
        if ((wanted >> method & 1) != 0)
          s->loss[method][l]
            = method == SL_STYLE_GAUSSIAN
                ? sl_style_gaussian (&level->pairs, level->n, level->m, f, level->m,
                                     level->features, keep)
                : sl_style_loss ((SlStyleMethod) method, c_of (s, l), &level->now, &level->style);
    }
}

double
sl_style_total (const SlStyleLab *s, SlStyleMethod method)
{
  double sum = 0;

  for (unsigned l = 0; l < s->n_levels; l++)
    if (weight_of (s, l) > 0.0)
      sum += weight_of (s, l) * s->loss[method][l];
  return sum;
}

/* What the loss of a level is multiplied with by one of the methods. */
static double
scale_of (const SlStyleLab *s, const Parts *parts, unsigned k, unsigned l)
{
  double weight = weight_of (s, l);

  return weight > 0.0 && parts->style[k] != 0.0 ? parts->style[k] * weight * s->now->scale[k][l]
                                                : 0.0;
}

double
sl_style_sum (const SlStyleLab *s, const Parts *parts)
{
  double sum = parts->content * s->content_loss + parts->smooth * s->smooth_loss;

  for (unsigned k = 0; k < 2; k++)
    for (unsigned l = 0; l < s->n_levels; l++)
      if (scale_of (s, parts, k, l) != 0.0)
        sum += scale_of (s, parts, k, l) * s->loss[method_of (s, k)][l];
  return sum;
}

/* Adds one method's slope at one level. */
static void
add_level (SlStyleLab *s, unsigned l, SlStyleMethod method, double scale)
{
  Level         *level = &s->level[l];
  const sl_real *f = sl_features_tap (&s->run, level->tap);

  if (method == SL_STYLE_GAUSSIAN)
    sl_style_gaussian_backward (&level->pairs, level->n, scale, level->m, f, level->m,
                                level->features, s->slope[level->tap]);
  else
    sl_style_backward (method, c_of (s, l), scale, &level->now, &level->style, f, s->work,
                       s->slope[level->tap]);
  s->now->losses += sl_style_macs (method, level->n, level->m);
}

void
sl_style_slope (SlStyleLab *s, const sl_real *x, const Parts *parts, sl_real *gradient)
{
  const sl_real *slope[SL_FEATURE_VALUES] = { NULL };
  bool           any = false;

  /* Nothing is added to a tap whose part is switched off, and layers behind cost nothing. */
  for (unsigned l = 0; l < s->n_levels; l++)
    if (scale_of (s, parts, 0, l) != 0.0 || scale_of (s, parts, 1, l) != 0.0)
      slope[s->level[l].tap] = s->slope[s->level[l].tap];
  if (parts->content != 0.0)
    slope[s->content_tap] = s->slope[s->content_tap];
  for (unsigned tap = 0; tap < s->run.taps; tap++)
    if (slope[tap] != NULL)
      {
        memset (s->slope[tap], 0,
                sl_features_tap_channels (s->features, tap)
                  * sl_features_positions (&s->run, tap, NULL, NULL) * sizeof *s->slope[tap]);
        any = true;
      }
  for (unsigned k = 0; k < 2; k++)
    for (unsigned l = 0; l < s->n_levels; l++)
      if (scale_of (s, parts, k, l) != 0.0)
        add_level (s, l, method_of (s, k), scale_of (s, parts, k, l));
  if (parts->content != 0.0)
    sl_style_content (s->content_n, sl_features_tap (&s->run, s->content_tap), s->content,
                      parts->content, s->slope[s->content_tap]);
  if (any)
    sl_features_backward (&s->run, slope, gradient);
  else
    memset (gradient, 0, s->n * sizeof *gradient);
  if (parts->smooth != 0.0)
    smoothness (s, x, parts->smooth, gradient);
  s->now->network += s->run.products;
  s->now->evaluations++;
}

Parts
sl_style_parts (const SlStyleLab *s)
{
  int    goal = (int) sl_value_of (&s->base, P_GOAL);
  bool   fused = method_of (s, 1) != SL_N_STYLES;
  double gamma = goal == GOAL_CONTENT ? 0.0 : sl_value_of (&s->base, P_GAMMA);
  double share = fused ? sl_value_of (&s->base, P_FUSION) : 1.0;

  return (Parts) {
    .content = goal == GOAL_STYLE ? 0.0 : 1.0,
    .style = { gamma * share, gamma * (1.0 - share) },
    .smooth = sl_value_of (&s->base, P_SMOOTH) * s->now->smooth,
  };
}

/* What makes a gradient of `norm` as long as `unit`; nothing helps one of 0. */
static double
scale_for (double unit, double norm)
{
  return norm > 0.0 ? unit / norm : 0.0;
}

/* Brings one method to the norm `unit`, at the picture that was looked at: each of its levels first
 * where they are to be alike, and then all of them together.  */
static void
scale_method (SlStyleLab *s, unsigned k, const sl_real *noise)
{
  double *scale = s->now->scale[k], whole[MOST_LEVELS];
  Parts   parts = { 0 };

  parts.style[k] = 1.0;
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      whole[l] = 1.0;
      if (!sl_is_on (&s->base, P_EQUAL) || !(weight_of (s, l) > 0.0))
        continue;
      memset (scale, 0, sizeof s->now->scale[k]);
      scale[l] = 1.0 / weight_of (s, l);
      sl_style_slope (s, noise, &parts, s->gradient);
      whole[l] = scale_for (s->now->unit, sl_style_norm (s->n, s->gradient));
    }
  memcpy (scale, whole, s->n_levels * sizeof *scale);
  sl_style_slope (s, noise, &parts, s->gradient);
  whole[0] = scale_for (s->now->unit, sl_style_norm (s->n, s->gradient));
  for (unsigned l = 0; l < s->n_levels; l++)
    scale[l] *= whole[0];
}

void
sl_style_scale (SlStyleLab *s)
{
  sl_real *noise = s->apart;
  SlRng    pairs = s->now->pairs;

  /* Pairs of its own, so that a change of settings does not move those of the updates. */
  sl_rng_init (&s->now->pairs, s->now->seed, "scale");
  sl_style_draw (s);
  s->now->pairs = pairs;
  sl_style_noise (s, noise);
  sl_style_evaluate_image (s, noise, sl_style_wanted (s), false);
  sl_style_slope (s, noise, &(Parts) { .content = 1.0 }, s->gradient);
  s->now->unit = sl_style_norm (s->n, s->gradient);
  /* A content as flat as the network's answer to noise asks for nothing. */
  if (!(s->now->unit > 0.0))
    s->now->unit = 1.0;
  for (unsigned k = 0; k < 2; k++)
    if (method_of (s, k) != SL_N_STYLES)
      scale_method (s, k, noise);
  sl_style_slope (s, noise, &(Parts) { .smooth = 1.0 }, s->gradient);
  s->now->smooth = scale_for (s->now->unit, sl_style_norm (s->n, s->gradient));
  s->now->scaled = true;
}
