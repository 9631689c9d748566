/* SPDX-License-Identifier: MIT
 *
 * Recordings of several ranks in one folder: of Megatron-LM router_trace_rank*.jsonl,
 * whose passes follow each other by step and rank, or mcore_ep_loads_rank*.npz, whose loads are added,
 * as each rank counts its own tokens over all experts.  */
#pragma once

#include "core/data/routing/draft.h"

/* Reads one rank's file into an empty draft. */
typedef SlStatus SlRankRead (SlRoutingDraft *draft, const char *path);

/* Whether a folder has such files. */
bool sl_ranks_likely (const char *folder);

/* Reads and joins them; two ranks of the same content are one.  SL_EFORMAT: shapes that differ, with
 * both files; SL_EIO; SL_ENOMEM.  */
SlStatus sl_ranks_read (SlRoutingDraft *draft, const char *folder, SlRankRead *read);
