/* SPDX-License-Identifier: MIT
 *
 * Loads on their way into a draft.  */
#pragma once

#include "core/data/read/recording/private.h"

/* Whole numbers up to 2^48 or shares: all are looked at first, then put. */
typedef struct
{
  SlRoutingDraft *draft;
  bool            shares;
  double          most, scale;
} SlLoads;

/* False: it is no load. */
bool sl_loads_look (SlLoads *loads, double value);

/* Makes room for the layers, rows and experts of the draft.  SL_ENOMEM. */
SlStatus sl_loads_begin (SlLoads *loads);

/* Adds to what was put there before; returns whether that was more than 0. */
bool sl_loads_put (SlLoads *loads, unsigned layer, size_t row, uint64_t expert, double value);

/* Notes what shares do not tell. */
void sl_loads_note (SlRoutingDraft *draft);
