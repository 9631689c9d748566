/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/placement.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/labs/routing/math/chance.h"

/* What is to be placed: experts by number, and empty places behind them that weigh nothing. */
typedef struct
{
  unsigned experts;               /* the numbers below are experts */
  double   weight[SL_PLACES_MAX]; /* of each number */
  uint16_t copies[SL_PLACES_MAX];
} Stock;

/* The numbers of one node and their copies, in the order in which these were made. */
typedef struct
{
  unsigned n;
  uint16_t number[SL_PLACES_MAX];
  double   share[SL_PLACES_MAX];
  uint16_t order[SL_PLACES_MAX]; /* by falling share */
  uint16_t pack[SL_PLACES_MAX];
} Shelf;

/* Items in this order to the lightest pack with room; equally many in each. */
static void
pack_items (unsigned n, const double *weight, const uint16_t *order, unsigned packs, uint16_t *pack)
{
  double   total[SL_ROUTES_EXPERTS];
  unsigned held[SL_ROUTES_EXPERTS], room = n / packs;

  memset (total, 0, packs * sizeof *total);
  memset (held, 0, packs * sizeof *held);
  for (unsigned i = 0; i < n; i++)
    {
      unsigned lightest = packs;

      for (unsigned p = 0; p < packs; p++)
        if (held[p] < room && (lightest == packs || total[p] < total[lightest]))
          lightest = p;
      if (room == 1)
        lightest = order[i];
      pack[order[i]] = (uint16_t) lightest;
      total[lightest] += weight[order[i]];
      held[lightest]++;
    }
}

/* Copies of the busiest numbers, one after another, until there are `places`. */
static void
add_copies (Stock *stock, Shelf *shelf, unsigned places)
{
  for (unsigned distinct = shelf->n; shelf->n < places; shelf->n++)
    {
      unsigned busiest = 0;
      double   most = -1.0;

      for (unsigned i = 0; i < distinct; i++)
        {
          unsigned e = shelf->number[i];

          if (stock->weight[e] / stock->copies[e] > most)
            {
              most = stock->weight[e] / stock->copies[e];
              busiest = e;
            }
        }
      shelf->number[shelf->n] = (uint16_t) busiest;
      stock->copies[busiest]++;
    }
  for (unsigned i = 0; i < shelf->n; i++)
    shelf->share[i] = stock->weight[shelf->number[i]] / stock->copies[shelf->number[i]];
}

/* Appends the shelf's packs to the placement as its next devices. */
static void
append_devices (const Stock *stock, const Shelf *shelf, unsigned packs, SlPlacement *placement)
{
  unsigned end[SL_ROUTES_EXPERTS + 1] = { 0 };
  unsigned at = placement->first[placement->devices];

  for (unsigned i = 0; i < shelf->n; i++)
    end[shelf->pack[i] + 1] += shelf->number[i] < stock->experts;
  end[0] = at;
  for (unsigned p = 0; p < packs; p++)
    {
      end[p + 1] += end[p];
      placement->first[++placement->devices] = end[p + 1];
    }
  for (unsigned i = 0; i < shelf->n; i++)
    {
      unsigned number = shelf->number[shelf->order[i]];

      if (number < stock->experts)
        placement->expert[end[shelf->pack[shelf->order[i]]]++] = (uint16_t) number;
    }
}

/* Spreads what is on the shelf, with copies, over so many devices. */
static void
place_shelf (Stock *stock, Shelf *shelf, unsigned places, unsigned devices, SlPlacement *placement)
{
  add_copies (stock, shelf, places);
  sl_order_falling (shelf->n, shelf->share, shelf->order);
  pack_items (shelf->n, shelf->share, shelf->order, devices, shelf->pack);
  append_devices (stock, shelf, devices, placement);
}

static void
fill_stock (Stock *stock, unsigned n, unsigned numbers, const uint64_t *load)
{
  stock->experts = n;
  for (unsigned i = 0; i < numbers; i++)
    {
      stock->weight[i] = i < n ? (double) load[i] : 0.0;
      stock->copies[i] = 1;
    }
}

