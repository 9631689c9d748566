/* SPDX-License-Identifier: MIT
 *
 * JSON into columns without a tree; see container.h.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/columns.h"
#include "core/data/read/containers/container.h"
#include "core/data/read/containers/json-text.h"
#include "core/data/read/containers/lines.h"
#include "core/data/read/containers/numbers.h"
#include "core/data/read/containers/scan.h"
#include "core/data/text/text.h"

enum { DEPTH_MAX = 64, LEVELS_MAX = 64, BLOCK = 1024 };
#define DOCUMENT_MAX ((size_t) 1 << 30)

/* Objects that are rows: the outermost, or those of a list that a member has. */
typedef struct
{
  char      path[SL_ARRAY_NAME];
  size_t    rows, room;
  int       parent; /* the level of the object that has the list, -1: none */
  uint32_t *record; /* (rows) which row of it */
} Level;

typedef struct
{
  SlColumn column;
  char     path[SL_ARRAY_NAME];
  size_t   n;
  unsigned level;
} Member;

typedef struct
{
  SlArrays *arrays;
  SlColumns columns;
  SlNumbers numbers;
  SlScan    scan;
  Member   *member;
  unsigned  n, room, guess;
  unsigned *place; /* (places) of the members by their hash, n + 1; a power of two */
  unsigned  places;
  Level     level[LEVELS_MAX];
  unsigned  n_levels;
  char      path[SL_ARRAY_NAME];
  size_t    path_n;
  int       open; /* the member whose list is being read, or -1 */
  char     *spare;
  size_t    spare_room;
  uint64_t  long_names, strays;
  SlStatus  status;
} Json;

static bool
good (Json *j, SlStatus status)
{
  if (sl_ok (&j->status))
    j->status = status;
  return sl_ok (&status);
}

static bool
fail (Json *j, SlMessage found, SlMessage expected)
{
  return good (j, sl_status_new (SL_EFORMAT, j->arrays->path, found, expected));
}

static bool
no_memory (Json *j)
{
  return good (j, sl_status_no_memory (j->arrays->path));
}

static char
peek (Json *j)
{
  while (*j->scan.at == ' ' || *j->scan.at == '\t' || *j->scan.at == '\r')
    j->scan.at++;
  return *j->scan.at;
}

/* ---- members and levels ---- */

static unsigned
hash_path (const char *path, size_t n, unsigned level)
{
  unsigned hash = 2166136261u ^ level;

  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (uint8_t) path[i]) * 16777619u;
  return hash ^ hash >> 15;
}

static unsigned *
place_of (Json *j, const char *path, size_t n, unsigned level)
{
  unsigned at = hash_path (path, n, level) & (j->places - 1);

  for (;; at = (at + 1) & (j->places - 1))
    {
      const Member *m = j->place[at] > 0 ? &j->member[j->place[at] - 1] : NULL;

      if (m == NULL || (m->level == level && m->n == n && memcmp (m->path, path, n) == 0))
        return &j->place[at];
    }
}

static bool
add_member (Json *j, unsigned level)
{
  if (j->n == SL_COLUMNS_MAX)
    return fail (j, sl_message ("more than %d different members", SL_COLUMNS_MAX),
                 sl_message ("at most so many"));
  if (j->n == j->room)
    {
      unsigned room = 2 * j->room + 16, *place = calloc (4 * (size_t) room, sizeof *place);
      Member  *larger = realloc (j->member, room * sizeof *larger);

      if (larger != NULL)
        j->member = larger;
      if (larger == NULL || place == NULL)
        {
          free (place);
          return no_memory (j);
        }
      free (j->place);
      j->place = place;
      j->room = room;
      for (j->places = 16; j->places < 2 * room;)
        j->places *= 2;
      for (unsigned i = 0; i < j->n; i++)
        *place_of (j, larger[i].path, larger[i].n, larger[i].level) = i + 1;
    }
  j->member[j->n] = (Member) { .n = j->path_n, .level = level, .column.rank = -1 };
  memcpy (j->member[j->n].path, j->path, j->path_n);
  *place_of (j, j->path, j->path_n, level) = j->n + 1;
  j->n++;
  return true;
}

/* The member of the path, mostly the one behind the last; a new one if need be, filled up to the row before. */
static bool
find_member (Json *j, unsigned level, unsigned *index)
{
  size_t    before = j->level[level].rows - 1;
  unsigned  guess = j->guess < j->n ? j->guess : 0;
  SlColumn *column;

  if (guess < j->n && j->member[guess].level == level && j->member[guess].n == j->path_n
      && memcmp (j->member[guess].path, j->path, j->path_n) == 0)
    *index = guess;
  else
    {
      unsigned place = j->n > 0 ? *place_of (j, j->path, j->path_n, level) : 0;

      if (place == 0 && !add_member (j, level))
        return false;
      *index = place > 0 ? place - 1 : j->n - 1;
    }
  j->guess = *index + 1;
  column = &j->member[*index].column;
  if (column->rows > before)
    {
      char quoted[64];

      return fail (
        j, sl_message ("%s twice", sl_text_quote (j->path, j->path_n, quoted, sizeof quoted)),
        sl_message ("each member once"));
    }
  return good (j, sl_column_fill (&j->columns, column, before));
}

