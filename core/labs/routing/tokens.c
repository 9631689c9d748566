/* SPDX-License-Identifier: MIT
 *
 * The tokens of a recording that are looked at: which of them count, how they are cut into windows,
 * and their loads.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/lab.h"
#include "core/labs/routing/math/windows.h"

/* Beyond so many loads of windows a longer window is asked for: they are kept in memory. */
enum { MOST_LOADS = 1 << 24 };

static unsigned
phase_of (const SlRoutingLab *s)
{
  return (unsigned) sl_value_of (&s->base, P_PHASE);
}

/* Whether only some of the tokens that count are looked at. */
bool
sl_routing_chooses (const SlRoutingLab *s)
{
  return s->has_tokens && (phase_of (s) != PHASE_ALL || s->request > 0);
}

/* Whether a token that counts is of the phase and the request that are looked at. */
static bool
is_looked_at (const SlRoutingLab *s, unsigned layer, size_t token)
{
  const SlRoutingLayer *about = &s->recording->layer[layer];
  unsigned              phase = phase_of (s);
  size_t                place;

  if (!sl_routing_chooses (s))
    return true;
  place = sl_routing_place (s->recording, layer, sl_is_on (&s->base, P_WARM_UP), token);
  if (s->request > 0 && (about->request == NULL || about->request[place] != s->request - 1))
    return false;
  return phase == PHASE_ALL
         || (about->decode != NULL && about->decode[place] == (phase == PHASE_DECODE));
}

static size_t
count_all (const SlRoutingLab *s, unsigned layer)
{
  return sl_routing_tokens (s->recording, layer, sl_is_on (&s->base, P_WARM_UP));
}

size_t
sl_routing_count (const SlRoutingLab *s, unsigned layer)
{
  size_t all = count_all (s, layer), n = 0;

  if (!sl_routing_chooses (s))
    return all;
  for (size_t t = 0; t < all; t++)
    n += is_looked_at (s, layer, t);
  return n;
}

bool
sl_routing_aligned (const SlRoutingLab *s, unsigned layer)
{
  return s->has_tokens && s->recording->group[layer] == s->recording->group[s->layer];
}

static SlStatus
read_tokens (const SlRoutingLab *s, unsigned layer, size_t first, size_t n, uint16_t *ids,
             float *gates)
{
  bool     warm_up = sl_is_on (&s->base, P_WARM_UP);
  unsigned k = s->recording->k;
  SlStatus status = SL_SUCCESS;

  if (s->token == NULL)
    return sl_routing_read (s->recording, layer, warm_up, first, n, ids, gates);
  for (size_t t = 0; t < n && sl_ok (&status); t++)
    status = sl_routing_read (s->recording, layer, warm_up, s->token[first + t], 1, ids + t * k,
                              gates != NULL ? gates + t * k : NULL);
  return status;
}

SlStatus
sl_routing_read_layer (const SlRoutingLab *s, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  return read_tokens (s, layer, first, n, ids, NULL);
}

SlStatus
sl_routing_read_token (const SlRoutingLab *s, unsigned layer, size_t token, uint16_t *ids,
                       float *gates)
{
  return read_tokens (s, layer, token, 1, ids, gates);
}

/* ---- Windows ---- */

/* Calls `each` with the size of every pass that has tokens which count. */
static size_t
cut_passes (const SlRoutingLab *s, size_t *first)
{
  const SlRoutingLayer *about = &s->recording->layer[s->layer];
  bool                  warm_up = sl_is_on (&s->base, P_WARM_UP);
  size_t                all = count_all (s, s->layer), t = 0, taken = 0, end = 0, windows = 0;

  for (size_t p = 0; p < about->n_passes; p++)
    {
      size_t before = taken;

      end += about->pass[p];
      for (; t < all && sl_routing_place (s->recording, s->layer, warm_up, t) < end; t++)
        taken += is_looked_at (s, s->layer, t);
      if (taken == before)
        continue;
      if (first != NULL)
        first[windows] = before;
      windows++;
    }
  return windows;
}

static SlStatus
check_windows (const SlRoutingLab *s)
{
  size_t most = MOST_LOADS / s->n;

  if (s->windows <= most)
    return SL_SUCCESS;
  return sl_status_new (SL_EINVAL, "window",
                        sl_message ("%zu windows of %u experts", s->windows, s->n),
                        sl_message ("at most %zu: longer windows", most));
}

SlStatus
sl_routing_measure (SlRoutingLab *s)
{
  size_t window = sl_count_of (&s->base, P_WINDOW);

  if (!s->has_tokens)
    {
      s->windows = s->complete = s->recording->rows;
      return check_windows (s);
    }
  s->routes
    = (SlRoutes) { .n = s->n, .k = s->k, .bytes = 2, .tokens = sl_routing_count (s, s->layer) };
  if (sl_value_of (&s->base, P_BY) == BY_PASS)
    s->windows = s->complete = cut_passes (s, NULL);
  else
    {
      /* A short rest would be uneven by chance alone: it is counted with the window before. */
      s->complete = s->routes.tokens / window;
      s->windows = s->complete + (2 * (s->routes.tokens % window) >= window);
      if (s->windows == 0 && s->routes.tokens > 0)
        s->windows = 1;
    }
  /* No window is longer than all there is. */
  s->longest = s->routes.tokens;
  if (sl_value_of (&s->base, P_BY) != BY_PASS && window + window / 2 < s->longest)
    s->longest = window + window / 2;
  return check_windows (s);
}

