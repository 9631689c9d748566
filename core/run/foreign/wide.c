/* SPDX-License-Identifier: MIT */
#include "core/run/foreign/wide.h"

#include <math.h>

#include "core/run/files/csv.h"
#include "core/run/files/table-rows.h"

/* The rows of a run, one read ahead. */
typedef struct
{
  SlTableRows rows;
  bool        more;
} Ahead;

static void
put_header (GString *csv, const Ahead *runs, const char *const *names, unsigned n)
{
  for (unsigned r = 0; r < n; r++)
    for (unsigned c = 0; c < runs[r].rows.n; c++)
      {
        const SlLayout  *layout = &runs[r].rows.record->layout;
        g_autofree char *name
          = g_strdup_printf ("%s/%s", names[r], layout->channel[runs[r].rows.channel[c]].id);

        sl_csv_text (csv, name);
      }
  sl_csv_end (csv);
}

/* The row at `step`; runs that have a sample there go on. */
static void
put_row (GString *csv, Ahead *runs, unsigned n, double step)
{
  sl_csv_number (csv, step);
  for (unsigned r = 0; r < n; r++)
    {
      bool here = runs[r].more && runs[r].rows.step == step;

      for (unsigned c = 0; c < runs[r].rows.n; c++)
        sl_csv_number (csv, here ? runs[r].rows.value[c] : (double) NAN);
      if (here)
        runs[r].more = sl_table_rows_next (&runs[r].rows);
    }
  sl_csv_end (csv);
}

char *
sl_wide_csv (const SlRecord *const *records, const char *const *names, unsigned n)
{
  g_autofree Ahead *runs = g_new (Ahead, n);
  GString          *csv = g_string_new ("step,");
  double            step = 0;

  for (unsigned r = 0; r < n; r++)
    {
      sl_table_rows_init (&runs[r].rows, records[r], -1, 0, G_MAXDOUBLE);
      runs[r].more = sl_table_rows_next (&runs[r].rows);
    }
  put_header (csv, runs, names, n);
  while (step < HUGE_VAL)
    {
      step = HUGE_VAL;
      for (unsigned r = 0; r < n; r++)
        if (runs[r].more)
          step = fmin (step, runs[r].rows.step);
      if (step < HUGE_VAL)
        put_row (csv, runs, n, step);
    }
  return g_string_free (csv, FALSE);
}
