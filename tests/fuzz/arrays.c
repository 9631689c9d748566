/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/arrays.h"

#include <math.h>
#include <string.h>

#include "core/data/text/text.h"
#include "tests/fuzz/input.h"

enum { PART = 64 };

static void
check_failure (const SlStatus *status)
{
  char text[2048];

  fuzz_require (status->code == SL_EFORMAT || status->code == SL_EIO || status->code == SL_ENOMEM);
  fuzz_require (status->subject[0] != '\0');
  sl_status_text (status, text, sizeof text);
  fuzz_require (strlen (text) > 0 && sl_utf8_valid (text, strlen (text)));
}

static void
check_name (const char *name)
{
  size_t n = strnlen (name, SL_ARRAY_NAME);

  fuzz_require (n < SL_ARRAY_NAME && sl_utf8_valid (name, n));
  for (size_t i = 0; i < n; i++)
    fuzz_require ((uint8_t) name[i] >= 0x20 && name[i] != 0x7f);
}

static void
check_shape (const SlArray *array)
{
  uint64_t n = 1;

  fuzz_require (array->axes <= SL_ARRAY_AXES);
  for (unsigned a = 0; a < array->axes; a++)
    n *= array->shape[a];
  if (array->type != SL_ARRAY_OBJECTS)
    fuzz_require (array->n == n);
}

/* Reads the first and the last numbers of an array that is in memory. */
static void
check_numbers (const SlArray *array, const char *path)
{
  size_t   n = array->n < PART ? (size_t) array->n : PART;
  int64_t  whole[PART];
  double   real[PART];
  uint16_t index[PART];
  bool     are;
  SlStatus status;

  for (uint64_t first = 0;; first = array->n - n)
    {
      status = sl_array_reals (array, path, first, n, real);
      fuzz_require (sl_ok (&status));
      status = sl_array_integers (array, path, first, n, whole);
      fuzz_require (sl_ok (&status));
      status = sl_array_indices (array, path, first, n, 256, index, &are);
      fuzz_require (sl_ok (&status));
      for (size_t i = 0; are && i < n; i++)
        fuzz_require (index[i] < 256);
      if (first + n >= array->n)
        break;
    }
  for (uint64_t i = 0; array->type == SL_ARRAY_TEXTS && i < array->n; i++)
    {
      uint32_t code;

      memcpy (&code, array->bytes + i * sizeof code, sizeof code);
      fuzz_require (code == SL_NO_TEXT || code < array->n_texts);
    }
  for (uint32_t i = 0; i < array->n_texts; i++)
    fuzz_require (sl_utf8_valid (array->text[i], strlen (array->text[i])));
}

static void
check_array (SlArrays *arrays, SlArray *array)
{
  SlStatus status;

  check_name (array->name);
  check_shape (array);
  status = sl_array_load (arrays, array);
  if (!sl_ok (&status))
    check_failure (&status);
  else
    {
      fuzz_require (array->bytes != NULL && !array->strided);
      check_numbers (array, arrays->path);
    }
}

void
fuzz_arrays (const char *name, SlContainer container, bool bounded, const uint8_t *data,
             size_t size)
{
  char     path[512];
  SlArrays arrays;
  SlStatus status;

  fuzz_write (name, data, size);
  fuzz_path (name, path, sizeof path);
  sl_container_of (name, data, size);
  status = sl_arrays_open (&arrays, path, container, NULL);
  if (!sl_ok (&status))
    check_failure (&status);
  for (unsigned i = 0; sl_ok (&status) && i < arrays.n; i++)
    check_array (&arrays, &arrays.array[i]);
  fuzz_require (arrays.used <= arrays.budget);
  if (bounded)
    fuzz_require (arrays.used <= 2 * arrays.size);
  sl_arrays_clear (&arrays);
}
