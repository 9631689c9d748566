/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/text/table-form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/text/grow.h"

static inline bool
is_blank (char c, char separator)
{
  return c == ' ' || (c == '\t' && separator != '\t');
}

static inline bool
ends_cell (char c, char separator)
{
  return c == separator || c == '\0' || (separator == ' ' && c == '\t');
}

/* A quote in the text is written twice, so the text moves to the front.  Returns what is behind the last. */
static char *
take_quoted (char *at, SlTableCell *cell, const char **wrong)
{
  char *to = cell->text = at + 1;

  for (at++; *at != '\0'; at++)
    {
      if (*at == '"' && *++at != '"')
        {
          cell->n = (size_t) (to - cell->text);
          return at;
        }
      *to++ = *at;
    }
  *wrong = SL_MARK ("a quote that does not close");
  cell->n = (size_t) (to - cell->text);
  return at;
}

SlTableCell
sl_table_cell (char **row, char separator, const char **wrong)
{
  SlTableCell cell = { NULL, 0 };
  char       *at = *row;

  while (is_blank (*at, separator))
    at++;
  if (*at == '"')
    {
      at = take_quoted (at, &cell, wrong);
      if (!ends_cell (*at, separator) && !is_blank (*at, separator))
        *wrong = SL_MARK ("text behind a closing quote");
    }
  else
    {
      cell.text = at;
      while (!ends_cell (*at, separator))
        at++;
      cell.n = (size_t) (at - cell.text);
    }
  while (is_blank (*at, separator))
    at++;
  if (separator == ' ')
    *row = *at != '\0' ? at : NULL;
  else
    {
      while (!ends_cell (*at, separator))
        at++;
      *row = *at != '\0' ? at + 1 : NULL;
    }
  while (cell.n > 0 && is_blank (cell.text[cell.n - 1], separator))
    cell.n--;
  for (; cell.n > 0 && is_blank (*cell.text, separator); cell.n--)
    cell.text++;
  cell.text[cell.n] = '\0';
  return cell;
}

bool
sl_table_goes_on (const char *at, const char *separators)
{
  bool begins = true, inside = false;

  for (; *at != '\0'; at++)
    if (inside)
      inside = *at != '"';
    else if (*at == '"' && (begins || at[-1] == '"'))
      {
        inside = true;
        begins = false;
      }
    else
      begins = strchr (separators, *at) != NULL || (begins && *at == ' ');
  return inside;
}

/* ---- cells ---- */

static bool
is_among (const char *const *words, const char *text)
{
  for (; *words != NULL; words++)
    if (strcasecmp (*words, text) == 0)
      return true;
  return false;
}

/* Digits in groups of three after `sign`, at least once. */
static bool
has_groups (const char *at, char sign)
{
  size_t n = strspn (at, "0123456789");

  if (n == 0 || n > 3 || *at == '0' || at[n] != sign)
    return false;
  for (at += n; *at == sign; at += 4)
    if (strspn (at + 1, "0123456789") != 3)
      return false;
  return *at == '\0' || *at == (sign == ',' ? '.' : ',');
}

/* What spreadsheets write where there is no value. */
static const char *const errors[]
  = { "#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", NULL };

bool
sl_table_is_note (const char *row)
{
  row += strspn (row, " \t");
  for (const char *const *error = errors; *error != NULL; error++)
    if (strncasecmp (*error, row, strlen (*error)) == 0)
      return false;
  return *row == '#';
}

static SlTableKind
kind_of_word (const SlNumbers *numbers, char separator, const SlTableCell *cell)
{
  static const char *const missing[]
    = { "NA", "N/A", "<NA>", "nan", "-nan", "?", "null", "none", NULL },
    *const    endless[] = { "inf", "infinity", NULL };
  const char *digits = cell->text + (*cell->text == '-' || *cell->text == '+');
  SlNumbers   turned = { numbers->c_locale, numbers->point == '.' ? ',' : '.' };
  SlNumber    number;
  const char *end;

  if (is_among (missing, cell->text) || is_among (errors, cell->text))
    return SL_TABLE_MISSING;
  if (is_among (endless, digits))
    return SL_TABLE_ENDLESS;
  if (strspn (digits, "0123456789.,eE+-") != cell->n - (size_t) (digits - cell->text))
    return SL_TABLE_WORD;
  if (has_groups (digits, '.') && (numbers->point == ',' || strchr (digits, ',') != NULL))
    return SL_TABLE_THOUSANDS;
  if (has_groups (digits, ',') && (separator == ',' || strchr (digits, '.') != NULL))
    return SL_TABLE_THOUSANDS;
  end = sl_number_read (&turned, cell->text, &number);
  return end != NULL && *end == '\0' && separator != ',' ? SL_TABLE_TURNED : SL_TABLE_WORD;
}

