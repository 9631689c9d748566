/* SPDX-License-Identifier: MIT */
#include "core/data/read/csv.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/text/bytes.h"
#include "core/data/text/cells.h"
#include "core/data/text/text.h"

/* Where a feature is cut, so that it stays finite whatever the training examples were; in
 * standard deviations if it is standardised.  */
#define FARTHEST 1e6

/* Longer lists of names are not kept, as they cannot be read through, nor those that no axis has
 * room for.  */
enum { NAMED_FEATURES = 256, LONGEST_NAME = 40 };

typedef enum {
  EMPTY,
  NUMBER,
  NOT_FINITE,
  WORD,
} CellKind;

typedef struct
{
  char  *text;
  bool   numeric;
  double value; /* of a numeric one */
} Class;

typedef struct
{
  const char *path;
  locale_t    c_locale; /* the program may run under any */
  SlCells     cells;
  SlTextCell *first;  /* (columns) the first row */
  bool        headed; /* which are headings */
  bool        named;  /* and one of them says where the class is */
  uint64_t    first_line;
  size_t      columns, class_column;
  double     *values; /* (n, columns - 1) */
  uint8_t    *label;  /* (n) */
  size_t      n, room;
  unsigned    classes;
  Class class[SL_CLASSES_MAX];
} Table;

bool
sl_csv_likely (const uint8_t *head, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (head[i] == 0x7f || (head[i] < 0x20 && strchr ("\t\n\r", head[i]) == NULL) || head[i] == 0)
      return false;
  return size > 0;
}

/* Plain decimal numbers of at most 15 digits, nearly all there are: whole number and power of
 * ten are exact, so their quotient is the right one (Clinger 1990), several times faster than
 * strtod().  False for anything else.  */
static bool
read_short (const SlTextCell *cell, double *value)
{
  static const double tens[]
    = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15 };
  const char *at = cell->text + (cell->text[0] == '-');
  uint64_t    number = 0;
  unsigned    digits = 0, behind = 0;
  bool        point = false;

  if (cell->length > 17)
    return false;
  for (; *at != '\0'; at++)
    if (*at >= '0' && *at <= '9')
      {
        number = 10 * number + (uint64_t) (*at - '0');
        digits++;
        behind += point;
      }
    else if (*at == '.' && !point)
      point = true;
    else
      return false;
  if (digits == 0 || digits > 15)
    return false;
  *value = (double) number / tens[behind];
  if (cell->text[0] == '-')
    *value = -*value;
  return true;
}

static CellKind
classify_cell (const Table *table, const SlTextCell *cell, double *value)
{
  static const char *const words[] = { "nan", "inf", "infinity" };
  const char              *unsigned_text;
  char                    *end;

  if (cell->length == 0)
    return EMPTY;
  if (read_short (cell, value))
    return NUMBER;
  unsigned_text = cell->text + strspn (cell->text, "+-");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp (unsigned_text, words[i]) == 0)
      return NOT_FINITE;
  /* strtod() knows more than decimal numbers. */
  if (strspn (cell->text, "0123456789+-.eE") != cell->length)
    return WORD;
  *value = strtod_l (cell->text, &end, table->c_locale);
  if (*end != '\0' || end == cell->text)
    return WORD;
  return fabs (*value) <= (double) FLT_MAX ? NUMBER : NOT_FINITE;
}

static SlStatus
at_line (const Table *table, uint64_t line, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, table->path, SL_LINE, line, found, expected);
}

static SlStatus
no_memory (const Table *table)
{
  return sl_status_no_memory (table->path);
}

/* "abc" in column 3 (width) */
static SlStatus
bad_cell (const Table *table, const SlTextCell *cell, size_t column, CellKind kind,
          SlMessage expected)
{
  char      quoted[64], heading[64];
  SlMessage found;

  sl_text_quote (cell->text, cell->length, quoted, sizeof quoted);
  found = kind == EMPTY ? sl_message ("an empty cell in column %zu", column + 1)
                        : sl_message ("%s in column %zu", quoted, column + 1);
  if (table->headed)
    sl_message_add (&found, ", %s",
                    sl_text_quote (table->first[column].text, table->first[column].length, heading,
                                   sizeof heading));
  return at_line (table, cell->line, found, expected);
}

/* Whether a cell says that there is no value, in one of the ways in use. */
static bool
is_missing (const char *text)
{
  static const char *const words[] = { "?", "NA", "N/A", "#N/A", "<NA>", "nan", "null" };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp (text, words[i]) == 0)
      return true;
  return false;
}

