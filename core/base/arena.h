/* SPDX-License-Identifier: MIT
 *
 * One block per run, cut into aligned slices.  A lab first measures (an arena
 * without a block hands out NULL and only counts), then allocates once and cuts
 * again; afterwards a step allocates nothing.  */
#pragma once

#include <stddef.h>

#include "core/base/real.h"
#include "core/base/status.h"

typedef struct
{
  void          *start;    /* as allocated */
  unsigned char *block;    /* aligned; NULL while measuring */
  size_t         used;     /* bytes handed out so far, with padding */
  size_t         capacity; /* bytes of the block */
} SlArena;

/* Allocates a zeroed block of `bytes`; 64-byte aligned.  SL_ENOMEM. */
SlStatus sl_arena_init (SlArena *arena, size_t bytes);

/* Frees the block.  An arena of zeros is fine. */
void sl_arena_clear (SlArena *arena);

/* A slice of `count` elements of `size` bytes, 64-byte aligned; NULL while
 * measuring.  Cutting more than was measured is a caller's bug (assert).  */
void *sl_arena_carve (SlArena *arena, size_t count, size_t size);

/* A slice of `count` numbers. */
static inline sl_real *
sl_arena_reals (SlArena *arena, size_t count)
{
  return sl_arena_carve (arena, count, sizeof (sl_real));
}
