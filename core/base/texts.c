/* SPDX-License-Identifier: MIT */
#include "core/base/texts.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Filled from the front and never emptied, so that a thread that has a number reads without a
 * lock.  */
static _Atomic (char *) kept[SL_TEXTS_MAX];

/* The number of the same text, or 0; *end gets the first free place. */
static unsigned
find (const char *text, unsigned *end)
{
  for (*end = 0; *end < SL_TEXTS_MAX; (*end)++)
    {
      const char *other = atomic_load (&kept[*end]);

      if (other == NULL)
        return 0;
      if (strcmp (other, text) == 0)
        return *end + 1;
    }
  return 0;
}

unsigned
sl_text_keep (const char *text)
{
  unsigned end, number = find (text, &end);
  char    *own = number == 0 && strlen (text) < SL_TEXT_BYTES ? strdup (text) : NULL;

  while (own != NULL && number == 0 && end < SL_TEXTS_MAX)
    {
      char *expected = NULL;

      if (atomic_compare_exchange_strong (&kept[end], &expected, own))
        return end + 1;
      number = find (text, &end); /* another thread was faster */
    }
  free (own);
  return number;
}

const char *
sl_text_of (unsigned number)
{
  return number >= 1 && number <= SL_TEXTS_MAX ? atomic_load (&kept[number - 1]) : NULL;
}

/* FNV-1a. */
static uint32_t
hash_of (const char *text)
{
  uint32_t hash = 2166136261u;

  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char) *text) * 16777619u;
  return hash;
}

const char *
sl_text_name (unsigned number, char name[SL_TEXT_NAME])
{
  const char *text = sl_text_of (number);

  if (text == NULL)
    return strcpy (name, "none");
  snprintf (name, SL_TEXT_NAME, "#%08x", (unsigned) hash_of (text));
  return name;
}

unsigned
sl_text_named (const char *name)
{
  char other[SL_TEXT_NAME];

  for (unsigned number = 1; sl_text_of (number) != NULL; number++)
    if (strcmp (sl_text_name (number, other), name) == 0)
      return number;
  return 0;
}
