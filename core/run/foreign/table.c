/* SPDX-License-Identifier: MIT
 *
 * Tables of other programs.  */
#include <math.h>
#include <string.h>

#include "core/data/text/cells.h"
#include "core/run/base/error.h"
#include "core/run/foreign/foreign.h"

typedef struct
{
  SlForeign  *foreign;
  const char *subject;
  GPtrArray  *names;   /* of the columns */
  GByteArray *content; /* a Content of each */
  guint       steps;   /* the column that has them */
} Table;

/* What a column has, by its first cell that is not empty. */
typedef enum { NOTHING, NUMBERS, WORDS } Content;

static SlStatus
wrong (const Table *table, uint64_t line, SlMessage found, SlMessage expected)
{
  return sl_status_at (SL_EFORMAT, table->subject, SL_LINE, line, found, expected);
}

/* An empty cell is not-a-number, with *empty.  FALSE: no number. */
static gboolean
read_number (const SlTextCell *cell, double *value, gboolean *empty)
{
  char *end;

  *empty = cell->length == 0;
  *value = *empty ? (double) NAN : g_ascii_strtod (cell->text, &end);
  return *empty || *end == '\0';
}

/* The column with the best name of steps, or -1. */
static int
find_named (const GPtrArray *names)
{
  int best = -1, best_rank = -1;

  for (guint i = 0; i < names->len; i++)
    {
      int rank = sl_steps_rank (g_ptr_array_index (names, i));

      if (rank >= 0 && (best < 0 || rank < best_rank))
        {
          best = (int) i;
          best_rank = rank;
        }
    }
  return best;
}

/* One that no other column has. */
static char *
name_of (const Table *table, const SlTextCell *cell)
{
  g_autofree char *name = sl_foreign_name (cell->text, cell->length);

  if (cell->length == 0)
    return g_strdup_printf ("column %u", table->names->len + 1);
  if (g_ptr_array_find_with_equal_func (table->names, name, g_str_equal, NULL))
    return g_strdup_printf ("%s (column %u)", name, table->names->len + 1);
  return g_steal_pointer (&name);
}

static SlStatus
read_header (Table *table, SlCells *cells)
{
  gboolean any_text = FALSE;

  if (!sl_cells_row (cells))
    return wrong (table, 1, sl_message ("an empty file"), sl_message ("a table"));
  while (!cells->row_ended)
    {
      SlTextCell cell;
      double     value;
      gboolean   empty;
      SlStatus   status = sl_cells_next (cells, &cell);

      if (!sl_ok (&status))
        return status;
      if (table->names->len > SL_FOREIGN_CURVES_MAX || cell.length > SL_FOREIGN_NAME_MAX)
        return wrong (table, cell.line, sl_message ("too many columns or too long a name"),
                      sl_message ("at most %d columns", SL_FOREIGN_CURVES_MAX));
      any_text |= !read_number (&cell, &value, &empty);
      g_ptr_array_add (table->names, name_of (table, &cell));
      g_byte_array_append (table->content, &(guint8) { NOTHING }, 1);
    }
  if (!any_text)
    return wrong (table, 1, sl_message ("a first row of numbers"),
                  sl_message ("the names of the columns"));
  /* The first column where none has such a name. */
  table->steps = (guint) MAX (find_named (table->names), 0);
  table->foreign->steps = g_strdup (g_ptr_array_index (table->names, table->steps));
  for (guint i = 0; i < table->names->len; i++)
    if (i != table->steps)
      sl_foreign_curve (table->foreign, g_ptr_array_index (table->names, i));
  return SL_SUCCESS;
}

/* Reads a cell of a column; one of words is empty.  FALSE: a word in a column of numbers. */
static gboolean
take_number (const Table *table, guint column, const SlTextCell *cell, double *value,
             gboolean *empty)
{
  guint8  *content = &table->content->data[column];
  gboolean number = read_number (cell, value, empty);

  if (*content == NOTHING && !*empty)
    *content = number || column == table->steps ? NUMBERS : WORDS;
  if (*content == WORDS)
    sl_foreign_leave_out (table->foreign, g_ptr_array_index (table->names, column));
  *empty |= *content == WORDS;
  return number || *empty;
}

