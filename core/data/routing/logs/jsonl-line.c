/* SPDX-License-Identifier: MIT */
#include "core/data/routing/logs/jsonl-line.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/routing/logs/scan.h"

typedef bool ReadMember (SlJsonlLine *line, SlScan *scan);

static bool
grow (void **block, size_t *room, size_t size)
{
  size_t larger = *room > 0 ? 2 * *room : 256;
  void *new = realloc (*block, larger * size);

  if (new == NULL)
    return false;
  *block = new;
  *room = larger;
  return true;
}

/* A list of at most SL_ROUTING_SLOTS numbers, behind those there are. */
static bool
read_row (SlJsonlLine *line, SlScan *scan)
{
  unsigned n = 0;

  if (!sl_scan_take (scan, '['))
    return false;
  for (; !sl_scan_take (scan, ']'); n++)
    {
      if (n == SL_ROUTING_SLOTS || (n > 0 && !sl_scan_take (scan, ',')))
        return false;
      if (line->n_ids == line->ids_room
          && !grow ((void **) &line->ids, &line->ids_room, sizeof *line->ids))
        return false;
      if (!sl_scan_whole (scan, &line->ids[line->n_ids]))
        return false;
      line->n_ids++;
    }
  if (line->rows == line->rows_room && !grow ((void **) &line->row, &line->rows_room, 1))
    return false;
  line->row[line->rows++] = (uint8_t) n;
  return true;
}

static bool
read_topk (SlJsonlLine *line, SlScan *scan)
{
  bool again = line->topk || line->steps;

  line->topk = true;
  return !again && read_row (line, scan);
}

static bool
read_steps (SlJsonlLine *line, SlScan *scan)
{
  bool again = line->topk || line->steps;

  line->steps = true;
  if (again || !sl_scan_take (scan, '['))
    return false;
  for (bool first = true; !sl_scan_take (scan, ']'); first = false)
    if ((!first && !sl_scan_take (scan, ',')) || !read_row (line, scan))
      return false;
  return true;
}

static bool
read_gates (SlJsonlLine *line, SlScan *scan)
{
  unsigned n = 0;

  if (!sl_scan_take (scan, '['))
    return false;
  for (; !sl_scan_take (scan, ']'); n++)
    if (n == SL_ROUTING_SLOTS || (n > 0 && !sl_scan_take (scan, ','))
        || !sl_scan_real (scan, &line->gate[n]))
      return false;
  line->n_gates = n;
  line->has_gates = true;
  return true;
}

static bool
read_layer (SlJsonlLine *line, SlScan *scan)
{
  line->has_layer = sl_scan_whole (scan, &line->layer);
  return line->has_layer;
}

static bool
read_token (SlJsonlLine *line, SlScan *scan)
{
  line->has_token = sl_scan_whole (scan, &line->token);
  return line->has_token;
}

static bool
read_step (SlJsonlLine *line, SlScan *scan)
{
  return sl_scan_whole (scan, &line->step) || sl_scan_skip (scan);
}

static bool
read_mtp (SlJsonlLine *line, SlScan *scan)
{
  return sl_scan_whole (scan, &line->mtp) || sl_scan_skip (scan);
}

static bool
read_said (SlJsonlLine *line, SlScan *scan)
{
  return sl_scan_whole (scan, &line->said_tokens) || sl_scan_skip (scan);
}

static bool
read_top_k (SlJsonlLine *line, SlScan *scan)
{
  return sl_scan_whole (scan, &line->top_k) || sl_scan_skip (scan);
}

static bool
read_experts (SlJsonlLine *line, SlScan *scan)
{
  return sl_scan_whole (scan, &line->experts) || sl_scan_skip (scan);
}

static bool
read_block (SlJsonlLine *line, SlScan *scan)
{
  const char *text;
  size_t      n;

  if (!sl_scan_text (scan, &text, &n))
    return sl_scan_skip (scan);
  line->is_mtp = n != 7 || memcmp (text, "decoder", 7) != 0;
  return true;
}

