/* SPDX-License-Identifier: MIT
 *
 * JSON into columns without a tree; see container.h.  */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/containers/text/json-columns.h"
#include "core/data/read/containers/text/json-text.h"
#include "core/data/read/containers/text/lines.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

enum { DEPTH_MAX = 64 };
#define DOCUMENT_MAX ((size_t) 1 << 30)

static char
peek (SlJsonColumns *j)
{
  while (*j->scan.at == ' ' || *j->scan.at == '\t' || *j->scan.at == '\r')
    j->scan.at++;
  return *j->scan.at;
}

/* ---- values ---- */

static bool
take_word (SlJsonColumns *j, const char *word)
{
  size_t n = strlen (word);

  if (strncmp (j->scan.at, word, n) != 0)
    return false;
  j->scan.at += n;
  return true;
}

static bool
put_text (SlJsonColumns *j, SlColumn *column)
{
  const char *text;
  size_t      n;

  if (!sl_scan_text (&j->scan, &text, &n))
    return false;
  if (!sl_grow (&j->spare, &j->spare_room, n + 1, 1))
    return sl_json_no_memory (j);
  n = sl_json_unescape (text, n, j->spare);
  return sl_json_good (j, sl_column_text (&j->columns, column, j->spare, n));
}

/* A text, number or word into a column, as a cell. */
static bool
put_cell (SlJsonColumns *j, SlColumn *column)
{
  char        c = peek (j);
  SlNumber    number;
  const char *end;

  if (c == '"')
    return put_text (j, column);
  if (c == 't' || c == 'f')
    return take_word (j, c == 't' ? "true" : "false")
           && sl_json_good (j, sl_column_truth (&j->columns, column, c == 't'));
  if (take_word (j, "null") || take_word (j, "NaN"))
    return sl_json_good (j, sl_column_missing (&j->columns, column));
  if (take_word (j, "Infinity") || take_word (j, "-Infinity"))
    return sl_json_good (j, sl_column_real (&j->columns, column, c == '-' ? -INFINITY : INFINITY));
  end = c != '+' && c != '.' ? sl_number_read (&j->numbers, j->scan.at, &number) : NULL;
  if (end == NULL)
    return false;
  j->scan.at = end;
  if (number.kind == SL_NUMBER_REAL)
    return sl_json_good (j, sl_column_real (&j->columns, column, number.real));
  return (number.whole >= 0 && number.whole <= UINT8_MAX
          && sl_column_byte (column, (unsigned) number.whole))
         || sl_json_good (j, sl_column_whole (&j->columns, column, number.whole));
}

/* A list that is no row, in `depth` - 1 others. */
static bool
put_list (SlJsonColumns *j, unsigned index, unsigned depth)
{
  SlColumn *column = &j->member[index].column;
  size_t    n = 0;

  if (depth > DEPTH_MAX || !sl_scan_take (&j->scan, '['))
    return false;
  for (; !sl_scan_take (&j->scan, ']'); n++)
    {
      bool wanted = true, done;
      char c;

      if (n > 0 && !sl_scan_take (&j->scan, ','))
        return false;
      c = peek (j);
      if (c == '{')
        sl_column_give_up (&j->columns, column);
      if (c != '[' && (column->rank != (int) depth || column->kind == SL_COLUMN_OTHER)
          && !sl_json_good (j, sl_column_inside (&j->columns, column, depth, &wanted)))
        return false;
      done = c == '[' ? put_list (j, index, depth + 1)
             : wanted ? put_cell (j, column)
                      : sl_scan_skip (&j->scan);
      if (!done)
        return false;
    }
  return sl_json_good (j, sl_column_list (&j->columns, column, depth, n));
}

static bool
put_scalar (SlJsonColumns *j, unsigned level)
{
  SlJsonTensor npy = { .data = NULL };
  SlScan       ahead = j->scan;
  unsigned     index;
  SlColumn    *column;
  bool         wanted;

  if (peek (j) == '"' && sl_scan_text (&ahead, &npy.data, &npy.n)
      && sl_json_is_npy (npy.data, npy.n))
    {
      j->scan = ahead;
      return sl_json_put_packed (j, level, &npy);
    }
  if (!sl_json_find_member (j, level, &index))
    return false;
  if (take_word (j, "null"))
    return true;
  column = &j->member[index].column;
  if (!sl_json_good (j, sl_column_inside (&j->columns, column, 0, &wanted))
      || !(wanted ? put_cell (j, column) : sl_scan_skip (&j->scan)))
    return false;
  column->rows++;
  return true;
}

static bool put_object (SlJsonColumns *j, unsigned level, unsigned depth);

