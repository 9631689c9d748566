/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/npy-header.h"

#include <string.h>

#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

typedef struct
{
  const char *path;
  const char *begin, *at, *end;
  bool        descr, order, shape; /* keys that were read */
  bool        fortran;
} Header;

static const char magic[6] = "\x93NUMPY";

bool
sl_npy_likely (const uint8_t *head, size_t size)
{
  return size >= sizeof magic && memcmp (head, magic, sizeof magic) == 0;
}

SlStatus
sl_npy_length (const uint8_t *head, size_t size, const char *path, size_t *length)
{
  unsigned version = size > 6 ? head[6] : 0;
  size_t   n = 0, fixed = version == 1 ? 10 : 12;

  *length = 0;
  if (size < fixed || !sl_npy_likely (head, size))
    return sl_status_at (SL_EFORMAT, path, SL_BYTE, size, sl_message ("the end of the header"),
                         sl_message ("an array of NumPy (.npy)"));
  if (version < 1 || version > 3 || head[7] != 0)
    return sl_status_at (SL_EFORMAT, path, SL_BYTE, 6,
                         sl_message ("version %u.%u", version, head[7]),
                         sl_message ("version 1.0, 2.0 or 3.0"));
  n = (size_t) sl_little_endian (head + 8, fixed - 8);
  if (n > SL_NPY_HEADER_MAX)
    return sl_status_at (SL_EFORMAT, path, SL_BYTE, 8, sl_message ("a header of %zu bytes", n),
                         sl_message ("at most %d", SL_NPY_HEADER_MAX));
  *length = fixed + n;
  return SL_SUCCESS;
}

static SlStatus
refuse (const Header *h, const char *expected)
{
  char shown[64];

  return sl_status_at (
    SL_EFORMAT, h->path, SL_BYTE, (uint64_t) (h->at - h->begin),
    sl_message_verbatim (sl_text_quote (h->at, (size_t) (h->end - h->at), shown, sizeof shown)),
    sl_message_word (expected));
}

static void
skip_blanks (Header *h)
{
  while (h->at < h->end && *h->at != '\0' && strchr (" \t\r\n\f\v", *h->at) != NULL)
    h->at++;
}

static bool
take (Header *h, const char *text)
{
  size_t n = strlen (text);

  skip_blanks (h);
  if ((size_t) (h->end - h->at) < n || memcmp (h->at, text, n) != 0)
    return false;
  h->at += n;
  return true;
}

/* A text in quotes without escapes. */
static bool
take_text (Header *h, char *to, size_t size)
{
  const char *from, *close;

  skip_blanks (h);
  if (h->at == h->end || (*h->at != '\'' && *h->at != '"'))
    return false;
  from = h->at + 1;
  close = memchr (from, *h->at, (size_t) (h->end - from));
  if (close == NULL || (size_t) (close - from) >= size
      || memchr (from, '\\', (size_t) (close - from)) != NULL)
    return false;
  memcpy (to, from, (size_t) (close - from));
  to[close - from] = '\0';
  h->at = close + 1;
  return true;
}

/* Kind letters of NumPy and what they are here. */
static SlArrayType
type_of (char letter, unsigned size)
{
  bool whole = size == 1 || size == 2 || size == 4 || size == 8;

  if (letter == 'O')
    return SL_ARRAY_OBJECTS;
  if (letter == 'i' && whole)
    return SL_ARRAY_INTEGERS;
  if (letter == 'u' && whole)
    return SL_ARRAY_NATURALS;
  if (letter == 'b' && size == 1)
    return SL_ARRAY_TRUTHS;
  if (letter == 'U' && size > 0)
    return SL_ARRAY_TEXTS;
  if (letter == 'V' && size == 2) /* what NumPy writes for a type that it does not know */
    return SL_ARRAY_BRAIN;
  return letter == 'f' && whole && size > 1 ? SL_ARRAY_REALS : SL_ARRAY_OTHER;
}

/* Fields of a record, [('a', '<i4'), …], which are passed over. */
static SlStatus
skip_record (Header *h, SlArray *array)
{
  unsigned depth = 0;
  char     quote = '\0';

  for (; h->at < h->end; h->at++)
    {
      if (quote != '\0')
        quote = *h->at == quote ? '\0' : quote;
      else if (*h->at == '\'' || *h->at == '"')
        quote = *h->at;
      else if (*h->at == '[' || *h->at == '(')
        depth++;
      else if ((*h->at == ']' || *h->at == ')') && --depth == 0)
        break;
    }
  array->type = SL_ARRAY_OTHER;
  array->size = 0;
  return take (h, "]") ? SL_SUCCESS : refuse (h, SL_MARK ("the end of fields"));
}