/* The number of the class that a cell names; a new one if need be. */
static SlStatus
find_class (Table *table, const SlTextCell *cell, uint8_t *label)
{
  double   value = 0.0;
  CellKind kind = classify_cell (table, cell, &value);
  bool     numeric = kind == NUMBER;

  for (unsigned i = 0; i < table->classes; i++)
    {
      const Class *class = &table->class[i];

      if (numeric ? class->numeric && class->value == value
                  : !class->numeric && strcmp (class->text, cell->text) == 0)
        {
          *label = (uint8_t) i;
          return SL_SUCCESS;
        }
    }
  if (kind == EMPTY || kind == NOT_FINITE || is_missing (cell->text))
    return bad_cell (table, cell, table->class_column, kind,
                     sl_message ("a class; leave out rows that have none"));
  if (!sl_utf8_valid (cell->text, cell->length))
    return bad_cell (table, cell, table->class_column, kind, sl_message ("text in UTF-8"));
  if (table->classes == SL_CLASSES_MAX)
    return at_line (table, cell->line, sl_message ("the 257th different class"),
                    sl_message ("at most 256 classes"));
  *label = (uint8_t) table->classes;
  table->class[table->classes++]
    = (Class) { .text = cell->text, .numeric = numeric, .value = value };
  return SL_SUCCESS;
}

/* Room for one row more; grows by doubling within the budget. */
static SlStatus
make_room (Table *table)
{
  size_t   width = table->columns - 1, room = table->room > 0 ? 2 * table->room : 256;
  double  *values;
  uint8_t *label;

  if (table->n < table->room)
    return SL_SUCCESS;
  if (room > SL_DATA_BUDGET / (width * sizeof (double)))
    room = SL_DATA_BUDGET / (width * sizeof (double));
  if (room <= table->n)
    return sl_status_at (SL_ENOMEM, table->path, SL_LINE, table->cells.line,
                         sl_message ("more data than fit"),
                         sl_message ("at most %zu MiB of numbers", SL_DATA_BUDGET >> 20));
  values = realloc (table->values, room * width * sizeof *values);
  if (values != NULL)
    table->values = values;
  label = realloc (table->label, room);
  if (label != NULL)
    table->label = label;
  if (values == NULL || label == NULL)
    return no_memory (table);
  table->room = room;
  return SL_SUCCESS;
}

/* Stores the cell in column `column` of the row that is being read. */
static SlStatus
take_cell (Table *table, const SlTextCell *cell, size_t column)
{
  double  *value = table->values + table->n * (table->columns - 1);
  CellKind kind;

  if (column == table->class_column)
    return find_class (table, cell, &table->label[table->n]);
  value += column - (column > table->class_column);
  kind = classify_cell (table, cell, value);
  if (kind == NUMBER)
    return SL_SUCCESS;
  return bad_cell (table, cell, column, kind,
                   kind == NOT_FINITE ? sl_message ("a finite number")
                                      : sl_message ("a number with a decimal point"));
}

static SlStatus
fail_ragged (const Table *table, uint64_t line, size_t cells)
{
  return at_line (
    table, line, cells == 1 ? sl_message ("1 cell") : sl_message ("%zu cells", cells),
    sl_message ("%zu as in line %llu", table->columns, (unsigned long long) table->first_line));
}

static SlStatus
read_row (Table *table)
{
  uint64_t   line = table->cells.line;
  size_t     column = 0;
  SlStatus   status = make_room (table);
  SlTextCell cell;

  for (; sl_ok (&status) && !table->cells.row_ended; column++)
    {
      status = sl_cells_next (&table->cells, &cell);
      if (sl_ok (&status) && column < table->columns)
        status = take_cell (table, &cell, column);
    }
  if (sl_ok (&status) && column != table->columns)
    return fail_ragged (table, line, column);
  table->n++;
  return status;
}

/* The column with this heading, or the number of columns. */
static size_t
find_heading (const Table *table, const char *heading)
{
  size_t column = 0;

  while (column < table->columns && strcasecmp (table->first[column].text, heading) != 0)
    column++;
  return column;
}

/* Where the class is, and whether the first row is one of headings. */
static void
understand_first_row (Table *table)
{
  static const char *const headings[] = { "label", "class" };
  double                   value;

  for (size_t i = 0; i < 2; i++)
    {
      table->class_column = find_heading (table, headings[i]);
      table->headed = table->class_column < table->columns;
      table->named = table->headed;
      if (table->headed)
        return;
    }
  table->class_column = table->columns - 1;
  table->headed = true;
  for (size_t i = 0; i + 1 < table->columns && table->headed; i++)
    table->headed = classify_cell (table, &table->first[i], &value) == WORD;
}

