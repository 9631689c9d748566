/* SPDX-License-Identifier: MIT
 *
 * The panel of the lab `routing` on words: which are typical of the selected expert, and where else their tokens
 * go.  */
#include <math.h>
#include <stdio.h>

#include "core/labs/routing/math/typical.h"
#include "core/labs/routing/probes.h"

enum { ROWS = 16, NAME = 96 };

/* The words (T) of the tokens that are looked at; NULL: memory ran out. */
static uint32_t *
read_words (SlProbe *p, const SlRoutingLab *s)
{
  const uint32_t *token = s->recording->layer[s->layer].token;
  bool            warm_up = sl_is_on (&s->base, P_WARM_UP);
  uint32_t       *word = sl_probe_room (p, s->routes.tokens + 1, sizeof *word);

  for (size_t t = 0; word != NULL && t < s->routes.tokens; t++)
    {
      word[t] = token[sl_routing_place (s->recording, s->layer, warm_up,
                                        s->token != NULL ? s->token[t] : t)];
      if (word[t] == SL_ROUTING_NO_WORD)
        word[t] = SL_WORD_NONE;
    }
  return word;
}

/* Tokens of a word by expert, ÷ what would go there if the word made no difference. */
static void
add_row (const SlRoutingLab *s, const uint32_t *word, const SlWordCounts *counts,
         const uint64_t *load, const SlTypicalWord *of, double *cells)
{
  double tokens = (double) counts->tokens;

  sl_typical_experts (&s->routes, word, of->word, s->sum);
  for (unsigned e = 0; e < s->n; e++)
    {
      double expected = (double) of->count * (double) load[e] / tokens;

      cells[e] = expected > 0.0 ? (double) s->sum[e] / expected : 0.0;
    }
}

static void
name_word (SlProbe *p, const SlRoutingLab *s, const SlTypicalWord *of)
{
  char name[NAME];

  snprintf (name, sizeof name, "%s  %u/%u", s->recording->word[of->word], of->both, of->count);
  sl_snapshot_row_name (p->snapshot, name);
}

static void
say (SlProbe *p, const SlRoutingLab *s, const SlWordCounts *counts, const SlTypicalWord *typical,
     unsigned n)
{
  unsigned expert = sl_routing_expert (s);
  char     name[64];

  sl_routing_layer_name (&s->recording->layer[s->layer], name, sizeof name);
  if (n == 0)
    sl_probe_note (p,
                   "Layer %s, expert %u: none of %zu words is more typical than chance explains.",
                   name, expert, counts->different);
  else
    sl_probe_note (
      p,
      "Layer %s, expert %u: most typical of %zu words is “%s”, %u of %u tokens, %.1f × "
      "as many as expected.",
      name, expert, counts->different, s->recording->word[typical[0].word], typical[0].both,
      typical[0].count, typical[0].lift);
}

void
sl_routing_probe_words (SlProbe *p)
{
  SlRoutingLab *s = sl_routing_lab (p->state);
  SlTypicalWord typical[ROWS];
  SlWordCounts  counts = { 0 };
  uint32_t     *word;
  uint64_t     *load = sl_probe_room (p, s->n, sizeof *load);
  double       *cells;
  unsigned      n;

  if (!sl_routing_has_tokens (p, s))
    return;
  if (s->recording->layer[s->layer].token == NULL)
    {
      sl_probe_note (p, "The words of this layer's tokens were not recorded.");
      return;
    }
  word = read_words (p, s);
  if (word == NULL || load == NULL
      || !sl_probe_ok (p,
                       sl_typical_count (s->routes.tokens, word, s->recording->n_words, &counts)))
    return;
  if (sl_probe_ok (
        p, sl_typical_words (&s->routes, word, &counts, sl_routing_expert (s), ROWS, typical, &n)))
    {
      say (p, s, &counts, typical, n);
      sl_typical_load (&s->routes, word, &counts, load);
      cells = n > 0 ? sl_probe_matrix (p, 1, n, s->n) : NULL;
      for (unsigned i = 0; cells != NULL && i < n; i++)
        {
          add_row (s, word, &counts, load, &typical[i], cells + (size_t) i * s->n);
          name_word (p, s, &typical[i]);
        }
      sl_routing_number_columns (p, 0.0, s->n);
    }
  sl_typical_clear (&counts);
}
