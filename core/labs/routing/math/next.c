/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/next.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tokens that have an expert in both layers, and what is counted of them. */
typedef struct
{
  const SlRoutes *here, *next;
  uint32_t       *token; /* (tokens) */
  size_t          tokens;
  uint16_t       *x, *y; /* (tokens) first experts */
  uint32_t       *both;  /* (n, n) */
} Pairs;

static void
find_tokens (Pairs *p)
{
  uint16_t a[SL_ROUTES_SLOTS], b[SL_ROUTES_SLOTS];

  for (size_t t = 0; t < p->here->tokens; t++)
    if (sl_routes_row (p->here, t, a) > 0 && sl_routes_row (p->next, t, b) > 0)
      {
        p->token[p->tokens] = (uint32_t) t;
        p->x[p->tokens] = a[0];
        p->y[p->tokens++] = b[0];
      }
}

/* Counts first experts of `tokens` pairs, those of y from `shift` on. */
static void
count_first (Pairs *p, size_t tokens, size_t shift)
{
  size_t n = p->here->n;

  memset (p->both, 0, n * n * sizeof *p->both);
  for (size_t t = 0; t < tokens; t++)
    p->both[p->x[t] * n + p->y[(t + shift) % p->tokens]]++;
}

/* Adds a cell to an entropy and to the number of cells that are not 0. */
static void
add_cell (uint64_t count, double total, double *entropy, double *cells)
{
  if (count > 0)
    {
      *entropy -= (double) count / total * log2 ((double) count / total);
      *cells += 1.0;
    }
}

static SlInformation
measure_information (const Pairs *p)
{
  size_t n = p->here->n;
  double total = (double) p->tokens, fix = 1.0 / (2.0 * total * log (2.0));
  double h_x = 0.0, h_y = 0.0, h_xy = 0.0, m_x = 0.0, m_y = 0.0, m_xy = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      uint64_t row = 0, column = 0;

      for (size_t j = 0; j < n; j++)
        {
          row += p->both[i * n + j];
          column += p->both[j * n + i];
          add_cell (p->both[i * n + j], total, &h_xy, &m_xy);
        }
      add_cell (row, total, &h_x, &m_x);
      add_cell (column, total, &h_y, &m_y);
    }
  return (SlInformation) {
    .plain = h_x + h_y - h_xy,
    .corrected = h_x + h_y - h_xy + (m_x + m_y - m_xy - 1.0) * fix,
    .h_next = h_y + (m_y - 1.0) * fix,
  };
}

/* The column with the largest number, the lower of equal ones; -1 where all are 0. */
static int
best_column (size_t n, const uint32_t *row)
{
  int best = -1;

  for (size_t j = 0; j < n; j++)
    if (row[j] > (best < 0 ? 0 : row[best]))
      best = (int) j;
  return best;
}

/* Learns in the first half which y comes with x, and guesses it in the second. */
static void
guess_first (Pairs *p, SlNextLayer *out)
{
  size_t   n = p->here->n, half = p->tokens / 2, hit = 0, base = 0;
  uint32_t column[SL_ROUTES_EXPERTS] = { 0 };
  int      guess[SL_ROUTES_EXPERTS], always;

  count_first (p, half, 0);
  for (size_t t = 0; t < half; t++)
    column[p->y[t]]++;
  always = best_column (n, column);
  for (size_t i = 0; i < n; i++)
    if ((guess[i] = best_column (n, p->both + i * n)) < 0)
      guess[i] = always;
  for (size_t t = half; t < p->tokens; t++)
    {
      hit += guess[p->x[t]] == p->y[t];
      base += always == p->y[t];
    }
  out->top1 = (double) hit / (double) (p->tokens - half);
  out->top1_always = (double) base / (double) (p->tokens - half);
}

static int
compare_experts (const void *a, const void *b)
{
  return *(const uint16_t *) a - *(const uint16_t *) b;
}

/* Marks the k experts with the largest scores, the lower of equal ones. */
static void
mark_best (size_t n, const double *score, unsigned k, unsigned char *marked)
{
  uint16_t best[SL_ROUTES_SLOTS];
  unsigned held = 0;

  for (size_t e = 0; e < n; e++)
    {
      unsigned at = held;

      if (held == k && score[e] <= score[best[k - 1]])
        continue;
      at = held < k ? held++ : k - 1;
      for (; at > 0 && score[e] > score[best[at - 1]]; at--)
        best[at] = best[at - 1];
      best[at] = (uint16_t) e;
    }
  memset (marked, 0, n);
  for (unsigned i = 0; i < held; i++)
    marked[best[i]] = 1;
}

