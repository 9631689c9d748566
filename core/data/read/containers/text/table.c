/* SPDX-License-Identifier: MIT
 *
 * Delimited text line by line; see container.h.  */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/read/containers/text/columns.h"
#include "core/data/read/containers/text/lines.h"
#include "core/data/read/containers/text/table-form.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

/* The first rows are kept until it is known how to cut them: so many bytes, but at least two. */
enum { LOOK_BYTES = 1 << 20 };

enum { FACTS = 8 };

typedef struct
{
  SlArrays          *arrays;
  const SlTableForm *form;
  SlLines            lines;
  SlNumbers          numbers;
  SlTableLook        look;
  SlColumns          columns;
  SlColumn          *column; /* (n) */
  size_t             n;
  uint64_t           first_line, rows, notes;
  size_t             consumed;
  char              *joined; /* a row of several lines */
  size_t             joined_room;
  char              *note; /* the last one before the table, owned */
  struct
  {
    char    name[32];
    int64_t number;
  } fact[FACTS];
  unsigned   facts;
  SlTableRow row[SL_TABLE_LOOK_ROWS];
  unsigned   n_looked;
  bool       ended;
} Table;

static SlStatus
refuse (const Table *t, uint64_t line, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, t->arrays->path, SL_LINE, line, found, expected);
}

static SlStatus
no_memory (const Table *t)
{
  return sl_status_no_memory (t->arrays->path);
}

/* The name of the file for a line of Python, where it needs no care. */
static const char *
plain_name (const Table *t)
{
  const char *name = strrchr (t->arrays->path, '/');

  name = name != NULL ? name + 1 : t->arrays->path;
  return strlen (name) < 24 && strpbrk (name, "\"\\%") == NULL
             && sl_utf8_valid (name, strlen (name))
           ? name
           : "file.csv";
}

/* Adds a line of Python that has the name of the file between its two parts. */
static SlStatus
advise (const Table *t, SlStatus status, const char *before, const char *behind)
{
  char line[sizeof ((SlAdvice *) NULL)->line];

  snprintf (line, sizeof line, "%s\"%s\"%s", before, plain_name (t), behind);
  return sl_status_line (status, line);
}

/* `number` is such a one: of two signs the last is the decimal one. */
static SlStatus
refuse_thousands (const Table *t, uint64_t line, SlMessage found, const char *number)
{
  SlStatus    status = refuse (t, line, found, sl_message ("no signs between thousands"));
  const char *point = strrchr (number, '.'), *comma = strrchr (number, ',');
  bool        decimal_comma = comma == NULL || (point != NULL && comma > point);
  char        separator[3] = { t->look.separator }, code[160];

  if (t->look.separator == '\t')
    memcpy (separator, "\\t", 3);
  snprintf (code, sizeof code,
            ", sep=\"%s\", decimal=\"%c\", thousands=\"%c\").to_csv (\"plain.csv\", index=False)",
            separator, decimal_comma ? ',' : '.', decimal_comma ? '.' : ',');
  return advise (t, status, "import pandas; pandas.read_csv (", code);
}

static SlMessage
cell_message (const Table *t, const SlTableCell *cell, size_t column)
{
  char        quoted[64], heading[64];
  const char *name = column < t->arrays->n ? t->arrays->array[column].name : "";
  SlMessage   found;

  found = sl_message ("%s in column %zu",
                      sl_text_quote (cell->text, cell->n, quoted, sizeof quoted), column + 1);
  if (*name != '\0')
    sl_message_add (&found, ", %s", sl_text_quote (name, strlen (name), heading, sizeof heading));
  return found;
}

/* A word where only numbers were so far may be a number of another kind. */
static SlStatus
check_word (const Table *t, const SlTableCell *cell, size_t column, SlTableKind kind, uint64_t line)
{
  SlMessage found = cell_message (t, cell, column);
  SlStatus  status;

  if (kind == SL_TABLE_ENDLESS)
    return refuse (t, line, found, sl_message ("a finite number"));
  if (kind == SL_TABLE_THOUSANDS)
    return refuse_thousands (t, line, found, cell->text);
  if (kind != SL_TABLE_TURNED)
    return SL_SUCCESS;
  status
    = refuse (t, line, found, sl_message ("the decimal sign '%c' everywhere", t->look.decimal));
  return t->look.points || t->form->decimal != 0
           ? status
           : sl_status_try (status, "decimal", t->look.decimal == '.' ? "comma" : "point");
}

