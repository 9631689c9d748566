/* SPDX-License-Identifier: MIT */
#include "core/base/words.h"

#include <string.h>

enum { LONGEST = 64 };

unsigned
sl_word_distance (const char *a, const char *b)
{
  unsigned row[LONGEST + 1], n = (unsigned) strnlen (b, LONGEST);

  for (unsigned j = 0; j <= n; j++)
    row[j] = j;
  for (unsigned i = 1; *a != '\0'; a++, i++)
    {
      unsigned diagonal = row[0];

      row[0] = i;
      for (unsigned j = 1; j <= n; j++)
        {
          unsigned cost = diagonal + (*a != b[j - 1]);

          diagonal = row[j];
          if (row[j] + 1 < cost)
            cost = row[j] + 1;
          if (row[j - 1] + 1 < cost)
            cost = row[j - 1] + 1;
          row[j] = cost;
        }
    }
  return row[n];
}