/* Marks as guessed what the experts of a row tell about the next layer. */
static void
guess_row (const Pairs *p, const uint64_t *times, uint16_t *row, unsigned k, unsigned wanted,
           unsigned char *marked)
{
  size_t n = p->here->n;
  double score[SL_ROUTES_EXPERTS] = { 0 };

  qsort (row, k, sizeof *row, compare_experts);
  for (unsigned i = 0; i < k; i++)
    if (times[row[i]] > 0)
      {
        const uint32_t *both = p->both + row[i] * n;
        double          all = (double) times[row[i]];

        for (size_t j = 0; j < n; j++)
          score[j] += both[j] / all;
      }
  mark_best (n, score, wanted, marked);
}

/* Counts in the first half of the tokens; times (n), always (n): experts by falling load. */
static void
learn_sets (Pairs *p, uint64_t *times, uint16_t *always)
{
  size_t   n = p->here->n;
  uint16_t a[SL_ROUTES_SLOTS], b[SL_ROUTES_SLOTS];
  uint64_t load[SL_ROUTES_EXPERTS] = { 0 };

  memset (p->both, 0, n * n * sizeof *p->both);
  for (size_t q = 0; q < p->tokens / 2; q++)
    {
      unsigned k = sl_routes_row (p->here, p->token[q], a);
      unsigned l = sl_routes_row (p->next, p->token[q], b);

      for (unsigned i = 0; i < k; i++, times[a[i - 1]]++)
        for (unsigned j = 0; j < l; j++)
          p->both[a[i] * n + b[j]]++;
      for (unsigned j = 0; j < l; j++)
        load[b[j]]++;
    }
  sl_load_order ((unsigned) n, load, always);
}

static void
guess_sets (Pairs *p, SlNextLayer *out)
{
  uint64_t      times[SL_ROUTES_EXPERTS] = { 0 }, hit = 0, base = 0, asked = 0, all = 0;
  uint16_t      always[SL_ROUTES_EXPERTS], rank[SL_ROUTES_EXPERTS];
  uint16_t      a[SL_ROUTES_SLOTS], b[SL_ROUTES_SLOTS];
  unsigned char marked[SL_ROUTES_EXPERTS];

  learn_sets (p, times, always);
  for (unsigned i = 0; i < p->here->n; i++)
    rank[always[i]] = (uint16_t) i;
  for (size_t q = 0; q < p->tokens; q++)
    {
      unsigned k = sl_routes_row (p->here, p->token[q], a);
      unsigned l = sl_routes_row (p->next, p->token[q], b);

      all += l;
      if (q < p->tokens / 2)
        continue;
      guess_row (p, times, a, k, l, marked);
      for (unsigned j = 0; j < l; j++)
        {
          hit += marked[b[j]];
          base += rank[b[j]] < l;
        }
      asked += l;
    }
  out->recall = (double) hit / (double) asked;
  out->recall_always = (double) base / (double) asked;
  out->recall_by_chance = (double) all / (double) p->tokens / p->here->n;
}

SlStatus
sl_routes_next (const SlRoutes *here, const SlRoutes *next, bool ranked, SlNextLayer *out)
{
  size_t n = here->n, tokens = here->tokens + 1;
  Pairs  p = {
     .here = here,
     .next = next,
     .token = malloc (tokens * sizeof *p.token),
     .x = malloc (tokens * sizeof *p.x),
     .y = malloc (tokens * sizeof *p.y),
     .both = malloc (n * n * sizeof *p.both),
  };
  SlStatus status = SL_SUCCESS;

  assert (here->tokens == next->tokens && here->n == next->n);
  *out = (SlNextLayer) { .information = { NAN, NAN, NAN },
                         .unrelated = NAN,
                         .top1 = NAN,
                         .top1_always = NAN,
                         .recall = NAN,
                         .recall_always = NAN,
                         .recall_by_chance = NAN };
  if (p.token == NULL || p.x == NULL || p.y == NULL || p.both == NULL)
    status = sl_status_no_memory ("pairs of experts");
  else
    find_tokens (&p);
  out->tokens = p.tokens;
  if (p.tokens >= 4 && ranked)
    {
      count_first (&p, p.tokens, 0);
      out->information = measure_information (&p);
      count_first (&p, p.tokens, p.tokens / 2);
      out->unrelated = measure_information (&p).corrected;
      guess_first (&p, out);
    }
  if (p.tokens >= 4)
    guess_sets (&p, out);
  free (p.token);
  free (p.x);
  free (p.y);
  free (p.both);
  return status;
}
