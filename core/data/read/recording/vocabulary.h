/* SPDX-License-Identifier: MIT
 *
 * The names of a vocabulary's tokens, of Hugging Face's tokenizer.json: `model.vocab`, an object of ids or a list of
 * [name, score], and `added_tokens`.  Nothing else in it is interpreted.  */
#pragma once

#include "core/base/status.h"
#include "core/data/routing/words.h"

typedef struct
{
  uint32_t at, length; /* in `text`, as JSON has it; 0: no name */
  bool     added;      /* its name is its text */
} SlVocabularyName;

typedef struct
{
  uint8_t          *text; /* the document */
  size_t            size;
  SlVocabularyName *name; /* (n) by id */
  size_t            n, room;
  size_t            named;
  size_t of_bytes, of_blanks; /* names that begin with the "Ġ" or the "▁" of a blank */
} SlVocabulary;

/* To be cleared also after a failure.  SL_EIO, SL_EFORMAT at the byte, SL_ENOMEM. */
SlStatus sl_vocabulary_read (SlVocabulary *vocabulary, const char *path);
void     sl_vocabulary_clear (SlVocabulary *vocabulary);

/* A SlTokenName: the text of a token, where names are of bytes as GPT-2 writes them or have "▁" for a
 * blank.  */
size_t sl_vocabulary_name (const void *vocabulary, uint32_t id, char to[SL_TOKEN_NAME]);
