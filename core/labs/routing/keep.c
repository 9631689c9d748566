/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on pruning: which experts to keep, chosen by the first half of the recording and
 * judged by the second.  */
#include <math.h>
#include <stdio.h>

#include "core/labs/routing/probes.h"

enum { SIZES = 128, LISTED = 12, LIST = 7 * LISTED };

typedef struct
{
  SlProbe    *p;
  SlKeepLoads loads;
  uint16_t   *order;   /* (L, n) */
  SlKeepRank *ranking; /* (L n) */
  SlKept      kept;
  double     *at, *y; /* (n) */
} Keep;

/* Room for everything, and the loads of both halves; a recording that cannot be halved is not judged. */
static bool
begin (Keep *k, SlProbe *p, const SlRoutingLab *s)
{
  size_t    items = (size_t) s->layers * s->n;
  uint64_t *second = sl_probe_room (p, items, sizeof *second);
  bool      halved = sl_load_sum ((unsigned) items, s->layer_first) > 0;

  *k = (Keep) { .p = p,
                .loads = { .layers = s->layers, .n = s->n, .least = s->k < s->n ? s->k : s->n },
                .order = sl_probe_room (p, items, sizeof *k->order),
                .ranking = sl_probe_room (p, items, sizeof *k->ranking),
                .at = sl_probe_room (p, s->n, sizeof *k->at),
                .y = sl_probe_room (p, s->n, sizeof *k->y) };
  k->kept.count = sl_probe_room (p, s->layers, sizeof *k->kept.count);
  if (second == NULL || k->order == NULL || k->ranking == NULL || k->at == NULL || k->y == NULL
      || k->kept.count == NULL)
    return false;
  for (size_t i = 0; i < items; i++)
    second[i] = s->layer_load[i] - s->layer_first[i];
  k->loads.first = halved ? s->layer_first : s->layer_load;
  k->loads.second = halved ? second : NULL;
  return true;
}

static void
sort (Keep *k)
{
  sl_keep_order (&k->loads, k->order);
  sl_keep_rank (&k->loads, k->ranking);
}

/* The next number of experts to look at: all of few, of many about so many. */
static unsigned
next_size (unsigned m, unsigned n)
{
  unsigned step = n <= SIZES ? 1 : n / SIZES;

  return m < n && m + step > n ? n : m + step;
}

/* What 1, 2, … n experts of each layer have of the whole recording. */
static void
add_hindsight (Keep *k, const SlRoutingLab *s)
{
  SlKeepLoads whole = { s->layers, s->n, 1, s->layer_load, NULL };
  double      even[] = { 100.0 / s->n, 100.0 }, ends[] = { 1, s->n };
  size_t      n = 0;

  sl_keep_order (&whole, k->order);
  for (unsigned m = 1; m <= s->n; m = next_size (m, s->n), n++)
    {
      sl_keep_equal (&whole, k->order, m, &k->kept);
      k->at[n] = m;
      k->y[n] = 100.0 * k->kept.coverage;
    }
  sl_probe_points (k->p, T_COVERED, 0, n, k->at, k->y);
  sl_probe_points (k->p, T_COVERED_EVEN, 0, 2, ends, even);
}

/* The second half's routings, from as many experts as a token needs on. */
static void
add_judged (Keep *k, unsigned trace, bool equal)
{
  size_t n = 0;

  for (unsigned m = k->loads.least; m <= k->loads.n && k->loads.second != NULL;
       m = next_size (m, k->loads.n))
    {
      if (equal)
        sl_keep_equal (&k->loads, k->order, m, &k->kept);
      else
        sl_keep_free (&k->loads, k->order, k->ranking, (size_t) m * k->loads.layers, &k->kept);
      if (isnan (k->kept.judged))
        break;
      k->at[n] = (double) k->kept.experts / k->loads.layers;
      k->y[n++] = 100.0 * k->kept.judged;
    }
  sl_probe_points (k->p, trace, 0, n, k->at, k->y);
}

/* Experts that no token went to in all layers, and how many of them chance explains (NaN: nothing is said). */
static unsigned
count_unused (const SlRoutingLab *s, double *by_chance)
{
  unsigned unused = 0;

  *by_chance = 0.0;
  for (unsigned l = 0; l < s->layers; l++)
    {
      SlRoutesBalance b = sl_routing_balance (s, l, NULL);

      unused += b.dead;
      *by_chance += b.chance.dead;
    }
  return unused;
}

/* The experts of the chosen layer that go where m stay, the least busy first. */
static void
list_others (const Keep *k, const SlRoutingLab *s, unsigned m, char text[LIST])
{
  const uint16_t *order = k->order + (size_t) s->layer * s->n;
  size_t          used = 0;

  text[0] = '\0';
  for (unsigned i = s->n; i-- > m;)
    {
      bool last = s->n - i > LISTED;

      used += (size_t) (last ? snprintf (text + used, LIST - used, " …")
                             : snprintf (text + used, LIST - used, used > 0 ? ", %u" : "%u",
                                         order[i]));
      if (last)
        break;
    }
}

static void
say_others (Keep *k, const SlRoutingLab *s, unsigned m)
{
  char text[LIST], name[64];

  list_others (k, s, m, text);
  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (text[0] != '\0')
    sl_probe_note (k->p, " Layer %s loses %s.", name, text);
}

static void
say (Keep *k, const SlRoutingLab *s)
{
  double   target = sl_value_of (&s->base, P_KEEP), by_chance;
  unsigned m = sl_keep_equal_for (&k->loads, k->order, target / 100.0, &k->kept);
  unsigned unused = count_unused (s, &by_chance);
  SlKept   equal = k->kept;

  k->p->snapshot->mark = m;
  sl_keep_free_for (&k->loads, k->order, k->ranking, target / 100.0, &k->kept);
  if (isnan (equal.judged))
    sl_probe_note (k->p, "%u of %u experts a layer for %.3g %% of the routings; not judged.", m,
                   s->n, target);
  else if (s->layers == 1)
    sl_probe_note (
      k->p, "%u of %u experts for %.3g %% of the first half; they keep %.1f %% of the second.", m,
      s->n, target, 100.0 * equal.judged);
  else
    sl_probe_note (
      k->p,
      "%u of %u experts a layer for %.3g %% of the first half; they keep %.1f %% of the "
      "second. Free per layer: %.1f on average, %.1f %%.",
      m, s->n, target, 100.0 * equal.judged, (double) k->kept.experts / s->layers,
      100.0 * k->kept.judged);
  say_others (k, s, m);
  if (isnan (by_chance))
    sl_probe_note (k->p, " Never used: %u.", unused);
  else
    sl_probe_note (k->p, " Never used: %u, by chance about %.0f.", unused, by_chance);
}

void
sl_routing_probe_coverage (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  Keep          k;

  if (!begin (&k, p, s) || sl_probe_cancelled (p))
    return;
  if (sl_load_sum ((unsigned) ((size_t) s->layers * s->n), s->layer_load) == 0)
    {
      sl_probe_note (p, "No token is left.");
      return;
    }
  add_hindsight (&k, s);
  sort (&k);
  if (sl_probe_cancelled (p))
    return;
  add_judged (&k, T_KEPT_EQUAL, true);
  if (s->layers > 1)
    add_judged (&k, T_KEPT_FREE, false);
  say (&k, s);
}
