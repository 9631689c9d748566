/* SPDX-License-Identifier: MIT
 *
 * One line of a JSONL recording, taken apart; see text.h.  */
#pragma once

#include "core/data/routing/draft.h"

typedef struct
{
  bool        topk, steps; /* which of the two it is; neither: about the recording */
  bool        has_layer, has_token, has_gates, is_mtp;
  int64_t     layer, token, step, mtp;
  int64_t     said_tokens;    /* num_tokens, or -1 */
  int64_t     top_k, experts; /* or 0 */
  const char *request;        /* (request_n) as written, or NULL; inside of the line */
  size_t      request_n;

  float    gate[SL_ROUTING_SLOTS]; /* topk_weights */
  unsigned n_gates;

  int64_t *ids; /* of one token, or of all behind each other */
  size_t   n_ids, ids_room;
  uint8_t *row; /* (rows) experts of each */
  size_t   rows, rows_room;
} SlJsonlLine;

/* Takes a line apart that ends with a zero byte; memory of `line` is used again.  *expected says what is
 * missing at *at where it returns false; NULL: memory.  */
bool sl_jsonl_line_read (SlJsonlLine *line, const char *text, const char **at,
                         const char **expected);

void sl_jsonl_line_clear (SlJsonlLine *line);
