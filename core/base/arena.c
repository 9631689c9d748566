/* SPDX-License-Identifier: MIT */
#include "core/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALIGNMENT 64

/* Asks the system for large pages where a block is much larger than they are: going through hundreds of
 * megabytes in pages of 4 KiB takes a tenth more time.  Where it has none, nothing happens.  */
static void
ask_for_large_pages (void *start, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const uintptr_t large = (uintptr_t) 2 << 20, worth = 32 * large;
  uintptr_t from = ((uintptr_t) start + large - 1) / large * large, end = (uintptr_t) start + bytes;

  if (bytes >= worth)
    (void) madvise ((void *) from, (end - from) / large * large, MADV_HUGEPAGE);
#else
  (void) start;
  (void) bytes;
#endif
}

SlStatus
sl_arena_init (SlArena *arena, size_t bytes)
{
  size_t capacity = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  *arena = (SlArena) { .capacity = capacity };
  if (capacity > 0)
    {
      /* calloc leaves the pages of a large block untouched until they are written: room for the
       * largest batch costs nothing while batches are small.  */
      arena->start = calloc (1, capacity + ALIGNMENT);
      if (arena->start == NULL)
        {
          arena->capacity = 0;
          return sl_status_new (
            SL_ENOMEM, "memory",
            sl_message ("%.1f MiB could not be allocated", (double) bytes / 1048576.0),
            SL_NO_MESSAGE);
        }
      ask_for_large_pages (arena->start, capacity);
      arena->block
        = (unsigned char *) (((uintptr_t) arena->start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }
  return SL_SUCCESS;
}

void
sl_arena_clear (SlArena *arena)
{
  free (arena->start);
  *arena = (SlArena) { 0 };
}

void *
sl_arena_carve (SlArena *arena, size_t count, size_t size)
{
  size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void  *slice = NULL;

  if (arena->block != NULL)
    {
      assert (arena->used + bytes <= arena->capacity);
      slice = arena->block + arena->used;
    }
  arena->used += bytes;
  return slice;
}
