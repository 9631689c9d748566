/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on single requests, where the recording says which token is whose.  */
#include <math.h>

#include "core/labs/routing/probes.h"

enum { MOST_REQUESTS = 512 };

/* Loads of the first requests of the chosen layer, all tokens that count. */
typedef struct
{
  unsigned  n;    /* requests */
  uint64_t *load; /* (n, experts) */
  double   *k2;   /* (n) sums of k of a token, squared */
  bool      more; /* there are others */
} Requests;

static unsigned
count_requests (const SlRoutingLayer *layer, bool *more)
{
  uint32_t most = 0;

  for (size_t t = 0; t < layer->tokens; t++)
    if (layer->request[t] != SL_ROUTING_NO_REQUEST && layer->request[t] >= most)
      most = layer->request[t] + 1;
  *more = most > MOST_REQUESTS;
  return *more ? MOST_REQUESTS : most;
}

static void
add_token (const SlRoutingLab *s, Requests *requests, uint32_t request, const uint16_t *ids)
{
  double k = 0.0;

  if (request >= requests->n)
    return;
  for (unsigned i = 0; i < s->k; i++)
    if (ids[i] != SL_ROUTING_NONE)
      {
        requests->load[(size_t) request * s->n + ids[i]]++;
        k++;
      }
  requests->k2[request] += k * k;
}

static bool
add_tokens (SlProbe *p, const SlRoutingLab *s, Requests *requests)
{
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  bool                  warm_up = sl_is_on (&s->base, P_WARM_UP);
  size_t                all = sl_routing_tokens (s->recording, s->layer, warm_up);
  uint16_t              ids[SL_ROUTING_SLOTS];

  for (size_t t = 0; t < all; t++)
    {
      size_t place = sl_routing_place (s->recording, s->layer, warm_up, t);

      if (t % READ_AT_ONCE == 0 && sl_probe_cancelled (p))
        return false;
      if (!sl_probe_ok (p, sl_routing_read (s->recording, s->layer, warm_up, t, 1, ids, NULL)))
        return false;
      add_token (s, requests, layer->request[place], ids);
    }
  return true;
}

/* Requests without a token that counts are left out; returns how many have some. */
static size_t
add_curves (SlProbe *p, const SlRoutingLab *s, const Requests *requests, size_t *uneven)
{
  double *x = sl_probe_room (p, 3 * (size_t) requests->n, sizeof *x);
  size_t  n = 0;

  *uneven = 0;
  for (unsigned i = 0; x != NULL && i < requests->n; i++)
    {
      const uint64_t *load = requests->load + (size_t) i * s->n;
      double          routings = (double) sl_load_sum (s->n, load);
      SlRoutesBalance b;

      if (!(routings > 0.0))
        continue;
      b = sl_load_balance (s->n, load, requests->k2[i] / routings, NULL);
      *uneven += b.cv > b.chance.floor_95;
      x[n] = i + 1.0;
      x[requests->n + n] = b.cv;
      x[2 * requests->n + n++] = b.chance.floor;
    }
  sl_probe_points (p, T_REQUEST_CV, 0, n, x, x + requests->n);
  sl_probe_points (p, T_REQUEST_FLOOR, 0, n, x, x + 2 * requests->n);
  return n;
}

void
sl_routing_probe_requests (SlProbe *p)
{
  SlRoutingLab         *s = sl_routing_lab (p->state);
  const SlRoutingLayer *layer = &s->recording->layer[s->layer];
  Requests              requests = { 0 };
  size_t                n, uneven;

  if (!sl_routing_has_tokens (p, s))
    return;
  if (layer->request == NULL)
    {
      sl_probe_note (p, "The recording does not name the request of each token.");
      return;
    }
  requests.n = count_requests (layer, &requests.more);
  requests.load = sl_probe_room (p, (size_t) requests.n * s->n + 1, sizeof *requests.load);
  requests.k2 = sl_probe_room (p, requests.n + 1, sizeof *requests.k2);
  if (requests.load == NULL || requests.k2 == NULL || !add_tokens (p, s, &requests))
    return;
  n = add_curves (p, s, &requests, &uneven);
  p->snapshot->mark = s->request > 0 ? s->request : NAN;
  if (requests.more)
    sl_probe_note (p, "Of the first %d requests. ", MOST_REQUESTS);
  sl_probe_note (p, "%zu of %zu requests are more uneven than 95 %% of chance.", uneven, n);
}