/* Reads the cells of a row; `values` has room for all columns, `given` says which are not empty. */
static SlStatus
read_row (const Table *table, SlCells *cells, double *values, gboolean *given)
{
  guint n = 0;

  while (!cells->row_ended)
    {
      SlTextCell cell;
      gboolean   empty;
      SlStatus   status = sl_cells_next (cells, &cell);

      if (!sl_ok (&status))
        return status;
      if (n == table->names->len)
        return wrong (table, cell.line, sl_message ("more cells than the first row has"),
                      sl_message ("%u cells", n));
      if (!take_number (table, n, &cell, &values[n], &empty))
        return wrong (table, cell.line,
                      sl_message ("\"%.40s\" in column %u (%.40s)", cell.text, n + 1,
                                  (const char *) g_ptr_array_index (table->names, n)),
                      sl_message ("a number"));
      given[n++] = !empty;
    }
  for (; n < table->names->len; n++)
    given[n] = FALSE;
  return SL_SUCCESS;
}

static SlStatus
read_rows (const Table *table, SlCells *cells)
{
  g_autofree double   *values = g_new (double, table->names->len);
  g_autofree gboolean *given = g_new (gboolean, table->names->len);

  while (sl_cells_row (cells))
    {
      uint64_t line = cells->line;
      SlStatus status = read_row (table, cells, values, given);
      double   step = values[table->steps];

      if (!sl_ok (&status))
        return status;
      if (!given[table->steps] || !isfinite (step))
        return wrong (table, line,
                      sl_message ("no step in column %u (%.40s)", table->steps + 1,
                                  (const char *) g_ptr_array_index (table->names, table->steps)),
                      sl_message ("a number"));
      for (guint i = 0; i < table->names->len; i++)
        {
          SlForeignCurve *curve
            = i != table->steps && given[i]
                ? sl_foreign_curve (table->foreign, g_ptr_array_index (table->names, i))
                : NULL;

          if (curve != NULL && !sl_foreign_add (table->foreign, curve, step, values[i]))
            return sl_status_at (SL_ENOMEM, table->subject, SL_LINE, line,
                                 sl_message ("more data than fit"),
                                 sl_message ("at most %d numbers", SL_FOREIGN_POINTS_MAX));
        }
    }
  return SL_SUCCESS;
}

gboolean
sl_foreign_read_table (SlForeign *foreign, const char *subject, char *text, gsize length,
                       GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GByteArray) content = g_byte_array_new ();
  Table       table = { foreign, subject, names, content, 0 };
  const char *bad;
  SlCells     cells;
  SlStatus    status;

  if (!g_utf8_validate_len (text, length, &bad))
    {
      status = sl_status_at (SL_EFORMAT, subject, SL_BYTE, (uint64_t) (bad - text),
                             sl_message ("a byte that is not UTF-8"), sl_message ("text"));
      return sl_status_good (&status, error);
    }
  sl_cells_init (&cells, subject, text, length);
  status = read_header (&table, &cells);
  if (sl_ok (&status))
    status = read_rows (&table, &cells);
  return sl_status_good (&status, error);
}

/* Whether the next row has another number than its step, which is not below `*step` and takes its place. */
static gboolean
has_rising_row (const Table *table, SlCells *cells, double *step)
{
  double   values[SL_FOREIGN_CURVES_MAX + 1], before = *step;
  gboolean given[SL_FOREIGN_CURVES_MAX + 1], any = FALSE;
  SlStatus status;

  if (!sl_cells_row (cells))
    return FALSE;
  status = read_row (table, cells, values, given);
  for (guint i = 0; sl_ok (&status) && i < table->names->len; i++)
    any |= i != table->steps && given[i];
  if (!any || !given[table->steps])
    return FALSE;
  *step = values[table->steps];
  return *step >= before;
}

/* Whether a column of words is what examples are told apart by: the last one, or one that is called so. */
static gboolean
has_classes (const Table *table)
{
  static const char *const called[] = { "label", "class", "target", "species", "y", NULL };

  for (guint i = 0; i < table->names->len; i++)
    {
      g_autofree char *name = g_ascii_strdown (g_ptr_array_index (table->names, i), -1);

      if (table->content->data[i] == WORDS
          && (i + 1 == table->names->len || g_strv_contains (called, name)))
        return TRUE;
    }
  return FALSE;
}

gboolean
sl_foreign_is_table (char *text, gsize length)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GByteArray) content = g_byte_array_new ();
  SlForeign foreign;
  Table     table = { &foreign, "", names, content, 0 };
  double    step = -HUGE_VAL;
  gboolean  is;
  SlCells   cells;
  SlStatus  status;

  if (!g_utf8_validate_len (text, length, NULL))
    return FALSE;
  sl_foreign_init (&foreign, "");
  sl_cells_init (&cells, "", text, length);
  status = read_header (&table, &cells);
  is = sl_ok (&status) && names->len > 1 && find_named (names) >= 0
       && has_rising_row (&table, &cells, &step) && has_rising_row (&table, &cells, &step)
       && !has_classes (&table);
  sl_foreign_clear (&foreign);
  return is;
}
