/* SPDX-License-Identifier: MIT
 *
 * Texts of NumPy: '<U' has four bytes for each letter and is padded with zeros; see npy-header.h.  */
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"

enum { TEXT_MAX = 256, TEXTS_MAX = 1 << 16 };

typedef struct
{
  uint32_t *slot; /* (slots) 1 + the code of a text, 0: free */
  uint32_t  slots;
} Index;

/* One text as UTF-8, cut to TEXT_MAX bytes with its end. */
static void
read_text (const SlArray *array, const uint8_t *from, char to[TEXT_MAX])
{
  size_t used = 0;

  for (unsigned i = 0; i < array->size && used + 5 < TEXT_MAX; i += 4)
    {
      uint64_t letter = array->big ? sl_big_endian (from + i, 4) : sl_little_endian (from + i, 4);

      if (letter == 0)
        break;
      if (letter < 0x20 || letter == 0x7f || letter > 0x10ffff
          || (letter >= 0xd800 && letter < 0xe000))
        letter = '?';
      used += sl_utf8_write ((uint32_t) letter, to + used);
    }
  to[used] = '\0';
}

static uint32_t
hash_of (const char *text)
{
  uint32_t hash = 2166136261u;

  for (; *text != '\0'; text++)
    hash = (hash ^ (uint8_t) *text) * 16777619u;
  return hash;
}

/* The code of a text, a new one where it is new; SL_NO_TEXT: no memory or too many. */
static uint32_t
code_of (SlArray *array, Index *index, const char *text)
{
  uint32_t at = hash_of (text) & (index->slots - 1);

  for (; index->slot[at] != 0; at = (at + 1) & (index->slots - 1))
    if (strcmp (array->text[index->slot[at] - 1], text) == 0)
      return index->slot[at] - 1;
  if (array->n_texts == TEXTS_MAX)
    return SL_NO_TEXT;
  array->text[array->n_texts] = strdup (text);
  if (array->text[array->n_texts] == NULL)
    return SL_NO_TEXT;
  index->slot[at] = ++array->n_texts;
  return array->n_texts - 1;
}

/* Codes for all texts, in place of what `raw` has. */
static bool
find_codes (SlArray *array, const SlArray *raw)
{
  uint32_t most = array->n < TEXTS_MAX ? (uint32_t) array->n : TEXTS_MAX;
  Index    index = { calloc (2 * TEXTS_MAX, sizeof *index.slot), 2 * TEXTS_MAX };
  bool     all = index.slot != NULL;
  char     text[TEXT_MAX];

  array->text = calloc (most + 1, sizeof *array->text);
  all = all && array->text != NULL;
  for (uint64_t i = 0; i < array->n && all; i++)
    {
      uint32_t code;

      read_text (raw, raw->bytes + i * raw->size, text);
      code = code_of (array, &index, text);
      all = code != SL_NO_TEXT;
      memcpy (array->bytes + i * sizeof code, &code, sizeof code);
    }
  free (index.slot);
  return all;
}

static void
forget_raw (SlArrays *arrays, const SlArray *raw)
{
  if (!raw->owned)
    return;
  arrays->used -= raw->n * raw->size;
  free (raw->bytes);
}

SlStatus
sl_npy_texts (SlArrays *arrays, SlArray *array)
{
  SlArray  raw = *array;
  SlStatus status;

  if (raw.n * raw.size > SL_NPY_TEXTS_MAX)
    {
      array->type = SL_ARRAY_OTHER;
      array->bytes = NULL; /* which were not its own */
      return SL_SUCCESS;
    }
  status = sl_array_load (arrays, &raw);
  if (!sl_ok (&status))
    return status;
  array->size = sizeof (uint32_t);
  array->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  array->strided = false;
  array->packed = 0;
  status = sl_array_reserve (arrays, array);
  if (sl_ok (&status) && !find_codes (array, &raw))
    array->type = SL_ARRAY_OTHER;
  forget_raw (arrays, &raw);
  return status;
}

bool
sl_npy_float8 (const SlArray *array)
{
  return array->type == SL_ARRAY_OTHER && array->size == 1;
}
