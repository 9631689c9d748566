/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/bias.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The scores of a token as the router would compare them. */
static void
scale_scores (const SlBiasReplay *replay, const float *scores, double *s)
{
  double sum = 0.0, most = -INFINITY;

  for (unsigned i = 0; i < replay->n; i++)
    most = fmax (most, scores[i]);
  for (unsigned i = 0; i < replay->n; i++)
    {
      s[i] = scores[i];
      if (replay->kind == SL_SCORES_SIGMOID)
        s[i] = 1.0 / (1.0 + exp (-s[i]));
      else if (replay->kind == SL_SCORES_SOFTMAX)
        sum += s[i] = exp (s[i] - most);
    }
  if (replay->kind == SL_SCORES_SOFTMAX)
    for (unsigned i = 0; i < replay->n; i++)
      s[i] /= sum;
}

/* Marks the k largest s + bias (n), the lower of equal ones, in `chosen` (n). */
static void
choose_experts (const SlBiasReplay *replay, const double *s, const double *bias,
                unsigned char *chosen)
{
  uint16_t best[SL_ROUTES_SLOTS];
  double   value[SL_ROUTES_SLOTS];
  unsigned held = 0;

  memset (chosen, 0, replay->n);
  for (unsigned i = 0; i < replay->n; i++)
    {
      double   v = bias != NULL ? s[i] + bias[i] : s[i];
      unsigned at = held < replay->k ? held++ : replay->k;

      for (; at > 0 && v > value[at - 1]; at--)
        if (at < replay->k)
          {
            best[at] = best[at - 1];
            value[at] = value[at - 1];
          }
      if (at < replay->k)
        {
          best[at] = (uint16_t) i;
          value[at] = v;
        }
    }
  for (unsigned j = 0; j < held; j++)
    chosen[best[j]] = 1;
}

static double
maxvio_of (unsigned n, const uint64_t *load)
{
  uint64_t most = 0;

  for (unsigned i = 0; i < n; i++)
    most = load[i] > most ? load[i] : most;
  return (double) most * n / (double) sl_load_sum (n, load) - 1.0;
}

SlBiasWindow
sl_bias_window (SlBiasReplay *replay, size_t tokens, const float *scores, uint64_t *load)
{
  unsigned      n = replay->n;
  double        s[SL_ROUTES_EXPERTS], mean = (double) (tokens * replay->k) / n;
  unsigned char plain[SL_ROUTES_EXPERTS], chosen[SL_ROUTES_EXPERTS];
  uint64_t      before[SL_ROUTES_EXPERTS] = { 0 }, after[SL_ROUTES_EXPERTS] = { 0 };
  SlBiasWindow  window = { 0 };

  for (size_t t = 0; t < tokens; t++)
    {
      scale_scores (replay, scores + t * n, s);
      choose_experts (replay, s, NULL, plain);
      choose_experts (replay, s, replay->bias, chosen);
      for (unsigned i = 0; i < n; i++)
        {
          before[i] += plain[i];
          after[i] += chosen[i];
          window.moved += chosen[i] && !plain[i];
        }
    }
  window.before = maxvio_of (n, before);
  window.after = maxvio_of (n, after);
  for (unsigned i = 0; i < n; i++)
    {
      load[i] += after[i];
      replay->bias[i] += replay->rate * ((after[i] < mean) - (after[i] > mean));
    }
  return window;
}
