/* SPDX-License-Identifier: MIT
 *
 * A recording as a file that every reader of recordings understands.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/data/routing/routing.h"

/* A .npz with all tokens, the warm-up too: topk_ids (tokens, layers, k), or where layers have
 * different tokens (rows, k) with the layer of each row, in which experts that compute nothing have numbers from n on; topk_weights where there are gates, passes,
 * phases, words of tokens, unless they are very many, and how many experts there are; of counts loads (layers, rows, n).  Not compressed.  *bytes is
 * free()d by the caller, NULL after a failure.  SL_EUNSUPPORTED: layers of multi-token prediction, whose
 * numbers such files cannot have; SL_ENOMEM.  */
SlStatus sl_routing_npz (const SlRouting *routing, uint8_t **bytes, size_t *size);
