/* SPDX-License-Identifier: MIT */
#include "core/data/routing/logs/requests.h"

#include <stdlib.h>

#include "core/data/set/hash.h"

enum { FIRST_ROOM = 256 };

static size_t
slot_of (const SlRequests *requests, uint64_t hash)
{
  size_t at = (size_t) hash & (requests->room - 1);

  while (requests->hash[at] != 0 && requests->hash[at] != hash)
    at = (at + 1) & (requests->room - 1);
  return at;
}

static SlStatus
grow (SlRequests *requests)
{
  SlRequests larger = *requests;

  larger.room = requests->room > 0 ? 2 * requests->room : FIRST_ROOM;
  larger.hash = calloc (larger.room, sizeof *larger.hash);
  larger.number = calloc (larger.room, sizeof *larger.number);
  if (larger.hash == NULL || larger.number == NULL)
    {
      sl_requests_clear (&larger);
      return sl_status_no_memory ("requests");
    }
  for (size_t i = 0; i < requests->room; i++)
    if (requests->hash[i] != 0)
      {
        size_t at = slot_of (&larger, requests->hash[i]);

        larger.hash[at] = requests->hash[i];
        larger.number[at] = requests->number[i];
      }
  sl_requests_clear (requests);
  *requests = larger;
  return SL_SUCCESS;
}

SlStatus
sl_requests_find (SlRequests *requests, const char *name, size_t n, uint32_t *number)
{
  uint64_t hash = sl_hash (name, n, 0) | 1;
  SlStatus status = SL_SUCCESS;
  size_t   at;

  if (requests->n > 0 && hash == requests->last)
    {
      *number = requests->last_number;
      return SL_SUCCESS;
    }
  if (2 * requests->n >= requests->room)
    status = grow (requests);
  if (!sl_ok (&status))
    return status;
  at = slot_of (requests, hash);
  if (requests->hash[at] == 0)
    {
      requests->hash[at] = hash;
      requests->number[at] = (uint32_t) requests->n++;
    }
  requests->last = hash;
  requests->last_number = *number = requests->number[at];
  return SL_SUCCESS;
}

void
sl_requests_clear (SlRequests *requests)
{
  free (requests->hash);
  free (requests->number);
}
