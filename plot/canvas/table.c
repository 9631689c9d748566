/* SPDX-License-Identifier: MIT */
#include "plot/canvas/table.h"

#include <math.h>
#include <string.h>

void
sl_value_table_init (SlValueTable *table)
{
  table->names = g_ptr_array_new_with_free_func (g_free);
  table->columns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
}

void
sl_value_table_clear (SlValueTable *table)
{
  g_ptr_array_unref (table->names);
  g_ptr_array_unref (table->columns);
}

/* Adds a column; its name is made of a curve's id, of signs that pgfplots takes, and no other column's. */
static const char *
add_column (SlValueTable *table, const char *id, const char *ending, GArray *values)
{
  g_autofree char *plain = g_strcanon (
    g_strdup (id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", '-');
  char *name = g_strconcat (plain, ending, NULL);

  for (unsigned again = 2; g_ptr_array_find_with_equal_func (table->names, name, g_str_equal, NULL);
       again++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u%s", plain, again, ending);
    }
  g_ptr_array_add (table->names, name);
  g_ptr_array_add (table->columns, values);
  return name;
}

/* One coordinate of some points. */
static GArray *
coordinates (const SlXY *points, size_t n, bool of_y)
{
  GArray *values = g_array_sized_new (FALSE, FALSE, sizeof (double), (guint) n);

  for (size_t i = 0; i < n; i++)
    g_array_append_val (values, *(of_y ? &points[i].y : &points[i].x));
  return values;
}

const char *
sl_value_table_add (SlValueTable *table, const char *id, GArray *values)
{
  return add_column (table, id, "", values);
}

const char *
sl_value_table_x (SlValueTable *table, const char *id, const SlXY *points, size_t n)
{
  GArray *values = coordinates (points, n, false);

  for (unsigned c = 0; c < table->columns->len; c++)
    {
      const char   *name = g_ptr_array_index (table->names, c);
      const GArray *column = g_ptr_array_index (table->columns, c);

      if (g_str_has_suffix (name, "-x") && column->len == values->len
          && memcmp (column->data, values->data, values->len * sizeof (double)) == 0)
        {
          g_array_unref (values);
          return name;
        }
    }
  return add_column (table, id, "-x", values);
}

const char *
sl_value_table_y (SlValueTable *table, const char *id, const SlXY *points, size_t n)
{
  return add_column (table, id, "", coordinates (points, n, true));
}

void
sl_value_append (GString *out, double value)
{
  char text[48];

  g_string_append (out, isfinite (value)
                          ? g_ascii_formatd (text, sizeof text, "%.8g", value + 0.0) /* no -0 */
                          : "nan");
}

void
sl_value_table_append (const SlValueTable *table, char between, GString *out)
{
  unsigned rows = 0, n = table->columns->len;

  for (unsigned c = 0; c < n; c++)
    {
      rows = MAX (rows, ((GArray *) g_ptr_array_index (table->columns, c))->len);
      g_string_append_printf (out, "%s%c", (char *) g_ptr_array_index (table->names, c),
                              c + 1 < n ? between : '\n');
    }
  for (unsigned row = 0; row < rows; row++)
    for (unsigned c = 0; c < n; c++)
      {
        const GArray *column = g_ptr_array_index (table->columns, c);

        sl_value_append (out,
                         row < column->len ? g_array_index (column, double, row) : (double) NAN);
        g_string_append_c (out, c + 1 < n ? between : '\n');
      }
}
