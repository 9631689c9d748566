/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on how work is spread over devices, by placement and by a bias.  */
#include <math.h>

#include "core/labs/routing/probes.h"
#include "core/nn/routing/bias.h"

enum { SPARE_STEPS = 9, MOST_WINDOWS = 1024 };

static bool
has_windows (SlProbe *p, const SlRoutingLab *s, size_t least)
{
  if (s->complete < least)
    sl_probe_note (p, "There are too few complete windows to judge a placement.");
  return s->complete >= least;
}

static SlPlacementScores
judge (SlRoutingLab *s, SlPlacementKind kind, const SlPlacementSetting *setting)
{
  return sl_placement_score (kind, setting, s->n, s->complete, s->loads,
                             sl_count_of (&s->base, P_REPLAN), s->placement);
}

/* Loads of the devices as planned from all complete windows, ÷ their mean: dots, as what goes from
 * right to left is not joined.  */
static void
add_devices (SlProbe *p, SlRoutingLab *s, SlPlacementKind kind, double *device)
{
  unsigned g = s->placement->devices;
  double   mean = 0.0, *at;

  for (unsigned i = 0; i < s->n; i++)
    {
      s->sum[i] = 0;
      for (size_t w = 0; w < s->complete; w++)
        s->sum[i] += sl_routing_window_load (s, w)[i];
    }
  sl_placement_loads (s->placement, s->sum, device);
  for (unsigned d = 0; d < g; d++)
    mean += device[d] / g;
  at = mean > 0.0 ? sl_probe_curve (p, kind, 0, g, false) : NULL;
  for (unsigned i = 0; at != NULL && i < g; i++)
    {
      at[i] = g - i;
      at[g + i] = device[g - 1 - i] / mean;
    }
}

void
sl_routing_probe_devices (SlProbe *p)
{
  SlRoutingLab      *s = sl_routing_lab (p->state);
  SlPlacementSetting setting = sl_routing_placing (s);
  SlPlacementScores  scores[SL_N_PLACEMENTS];
  double            *device = sl_probe_room (p, s->n, sizeof *device);

  if (device == NULL || !has_windows (p, s, 2))
    return;
  for (SlPlacementKind kind = 0; kind < SL_N_PLACEMENTS; kind++)
    {
      if (sl_probe_cancelled (p))
        return;
      scores[kind] = judge (s, kind, &setting);
      add_devices (p, s, kind, device);
    }
  sl_probe_note (p,
                 "Share of the time that is work: %.2f as placed in order, %.2f with replicas; on "
                 "tokens they were not planned from %.2f and %.2f.",
                 scores[SL_PLACE_STATIC].windows, scores[SL_PLACE_REPLICATED].windows,
                 scores[SL_PLACE_STATIC].held_out, scores[SL_PLACE_REPLICATED].held_out);
}

static void
say_spare (SlProbe *p, SlRoutingLab *s)
{
  SlPlacementSetting setting = sl_routing_placing (s);
  SlPlacementScores  plain = judge (s, SL_PLACE_STATIC, &setting);
  SlPlacementScores  spare = judge (s, SL_PLACE_REPLICATED, &setting);

  if (spare.held_out > plain.held_out)
    sl_probe_note (p,
                   "Replicas: %.2f → %.2f on what they were not planned from; in hindsight %.2f → "
                   "%.2f.",
                   plain.held_out, spare.held_out, plain.whole, spare.whole);
  else
    sl_probe_note (p,
                   "Replicas do not help: %.2f → %.2f on what they were not planned from; in "
                   "hindsight %.2f → %.2f.",
                   plain.held_out, spare.held_out, plain.whole, spare.whole);
}