static SlStatus
read_first_row (Table *table)
{
  size_t   room = 0;
  SlStatus status = SL_SUCCESS;

  if (!sl_cells_row (&table->cells))
    return at_line (table, table->cells.line, sl_message ("no text"),
                    sl_message ("a table with a line for each example"));
  table->first_line = table->cells.line;
  while (!table->cells.row_ended)
    {
      if (table->columns == room)
        {
          SlTextCell *larger;

          room = room > 0 ? 2 * room : 64;
          larger = realloc (table->first, room * sizeof *larger);
          if (larger == NULL)
            return no_memory (table);
          table->first = larger;
        }
      status = sl_cells_next (&table->cells, &table->first[table->columns]);
      if (!sl_ok (&status))
        return status;
      table->columns++;
    }
  if (table->columns < 2 || table->columns - 1 > SL_FEATURES_MAX)
    return at_line (table, table->first_line,
                    table->columns < 2 ? sl_message ("one column")
                                       : sl_message ("more than 1048577 columns"),
                    sl_message ("features and a class, separated by commas, semicolons or tabs"));
  understand_first_row (table);
  if (table->headed)
    return SL_SUCCESS;
  status = make_room (table);
  for (size_t i = 0; i < table->columns && sl_ok (&status); i++)
    status = take_cell (table, &table->first[i], i);
  table->n = 1;
  return status;
}

/* A last column without a heading is a quantity when it has more than UNNAMED_CLASSES different
 * numbers and fewer than FEWEST_OF_EACH rows for each.  */
enum { UNNAMED_CLASSES = 20, FEWEST_OF_EACH = 4 };

static SlStatus
check_classes (const Table *table)
{
  bool numeric = true;

  if (table->classes < 2)
    return sl_status_new (SL_EFORMAT, table->path, sl_message ("one class only"),
                          sl_message ("at least 2 different classes"));
  for (unsigned i = 0; i < table->classes; i++)
    numeric = numeric && table->class[i].numeric;
  if (table->named || !numeric || table->classes <= UNNAMED_CLASSES
      || table->n >= (size_t) FEWEST_OF_EACH * table->classes)
    return SL_SUCCESS;
  return sl_status_new (
    SL_EFORMAT, table->path,
    sl_message ("%u different numbers in the last column of %zu rows", table->classes, table->n),
    sl_message ("classes; a column of them with the heading \"label\" is taken as it is"));
}

static SlStatus
read_rows (Table *table)
{
  SlStatus status = read_first_row (table);

  while (sl_ok (&status) && sl_cells_row (&table->cells))
    status = read_row (table);
  if (!sl_ok (&status))
    return status;
  if (table->n == 0)
    return at_line (table, table->cells.line, sl_message ("no examples"),
                    sl_message ("a line for each example"));
  return check_classes (table);
}

static int
compare_classes (const void *a, const void *b)
{
  const Class *one = *(const Class *const *) a, *other = *(const Class *const *) b;

  /* Numbers come before words. */
  if (one->numeric != other->numeric)
    return one->numeric ? -1 : 1;
  if (one->numeric)
    return (one->value > other->value) - (one->value < other->value);
  return strcmp (one->text, other->text);
}

/* Sorts the classes; `rank` becomes the place of each one. */
static SlStatus
name_classes (const Table *table, SlDraft *draft, uint8_t rank[SL_CLASSES_MAX])
{
  const Class *sorted[SL_CLASSES_MAX];
  const char  *title[SL_CLASSES_MAX];
  bool         plain = true;

  for (unsigned i = 0; i < table->classes; i++)
    sorted[i] = &table->class[i];
  qsort (sorted, table->classes, sizeof *sorted, compare_classes);
  for (unsigned i = 0; i < table->classes; i++)
    {
      rank[sorted[i] - table->class] = (uint8_t) i;
      title[i] = sorted[i]->text;
      plain = plain && sorted[i]->numeric && sorted[i]->value == i;
    }
  draft->dataset->classes = table->classes;
  return plain ? SL_SUCCESS : sl_draft_titles (draft, title, table->classes);
}

/* The feature, from 1, that only counts the rows, from 0 or 1 on; 0: there is none. */
static unsigned
find_row_numbers (const Table *table)
{
  enum { FEWEST = 8 };
  size_t width = table->columns - 1;

  for (size_t j = 0; j < width && table->n >= FEWEST; j++)
    {
      double first = table->values[j];
      size_t i = 0;

      while (i < table->n && table->values[i * width + j] == first + (double) i)
        i++;
      if (i == table->n && (first == 0.0 || first == 1.0))
        return (unsigned) j + 1;
    }
  return 0;
}

