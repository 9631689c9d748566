/* SPDX-License-Identifier: MIT
 *
 * The words of a recording's tokens: each text once, by number.  Texts are of others.  */
#pragma once

#include "core/data/routing/draft.h"

enum {
  SL_TOKEN_NAME = 512,             /* bytes of a name with its end */
  SL_ROUTING_WORD = 48,            /* bytes of a word with its end; longer ones are cut */
  SL_ROUTING_WORDS = 1 << 20,      /* most of a recording; tokens of more have none */
  SL_ROUTING_VOCABULARY = 1 << 22, /* ids of tokens are below, or have no name */
};

/* The number of a text of `length` bytes, which is made fit to be shown; SL_ROUTING_NO_WORD: it is empty, or there are
 * too many.  SL_ENOMEM.  */
SlStatus sl_routing_words_add (SlRoutingWords *words, const char *text, size_t length,
                               uint32_t *number);
void     sl_routing_words_clear (SlRoutingWords *words);

/* Room for the word of every token, the same in all layers of so many tokens, all without a word.  SL_ENOMEM. */
SlStatus sl_routing_draft_tokens (SlRoutingDraft *draft, size_t tokens);

/* Writes the name of an id into `to` and returns its bytes, which may be any; 0: it has none. */
typedef size_t SlTokenName (const void *vocabulary, uint32_t id, char to[SL_TOKEN_NAME]);

/* Makes words of the ids of tokens that layers have (draft->token_ids), by their names, or else as "#123": how many words
 * there are, and of these how many without a name.  SL_ENOMEM.  */
SlStatus sl_routing_draft_name (SlRoutingDraft *draft, SlTokenName *name, const void *vocabulary,
                                size_t *words, size_t *unnamed);

/* Once layers have moved from the draft: hands the words over, numbered as they first appear, and shares the tokens of
 * layers that have the same.  SL_ENOMEM.  */
SlStatus sl_routing_words_settle (SlRoutingDraft *draft, SlRouting *routing);
