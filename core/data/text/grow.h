/* SPDX-License-Identifier: MIT
 *
 * Lists that grow while they are read.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `n` items of `size` bytes in a block of *room: `list` is the address of the pointer to it, NULL at
 * first.  False, with all as it was, where there is no memory.  */
bool sl_grow (void *list, size_t *room, size_t n, size_t size);
