/* SPDX-License-Identifier: MIT
 *
 * Two recordings, prompts against decoding, or the first half against the second: do they use the
 * experts alike?  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/math/compare.h"
#include "core/labs/routing/probes.h"

/* Two sides with their arrays (n) for the difference and its half width. */
typedef struct
{
  SlRoutes  a, b;
  double   *difference, *half, *binomial;
  SlMessage title;
} Sides;

/* The layer of the other recording with the same name, or -1. */
static int
find_other (const SlRoutingLab *s, const SlRouting *other)
{
  char name[64], each[64];

  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  for (unsigned l = 0; l < other->n_layers; l++)
    if (strcmp (name, sl_routing_layer_name (&other->layer[l], each, sizeof each)) == 0)
      return (int) l;
  return -1;
}

/* From right to left, which makes dots of them: figures join what goes to the right. */
static void
add_differences (SlProbe *p, const SlRoutingLab *s, const double *difference, const double *half)
{
  double *at = sl_probe_curve (p, 0, 0, s->n, true);

  for (unsigned i = 0; at != NULL && i < s->n; i++)
    {
      unsigned expert = s->n - 1 - i;

      at[i] = expert;
      at[s->n + i] = difference[expert];
      at[2 * s->n + i] = half[expert];
    }
}

static void
say_difference (SlProbe *p, const SlRoutingLab *s, const SlLoadComparison *c)
{
  if (isnan (c->total_variation_by_chance))
    sl_probe_note (p, ": %.1f %% of the routings differ; nothing is said of chance.",
                   100.0 * c->total_variation);
  else if (!c->has_interval)
    sl_probe_note (
      p, ": %.1f %% of the routings differ, by chance about %.1f %%; bars for independent tokens.",
      100.0 * c->total_variation, 100.0 * c->total_variation_by_chance);
  else
    sl_probe_note (p, ": %zu of %u experts differ beyond their interval, by chance about %.0f.",
                   c->beyond, s->n, ceil (0.05 * s->n));
}

static bool
make_room (SlProbe *p, const SlRoutingLab *s, Sides *sides)
{
  sides->difference = sl_probe_room (p, 3 * (size_t) s->n, sizeof (double));
  if (sides->difference == NULL)
    return false;
  sides->half = sides->difference + s->n;
  sides->binomial = sides->half + s->n;
  return true;
}

static void
compare_sides (SlProbe *p, const SlRoutingLab *s, Sides *sides)
{
  SlLoadComparison c;

  if (!make_room (p, s, sides))
    return;
  c = sl_routes_compare (&sides->a, &sides->b, sides->difference, sides->binomial, sides->half);
  if (isnan (c.total_variation)) /* no tokens, or none with an expert that computes */
    {
      sl_probe_note (p, "There is nothing to compare with.");
      return;
    }
  add_differences (p, s, sides->difference, c.has_interval ? sides->half : sides->binomial);
  sl_probe_note (p, "%s", sides->title.packed);
  say_difference (p, s, &c);
  if (sl_is_on (&s->base, P_PAIRED) && sides->a.tokens == sides->b.tokens
      && s->base.dataset->routing_other != NULL)
    {
      SlPairedRoutes pairs = sl_routes_compare_paired (&sides->a, &sides->b);

      sl_probe_note (p, " %.1f %% of the routings flip, %.1f %% of the tokens keep their experts.",
                     100.0 * pairs.flip, 100.0 * pairs.same_set);
    }
}

static void
compare_rows (SlProbe *p, const SlRoutingLab *s, const uint64_t *a, const uint64_t *b,
              SlMessage title)
{
  const SlRouting *other = p->state->dataset->routing_other;
  double           k = s->recording->shares || (other != NULL && other->shares) ? NAN : s->k;
  Sides            sides;
  SlLoadComparison c;

  if (!make_room (p, s, &sides))
    return;
  if (sl_load_sum (s->n, a) == 0 || sl_load_sum (s->n, b) == 0)
    {
      sl_probe_note (p, "There is nothing to compare with.");
      return;
    }
  c = sl_load_compare (s->n, a, b, k, k, sides.difference, sides.binomial);
  add_differences (p, s, sides.difference, sides.binomial);
  sl_probe_note (p, "%s", title.packed);
  say_difference (p, s, &c);
}