/* All numbers on one shelf. */
static void
place_flat (Stock *stock, unsigned numbers, unsigned places, unsigned devices,
            SlPlacement *placement)
{
  Shelf shelf;

  shelf.n = numbers;
  for (unsigned i = 0; i < numbers; i++)
    shelf.number[i] = (uint16_t) i;
  place_shelf (stock, &shelf, places, devices, placement);
}

/* Groups of experts to nodes, then each node by itself. */
static void
place_nodes (Stock *stock, const SlPlacementSetting *s, unsigned places, unsigned devices,
             SlPlacement *placement)
{
  unsigned size = stock->experts / s->groups;
  double   weight[SL_ROUTES_EXPERTS];
  uint16_t order[SL_ROUTES_EXPERTS], node[SL_ROUTES_EXPERTS];
  Shelf    shelf;

  for (unsigned q = 0; q < s->groups; q++)
    {
      weight[q] = 0.0;
      for (unsigned i = 0; i < size; i++)
        weight[q] += stock->weight[q * size + i];
    }
  sl_order_falling (s->groups, weight, order);
  pack_items (s->groups, weight, order, s->nodes, node);
  for (unsigned d = 0; d < s->nodes; d++)
    {
      shelf.n = 0;
      for (unsigned q = 0; q < s->groups; q++)
        if (node[order[q]] == d)
          for (unsigned i = 0; i < size; i++)
            shelf.number[shelf.n++] = (uint16_t) (order[q] * size + i);
      place_shelf (stock, &shelf, places / s->nodes, devices / s->nodes, placement);
    }
}

static void
place_in_order (unsigned n, unsigned devices, SlPlacement *placement)
{
  for (unsigned i = 0; i < n; i++)
    placement->expert[i] = (uint16_t) i;
  for (unsigned d = 0; d < devices; d++)
    placement->first[d + 1] = placement->first[d] + n / devices + (d < n % devices);
  placement->devices = devices;
}

unsigned
sl_placement_places (const SlPlacementSetting *setting, unsigned n)
{
  unsigned g = setting->devices < n ? setting->devices : n;

  return (n + setting->extra + g - 1) / g * g;
}

bool
sl_placement_fits (const SlPlacementSetting *setting, unsigned n)
{
  unsigned g = setting->devices < n ? setting->devices : n;

  return setting->nodes == 1
         || (setting->nodes > 0 && setting->groups > 0 && setting->groups % setting->nodes == 0
             && g % setting->nodes == 0 && n % setting->groups == 0
             && sl_placement_places (setting, n) % setting->nodes == 0);
}

void
sl_placement_make (SlPlacementKind kind, const SlPlacementSetting *setting, unsigned n,
                   const uint64_t *load, SlPlacement *placement)
{
  unsigned           g = setting->devices < n ? setting->devices : n;
  unsigned           places = sl_placement_places (setting, n), rounded = (n + g - 1) / g * g;
  SlPlacementSetting s = *setting;
  Stock              stock;

  assert (n > 0 && g > 0 && setting->extra <= SL_ROUTES_EXPERTS);
  placement->n = n;
  placement->devices = placement->first[0] = 0;
  fill_stock (&stock, n, rounded, load);
  if (!sl_placement_fits (setting, n))
    s.nodes = 1;
  if (kind == SL_PLACE_STATIC)
    place_in_order (n, g, placement);
  else if (kind == SL_PLACE_GREEDY || s.extra == 0)
    place_flat (&stock, rounded, rounded, g, placement);
  else if (s.nodes == 1)
    place_flat (&stock, n, places, g, placement);
  else
    place_nodes (&stock, &s, places, g, placement);
  memcpy (placement->copies, stock.copies, n * sizeof *placement->copies);
}

void
sl_placement_loads (const SlPlacement *placement, const uint64_t *load, double *devices)
{
  for (unsigned d = 0; d < placement->devices; d++)
    {
      devices[d] = 0.0;
      for (unsigned i = placement->first[d]; i < placement->first[d + 1]; i++)
        devices[d] += (double) load[placement->expert[i]] / placement->copies[placement->expert[i]];
    }
}

