/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on which experts get the same tokens.  */
#include "core/labs/routing/math/together.h"

#include <math.h>

#include "core/labs/routing/probes.h"

enum { MOST_PAIRED = 1000 /* experts in a map of pairs */ };

static bool
can_be_paired (SlProbe *p, const SlRoutingLab *s)
{
  if (s->n > MOST_PAIRED)
    sl_probe_note (p, "Too many experts (%u) for a map of all pairs.", s->n);
  return s->n <= MOST_PAIRED;
}

/* Exactly 0 is for cells that say nothing. */
static double
colour_of (double ratio)
{
  double colour = log2 (fmax (ratio, 1.0 / 1024));

  return colour != 0.0 ? colour : 1e-9;
}

static void
set_diverging (SlProbe *p, const double *cells, size_t n)
{
  double most = 1.0;

  for (size_t i = 0; i < n; i++)
    most = fmax (most, fmin (fabs (cells[i]), 4.0));
  p->snapshot->hi = ceil (most);
  p->snapshot->lo = -p->snapshot->hi;
}

static void
say_together (SlProbe *p, const SlRoutingLab *s, const SlTogether *t)
{
  if (t->tested == 0)
    sl_probe_note (p, "Too few tokens to compare any pair with chance.");
  else
    sl_probe_note (
      p,
      "Most often together: %u and %u, %.1f × as often as by chance. %zu of %u pairs never occur.",
      t->most[0].i, t->most[0].j, t->most[0].lift / t->by_chance, t->never, s->n * (s->n - 1) / 2);
}

void
sl_routing_probe_together (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  size_t        n = s->n;
  SlRoutes      routes = s->routes;
  uint32_t     *both;
  double       *cells;
  SlTogether    t;

  if (!sl_routing_has_tokens (p, s) || !can_be_paired (p, s))
    return;
  if (s->k < 2 || n < 2)
    {
      sl_probe_note (p, "With one expert a token there are no pairs.");
      return;
    }
  routes.tokens = sl_routing_enough (p, s);
  both = sl_probe_room (p, n * n, sizeof *both);
  cells = sl_probe_matrix (p, 1, n, n);
  if (both == NULL || cells == NULL)
    return;
  sl_routes_together (&routes, both);
  t = sl_together_summary (s->n, s->k, routes.tokens, both);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        double lift
          = sl_together_lift (routes.tokens, both[i * n + j], both[i * n + i], both[j * n + j]);

        cells[i * n + j] = i == j || isnan (lift) ? 0.0 : colour_of (lift / t.by_chance);
      }
  set_diverging (p, cells, n * n);
  sl_routing_name_experts (p, s);
  sl_routing_number_columns (p, 0.0, n);
  say_together (p, s, &t);
}