/* A list whose objects are rows of `level`; lists in it are as if they were not there. */
static bool
put_rows (SlJsonColumns *j, unsigned level, unsigned depth)
{
  if (depth > DEPTH_MAX || !sl_scan_take (&j->scan, '['))
    return false;
  for (bool first = true; !sl_scan_take (&j->scan, ']'); first = false)
    {
      char c;
      bool done;

      if (!first && !sl_scan_take (&j->scan, ','))
        return false;
      c = peek (j);
      j->strays += c != '{' && c != '[';
      done = c == '{'   ? sl_json_begin_row (j, level) && put_object (j, level, depth + 1)
             : c == '[' ? put_rows (j, level, depth + 1)
                        : sl_scan_skip (&j->scan);
      if (!done)
        return false;
    }
  return true;
}

/* Whether the first value that is no list is an object. */
static bool
has_objects (SlScan scan)
{
  while (sl_scan_take (&scan, '['))
    continue;
  return sl_scan_take (&scan, '{');
}

/* The value of the member j->path of an object of `level`. */
static bool
put_value (SlJsonColumns *j, unsigned level, unsigned depth)
{
  char         c = peek (j);
  unsigned     index;
  SlScan       ahead = j->scan;
  SlJsonTensor tensor;

  if (c == '{' && sl_json_read_tensor (&ahead, &tensor))
    {
      j->scan = ahead;
      return sl_json_put_packed (j, level, &tensor);
    }
  if (c == '{')
    return put_object (j, level, depth + 1);
  if (c == '[' && has_objects (j->scan))
    return sl_json_find_level (j, level, &index) && put_rows (j, index, depth + 1);
  if (c != '[')
    return put_scalar (j, level);
  if (!sl_json_find_member (j, level, &index))
    return false;
  j->open = (int) index;
  if (!put_list (j, index, 1))
    return false;
  j->open = -1;
  return true;
}

static bool
put_object (SlJsonColumns *j, unsigned level, unsigned depth)
{
  bool        first = true, ended = false;
  size_t      before = j->path_n, n;
  const char *key;

  if (depth > DEPTH_MAX || !sl_scan_take (&j->scan, '{'))
    return false;
  while (sl_scan_member (&j->scan, &first, &ended, &key, &n))
    {
      bool done, fits = before + n + 2 < sizeof j->path;

      if (fits)
        {
          if (before > 0)
            j->path[j->path_n++] = '.';
          memcpy (j->path + j->path_n, key, n);
          j->path_n += n;
          j->path[j->path_n] = '\0';
        }
      j->long_names += !fits;
      done = fits ? put_value (j, level, depth) : sl_scan_skip (&j->scan);
      if (!done)
        return false;
      j->path_n = before;
      j->path[before] = '\0';
    }
  return ended;
}

/* One value after the other. */
static bool
put_text_of_values (SlJsonColumns *j, const char *text)
{
  j->scan.at = text;
  while (!sl_scan_end (&j->scan))
    {
      char c = peek (j);
      bool done;

      j->path_n = 0;
      j->path[0] = '\0';
      if (c == '[' && has_objects (j->scan))
        done = put_rows (j, 0, 1);
      else
        done = sl_json_begin_row (j, 0) && (c == '{' ? put_object (j, 0, 1) : put_value (j, 0, 1));
      if (!done)
        return false;
    }
  return true;
}

/* ---- files ---- */

static SlStatus
refuse (const SlJsonColumns *j, SlPlace place, uint64_t position)
{
  SlStatus    status = j->status;
  const char *at = j->scan.at;
  char        shown[64];

  if (sl_ok (&status))
    status = sl_status_new (
      SL_EFORMAT, j->arrays->path,
      *at == '\0' ? sl_message ("the end of the text")
                  : sl_message_verbatim (sl_text_quote (at, strlen (at), shown, sizeof shown)),
      sl_message ("JSON, no deeper than %d", DEPTH_MAX));
  if (status.place == SL_NOWHERE && status.code == SL_EFORMAT)
    {
      status.place = place;
      status.position = position;
    }
  return status;
}

static bool
is_whole (const char *line)
{
  SlScan scan = { line };

  return sl_scan_skip (&scan) && sl_scan_end (&scan);
}

/* *lines: whether the file has values in lines, and has been read. */
static SlStatus
read_lines (SlJsonColumns *j, size_t most, bool *are)
{
  SlLines  lines;
  size_t   n, consumed = 0;
  char    *line;
  SlStatus status = sl_lines_open (&lines, j->arrays->path);

  *are = false;
  while (sl_ok (&status) && (most == 0 || consumed < most))
    {
      status = sl_lines_next (&lines, &line, &n);
      if (!sl_ok (&status) || line == NULL)
        break;
      consumed += n + 1;
      if (line[strspn (line, " \t\r")] == '\0')
        continue;
      if ((!*are || !lines.complete) && !is_whole (line))
        {
          if (*are)
            sl_arrays_note (j->arrays, sl_message ("left out: the last line, cut off"));
          break;
        }
      *are = true;
      if (!put_text_of_values (j, line))
        status = refuse (j, SL_LINE, lines.number);
    }
  sl_lines_close (&lines);
  return *are || status.code == SL_EIO || status.code == SL_ENOMEM ? status : SL_SUCCESS;
}

