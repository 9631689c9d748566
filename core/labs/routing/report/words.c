/* SPDX-License-Identifier: MIT
 *
 * Which words are typical of an expert.  */
#include "core/labs/routing/math/typical.h"
#include "core/labs/routing/report/tokens.h"
#include "core/labs/routing/report/trace.h"

enum { NAME = 64, MOST_WORDS = 20 };

/* Words of the tokens that count (T); free with g_free(). */
static uint32_t *
words_of (const SlRouting *r, unsigned layer, gboolean warm_up)
{
  size_t    tokens = sl_routing_tokens (r, layer, warm_up);
  uint32_t *word = g_new (uint32_t, tokens + 1);

  for (size_t t = 0; t < tokens; t++)
    word[t] = r->layer[layer].token[sl_routing_place (r, layer, warm_up, t)];
  return word;
}

static void
add_word (SlJsonWriter *w, const SlRouting *r, const SlTypicalWord *word)
{
  sl_json_open (w, NULL, '[', SL_JSON_PACKED);
  sl_json_add_text (w, NULL, r->word[word->word]);
  sl_json_add_whole (w, NULL, word->both);
  sl_json_add_whole (w, NULL, word->count);
  sl_json_add_number (w, NULL, word->expected);
  sl_json_add_number (w, NULL, word->lift);
  sl_json_add_number (w, NULL, word->ratio);
  sl_json_close (w);
}

static SlStatus
add_expert (SlJsonWriter *w, const SlRouting *r, unsigned expert, const SlRoutes *routes,
            const uint32_t *word, const SlWordCounts *counts)
{
  SlTypicalWord typical[MOST_WORDS];
  unsigned      n = 0;
  SlStatus      status = sl_typical_words (routes, word, counts, expert, MOST_WORDS, typical, &n);
  char          name[NAME];

  if (n == 0)
    return status;
  g_snprintf (name, sizeof name, "%u", expert);
  sl_json_open (w, name, '[', SL_JSON_ROWS);
  for (unsigned i = 0; i < n; i++)
    add_word (w, r, &typical[i]);
  sl_json_close (w);
  return status;
}

static SlStatus
add_layer (SlJsonWriter *w, const SlRouting *r, unsigned layer, const SlRoutes *routes,
           const uint32_t *word)
{
  SlWordCounts counts;
  SlStatus     status = sl_typical_count (routes->tokens, word, r->n_words, &counts);
  char         name[NAME];

  if (sl_ok (&status) && counts.tokens > 0)
    {
      sl_json_open (w, sl_routing_layer_name (&r->layer[layer], name, NAME), '{', SL_JSON_LINES);
      sl_json_add_whole (w, "tokens", counts.tokens);
      sl_json_add_whole (w, "different", counts.different);
      sl_json_add_number (w, "bound", counts.bound);
      sl_json_open (w, "expert", '{', SL_JSON_LINES);
      for (unsigned e = 0; e < r->experts && sl_ok (&status); e++)
        status = add_expert (w, r, e, routes, word, &counts);
      sl_json_close (w);
      sl_json_close (w);
    }
  sl_typical_clear (&counts);
  return status;
}

SlStatus
sl_trace_write_words (SlJsonWriter *w, const char *key, const SlRouting *recording,
                      gboolean warm_up)
{
  const SlRouting *r = recording;
  SlStatus         status = SL_SUCCESS;

  sl_json_open (w, key, '{', SL_JSON_LINES);
  for (unsigned l = 0; l < r->n_layers && sl_ok (&status); l++)
    {
      g_autofree uint32_t *word = r->layer[l].token != NULL ? words_of (r, l, warm_up) : NULL;
      SlTraceTokens        tokens;

      if (word == NULL)
        continue;
      status = sl_trace_tokens_read (r, l, warm_up, &tokens);
      if (sl_ok (&status))
        status = add_layer (w, r, l, &tokens.routes, word);
      sl_trace_tokens_clear (&tokens);
    }
  sl_json_close (w);
  return status;
}
