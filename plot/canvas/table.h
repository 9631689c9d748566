/* SPDX-License-Identifier: MIT
 *
 * The values of the curves of a page as columns under names, which other programs read.  */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/base/geometry.h"

typedef struct
{
  GPtrArray *names;   /* char *, each once: letters, digits and hyphens */
  GPtrArray *columns; /* GArray of double, as many as names */
} SlValueTable;

void sl_value_table_init (SlValueTable *table);
void sl_value_table_clear (SlValueTable *table);

/* Adds a column, which the table takes over, and returns its name, which is made of `id`. */
const char *sl_value_table_add (SlValueTable *table, const char *id, GArray *values);

/* The columns of a curve (borrowed points): x under "ID-x", which may be that of an earlier curve over
 * the same places, and y under "ID".  */
const char *sl_value_table_x (SlValueTable *table, const char *id, const SlXY *points, size_t n);
const char *sl_value_table_y (SlValueTable *table, const char *id, const SlXY *points, size_t n);

/* A row of names and rows of values, "nan" where there is none, with `between` between two columns; nothing for a
 * table without columns.  */
void sl_value_table_append (const SlValueTable *table, char between, GString *out);

/* A value as in the table. */
void sl_value_append (GString *out, double value);