/* Loads (n) of a layer of the other recording, all of it. */
static void
sum_other (const SlRouting *other, unsigned layer, uint64_t *load)
{
  for (size_t i = 0; i < other->rows * other->experts; i++)
    load[i % other->experts] += other->layer[layer].counts[i];
}

/* Whether two recordings have such a layer with the same experts; else says what differs. */
static bool
is_comparable (SlProbe *p, const SlRoutingLab *s, const SlRouting *other, int layer)
{
  char name[64];

  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (other->experts != s->n)
    sl_probe_note (p, "Not comparable: %s has %u experts, %s has %u.", other->name, other->experts,
                   s->recording->name, s->n);
  else if (layer < 0)
    sl_probe_note (p, "Not comparable: %s has no layer %s.", other->name, name);
  else if (other->kind != s->recording->kind)
    sl_probe_note (p, "Not comparable: only one of the recordings has tokens.");
  else
    return true;
  return false;
}

static void
compare_recordings (SlProbe *p, const SlRoutingLab *s, const SlRouting *other)
{
  int       layer = find_other (s, other);
  bool      warm_up = sl_is_on (&s->base, P_WARM_UP);
  SlMessage title = sl_message ("%s against %s", s->recording->name, other->name);
  Sides     sides = { .a = s->routes, .title = title };

  if (!is_comparable (p, s, other, layer))
    return;
  if (!s->has_tokens)
    {
      uint64_t *load = sl_probe_room (p, s->n, sizeof *load);

      if (load == NULL)
        return;
      sum_other (other, (unsigned) layer, load);
      compare_rows (p, s, s->load, load, title);
      return;
    }
  sides.b = (SlRoutes) { .n = s->n,
                         .k = other->k,
                         .bytes = 2,
                         .tokens = sl_routing_tokens (other, (unsigned) layer, warm_up) };
  uint16_t *ids = sl_probe_room (p, sides.b.tokens * other->k + 1, sizeof *ids);

  if (ids == NULL
      || !sl_probe_ok (
        p, sl_routing_read (other, (unsigned) layer, warm_up, 0, sides.b.tokens, ids, NULL)))
    return;
  sides.b.ids = ids;
  compare_sides (p, s, &sides);
}

/* Sorts the tokens into prompts and decoded ones; false where there are not both. */
static bool
split_phases (SlProbe *p, const SlRoutingLab *s, Sides *sides)
{
  const uint8_t *decode = s->recording->layer[s->layer].decode;
  bool           warm_up = sl_is_on (&s->base, P_WARM_UP);
  size_t         n = s->routes.tokens, at[2] = { 0, 0 };
  uint16_t      *ids;

  if (decode == NULL || s->token != NULL)
    return false;
  for (size_t t = 0; t < n; t++)
    at[0] += !decode[sl_routing_place (s->recording, s->layer, warm_up, t)];
  if (at[0] == 0 || at[0] == n || (ids = sl_probe_room (p, n * s->k, sizeof *ids)) == NULL)
    return false;
  sides->a = sl_routes_part (&s->routes, 0, at[0]);
  sides->b = sl_routes_part (&s->routes, at[0], n - at[0]);
  sides->a.ids = ids;
  sides->b.ids = ids + at[0] * s->k;
  at[1] = at[0];
  at[0] = 0;
  for (size_t t = 0; t < n; t++)
    {
      bool decoded = decode[sl_routing_place (s->recording, s->layer, warm_up, t)];

      memcpy (ids + at[decoded]++ * s->k, s->ids + t * s->k, s->k * sizeof *ids);
    }
  sides->title = sl_message ("Prompts against decoding");
  return true;
}

void
sl_routing_probe_compare (SlProbe *p)
{
  SlRoutingLab    *s = sl_routing_lab (p->state);
  const SlRouting *other = p->state->dataset->routing_other;
  Sides            sides = { .title = sl_message ("First half against second") };
  size_t           half = s->routes.tokens / 2;

  if (other != NULL)
    compare_recordings (p, s, other);
  else if (!s->has_tokens && s->windows > 1)
    compare_rows (p, s, s->loads, sl_routing_window_load (s, s->windows - 1),
                  sl_message ("First row against last"));
  else if (!s->has_tokens)
    sl_probe_note (p, "There is nothing to compare with.");
  else
    {
      if (!split_phases (p, s, &sides))
        {
          sides.a = sl_routes_part (&s->routes, 0, half);
          sides.b = sl_routes_part (&s->routes, half, s->routes.tokens - half);
        }
      compare_sides (p, s, &sides);
    }
}
