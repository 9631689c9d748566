/* SPDX-License-Identifier: MIT
 *
 * Caches as JSON and as a table.  */
#include <math.h>

#include "core/labs/routing/report/caches.h"

static const char *const names[] = { "lru", "lfu", "best" };
static const char *const phases[] = { "all", "prefill", "decode" };

/* All tokens, and those of either phase if they are known. */
static unsigned
n_phases (const SlTraceCaches *c)
{
  return c->phases ? SL_N_TURN_PHASES : 1;
}

/* ---- JSON ---- */

static void
add_layers (SlJsonWriter *w, const SlRouting *r, const char *key, gboolean ours)
{
  sl_json_open (w, key, '[', SL_JSON_PACKED);
  for (unsigned l = 0; l < r->n_layers; l++)
    if ((r->group[l] == r->group[0]) == ours)
      sl_trace_add_name (w, &r->layer[l]);
  sl_json_close (w);
}

static void
add_head (SlJsonWriter *w, const SlRouting *r, const SlTraceCaches *c,
          const SlTraceSettings *settings)
{
  static const char *const from[] = { "set", "recording", "assumed" };

  sl_json_add_text (w, "by", settings->by_pass ? "pass" : "token");
  add_layers (w, r, "layers", TRUE);
  add_layers (w, r, "left_out", FALSE);
  sl_json_add_whole (w, "experts", c->items);
  sl_json_add_number (w, "expert_bytes", c->bytes);
  sl_json_add_text (w, "size_from", from[c->from]);
  sl_json_add_whole (w, "groups", c->groups);
  if (c->cut)
    sl_json_add_truth (w, "cut", TRUE);
  sl_json_add_whole (w, "lookups", c->counts.lookups[SL_TURNS_ALL]);
  sl_json_add_whole (w, "first_uses", c->counts.first_uses[SL_TURNS_ALL]);
}

/* Shares of all three, where there are lookups to have a share of. */
static void
add_shares (SlJsonWriter *w, const SlTraceCaches *c, SlTurnPhase phase, gboolean steady)
{
  if (isnan (sl_trace_hit_share (c, SL_TRACE_LRU, 0, phase, steady)))
    return;
  for (unsigned cache = 0; cache < SL_N_TRACE_CACHES; cache++)
    {
      sl_json_open (w, names[cache], '[', SL_JSON_PACKED);
      for (unsigned i = 0; i < c->n; i++)
        sl_json_add_number (w, NULL, sl_trace_hit_share (c, cache, i, phase, steady));
      sl_json_close (w);
    }
}

static void
add_sizes (SlJsonWriter *w, const SlTraceCaches *c)
{
  double gib[SL_MEMORY_SIZES], any[SL_MEMORY_SIZES];

  sl_json_open (w, "places", '[', SL_JSON_PACKED);
  for (unsigned i = 0; i < c->n; i++)
    {
      sl_json_add_whole (w, NULL, c->places[i]);
      gib[i] = (double) c->places[i] * c->bytes / 0x1p30;
      any[i] = (double) c->places[i] / (double) c->items;
    }
  sl_json_close (w);
  sl_json_add_numbers (w, "gib", gib, c->n, SL_JSON_PACKED);
  add_shares (w, c, SL_TURNS_ALL, FALSE);
  if (!isnan (c->pinned[0]))
    sl_json_add_numbers (w, "pinned", c->pinned, c->n, SL_JSON_PACKED);
  sl_json_add_numbers (w, "any", any, c->n, SL_JSON_PACKED);
}

