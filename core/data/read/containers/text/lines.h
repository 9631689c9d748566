/* SPDX-License-Identifier: MIT
 *
 * The lines of a text file, one after the other, decompressed on the way.  A mark of UTF-8 before the first is left
 * out, UTF-16 with a mark becomes UTF-8; where the file begins with old Macintosh lines they end with a carriage
 * return, else with a line feed.  */
#pragma once

#include <stdbool.h>

#include "core/data/text/bytes.h"

/* The longest line: a pass of 100,000 tokens has 4 MB. */
#define SL_LINE_MAX ((size_t) 64 << 20)

typedef struct
{
  SlBytes *bytes;
  char    *buffer;
  size_t   room, begin, end; /* what was read and not given yet */
  bool     ended;            /* there is no more to read */
  int      wide;             /* UTF-16: 1 the lower byte first, 2 the higher; 0: it is not */
  uint32_t high;             /* the first half of a pair, whose second follows */
  char     stop;             /* ends a line */
  uint64_t number;           /* of the line, from 1 */
  bool     complete;         /* a line end was behind it */

  bool   recodes; /* the caller's: a line that is no UTF-8 is taken for Windows-1252 */
  bool   windows; /* there was one */
  char  *recoded; /* the last of them */
  size_t recoded_room;
} SlLines;

/* SL_EIO, SL_EFORMAT, SL_ENOMEM.  To be closed also after a failure. */
SlStatus sl_lines_open (SlLines *lines, const char *path);
void     sl_lines_close (SlLines *lines);

/* The next line without its end, *n bytes followed by a zero byte; may be written to and holds until
 * the next call.  *line is NULL at the end of the file.  SL_EFORMAT: a line beyond SL_LINE_MAX or
 * with a zero byte, broken gzip; SL_EIO; SL_ENOMEM.  */
SlStatus sl_lines_next (SlLines *lines, char **line, size_t *n);
