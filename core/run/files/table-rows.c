/* SPDX-License-Identifier: MIT */
#include "core/run/files/table-rows.h"

#include <math.h>

void
sl_table_rows_init (SlTableRows *rows, const SlRecord *record, int panel, double first, double last)
{
  rows->record = record;
  rows->last = last;
  rows->n = 0;
  for (unsigned c = 0; c < record->layout.n; c++)
    if (record->layout.channel[c].series && (panel < 0 || record->layout.channel[c].panel == panel))
      {
        rows->at[rows->n] = sl_series_find (&record->series[c], first);
        rows->channel[rows->n++] = c;
      }
}

bool
sl_table_rows_next (SlTableRows *rows)
{
  rows->step = HUGE_VAL;
  for (unsigned c = 0; c < rows->n; c++)
    {
      const SlSeries *series = &rows->record->series[rows->channel[c]];

      if (rows->at[c] < series->n)
        rows->step = fmin (rows->step, series->step[rows->at[c]]);
    }
  if (!(rows->step <= rows->last && rows->step < HUGE_VAL))
    return false;
  for (unsigned c = 0; c < rows->n; c++)
    {
      const SlSeries *series = &rows->record->series[rows->channel[c]];

      rows->value[c] = NAN;
      rows->has[c] = rows->at[c] < series->n && series->step[rows->at[c]] == rows->step;
      for (; rows->at[c] < series->n && series->step[rows->at[c]] == rows->step; rows->at[c]++)
        rows->value[c] = series->value[rows->at[c]];
    }
  return true;
}