static SlStatus
put_cell (Table *t, const SlTableCell *cell, size_t column, uint64_t line)
{
  SlColumn   *to = &t->column[column];
  SlNumber    number;
  SlTableKind kind = sl_table_kind (&t->numbers, t->look.separator, cell, &number);
  SlStatus    status = SL_SUCCESS;

  if (kind == SL_TABLE_MISSING)
    return sl_column_missing (&t->columns, to);
  if (kind == SL_TABLE_NUMBER && number.kind == SL_NUMBER_WHOLE)
    return sl_column_whole (&t->columns, to, number.whole);
  if (kind == SL_TABLE_NUMBER)
    return sl_column_real (&t->columns, to, number.real);
  if (to->kind < SL_COLUMN_TEXTS)
    status = check_word (t, cell, column, kind, line);
  return sl_ok (&status) ? sl_column_text (&t->columns, to, cell->text, cell->n) : status;
}

static SlStatus
refuse_ragged (const Table *t, uint64_t line, size_t cells)
{
  return refuse (t, line, cells == 1 ? sl_message ("1 cell") : sl_message ("%zu cells", cells),
                 sl_message ("%zu as in line %llu", t->n, (unsigned long long) t->first_line));
}

static size_t
count_cells (char *at, char separator)
{
  const char *wrong;
  size_t      n = 0;

  for (; at != NULL; n++)
    sl_table_cell (&at, separator, &wrong);
  return n;
}

/* Up to three digits and the separator behind them, nearly all there is in tables of bytes: the place behind them, or
 * NULL for anything else.  */
static inline char *
take_byte (char *at, char separator, unsigned *byte)
{
  unsigned n = 0;

  *byte = 0;
  for (; *at >= '0' && *at <= '9' && n < 3; at++, n++)
    *byte = 10 * *byte + (unsigned) (*at - '0');
  return n > 0 && *byte <= UINT8_MAX && *at == separator ? at + 1 : NULL;
}

static SlStatus
put_row (Table *t, char *at, size_t n, uint64_t line)
{
  size_t   column = 0;
  SlStatus status = SL_SUCCESS;

  t->columns.line = line;
  if (t->look.trailing && n > 0 && at[n - 1] == t->look.separator)
    at[n - 1] = '\0';
  for (; at != NULL && column < t->n && sl_ok (&status); column++)
    {
      unsigned    byte;
      char       *behind = take_byte (at, t->look.separator, &byte);
      const char *wrong = NULL;
      SlTableCell cell;

      if (behind != NULL && t->look.separator != ' ' && sl_column_byte (&t->column[column], byte))
        {
          at = behind;
          continue;
        }
      cell = sl_table_cell (&at, t->look.separator, &wrong);
      status = wrong != NULL ? refuse (t, line, sl_message_word (wrong),
                                       sl_message ("quotes around the whole cell"))
                             : put_cell (t, &cell, column, line);
    }
  if (sl_ok (&status) && (at != NULL || column < t->n))
    return refuse_ragged (t, line, column + count_cells (at, t->look.separator));
  t->rows++;
  return status;
}

/* ---- rows ---- */

/* Joins the lines of a row whose quotes go on. */
static SlStatus
join_lines (Table *t, char **row, size_t *n, const char *separators)
{
  size_t   used = 0, more = *n;
  char    *line = *row;
  SlStatus status = SL_SUCCESS;

  for (;;)
    {
      if (used + more > SL_LINE_MAX || !sl_grow (&t->joined, &t->joined_room, used + more + 2, 1))
        return no_memory (t);
      memcpy (t->joined + used, line, more);
      used += more;
      t->joined[used] = '\0';
      if (!sl_table_goes_on (t->joined, separators))
        break;
      status = sl_lines_next (&t->lines, &line, &more);
      if (!sl_ok (&status) || line == NULL)
        break;
      t->consumed += more + 1;
      t->joined[used++] = '\n';
    }
  *row = t->joined;
  *n = used;
  return status;
}

