/* SPDX-License-Identifier: MIT
 *
 * A recording of routing: which experts the tokens of a model went to, layer by layer, or only how
 * often each expert was chosen.  Immutable once made, so any number of threads may read one.
 *
 * Letters: L layers, T tokens of a layer, n experts, k slots of a token.  Layers may have different
 * tokens.  The numbers of a slot are below n, or all ones: no expert in this slot.  Empty slots may
 * be anywhere in a row.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/message.h"
#include "core/base/status.h"
#include "core/data/set/reading.h"

enum {
  SL_ROUTING_EXPERTS = 4096, /* most of each; files with more are refused */
  SL_ROUTING_SLOTS = 64,
  SL_ROUTING_LAYERS = 512,
  SL_ROUTING_NONE = UINT16_MAX, /* an empty slot, as sl_routing_read() gives it */
};

/* A token of which no request, or no word, was recorded. */
#define SL_ROUTING_NO_REQUEST UINT32_MAX
#define SL_ROUTING_NO_WORD UINT32_MAX

/* What was recorded. */
typedef enum {
  SL_ROUTING_IDS,    /* the experts of every token */
  SL_ROUTING_COUNTS, /* rows of loads, each of one pass or of many */
} SlRoutingKind;

/* What the order of a token's slots says. */
typedef enum {
  SL_ROUTING_RANKED,    /* the strongest expert first */
  SL_ROUTING_ASCENDING, /* rising numbers: nothing is known of the strongest */
  SL_ROUTING_LISTED,    /* as they came: perhaps the strongest first */
} SlRoutingOrder;

/* Where the number of experts is from. */
typedef enum {
  SL_ROUTING_SAID,    /* the option `experts` */
  SL_ROUTING_FILE,    /* the file */
  SL_ROUTING_LARGEST, /* not stated: the largest number + 1 */
} SlRoutingFrom;

/* Consecutive tokens of equal route that chance does not explain: a warm-up or padding. */
typedef struct
{
  size_t first, tokens;
} SlRoutingRun;

typedef struct
{
  int    number; /* of the model's own */
  int    mtp;    /* of multi-token prediction: index of its block, else -1 */
  size_t tokens; /* T; 0 where only counts were recorded */

  /* IDS. */
  const void  *ids;    /* (T, k) numbers of `bytes` bytes each */
  const float *gates;  /* (T, k), 0 in empty slots; or NULL: not recorded */
  const float *scores; /* (T, n) of all experts as recorded, before any softmax; or NULL */
  bool         lent;   /* the scores are a program's, which keeps them as they are */

  const uint32_t *pass;     /* (n_passes) tokens of each forward pass, their sum is T */
  size_t          n_passes; /* at least 1 */
  const uint8_t  *decode;   /* (T) 1: the token was decoded, 0: it is of a prompt; or NULL */
  const uint32_t *request;  /* (T) number of its request in order of appearance, or
                              * SL_ROUTING_NO_REQUEST; or NULL */
  const uint32_t *token;    /* (T) number of its word, or SL_ROUTING_NO_WORD; or NULL: not recorded.
                              * The same block in layers of a group that have the same words  */
  const uint8_t  *zeros;    /* (T) routings of the token to experts that compute nothing, which are
                              * empty slots; or NULL: there are none */
  uint64_t        zero;     /* such routings of the layer, the warm-up's too; also of counts */

  SlRoutingRun *warm_up; /* (n_warm_up) by rising token, the same for all layers of a group */
  size_t        n_warm_up, warm_up_tokens;

  /* COUNTS. */
  const uint64_t *counts; /* (rows, n), or NULL */
} SlRoutingLayer;

typedef struct SlRouting
{
  char     name[96]; /* of the file, or a title */
  uint64_t hash;     /* XXH64 of layer numbers, n, k and ids or counts, layer by layer */

  SlRoutingKind  kind;
  SlRoutingOrder order; /* IDS */
  SlRoutingFrom  experts_from;
  unsigned       experts; /* n */
  unsigned       k;       /* slots of a token; of counts what was said, 0: not known */
  unsigned       bytes;   /* of a number in `ids`: 1 (n <= 255) or 2 */
  size_t         rows;    /* COUNTS: of each layer */
  const double  *step;    /* (rows) COUNTS: of training, rising; or NULL */

  unsigned        n_layers; /* L */
  SlRoutingLayer *layer; /* (L) in the order of the model; those without any routing are left out */
  const unsigned *group; /* (L) layers with the same group have the same tokens; the group is
                             * the index of its first layer */

  char **word; /* (n_words) distinct texts of tokens in order of first appearance, fit to be shown;
                   * NULL: none was recorded */
  uint32_t n_words;
  double   expert_bytes; /* of the weights of one expert; 0: not known */

  bool
    shares; /* COUNTS: the file has shares of tokens, each here times the same large number, so that
                * nothing can be said of chance */

  SlFileReading reading;
} SlRouting;

/* Frees a recording; NULL is fine. */
void sl_routing_free (SlRouting *routing);

/* Tokens of a layer that count: all, or all but the warm-up. */
size_t sl_routing_tokens (const SlRouting *routing, unsigned layer, bool warm_up);

/* Routings of a layer's tokens that count to experts that compute nothing; of counts all of them. */
uint64_t sl_routing_zeros (const SlRouting *routing, unsigned layer, bool warm_up);

/* Copies the routes of `n` tokens from token `first` on into `ids` (n, k), SL_ROUTING_NONE in empty
 * slots, and their gates into `gates` (n, k), unless that is NULL.  Tokens are numbered among those that
 * count.  Allocates nothing; any thread.  Good as long as all ids are in memory, as they are today.  */
SlStatus sl_routing_read (const SlRouting *routing, unsigned layer, bool warm_up, size_t first,
                          size_t n, uint16_t *ids, float *gates);

/* Index among all tokens of the token that is `token` among those that count. */
size_t sl_routing_place (const SlRouting *routing, unsigned layer, bool warm_up, size_t token);

/* "8", or "mtp 0 layer 1".  Returns `text`. */
const char *sl_routing_layer_name (const SlRoutingLayer *layer, char *text, size_t size);
