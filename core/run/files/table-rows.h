/* SPDX-License-Identifier: MIT
 *
 * The series of a record side by side, row by row: what its tables are made of.  Columns that
 * reported at different steps are merged.  */
#pragma once

#include "core/run/record/record.h"

typedef struct
{
  const SlRecord *record;                   /* borrowed */
  unsigned        channel[SL_CHANNELS_MAX]; /* (n) the columns, in the order of the layout */
  unsigned        n;
  double          step;          /* of the row */
  double value[SL_CHANNELS_MAX]; /* (n) of the row; not-a-number: no sample, or one that is */
  bool   has[SL_CHANNELS_MAX];   /* (n) a sample at that step */
  double last;
  size_t at[SL_CHANNELS_MAX]; /* (n) */
} SlTableRows;

/* The series channels of one panel, or of all with -1, before the first row with a step in [first,
 * last].  */
void sl_table_rows_init (SlTableRows *rows, const SlRecord *record, int panel, double first,
                         double last);

/* The next step at which any of them has a sample; of several at one step the last counts.  False
 * after the last row.  */
bool sl_table_rows_next (SlTableRows *rows);
