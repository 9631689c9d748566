/* SPDX-License-Identifier: MIT
 *
 * The figures of the lab `style` over updates, and its scores.  */
#include "core/labs/style/lab.h"

#include <math.h>

#include "core/nn/distance/mmd.h"

/* Σ w_l of the levels in use. */
static double
weight_sum (const SlStyleLab *s)
{
  double sum = 0;

  for (unsigned l = 0; l < s->n_levels; l++)
    sum += weight_of (s, l);
  return sum;
}

void
sl_style_report (SlStyleLab *s, SlSink *sink, double total, double change, const Parts *parts)
{
  double style = sl_style_sum (s, &(Parts) { .style = { parts->style[0], parts->style[1] } });
  double poly0 = 0.0, weights = weight_sum (s);

  sl_sink_value (sink, V_TOTAL, T_TOTAL, 0, total);
  sl_sink_value (sink, V_TOTAL, T_CONTENT, 0, parts->content * s->content_loss);
  sl_sink_value (sink, V_TOTAL, T_STYLE, 0, style);
  sl_sink_value (sink, V_LOSSES, T_LOSS_GRAM, 0, sl_style_total (s, SL_STYLE_GRAM));
  sl_sink_value (sink, V_LOSSES, T_LOSS_LINEAR, 0, sl_style_total (s, SL_STYLE_LINEAR));
  sl_sink_value (sink, V_LOSSES, T_LOSS_POLY, 0, sl_style_total (s, SL_STYLE_POLY));
  sl_sink_value (sink, V_LOSSES, T_LOSS_MOMENTS, 0, sl_style_total (s, SL_STYLE_MOMENTS));
  sl_sink_value (sink, V_LOSSES, T_LOSS_CONTENT, 0, s->content_loss);
  for (unsigned l = 0; l < s->n_levels; l++)
    {
      double n = (double) s->level[l].n;

      if (!s->level[l].used)
        continue;
      sl_sink_value (sink, V_LEVELS, 0, l, s->loss[method_of (s, 0)][l]);
      poly0 += weight_of (s, l) * 4.0 * n * n * s->loss[SL_STYLE_GRAM][l];
    }
  sl_sink_value (sink, V_MMD, T_LINEAR, 0, sl_style_total (s, SL_STYLE_LINEAR));
  sl_sink_value (sink, V_MMD, T_POLY0, 0, poly0);
  sl_sink_value (sink, V_MMD, T_POLY, 0, sl_style_total (s, SL_STYLE_POLY));
  sl_sink_value (sink, V_GAUSSIAN, T_PAIRS, 0,
                 weights > 0.0 ? sl_style_total (s, SL_STYLE_GAUSSIAN) / weights : 0.0);
  if (isfinite (change))
    {
      sl_sink_value (sink, V_CHANGE, T_CHANGE, 0, change);
      sl_sink_value (sink, V_CHANGE, T_STOP, 0, 0.5);
    }
  sl_sink_value (sink, V_WORK, T_NETWORK, 0, s->now->network / (double) s->base.now.t / 1e6);
  sl_sink_value (sink, V_WORK, T_LOSSES, 0, s->now->losses / (double) s->base.now.t / 1e6);
}

size_t
sl_style_sample (SlStyleLab *s, unsigned l)
{
  const Level   *level = &s->level[l];
  const sl_real *f = sl_features_tap (&s->run, level->tap);
  size_t         n = sl_count_of (&s->base, P_SAMPLE);
  SlRng          rng;

  n = n < level->m ? n : level->m;
  /* A stream of its own for every update and level: looking changes nothing. */
  sl_rng_init (&rng, s->now->seed + s->base.now.t * MOST_LEVELS + l, "sample");
  for (size_t i = 0; i < n; i++)
    {
      size_t at = n == level->m ? i : (size_t) sl_rng_below (&rng, level->m);

      for (size_t c = 0; c < level->n; c++)
        {
          s->sample[0][i * level->n + c] = f[c * level->m + at];
          s->sample[1][i * level->n + c] = level->features[c * level->m + at];
        }
    }
  return n;
}

