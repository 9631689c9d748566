/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/lines.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

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
  free (lines->recoded);
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

static SlStatus
next_line (SlLines *lines, char **line, size_t *n)
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

/* What the bytes 0x80 to 0x9f are in Windows-1252; 0: nothing. */
static const uint16_t windows[32]
  = { 0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
      0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
      0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178 };

/* A line that is no UTF-8 is Windows-1252, as spreadsheets write it. */
static SlStatus
recode (SlLines *lines, char **line, size_t *n)
{
  const uint8_t *from = (const uint8_t *) *line;
  size_t         used = 0;

  if (!sl_grow (&lines->recoded, &lines->recoded_room, 3 * *n + 1, 1))
    return sl_status_no_memory (sl_bytes_path (lines->bytes));
  for (size_t i = 0; i < *n; i++)
    {
      uint32_t code = from[i] >= 0x80 && from[i] < 0xa0 ? windows[from[i] - 0x80] : from[i];

      used += sl_utf8_write (code > 0 ? code : '?', lines->recoded + used);
    }
  lines->recoded[used] = '\0';
  lines->windows = true;
  *line = lines->recoded;
  *n = used;
  return SL_SUCCESS;
}

SlStatus
sl_lines_next (SlLines *lines, char **line, size_t *n)
{
  SlStatus status = next_line (lines, line, n);
  uint8_t  high = 0;

  for (size_t i = 0; sl_ok (&status) && lines->recodes && *line != NULL && i < *n; i++)
    high |= (uint8_t) (*line)[i];
  return high >= 0x80 && !sl_utf8_valid (*line, *n) ? recode (lines, line, n) : status;
}
