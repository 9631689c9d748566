/* SPDX-License-Identifier: MIT */
#include "core/data/text/grow.h"

#include <stdlib.h>
#include <string.h>

bool
sl_grow_more (void *list, size_t *room, size_t n, size_t size)
{
  size_t more = n < 8 ? 16 : n + n / 2;
  void  *block;

  memcpy (&block, list, sizeof block);
  block = reallocarray (block, more, size);
  if (block == NULL)
    return false;
  memcpy (list, &block, sizeof block);
  *room = more;
  return true;
}