/* The biased MMD² with a Gaussian kernel, over samples of each level, weighted as the loss is. */
static double
gaussian_distance (SlStyleLab *s)
{
  double sum = 0, weights = weight_sum (s);

  for (unsigned l = 0; l < s->n_levels; l++)
    if (weight_of (s, l) > 0.0)
      {
        size_t   n = sl_style_sample (s, l), dims = s->level[l].n;
        SlKernel kernel = { .kind = SL_KERNEL_GAUSSIAN };

        kernel.sigma2 = sl_mmd_sigma2 (dims, n, s->sample[0], n, s->sample[1]);
        sum += weight_of (s, l) * sl_mmd_biased (&kernel, dims, n, s->sample[0], n, s->sample[1]);
      }
  return weights > 0.0 ? sum / weights : 0.0;
}

void
sl_style_evaluate (SlStyleLab *s, SlSink *sink, const Parts *parts)
{
  Parts  style = { .style = { parts->style[0], parts->style[1] } };
  Parts  content = { .content = parts->content };
  double asks, keeps;

  sl_sink_value (sink, V_GAUSSIAN, T_BIASED, 0, gaussian_distance (s));
  if (!(parts->content > 0.0) || !(parts->style[0] + parts->style[1] > 0.0))
    return;
  sl_style_slope (s, s->x, &style, s->apart);
  asks = sl_style_norm (s->n, s->apart);
  sl_style_slope (s, s->x, &content, s->apart);
  keeps = sl_style_norm (s->n, s->apart);
  /* At the content itself nothing pulls back, and there is no ratio. */
  if (keeps > 0.0)
    sl_sink_value (sink, V_RATIO, T_RATIO, 0, asks / keeps);
  sl_sink_value (sink, V_RATIO, T_ASKED, 0, sl_value_of (&s->base, P_GAMMA));
}

enum { N_SCORES = SL_N_STYLES + 2 };

/* What score() tells. */
const SlScore sl_style_score_names[N_SCORES + 1] = {
  { "mmd", SL_MARK ("distance from the style"), "% of noise", 0 },
  { "gram", "Gram", "% of noise", 0 },
  { "linear", "linear", "% of noise", 0 },
  { "poly", "polynomial", "% of noise", 0 },
  { "gaussian", "Gaussian", "% of noise", 0 },
  { "moments", SL_MARK ("means and deviations"), "% of noise", 0 },
  { "content", "content", "% of noise", 0 },
  { 0 },
};

/* The distances of `x` in the order of the scores. */
static void
measure (SlStyleLab *s, const sl_real *x, double *to /* (N_SCORES) */)
{
  sl_style_evaluate_image (s, x, WANT_ALL, false);
  to[0] = gaussian_distance (s);
  for (unsigned method = 0; method < SL_N_STYLES; method++)
    to[1 + method] = sl_style_total (s, (SlStyleMethod) method);
  to[1 + SL_N_STYLES] = s->content_loss;
}

void
sl_style_score (SlLabState *state, SlSplit split, SlScore *scores, unsigned *n)
{
  SlStyleLab   *s = sl_style_lab (state);
  SlStyleMoving now = *s->now;
  double        noise[N_SCORES], is[N_SCORES];

  if (split != SL_TEST)
    return;
  sl_style_draw (s);
  sl_style_noise (s, s->apart);
  measure (s, s->apart, noise);
  measure (s, s->x, is);
  /* Networks differ in the size of their features, so all are compared with noise. */
  for (; *n < N_SCORES; ++*n)
    scores[*n] = sl_score (sl_style_score_names, sl_style_score_names[*n].id,
                           noise[*n] != 0.0 ? 100.0 * is[*n] / noise[*n] : 0.0);
  *s->now = now;
}
