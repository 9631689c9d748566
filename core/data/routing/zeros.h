/* SPDX-License-Identifier: MIT
 *
 * Experts that compute nothing: numbers from that on which the person says for experts=.  Part of
 * sl_routing_finish().  */
#pragma once

#include "core/data/routing/draft.h"

/* Empties slots with a number from draft->experts on, and tells each token how many they were.  SL_ENOMEM. */
SlStatus sl_routing_empty_zeros (SlRoutingDraft *draft);

/* The same of counts, which have more columns than experts are said; whether there were any. */
bool sl_routing_fold_zeros (SlRoutingDraft *draft);

/* Adds up the routings of each layer to them, and says how many there are of all. */
void sl_routing_note_zeros (SlRoutingDraft *draft);