/* A table of few columns whose headings can all be shown has them as names of its features. */
static SlStatus
name_features (const Table *table, SlDraft *draft)
{
  const char *title[NAMED_FEATURES];
  size_t      n = 0;

  if (!table->headed || table->columns - 1 > NAMED_FEATURES)
    return SL_SUCCESS;
  for (size_t i = 0; i < table->columns; i++)
    {
      const SlTextCell *cell = &table->first[i];

      if (i == table->class_column)
        continue;
      if (cell->length == 0 || cell->length > LONGEST_NAME
          || !sl_utf8_valid (cell->text, cell->length))
        return SL_SUCCESS;
      for (size_t at = 0; at < cell->length; at++)
        if ((unsigned char) cell->text[at] < ' ')
          return SL_SUCCESS;
      title[n++] = cell->text;
    }
  return sl_draft_feature_titles (draft, title);
}

/* Means and deviations of all features over the first `n` examples of the order.  Two passes,
 * since one would lose the digits of a feature far from 0, and relative to the first example,
 * so that the deviation of a constant is exactly 0.  */
static void
measure_column (const Table *table, const uint32_t *order, size_t n, double *mean,
                double *deviation)
{
  size_t        width = table->columns - 1;
  const double *origin = table->values + order[0] * width;
  double        share = 1.0 / (double) n;

  for (size_t i = 1; i < n; i++)
    for (size_t j = 0; j < width; j++)
      mean[j] += (table->values[order[i] * width + j] - origin[j]) * share;
  for (size_t j = 0; j < width; j++)
    mean[j] += origin[j];
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < width; j++)
      {
        double from_mean = table->values[order[i] * width + j] - mean[j];

        deviation[j] += from_mean * from_mean * share;
      }
  for (size_t j = 0; j < width; j++)
    deviation[j] = sqrt (deviation[j]);
}

/* The features in their new order, standardised or as they are. */
static SlStatus
copy_features (const Table *table, const uint32_t *order, bool standardise, SlDraft *draft)
{
  size_t  width = table->columns - 1;
  double *mean = calloc (2 * width, sizeof *mean), *deviation = mean + width;

  if (mean == NULL)
    return no_memory (table);
  draft->dataset->standardised = standardise;
  if (standardise)
    measure_column (table, order, draft->dataset->n[SL_TRAIN], mean, deviation);
  for (size_t j = 0; !standardise && j < width; j++)
    deviation[j] = 1.0;
  for (size_t i = 0; i < table->n; i++)
    for (size_t j = 0; j < width; j++)
      {
        double value = table->values[order[i] * width + j];
        double z = deviation[j] > 0.0 ? (value - mean[j]) / deviation[j] : 0.0;

        draft->values[i * width + j] = (sl_real) (float) fmin (fmax (z, -FARTHEST), FARTHEST);
      }
  free (mean);
  return SL_SUCCESS;
}

static SlStatus
make_draft (const Table *table, const SlSplitting *splitting, bool standardise, SlDraft *draft)
{
  size_t    sizes[SL_N_SPLITS];
  uint8_t   rank[SL_CLASSES_MAX];
  uint32_t *order;
  SlStatus  status = sl_split_sizes (splitting, table->path, table->n, sizes);

  if (!sl_ok (&status))
    return status;
  status = sl_draft_init (draft, table->path, SL_DRAFT_VALUES, table->n, table->columns - 1, false);
  if (!sl_ok (&status))
    return status;
  memcpy (draft->dataset->n, sizes, sizeof sizes);
  (void) find_row_numbers;
  status = name_classes (table, draft, rank);
  if (sl_ok (&status))
    status = name_features (table, draft);
  order = sl_split_order (splitting, table->n);
  if (sl_ok (&status) && order == NULL)
    status = no_memory (table);
  if (sl_ok (&status))
    status = copy_features (table, order, standardise, draft);
  for (size_t i = 0; i < table->n && sl_ok (&status); i++)
    draft->label[i] = rank[table->label[order[i]]];
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  free (order);
  return status;
}

SlStatus
sl_csv_open (const char *path, const SlSplitting *splitting, bool standardise, SlDraft *draft)
{
  Table    table = { .path = path };
  uint8_t *text;
  size_t   size;
  SlStatus status = sl_bytes_file (path, SL_DATA_BUDGET, &text, &size);

  *draft = (SlDraft) { 0 };
  if (!sl_ok (&status))
    return status;
  table.c_locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  if (table.c_locale != (locale_t) 0)
    {
      sl_cells_init (&table.cells, path, (char *) text, size);
      status = read_rows (&table);
      if (sl_ok (&status))
        status = make_draft (&table, splitting, standardise, draft);
      freelocale (table.c_locale);
    }
  else
    status = no_memory (&table);
  free (table.first);
  free (table.values);
  free (table.label);
  free (text);
  return status;
}
