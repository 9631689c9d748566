/* SPDX-License-Identifier: MIT
 *
 * Answers of a server as it sends them, which have the routing of their tokens as text.  */
#pragma once

#include "core/data/routing/draft.h"

/* Whether the first bytes of a file are JSON with "routed_experts". */
bool sl_answers_likely (const char *head);

/* Reads one answer, a list of them, or several behind each other (JSON lines): {"choices":
 * [{"routed_experts": a .npy (tokens, layers, k) in base 64}, …]}.  Each choice is a request.  SL_EFORMAT,
 * SL_EIO, SL_ENOMEM.  */
SlStatus sl_answers_read (SlRoutingDraft *draft, const char *path);
