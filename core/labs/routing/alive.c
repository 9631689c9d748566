/* SPDX-License-Identifier: MIT
 *
 * The picture of the lab `routing`: the words or numbers of the tokens of a request, in the colour of the expert that
 * each went to or shaded by its load or gate value, and the way of one of them through the layers, with its gate values
 * where they were recorded.  */
#include <math.h>
#include <stdio.h>

#include "core/data/text/shown.h"
#include "core/lab/kit/alive.h"
#include "core/labs/routing/probes.h"

enum {
  TOKENS = 60, /* of the request, at most half of them before the one that is looked at */
  FAR = 65536, /* tokens that are looked through for them */
  ROWS = 40,   /* layers */
  BARS = 8,    /* gate values of a layer */
  SLOT = 7,    /* of no hue: those are of experts */
};

/* The experts of a token in a layer, the strongest first where that is known. */
typedef struct
{
  unsigned n; /* of them */
  uint16_t id[SL_ROUTING_SLOTS];
  float    gate[SL_ROUTING_SLOTS]; /* 0 where they were not recorded */
} Route;

typedef struct
{
  SlRoutingLab *s;
  size_t        at;             /* the token, among those that are looked at */
  unsigned      layer[ROWS];    /* those shown */
  unsigned      layers, rows;   /* with this token; shown */
  unsigned      band;           /* experts of a cell */
  bool          ranked, gates;  /* the first expert is, or may be, the strongest; gate values too */
  unsigned      routings, bars; /* of all layers; the most of one, at most BARS */
  Route         route[ROWS];
  size_t        near[TOKENS + 1]; /* (n_near) tokens of the line, rising */
  unsigned      n_near;
  double        most; /* the largest load of the layer, or gate value of the line */
  SlAliveWriter w;
} Picture;

/* Sorts by falling gate, of equal ones in their order, and leaves empty slots out. */
static void
take_route (unsigned k, const uint16_t *ids, const float *gates, Route *route)
{
  route->n = 0;
  for (unsigned i = 0; i < k; i++)
    {
      float    gate = gates != NULL && isfinite (gates[i]) ? gates[i] : 0.0F;
      unsigned at;

      if (ids[i] == SL_ROUTING_NONE)
        continue;
      for (at = route->n++; at > 0 && gates != NULL && route->gate[at - 1] < gate; at--)
        {
          route->id[at] = route->id[at - 1];
          route->gate[at] = route->gate[at - 1];
        }
      route->id[at] = ids[i];
      route->gate[at] = gate;
    }
}

/* Where the token goes in a layer that has it. */
static bool
read_route (Picture *v, unsigned layer, Route *route)
{
  uint16_t ids[SL_ROUTING_SLOTS];
  float    gates[SL_ROUTING_SLOTS];
  bool     has_gates = v->s->recording->layer[layer].gates != NULL;

  if (!sl_probe_ok (v->w.probe,
                    sl_routing_read_token (v->s, layer, v->at, ids, has_gates ? gates : NULL)))
    return false;
  take_route (v->s->k, ids, has_gates ? gates : NULL, route);
  return true;
}

/* The layers with the token, every so many-th of them but always the chosen one. */
static bool
read_layers (Picture *v)
{
  const SlRoutingLab *s = v->s;
  unsigned            chosen = 0, every, number = 0;
  Route               route;

  for (unsigned l = 0; l < s->layers; l++)
    {
      chosen = l == s->layer ? v->layers : chosen;
      v->layers += sl_routing_aligned (s, l);
    }
  every = (v->layers + ROWS - 1) / ROWS;
  for (unsigned l = 0; l < s->layers; l++)
    {
      if (!sl_routing_aligned (s, l))
        continue;
      if (!read_route (v, l, &route))
        return false;
      v->routings += route.n;
      v->bars = route.n > v->bars ? route.n : v->bars;
      v->gates |= s->recording->layer[l].gates != NULL;
      if (number++ % every == chosen % every)
        {
          v->layer[v->rows] = l;
          v->route[v->rows++] = route;
        }
    }
  v->bars = v->bars < BARS ? v->bars : BARS;
  v->ranked = v->gates || s->recording->order != SL_ROUTING_ASCENDING;
  return true;
}

/* ---- tokens ---- */

/* Its place among all tokens of the chosen layer. */
static size_t
place_of (const SlRoutingLab *s, size_t token)
{
  return sl_routing_place (s->recording, s->layer, sl_is_on (&s->base, P_WARM_UP),
                           s->token != NULL ? s->token[token] : token);
}

