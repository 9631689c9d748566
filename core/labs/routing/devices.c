/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on what devices would see: redundant experts, and the capacity of an expert.  */
#include <math.h>

#include "core/labs/routing/math/drop.h"
#include "core/labs/routing/probes.h"

enum { SPARE_STEPS = 9, FACTORS = 21 };

/* ---- Redundant experts ---- */

static SlPlacementScores
judge (SlRoutingLab *s, SlPlacementKind kind, const SlPlacementSetting *setting)
{
  return sl_placement_score (kind, setting, s->n, s->complete, s->loads,
                             sl_count_of (&s->base, P_REPLAN), s->placement);
}

static void
say_spare (SlProbe *p, SlRoutingLab *s)
{
  SlPlacementSetting setting = sl_routing_placing (s);
  SlPlacementScores  plain = judge (s, SL_PLACE_STATIC, &setting);
  SlPlacementScores  spare = judge (s, SL_PLACE_REPLICATED, &setting);

  if (spare.held_out > plain.held_out)
    sl_probe_note (p,
                   "With %u redundant experts, planned from the first half, devices work %.0f %% "
                   "of the time; without %.0f %%, in hindsight %.0f %%.",
                   setting.extra, 100.0 * spare.held_out, 100.0 * plain.held_out,
                   100.0 * spare.hindsight);
  else
    sl_probe_note (
      p,
      "%u redundant experts, planned from the first half, do not help: devices work %.0f %% of the "
      "time, without %.0f %%; in hindsight %.0f %%.",
      setting.extra, 100.0 * spare.held_out, 100.0 * plain.held_out, 100.0 * spare.hindsight);
}

void
sl_routing_probe_spare (SlProbe *p)
{
  SlRoutingLab      *s = sl_routing_lab (p->state);
  SlPlacementSetting setting = sl_routing_placing (s);
  unsigned           g = setting.devices < s->n ? setting.devices : s->n;
  double             x[SPARE_STEPS], hindsight[SPARE_STEPS], held_out[SPARE_STEPS];
  size_t             n = 0;

  if (s->complete < 2)
    {
      sl_probe_note (p, "Too few complete windows to compare placements.");
      return;
    }
  for (unsigned i = 0; i < SPARE_STEPS; i++)
    {
      unsigned          full = (s->n + g - 1) / g * g + i * g - s->n; /* whole rows of places */
      SlPlacementScores scores;

      if (full > SL_ROUTES_EXPERTS || sl_probe_cancelled (p))
        break;
      setting.extra = full;
      scores = judge (s, SL_PLACE_REPLICATED, &setting);
      x[n] = full;
      hindsight[n] = 100.0 * scores.hindsight;
      held_out[n++] = 100.0 * scores.held_out;
    }
  if (!sl_ok (&p->status))
    return;
  sl_probe_points (p, T_SPARE_HINDSIGHT, 0, n, x, hindsight);
  sl_probe_points (p, T_SPARE_HELD_OUT, 0, n, x, held_out);
  p->snapshot->mark = sl_value_of (&s->base, P_EXTRA);
  say_spare (p, s);
}

/* ---- Capacity ---- */

static double
dropped_at (const SlRoutingLab *s, double factor, double *hurt)
{
  SlDropped d;

  *hurt = NAN;
  if (!s->has_tokens)
    return 100.0 * sl_loads_dropped (s->n, s->k, s->windows, s->loads, s->tokens, factor);
  d = sl_routes_dropped_in (&s->routes, s->windows, s->first, factor);
  *hurt = 100.0 * d.hurt;
  return 100.0 * d.dropped;
}

void
sl_routing_probe_capacity (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  double        x[FACTORS], dropped[FACTORS], hurt[FACTORS], factor, here, tokens;

  if (s->windows == 0)
    {
      sl_routing_has_tokens (p, s);
      return;
    }
  for (unsigned i = 0; i < FACTORS; i++)
    {
      if (sl_probe_cancelled (p))
        return;
      x[i] = 0.25 * exp2 (5.0 * i / (FACTORS - 1)); /* 0.25 … 8 */
      dropped[i] = dropped_at (s, x[i], &hurt[i]);
    }
  sl_probe_points (p, T_DROPPED, 0, FACTORS, x, dropped);
  sl_probe_points (p, T_HURT, 0, s->has_tokens ? FACTORS : 0, x, hurt);
  factor = sl_value_of (&s->base, P_CAPACITY);
  p->snapshot->mark = factor;
  here = dropped_at (s, factor, &tokens);
  if (here > 0.0 && s->has_tokens)
    sl_probe_note (
      p, "At factor %.2f, %.1f %% of the routings are dropped, and %.1f %% of the tokens lose one.",
      factor, here, tokens);
  else if (here > 0.0)
    sl_probe_note (p, "At factor %.2f, %.1f %% of the routings are dropped.", factor, here);
  else
    sl_probe_note (p, "At factor %.2f nothing is dropped.", factor);
}
