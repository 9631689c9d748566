/* SPDX-License-Identifier: MIT */
#include "core/data/routing/warm-up.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/few.h"
#include "core/data/text/grow.h"

enum { RUN_LEAST = 64, BLOCK_NUMBERS = 1 << 16 };

static const double run_chance = 1e-6;

/* A run that is long enough, and its route. */
typedef struct
{
  size_t    first, tokens;
  size_t    like;  /* tokens with the same route */
  uint16_t *route; /* sorted */
  size_t    size;  /* of it, in bytes */
} Candidate;

typedef struct
{
  const SlRouteRows *routes;
  uint16_t          *block, *row, *before; /* rows as read; one sorted, and the one before it */
  size_t             block_tokens;
  uint64_t           sum;   /* of `before`, which tells most routes apart */
  size_t             first; /* where the run of `before` begins */
  Candidate         *found;
  size_t             n, room;
  size_t             rest;  /* tokens in no run, */
  bool               other; /* and some of them went to an expert */
} Search;

typedef SlStatus Visit (Search *search, size_t token, const uint16_t *row);

/* The row with the experts of each layer in rising order. */
static void
sort_row (const SlRouteRows *routes, const uint16_t *from, uint16_t *to)
{
  memcpy (to, from, routes->slots * sizeof *to);
  for (unsigned s = 0; s < routes->slots; s += routes->k)
    sl_sort_few (to + s, routes->k);
}

static SlStatus
visit_all (Search *search, Visit *visit)
{
  const SlRouteRows *routes = search->routes;
  SlStatus           status = SL_SUCCESS;

  for (size_t first = 0; first < routes->tokens && sl_ok (&status); first += search->block_tokens)
    {
      size_t left = routes->tokens - first;
      size_t n = left < search->block_tokens ? left : search->block_tokens;

      status = routes->read (routes->of, first, n, search->block);
      for (size_t t = 0; t < n && sl_ok (&status); t++)
        status = visit (search, first + t, search->block + t * routes->slots);
    }
  return status;
}

static bool
has_expert (const Search *search, const uint16_t *row)
{
  for (unsigned s = 0; s < search->routes->slots; s++)
    if (row[s] != SL_ROUTING_NONE)
      return true;
  return false;
}

/* Keeps the run of `before`, which ends at `end`, if it is long enough. */
static SlStatus
end_run (Search *search, size_t end)
{
  size_t size = search->routes->slots * sizeof (uint16_t);
  size_t tokens = end - search->first;
  Candidate *new;

  if (tokens < RUN_LEAST)
    {
      search->rest += tokens;
      search->other = search->other || has_expert (search, search->before);
      return SL_SUCCESS;
    }
  if (!sl_grow (&search->found, &search->room, search->n + 1, sizeof *search->found))
    return sl_status_no_memory ("warm-up");
  new = &search->found[search->n];
  *new = (Candidate) {
    .first = search->first, .tokens = tokens, .route = malloc (size), .size = size
  };
  if (new->route == NULL)
    return sl_status_no_memory ("warm-up");
  search->n++;
  memcpy (new->route, search->before, size);
  return SL_SUCCESS;
}

static uint64_t
sum_of (const uint16_t *row, unsigned n)
{
  uint64_t sum = 0;

  for (unsigned s = 0; s < n; s++)
    sum += row[s];
  return sum;
}

static SlStatus
follow_run (Search *search, size_t token, const uint16_t *row)
{
  unsigned  slots = search->routes->slots;
  uint64_t  sum = sum_of (row, slots);
  uint16_t *swap = search->row;
  SlStatus  status = SL_SUCCESS;

  sort_row (search->routes, row, search->row);
  if (token > 0 && sum == search->sum
      && memcmp (search->row, search->before, slots * sizeof *row) == 0)
    return SL_SUCCESS;
  if (token > 0)
    status = end_run (search, token);
  search->first = token;
  search->sum = sum;
  search->row = search->before;
  search->before = swap;
  return status;
}

static int
by_route (const void *a, const void *b)
{
  const Candidate *x = a, *y = b;

  return memcmp (x->route, y->route, x->size);
}

static int
by_place (const void *a, const void *b)
{
  const Candidate *x = a, *y = b;

  return (x->first > y->first) - (x->first < y->first);
}

/* Counts a token for one of the candidates with its route. */
static SlStatus
count_like (Search *search, size_t token, const uint16_t *row)
{
  Candidate  wanted = { .route = search->row, .size = search->routes->slots * sizeof *row };
  Candidate *found;

  (void) token;
  sort_row (search->routes, row, search->row);
  found = bsearch (&wanted, search->found, search->n, sizeof wanted, by_route);
  if (found != NULL)
    found->like++;
  return SL_SUCCESS;
}

/* Tokens that are like those of a route's candidates but in no run, for each of these. */
static void
share_counts (Search *search)
{
  for (size_t i = 0, end; i < search->n; i = end)
    {
      size_t like = 0;

      for (end = i; end < search->n && by_route (&search->found[i], &search->found[end]) == 0;
           end++)
        like += search->found[end].like - search->found[end].tokens;
      for (size_t j = i; j < end; j++)
        search->found[j].like = like;
    }
}

static bool
is_warm_up (const Search *search, const Candidate *run)
{
  double q = (1.0 + (double) run->like) / (1.0 + (double) search->rest);

  return log ((double) search->routes->tokens) + (double) run->tokens * log (q) < log (run_chance);
}

static SlStatus
keep_runs (Search *search, SlRoutingRun **runs, size_t *n, size_t *tokens)
{
  qsort (search->found, search->n, sizeof *search->found, by_place);
  *runs = malloc ((search->n + 1) * sizeof **runs);
  if (*runs == NULL)
    return sl_status_no_memory ("warm-up");
  for (size_t i = 0; i < search->n; i++)
    if (is_warm_up (search, &search->found[i]))
      {
        (*runs)[(*n)++]
          = (SlRoutingRun) { .first = search->found[i].first, .tokens = search->found[i].tokens };
        *tokens += search->found[i].tokens;
      }
  return SL_SUCCESS;
}

static SlStatus
search_runs (Search *search, SlRoutingRun **runs, size_t *n, size_t *tokens)
{
  SlStatus status = visit_all (search, follow_run);

  if (sl_ok (&status))
    status = end_run (search, search->routes->tokens);
  /* Where no token would be left that went to an expert, the runs are all there is: they are kept. */
  if (!sl_ok (&status) || search->n == 0 || !search->other)
    return status;
  qsort (search->found, search->n, sizeof *search->found, by_route);
  status = visit_all (search, count_like);
  if (!sl_ok (&status))
    return status;
  share_counts (search);
  return keep_runs (search, runs, n, tokens);
}

SlStatus
sl_warm_up_find (const SlRouteRows *routes, const char *subject, SlRoutingRun **runs, size_t *n,
                 size_t *tokens)
{
  size_t   slots = routes->slots, block = BLOCK_NUMBERS / slots + 1;
  Search   search = { .routes = routes, .block_tokens = block };
  SlStatus status = SL_SUCCESS;

  *runs = NULL;
  *n = *tokens = 0;
  if (routes->tokens < RUN_LEAST)
    return SL_SUCCESS;
  search.block = malloc ((block + 2) * slots * sizeof (uint16_t));
  if (search.block == NULL)
    return sl_status_no_memory (subject);
  search.row = search.block + block * slots;
  search.before = search.row + slots;
  status = search_runs (&search, runs, n, tokens);
  for (size_t i = 0; i < search.n; i++)
    free (search.found[i].route);
  free (search.found);
  free (search.block);
  return status;
}
