/* SPDX-License-Identifier: MIT
 *
 * A bounded queue between exactly one producer thread and one consumer thread,
 * without locks.  Elements are copied by value and have one fixed size.
 * Indices run freely and wrap at 2^64; acquire and release order make an
 * element visible before its index.  */
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/status.h"

typedef struct
{
  unsigned char *slots;
  size_t         element;             /* bytes of one element */
  uint64_t       capacity;            /* elements, a power of two */
  alignas (64) _Atomic uint64_t head; /* next to write; the producer's */
  alignas (64) _Atomic uint64_t tail; /* next to read; the consumer's */
} SlSpsc;

/* Room for at least `capacity` elements of `element` bytes.  SL_ENOMEM. */
SlStatus sl_spsc_init (SlSpsc *ring, size_t capacity, size_t element);
void     sl_spsc_clear (SlSpsc *ring);

/* Producer only.  False when full: nothing was written. */
static inline bool
sl_spsc_push (SlSpsc *ring, const void *element)
{
  uint64_t head = atomic_load_explicit (&ring->head, memory_order_relaxed);
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_acquire);

  if (head - tail == ring->capacity)
    return false;
  memcpy (ring->slots + (head & (ring->capacity - 1)) * ring->element, element, ring->element);
  atomic_store_explicit (&ring->head, head + 1, memory_order_release);
  return true;
}

/* Consumer only.  False when empty: `element` is untouched. */
static inline bool
sl_spsc_pop (SlSpsc *ring, void *element)
{
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_relaxed);
  uint64_t head = atomic_load_explicit (&ring->head, memory_order_acquire);

  if (head == tail)
    return false;
  memcpy (element, ring->slots + (tail & (ring->capacity - 1)) * ring->element, ring->element);
  atomic_store_explicit (&ring->tail, tail + 1, memory_order_release);
  return true;
}

/* Elements waiting; a snapshot, from either side. */
static inline size_t
sl_spsc_fill (SlSpsc *ring)
{
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_acquire);
  uint64_t head = atomic_load_explicit (&ring->head, memory_order_acquire);

  return (size_t) (head - tail);
}