static bool
find_level (Json *j, unsigned parent, unsigned *index)
{
  Level *level;

  for (*index = 0; *index < j->n_levels; (*index)++)
    if (j->level[*index].parent == (int) parent
        && strncmp (j->level[*index].path, j->path, sizeof j->path) == 0)
      return true;
  if (j->n_levels == LEVELS_MAX)
    return fail (j, sl_message ("more than %d lists of objects", LEVELS_MAX),
                 sl_message ("at most so many"));
  level = &j->level[j->n_levels++];
  *level = (Level) { .parent = (int) parent };
  memcpy (level->path, j->path, j->path_n);
  return true;
}

static bool
begin_row (Json *j, unsigned index)
{
  Level *level = &j->level[index];

  if (level->parent >= 0 && level->rows == level->room)
    {
      size_t    room = 2 * level->room + 64;
      uint32_t *larger = realloc (level->record, room * sizeof *larger);

      if (larger == NULL)
        return no_memory (j);
      level->record = larger;
      level->room = room;
    }
  if (level->parent >= 0)
    level->record[level->rows] = (uint32_t) (j->level[level->parent].rows - 1);
  level->rows++;
  return level->rows < UINT32_MAX || no_memory (j);
}

/* ---- arrays within texts ---- */

/* The numbers of the axes from `axis` on, of which *at is the first. */
static bool
put_axis (Json *j, SlColumn *column, const SlArray *array, unsigned axis, uint64_t *at)
{
  size_t n = (size_t) array->shape[axis];

  for (size_t i = 0; i < n && axis + 1 < array->axes; i++)
    if (!put_axis (j, column, array, axis + 1, at))
      return false;
  for (size_t i = 0, part; i < n && axis + 1 == array->axes; i += part, *at += part)
    {
      int64_t whole[BLOCK];
      double  real[BLOCK];
      bool    reals = sl_array_real (array);

      part = n - i < BLOCK ? n - i : BLOCK;
      if (!good (j, reals ? sl_array_reals (array, j->arrays->path, *at, part, real)
                          : sl_array_integers (array, j->arrays->path, *at, part, whole)))
        return false;
      for (size_t k = 0; k < part; k++)
        if (!good (j, reals ? sl_column_real (&j->columns, column, real[k])
                            : sl_column_whole (&j->columns, column, whole[k])))
          return false;
    }
  return good (j, sl_column_list (&j->columns, column, axis + 1, n));
}

/* An array without numbers is as good as none. */
static bool
put_array (Json *j, unsigned level, const SlArray *array)
{
  unsigned  index;
  uint64_t  at = 0;
  SlColumn *column;
  bool      wanted;

  if (!find_member (j, level, &index) || array->n == 0)
    return sl_ok (&j->status);
  column = &j->member[index].column;
  if (array->type >= SL_ARRAY_TEXTS || array->axes == 0)
    sl_column_give_up (&j->columns, column);
  if (!good (j, sl_column_inside (&j->columns, column, array->axes, &wanted)))
    return false;
  if (wanted)
    return put_axis (j, column, array, 0, &at);
  column->rows++;
  return true;
}

static bool
decode (Json *j, const char *text, size_t n, uint8_t **bytes, size_t *size)
{
  *bytes = malloc (n / 4 * 3 + 3);
  if (*bytes == NULL)
    return no_memory (j);
  *size = sl_base64 (text, n, *bytes);
  return true;
}

static bool
put_npy (Json *j, unsigned level, const char *text, size_t n)
{
  uint8_t *bytes;
  size_t   size;
  SlArray  array;
  bool     done;

  if (!decode (j, text, n, &bytes, &size))
    return false;
  done = size == SIZE_MAX
           ? fail (j, sl_message ("text that is not base 64"), sl_message ("a .npy in base 64"))
           : good (j, sl_json_npy (bytes, size, j->arrays->path, &array))
               && put_array (j, level, &array);
  free (bytes);
  return done;
}

typedef struct
{
  const char *data;
  size_t      n;
  SlArray     array;
  bool        typed, shaped;
} Tensor;

