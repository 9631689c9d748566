/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/report/caches.h"

#include <math.h>

#include "core/labs/routing/report/tokens.h"

enum { MOST_LOOKUPS = 1 << 24 };

/* Bytes of an expert where nothing says them: 3 matrices of 2048 × 1024 in 16 bits. */
static const double assumed = 12 * 0x1p20;

/* A recording as sl_turns_read() asks for it. */
typedef struct
{
  const SlRouting *recording;
  gboolean         warm_up;
} Reading;

static SlStatus
read_ids (void *data, unsigned layer, size_t first, size_t n, uint16_t *ids)
{
  const Reading *reading = data;

  return sl_routing_read (reading->recording, layer, reading->warm_up, first, n, ids, NULL);
}

/* Whether the tokens that count were decoded; NULL: not known.  Free with g_free(). */
static uint8_t *
find_phases (const SlRouting *r, gboolean warm_up)
{
  size_t   tokens = sl_routing_tokens (r, 0, warm_up);
  uint8_t *decode;

  if (r->layer[0].decode == NULL)
    return NULL;
  decode = g_new (uint8_t, tokens + 1);
  for (size_t t = 0; t < tokens; t++)
    decode[t] = r->layer[0].decode[sl_routing_place (r, 0, warm_up, t)];
  return decode;
}

static SlStatus
read_turns (const SlRouting *r, gboolean warm_up, gboolean by_pass, const SlTraceCaches *caches,
            SlTurns *turns)
{
  Reading              reading = { r, warm_up };
  g_autofree uint8_t  *decode = find_phases (r, warm_up);
  g_autofree uint32_t *sizes = g_new (uint32_t, r->layer[0].n_passes + 1);
  const SlTurnSource   source = { .read = read_ids,
                                  .data = &reading,
                                  .layer = caches->layer,
                                  .layers = caches->layers,
                                  .n = r->experts,
                                  .k = r->k,
                                  .tokens = sl_routing_tokens (r, 0, warm_up),
                                  .pass = by_pass ? sizes : NULL,
                                  .passes = sl_trace_passes (r, 0, warm_up, sizes),
                                  .decode = decode };

  return sl_turns_read (&source, MOST_LOOKUPS, NULL, NULL, turns);
}

static SlStatus
count_hits (const SlTurns *turns, gboolean all, SlTraceCaches *c)
{
  SlStatus status = sl_turns_count (turns, &c->counts);

  if (sl_ok (&status))
    status = sl_turns_lru (turns, c->n, c->places, c->hits[SL_TRACE_LRU]);
  if (sl_ok (&status) && all)
    status = sl_turns_pinned (turns, c->n, c->places, c->pinned);
  for (unsigned i = 0; i < c->n && sl_ok (&status) && all; i++)
    {
      status = sl_turns_lfu (turns, c->places[i], &c->hits[SL_TRACE_LFU][i]);
      if (sl_ok (&status))
        status = sl_turns_best (turns, c->places[i], &c->hits[SL_TRACE_BEST][i]);
    }
  return status;
}

static void
choose_sizes (const SlRouting *r, const SlTraceSettings *settings, SlTraceCaches *c)
{
  size_t chosen;

  c->from = settings->expert_size > 0 ? SL_BYTES_SET
            : r->expert_bytes > 0     ? SL_BYTES_RECORDED
                                      : SL_BYTES_ASSUMED;
  c->bytes = (const double[]) { settings->expert_size * 0x1p20, r->expert_bytes, assumed }[c->from];
  c->items = (size_t) c->layers * r->experts;
  chosen = sl_memory_places (settings->memory, c->bytes, c->items);
  c->n = sl_memory_sizes (c->items, chosen, c->places);
  while (c->places[c->chosen] < chosen)
    c->chosen++;
}

SlStatus
sl_trace_caches (const SlRouting *recording, gboolean warm_up, const SlTraceSettings *settings,
                 gboolean all, SlTraceCaches *caches)
{
  SlTurns  turns;
  SlStatus status;

  *caches = (SlTraceCaches) { .phases = recording->layer[0].decode != NULL };
  for (unsigned l = 0; l < recording->n_layers; l++)
    if (recording->group[l] == recording->group[0])
      caches->layer[caches->layers++] = l;
  choose_sizes (recording, settings, caches);
  status = read_turns (recording, warm_up, settings->by_pass, caches, &turns);
  caches->groups = turns.groups;
  caches->cut = turns.cut;
  if (sl_ok (&status))
    status = count_hits (&turns, all, caches);
  sl_turns_clear (&turns);
  return status;
}

double
sl_trace_hit_share (const SlTraceCaches *caches, SlTraceCache cache, unsigned size,
                    SlTurnPhase phase, gboolean steady)
{
  uint64_t of = caches->counts.lookups[phase] - (steady ? caches->counts.first_uses[phase] : 0);

  return of > 0 ? (double) caches->hits[cache][size].of[phase] / (double) of : NAN;
}

double
sl_trace_tokens_per_second (const SlTraceCaches *caches, unsigned size, SlTurnPhase phase,
                            double bandwidth)
{
  return bandwidth * 1e9
         / sl_memory_traffic (&caches->counts, &caches->hits[SL_TRACE_LRU][size], phase,
                              caches->bytes);
}