static void
add_phase (SlJsonWriter *w, const SlTraceCaches *c, SlTurnPhase phase, double bandwidth)
{
  sl_json_open (w, phases[phase], '{', SL_JSON_LINES);
  sl_json_add_whole (w, "tokens", c->counts.tokens[phase]);
  sl_json_add_whole (w, "lookups", c->counts.lookups[phase]);
  sl_json_add_whole (w, "first_uses", c->counts.first_uses[phase]);
  if (c->counts.lookups[phase] > c->counts.first_uses[phase])
    {
      sl_json_open (w, "steady", '{', SL_JSON_LINES);
      add_shares (w, c, phase, TRUE);
      sl_json_close (w);
    }
  if (c->counts.tokens[phase] > 0)
    {
      sl_json_open (w, "bytes_per_token", '[', SL_JSON_PACKED);
      for (unsigned i = 0; i < c->n; i++)
        sl_json_add_number (
          w, NULL, sl_memory_traffic (&c->counts, &c->hits[SL_TRACE_LRU][i], phase, c->bytes));
      sl_json_close (w);
      sl_json_open (w, "tokens_per_second", '[', SL_JSON_PACKED);
      for (unsigned i = 0; i < c->n; i++)
        {
          double most = sl_trace_tokens_per_second (c, i, phase, bandwidth);

          sl_json_add_number (w, NULL, isinf (most) ? NAN : most); /* null: no bound */
        }
      sl_json_close (w);
    }
  sl_json_close (w);
}

SlStatus
sl_trace_write_caches (SlJsonWriter *w, const char *key, const SlRouting *recording,
                       gboolean warm_up, const SlTraceSettings *settings)
{
  SlTraceCaches *c = g_new (SlTraceCaches, 1);
  SlStatus       status = sl_trace_caches (recording, warm_up, settings, TRUE, c);

  if (sl_ok (&status))
    {
      sl_json_open (w, key, '{', SL_JSON_LINES);
      add_head (w, recording, c, settings);
      add_sizes (w, c);
      sl_json_open (w, "phases", '{', SL_JSON_LINES);
      for (unsigned phase = 0; phase < n_phases (c); phase++)
        add_phase (w, c, phase, settings->bandwidth);
      sl_json_close (w);
      sl_json_close (w);
    }
  g_free (c);
  return status;
}

/* ---- CSV ---- */

static void
add_cell (GString *table, double value)
{
  g_string_append_c (table, ',');
  if (isfinite (value))
    g_string_append_printf (table, "%.9g", value);
}

static void
add_heading (GString *table, const SlTraceCaches *c)
{
  g_string_append (table, "places,memory (GiB),share of experts,LRU (hits a lookup),LFU (hits a "
                          "lookup),best possible (hits a lookup),"
                          "pinned (hits a lookup)");
  for (unsigned phase = 0; phase < n_phases (c); phase++)
    for (unsigned cache = 0; cache <= SL_N_TRACE_CACHES; cache++)
      {
        static const char *const columns[]
          = { "steady LRU (hits a lookup)", "steady LFU (hits a lookup)",
              "steady best possible (hits a lookup)", "most tokens a second" };

        g_string_append_printf (table, ",%s%s%s", phase > 0 ? phases[phase] : "",
                                phase > 0 ? " " : "", columns[cache]);
      }
  g_string_append_c (table, '\n');
}

static void
add_row (GString *table, const SlTraceCaches *c, unsigned size, double bandwidth)
{
  g_string_append_printf (table, "%zu", c->places[size]);
  add_cell (table, (double) c->places[size] * c->bytes / 0x1p30);
  add_cell (table, (double) c->places[size] / (double) c->items);
  for (unsigned cache = 0; cache < SL_N_TRACE_CACHES; cache++)
    add_cell (table, sl_trace_hit_share (c, cache, size, SL_TURNS_ALL, FALSE));
  add_cell (table, c->pinned[size]);
  for (unsigned phase = 0; phase < n_phases (c); phase++)
    {
      for (unsigned cache = 0; cache < SL_N_TRACE_CACHES; cache++)
        add_cell (table, sl_trace_hit_share (c, cache, size, phase, TRUE));
      add_cell (table, sl_trace_tokens_per_second (c, size, phase, bandwidth));
    }
  g_string_append_c (table, '\n');
}

char *
sl_trace_caches_table (const SlTraceCaches *caches, double bandwidth)
{
  GString *table = g_string_new (NULL);

  add_heading (table, caches);
  for (unsigned i = 0; i < caches->n; i++)
    add_row (table, caches, i, bandwidth);
  return g_string_free (table, FALSE);
}
