/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on how work is spread over devices, by placement.  */
#include <math.h>

#include "core/labs/routing/probes.h"

enum { SPARE_STEPS = 9 };

static bool
has_windows (SlProbe *p, const SlRoutingLab *s, size_t least)
{
  if (s->complete < least)
    sl_probe_note (p, "Too few complete windows to compare placements.");
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
                 "Time at work: %.2f in order, %.2f with replicas; on tokens that the plan has not "
                 "seen %.2f and %.2f.",
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
    sl_probe_note (
      p, "Replicas: %.2f → %.2f on tokens that the plan has not seen; in hindsight %.2f → %.2f.",
      plain.held_out, spare.held_out, plain.whole, spare.whole);
  else
    sl_probe_note (p,
                   "Replicas do not help: %.2f → %.2f on tokens that the plan has not seen; in "
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
