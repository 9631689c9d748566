/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"

enum { FIRST_ROOM = 1 << 18, WIDE = 1 << 14 };

/* Reads UTF-16 into at most `size` >= 3 bytes; halves of pairs that are alone become '?'. */
static SlStatus
read_wide (SlLines *lines, char *to, size_t size, size_t *got)
{
  uint8_t  raw[WIDE];
  size_t   most = size / 3 < WIDE / 2 ? size / 3 * 2 : WIDE, have;
  SlStatus status = sl_bytes_some (lines->bytes, raw, most, &have);

  *got = 0;
  lines->ended = have < most;
  for (size_t i = 0; i + 1 < have; i += 2)
    {
      uint32_t code = raw[i + (lines->wide == 2)] | (uint32_t) raw[i + (lines->wide == 1)] << 8;
      bool     first = code >= 0xd800 && code < 0xdc00, second = code >= 0xdc00 && code < 0xe000;

      if (second)
        code = lines->high > 0 ? 0x10000 + ((lines->high - 0xd800) << 10) + code - 0xdc00 : '?';
      lines->high = first ? code : 0;
      if (!first)
        *got += sl_utf8_write (code, to + *got);
    }
  return status;
}

static SlStatus
read_some (SlLines *lines, char *to, size_t size, size_t *got)
{
  SlStatus status;

  if (lines->wide > 0)
    return read_wide (lines, to, size, got);
  status = sl_bytes_some (lines->bytes, to, size, got);
  lines->ended = *got < size;
  return status;
}

/* Looks at the first bytes: a mark, and what ends the lines. */
static SlStatus
begin (SlLines *lines)
{
  size_t   n, got = 0;
  uint8_t *mark = (uint8_t *) lines->buffer;
  SlStatus status = sl_bytes_some (lines->bytes, mark, 2, &n);

  if (sl_ok (&status) && n == 2 && mark[0] == 0xef && mark[1] == 0xbb)
    {
      status = sl_bytes_some (lines->bytes, mark + 2, 1, &got);
      n = got == 1 && mark[2] == 0xbf ? 0 : n + got;
    }
  if (n == 2 && mark[0] == (mark[1] == 0xfe ? 0xff : 0xfe) && mark[1] >= 0xfe)
    {
      lines->wide = mark[0] == 0xff ? 1 : 2;
      n = 0;
    }
  if (sl_ok (&status))
    status = read_some (lines, lines->buffer + n, lines->room - n, &got);
  lines->end = n + got;
  if (sl_ok (&status) && memchr (lines->buffer, '\n', lines->end) == NULL
      && memchr (lines->buffer, '\r', lines->end) != NULL)
    lines->stop = '\r';
  return status;
}

SlStatus
sl_lines_open (SlLines *lines, const char *path)
{
  SlStatus status;

  *lines = (SlLines) { .room = FIRST_ROOM, .stop = '\n' };
  status = sl_bytes_open (&lines->bytes, path);
  if (!sl_ok (&status))
    return status;
  lines->buffer = malloc (lines->room + 1);
  return lines->buffer != NULL ? begin (lines) : sl_status_no_memory (path);
}

void
sl_lines_close (SlLines *lines)
{
  free (lines->buffer);
  sl_bytes_close (lines->bytes);
}

/* Reads on behind what is there, which goes to the front of the buffer. */
static SlStatus
read_on (SlLines *lines)
{
  size_t   have = lines->end - lines->begin, got;
  SlStatus status;

  memmove (lines->buffer, lines->buffer + lines->begin, have);
  lines->begin = 0;
  lines->end = have;
  if (lines->room - have < 3)
    {
      char *larger
        = lines->room < SL_LINE_MAX ? realloc (lines->buffer, 2 * lines->room + 1) : NULL;

      if (larger == NULL)
        return sl_status_at (SL_EFORMAT, sl_bytes_path (lines->bytes), SL_LINE, lines->number,
                             sl_message ("a line of more than %zu bytes", have),
                             sl_message ("at most %zu", SL_LINE_MAX));
      lines->buffer = larger;
      lines->room *= 2;
    }
  status = read_some (lines, lines->buffer + have, lines->room - have, &got);
  lines->end += got;
  return status;
}

static SlStatus
check_zeros (const SlLines *lines, const char *line, size_t n)
{
  if (memchr (line, '\0', n) == NULL)
    return SL_SUCCESS;
  return sl_status_at (SL_EFORMAT, sl_bytes_path (lines->bytes), SL_LINE, lines->number,
                       sl_message ("a zero byte"), sl_message ("text"));
}

SlStatus
sl_lines_next (SlLines *lines, char **line, size_t *n)
{
  size_t   seen = 0;
  char    *end = NULL;
  SlStatus status = SL_SUCCESS;

  *line = NULL;
  lines->number++;
  for (;;)
    {
      char *from = lines->buffer + lines->begin;

      end = memchr (from + seen, lines->stop, lines->end - lines->begin - seen);
      if (end != NULL || lines->ended)
        break;
      seen = lines->end - lines->begin;
      status = read_on (lines);
      if (!sl_ok (&status))
        return status;
    }
  if (end == NULL && lines->begin == lines->end)
    return SL_SUCCESS;
  *line = lines->buffer + lines->begin;
  lines->complete = end != NULL;
  *n = (size_t) ((end != NULL ? end : lines->buffer + lines->end) - *line);
  (*line)[*n] = '\0';
  lines->begin += *n + (end != NULL);
  return check_zeros (lines, *line, *n);
}