/* The number of the request of a token, or SL_ROUTING_NO_REQUEST where none was recorded. */
static uint32_t
request_of (const SlRoutingLab *s, size_t token)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];

  return layer->request == NULL ? SL_ROUTING_NO_REQUEST : layer->request[place_of (s, token)];
}

/* The word of a token, or NULL where none was recorded. */
static const char *
word_of (const SlRoutingLab *s, size_t token)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  uint32_t word = layer->token != NULL ? layer->token[place_of (s, token)] : SL_ROUTING_NO_WORD;

  return word != SL_ROUTING_NO_WORD ? s->recording->word[word] : NULL;
}

/* Tokens of the same request, those before it in their order. */
static void
find_tokens (Picture *v)
{
  const SlRoutingLab *s = v->s;
  uint32_t            request = request_of (s, v->at);
  size_t              before[TOKENS / 2];
  unsigned            n = 0;

  for (size_t i = 1; i <= v->at && i <= FAR && n < TOKENS / 2; i++)
    if (request_of (s, v->at - i) == request)
      before[n++] = v->at - i;
  for (unsigned i = n; i-- > 0;)
    v->near[v->n_near++] = before[i];
  v->near[v->n_near++] = v->at;
  for (size_t i = v->at + 1; i < s->routes.tokens && i - v->at <= FAR && n < TOKENS; i++)
    if (request_of (s, i) == request)
      {
        v->near[v->n_near++] = i;
        n++;
      }
}

static Route
chosen_route (const SlRoutingLab *s, size_t token)
{
  Route route;

  take_route (s->k, s->ids + token * s->k, s->gates != NULL ? s->gates + token * s->k : NULL,
              &route);
  return route;
}

static unsigned
tint_of (const SlRoutingLab *s)
{
  unsigned tint = (unsigned) sl_value_of (&s->base, P_TINT);

  return tint == TINT_GATE && s->gates == NULL ? TINT_EXPERT : tint;
}

/* What the strength of a token's tint shows. */
static double
strength_of (const SlRoutingLab *s, const Route *route)
{
  return route->n == 0              ? 0.0
         : tint_of (s) == TINT_LOAD ? (double) s->load[route->id[0]]
                                    : (double) route->gate[0];
}

static void
find_most (Picture *v)
{
  const SlRoutingLab *s = v->s;

  for (unsigned i = 0; tint_of (s) == TINT_LOAD && i < s->n; i++)
    v->most = fmax (v->most, (double) s->load[i]);
  for (unsigned i = 0; tint_of (s) == TINT_GATE && i < v->n_near; i++)
    {
      Route route = chosen_route (s, v->near[i]);

      v->most = fmax (v->most, strength_of (s, &route));
    }
}

static void
add_token (Picture *v, size_t token)
{
  const SlRoutingLab *s = v->s;
  Route               route = chosen_route (s, token);
  const char         *word = word_of (s, token);
  int                 by = (int) token - (int) v->at;
  char                number[24];

  snprintf (number, sizeof number, "%zu", token + 1);
  if (word == NULL) /* among words a number would be taken for one */
    word = s->recording->layer[s->layer].token != NULL ? "∅" : number;
  if (tint_of (s) == TINT_EXPERT || route.n == 0)
    sl_alive_token (&v->w, word, route.n > 0 ? route.id[0] + 1U : 0, by);
  else
    sl_alive_shaded (&v->w, word, SLOT + 1, strength_of (s, &route) / fmax (v->most, 1e-9), by);
}

static void
add_tokens (Picture *v)
{
  find_tokens (v);
  find_most (v);
  for (unsigned i = 0; i < v->n_near; i++)
    add_token (v, v->near[i]);
}

/* "token 17 “ cat”, request 2" */
static void
name_token (Picture *v)
{
  uint32_t    request = request_of (v->s, v->at);
  const char *word = word_of (v->s, v->at);
  char        shown[SL_TEXT_SHOWN];
  SlMessage   name = word == NULL
                       ? sl_message ("token %zu", v->at + 1)
                       : sl_message ("token %zu “%s”", v->at + 1, sl_text_shown (word, shown));

  if (request != SL_ROUTING_NO_REQUEST)
    sl_message_add (&name, ", request %u", request + 1);
  sl_alive_line (&v->w, name, 1U << SL_ALIVE_USED | 1U << SL_ALIVE_SKIPPED);
}

