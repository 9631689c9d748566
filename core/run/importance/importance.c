/* SPDX-License-Identifier: MIT
 *
 * See importance.h.  */
#include "core/run/importance/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/number.h"

/* Runs of one lab as a table of numbers. */
struct SlImportanceTable
{
  GPtrArray     *runs; /* of SlStoreRun: those that count; only their number after they were read */
  double        *outcome; /* (runs->len) */
  unsigned       columns;
  SlForestColumn column[SL_FOREST_COLUMNS];
  double        *value[SL_FOREST_COLUMNS];
  SlField        field[SL_FOREST_COLUMNS];
  const char    *title[SL_FOREST_COLUMNS];
};

typedef SlImportanceTable Table;

void
sl_importance_table_free (SlImportanceTable *table)
{
  if (table == NULL)
    return;
  for (unsigned c = 0; c < table->columns; c++)
    g_free (table->value[c]);
  g_free (table->outcome);
  g_ptr_array_unref (table->runs);
  g_free (table);
}

/* Those of the lab that have the outcome, evenly thinned to what a forest takes. */
static void
take_runs (Table *table, const GPtrArray *runs, const SlLab *lab, const SlField *outcome)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  SlFieldValue value;

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      sl_field_read (outcome, run, &value);
      if (run->lab == lab && value.kind == SL_FIELD_NUMBER && isfinite (value.number))
        g_ptr_array_add (all, (gpointer) run);
    }
  table->runs = g_ptr_array_new ();
  for (guint i = 0, n = MIN (all->len, SL_FOREST_ROWS); i < n; i++)
    g_ptr_array_add (table->runs, g_ptr_array_index (all, (guint) ((guint64) i * all->len / n)));
  table->outcome = g_new (double, table->runs->len + 1);
  for (guint i = 0; i < table->runs->len; i++)
    {
      sl_field_read (outcome, g_ptr_array_index (table->runs, i), &value);
      table->outcome[i] = value.number;
    }
}

/* Numbers of the texts, in the order in which they come; how many, or 0: too many. */
static unsigned
number_texts (const Table *table, const SlField *field, double *column)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < table->runs->len; i++)
    {
      SlFieldValue value;
      char         text[SL_FIELD_TEXT_SIZE];
      gpointer     number;

      sl_field_read (field, g_ptr_array_index (table->runs, i), &value);
      sl_field_text (&value, text);
      if (!g_hash_table_lookup_extended (known, text, NULL, &number))
        {
          number = GUINT_TO_POINTER (g_hash_table_size (known));
          g_hash_table_insert (known, g_strdup (text), number);
        }
      column[i] = GPOINTER_TO_UINT (number);
    }
  return g_hash_table_size (known) <= SL_FOREST_CATEGORIES ? g_hash_table_size (known) : 0;
}

/* TRUE: all are numbers; `logarithmic` ones are above 0. */
static gboolean
read_numbers (const Table *table, const SlField *field, bool logarithmic, double *column)
{
  SlFieldValue value;

  for (guint i = 0; i < table->runs->len; i++)
    {
      sl_field_read (field, g_ptr_array_index (table->runs, i), &value);
      if (value.kind != SL_FIELD_NUMBER)
        return FALSE;
      column[i] = logarithmic ? log (value.number) : value.number;
    }
  return TRUE;
}

static gboolean
varies (const Table *table, const SlField *field)
{
  SlFieldValue first, other;

  for (guint i = 0; i < table->runs->len; i++)
    {
      sl_field_read (field, g_ptr_array_index (table->runs, i), i == 0 ? &first : &other);
      if (i > 0 && sl_field_compare (&first, &other) != 0)
        return TRUE;
    }
  return FALSE;
}

/* One more column, where the field varies; a parameter that is logarithmic counts so where all values are above 0. */
static void
add_column (Table *table, const char *name, const char *title, const SlParam *param)
{
  unsigned c = table->columns;
  bool     logarithmic = param != NULL && param->logarithmic;
  SlField *field = &table->field[c];
  double  *value;

  if (c == SL_FOREST_COLUMNS || !sl_field_find (name, NULL, field) || !varies (table, field))
    return;
  for (guint i = 0; i < table->runs->len && logarithmic; i++)
    {
      SlFieldValue one;

      sl_field_read (field, g_ptr_array_index (table->runs, i), &one);
      logarithmic = one.kind == SL_FIELD_NUMBER && one.number > 0;
    }
  value = g_new0 (double, table->runs->len);
  table->column[c] = (SlForestColumn) { .value = value };
  if (!read_numbers (table, field, logarithmic, value))
    {
      table->column[c].categories = number_texts (table, field, value);
      if (table->column[c].categories == 0)
        {
          g_free (value);
          return;
        }
    }
  table->value[c] = value;
  table->title[c] = title;
  table->columns++;
}

SlImportanceTable *
sl_importance_table_new (const GPtrArray *runs, const SlLab *lab, const SlField *outcome)
{
  Table *table = g_new0 (Table, 1);

  take_runs (table, runs, lab, outcome);
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      g_autofree char *name = g_strconcat ("set.", lab->params[p].id, NULL);

      add_column (table, name, lab->params[p].title, &lab->params[p]);
    }
  add_column (table, "data", SL_MARK ("Data"), NULL);
  add_column (table, "seed", SL_MARK ("Seed"), NULL);
  return table;
}

static int
by_share (const void *a, const void *b)
{
  const SlImportancePart *x = a, *y = b;

  return (x->share < y->share) - (x->share > y->share);
}

void
sl_importance_measure (const SlImportanceTable *table, SlImportance *importance)
{
  double share[SL_FOREST_COLUMNS], spread[SL_FOREST_COLUMNS], sum = 0;

  *importance = (SlImportance) { .runs = table->runs->len };
  if (table->runs->len < SL_IMPORTANCE_LEAST || table->columns == 0)
    return;
  sl_forest_shares (table->column, table->columns, table->outcome, table->runs->len,
                    SL_IMPORTANCE_SEED, share, spread);
  for (unsigned c = 0; c < table->columns; c++)
    {
      importance->part[c]
        = (SlImportancePart) { table->field[c].id, table->title[c], share[c], spread[c] };
      sum += share[c];
    }
  importance->n = sum > 0 ? table->columns : 0;
  qsort (importance->part, importance->n, sizeof *importance->part, by_share);
}

void
sl_importance_of (const GPtrArray *runs, const SlLab *lab, const SlField *outcome,
                  SlImportance *importance)
{
  g_autoptr (SlImportanceTable) table = sl_importance_table_new (runs, lab, outcome);

  sl_importance_measure (table, importance);
}

char *
sl_importance_csv (const GPtrArray *runs, const SlLab *lab, const SlField *outcome)
{
  GString *csv = g_string_new (NULL);
  g_autoptr (SlImportanceTable) table = sl_importance_table_new (runs, lab, outcome);

  for (unsigned c = 0; c < table->columns; c++)
    sl_csv_text (csv, table->field[c].id);
  sl_csv_text (csv, outcome->id);
  sl_csv_end (csv);
  for (guint i = 0; i < table->runs->len; i++)
    {
      for (unsigned c = 0; c < table->columns; c++)
        {
          g_autofree char *word = g_strdup_printf ("c%u", (unsigned) table->value[c][i]);

          if (table->column[c].categories > 0)
            sl_csv_text (csv, word);
          else
            sl_csv_number (csv, table->value[c][i]);
        }
      sl_csv_number (csv, table->outcome[i]);
      sl_csv_end (csv);
    }
  return g_string_free (csv, FALSE);
}
