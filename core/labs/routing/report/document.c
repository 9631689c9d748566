/* SPDX-License-Identifier: MIT
 *
 * A whole recording: what it is, then every layer with its numbers.  SlTraceTokens of one or two layers are
 * in memory at a time.  */
#include <math.h>
#include <string.h>

#include "core/labs/routing/math/load.h"
#include "core/labs/routing/report/tokens.h"
#include "core/labs/routing/report/trace.h"

enum { NAME = 64, FIRST_PASSES = 6 };

typedef struct
{
  SlJsonWriter          *w;
  const SlRouting       *recording;
  gboolean               warm_up; /* counted in */
  const SlTraceSettings *settings;
} Document;

static SlStatus
memory_status (const Document *d, gboolean good)
{
  return good ? SL_SUCCESS : sl_status_no_memory (d->recording->name);
}

static const char *
name_of (const Document *d, unsigned layer, char name[NAME])
{
  return sl_routing_layer_name (&d->recording->layer[layer], name, NAME);
}

/* ---- Head ---- */

static void
add_notes (const Document *d)
{
  char text[SL_MESSAGE_SIZE];

  sl_json_add_text (d->w, "reading",
                    sl_message_show (d->recording->reading.said.packed, NULL, text, sizeof text));
  sl_json_open (d->w, "notes", '[', SL_JSON_TIGHT);
  for (unsigned i = 0; i < d->recording->reading.n_notes; i++)
    sl_json_add_text (
      d->w, NULL, sl_message_show (d->recording->reading.note[i].packed, NULL, text, sizeof text));
  sl_json_close (d->w);
}

static void
add_head (const Document *d)
{
  static const char *const kinds[] = { "ids", "counts" };
  static const char *const from[] = { "said", "file", "largest" };
  const SlRouting         *r = d->recording;

  sl_json_add_text (d->w, "kind", kinds[r->kind]);
  sl_trace_add_names (d->w, r);
  sl_json_add_whole (d->w, "experts", r->experts);
  sl_json_add_text (d->w, "experts_from", from[r->experts_from]);
  sl_json_add_whole (d->w, "k", r->k);
  add_notes (d);
}

static void
add_passes (const Document *d)
{
  uint32_t *sizes = g_new (uint32_t, d->recording->layer[0].n_passes);
  size_t    n = sl_trace_passes (d->recording, 0, d->warm_up, sizes);

  sl_json_open (d->w, "passes", '{', SL_JSON_TIGHT);
  sl_json_add_whole (d->w, "number", n);
  sl_json_open (d->w, "first", '[', SL_JSON_PACKED);
  for (size_t p = 0; p < MIN (n, FIRST_PASSES); p++)
    sl_json_add_whole (d->w, NULL, sizes[p]);
  sl_json_close (d->w);
  sl_json_close (d->w);
  g_free (sizes);
}

