/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/lines.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 18 };

SlStatus
sl_lines_open (SlLines *lines, const char *path)
{
  SlStatus status;

  *lines = (SlLines) { .room = FIRST_ROOM };
  status = sl_bytes_open (&lines->bytes, path);
  if (!sl_ok (&status))
    return status;
  lines->buffer = malloc (lines->room + 1);
  return lines->buffer != NULL ? SL_SUCCESS : sl_status_no_memory (path);
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
  if (have == lines->room)
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
  status = sl_bytes_some (lines->bytes, lines->buffer + have, lines->room - have, &got);
  lines->ended = got < lines->room - have;
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

      end = memchr (from + seen, '\n', lines->end - lines->begin - seen);
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