/* ---- layers ---- */

/* The strongest expert of a route in a band of them, or none: then the first of the band. */
static unsigned
find_in_band (const Picture *v, const Route *route, unsigned band, bool *used, bool *strongest)
{
  for (unsigned i = 0; i < route->n; i++)
    if (route->id[i] / v->band == band)
      {
        *used = true;
        *strongest = v->ranked && i == 0;
        return route->id[i];
      }
  *used = *strongest = false;
  return band * v->band;
}

static void
add_way (Picture *v)
{
  const SlRoutingLab *s = v->s;
  unsigned            columns = (s->n + v->band - 1) / v->band, tints = 0;

  while (v->layer[tints] != s->layer)
    tints++;
  sl_alive_grid (&v->w, SL_ALIVE_WAY, s->n, columns, tints,
                 sl_message ("experts 0 to %u of each layer", s->n - 1));
  for (unsigned row = 0; row < v->rows; row++)
    for (unsigned band = 0; band < columns; band++)
      {
        bool     used, strongest;
        unsigned expert = find_in_band (v, &v->route[row], band, &used, &strongest);

        sl_alive_cell (&v->w, used ? SL_ALIVE_USED : SL_ALIVE_SKIPPED, used, strongest, expert);
      }
}

/* The largest gate values of each layer, in parts of their sum where that is more than 1. */
static void
add_gates (Picture *v)
{
  sl_alive_grid (&v->w, SL_ALIVE_BARS, v->s->n, v->bars, SLOT, sl_message ("gates"));
  for (unsigned row = 0; row < v->rows; row++)
    {
      const Route *route = &v->route[row];
      double       sum = 0.0;

      for (unsigned i = 0; i < route->n; i++)
        sum += (double) route->gate[i];
      for (unsigned i = 0; i < v->bars; i++)
        sl_alive_cell (&v->w, i < route->n ? SL_ALIVE_USED : SL_ALIVE_SKIPPED,
                       i < route->n ? (double) route->gate[i] / fmax (sum, 1.0) : 0.0, 0.0,
                       i < route->n ? route->id[i] : 0);
    }
}

/* ---- the picture ---- */

static void
count (Picture *v)
{
  const SlRoutingLab *s = v->s;
  double              share = 100.0 * v->routings / ((double) s->n * v->layers);
  unsigned            row = 0;
  char                name[64], shown[SL_TEXT_SHOWN];

  while (v->layer[row] != s->layer)
    row++;
  if (word_of (s, v->at) != NULL)
    sl_probe_note (v->w.probe, "“%s”: ", sl_text_shown (word_of (s, v->at), shown));
  if (v->layers == 1)
    sl_probe_note (v->w.probe, "%u of %u experts computed: %.3g %% of them.", v->routings, s->n,
                   share);
  else
    sl_probe_note (v->w.probe, "%u of %u experts computed in %u layers: %.3g %% of them.",
                   v->routings, s->n * v->layers, v->layers, share);
  if (!v->ranked || v->route[row].n == 0)
    return;
  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (s->gates != NULL)
    sl_probe_note (v->w.probe, " The strongest in layer %s is expert %u, gate value %.2f.", name,
                   v->route[row].id[0], (double) v->route[row].gate[0]);
  else
    sl_probe_note (v->w.probe, " The first in layer %s is expert %u.", name, v->route[row].id[0]);
}

static void
add_names (Picture *v)
{
  char name[64];

  for (unsigned row = 0; row < v->rows; row++)
    sl_alive_row (
      &v->w, sl_message ("layer %s", sl_routing_layer_name (&v->s->recording->layer[v->layer[row]],
                                                            name, sizeof name)));
}

void
sl_routing_probe_alive (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  Picture       v = { .s = s, .w = { .probe = p } };

  if (!sl_routing_has_tokens (p, s))
    return;
  v.at = sl_alive_turn (p, s->routes.tokens);
  if (!read_layers (&v) || !sl_alive_begin (&v.w, p))
    return;
  while (v.band == 0 || ((s->n + v.band - 1) / v.band + v.bars) * v.rows > SL_ALIVE_CELLS)
    v.band++;
  name_token (&v);
  add_tokens (&v);
  add_names (&v);
  add_way (&v);
  if (v.gates)
    add_gates (&v);
  count (&v);
  sl_alive_end (&v.w);
}