void
sl_routing_probe_spare (SlProbe *p)
{
  SlRoutingLab      *s = sl_routing_lab (p->state);
  SlPlacementSetting setting = sl_routing_placing (s);
  unsigned           g = setting.devices < s->n ? setting.devices : s->n;
  double             x[SPARE_STEPS], hindsight[SPARE_STEPS], held_out[SPARE_STEPS];
  size_t             n = 0;

  if (!has_windows (p, s, 2))
    return;
  for (unsigned i = 0; i < SPARE_STEPS; i++)
    {
      unsigned          full = (s->n + g - 1) / g * g + i * g - s->n; /* whole rows of places */
      SlPlacementScores scores;

      if (full > SL_ROUTES_EXPERTS || sl_probe_cancelled (p))
        break;
      setting.extra = full;
      scores = judge (s, SL_PLACE_REPLICATED, &setting);
      x[n] = full;
      hindsight[n] = 100.0 * scores.windows;
      held_out[n++] = 100.0 * scores.held_out;
    }
  if (!sl_ok (&p->status))
    return;
  sl_probe_points (p, T_SPARE_HINDSIGHT, 0, n, x, hindsight);
  sl_probe_points (p, T_SPARE_HELD_OUT, 0, n, x, held_out);
  p->snapshot->mark = sl_value_of (&s->base, P_EXTRA);
  say_spare (p, s);
}

/* ---- Bias ---- */

/* Copies the scores of a window's tokens, which are those that count. */
static void
copy_scores (const SlRoutingLab *s, size_t w, float *scores)
{
  const float *recorded = s->recording->layer[s->layer].scores;
  bool         warm_up = sl_is_on (&s->base, P_WARM_UP);

  for (size_t t = 0; t < s->tokens[w]; t++)
    {
      size_t token = s->first[w] + t;
      size_t place = sl_routing_place (s->recording, s->layer, warm_up,
                                       s->token != NULL ? s->token[token] : token);

      for (unsigned i = 0; i < s->n; i++)
        scores[t * s->n + i] = recorded[place * s->n + i];
    }
}

static void
replay_bias (SlProbe *p, SlRoutingLab *s, size_t windows, float *scores)
{
  double  *bias = sl_probe_room (p, s->n, sizeof *bias);
  double  *x = sl_probe_room (p, 3 * windows, sizeof *x), largest = 0.0;
  uint64_t moved = 0, routings = 0;

  if (bias == NULL || x == NULL)
    return;
  for (size_t w = 0; w < windows; w++)
    {
      SlBiasReplay replay = { .n = s->n,
                              .k = s->k,
                              .kind = (SlScoresKind) sl_value_of (&s->base, P_SCORE),
                              .rate = sl_value_of (&s->base, P_BIAS_RATE),
                              .bias = bias };
      SlBiasWindow window;

      if (sl_probe_cancelled (p))
        return;
      copy_scores (s, w, scores);
      window = sl_bias_window (&replay, s->tokens[w], scores, s->sum);
      x[w] = (double) w + 1.0;
      x[windows + w] = window.before;
      x[2 * windows + w] = window.after;
      moved += window.moved;
      routings += s->tokens[w] * s->k;
    }
  for (unsigned i = 0; i < s->n; i++)
    largest = fmax (largest, fabs (bias[i]));
  sl_probe_points (p, T_BIAS_WITHOUT, 0, windows, x, x + windows);
  sl_probe_points (p, T_BIAS_WITH, 0, windows, x, x + 2 * windows);
  sl_probe_note (p, "A bias of up to %.3g moves %.1f %% of the routings; the model does not react.",
                 largest, 100.0 * (double) moved / (double) routings);
}

void
sl_routing_probe_bias (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  size_t        windows = s->windows < MOST_WINDOWS ? s->windows : MOST_WINDOWS;
  float        *scores;

  if (!sl_routing_has_tokens (p, s))
    return;
  if (s->recording->layer[s->layer].scores == NULL)
    {
      sl_probe_note (p, "The scores of all experts were not recorded. In Python: np.savez "
                        "(\"trace.npz\", router_logits=logits), [tokens, layers, experts].");
      return;
    }
  scores = sl_probe_room (p, s->longest * s->n, sizeof *scores);
  if (scores != NULL)
    replay_bias (p, s, windows, scores);
}