void
sl_placement_add_time (const SlPlacement *placement, const uint64_t *load, SlDeviceTime *time)
{
  double device[SL_ROUTES_EXPERTS], sum = 0.0, most = 0.0;

  sl_placement_loads (placement, load, device);
  for (unsigned d = 0; d < placement->devices; d++)
    {
      sum += device[d];
      most = fmax (most, device[d]);
    }
  time->mean += sum / placement->devices;
  time->most += most;
}

double
sl_device_time_share (SlDeviceTime time)
{
  return time.most > 0.0 ? time.mean / time.most : 1.0;
}

/* The sum of windows (windows, n). */
static void
add_windows (unsigned n, size_t windows, const uint64_t *loads, uint64_t *sum)
{
  memset (sum, 0, n * sizeof *sum);
  for (size_t w = 0; w < windows; w++)
    for (unsigned i = 0; i < n; i++)
      sum[i] += loads[w * n + i];
}

/* The share of work in windows, as planned. */
static double
judge_windows (const SlPlacement *placement, size_t windows, const uint64_t *loads)
{
  SlDeviceTime time = { 0 };

  for (size_t w = 0; w < windows; w++)
    sl_placement_add_time (placement, loads + w * placement->n, &time);
  return sl_device_time_share (time);
}

/* The share of work where every `replan` windows are planned from those before. */
static double
judge_followed (SlPlacementKind kind, const SlPlacementSetting *setting, unsigned n, size_t windows,
                const uint64_t *loads, size_t replan, SlPlacement *placement)
{
  uint64_t     sum[SL_ROUTES_EXPERTS];
  SlDeviceTime time = { 0 };

  for (size_t w = replan; w < windows; w++)
    {
      if (w % replan == 0)
        {
          add_windows (n, replan, loads + (w - replan) * n, sum);
          sl_placement_make (kind, setting, n, sum, placement);
        }
      sl_placement_add_time (placement, loads + w * n, &time);
    }
  return windows > replan ? sl_device_time_share (time) : NAN;
}

SlPlacementScores
sl_placement_score (SlPlacementKind kind, const SlPlacementSetting *setting, unsigned n,
                    size_t windows, const uint64_t *loads, size_t replan, SlPlacement *placement)
{
  SlPlacementScores scores = { .held_out = NAN, .hindsight = NAN };
  uint64_t          sum[SL_ROUTES_EXPERTS];
  size_t            half = windows / 2;

  assert (replan > 0);
  scores.followed = judge_followed (kind, setting, n, windows, loads, replan, placement);
  if (half > 0)
    {
      add_windows (n, half, loads, sum);
      sl_placement_make (kind, setting, n, sum, placement);
      scores.held_out = judge_windows (placement, windows - half, loads + half * n);
      add_windows (n, windows - half, loads + half * n, sum);
      sl_placement_make (kind, setting, n, sum, placement);
      scores.hindsight = judge_windows (placement, windows - half, loads + half * n);
    }
  add_windows (n, windows, loads, sum);
  sl_placement_make (kind, setting, n, sum, placement);
  scores.windows = judge_windows (placement, windows, loads);
  scores.whole = judge_windows (placement, 1, sum);
  return scores;
}

double
sl_placement_even (unsigned n, unsigned devices, double k, size_t tokens)
{
  unsigned g = devices < n ? devices : n, m = (n + g - 1) / g, h = n % g > 0 ? n % g : g;
  double   share = (double) m / n, spread;

  if (g == 1 || tokens == 0 || m == n)
    return 1.0;
  spread = sqrt (k * share * (1.0 - share) * (n - k) / (n - 1.0) * (double) tokens)
           / ((double) tokens * k * m / n);
  return (double) n / ((double) g * m)
         / (1.0
            + spread * sqrt ((double) n / (n - m)) * sl_normal_quantile ((h - 0.375) / (h + 0.25)));
}
