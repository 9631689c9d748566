/* SPDX-License-Identifier: MIT
 *
 * What arrays mean, by their names and shapes: one table of rules, a row for each name in use, with
 * whose it is.  A rule knows no file format.  */
#pragma once

#include "core/data/read/containers/array.h"

/* What an array says about routing. */
typedef enum {
  SL_ROLE_NONE,
  SL_ROLE_IDS,    /* the experts of every token */
  SL_ROLE_SCORES, /* scores of all experts, before any choice */
  SL_ROLE_MASK,   /* which experts are on */
  SL_ROLE_LOADS,  /* how often each expert was chosen */
  SL_ROLE_ANY,    /* one of these four: its type tells */
  SL_ROLE_GATES,  /* of the chosen experts, as many as there are ids */
  SL_ROLE_LAYER,  /* of each row */
  SL_ROLE_EXPERT,
  SL_ROLE_SLOT,
  SL_ROLE_COUNT,
  SL_ROLE_WIDE,    /* one of several columns of a row */
  SL_ROLE_TOKEN,   /* place of the row's token */
  SL_ROLE_WORD,    /* text of the token */
  SL_ROLE_WORD_ID, /* or its number in the model's vocabulary */
  SL_ROLE_PHASE,   /* 1 or a word: decoding */
  SL_ROLE_MODE,    /* 2: decoding */
  SL_ROLE_PASS,
  SL_ROLE_REQUEST,
  SL_ROLE_BLOCK,   /* "decoder", or of multi-token prediction */
  SL_ROLE_MTP,     /* its number */
  SL_ROLE_TOKENS,  /* how many tokens a row of lists has */
  SL_ROLE_NUMBERS, /* the model's numbers of the layers */
  SL_ROLE_EXPERTS, /* how many experts there are */
  SL_ROLE_TOP,     /* how many are chosen */
  SL_ROLE_COPIES,  /* (layers, copies): the expert of each copy */
  SL_ROLE_STEPS,   /* of training, of each row */
  SL_ROLE_TRAINED, /* the load of one expert at each step; its numbers: layer, expert */
  SL_ROLE_BESIDE,  /* known, and of no use here */
} SlRole;

enum {
  SL_RULE_WHOLE = 1,
  SL_RULE_REAL = 2,
  SL_RULE_TRUTH = 4,
  SL_RULE_TEXT = 8,
  SL_RULE_NUMBER = SL_RULE_WHOLE | SL_RULE_REAL,
};

typedef struct
{
  const char *whose; /* the program that writes it, or what people do */
  const char *name;  /* '#': a number, '*': anything; the whole name, or the end of one from
                     * a dot on; after '^' the whole name only */
  unsigned    types; /* SL_RULE_… */
  SlRole      role;
  const char
    *axes; /* how the axes may lie, by rank: l layers, t tokens, k slots, n experts, r rows of
                     * loads, b batch; where there are two of a rank, the numbers must tell.  NULL: a
                     * column or a scalar  */
} SlRule;

extern const SlRule sl_rules[]; /* ended by a name of NULL */

/* The first rule that takes an array, or NULL; `number` gets the numbers that stand in its name, at most two,
 * *n how many.  */
const SlRule *sl_rule_find (const SlArray *array, uint64_t number[2], unsigned *n);

/* Whether a name matches a pattern. */
bool sl_rule_matches (const char *pattern, const char *name, uint64_t number[2], unsigned *n);