static void
strip_end (char *row, size_t *n)
{
  while (*n > 0 && row[*n - 1] == '\r')
    row[--*n] = '\0';
}

/* "# name=12 …" before a table: numbers with names. */
static void
take_facts (Table *t, const char *note)
{
  for (const char *at = strchr (note, '='); at != NULL && t->facts < FACTS;
       at = strchr (at + 1, '='))
    {
      const char *name = at;
      size_t      n = strspn (at + 1, "0123456789");

      while (name > note && (isalnum ((unsigned char) name[-1]) || name[-1] == '_'))
        name--;
      if (name == at || (size_t) (at - name) >= sizeof t->fact->name || n == 0 || n > 15)
        continue;
      memcpy (t->fact[t->facts].name, name, (size_t) (at - name));
      t->fact[t->facts++].number = strtoll (at + 1, NULL, 10);
    }
}

/* They become arrays without axes, behind the columns. */
static SlStatus
add_facts (Table *t)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned i = 0; i < t->facts && sl_ok (&status); i++)
    {
      SlArray *array;

      status = sl_arrays_add (t->arrays, t->fact[i].name, strlen (t->fact[i].name), &array);
      if (!sl_ok (&status))
        break;
      array->type = SL_ARRAY_INTEGERS;
      array->size = sizeof t->fact->number;
      status = sl_array_reserve (t->arrays, array);
      if (sl_ok (&status))
        memcpy (array->bytes, &t->fact[i].number, sizeof t->fact->number);
    }
  return status;
}

/* The next row that is neither empty nor a note, or NULL; *line is where it begins. */
static SlStatus
next_row (Table *t, const char *separators, char **row, size_t *n, uint64_t *line)
{
  SlStatus status = SL_SUCCESS;

  while (sl_ok (&status))
    {
      size_t blanks;

      *row = NULL;
      if (t->ended || (t->form->most > 0 && t->consumed >= t->form->most))
        return SL_SUCCESS;
      status = sl_lines_next (&t->lines, row, n);
      if (!sl_ok (&status) || *row == NULL)
        break;
      t->consumed += *n + 1;
      *line = t->lines.number;
      if (*line <= t->form->skip)
        continue;
      strip_end (*row, n);
      blanks = strspn (*row, " \t");
      if (sl_table_is_note (*row))
        {
          t->notes++;
          if (t->n_looked == 0)
            take_facts (t, *row + blanks + 1);
          free (t->n_looked == 0 ? t->note : NULL);
          if (t->n_looked == 0 && (t->note = strdup (*row + blanks + 1)) == NULL)
            return no_memory (t);
          continue;
        }
      if (t->n_looked == 0 && strncasecmp (*row, "sep=", 4) == 0 && *n == 5)
        {
          t->look.separator = (*row)[4];
          continue;
        }
      if ((*row)[blanks] != '\0' || (separators[0] == '\t' && separators[1] == '\0' && blanks > 0))
        break;
    }
  if (sl_ok (&status) && *row != NULL && memchr (*row, '"', *n) != NULL
      && sl_table_goes_on (*row, separators))
    status = join_lines (t, row, n, separators);
  if (*row != NULL && sl_ok (&status))
    strip_end (*row, n);
  return status;
}

/* Keeps the first rows. */
static SlStatus
look_ahead (Table *t)
{
  size_t   bytes = 0;
  SlStatus status = SL_SUCCESS;

  while (t->n_looked < SL_TABLE_LOOK_ROWS && (t->n_looked < 2 || bytes < LOOK_BYTES))
    {
      SlTableRow *kept = &t->row[t->n_looked];
      char       *row;

      status = next_row (t, ",;\t", &row, &kept->n, &kept->line);
      if (!sl_ok (&status) || row == NULL)
        {
          t->ended = true;
          break;
        }
      kept->text = strdup (row);
      if (kept->text == NULL)
        return no_memory (t);
      bytes += kept->n;
      t->n_looked++;
      if (!t->lines.complete)
        break;
    }
  return status;
}

