/* SPDX-License-Identifier: MIT
 *
 * Recordings as text: a token, or a step and layer, a line.  */
#pragma once

#include "core/data/routing/draft.h"

/* Reads JSON lines into a draft, of which options and path are set: {"token_idx", "layer",
 * "topk_ids", …} or {"step", "layer", "top_indices", …}.  A last line that is cut off is left out.
 * SL_EFORMAT with the line; SL_EIO; SL_ENOMEM.  */
SlStatus sl_routing_read_jsonl (SlRoutingDraft *draft, const char *path);

/* Reads a table with a column of layers, or of two columns without a heading: layer, expert. */
SlStatus sl_routing_read_table (SlRoutingDraft *draft, const char *path);

/* Whether the first bytes of a file are JSON lines of routing, or a table of it with a heading. */
bool sl_routing_jsonl_likely (const char *head);
bool sl_routing_table_likely (const char *head);
