/* SPDX-License-Identifier: MIT
 *
 * Reads the text of bible-kjv-text; see bible.h.  The file has 24 bytes of name, zeros up to
 * byte 84, then as big-endian 32-bit numbers the size of a window, how many there are, and where
 * each of them begins and the last one ends.  */
#include "core/data/read/bible.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/set/draft.h"
#include "core/data/text/bytes.h"
#include "core/data/text/lzw.h"

enum { WINDOW_AT = 84, COUNT_AT = 88, TABLE_AT = 92, MOST_WINDOW = 1 << 20 };

static const char magic[] = "EC02Compressed Data File";

bool
sl_bible_likely (const uint8_t *head, size_t size)
{
  return size >= TABLE_AT && memcmp (head, magic, sizeof magic - 1) == 0;
}

static uint32_t
number_at (const uint8_t *data, size_t at)
{
  return (uint32_t) sl_big_endian (data + at, 4);
}

static SlStatus
fail_format (const char *subject, size_t at, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, subject, SL_BYTE, at, found, expected);
}

/* Checks the head and the table against the size of the file. */
static SlStatus
check_table (const char *subject, const uint8_t *data, size_t size)
{
  size_t window = number_at (data, WINDOW_AT), count = number_at (data, COUNT_AT);
  size_t from = TABLE_AT + 4 * (count + 1);

  if (window == 0 || window > MOST_WINDOW)
    return fail_format (subject, WINDOW_AT, sl_message ("a window of another size"),
                        sl_message ("at most 1 MiB"));
  if (count == 0 || count > size / 4 || from > size || count > SL_DATA_BUDGET / window)
    return fail_format (subject, COUNT_AT, sl_message ("more windows than there is room for"),
                        SL_NO_MESSAGE);
  for (size_t i = 0; i <= count; i++)
    {
      size_t at = number_at (data, TABLE_AT + 4 * i);

      if (at < from || at > size)
        return fail_format (subject, TABLE_AT + 4 * i, sl_message ("a window outside the file"),
                            SL_NO_MESSAGE);
      from = at;
    }
  return SL_SUCCESS;
}

/* Drops what is not a verse and the numbers of those that are ("Ge1:1 In the…"), in place. */
static size_t
keep_verses (uint8_t *text, size_t size)
{
  size_t used = 0;

  for (size_t at = 0; at < size;)
    {
      uint8_t *end = memchr (text + at, '\n', size - at);
      size_t   next = end != NULL ? (size_t) (end - text) + 1 : size;
      uint8_t *space = memchr (text + at, ' ', next - at);

      if (space != NULL && memchr (text + at, ':', (size_t) (space - text) - at) != NULL)
        {
          size_t from = (size_t) (space - text) + 1;

          memmove (text + used, text + from, next - from);
          used += next - from;
        }
      at = next;
    }
  return used;
}

SlStatus
sl_bible_expand (const char *subject, uint8_t **data, size_t *size)
{
  SlStatus status = check_table (subject, *data, *size);
  size_t   window, count, used = 0;
  uint8_t *text;

  if (!sl_ok (&status))
    return status;
  window = number_at (*data, WINDOW_AT);
  count = number_at (*data, COUNT_AT);
  text = malloc (window * count);
  if (text == NULL)
    return sl_status_no_memory (subject);
  for (size_t i = 0; i < count; i++)
    {
      size_t at = number_at (*data, TABLE_AT + 4 * i), got;
      size_t end = number_at (*data, TABLE_AT + 4 * (i + 1));

      if (!sl_lzw_expand (*data + at, end - at, text + used, window, &got))
        {
          free (text);
          return fail_format (subject, at, sl_message ("a window that cannot be expanded"),
                              SL_NO_MESSAGE);
        }
      used += got;
    }
  free (*data);
  *data = text;
  *size = keep_verses (text, used);
  return SL_SUCCESS;
}
