/* SPDX-License-Identifier: MIT */
#include "core/data/routing/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/hash.h"
#include "core/data/text/grow.h"
#include "core/data/text/shown.h"

enum { FIRST_PLACES = 1 << 10 };

void
sl_routing_words_clear (SlRoutingWords *words)
{
  for (uint32_t i = 0; i < words->n; i++)
    free (words->word[i]);
  free (words->word);
  free (words->place);
  *words = (SlRoutingWords) { .word = NULL };
}

/* Where a word is, or may be put. */
static uint32_t *
find_place (const SlRoutingWords *words, const char *word)
{
  size_t at = sl_hash (word, strlen (word), 0) & (words->places - 1);

  while (words->place[at] != SL_ROUTING_NO_WORD
         && strcmp (words->word[words->place[at]], word) != 0)
    at = (at + 1) & (words->places - 1);
  return &words->place[at];
}

/* Twice as many places as words, at least. */
static bool
make_places (SlRoutingWords *words)
{
  size_t    places = words->places > 0 ? 2 * words->places : FIRST_PLACES;
  uint32_t *place;

  if (2 * (size_t) words->n < words->places)
    return true;
  place = malloc (places * sizeof *place);
  if (place == NULL)
    return false;
  free (words->place);
  words->place = place;
  words->places = places;
  memset (place, 0xff, places * sizeof *place);
  for (uint32_t i = 0; i < words->n; i++)
    *find_place (words, words->word[i]) = i;
  return true;
}

SlStatus
sl_routing_words_add (SlRoutingWords *words, const char *text, size_t length, uint32_t *number)
{
  char      word[SL_ROUTING_WORD];
  uint32_t *place;

  *number = SL_ROUTING_NO_WORD;
  if (length == 0)
    return SL_SUCCESS;
  sl_text_signs (text, length, word, sizeof word);
  if (!make_places (words))
    return sl_status_no_memory ("words");
  place = find_place (words, word);
  if (*place == SL_ROUTING_NO_WORD && words->n < SL_ROUTING_WORDS)
    {
      if (!sl_grow (&words->word, &words->room, words->n + 1, sizeof *words->word))
        return sl_status_no_memory ("words");
      words->word[words->n] = strdup (word);
      if (words->word[words->n] == NULL)
        return sl_status_no_memory ("words");
      *place = words->n++;
    }
  *number = *place;
  return SL_SUCCESS;
}

SlStatus
sl_routing_draft_tokens (SlRoutingDraft *draft, size_t tokens)
{
  if (tokens > (SL_ROUTING_BUDGET - draft->used) / sizeof *draft->token)
    return sl_routing_too_large (draft->path);
  draft->token = malloc (tokens * sizeof *draft->token + 1);
  if (draft->token == NULL)
    return sl_status_no_memory (draft->path);
  memset (draft->token, 0xff, tokens * sizeof *draft->token);
  draft->n_tokens = tokens;
  draft->used += tokens * sizeof *draft->token;
  return SL_SUCCESS;
}

/* ---- ids of a vocabulary ---- */

typedef struct
{
  SlRoutingDraft *draft;
  SlTokenName    *name;
  const void     *vocabulary;
  uint32_t *word; /* (SL_ROUTING_VOCABULARY) of each id that was named; 0: not yet, else one more */
  size_t    words, unnamed;
} Naming;

static SlStatus
name_id (Naming *n, uint32_t id, uint32_t *word)
{
  char     text[SL_TOKEN_NAME];
  size_t   length = n->name != NULL ? n->name (n->vocabulary, id, text) : 0;
  uint32_t before = n->draft->words_of.n;
  bool     has = length > 0;
  SlStatus status;

  if (!has)
    length = (size_t) snprintf (text, sizeof text, "#%u", id);
  status = sl_routing_words_add (&n->draft->words_of, text, length, word);
  n->words += n->draft->words_of.n - before;
  n->unnamed += has ? 0 : n->draft->words_of.n - before;
  return status;
}