static SlStatus
refuse_others (const Table *t)
{
  const char *first = t->row[0].text;
  size_t      number = strspn (first, "+-.0123456789e"), index, i = 0;

  while (i + 1 < t->n_looked && t->row[i].text[0] == '%')
    i++;
  if (strncasecmp (t->row[i].text, "@relation", 9) == 0)
    return advise (
      t,
      refuse (t, t->row[i].line, sl_message ("a file of Weka (ARFF)"), sl_message ("rows alone")),
      "open (\"plain.csv\", \"w\").writelines (l for l in open (",
      ") if l.strip () and l[0] not in \"%@\")");
  index = number + strspn (first + number, " \t");
  if (number > 0 && index > number && first[index] >= '0' && first[index] <= '9'
      && first[index + strspn (first + index, "0123456789")] == ':')
    return advise (t,
                   refuse (t, t->row[0].line, sl_message ("index:value pairs (libsvm)"),
                           sl_message ("as many cells")),
                   "import numpy, sklearn.datasets as d; x, y = d.load_svmlight_file (",
                   "); numpy.savez (\"plain.npz\", X=x.toarray (), y=y)");
  return SL_SUCCESS;
}

/* Columns named by the cells of a heading, or without a name. */
static SlStatus
add_columns (Table *t, char *heading, size_t n)
{
  SlStatus status = SL_SUCCESS;

  t->arrays->columns = true;
  t->arrays->headed = heading != NULL;
  for (t->n = 0; sl_ok (&status) && (heading != NULL || t->n < n); t->n++)
    {
      SlTableCell cell = { NULL, 0 };
      const char *wrong = NULL;
      SlArray    *array;

      if (heading != NULL && !(t->look.shifted && t->n == 0))
        cell = sl_table_cell (&heading, t->look.separator, &wrong);
      status = sl_arrays_add (t->arrays, cell.n > 0 ? cell.text : "", cell.n, &array);
    }
  t->column = calloc (t->n + 1, sizeof *t->column);
  return sl_ok (&status) && t->column == NULL ? no_memory (t) : status;
}

static SlStatus
begin_columns (Table *t)
{
  SlTableRow *row = &t->row[0];

  t->first_line = row->line;
  if (t->look.noted)
    return add_columns (t, t->note, 0);
  if (t->look.trailing && row->n > 0 && row->text[row->n - 1] == t->look.separator)
    row->text[--row->n] = '\0';
  if (t->look.headed)
    return add_columns (t, row->text, 0);
  {
    char    *copy = strdup (row->text);
    size_t   n = copy != NULL ? count_cells (copy, t->look.separator) : 0;
    SlStatus status = copy != NULL ? add_columns (t, NULL, n) : no_memory (t);

    free (copy);
    return status;
  }
}

static SlStatus
begin (Table *t)
{
  SlTableForm form = *t->form;
  SlStatus    status = look_ahead (t);

  if (!sl_ok (&status))
    return status;
  if (t->n_looked == 0)
    return refuse (t, t->lines.number, sl_message ("no text"),
                   sl_message ("a line for each example"));
  form.separator = form.separator != 0 ? form.separator : t->look.separator;
  status = refuse_others (t);
  if (sl_ok (&status))
    status = sl_table_look (t->row, t->n_looked, t->note, &form, t->arrays->path, &t->look);
  if (!sl_ok (&status))
    return status;
  t->numbers.point = t->look.decimal;
  if (t->look.either != 0)
    {
      char group[] = { '1', t->look.either, '2', '3', '4', '\0' };

      return sl_status_try (
        refuse_thousands (t, t->row[0].line,
                          sl_message ("\"%s\", whose sign may be decimal", group), group),
        "decimal", t->look.either == ',' ? "comma" : "point");
    }
  if (t->look.decimal == ',' && t->form->decimal == 0)
    sl_arrays_note (t->arrays, sl_message ("numbers have a decimal comma"));
  if (t->lines.wide > 0)
    sl_arrays_note (t->arrays, sl_message ("the text is UTF-16"));
  if (t->look.separator != ',' && t->form->separator == 0)
    sl_arrays_note (t->arrays, t->look.separator == ';'    ? sl_message ("separated by semicolons")
                               : t->look.separator == '\t' ? sl_message ("separated by tabs")
                                                           : sl_message ("separated by blanks"));
  return begin_columns (t);
}

