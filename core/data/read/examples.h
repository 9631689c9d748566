/* SPDX-License-Identifier: MIT
 *
 * Labelled examples from columns: one is the class, the others are features.
 *
 * The class is the column of a heading such as "label", "class", "target" or "species"; or else the first or the last,
 * whichever has few words or whole numbers while the other has not; where both have it is asked for.  Classes are put
 * in order, numbers before words, and numbered from 0.
 *
 * Columns that number the rows are left out, words become one feature for each of up to 20, a table of bytes of a
 * picture becomes a picture.  All that was decided is told by the data set's reading.  Features may be standardised:
 * mean 0 and standard deviation 1 over the training examples; a feature that is the same in all of them becomes 0.  What
 * lies beyond a million (deviations) is cut there.  */
#pragma once

#include "core/data/read/containers/container.h"
#include "core/data/set/draft.h"

typedef enum {
  SL_MISSING_REFUSE,
  SL_MISSING_DROP, /* leave out rows with a missing cell */
} SlMissing;

typedef struct
{
  const char *
    class_column; /* "first", "last", "none", a heading, or a number from 1; NULL or "": to be found */
  SlMissing   missing;
  bool        standardise;
  SlSplitting splitting;
} SlExampleOptions;

/* What a column is for; after CLASS, why it is left out. */
typedef enum {
  SL_EXAMPLE_FEATURE,
  SL_EXAMPLE_WORDS,
  SL_EXAMPLE_CLASS,
  SL_EXAMPLE_ROW_NUMBERS,
  SL_EXAMPLE_MANY_WORDS,
  SL_EXAMPLE_NO_VALUES,
  SL_EXAMPLE_OTHER_SHAPE, /* lists, dates, … */
} SlExampleRole;

/* Makes and splits examples of the columns.  SL_EFORMAT, most with a way out: missing cells, a class that is
 * not known, not there, a quantity, or of fewer than 2 or more than 256 values; no features, fewer than 3 examples.
 * SL_ENOMEM.  On failure there is nothing to clear but `arrays`, which are the caller's.  */
SlStatus sl_examples_make (SlArrays *arrays, const SlExampleOptions *options, SlDraft *draft);

/* What the columns are for, in `role` (arrays->n), as far as it can be told; a failure that says what cannot leaves
 * the others as they are.  */
SlStatus sl_examples_roles (SlArrays *arrays, const SlExampleOptions *options, SlExampleRole *role);

/* Makes examples of a file with a table.  Also the failures of sl_table_open(). */
SlStatus sl_examples_open (const char *path, const SlTableForm *form,
                           const SlExampleOptions *options, SlDraft *draft);
