/* SPDX-License-Identifier: MIT */
#include "core/data/text/cells.h"

#include <string.h>

static bool
is_line_end (char c)
{
  return c == '\n' || c == '\r';
}

/* The most frequent candidate in the first line that is not empty, outside quotes. */
static char
choose_delimiter (const char *at, const char *end)
{
  static const char candidates[] = ",;\t";
  size_t            counts[3] = { 0 }, best = 0;
  bool              quoted = false;

  while (at < end && is_line_end (*at))
    at++;
  for (; at < end && (quoted || !is_line_end (*at)); at++)
    {
      const char *which = *at != '\0' ? strchr (candidates, *at) : NULL;

      if (*at == '"')
        quoted = !quoted;
      else if (which != NULL && !quoted)
        counts[which - candidates]++;
    }
  for (size_t i = 1; i < 3; i++)
    if (counts[i] > counts[best])
      best = i;
  return candidates[best];
}

void
sl_cells_init (SlCells *cells, const char *path, char *text, size_t size)
{
  if (size >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0)
    {
      text += 3;
      size -= 3;
    }
  *cells = (SlCells) {
    .path = path,
    .at = text,
    .end = text + size,
    .delimiter = choose_delimiter (text, text + size),
    .line = 1,
  };
}

/* Past one line end of any kind. */
static void
skip_line_end (SlCells *cells)
{
  if (cells->at < cells->end)
    {
      cells->at += cells->at[0] == '\r' && cells->at[1] == '\n' ? 2 : 1;
      cells->line++;
    }
}

bool
sl_cells_row (SlCells *cells)
{
  while (cells->at < cells->end && is_line_end (*cells->at))
    skip_line_end (cells);
  cells->row_ended = false;
  return cells->at < cells->end;
}

static bool
is_blank (const SlCells *cells, char c)
{
  return c == ' ' || (c == '\t' && cells->delimiter != '\t');
}

static bool
at_cell_end (const SlCells *cells)
{
  return cells->at == cells->end || *cells->at == cells->delimiter || is_line_end (*cells->at);
}

/* Trims the text up to `end` and goes over the delimiter or line end.  The zero byte behind
 * the text may take their place, so it is written last.  */
static void
leave_cell (SlCells *cells, SlTextCell *cell, const char *end)
{
  while (cell->text < end && is_blank (cells, *cell->text))
    cell->text++;
  while (cell->text < end && is_blank (cells, end[-1]))
    end--;
  cell->length = (size_t) (end - cell->text);
  cells->row_ended = cells->at == cells->end || *cells->at != cells->delimiter;
  if (cells->row_ended)
    skip_line_end (cells);
  else
    cells->at++;
  cell->text[cell->length] = '\0';
}

static SlStatus
plain_cell (SlCells *cells, SlTextCell *cell)
{
  cell->text = cells->at;
  while (!at_cell_end (cells))
    {
      if (*cells->at == '\0')
        return sl_status_at (SL_EFORMAT, cells->path, SL_LINE, cells->line,
                             sl_message ("a zero byte"), sl_message ("text"));
      cells->at++;
    }
  leave_cell (cells, cell, cells->at);
  return SL_SUCCESS;
}

/* A quote in the text is written twice, so the text moves to the front as it is read. */
static SlStatus
quoted_cell (SlCells *cells, SlTextCell *cell)
{
  char *to;

  cells->at++;
  cell->text = to = cells->at;
  for (;; cells->at++)
    {
      if (cells->at == cells->end)
        return sl_status_at (SL_EFORMAT, cells->path, SL_LINE, cell->line,
                             sl_message ("a quote that does not close"),
                             sl_message ("another quote"));
      if (*cells->at == '\0')
        return sl_status_at (SL_EFORMAT, cells->path, SL_LINE, cells->line,
                             sl_message ("a zero byte"), sl_message ("text"));
      if (*cells->at == '"' && *++cells->at != '"')
        break;
      /* The two bytes of a DOS line end count once. */
      if (*cells->at == '\n' || (*cells->at == '\r' && cells->at[1] != '\n'))
        cells->line++;
      *to++ = *cells->at;
    }
  while (cells->at < cells->end && is_blank (cells, *cells->at))
    cells->at++;
  if (!at_cell_end (cells))
    return sl_status_at (SL_EFORMAT, cells->path, SL_LINE, cells->line,
                         sl_message ("text behind a closing quote"),
                         sl_message ("the end of the cell"));
  leave_cell (cells, cell, to);
  return SL_SUCCESS;
}

SlStatus
sl_cells_next (SlCells *cells, SlTextCell *cell)
{
  while (cells->at < cells->end && is_blank (cells, *cells->at))
    cells->at++;
  cell->line = cells->line;
  return *cells->at == '"' && cells->at < cells->end ? quoted_cell (cells, cell)
                                                     : plain_cell (cells, cell);
}