/* The last row of a file that was cut off while it was written has fewer cells. */
static bool
is_cut_off (const Table *t, const char *row)
{
  char  *copy = !t->lines.complete && t->rows > 0 ? strdup (row) : NULL;
  size_t n = copy != NULL ? count_cells (copy, t->look.separator) - t->look.trailing : t->n;
  bool   short_of = n < t->n;

  free (copy);
  return short_of;
}

static SlStatus
put_or_leave (Table *t, char *row, size_t n, uint64_t line)
{
  if (!is_cut_off (t, row))
    return put_row (t, row, n, line);
  sl_arrays_note (t->arrays, sl_message ("left out: the last line, cut off"));
  return SL_SUCCESS;
}

static SlStatus
read_rows (Table *t)
{
  const char separators[] = { t->look.separator, t->look.separator == ' ' ? '\t' : '\0', '\0' };
  uint64_t   notes, line;
  bool       complete = t->lines.complete;
  SlStatus   status = SL_SUCCESS;

  t->lines.complete = true;
  for (unsigned i = t->look.headed; i < t->n_looked && sl_ok (&status); i++)
    {
      t->lines.complete = complete || i + 1 < t->n_looked;
      status = put_or_leave (t, t->row[i].text, t->row[i].n, t->row[i].line);
    }
  notes = t->notes;
  while (sl_ok (&status))
    {
      char  *row;
      size_t n;

      status = next_row (t, separators, &row, &n, &line);
      if (!sl_ok (&status) || row == NULL)
        break;
      status = put_or_leave (t, row, n, line);
    }
  if (t->notes > notes)
    sl_arrays_note (t->arrays, sl_message ("left out: %llu lines with #",
                                           (unsigned long long) (t->notes - notes)));
  return status;
}

static SlStatus
finish (Table *t)
{
  SlStatus status = SL_SUCCESS;

  if (t->lines.windows)
    sl_arrays_note (t->arrays, sl_message ("the text is Windows-1252"));
  t->arrays->rows = t->rows;
  for (size_t i = 0; i < t->n && sl_ok (&status); i++)
    status = sl_column_finish (&t->columns, &t->column[i], t->arrays, &t->arrays->array[i]);
  return sl_ok (&status) ? add_facts (t) : status;
}

static void
clear (Table *t)
{
  for (size_t i = 0; i < t->n && t->column != NULL; i++)
    sl_column_clear (&t->column[i]);
  for (unsigned i = 0; i < t->n_looked; i++)
    free (t->row[i].text);
  free (t->column);
  free (t->joined);
  free (t->note);
  sl_lines_close (&t->lines);
  sl_numbers_clear (&t->numbers);
}

SlStatus
sl_table_open (SlArrays *arrays, const char *path, const SlTableForm *form)
{
  static const SlTableForm any = { 0 };
  Table                   *t = calloc (1, sizeof *t);
  SlStatus                 status;

  if (t == NULL)
    return sl_status_no_memory (path);
  arrays->path = path;
  t->arrays = arrays;
  t->form = form != NULL ? form : &any;
  t->columns.path = path;
  status = sl_lines_open (&t->lines, path);
  t->lines.recodes = true;
  if (sl_ok (&status) && !sl_numbers_init (&t->numbers, '.'))
    status = no_memory (t);
  if (sl_ok (&status))
    status = begin (t);
  if (sl_ok (&status))
    status = read_rows (t);
  if (sl_ok (&status))
    status = finish (t);
  clear (t);
  free (t);
  return status;
}
