/* SPDX-License-Identifier: MIT
 *
 * The fingerprint of a recording: XXH64 of layer numbers, n, k and, layer by layer, ids or counts.
 * It does not depend on the type or order that the file has them in.  */
#pragma once

#include "core/data/routing/routing.h"

/* Tokens whose ids are hashed at once. */
enum { SL_ROUTING_HASHED = 4096 };

/* Continues the hash of a layer with the ids of its next SL_ROUTING_HASHED tokens, or at its end with
 * fewer; begins with 0.  */
uint64_t sl_routing_hash_ids (uint64_t hash, const uint16_t *ids, size_t n);

/* The hash of the whole; `layers` (L) are those of the ids, and NULL for counts. */
uint64_t sl_routing_hash (const SlRouting *routing, const uint64_t *layers);
