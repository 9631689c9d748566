/* SPDX-License-Identifier: MIT */
#include "core/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#define ALIGNMENT 64

SlStatus
sl_arena_init (SlArena *arena, size_t bytes)
{
  size_t capacity = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  *arena = (SlArena) { .capacity = capacity };
  if (capacity > 0)
    {
      /* calloc leaves the pages of a large block untouched until somebody writes: room for
       * the largest batch costs nothing while batches are small.  */
      arena->start = calloc (1, capacity + ALIGNMENT);
      if (arena->start == NULL)
        {
          arena->capacity = 0;
          return sl_status_new (
            SL_ENOMEM, "memory",
            sl_message ("%.1f MiB could not be allocated", (double) bytes / 1048576.0),
            SL_NO_MESSAGE);
        }
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