static bool
read_shape (SlScan *scan, Tensor *tensor)
{
  int64_t n;

  for (bool first = sl_scan_take (scan, '['); !sl_scan_take (scan, ']'); first = false)
    {
      if ((!first && !sl_scan_take (scan, ',')) || tensor->array.axes == SL_ARRAY_AXES
          || !sl_scan_whole (scan, &n) || n < 0)
        return false;
      tensor->array.shape[tensor->array.axes++] = (uint64_t) n;
    }
  tensor->shaped = tensor->array.axes > 0;
  return tensor->shaped;
}

static bool
is_key (const char *key, size_t n, const char *name)
{
  return n == strlen (name) && memcmp (key, name, n) == 0;
}

/* Whether the object at the scan, which then is behind it, is {data: base 64, shape, dtype}. */
static bool
read_tensor (SlScan *scan, Tensor *tensor)
{
  bool        first = true, ended = false;
  const char *key, *name;
  size_t      n, length;

  *tensor = (Tensor) { .array.fd = -1 };
  if (!sl_scan_take (scan, '{'))
    return false;
  while (sl_scan_member (scan, &first, &ended, &key, &n))
    if (is_key (key, n, "data") ? !sl_scan_text (scan, &tensor->data, &tensor->n)
        : is_key (key, n, "shape")
          ? !read_shape (scan, tensor)
          : !sl_scan_text (scan, &name, &length)
              || (is_key (key, n, "dtype")
                  && !(tensor->typed = sl_json_dtype (name, length, &tensor->array))))
      return false;
  return ended && tensor->data != NULL && tensor->typed && tensor->shaped;
}

static bool
put_tensor (Json *j, unsigned level, Tensor *tensor)
{
  uint8_t *bytes;
  size_t   size;
  uint64_t want;
  bool     done;

  if (!decode (j, tensor->data, tensor->n, &bytes, &size))
    return false;
  if (size == SIZE_MAX || !sl_array_extent (&tensor->array, &want) || want != size)
    done = fail (j, sl_message ("data of another size than its shape and dtype"),
                 sl_message ("base 64 of all numbers"));
  else
    {
      tensor->array.bytes = bytes;
      done = put_array (j, level, &tensor->array);
    }
  free (bytes);
  return done;
}

/* ---- values ---- */

static bool
take_word (Json *j, const char *word)
{
  size_t n = strlen (word);

  if (strncmp (j->scan.at, word, n) != 0)
    return false;
  j->scan.at += n;
  return true;
}

static bool
put_text (Json *j, SlColumn *column)
{
  const char *text;
  size_t      n;

  if (!sl_scan_text (&j->scan, &text, &n))
    return false;
  if (n + 1 > j->spare_room)
    {
      char *larger = realloc (j->spare, 2 * n + 64);

      if (larger == NULL)
        return no_memory (j);
      j->spare = larger;
      j->spare_room = 2 * n + 64;
    }
  n = sl_json_unescape (text, n, j->spare);
  return good (j, sl_column_text (&j->columns, column, j->spare, n));
}

/* A text, number or word into a column, as a cell. */
static bool
put_cell (Json *j, SlColumn *column)
{
  char        c = peek (j);
  SlNumber    number;
  const char *end;

  if (c == '"')
    return put_text (j, column);
  if (c == 't' || c == 'f')
    return take_word (j, c == 't' ? "true" : "false")
           && good (j, sl_column_truth (&j->columns, column, c == 't'));
  if (take_word (j, "null") || take_word (j, "NaN"))
    return good (j, sl_column_missing (&j->columns, column));
  if (take_word (j, "Infinity") || take_word (j, "-Infinity"))
    return good (j, sl_column_real (&j->columns, column, c == '-' ? -INFINITY : INFINITY));
  end = c != '+' && c != '.' ? sl_number_read (&j->numbers, j->scan.at, &number) : NULL;
  if (end == NULL)
    return false;
  j->scan.at = end;
  if (number.kind == SL_NUMBER_REAL)
    return good (j, sl_column_real (&j->columns, column, number.real));
  return (number.whole >= 0 && number.whole <= UINT8_MAX
          && sl_column_byte (column, (unsigned) number.whole))
         || good (j, sl_column_whole (&j->columns, column, number.whole));
}

/* A list that is no row, in `depth` - 1 others. */
static bool
put_list (Json *j, unsigned index, unsigned depth)
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
          && !good (j, sl_column_inside (&j->columns, column, depth, &wanted)))
        return false;
      done = c == '[' ? put_list (j, index, depth + 1)
             : wanted ? put_cell (j, column)
                      : sl_scan_skip (&j->scan);
      if (!done)
        return false;
    }
  return good (j, sl_column_list (&j->columns, column, depth, n));
}

