/* SPDX-License-Identifier: MIT
 *
 * The panels of the lab `routing` on what hangs together: tokens that come together, experts of one
 * token, and one layer with the next.  */
#include <math.h>

#include "core/labs/routing/math/together.h"
#include "core/labs/routing/math/windows.h"
#include "core/labs/routing/probes.h"

enum {
  MOST_TOUCHED = 13, /* 1, 2, 4 … 4096 tokens */
  MOST_SIZES = 40,
  MOST_PAIRED = 1024, /* experts in a map of pairs */
};

/* ---- Tokens that come together ---- */

static void
add_passes (SlProbe *p, const SlRoutingLab *s)
{
  SlPassesTouched touched[MOST_SIZES];
  double          x[MOST_SIZES], y[MOST_SIZES];
  uint32_t       *sizes = sl_probe_room (p, s->windows + 1, sizeof *sizes);
  size_t          n = 0;

  if (sizes == NULL || sl_value_of (&s->base, P_BY) != BY_PASS)
    return;
  for (size_t w = 0; w < s->windows; w++)
    sizes[w] = (uint32_t) s->tokens[w];
  if (!sl_probe_ok (
        p, sl_routes_passes_touched (&s->routes, s->windows, sizes, MOST_SIZES, touched, &n)))
    return;
  for (size_t i = 0; i < n; i++)
    {
      x[i] = (double) touched[i].size;
      y[i] = touched[i].mean;
    }
  sl_probe_points (p, T_TOUCHED_PASSES, 0, n, x, y);
}

void
sl_routing_probe_touched (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  double        x[MOST_TOUCHED], y[MOST_TOUCHED], chance[MOST_TOUCHED];
  size_t        n = 0;

  if (!sl_routing_has_tokens (p, s))
    return;
  for (size_t b = 1; n < MOST_TOUCHED && b <= s->routes.tokens; b *= 2, n++)
    {
      if (sl_probe_cancelled (p))
        return;
      x[n] = (double) b;
      y[n] = sl_routes_touched (&s->routes, b);
      chance[n] = sl_routes_touched_by_chance (s->n, s->k, b);
    }
  sl_probe_points (p, T_TOUCHED, 0, n, x, y);
  sl_probe_points (p, T_TOUCHED_CHANCE, 0, n, x, chance);
  add_passes (p, s);
  sl_probe_note (p, "%.0f tokens in a row need %.1f of %u experts, by chance %.1f.", x[n / 2],
                 y[n / 2], s->n, chance[n / 2]);
}

/* ---- Experts of one token ---- */

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

/* ---- Layer to layer ---- */

/* The tokens of another layer, or NULL with a note or without memory. */
static uint16_t *
read_other (SlProbe *p, const SlRoutingLab *s, unsigned layer, SlRoutes *routes)
{
  size_t    n = s->routes.tokens;
  uint16_t *ids = sl_probe_room (p, n * s->k + 1, sizeof *ids);

  if (ids == NULL || !sl_probe_ok (p, sl_routing_read_layer (s, layer, 0, n, ids)))
    return NULL;
  *routes = s->routes;
  routes->ids = ids;
  return ids;
}

static bool
has_next (SlProbe *p, const SlRoutingLab *s)
{
  if (!sl_routing_has_tokens (p, s))
    return false;
  if (s->layers < 2)
    sl_probe_note (p, "Only one layer was recorded.");
  else if (s->layer + 1 == s->layers)
    sl_probe_note (p, "This is the last recorded layer.");
  else if (!sl_routing_aligned (s, s->layer + 1))
    sl_probe_note (p, "The next layer has other tokens: its passes have other sizes.");
  else
    return true;
  return false;
}

/* Which expert of the next layer follows the one looked at most often beyond chance. */
static void
say_next (SlProbe *p, const SlRoutingLab *s, const double *cells)
{
  unsigned      expert = sl_routing_expert (s), most = 0;
  const double *row = cells + (size_t) expert * s->n;

  for (unsigned j = 1; j < s->n; j++)
    if (row[j] > row[most])
      most = j;
  if (row[most] > 0.0)
    sl_probe_note (p, "Tokens of expert %u go to %u of the next layer %.1f × as often as others.",
                   expert, most, exp2 (row[most]));
  else
    sl_probe_note (p, "Expert %u has too few tokens to show where they go.", expert);
}

void
sl_routing_probe_next (SlProbe *p)
{
  SlRoutingLab   *s = sl_routing_lab (p->state);
  size_t          n = s->n, tokens;
  SlRoutes        here = s->routes, next;
  uint32_t       *both;
  const uint64_t *load = s->load, *load_next = s->load + n;
  double         *cells;

  if (!has_next (p, s) || !can_be_paired (p, s) || read_other (p, s, s->layer + 1, &next) == NULL)
    return;
  here.tokens = next.tokens = tokens = sl_routing_enough (p, s);
  both = sl_probe_room (p, n * n, sizeof *both);
  cells = sl_probe_matrix (p, 1, n, n);
  if (both == NULL || cells == NULL)
    return;
  sl_routes_follow (&here, &next, both);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      {
        double lift
          = sl_together_lift (tokens, both[i * n + j], (uint32_t) load[i], (uint32_t) load_next[j]);

        cells[i * n + j] = isnan (lift) ? 0.0 : colour_of (lift);
      }
  set_diverging (p, cells, n * n);
  sl_routing_name_experts (p, s);
  sl_routing_number_columns (p, 0.0, n);
  say_next (p, s, cells);
}

