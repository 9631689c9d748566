/* SPDX-License-Identifier: MIT
 *
 * The experts of one token in one layer, which are few.  */
#pragma once

#include <stdint.h>

/* Sorts them in rising order. */
static inline void
sl_sort_few (uint16_t *expert, unsigned n)
{
  for (unsigned i = 1; i < n; i++)
    {
      uint16_t id = expert[i];
      unsigned at = i;

      for (; at > 0 && expert[at - 1] > id; at--)
        expert[at] = expert[at - 1];
      expert[at] = id;
    }
}
