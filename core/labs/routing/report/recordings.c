/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "core/labs/routing/report/tokens.h"
#include "core/labs/routing/report/trace.h"

enum { NAME = 64 };

typedef struct
{
  const SlRouting *a, *b;
  gboolean         warm_up, paired;
  SlJsonWriter    *w;    /* where every number goes, or NULL: */
  SlTraceCompared *each; /* told of the few that say most */
  gpointer         data;
} Pair;

static void
tell_tokens (const Pair *p, const char *name, const SlRoutes *a, const SlRoutes *b)
{
  SlLoadComparison loads = sl_routes_compare (a, b, NULL, NULL, NULL);
  SlPairedRoutes   pairs = { 0 };

  if (p->paired)
    pairs = sl_routes_compare_paired (a, b);
  p->each (name, a->n, &loads, p->paired ? &pairs : NULL, p->data);
}

static SlStatus
not_paired (const Pair *p, const char *name, size_t a, size_t b)
{
  return sl_status_new (SL_EFORMAT, p->b->name, sl_message ("%zu tokens in layer %s", b, name),
                        sl_message ("%zu, as %s has", a, p->a->name));
}

static SlStatus
compare_tokens (const Pair *p, const char *name, unsigned a, unsigned b)
{
  SlTraceTokens at, bt = { 0 };
  SlStatus      status = sl_trace_tokens_read (p->a, a, p->warm_up, &at);

  if (sl_ok (&status))
    status = sl_trace_tokens_read (p->b, b, p->warm_up, &bt);
  if (sl_ok (&status) && p->paired && at.routes.tokens != bt.routes.tokens)
    status = not_paired (p, name, at.routes.tokens, bt.routes.tokens);
  if (!sl_ok (&status) || at.routes.tokens == 0 || bt.routes.tokens == 0)
    ;
  else if (p->w == NULL)
    tell_tokens (p, name, &at.routes, &bt.routes);
  else
    sl_trace_write_comparison (p->w, name, &at.routes, &bt.routes, p->paired,
                               p->a->order != SL_ROUTING_ASCENDING
                                 && p->b->order != SL_ROUTING_ASCENDING);
  sl_trace_tokens_clear (&at);
  sl_trace_tokens_clear (&bt);
  return status;
}

/* Compares two layers of which one has only counts. */
static SlStatus
compare_loads (const Pair *p, const char *name, unsigned a, unsigned b)
{
  unsigned  n = p->a->experts;
  uint64_t *load = g_new (uint64_t, 2 * (size_t) n);
  SlStatus  status = sl_trace_loads (p->a, a, p->warm_up, load);

  if (sl_ok (&status))
    status = sl_trace_loads (p->b, b, p->warm_up, load + n);
  if (sl_ok (&status) && sl_load_sum (n, load) > 0 && sl_load_sum (n, load + n) > 0)
    {
      double k = p->a->shares || p->b->shares ? NAN : MAX (MAX (p->a->k, p->b->k), 1);

      if (p->w == NULL)
        {
          SlLoadComparison loads = sl_load_compare (n, load, load + n, k, k, NULL, NULL);

          p->each (name, n, &loads, NULL, p->data);
        }
      else
        sl_trace_add_load_comparison (p->w, name, n, k, load, load + n);
    }
  g_free (load);
  return status;
}

/* The layer of b with this name, or -1. */
static int
find_layer (const SlRouting *recording, const char *name)
{
  char each[NAME];

  for (unsigned l = 0; l < recording->n_layers; l++)
    if (strcmp (sl_routing_layer_name (&recording->layer[l], each, NAME), name) == 0)
      return (int) l;
  return -1;
}

static SlStatus
compare_layers (const Pair *p, gboolean tokens)
{
  SlStatus status = SL_SUCCESS;
  unsigned common = 0;

  for (unsigned l = 0; l < p->a->n_layers && sl_ok (&status); l++)
    {
      char        text[NAME];
      const char *name = sl_routing_layer_name (&p->a->layer[l], text, NAME);
      int         other = find_layer (p->b, name);

      if (other < 0)
        continue;
      common++;
      status = (tokens ? compare_tokens : compare_loads) (p, name, l, (unsigned) other);
    }
  if (common == 0)
    status = sl_status_new (SL_EFORMAT, p->b->name, sl_message ("other layers"),
                            sl_message ("a layer that %s has", p->a->name));
  return status;
}

static SlStatus
compare (const Pair *p)
{
  const SlRouting *a = p->a, *b = p->b;
  gboolean         tokens = a->kind == SL_ROUTING_IDS && b->kind == SL_ROUTING_IDS;

  if (a->experts != b->experts)
    return sl_status_new (
      SL_EFORMAT, b->name, sl_message ("%u experts", b->experts),
      sl_message ("%u, as %s has; else say how many with experts=", a->experts, a->name));
  if (p->paired && !tokens)
    return sl_status_new (SL_EFORMAT, a->kind == SL_ROUTING_IDS ? b->name : a->name,
                          sl_message ("only counts"),
                          sl_message ("the experts of each token, to pair them"));
  return compare_layers (p, tokens);
}

SlStatus
sl_trace_write_recordings (SlJsonWriter *w, const SlRouting *a, const SlRouting *b,
                           gboolean warm_up, gboolean paired)
{
  const Pair p = { .a = a, .b = b, .warm_up = warm_up, .paired = paired, .w = w };
  SlStatus   status;

  sl_json_open (w, "comparison", '{', SL_JSON_LINES);
  status = compare (&p);
  sl_json_close (w);
  return status;
}

SlStatus
sl_trace_compare (const SlRouting *a, const SlRouting *b, gboolean warm_up, gboolean paired,
                  SlTraceCompared *each, gpointer data)
{
  const Pair p
    = { .a = a, .b = b, .warm_up = warm_up, .paired = paired, .each = each, .data = data };

  return compare (&p);
}
