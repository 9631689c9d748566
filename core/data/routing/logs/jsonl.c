/* SPDX-License-Identifier: MIT
 *
 * JSON lines of recorded routing, as users of vLLM log it: a line is one token in one layer, or
 * one step in one layer; see text.h.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/routing/logs/jsonl-line.h"
#include "core/data/routing/logs/lines.h"
#include "core/data/routing/logs/requests.h"
#include "core/data/routing/logs/text.h"
#include "core/data/text/text.h"

typedef struct
{
  SlRoutingDraft *draft;
  SlLines         lines;
  SlJsonlLine     line;
  SlRequests      requests;
  unsigned        layer;                   /* of the line before */
  int64_t         last[SL_ROUTING_LAYERS]; /* token_idx of each layer's last token */
  int64_t         top_k;
  bool            begun; /* some token was read: it is settled what is kept of each */
} Reader;

static SlStatus
refuse (const Reader *r, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, sl_bytes_path (r->lines.bytes), SL_LINE, r->lines.number, found,
                       expected);
}

static SlStatus
refuse_text (const Reader *r, const char *at, const char *expected)
{
  char shown[64];

  if (expected == NULL)
    return sl_status_no_memory (sl_bytes_path (r->lines.bytes));
  return refuse (r,
                 *at == '\0'
                   ? sl_message ("the end of the line")
                   : sl_message_verbatim (sl_text_quote (at, strlen (at), shown, sizeof shown)),
                 sl_message_word (expected));
}

static SlStatus
note_meta (Reader *r)
{
  const SlJsonlLine *line = &r->line;

  if (line->experts < 0 || line->experts > SL_ROUTING_EXPERTS)
    return refuse (r, sl_message ("%lld experts", (long long) line->experts),
                   sl_message ("at most %d", SL_ROUTING_EXPERTS));
  if (line->top_k < 0 || line->top_k > SL_ROUTING_SLOTS)
    return refuse (r, sl_message ("top_k %lld", (long long) line->top_k),
                   sl_message ("at most %d", SL_ROUTING_SLOTS));
  if (line->experts > 0)
    r->draft->experts = (unsigned) line->experts;
  if (line->top_k > 0)
    r->top_k = line->top_k;
  return SL_SUCCESS;
}

/* The layer of the line; lines of one follow each other mostly. */
static SlStatus
find_layer (Reader *r, bool *new)
{
  const SlJsonlLine   *line = &r->line;
  int                  mtp = line->is_mtp ? (int) line->mtp : -1;
  unsigned             before = r->draft->n_layers;
  SlRoutingDraftLayer *layer;
  SlStatus             status;

  *new = false;
  if (line->layer < 0 || line->layer > INT32_MAX || line->mtp < 0 || line->mtp > INT16_MAX)
    return refuse (r, sl_message ("layer %lld", (long long) line->layer),
                   sl_message ("the number of a layer"));
  if (r->layer < before && r->draft->layer[r->layer].number == line->layer
      && r->draft->layer[r->layer].mtp == mtp)
    return SL_SUCCESS;
  status = sl_routing_draft_layer (r->draft, (int) line->layer, mtp, &layer);
  if (!sl_ok (&status))
    return status;
  r->layer = (unsigned) (layer - r->draft->layer);
  *new = r->draft->n_layers > before;
  return SL_SUCCESS;
}

/* What the first token has, all are taken to have. */
static void
begin (Reader *r)
{
  if (r->begun)
    return;
  r->begun = true;
  r->draft->gates = r->line.has_gates;
  r->draft->requests = r->line.request != NULL;
}

static SlStatus
put_token (Reader *r, bool new)
{
  const SlJsonlLine   *line = &r->line;
  SlRoutingDraftLayer *layer = &r->draft->layer[r->layer];
  SlStatus             status
    = sl_routing_draft_token (r->draft, layer, line->ids, line->has_gates ? line->gate : NULL,
                              line->row[0], new || line->token <= r->last[r->layer]);

  r->last[r->layer] = line->token;
  if (sl_ok (&status) && r->draft->requests && line->request != NULL)
    status = sl_requests_find (&r->requests, line->request, line->request_n,
                               &layer->request[layer->tokens - 1]);
  return status;
}