/* A text, or a number as it is written. */
static bool
read_request (SlJsonlLine *line, SlScan *scan)
{
  if (sl_scan_text (scan, &line->request, &line->request_n))
    return true;
  line->request = scan->at;
  if (!sl_scan_skip (scan))
    return false;
  line->request_n = (size_t) (scan->at - line->request);
  return true;
}

static const struct
{
  const char *key;
  ReadMember *read;
  const char *expected;
} members[] = {
  { "topk_ids", read_topk, SL_MARK ("a list of at most 64 expert numbers (topk_ids)") },
  { "top_indices", read_steps, SL_MARK ("lists of at most 64 expert numbers (top_indices)") },
  { "topk_weights", read_gates, SL_MARK ("a list of at most 64 numbers (topk_weights)") },
  { "layer", read_layer, SL_MARK ("a whole number (layer)") },
  { "token_idx", read_token, SL_MARK ("a whole number (token_idx)") },
  { "req_id", read_request, SL_MARK ("a text (req_id)") },
  { "step", read_step, SL_MARK ("a whole number (step)") },
  { "num_tokens", read_said, SL_MARK ("a whole number (num_tokens)") },
  { "block", read_block, SL_MARK ("a text (block)") },
  { "mtp_idx", read_mtp, SL_MARK ("a whole number (mtp_idx)") },
  { "top_k", read_top_k, SL_MARK ("a whole number (top_k)") },
  { "num_experts", read_experts, SL_MARK ("a whole number (num_experts)") },
  { "n_experts", read_experts, SL_MARK ("a whole number (n_experts)") },
};

static bool
read_member (SlJsonlLine *line, SlScan *scan, const char *key, size_t n, const char **expected)
{
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (strncmp (members[i].key, key, n) == 0 && members[i].key[n] == '\0')
      {
        *expected = members[i].expected;
        return members[i].read (line, scan);
      }
  *expected = SL_MARK ("a value");
  return sl_scan_skip (scan);
}

static void
forget (SlJsonlLine *line)
{
  line->topk = line->steps = line->has_layer = line->has_token = line->has_gates = line->is_mtp
    = false;
  line->top_k = line->experts = line->mtp = line->step = 0;
  line->said_tokens = -1;
  line->request = NULL;
  line->n_gates = 0;
  line->n_ids = line->rows = 0;
}

/* What a line of either kind needs. */
static bool
is_whole (const SlJsonlLine *line, const char **expected)
{
  *expected = !line->has_layer && (line->topk || line->steps) ? SL_MARK ("a layer")
              : line->topk && !line->has_token                ? SL_MARK ("a token_idx")
              : line->topk && line->has_gates && line->n_gates != line->row[0]
                ? SL_MARK ("as many topk_weights as topk_ids")
                : NULL;
  return *expected == NULL;
}

bool
sl_jsonl_line_read (SlJsonlLine *line, const char *text, const char **at, const char **expected)
{
  SlScan      scan = { text };
  bool        first = true, ended = false;
  const char *key;
  size_t      n;

  forget (line);
  *expected = SL_MARK ("an object in each line");
  if (sl_scan_take (&scan, '{'))
    {
      *expected = SL_MARK ("a member of the object, or its end");
      while (sl_scan_member (&scan, &first, &ended, &key, &n))
        {
          if (!read_member (line, &scan, key, n, expected))
            break;
          *expected = SL_MARK ("a member of the object, or its end");
        }
    }
  *at = scan.at;
  if (!ended)
    return false;
  *expected = SL_MARK ("the end of the line");
  if (!sl_scan_end (&scan))
    return false;
  return is_whole (line, expected);
}

void
sl_jsonl_line_clear (SlJsonlLine *line)
{
  free (line->ids);
  free (line->row);
}
