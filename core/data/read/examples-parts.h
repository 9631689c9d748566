/* SPDX-License-Identifier: MIT
 *
 * Columns that become examples, for those who make them; see examples.h.  */
#pragma once

#include <string.h>

#include "core/data/read/containers/text/numbers.h"
#include "core/data/read/examples.h"

enum { SL_EXAMPLE_WORDS_MAX = 20 }; /* features that a column of words becomes */

/* A class, or the value of a column that may be one. */
typedef struct
{
  const char *text; /* of the columns, or NULL */
  double      value;
  unsigned    label; /* before they are put in order */
} SlExampleValue;

typedef struct
{
  unsigned       n; /* SL_CLASSES_MAX + 1: more than SL_CLASSES_MAX */
  bool           whole, words;
  SlExampleValue value[SL_CLASSES_MAX + 1];
} SlExampleValues;

typedef struct
{
  SlArrays               *arrays;
  unsigned                columns; /* of the arrays */
  const SlExampleOptions *options;
  SlExampleRole          *role; /* (columns) */
  uint32_t               *row;  /* (n) those that are kept, in the order of the table */
  size_t                  n;
  double                 *number; /* (rows) a column */
  uint16_t               *label;  /* (n) before classes are put in order */
  unsigned                class_column;
  bool                    named; /* by a heading or an option */
  SlExampleValues         classes;
  SlFileReading           reading;
} SlExamples;

SlStatus  sl_examples_refuse (const SlExamples *e, SlMessage found, SlMessage expected);
SlStatus  sl_examples_no_memory (const SlExamples *e);
SlMessage sl_examples_name (const SlExamples *e, unsigned column);

/* Brings a column into e->number. */
SlStatus sl_examples_load (const SlExamples *e, unsigned column);

/* How many features there will be. */
unsigned sl_examples_count (const SlExamples *e);

static inline uint32_t
sl_examples_code (const SlArray *array, size_t row)
{
  uint32_t code;

  memcpy (&code, array->bytes + row * sizeof code, sizeof code);
  return code;
}

/* ---- the class ---- */

/* Finds the column, by the option, its heading or its values. */
SlStatus sl_examples_find_class (SlExamples *e);

/* Its classes in order, in the rows that are kept. */
SlStatus sl_examples_find_classes (SlExamples *e);
SlStatus sl_examples_name_classes (const SlExamples *e, SlDraft *draft);
void     sl_examples_class_title (const SlExampleValue *class, char number[SL_NUMBER_TEXT],
                                  const char **title);

/* ---- pictures ---- */

typedef struct
{
  unsigned  side, channels; /* side 0: features are no pixels */
  unsigned  n;
  unsigned *column; /* (n) of the features */
  double    largest;
  bool      bytes; /* they fill a byte each */
} SlExamplePixels;

/* The square that `n` columns fill, in one or three colours; 0: none. */
unsigned sl_examples_side (unsigned n, unsigned *channels);

/* Whether all features are the pixels of a square.  Columns whose headings do not say so are it if one of them is so
 * bright as no small number is.  */
SlStatus sl_examples_find_pixels (const SlExamples *e, SlExamplePixels *pixels);
SlStatus sl_examples_put_pictures (SlExamples *e, const SlExamplePixels *pixels,
                                   const uint32_t *order, SlDraft *draft);