static SlStatus
put_pass (Reader *r)
{
  const SlJsonlLine   *line = &r->line;
  SlRoutingDraftLayer *layer = &r->draft->layer[r->layer];
  const int64_t       *ids = line->ids;
  SlStatus             status = SL_SUCCESS;

  if (line->said_tokens >= 0 && (size_t) line->said_tokens != line->rows)
    return refuse (r, sl_message ("%zu tokens", line->rows),
                   sl_message ("%lld (num_tokens)", (long long) line->said_tokens));
  for (size_t i = 0; i < line->rows && sl_ok (&status); ids += line->row[i++])
    status = sl_routing_draft_token (r->draft, layer, ids, NULL, line->row[i], i == 0);
  return status;
}

static SlStatus
put_line (Reader *r)
{
  bool new = false;
  SlStatus status = SL_SUCCESS;

  if (!r->line.topk && !r->line.steps)
    return note_meta (r);
  if (r->line.steps && r->line.rows == 0)
    return SL_SUCCESS;
  begin (r);
  status = find_layer (r, &new);
  if (!sl_ok (&status))
    return status;
  return r->line.topk ? put_token (r, new) : put_pass (r);
}

static bool
is_blank (const char *text)
{
  return text[strspn (text, " \t\r")] == '\0';
}

/* *done: there are no more lines. */
static SlStatus
next_line (Reader *r, bool *done)
{
  char       *text;
  const char *at, *expected;
  size_t      n;
  SlStatus    status = sl_lines_next (&r->lines, &text, &n);

  *done = text == NULL;
  if (!sl_ok (&status) || *done)
    return status;
  if (n >= 3 && r->lines.number == 1 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    text += 3;
  if (is_blank (text))
    {
      r->line.topk = r->line.steps = false;
      r->line.top_k = r->line.experts = 0;
      return SL_SUCCESS;
    }
  if (sl_jsonl_line_read (&r->line, text, &at, &expected))
    return SL_SUCCESS;
  if (r->lines.complete || r->lines.number == 1)
    return refuse_text (r, at, expected);
  *done = true;
  sl_routing_draft_note (r->draft, sl_message ("the last line is cut off: left out"));
  return SL_SUCCESS;
}

/* A row longer than what the recording says of itself. */
static SlStatus
refuse_long (const SlRoutingDraft *draft, unsigned top_k)
{
  for (unsigned l = 0; l < draft->n_layers; l++)
    for (size_t t = 0; t < draft->layer[l].tokens; t++)
      for (unsigned s = draft->k; s-- > top_k;)
        if (draft->layer[l].ids[t * draft->k + s] != SL_RAW_NONE)
          return sl_routing_draft_fail (draft, &draft->layer[l], t,
                                        sl_message ("%u experts", s + 1),
                                        sl_message ("at most %u (top_k)", top_k));
  return SL_SUCCESS;
}

static SlStatus
finish (Reader *r)
{
  SlRoutingDraft *draft = r->draft;

  if (draft->n_layers == 0)
    return sl_status_new (SL_EFORMAT, draft->path,
                          sl_message ("no line with topk_ids or top_indices"),
                          sl_message ("a token, or a step and layer, a line"));
  sl_routing_draft_sort (draft);
  if (r->top_k > 0 && draft->k > r->top_k)
    return refuse_long (draft, (unsigned) r->top_k);
  return r->top_k > 0 ? sl_routing_draft_slots (draft, (unsigned) r->top_k) : SL_SUCCESS;
}

SlStatus
sl_routing_read_jsonl (SlRoutingDraft *draft, const char *path)
{
  Reader  *r = calloc (1, sizeof *r);
  bool     done = false;
  SlStatus status;

  if (r == NULL)
    return sl_status_no_memory (path);
  r->draft = draft;
  status = sl_lines_open (&r->lines, path);
  while (sl_ok (&status))
    {
      status = next_line (r, &done);
      if (done || !sl_ok (&status))
        break;
      status = put_line (r);
    }
  if (sl_ok (&status))
    status = finish (r);
  sl_lines_close (&r->lines);
  sl_jsonl_line_clear (&r->line);
  sl_requests_clear (&r->requests);
  free (r);
  return status;
}

bool
sl_routing_jsonl_likely (const char *head)
{
  return head[strspn (head, " \t\r\n")] == '{'
         && (strstr (head, "\"topk_ids\"") != NULL || strstr (head, "\"top_indices\"") != NULL);
}