/* What layer l tells of the one behind it; made once, as it does not change. */
static bool
measure_pairs (SlProbe *p, SlRoutingLab *s)
{
  bool ranked = s->recording->order != SL_ROUTING_ASCENDING;

  for (; s->next_done + 1 < s->layers; s->next_done++)
    {
      unsigned l = s->next_done;
      SlRoutes here, next;

      s->next[l] = (SlNextLayer) { 0 };
      if (!sl_routing_aligned (s, l) || !sl_routing_aligned (s, l + 1))
        continue;
      if (sl_probe_cancelled (p) || read_other (p, s, l, &here) == NULL
          || read_other (p, s, l + 1, &next) == NULL)
        return false;
      here.tokens = next.tokens = s->routes.tokens < 1 << 20 ? s->routes.tokens : (size_t) 1 << 20;
      if (!sl_probe_ok (p, sl_routes_next (&here, &next, ranked, &s->next[l])))
        return false;
    }
  return true;
}

/* A curve over the pairs of layers that have it. */
static void
add_pairs (SlProbe *p, const SlRoutingLab *s, unsigned trace, double factor,
           double (*value) (const SlNextLayer *))
{
  double *x = sl_probe_room (p, 2 * (size_t) s->layers, sizeof *x), *y = x + s->layers;
  size_t  n = 0;

  for (unsigned l = 0; x != NULL && l + 1 < s->layers; l++)
    if (s->next[l].tokens >= 4 && isfinite (value (&s->next[l])))
      {
        x[n] = l + 1.0;
        y[n++] = factor * value (&s->next[l]);
      }
  if (x != NULL)
    sl_probe_points (p, trace, 0, n, x, y);
}

/* clang-format off */
static double recall_of (const SlNextLayer *n) { return n->recall; }
static double always_of (const SlNextLayer *n) { return n->recall_always; }
static double chance_of (const SlNextLayer *n) { return n->recall_by_chance; }
static double top1_of (const SlNextLayer *n) { return n->top1; }
static double told_of (const SlNextLayer *n) { return n->information.corrected; }
static double unrelated_of (const SlNextLayer *n) { return n->unrelated; }
static double most_of (const SlNextLayer *n) { return n->information.h_next; }
/* clang-format on */

/* The pair that is spoken of: the chosen layer with the next, or with the one before it. */
static const SlNextLayer *
spoken_of (SlProbe *p, SlRoutingLab *s)
{
  unsigned l = s->layer + 1 < s->layers ? s->layer : s->layer - 1;

  if (!sl_routing_has_tokens (p, s))
    return NULL;
  if (s->layers < 2)
    {
      sl_probe_note (p, "Only one layer was recorded.");
      return NULL;
    }
  if (!measure_pairs (p, s))
    return NULL;
  p->snapshot->mark = l + 1.0;
  if (s->next[l].tokens >= 4)
    return &s->next[l];
  sl_probe_note (p, "The layers have other tokens, or too few, to compare.");
  return NULL;
}

void
sl_routing_probe_predict (SlProbe *p)
{
  SlRoutingLab      *s = sl_routing_lab (p->state);
  const SlNextLayer *pair = spoken_of (p, s);

  if (pair == NULL)
    return;
  add_pairs (p, s, T_RECALL, 100.0, recall_of);
  add_pairs (p, s, T_RECALL_ALWAYS, 100.0, always_of);
  add_pairs (p, s, T_RECALL_CHANCE, 100.0, chance_of);
  add_pairs (p, s, T_TOP1, 100.0, top1_of);
  if (pair->recall > 1.5 * pair->recall_always)
    sl_probe_note (p, "Next layer's experts: %.1f %% guessed; always the busiest: %.1f %%.",
                   100.0 * pair->recall, 100.0 * pair->recall_always);
  else
    sl_probe_note (p, "The next layer can hardly be guessed: %.1f %%; always the busiest: %.1f %%.",
                   100.0 * pair->recall, 100.0 * pair->recall_always);
}

void
sl_routing_probe_information (SlProbe *p)
{
  SlRoutingLab      *s = sl_routing_lab (p->state);
  const SlNextLayer *pair = spoken_of (p, s);

  if (pair == NULL)
    return;
  if (isnan (pair->top1))
    {
      sl_probe_note (p, "Slots were recorded in rising order: the first expert is unknown.");
      return;
    }
  add_pairs (p, s, T_TOLD, 1.0, told_of);
  add_pairs (p, s, T_TOLD_UNRELATED, 1.0, unrelated_of);
  add_pairs (p, s, T_TO_TELL, 1.0, most_of);
  sl_probe_note (
    p, "The first expert tells %.2f of %.2f bits about the next one; unrelated tokens tell %.2f.",
    pair->information.corrected, pair->information.h_next, pair->unrelated);
}
