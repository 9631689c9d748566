/* SPDX-License-Identifier: MIT
 *
 * The inside of a line that chooses runs: its words (token.c), and what they come to.  */
#pragma once

#include "core/run/query/field.h"
#include "core/run/query/query.h"

typedef enum {
  SL_TOKEN_END,
  SL_TOKEN_WORD, /* a name, a number, a value, a word of the grammar */
  SL_TOKEN_QUOTED,
  SL_TOKEN_SIGN,
  SL_TOKEN_OPEN,
  SL_TOKEN_CLOSE,
  SL_TOKEN_WRONG, /* a quote that does not end, or a sign that is none */
} SlTokenKind;

typedef enum {
  SL_SIGN_SAME,
  SL_SIGN_OTHER,
  SL_SIGN_BELOW,
  SL_SIGN_MOST,
  SL_SIGN_ABOVE,
  SL_SIGN_LEAST,
  SL_SIGN_CONTAINS,
  SL_SIGN_HAS, /* the name without a sign */
} SlSign;

typedef struct
{
  SlTokenKind kind;
  SlSign      sign;
  const char *from; /* in the line; of a quoted text its first letter */
  size_t      n;    /* bytes, without quotes */
  const char *next; /* behind it */
} SlToken;

/* The word that begins at or behind `at`. */
SlToken sl_token_read (const char *at);

/* Whether it is this word of the grammar, in capitals or not. */
gboolean sl_token_is (const SlToken *token, const char *word);
