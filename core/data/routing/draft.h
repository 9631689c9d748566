/* SPDX-License-Identifier: MIT
 *
 * A recording while it is read: readers fill it with the numbers of the file, and
 * sl_routing_finish() makes a recording of it.  Letters as in routing.h.  */
#pragma once

#include "core/data/read/containers/container.h"
#include "core/data/routing/routing.h"

/* The most memory that the numbers of a recording may take. */
#define SL_ROUTING_BUDGET ((size_t) 1 << 30)

/* What an array without a name is. */
typedef enum {
  SL_ROUTING_AS_AUTO,
  SL_ROUTING_AS_IDS,
  SL_ROUTING_AS_COUNTS,
  SL_ROUTING_AS_SCORES,
} SlRoutingAs;

/* What the user says about a file; 0 where nothing is said. */
typedef struct
{
  unsigned    experts, k;
  SlRoutingAs as;
  char
    axes[8]; /* how the axes of an array lie, such as "ltk"; see core/data/read/meaning/rules.h */
  unsigned    layers;     /* of numbers without a shape */
  SlTableForm form;       /* of a table */
  size_t      from, most; /* a part: tokens, or rows of counts */
  size_t      decode;     /* passes of at most so many tokens are decoding */
  const char *
    model; /* a folder with the model's tokenizer.json and config.json, or one of these; the caller's, NULL: the
                      * folder of the file */
} SlRoutingOptions;

enum {
  SL_RAW_NONE = UINT16_MAX,    /* no expert in this slot */
  SL_RAW_TOP = UINT16_MAX - 1, /* the largest number of an unsigned type of more than one byte */
};

/* Words by number, and the other way round; see words.h. */
typedef struct
{
  char    **word; /* (n) */
  uint32_t  n;
  size_t    room;
  uint32_t *place; /* (places) numbers by the hash of their words; a power of two */
  size_t    places;
} SlRoutingWords;

typedef struct
{
  int       number, mtp;
  size_t    tokens, room;
  uint16_t *ids;     /* (room, k) as recorded, or SL_RAW_… */
  float    *gates;   /* (room, k) or NULL */
  float    *scores;  /* (room, n), the program's where they are `lent`; or NULL */
  uint8_t  *decode;  /* (room) or NULL */
  uint32_t *request; /* (room) or NULL */
  uint32_t *token;   /* (room) words by number, or ids of a vocabulary; or NULL */
  uint8_t  *zeros;   /* (tokens) routings to experts that compute nothing; or NULL */
  uint64_t  zero;    /* and all of them */
  uint32_t *pass;
  size_t    n_passes, passes_room;
  bool      lent;   /* the scores are */
  uint64_t *counts; /* (rows, n) or NULL */
} SlRoutingDraftLayer;

typedef struct
{
  const char      *path; /* for failures; the caller's */
  SlRoutingOptions options;
  SlRoutingKind    kind;
  unsigned         experts; /* as the file says, or 0 */
  unsigned         k;       /* slots of every row so far */
  unsigned         top; /* what a type without a sign may have for "none": 255, SL_RAW_TOP, or 0 */
  SlRoutingFrom    experts_from; /* of counts: where that number is from */
  size_t           rows;         /* of counts */
  double          *step;         /* (rows) of training, rising; or NULL */
  bool             gates, scores, decode, requests, words; /* layers have these */
  bool             ranked;                                 /* the file numbers its slots */
  bool             mask;                                   /* made of a mask, which has no order */

  bool lists; /* tokens have lists of their own length, or a row for each expert */

  SlRoutingDraftLayer *layer;
  unsigned             n_layers;
  size_t               layers_room;
  size_t               used; /* bytes of everything above */

  bool shares; /* counts are shares, times a large number */

  bool lent; /* it is made of a program's arrays, not of a file */

  SlRoutingWords words_of;
  bool           token_ids; /* tokens have ids of a vocabulary, not yet words */
  uint32_t      *token;     /* (n_tokens) of all layers with so many tokens, or NULL */
  size_t         n_tokens;
  double         expert_bytes;

  SlFileReading reading;
} SlRoutingDraft;

void sl_routing_draft_init (SlRoutingDraft *draft, const char *path,
                            const SlRoutingOptions *options);
void sl_routing_draft_clear (SlRoutingDraft *draft);

/* The layer of this number, made if there is none, behind those there are.  SL_EFORMAT: more than
 * SL_ROUTING_LAYERS; SL_ENOMEM.  */
SlStatus sl_routing_draft_layer (SlRoutingDraft *draft, int number, int mtp,
                                 SlRoutingDraftLayer **layer);

/* Slots of a row from now on, if there are more than before.  SL_EFORMAT: too many; SL_ENOMEM. */
SlStatus sl_routing_draft_slots (SlRoutingDraft *draft, unsigned k);

/* Gives a layer the scores (T, n) of all its tokens, which stay the program's. */
void sl_routing_draft_lend (SlRoutingDraftLayer *layer, const float *scores);

/* Room for `tokens` more of a layer, all without experts.  SL_ENOMEM, also above the budget. */
SlStatus sl_routing_draft_room (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t tokens);

/* Appends a token of at most `k` experts; `gates` is NULL or as long.  A pass begins with it if
 * `begins`.  SL_EFORMAT: a number below -1 or beyond 65533; SL_ENOMEM.  */
SlStatus sl_routing_draft_token (SlRoutingDraft *draft, SlRoutingDraftLayer *layer,
                                 const int64_t *ids, const float *gates, unsigned k, bool begins);

/* Begins a pass of `tokens`, or makes the last one longer. */
SlStatus sl_routing_draft_pass (SlRoutingDraft *draft, SlRoutingDraftLayer *layer, size_t tokens,
                                bool begins);

/* Rows of counts for every layer there is, all zeros; `draft->rows` and `experts` are set.
 * SL_ENOMEM, also above the budget.  */
SlStatus sl_routing_draft_counts (SlRoutingDraft *draft);

/* A failure of the recording at a token of a layer: "layer 4, token 1: found …". */
SlStatus sl_routing_draft_fail (const SlRoutingDraft *draft, const SlRoutingDraftLayer *layer,
                                size_t token, SlMessage found, SlMessage expected);

/* Too much for memory, with the way out. */
SlStatus sl_routing_too_large (const char *path);

/* The largest expert number of all tokens, or 0. */
unsigned sl_routing_draft_largest (const SlRoutingDraft *draft);

/* Drops the last layer. */
void sl_routing_draft_drop (SlRoutingDraft *draft);

/* Sorts layers by number, those of multi-token prediction behind the others. */
void sl_routing_draft_sort (SlRoutingDraft *draft);

/* The group of each layer (SlRouting.group): layers whose passes have the same sizes have the same
 * tokens.  A new block, or NULL when there is no memory.  */
unsigned *sl_routing_draft_groups (const SlRoutingDraft *draft);

/* Applies the rules for what is no routing, settles how many experts there are, finds the warm-up
 * and makes the recording; the draft is empty afterwards, also after a failure.  SL_EFORMAT,
 * SL_ENOMEM.  */
SlStatus sl_routing_finish (SlRoutingDraft *draft, SlRouting **routing);