SlTableKind
sl_table_kind (const SlNumbers *numbers, char separator, const SlTableCell *cell, SlNumber *number)
{
  const char *end;

  number->kind = SL_NUMBER_NONE;
  if (cell->n == 0)
    return SL_TABLE_MISSING;
  end = sl_number_read (numbers, cell->text, number);
  if (end == NULL || *end != '\0')
    return kind_of_word (numbers, separator, cell);
  return isfinite (number->real) ? SL_TABLE_NUMBER : SL_TABLE_ENDLESS;
}

/* ---- looking ---- */

typedef struct
{
  char        *copy;
  SlTableCell *cell;
  size_t       n, room;
} Cut;

typedef struct
{
  const SlTableRow *row;
  unsigned          n;
  SlNumbers         numbers;
  Cut               cut[SL_TABLE_LOOK_ROWS];
} Look;

static bool
cut_row (Cut *cut, const char *text, char separator)
{
  const char *wrong;
  char       *at;

  free (cut->copy);
  cut->n = 0;
  cut->copy = at = strdup (text);
  while (at != NULL)
    {
      if (!sl_grow (&cut->cell, &cut->room, cut->n + 1, sizeof *cut->cell))
        return false;
      cut->cell[cut->n++] = sl_table_cell (&at, separator, &wrong);
    }
  return cut->copy != NULL;
}

static bool
cut_all (Look *l, char separator)
{
  for (unsigned i = 0; i < l->n; i++)
    if (!cut_row (&l->cut[i], l->row[i].text, separator))
      return false;
  return true;
}

/* How well a separator fits: rows of the most frequent length, then the share of numbers among the cells. */
static double
measure (Look *l, char separator)
{
  unsigned best = 0;
  size_t   cells = 0, good = 0;

  for (unsigned i = 0; i < l->n; i++)
    {
      unsigned same = 0;

      for (unsigned k = 0; k < l->n; k++)
        same += l->cut[k].n == l->cut[i].n && l->cut[i].n > 1;
      best = same > best ? same : best;
    }
  for (unsigned i = 0; i < l->n; i++)
    for (size_t j = 0; j < l->cut[i].n; j++, cells++)
      {
        SlNumber    number;
        SlTableKind kind = sl_table_kind (&l->numbers, separator, &l->cut[i].cell[j], &number);

        good += kind == SL_TABLE_NUMBER || kind == SL_TABLE_TURNED;
      }
  return best > 0 ? best + 0.5 * (double) good / (double) cells : 0.0;
}

static bool
find_separator (Look *l, SlTableLook *look)
{
  double best = 0.0;

  look->separator = ',';
  for (const char *candidate = ",;\t "; *candidate != '\0'; candidate++)
    {
      double fit;

      if (!cut_all (l, *candidate))
        return false;
      fit = measure (l, *candidate);
      if (fit > best)
        {
          best = fit;
          look->separator = *candidate;
        }
    }
  return true;
}

/* Decimal commas where there is no decimal point.  Between semicolons, which spreadsheets write where the comma is
 * decimal, a point may stand between thousands.  */
static void
find_decimal (const Look *l, SlTableLook *look)
{
  unsigned commas = 0, points = 0, comma_groups = 0, point_groups = 0;

  look->decimal = '.';
  for (unsigned i = 0; i < l->n && look->separator != ','; i++)
    for (size_t j = 0; j < l->cut[i].n; j++)
      {
        const SlTableCell *cell = &l->cut[i].cell[j];
        const char        *digits = cell->text + strspn (cell->text, "+-");
        SlNumber           number;
        SlTableKind        kind = sl_table_kind (&l->numbers, look->separator, cell, &number);
        bool               pointed = kind == SL_TABLE_NUMBER && strchr (cell->text, '.') != NULL;

        points += pointed;
        commas += kind == SL_TABLE_TURNED;
        comma_groups += kind == SL_TABLE_TURNED && has_groups (digits, ',');
        point_groups += pointed && look->separator == ';' && has_groups (digits, '.');
      }
  if (commas > 0 && (points == 0 || (points == point_groups && comma_groups < commas)))
    look->decimal = ',';
  look->points = points > 0 && look->decimal == '.';
  if (points == 0 && commas > 0 && comma_groups == commas)
    look->either = ',';
  else if (commas == 0 && points > 0 && point_groups == points)
    look->either = '.';
}