static void
add_alignment (const Document *d)
{
  static const char *const orders[] = { "ranked", "ascending", "listed" };
  const SlRouting         *r = d->recording;
  gboolean                 aligned = TRUE;

  sl_json_add_text (d->w, "order", orders[r->order]);
  for (unsigned l = 0; l < r->n_layers; l++)
    aligned = aligned && r->group[l] == r->group[0];
  sl_json_add_truth (d->w, "aligned", aligned);
  sl_json_open (d->w, "tokens", '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < r->n_layers; l++)
    sl_json_add_whole (d->w, NULL, sl_routing_tokens (r, l, d->warm_up));
  sl_json_close (d->w);
  add_passes (d);
}

/* ---- Layers with tokens ---- */

static SlStatus
add_layer (const Document *d, unsigned layer, uint64_t *load, double *slots)
{
  const SlRoutingLayer *each = &d->recording->layer[layer];
  uint32_t             *sizes = g_new (uint32_t, each->n_passes);
  size_t                n = sl_trace_passes (d->recording, layer, d->warm_up, sizes);
  char                  name[NAME];
  SlTraceTokens         tokens;
  SlStatus              status = sl_trace_tokens_read (d->recording, layer, d->warm_up, &tokens);

  if (sl_ok (&status))
    {
      sl_routes_load (&tokens.routes, load);
      *slots = sl_routes_slots (&tokens.routes);
      status = memory_status (
        d, sl_trace_write_layer (d->w, name_of (d, layer, name), &tokens.routes,
                                 sl_routing_zeros (d->recording, layer, d->warm_up), tokens.gates,
                                 sizes, n, d->settings));
    }
  sl_trace_tokens_clear (&tokens);
  g_free (sizes);
  return status;
}

static SlStatus
add_layers (const Document *d)
{
  const SlRouting *r = d->recording;
  uint64_t        *loads = g_new (uint64_t, (size_t) r->n_layers * r->experts);
  double          *slots = g_new (double, r->n_layers);
  SlStatus         status = SL_SUCCESS;

  sl_json_open (d->w, "layer", '{', SL_JSON_LINES);
  for (unsigned l = 0; l < r->n_layers && sl_ok (&status); l++)
    status = add_layer (d, l, loads + (size_t) l * r->experts, &slots[l]);
  sl_json_close (d->w);
  if (sl_ok (&status))
    sl_trace_write_over_layers (d->w, "over_layers", r->experts, r->n_layers, loads, slots,
                                d->settings);
  g_free (slots);
  g_free (loads);
  return status;
}

static SlStatus
add_pair (const Document *d, unsigned layer, const SlTraceTokens *here, const SlTraceTokens *next)
{
  char             a[NAME], b[NAME];
  g_autofree char *key
    = g_strdup_printf ("%s-%s", name_of (d, layer, a), name_of (d, layer + 1, b));

  return memory_status (d, sl_trace_write_next (d->w, key, &here->routes, &next->routes,
                                                d->recording->order != SL_ROUTING_ASCENDING));
}

static SlStatus
add_neighbours (const Document *d)
{
  const SlRouting *r = d->recording;
  SlTraceTokens    here, next;
  SlStatus         status = sl_trace_tokens_read (d->recording, 0, d->warm_up, &here);

  sl_json_open (d->w, "next", '{', SL_JSON_LINES);
  for (unsigned l = 0; l + 1 < r->n_layers && sl_ok (&status); l++)
    {
      status = sl_trace_tokens_read (d->recording, l + 1, d->warm_up, &next);
      if (sl_ok (&status) && r->group[l] == r->group[l + 1])
        status = add_pair (d, l, &here, &next);
      sl_trace_tokens_clear (&here);
      here = next;
    }
  sl_trace_tokens_clear (&here);
  sl_json_close (d->w);
  return status;
}

static SlStatus
add_bias (const Document *d, unsigned layer)
{
  const SlRouting *r = d->recording;
  size_t           n = r->experts, tokens = sl_routing_tokens (r, layer, d->warm_up);
  const float     *all = r->layer[layer].scores;
  float           *scores = NULL; /* of the tokens that count, where others lie between them */
  char             name[NAME];

  if (tokens < r->layer[layer].tokens)
    {
      scores = g_try_new (float, tokens *n + 1);
      if (scores == NULL)
        return sl_status_no_memory (r->name);
    }
  for (size_t t = 0; t < tokens && scores != NULL; t++)
    memcpy (scores + t * n, all + sl_routing_place (r, layer, d->warm_up, t) * n,
            n * sizeof *scores);
  sl_trace_write_bias (d->w, name_of (d, layer, name), r->experts, r->k, tokens,
                       scores != NULL ? scores : all, d->settings);
  g_free (scores);
  return SL_SUCCESS;
}

static SlStatus
add_biases (const Document *d)
{
  SlStatus status = SL_SUCCESS;

  if (d->recording->layer[0].scores == NULL)
    return status;
  sl_json_open (d->w, "bias", '{', SL_JSON_LINES);
  for (unsigned l = 0; l < d->recording->n_layers && sl_ok (&status); l++)
    status = add_bias (d, l);
  sl_json_close (d->w);
  return status;
}

static void
add_halves (const Document *d, unsigned layer, const SlTraceTokens *tokens)
{
  size_t   half = tokens->routes.tokens / 2;
  SlRoutes a = sl_routes_part (&tokens->routes, 0, half);
  SlRoutes b = sl_routes_part (&tokens->routes, half, tokens->routes.tokens - half);
  char     name[NAME];

  if (half > 0)
    sl_trace_write_comparison (d->w, name_of (d, layer, name), &a, &b, FALSE, TRUE);
}

static void
add_phase (SlJsonWriter *w, const char *key, const SlRoutes *r)
{
  uint64_t       *load = g_new (uint64_t, r->n);
  SlRoutesBalance b;

  sl_routes_load (r, load);
  b = sl_load_balance (r->n, load, sl_routes_slots (r), NULL);
  sl_json_open (w, key, '{', SL_JSON_TIGHT);
  sl_json_add_whole (w, "tokens", r->tokens);
  sl_json_add_number (w, "cv", b.cv);
  sl_json_add_number (w, "gini", b.gini);
  sl_json_add_number (w, "peak", b.peak);
  sl_json_add_number (w, "effective", b.effective);
  sl_json_add_whole (w, "dead", b.dead);
  sl_json_close (w);
  g_free (load);
}

/* The tokens of prompts and those that were decoded, where there are both. */
static void
add_phases (const Document *d, unsigned layer, const SlTraceTokens *tokens)
{
  const SlRouting *r = d->recording;
  const uint8_t   *decode = r->layer[layer].decode;
  size_t           bytes = r->k * sizeof (uint16_t), n = tokens->routes.tokens, decoded = 0;
  uint16_t        *sorted = g_new (uint16_t, n * r->k + 1);
  SlRoutes         phase[2] = { tokens->routes, tokens->routes };
  char             name[NAME];

  phase[0].tokens = 0;
  for (unsigned part = 0; part < 2; part++)
    for (size_t t = 0; t < n; t++)
      if (decode[sl_routing_place (r, layer, d->warm_up, t)] == part)
        {
          memcpy (sorted + (phase[0].tokens + decoded) * r->k, tokens->ids + t * r->k, bytes);
          *(part == 0 ? &phase[0].tokens : &decoded) += 1;
        }
  phase[0].ids = sorted;
  phase[1].ids = sorted + phase[0].tokens * r->k;
  phase[1].tokens = decoded;
  if (phase[0].tokens > 0 && decoded > 0)
    {
      sl_json_open (d->w, name_of (d, layer, name), '{', SL_JSON_LINES);
      add_phase (d->w, "prefill", &phase[0]);
      add_phase (d->w, "decode", &phase[1]);
      sl_trace_write_comparison (d->w, "comparison", &phase[0], &phase[1], FALSE, TRUE);
      sl_json_close (d->w);
    }
  g_free (sorted);
}

/* An object `key` with what `add` says about each layer. */
static SlStatus
add_each (const Document *d, const char *key,
          void (*add) (const Document *d, unsigned layer, const SlTraceTokens *tokens))
{
  SlStatus status = SL_SUCCESS;

  sl_json_open (d->w, key, '{', SL_JSON_LINES);
  for (unsigned l = 0; l < d->recording->n_layers && sl_ok (&status); l++)
    {
      SlTraceTokens tokens;

      status = sl_trace_tokens_read (d->recording, l, d->warm_up, &tokens);
      if (sl_ok (&status))
        add (d, l, &tokens);
      sl_trace_tokens_clear (&tokens);
    }
  sl_json_close (d->w);
  return status;
}

/* What is learned of the whole. */
static SlStatus
add_use (const Document *d)
{
  SlStatus status = SL_SUCCESS;

  if (d->recording->kind == SL_ROUTING_IDS)
    status = sl_trace_write_caches (d->w, "memory", d->recording, d->warm_up, d->settings);
  if (sl_ok (&status) && d->recording->word != NULL)
    status = sl_trace_write_words (d->w, "words", d->recording, d->warm_up);
  if (sl_ok (&status))
    {
      sl_json_open (d->w, "keep", '{', SL_JSON_LINES);
      status = sl_trace_write_keep (d->w, d->recording, d->warm_up, SL_TRACE_KEEP);
      sl_json_close (d->w);
    }
  return status;
}

static SlStatus
add_ids (const Document *d)
{
  SlStatus status;

  add_alignment (d);
  status = add_layers (d);
  if (sl_ok (&status))
    status = add_neighbours (d);
  if (sl_ok (&status))
    status = add_biases (d);
  if (sl_ok (&status))
    status = add_each (d, "first_half_to_second", add_halves);
  if (sl_ok (&status) && d->recording->layer[0].decode != NULL)
    status = add_each (d, "phases", add_phases);
  return status;
}

/* ---- Layers of counts ---- */

static void
add_counts (const Document *d)
{
  const SlRouting *r = d->recording;
  size_t           n = r->experts;
  uint64_t        *loads = g_new0 (uint64_t, r->n_layers * n);
  double          *slots = g_new (double, r->n_layers);
  char             name[NAME];

  sl_json_add_whole (d->w, "rows", r->rows);
  if (r->step != NULL)
    sl_json_add_numbers (d->w, "steps", r->step, r->rows, SL_JSON_PACKED);
  sl_json_open (d->w, "layer", '{', SL_JSON_LINES);
  for (unsigned l = 0; l < r->n_layers; l++)
    {
      slots[l] = r->shares ? NAN : MAX (r->k, 1);
      for (size_t i = 0; i < r->rows * n; i++)
        loads[l * n + i % n] += r->layer[l].counts[i];
      sl_trace_write_counts (d->w, name_of (d, l, name), r, l, d->settings);
    }
  sl_json_close (d->w);
  sl_trace_write_over_layers (d->w, "over_layers", r->experts, r->n_layers, loads, slots,
                              d->settings);
  g_free (slots);
  g_free (loads);
}

SlStatus
sl_trace_write_document (SlJsonWriter *w, const SlRouting *recording, gboolean warm_up,
                         const SlTraceSettings *settings)
{
  Document d = { w, recording, warm_up, settings };
  SlStatus status = SL_SUCCESS;

  add_head (&d);
  if (recording->kind == SL_ROUTING_IDS)
    status = add_ids (&d);
  else
    add_counts (&d);
  return sl_ok (&status) ? add_use (&d) : status;
}
