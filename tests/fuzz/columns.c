/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/columns.h"

#include <string.h>

#include "core/data/text/text.h"
#include "tests/fuzz/input.h"

static void
check_printable (const char *text)
{
  char again[SL_MESSAGE_SIZE * 2];

  sl_text_printable (text, strlen (text), again, sizeof again);
  fuzz_require (strcmp (text, again) == 0);
}

static void
check_texts (const SlArray *array)
{
  for (uint32_t i = 0; i < array->n_texts; i++)
    fuzz_require (sl_utf8_valid (array->text[i], strlen (array->text[i])));
  for (uint64_t i = 0; i < array->n; i++)
    {
      uint32_t code;

      memcpy (&code, array->bytes + i * sizeof code, sizeof code);
      fuzz_require (code == SL_NO_TEXT || code < array->n_texts);
    }
}

static void
check_pieces (const SlArray *array)
{
  uint64_t sum = 0;

  for (size_t i = 0; i < array->pieces; i++)
    {
      sum += array->piece[i];
      fuzz_require (i == 0 || array->record[i] >= array->record[i - 1]);
    }
  fuzz_require (sum == array->shape[0]);
}

static void
check_array (SlArray *array, const char *path)
{
  uint64_t n = 1, bytes;
  double   number;

  check_printable (array->name);
  fuzz_require (array->axes <= SL_ARRAY_AXES); /* none: a number of a note */
  for (unsigned a = 0; a < array->axes; a++)
    n *= array->shape[a];
  fuzz_require (n == array->n && array->missing <= array->n);
  fuzz_require (sl_array_extent (array, &bytes) && array->n == n);
  fuzz_require ((array->type == SL_ARRAY_TEXTS) == (array->n_texts > 0)
                || array->n == array->missing || array->axes > 1);
  if (array->pieces > 0)
    check_pieces (array);
  if (array->type == SL_ARRAY_OTHER)
    return;
  fuzz_require (array->bytes != NULL);
  if (array->type == SL_ARRAY_TEXTS)
    check_texts (array);
  else
    for (uint64_t i = 0; i < array->n; i++)
      fuzz_require (sl_array_reals (array, path, i, 1, &number).code == SL_OK);
}

void
fuzz_columns (SlArrays *arrays, SlStatus status)
{
  char text[1024];

  if (status.code == SL_OK)
    {
      fuzz_require (arrays->columns);
      for (unsigned i = 0; i < arrays->n; i++)
        check_array (&arrays->array[i], arrays->path);
      for (unsigned i = 0; i < arrays->n_notes; i++)
        check_printable (sl_message_show (arrays->note[i].packed, NULL, text, sizeof text));
    }
  else
    check_printable (sl_status_text (&status, text, sizeof text));
  sl_arrays_clear (arrays);
}