static void
cut_windows (SlRoutingLab *s)
{
  size_t window = sl_count_of (&s->base, P_WINDOW);

  if (sl_value_of (&s->base, P_BY) == BY_PASS)
    cut_passes (s, s->first);
  else
    for (size_t w = 0; w < s->windows; w++)
      s->first[w] = w * window;
  s->first[s->windows] = s->routes.tokens;
  for (size_t w = 0; w < s->windows; w++)
    {
      SlRoutes part;

      s->tokens[w] = s->first[w + 1] - s->first[w];
      part = sl_routing_window (s, w);
      sl_routes_load (&part, s->loads + w * s->n);
    }
}

static void
copy_rows (SlRoutingLab *s)
{
  const uint64_t *counts = s->recording->layer[s->layer].counts;

  memcpy (s->loads, counts, s->windows * s->n * sizeof *counts);
  for (size_t w = 0; w < s->windows; w++)
    s->tokens[w] = sl_load_sum (s->n, counts + w * s->n) / s->k;
}

/* ---- Loads ---- */

static void
add_counts (SlRoutingLab *s, unsigned layer)
{
  const SlRoutingLayer *each = &s->recording->layer[layer];
  size_t                half = s->recording->rows / 2 * s->n;

  s->layer_slots[layer] = s->recording->shares ? NAN : s->k;
  for (size_t i = 0; i < s->recording->rows * s->n; i++)
    {
      s->layer_load[layer * s->n + i % s->n] += each->counts[i];
      s->layer_first[layer * s->n + i % s->n] += i < half ? each->counts[i] : 0;
    }
}

/* Keeps the tokens of a block that are looked at; returns how many. */
static size_t
keep_tokens (const SlRoutingLab *s, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  size_t kept = 0;

  for (size_t t = 0; t < n; t++)
    if (is_looked_at (s, layer, first + t))
      memmove (ids + kept++ * s->k, ids + t * s->k, s->k * sizeof *ids);
  return kept;
}

/* Adds the loads of a part to those of a layer and, of its first half, to those; returns the routings. */
static double
add_loads (SlRoutingLab *s, unsigned layer, const SlRoutes *part, bool first)
{
  sl_routes_load (part, s->sum);
  for (unsigned i = 0; i < s->n; i++)
    {
      s->layer_load[layer * s->n + i] += s->sum[i];
      s->layer_first[layer * s->n + i] += first ? s->sum[i] : 0;
    }
  return (double) sl_load_sum (s->n, s->sum);
}

static SlStatus
add_tokens (SlRoutingLab *s, unsigned layer)
{
  size_t   all = count_all (s, layer), left = sl_routing_count (s, layer) / 2;
  double   squares = 0.0, routings = 0.0;
  SlStatus status = SL_SUCCESS;

  for (size_t t = 0; t < all && sl_ok (&status); t += READ_AT_ONCE)
    {
      size_t   n = all - t < READ_AT_ONCE ? all - t : READ_AT_ONCE, first;
      SlRoutes part = { .n = s->n, .k = s->k, .bytes = 2, .ids = s->block }, before, behind;
      double   here;

      status = sl_routing_read (s->recording, layer, sl_is_on (&s->base, P_WARM_UP), t, n, s->block,
                                NULL);
      if (!sl_ok (&status))
        break;
      part.tokens = keep_tokens (s, layer, t, n, s->block);
      first = part.tokens < left ? part.tokens : left;
      left -= first;
      before = sl_routes_part (&part, 0, first);
      behind = sl_routes_part (&part, first, part.tokens - first);
      here = add_loads (s, layer, &before, true) + add_loads (s, layer, &behind, false);
      squares += sl_routes_slots (&part) * here;
      routings += here;
    }
  s->layer_slots[layer] = routings > 0.0 ? squares / routings : 0.0;
  return status;
}

/* Which layers share a cache, which of its tokens were decoded, and how many each pass has. */
static void
fill_cache (SlRoutingLab *s)
{
  const uint8_t *decode = s->recording->layer[s->layer].decode;
  bool           warm_up = sl_is_on (&s->base, P_WARM_UP);
  unsigned       n = 0;

  for (unsigned l = 0; l < s->layers; l++)
    if (sl_routing_aligned (s, l))
      s->aligned[n++] = l;
  for (size_t t = 0; s->decode != NULL && t < s->routes.tokens; t++)
    s->decode[t] = decode[sl_routing_place (s->recording, s->layer, warm_up,
                                            s->token != NULL ? s->token[t] : t)];
  for (size_t w = 0; s->pass != NULL && w < s->windows; w++)
    s->pass[w] = (uint32_t) s->tokens[w];
}

static SlStatus
read_chosen (SlRoutingLab *s)
{
  size_t   taken = 0, all = count_all (s, s->layer);
  SlStatus status;

  for (size_t t = 0; s->token != NULL && t < all; t++)
    if (is_looked_at (s, s->layer, t))
      s->token[taken++] = (uint32_t) t;
  status = read_tokens (s, s->layer, 0, s->routes.tokens, s->ids, s->gates);
  s->routes.ids = s->ids;
  return status;
}

SlStatus
sl_routing_fill (SlRoutingLab *s)
{
  SlStatus status = SL_SUCCESS;

  if (s->has_tokens)
    status = read_chosen (s);
  if (!sl_ok (&status))
    return status;
  if (s->has_tokens)
    cut_windows (s);
  else
    copy_rows (s);
  for (size_t w = 0, t = 0; w <= s->windows; t += w < s->windows ? s->tokens[w] : 0, w++)
    s->first[w] = t;
  for (unsigned l = 0; l < s->layers && sl_ok (&status); l++)
    if (s->has_tokens)
      status = add_tokens (s, l);
    else
      add_counts (s, l);
  if (s->has_tokens)
    fill_cache (s);
  s->load = s->layer_load + (size_t) s->layer * s->n;
  s->slots = s->layer_slots[s->layer];
  return status;
}
