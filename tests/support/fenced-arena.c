/* SPDX-License-Identifier: MIT
 *
 * core/base/arena.h for tests, to be linked in place of core/base/arena.c: behind each slice is a
 * page without access, so a program that reads or writes one element too far ends there, sanitizer
 * or not.  Slices are aligned as their elements are, not to 64 bytes, for the last one ends where
 * the page begins.  What they hold at first is 0, as there; a slice that is carved again keeps what
 * it held.  */
#include "core/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* The pages of a slice, without the one behind them. */
static size_t
pages_of (size_t bytes)
{
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

SlStatus
sl_arena_init (SlArena *arena, size_t bytes)
{
  size_t capacity = pages_of (bytes);
  void  *start;

  *arena = (SlArena) { 0 };
  if (bytes == 0)
    return SL_SUCCESS;
  start = mmap (NULL, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return sl_status_no_memory ("memory");
  *arena = (SlArena) { .start = start, .block = start, .capacity = capacity };
  return SL_SUCCESS;
}

void
sl_arena_clear (SlArena *arena)
{
  if (arena->start != NULL)
    munmap (arena->start, arena->capacity);
  *arena = (SlArena) { 0 };
}

void *
sl_arena_carve (SlArena *arena, size_t count, size_t size)
{
  size_t         bytes = count * size, pages = pages_of (bytes);
  unsigned char *slice = NULL;

  if (arena->block != NULL)
    {
      unsigned char *first = arena->block + arena->used;
      int            failed;

      assert (arena->used + pages + PAGE <= arena->capacity);
      failed = mprotect (first, pages, PROT_READ | PROT_WRITE)
               | mprotect (first + pages, PAGE, PROT_NONE);
      assert (failed == 0);
      (void) failed;
      slice = first + pages - bytes;
    }
  arena->used += pages + PAGE;
  return slice;
}