static void
find_trailing (Look *l, SlTableLook *look)
{
  bool all = look->separator != ' ' && l->n > 1;

  for (unsigned i = 1; i < l->n && all; i++)
    all = l->cut[i].n > 1 && l->cut[i].cell[l->cut[i].n - 1].n == 0;
  if (!all || (l->cut[0].n == l->cut[1].n && l->cut[0].cell[l->cut[0].n - 1].n > 0))
    return;
  look->trailing = true;
  for (unsigned i = 0; i < l->n; i++)
    l->cut[i].n -= l->cut[i].n > 1 && l->cut[i].cell[l->cut[i].n - 1].n == 0;
}

typedef struct
{
  bool numeric;  /* only numbers and missing cells, and a number */
  bool empty;    /* an empty cell */
  bool has_head; /* the text of the first row */
  bool repeats;  /* a text comes twice */
} Below;

static Below
look_below (const Look *l, size_t column, const SlTableCell *head, const SlTableLook *look)
{
  Below              below = { false, false, false, false };
  bool               words = false;
  const SlTableCell *before = NULL;

  for (unsigned i = 1; i < l->n; i++)
    {
      const SlTableCell *cell = &l->cut[i].cell[column];
      SlNumber           number;
      SlTableKind        kind;

      if (column >= l->cut[i].n)
        continue;
      kind = sl_table_kind (&l->numbers, look->separator, cell, &number);
      below.numeric = below.numeric || (kind != SL_TABLE_WORD && kind != SL_TABLE_MISSING);
      words = words || kind == SL_TABLE_WORD;
      below.empty = below.empty || cell->n == 0;
      below.has_head = below.has_head || (head != NULL && strcmp (cell->text, head->text) == 0);
      below.repeats = below.repeats || (before != NULL && strcmp (cell->text, before->text) == 0);
      before = cell;
    }
  below.numeric = below.numeric && !words;
  return below;
}

static bool
is_word (const Look *l, const SlTableCell *cell, const SlTableLook *look)
{
  SlNumber number;

  return sl_table_kind (&l->numbers, look->separator, cell, &number) == SL_TABLE_WORD;
}

/* A word above numbers; an empty cell above a column that has none; words above columns of few other words. */
static void
find_heading (const Look *l, SlTableLook *look)
{
  const Cut *first = &l->cut[0];
  bool       words = first->n > 0, unlike = l->n > 8;

  look->shifted = l->n > 2 && first->n + 1 == l->cut[1].n && first->n + 1 == l->cut[2].n;
  for (size_t j = 0; j < first->n && !look->headed; j++)
    {
      const SlTableCell *cell = &first->cell[j];
      Below              below = look_below (l, j + look->shifted, cell, look);
      bool               word = is_word (l, cell, look);

      look->headed = (word && below.numeric)
                     || (j == 0 && cell->n == 0 && l->n > 2 && !below.empty && first->n > 1);
      words = words && word;
      unlike = unlike && !below.has_head && below.repeats;
    }
  look->headed = look->headed || (words && (unlike || l->n == 1));
  look->shifted = look->shifted && look->headed;
}

/* A note that has a word for each column. */
static bool
find_noted (Look *l, const char *note, SlTableLook *look)
{
  Cut  cut = { NULL, NULL, 0, 0 };
  bool fits = cut_row (&cut, note, look->separator);

  fits = fits && cut.n > 1 && cut.n == l->cut[0].n;
  for (size_t j = 0; j < cut.n && fits; j++)
    fits = is_word (l, &cut.cell[j], look);
  free (cut.cell);
  free (cut.copy);
  return fits;
}

SlStatus
sl_table_look (const SlTableRow *row, unsigned n, const char *note, const SlTableForm *form,
               const char *path, SlTableLook *look)
{
  Look *l = calloc (1, sizeof *l);
  bool  good = l != NULL && sl_numbers_init (&l->numbers, '.');

  *look = (SlTableLook) { .separator = form->separator };
  if (good)
    {
      l->row = row;
      l->n = n;
      good = form->separator != 0 ? cut_all (l, form->separator)
                                  : find_separator (l, look) && cut_all (l, look->separator);
    }
  if (good && n > 0)
    {
      find_decimal (l, look);
      look->decimal = form->decimal != 0 ? form->decimal : look->decimal;
      look->either = form->decimal != 0 ? 0 : look->either;
      l->numbers.point = look->decimal;
      find_trailing (l, look);
      find_heading (l, look);
      look->headed = form->header != 0 ? form->header > 0 : look->headed;
      look->shifted = look->shifted && look->headed;
      look->noted
        = !look->headed && form->header == 0 && note != NULL && find_noted (l, note, look);
    }
  for (unsigned i = 0; l != NULL && i < n; i++)
    {
      free (l->cut[i].copy);
      free (l->cut[i].cell);
    }
  if (l != NULL)
    sl_numbers_clear (&l->numbers);
  free (l);
  return good ? SL_SUCCESS : sl_status_no_memory (path);
}
