/* SPDX-License-Identifier: MIT
 *
 * A latest-wins triple buffer: one writer publishes whole values, one reader
 * takes the newest, neither ever waits, nothing is torn.  This keeps only the
 * three indices; the owner keeps three values and uses the index it is given.  */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

typedef struct
{
  _Atomic unsigned middle; /* the index in the middle; bit 2 set when it is news */
  unsigned         back;   /* the writer's index */
  unsigned         front;  /* the reader's index */
} SlLatest;

static inline void
sl_latest_init (SlLatest *latest)
{
  atomic_init (&latest->middle, 1);
  latest->back = 0;
  latest->front = 2;
}

/* Writer: publishes the value at `back` and gets another one to fill. */
static inline void
sl_latest_publish (SlLatest *latest)
{
  unsigned old
    = atomic_exchange_explicit (&latest->middle, latest->back | 4u, memory_order_acq_rel);

  latest->back = old & 3u;
}

/* Reader: true when `front` now is a newer value than before. */
static inline bool
sl_latest_take (SlLatest *latest)
{
  if (!(atomic_load_explicit (&latest->middle, memory_order_relaxed) & 4u))
    return false;
  latest->front
    = atomic_exchange_explicit (&latest->middle, latest->front, memory_order_acq_rel) & 3u;
  return true;
}