static SlStatus
read_descr (Header *h, SlArray *array)
{
  static const char expected[] = SL_MARK ("a type such as '<i4'");
  char              text[32];
  const char       *at = text, *digit;
  unsigned          size = 0;

  skip_blanks (h);
  if (h->at < h->end && *h->at == '[')
    return skip_record (h, array);
  if (!take_text (h, text, sizeof text))
    return refuse (h, expected);
  if (strcmp (text, "bfloat16") == 0)
    {
      array->type = SL_ARRAY_BRAIN;
      array->size = 2;
      return SL_SUCCESS;
    }
  array->big = *at == '>';
  if (*at != '\0' && strchr ("<>|=", *at) != NULL)
    at++;
  for (digit = at + (*at != '\0'); *digit >= '0' && *digit <= '9' && size < 1u << 24; digit++)
    size = 10 * size + (unsigned) (*digit - '0');
  array->type = type_of (*at, size);
  array->size = array->type == SL_ARRAY_OBJECTS  ? 8
                : *at == 'U'                     ? 4 * size
                : *at == 'S'                     ? 0
                : strncmp (at, "float8", 6) == 0 ? 1
                                                 : size;
  return SL_SUCCESS;
}

static SlStatus
read_order (Header *h)
{
  h->fortran = take (h, "True");
  return h->fortran || take (h, "False") ? SL_SUCCESS : refuse (h, SL_MARK ("True or False"));
}

static bool
take_whole (Header *h, uint64_t *whole)
{
  const char *from;

  skip_blanks (h);
  from = h->at;
  for (*whole = 0; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++)
    if (__builtin_mul_overflow (*whole, 10, whole)
        || __builtin_add_overflow (*whole, (uint64_t) (*h->at - '0'), whole))
      return false;
  if (h->at == from)
    return false;
  if (h->at < h->end && *h->at == 'L')
    h->at++;
  return true;
}

static SlStatus
read_shape (Header *h, SlArray *array)
{
  static const char expected[] = SL_MARK ("a shape such as (100, 8)");

  if (!take (h, "("))
    return refuse (h, expected);
  array->axes = 0;
  while (!take (h, ")"))
    {
      if (array->axes == SL_ARRAY_AXES || !take_whole (h, &array->shape[array->axes]))
        return refuse (h, expected);
      array->axes++;
      if (take (h, ","))
        continue;
      if (!take (h, ")"))
        return refuse (h, expected);
      break;
    }
  return SL_SUCCESS;
}

static SlStatus
read_member (Header *h, SlArray *array)
{
  static const char expected[] = SL_MARK ("descr, fortran_order and shape, each once");
  char              key[32];
  bool             *seen;
  Header            before = *h;

  if (!take_text (h, key, sizeof key))
    return refuse (h, expected);
  seen = strcmp (key, "descr") == 0           ? &h->descr
         : strcmp (key, "fortran_order") == 0 ? &h->order
         : strcmp (key, "shape") == 0         ? &h->shape
                                              : NULL;
  if (seen == NULL || *seen || !take (h, ":"))
    return refuse (&before, expected);
  *seen = true;
  return seen == &h->descr   ? read_descr (h, array)
         : seen == &h->order ? read_order (h)
                             : read_shape (h, array);
}

static SlStatus
read_dictionary (Header *h, SlArray *array)
{
  SlStatus status = SL_SUCCESS;

  if (!take (h, "{"))
    return refuse (h, SL_MARK ("descr, fortran_order and shape, each once"));
  while (sl_ok (&status) && !take (h, "}"))
    {
      status = read_member (h, array);
      if (!sl_ok (&status) || take (h, ","))
        continue;
      if (!take (h, "}"))
        return refuse (h, SL_MARK ("a comma or }"));
      break;
    }
  if (!sl_ok (&status))
    return status;
  skip_blanks (h);
  if (h->at < h->end || !h->descr || !h->order || !h->shape)
    return refuse (h, SL_MARK ("descr, fortran_order and shape, each once"));
  return SL_SUCCESS;
}

SlStatus
sl_npy_header (const uint8_t *header, size_t length, const char *path, SlArray *array)
{
  const char *text = (const char *) header;
  Header      h = { .path = path, .begin = text, .end = text + length };
  uint64_t    bytes;
  SlStatus    status;

  h.at = text + (header[6] == 1 ? 10 : 12);
  status = read_dictionary (&h, array);
  if (!sl_ok (&status) || array->type == SL_ARRAY_OBJECTS)
    return status;
  if (!sl_array_extent (array, &bytes))
    return sl_status_new (SL_EFORMAT, path, sl_message ("more numbers than memory can have"),
                          sl_message ("at most 2^63 bytes"));
  if (h.fortran)
    sl_array_columns_first (array);
  return SL_SUCCESS;
}
