/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/json-text.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/data/read/containers/npy-header.h"

static int
hex_of (char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* The four digits behind "\u", or a question mark. */
static uint32_t
unit_at (const char *text, size_t n)
{
  uint32_t code = 0;

  for (size_t i = 2; i < 6; i++)
    {
      int digit = i < n ? hex_of (text[i]) : -1;

      if (digit < 0)
        return '?';
      code = code << 4 | (uint32_t) digit;
    }
  return code;
}

/* Resolves the escape at `text`; returns its bytes, and *used those written. */
static size_t
take_escape (const char *text, size_t n, char *to, size_t *used)
{
  static const char from[] = "nrtbf", as[] = "\n\r\t\b\f";
  const char       *simple = n > 1 && text[1] != '\0' ? strchr (from, text[1]) : NULL;
  uint32_t          code, second = 0;
  size_t            length = n < 6 ? n : 6;

  *used = 1;
  if (n < 2 || text[1] != 'u')
    {
      *to = n < 2 ? '?' : simple != NULL ? as[simple - from] : text[1];
      if ((uint8_t) *to >= 0x80)
        *to = '?';
      return n < 2 ? 1 : 2;
    }
  code = unit_at (text, n);
  if (code >= 0xd800 && code < 0xdc00 && n >= 8 && text[6] == '\\' && text[7] == 'u')
    second = unit_at (text + 6, n - 6);
  if (second >= 0xdc00 && second < 0xe000)
    {
      code = 0x10000 + ((code - 0xd800) << 10) + second - 0xdc00;
      length = n < 12 ? n : 12;
    }
  if (code == 0 || (code >= 0xd800 && code < 0xe000))
    code = '?';
  *used = sl_utf8_write (code, to);
  return length;
}

size_t
sl_json_unescape (const char *text, size_t n, char *to)
{
  size_t used = 0, i = 0, more;

  while (i < n)
    {
      if (text[i] == '\\')
        i += take_escape (text + i, n - i, to + used, &more);
      else
        {
          more = sl_utf8_length (text + i, n - i);
          if (more > 0 && text[i] != '\0')
            memcpy (to + used, text + i, more);
          else
            to[used] = '?';
          more = more > 0 ? more : 1;
          i += more;
        }
      used += more;
    }
  to[used] = '\0';
  return used;
}

bool
sl_json_is_npy (const char *text, size_t n)
{
  static const char head[] = "k05VTVBZ";

  return n > sizeof head && memcmp (text, head, sizeof head - 1) == 0;
}

SlStatus
sl_json_npy (uint8_t *bytes, size_t size, const char *path, SlArray *array)
{
  size_t   length = 0;
  uint64_t want;
  SlStatus status;

  *array = (SlArray) { .fd = -1 };
  if (size < SL_NPY_HEAD)
    return sl_status_new (SL_EFORMAT, path, sl_message ("%zu bytes of an array", size),
                          sl_message ("a .npy in base 64"));
  status = sl_npy_length (bytes, size, path, &length);
  if (sl_ok (&status) && length > size)
    return sl_status_new (SL_EFORMAT, path, sl_message ("%zu bytes of an array", size),
                          sl_message ("a header of %zu", length));
  if (sl_ok (&status))
    status = sl_npy_header (bytes, length, path, array);
  if (!sl_ok (&status))
    return status;
  if (!sl_array_extent (array, &want) || want != size - length)
    return sl_status_new (SL_EFORMAT, path, sl_message ("%zu bytes of numbers", size - length),
                          sl_message ("those of its shape"));
  array->bytes = bytes + length;
  return SL_SUCCESS;
}

bool
sl_json_dtype (const char *name, size_t n, SlArray *array)
{
  static const struct
  {
    const char *name, *code;
    SlArrayType type;
    unsigned    size;
  } types[] = {
    { "int8", "i1", SL_ARRAY_INTEGERS, 1 },   { "int16", "i2", SL_ARRAY_INTEGERS, 2 },
    { "int32", "i4", SL_ARRAY_INTEGERS, 4 },  { "int64", "i8", SL_ARRAY_INTEGERS, 8 },
    { "uint8", "u1", SL_ARRAY_NATURALS, 1 },  { "uint16", "u2", SL_ARRAY_NATURALS, 2 },
    { "uint32", "u4", SL_ARRAY_NATURALS, 4 }, { "uint64", "u8", SL_ARRAY_NATURALS, 8 },
    { "float16", "f2", SL_ARRAY_REALS, 2 },   { "float32", "f4", SL_ARRAY_REALS, 4 },
    { "float64", "f8", SL_ARRAY_REALS, 8 },   { "bfloat16", "", SL_ARRAY_BRAIN, 2 },
  };
  const char *dot = memchr (name, '.', n);

  if (dot != NULL)
    {
      n -= (size_t) (dot + 1 - name);
      name = dot + 1;
    }
  if (n == 3 && strchr ("<>|=", *name) != NULL)
    {
      array->big = *name == '>';
      name++;
      n--;
    }
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if ((strlen (types[i].name) == n && memcmp (types[i].name, name, n) == 0)
        || (strlen (types[i].code) == n && memcmp (types[i].code, name, n) == 0))
      {
        array->type = types[i].type;
        array->size = types[i].size;
        return n > 0;
      }
  return false;
}
