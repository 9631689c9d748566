/* SPDX-License-Identifier: MIT */
#include "core/base/spsc.h"

#include <assert.h>
#include <stdlib.h>

SlStatus
sl_spsc_init (SlSpsc *ring, size_t capacity, size_t element)
{
  uint64_t rounded = 1;

  assert (capacity > 0 && element > 0);
  while (rounded < capacity)
    rounded *= 2;
  ring->slots = calloc (rounded, element);
  ring->element = element;
  ring->capacity = rounded;
  atomic_init (&ring->head, 0);
  atomic_init (&ring->tail, 0);
  if (ring->slots == NULL)
    return sl_status_no_memory ("queue");
  return SL_SUCCESS;
}

void
sl_spsc_clear (SlSpsc *ring)
{
  free (ring->slots);
  ring->slots = NULL;
}
