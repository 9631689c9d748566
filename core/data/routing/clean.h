/* SPDX-License-Identifier: MIT
 *
 * The rules for what is no routing, in the order in which they apply; part of
 * sl_routing_finish().  */
#pragma once

#include "core/data/routing/draft.h"

/* Tells experts from what fills empty slots, and leaves out layers without any routing and a shared
 * expert.  Notes say what was left out.  SL_EFORMAT: nothing is left.  */
SlStatus sl_routing_clean (SlRoutingDraft *draft);

/* Settles n, and refuses numbers that are not below it and a number twice in a token.  Puts slots
 * with gates into falling order.  SL_EFORMAT.  */
SlStatus sl_routing_settle (SlRoutingDraft *draft, SlRoutingFrom *from);

/* Leaves rows and layers of counts out that are all zeros.  SL_EFORMAT: nothing is left. */
SlStatus sl_routing_clean_counts (SlRoutingDraft *draft);