static SlStatus
read_head (const char *path, size_t most, uint8_t **text, size_t *size)
{
  *text = calloc (1, most + 1);
  return *text != NULL ? sl_bytes_head (path, *text, most, size) : sl_status_no_memory (path);
}

static SlStatus
read_document (SlJsonColumns *j, size_t most)
{
  uint8_t *bytes = NULL;
  size_t   size = 0, mark;
  SlStatus status = most > 0 ? read_head (j->arrays->path, most, &bytes, &size)
                             : sl_bytes_file (j->arrays->path, DOCUMENT_MAX, &bytes, &size);

  if (!sl_ok (&status))
    {
      free (bytes);
      return status;
    }
  /* Ends of lines are blanks between values; within a text they are not allowed. */
  for (size_t i = 0; i < size; i++)
    if (bytes[i] == '\n')
      bytes[i] = ' ';
  mark = size >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  if (memchr (bytes, '\0', size) != NULL)
    status = sl_status_new (SL_EFORMAT, j->arrays->path, sl_message ("a zero byte"),
                            sl_message ("text"));
  else if (!put_text_of_values (j, (const char *) bytes + mark)
           && !(most > 0 && size == most && sl_ok (&j->status)))
    status = refuse (j, SL_BYTE, (uint64_t) (j->scan.at - (const char *) bytes));
  free (bytes);
  return status;
}

/* An empty list is not known to be one of objects until there are some. */
static bool
is_level (const SlJsonColumns *j, const SlJsonMember *m)
{
  for (unsigned i = 1; i < j->n_levels; i++)
    if (j->level[i].parent == (int) m->level
        && strncmp (j->level[i].path, m->path, sizeof m->path) == 0)
      return m->column.rank < 0;
  return false;
}

static SlStatus
finish (SlJsonColumns *j)
{
  SlStatus status = SL_SUCCESS;

  j->arrays->columns = j->arrays->headed = true;
  if (j->open >= 0)
    sl_column_give_up (&j->columns, &j->member[j->open].column);
  for (unsigned i = 0; i < j->n && sl_ok (&status); i++)
    {
      SlJsonMember      *m = &j->member[i];
      const SlJsonLevel *level = &j->level[m->level];
      char               name[SL_ARRAY_NAME];
      size_t             n = sl_json_unescape (m->path, m->n, name);
      SlArray           *array;

      if (is_level (j, m))
        continue;
      status = sl_arrays_add (j->arrays, name, n, &array);
      if (sl_ok (&status))
        status = sl_column_fill (&j->columns, &m->column, level->rows);
      if (sl_ok (&status))
        status = sl_column_finish_rows (&j->columns, &m->column, level->record, j->arrays, array);
    }
  if (j->long_names > 0)
    sl_arrays_note (j->arrays, sl_message ("left out: %llu names beyond %d bytes",
                                           (unsigned long long) j->long_names, SL_ARRAY_NAME));
  if (j->strays > 0)
    sl_arrays_note (j->arrays, sl_message ("left out: %llu values among objects",
                                           (unsigned long long) j->strays));
  j->arrays->rows = j->level[0].rows;
  return status;
}

SlStatus
sl_json_arrays_open (SlArrays *arrays, const char *path, size_t most)
{
  SlJsonColumns *j = calloc (1, sizeof *j);
  bool           lines = false;
  SlStatus       status;

  if (j == NULL)
    return sl_status_no_memory (path);
  arrays->path = j->columns.path = path;
  j->arrays = arrays;
  j->level[0].parent = j->open = -1;
  j->n_levels = 1;
  j->status = SL_SUCCESS;
  status = sl_numbers_init (&j->numbers, '.') ? read_lines (j, most, &lines)
                                              : sl_status_no_memory (path);
  if (sl_ok (&status) && !lines)
    status = read_document (j, most);
  if (sl_ok (&status))
    status = finish (j);
  for (unsigned i = 0; i < j->n; i++)
    sl_column_clear (&j->member[i].column);
  for (unsigned i = 0; i < j->n_levels; i++)
    free (j->level[i].record);
  free (j->member);
  free (j->place);
  free (j->spare);
  sl_numbers_clear (&j->numbers);
  free (j);
  return status;
}
