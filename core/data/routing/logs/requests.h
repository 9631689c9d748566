/* SPDX-License-Identifier: MIT
 *
 * Numbers for the names of requests, in order of appearance.  */
#pragma once

#include "core/base/status.h"

typedef struct
{
  uint64_t *hash;   /* (room) of the name, 0: empty */
  uint32_t *number; /* (room) */
  size_t    room, n;
  uint64_t  last; /* the name found last, and its number */
  uint32_t  last_number;
} SlRequests;

/* The number of a name; zeros are a valid empty table.  Names are told apart by 64-bit fingerprints.
 * SL_ENOMEM.  */
SlStatus sl_requests_find (SlRequests *requests, const char *name, size_t n, uint32_t *number);
void     sl_requests_clear (SlRequests *requests);
