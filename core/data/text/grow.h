/* SPDX-License-Identifier: MIT
 *
 * Lists that grow while they are read.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes it. */
bool sl_grow_more (void *list, size_t *room, size_t n, size_t size);

/* Makes room for `n` items of `size` bytes in a block of *room: `list` is the address of the pointer to it, NULL at
 * first.  False, with all as it was, where there is no memory.  */
static inline bool
sl_grow (void *list, size_t *room, size_t n, size_t size)
{
  return n <= *room || sl_grow_more (list, room, n, size);
}
