/* SPDX-License-Identifier: MIT */
#include "core/labs/routing/math/typical.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/routing/math/chance.h"

SlStatus
sl_typical_count (size_t tokens, const uint32_t *word, size_t words, SlWordCounts *counts)
{
  double quantile;

  *counts = (SlWordCounts) { .words = words };
  counts->count = calloc (words + 1, sizeof *counts->count);
  if (counts->count == NULL)
    return sl_status_no_memory ("words");
  for (size_t t = 0; t < tokens; t++)
    if (word[t] < words)
      {
        counts->different += counts->count[word[t]]++ == 0;
        counts->tokens++;
      }
  quantile
    = counts->different > 0 ? sl_normal_quantile (1.0 - 0.05 / (double) counts->different) : 0.0;
  counts->bound = quantile * quantile;
  return SL_SUCCESS;
}

void
sl_typical_clear (SlWordCounts *counts)
{
  free (counts->count);
  *counts = (SlWordCounts) { 0 };
}

static bool
has_expert (const SlRoutes *r, size_t token, unsigned expert)
{
  uint16_t row[SL_ROUTES_SLOTS];

  for (unsigned s = 0, k = sl_routes_row (r, token, row); s < k; s++)
    if (row[s] == expert)
      return true;
  return false;
}

/* x ln (x ÷ expected), 0 for x = 0. */
static double
term (double x, double expected)
{
  return x > 0.0 ? x * log (x / expected) : 0.0;
}

static SlTypicalWord
weigh (const SlWordCounts *counts, uint64_t load, uint32_t word, uint32_t both)
{
  double        c = counts->count[word], n = both;
  SlTypicalWord w = { .word = word, .both = both, .count = counts->count[word] };

  w.expected = c * (double) load / (double) counts->tokens;
  w.lift = n / w.expected;
  if (n > w.expected)
    w.ratio = 2.0 * (term (n, w.expected) + term (c - n, c - w.expected));
  return w;
}

/* Puts a word where it belongs among the first `most`. */
static void
insert (const SlTypicalWord *word, unsigned most, SlTypicalWord *list, unsigned *n)
{
  unsigned at = *n < most ? (*n)++ : most;

  for (; at > 0 && list[at - 1].ratio < word->ratio; at--)
    if (at < most)
      list[at] = list[at - 1];
  if (at < most)
    list[at] = *word;
}

SlStatus
sl_typical_words (const SlRoutes *r, const uint32_t *word, const SlWordCounts *counts,
                  unsigned expert, unsigned most, SlTypicalWord *typical, unsigned *n)
{
  uint32_t *both = calloc (counts->words + 1, sizeof *both);
  uint64_t  load = 0;

  *n = 0;
  if (both == NULL)
    return sl_status_no_memory ("words");
  for (size_t t = 0; t < r->tokens; t++)
    if (word[t] < counts->words && has_expert (r, t, expert))
      {
        both[word[t]]++;
        load++;
      }
  for (uint32_t w = 0; w < counts->words; w++)
    if (both[w] > 0)
      {
        SlTypicalWord each = weigh (counts, load, w, both[w]);

        if (each.ratio > counts->bound)
          insert (&each, most, typical, n);
      }
  free (both);
  return SL_SUCCESS;
}

/* Adds the experts of a token to the loads. */
static void
add_token (const SlRoutes *r, size_t token, uint64_t *load)
{
  uint16_t row[SL_ROUTES_SLOTS];

  for (unsigned s = 0, k = sl_routes_row (r, token, row); s < k; s++)
    load[row[s]]++;
}

void
sl_typical_load (const SlRoutes *r, const uint32_t *word, const SlWordCounts *counts,
                 uint64_t *load)
{
  memset (load, 0, r->n * sizeof *load);
  for (size_t t = 0; t < r->tokens; t++)
    if (word[t] < counts->words)
      add_token (r, t, load);
}

void
sl_typical_experts (const SlRoutes *r, const uint32_t *word, uint32_t of, uint64_t *load)
{
  memset (load, 0, r->n * sizeof *load);
  for (size_t t = 0; t < r->tokens; t++)
    if (word[t] == of)
      add_token (r, t, load);
}