static SlStatus
name_tokens (Naming *n, uint32_t *token, size_t tokens)
{
  SlStatus status = SL_SUCCESS;

  for (size_t t = 0; token != NULL && t < tokens && sl_ok (&status); t++)
    {
      uint32_t id = token[t];

      if (id == SL_ROUTING_NO_WORD)
        continue;
      if (id >= SL_ROUTING_VOCABULARY)
        status = name_id (n, id, &token[t]);
      else
        {
          if (n->word[id] == 0)
            {
              status = name_id (n, id, &n->word[id]);
              n->word[id]++; /* of no word 0, which is asked for again */
            }
          token[t] = n->word[id] - 1;
        }
    }
  return status;
}

SlStatus
sl_routing_draft_name (SlRoutingDraft *draft, SlTokenName *name, const void *vocabulary,
                       size_t *words, size_t *unnamed)
{
  Naming   n = { .draft = draft, .name = name, .vocabulary = vocabulary };
  SlStatus status = SL_SUCCESS;

  n.word = calloc (SL_ROUTING_VOCABULARY, sizeof *n.word);
  if (n.word == NULL)
    status = sl_status_no_memory (draft->path);
  if (sl_ok (&status))
    status = name_tokens (&n, draft->token, draft->n_tokens);
  for (unsigned l = 0; l < draft->n_layers && sl_ok (&status); l++)
    status = name_tokens (&n, draft->layer[l].token, draft->layer[l].tokens);
  free (n.word);
  draft->token_ids = false;
  *words = n.words;
  *unnamed = n.unnamed;
  return status;
}

/* ---- the whole ---- */

/* The tokens of all layers go to the first layer that has so many. */
static void
place_tokens (SlRoutingDraft *draft, SlRouting *routing)
{
  for (unsigned l = 0; l < routing->n_layers && draft->token != NULL; l++)
    if (routing->layer[l].tokens == draft->n_tokens && routing->group[l] == l
        && routing->layer[l].token == NULL)
      {
        routing->layer[l].token = draft->token;
        draft->token = NULL;
      }
}

static bool
is_same (const SlRoutingLayer *a, const SlRoutingLayer *b)
{
  return a->token != NULL && a->tokens == b->tokens
         && (b->token == NULL || memcmp (a->token, b->token, a->tokens * sizeof *a->token) == 0);
}

static void
share_tokens (SlRouting *routing)
{
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      SlRoutingLayer *layer = &routing->layer[l], *first = &routing->layer[routing->group[l]];

      if (layer == first || !is_same (first, layer))
        continue;
      free ((void *) layer->token);
      layer->token = first->token;
    }
}

static void
drop_tokens (SlRouting *routing)
{
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      free ((void *) routing->layer[l].token);
      routing->layer[l].token = NULL;
    }
}

/* Numbers words as they first appear in a layer; `number` (n) has the new number of each. */
static void
number_words (const SlRoutingWords *words, SlRouting *routing, uint32_t *number, uint32_t *token,
              size_t tokens)
{
  for (size_t t = 0; t < tokens; t++)
    {
      uint32_t was = token[t];

      if (was >= words->n)
        token[t] = SL_ROUTING_NO_WORD;
      else
        {
          if (number[was] == SL_ROUTING_NO_WORD)
            {
              routing->word[routing->n_words] = words->word[was];
              words->word[was] = NULL;
              number[was] = routing->n_words++;
            }
          token[t] = number[was];
        }
    }
}

SlStatus
sl_routing_words_settle (SlRoutingDraft *draft, SlRouting *routing)
{
  SlRoutingWords *words = &draft->words_of;
  uint32_t       *number;

  if (words->n == 0)
    {
      drop_tokens (routing);
      return SL_SUCCESS;
    }
  place_tokens (draft, routing);
  share_tokens (routing);
  number = malloc (words->n * sizeof *number);
  routing->word = malloc (words->n * sizeof *routing->word);
  if (number == NULL || routing->word == NULL)
    {
      free (number);
      return sl_status_no_memory (draft->path);
    }
  memset (number, 0xff, words->n * sizeof *number);
  for (unsigned l = 0; l < routing->n_layers; l++)
    {
      const SlRoutingLayer *layer = &routing->layer[l];

      if (layer->token != NULL
          && (routing->group[l] == l || layer->token != routing->layer[routing->group[l]].token))
        number_words (words, routing, number, (uint32_t *) layer->token, layer->tokens);
    }
  free (number);
  return SL_SUCCESS;
}