static bool
put_scalar (Json *j, unsigned level)
{
  const char *text;
  size_t      n;
  SlScan      ahead = j->scan;
  unsigned    index;
  SlColumn   *column;
  bool        wanted;

  if (peek (j) == '"' && sl_scan_text (&ahead, &text, &n) && sl_json_is_npy (text, n))
    {
      j->scan = ahead;
      return put_npy (j, level, text, n);
    }
  if (!find_member (j, level, &index))
    return false;
  if (take_word (j, "null"))
    return true;
  column = &j->member[index].column;
  if (!good (j, sl_column_inside (&j->columns, column, 0, &wanted))
      || !(wanted ? put_cell (j, column) : sl_scan_skip (&j->scan)))
    return false;
  column->rows++;
  return true;
}

static bool put_object (Json *j, unsigned level, unsigned depth);

/* A list whose objects are rows of `level`; lists in it are as if they were not there. */
static bool
put_rows (Json *j, unsigned level, unsigned depth)
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
      done = c == '{'   ? begin_row (j, level) && put_object (j, level, depth + 1)
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
put_value (Json *j, unsigned level, unsigned depth)
{
  char     c = peek (j);
  unsigned index;
  SlScan   ahead = j->scan;
  Tensor   tensor;

  if (c == '{' && read_tensor (&ahead, &tensor))
    {
      j->scan = ahead;
      return put_tensor (j, level, &tensor);
    }
  if (c == '{')
    return put_object (j, level, depth + 1);
  if (c == '[' && has_objects (j->scan))
    return find_level (j, level, &index) && put_rows (j, index, depth + 1);
  if (c != '[')
    return put_scalar (j, level);
  if (!find_member (j, level, &index))
    return false;
  j->open = (int) index;
  if (!put_list (j, index, 1))
    return false;
  j->open = -1;
  return true;
}

static bool
put_object (Json *j, unsigned level, unsigned depth)
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
put_text_of_values (Json *j, const char *text)
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
        done = begin_row (j, 0) && (c == '{' ? put_object (j, 0, 1) : put_value (j, 0, 1));
      if (!done)
        return false;
    }
  return true;
}

/* ---- files ---- */

static SlStatus
refuse (const Json *j, SlPlace place, uint64_t position)
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
read_lines (Json *j, size_t most, bool *are)
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
            sl_arrays_note (j->arrays, sl_message ("the last line is cut off: left out"));
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
  SlBytes *bytes;
  SlStatus status = sl_bytes_open (&bytes, path);

  *text = sl_ok (&status) ? malloc (most + 1) : NULL;
  if (sl_ok (&status) && *text == NULL)
    status = sl_status_no_memory (path);
  if (sl_ok (&status))
    status = sl_bytes_some (bytes, *text, most, size);
  if (sl_ok (&status))
    (*text)[*size] = '\0';
  sl_bytes_close (bytes);
  return status;
}

static SlStatus
read_document (Json *j, size_t most)
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
is_level (const Json *j, const Member *m)
{
  for (unsigned i = 1; i < j->n_levels; i++)
    if (j->level[i].parent == (int) m->level
        && strncmp (j->level[i].path, m->path, sizeof m->path) == 0)
      return m->column.rank < 0;
  return false;
}

static SlStatus
finish (Json *j)
{
  SlStatus status = SL_SUCCESS;

  j->arrays->columns = j->arrays->headed = true;
  if (j->open >= 0)
    sl_column_give_up (&j->columns, &j->member[j->open].column);
  for (unsigned i = 0; i < j->n && sl_ok (&status); i++)
    {
      Member      *m = &j->member[i];
      const Level *level = &j->level[m->level];
      char         name[SL_ARRAY_NAME];
      size_t       n = sl_json_unescape (m->path, m->n, name);
      SlArray     *array;

      if (is_level (j, m))
        continue;
      status = sl_arrays_add (j->arrays, name, n, &array);
      if (sl_ok (&status))
        status = sl_column_fill (&j->columns, &m->column, level->rows);
      if (sl_ok (&status))
        status = sl_column_finish_rows (&j->columns, &m->column, level->record, j->arrays, array);
    }
  if (j->long_names > 0)
    sl_arrays_note (j->arrays, sl_message ("%llu members with names beyond %d bytes: left out",
                                           (unsigned long long) j->long_names, SL_ARRAY_NAME));
  if (j->strays > 0)
    sl_arrays_note (j->arrays,
                    sl_message ("%llu values in lists of objects that are none: left out",
                                (unsigned long long) j->strays));
  j->arrays->rows = j->level[0].rows;
  return status;
}

SlStatus
sl_json_open (SlArrays *arrays, const char *path, size_t most)
{
  Json    *j = calloc (1, sizeof *j);
  bool     lines = false;
  SlStatus status;

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
