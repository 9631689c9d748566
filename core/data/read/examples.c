/* SPDX-License-Identifier: MIT */
#include "core/data/read/examples-parts.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/text/text.h"

enum {
  NAMED_FEATURES = 256, /* longer lists of names are not kept, as they cannot be read through */
  LONGEST_NAME = 40,    /* nor those that no axis has room for */
  FEWEST_NUMBERED = 8,  /* rows, or it is chance that they are in order */
  LISTED = 4,
};

SlStatus
sl_examples_refuse (const SlExamples *e, SlMessage found, SlMessage expected)
{
  return sl_status_new (SL_EFORMAT, e->arrays->path, found, expected);
}

SlStatus
sl_examples_no_memory (const SlExamples *e)
{
  return sl_status_no_memory (e->arrays->path);
}

SlMessage
sl_examples_name (const SlExamples *e, unsigned column)
{
  const char *name = e->arrays->array[column].name;
  char        quoted[64];

  if (*name == '\0')
    return sl_message ("column %u", column + 1);
  return sl_message_verbatim (sl_text_quote (name, strlen (name), quoted, sizeof quoted));
}

SlStatus
sl_examples_load (const SlExamples *e, unsigned column)
{
  return sl_array_reals (&e->arrays->array[column], e->arrays->path, 0, e->arrays->rows, e->number);
}

/* "a", "b" and 3 more: the columns of a role, with how many texts they have. */
static SlMessage
list_role (const SlExamples *e, SlExampleRole role, unsigned *n)
{
  SlMessage list = SL_NO_MESSAGE;

  *n = 0;
  for (unsigned j = 0; j < e->columns; j++)
    if (e->role[j] == role && ++*n <= LISTED)
      {
        SlMessage name = sl_examples_name (e, j);

        sl_message_add (&list, *n > 1 ? ", %s" : "%s", name.packed);
        if (role == SL_EXAMPLE_MANY_WORDS && e->arrays->array[j].n_texts > 0)
          sl_message_add (&list, " (%u)", e->arrays->array[j].n_texts);
      }
  if (*n > LISTED)
    sl_message_add (&list, " and %u more", *n - LISTED);
  return list;
}

/* ---- roles ---- */

static bool
is_among (const char *const *words, const char *name)
{
  for (; *words != NULL; words++)
    if (strcasecmp (*words, name) == 0)
      return true;
  return false;
}

/* Whether a column rises by one from row to row. */
static bool
rises (const SlExamples *e)
{
  for (size_t i = 1; i < e->arrays->rows; i++)
    if (!(e->number[i] == e->number[0] + (double) i))
      return false;
  return true;
}
/* "PassengerId" */
static bool
ends_in_id (const char *name)
{
  size_t n = strlen (name);

  return n > 2 && strcasecmp (name + n - 2, "id") == 0
         && (name[n - 2] == 'I' || name[n - 3] == '_');
}

static SlStatus
find_role (SlExamples *e, unsigned column)
{
  static const char *const numbers[]
    = { "",       "id",    "index", "rownames", "row",        "number",
        "row_id", "rowid", "no",    "nr",       "unnamed: 0", NULL };
  const SlArray *array = &e->arrays->array[column];
  SlStatus       status = SL_SUCCESS;

  e->role[column] = array->axes != 1 || array->n != e->arrays->rows ? SL_EXAMPLE_OTHER_SHAPE
                    : array->missing == array->n                    ? SL_EXAMPLE_NO_VALUES
                    : array->type == SL_ARRAY_OTHER                 ? SL_EXAMPLE_MANY_WORDS
                    : array->type != SL_ARRAY_TEXTS                 ? SL_EXAMPLE_FEATURE
                    : array->n_texts <= SL_EXAMPLE_WORDS_MAX        ? SL_EXAMPLE_WORDS
                                                                    : SL_EXAMPLE_MANY_WORDS;
  if (!sl_array_whole (array) || array->n < FEWEST_NUMBERED || e->role[column] != SL_EXAMPLE_FEATURE
      || !(is_among (numbers, array->name) || ends_in_id (array->name)))
    return SL_SUCCESS;
  status = sl_examples_load (e, column);
  if (sl_ok (&status) && rises (e))
    e->role[column] = SL_EXAMPLE_ROW_NUMBERS;
  return status;
}

/* ---- rows ---- */

static bool
is_used (const SlExamples *e, unsigned column)
{
  return e->role[column] <= SL_EXAMPLE_CLASS;
}

/* Whether a cell is missing; the numbers of its column are loaded. */
static bool
is_missing (const SlExamples *e, const SlArray *array, size_t row)
{
  return array->type == SL_ARRAY_TEXTS ? sl_examples_code (array, row) == SL_NO_TEXT
                                       : isnan (e->number[row]);
}

/* Names the first column and its first row. */
static SlStatus
refuse_missing (const SlExamples *e, unsigned columns, unsigned first, uint64_t cells)
{
  const SlArray *array = &e->arrays->array[first];
  size_t         row = 0;
  SlStatus       status = array->type != SL_ARRAY_TEXTS ? sl_examples_load (e, first) : SL_SUCCESS;
  SlMessage      name = sl_examples_name (e, first);
  uint64_t       n = array->missing;
  SlMessage      found
    = n == 1 ? sl_message ("a missing value in %s", name.packed)
             : sl_message ("%llu missing values in %s", (unsigned long long) n, name.packed);

  if (columns > 1)
    sl_message_add (&found, ", %llu in %u columns", (unsigned long long) cells, columns);
  while (sl_ok (&status) && row + 1 < e->n && !is_missing (e, array, row))
    row++;
  if (!sl_ok (&status))
    return status;
  status = sl_status_at (SL_EFORMAT, e->arrays->path, array->missing_line > 0 ? SL_LINE : SL_RECORD,
                         array->missing_line > 0 ? array->missing_line : row, found,
                         sl_message ("a value in each cell"));
  return sl_status_try (status, "missing", "drop");
}

/* Leaves rows out in which a cell of a column that is used is missing. */
static SlStatus
drop_rows (SlExamples *e)
{
  size_t   kept = 0, rows = e->n;
  uint8_t *lacks = calloc (rows + 1, 1);
  SlStatus status = lacks != NULL ? SL_SUCCESS : sl_examples_no_memory (e);

  for (unsigned j = 0; j < e->columns && sl_ok (&status); j++)
    {
      const SlArray *array = &e->arrays->array[j];

      if (!is_used (e, j) || array->missing == 0)
        continue;
      if (array->type != SL_ARRAY_TEXTS)
        status = sl_examples_load (e, j);
      for (size_t i = 0; i < rows; i++)
        lacks[i] |= is_missing (e, array, i);
    }
  for (size_t i = 0; i < rows && sl_ok (&status); i++)
    if (!lacks[i])
      e->row[kept++] = (uint32_t) i;
  free (lacks);
  e->n = kept;
  sl_reading_note (&e->reading,
                   rows - kept == 1
                     ? sl_message ("a row with missing values: left out")
                     : sl_message ("%zu rows with missing values: left out", rows - kept));
  return status;
}

static SlStatus
settle_missing (SlExamples *e)
{
  unsigned columns = 0, first = 0;
  uint64_t cells = 0;

  for (unsigned j = e->columns; j-- > 0;)
    if (is_used (e, j) && e->arrays->array[j].missing > 0)
      {
        columns++;
        cells += e->arrays->array[j].missing;
        first = j;
      }
  if (columns == 0)
    return SL_SUCCESS;
  return e->options->missing == SL_MISSING_DROP ? drop_rows (e)
                                                : refuse_missing (e, columns, first, cells);
}

/* ---- features ---- */

unsigned
sl_examples_count (const SlExamples *e)
{
  unsigned n = 0;

  for (unsigned j = 0; j < e->columns; j++)
    n += e->role[j] == SL_EXAMPLE_WORDS ? e->arrays->array[j].n_texts
                                        : e->role[j] == SL_EXAMPLE_FEATURE;
  return n;
}

/* Mean and deviation over the training examples.  Two passes, since one would lose the digits of a feature far from 0,
 * and relative to the first example, so that the deviation of a constant is exactly 0.  */
static void
measure (const SlExamples *e, const uint32_t *order, size_t n, double *mean, double *deviation)
{
  double origin = e->number[e->row[order[0]]], share = 1.0 / (double) n;

  *mean = *deviation = 0.0;
  for (size_t i = 1; i < n; i++)
    *mean += (e->number[e->row[order[i]]] - origin) * share;
  *mean += origin;
  for (size_t i = 0; i < n; i++)
    {
      double from_mean = e->number[e->row[order[i]]] - *mean;

      *deviation += from_mean * from_mean * share;
    }
  *deviation = sqrt (*deviation);
}

/* The numbers of e->number as feature `f`, standardised or as they are.  *constant: all are the same. */
static void
put_feature (const SlExamples *e, const uint32_t *order, unsigned f, SlDraft *draft, bool *constant)
{
  unsigned width = draft->dataset->features;
  double  *units = draft->dataset->units + 2 * f, first = e->number[e->row[order[0]]];

  units[0] = 0.0;
  units[1] = 1.0;
  if (e->options->standardise)
    measure (e, order, draft->dataset->n[SL_TRAIN], &units[0], &units[1]);
  for (size_t i = 0; i < e->n; i++)
    {
      double value = e->number[e->row[order[i]]];

      *constant = *constant && value == first;
      draft->values[i * width + f]
        = (sl_real) (float) sl_dataset_standard (value, units[0], units[1]);
    }
}

static SlStatus
check_range (const SlExamples *e, unsigned column)
{
  SlMessage name = sl_examples_name (e, column);

  for (size_t i = 0; i < e->n; i++)
    if (!(fabs (e->number[e->row[i]]) <= (double) FLT_MAX))
      return sl_examples_refuse (e, sl_message ("%g in %s", e->number[e->row[i]], name.packed),
                                 sl_message ("numbers of single precision"));
  return SL_SUCCESS;
}

static SlStatus
put_features (SlExamples *e, const uint32_t *order, SlDraft *draft)
{
  unsigned  f = 0, constants = 0;
  SlMessage list = SL_NO_MESSAGE;
  SlStatus  status = SL_SUCCESS;

  draft->dataset->standardised = e->options->standardise;
  draft->dataset->units = calloc (draft->dataset->features, 2 * sizeof (double));
  if (draft->dataset->units == NULL)
    return sl_examples_no_memory (e);
  for (unsigned j = 0; j < e->columns && sl_ok (&status); j++)
    {
      const SlArray *array = &e->arrays->array[j];
      SlMessage      name = sl_examples_name (e, j);
      bool           constant = true;

      if (e->role[j] == SL_EXAMPLE_FEATURE)
        {
          status = sl_examples_load (e, j);
          if (sl_ok (&status))
            status = check_range (e, j);
          if (sl_ok (&status))
            put_feature (e, order, f++, draft, &constant);
        }
      for (uint32_t text = 0; e->role[j] == SL_EXAMPLE_WORDS && text < array->n_texts; text++)
        {
          for (size_t i = 0; i < e->n; i++)
            e->number[e->row[i]] = sl_examples_code (array, e->row[i]) == text;
          put_feature (e, order, f++, draft, &constant);
        }
      if (constant && (e->role[j] == SL_EXAMPLE_FEATURE || e->role[j] == SL_EXAMPLE_WORDS)
          && ++constants <= LISTED)
        sl_message_add (&list, constants > 1 ? ", %s" : "%s", name.packed);
    }
  if (constants > LISTED)
    sl_message_add (&list, " and %u more", constants - LISTED);
  if (constants > 0)
    sl_reading_note (&e->reading, sl_message ("the same in all rows: %s", list.packed));
  return status;
}

/* A table of few columns whose headings can all be shown has them as names of its features. */
static SlStatus
name_features (const SlExamples *e, SlDraft *draft)
{
  char        name[NAMED_FEATURES][2 * LONGEST_NAME];
  const char *title[NAMED_FEATURES];
  unsigned    n = 0;

  if (!e->arrays->headed || draft->dataset->features > NAMED_FEATURES)
    return SL_SUCCESS;
  for (unsigned j = 0; j < e->columns; j++)
    {
      const SlArray *array = &e->arrays->array[j];
      size_t         length = strlen (array->name);

      if (e->role[j] != SL_EXAMPLE_FEATURE && e->role[j] != SL_EXAMPLE_WORDS)
        continue;
      if (length == 0 || length > LONGEST_NAME)
        return SL_SUCCESS;
      for (uint32_t text = 0; e->role[j] == SL_EXAMPLE_FEATURE ? text == 0 : text < array->n_texts;
           text++, n++)
        {
          char whole[2 * LONGEST_NAME];

          snprintf (whole, sizeof whole, e->role[j] == SL_EXAMPLE_FEATURE ? "%s" : "%s=%s",
                    array->name, e->role[j] == SL_EXAMPLE_FEATURE ? "" : array->text[text]);
          sl_text_printable (whole, strlen (whole), name[n], sizeof name[n]);
          title[n] = name[n];
        }
    }
  return sl_draft_feature_titles (draft, title);
}

/* ---- the reading ---- */

static void
note_roles (SlExamples *e)
{
  unsigned  n;
  SlMessage list = list_role (e, SL_EXAMPLE_ROW_NUMBERS, &n);

  if (n > 0)
    sl_reading_note (&e->reading, sl_message ("left out, numbers the rows: %s", list.packed));
  list = list_role (e, SL_EXAMPLE_WORDS, &n);
  if (n > 0)
    sl_reading_note (&e->reading, sl_message ("words, a feature for each: %s", list.packed));
  list = list_role (e, SL_EXAMPLE_MANY_WORDS, &n);
  if (n > 0)
    sl_reading_note (&e->reading, sl_message ("left out, more than %d words: %s",
                                              SL_EXAMPLE_WORDS_MAX, list.packed));
  list = list_role (e, SL_EXAMPLE_NO_VALUES, &n);
  if (n > 0)
    sl_reading_note (&e->reading, sl_message ("left out, all missing: %s", list.packed));
  list = list_role (e, SL_EXAMPLE_OTHER_SHAPE, &n);
  if (n > 0)
    sl_reading_note (&e->reading, sl_message ("left out, no number a row: %s", list.packed));
}

static SlMessage
say (const SlExamples *e, const SlDataset *dataset)
{
  enum { TITLES = 3 };
  SlMessage name = sl_examples_name (e, e->class_column), classes = SL_NO_MESSAGE, features;

  for (unsigned i = 0; i < e->classes.n && i < TITLES; i++)
    {
      char        number[SL_NUMBER_TEXT], shown[40];
      const char *title;

      sl_examples_class_title (&e->classes.value[i], number, &title);
      sl_message_add (&classes, i > 0 ? ", %s" : "%s",
                      sl_text_printable (title, strlen (title), shown, sizeof shown));
    }
  if (e->classes.n > TITLES)
    sl_message_add (&classes, ", …");
  features
    = dataset->width > 0 && dataset->channels > 1
        ? sl_message ("pictures of %u × %u pixels in colour", dataset->width, dataset->height)
      : dataset->width > 0
        ? sl_message ("pictures of %u × %u pixels", dataset->width, dataset->height)
        : sl_message ("%u features", dataset->features);
  if (dataset->width == 0 && dataset->feature_title != NULL)
    sl_message_add (&features, dataset->features > 1 ? " (%s, …)" : " (%s)",
                    dataset->feature_title[0]);
  return sl_message ("%zu examples, %s, class: %s (%u: %s)", e->n, features.packed, name.packed,
                     e->classes.n, classes.packed);
}

/* ---- all of it ---- */

static SlStatus
fill_draft (SlExamples *e, const SlExamplePixels *pixels, SlDraft *draft)
{
  uint32_t *order = sl_split_order (&e->options->splitting, e->n);
  uint8_t   rank[SL_CLASSES_MAX + 1];
  SlStatus status = order != NULL ? sl_examples_name_classes (e, draft) : sl_examples_no_memory (e);

  for (unsigned i = 0; i < e->classes.n; i++)
    rank[e->classes.value[i].label] = (uint8_t) i;
  for (size_t i = 0; i < e->n && order != NULL; i++)
    draft->label[i] = rank[e->label[order[i]]];
  if (sl_ok (&status))
    status = pixels->side > 0 ? sl_examples_put_pictures (e, pixels, order, draft)
                              : put_features (e, order, draft);
  if (sl_ok (&status) && pixels->side == 0)
    status = name_features (e, draft);
  free (order);
  return status;
}

static SlStatus
make_draft (SlExamples *e, SlDraft *draft)
{
  size_t          sizes[SL_N_SPLITS];
  SlExamplePixels pixels = { .column = NULL };
  SlStatus        status = sl_split_sizes (&e->options->splitting, e->arrays->path, e->n, sizes);

  if (sl_ok (&status))
    status = sl_examples_find_pixels (e, &pixels);
  if (sl_ok (&status))
    status = sl_draft_init (draft, e->arrays->path,
                            pixels.side > 0 && pixels.bytes ? SL_DRAFT_BYTES : SL_DRAFT_VALUES,
                            e->n, sl_examples_count (e), false);
  if (sl_ok (&status))
    {
      memcpy (draft->dataset->n, sizes, sizeof sizes);
      status = fill_draft (e, &pixels, draft);
      note_roles (e);
      e->reading.said = say (e, draft->dataset);
      draft->dataset->reading = e->reading;
      if (!sl_ok (&status))
        sl_draft_clear (draft);
    }
  free (pixels.column);
  return status;
}

/* A word among numbers, of which there are too many to be words.  */
static SlStatus
check_mixed (const SlExamples *e, unsigned column)
{
  const SlArray *array = &e->arrays->array[column];
  uint32_t       n = 0, odd = 0;
  SlNumbers      numbers;

  if (!sl_numbers_init (&numbers, '.'))
    return sl_examples_no_memory (e);
  for (uint32_t i = 0; i < array->n_texts; i++)
    {
      SlNumber    number;
      const char *end = sl_number_read (&numbers, array->text[i], &number);

      if (end != NULL && *end == '\0')
        n++;
      else
        odd = i;
    }
  sl_numbers_clear (&numbers);
  if (n < array->n_texts / 2)
    return SL_SUCCESS;
  {
    SlMessage name = sl_examples_name (e, column);
    char      quoted[64];

    return sl_examples_refuse (
      e,
      sl_message (
        "%s among the numbers of %s",
        sl_text_quote (array->text[odd], strlen (array->text[odd]), quoted, sizeof quoted),
        name.packed),
      sl_message ("numbers"));
  }
}

/* Row numbers are features where there are no others. */
static SlStatus
settle_features (SlExamples *e)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned j = 0; j < e->columns && sl_examples_count (e) == 0; j++)
    if (e->role[j] == SL_EXAMPLE_ROW_NUMBERS)
      e->role[j] = SL_EXAMPLE_FEATURE;
  for (unsigned j = 0; j < e->columns && sl_ok (&status); j++)
    if (e->role[j] == SL_EXAMPLE_MANY_WORDS && e->arrays->array[j].n_texts > 0)
      status = check_mixed (e, j);
  if (!sl_ok (&status))
    return status;
  return sl_examples_count (e) > 0
           ? SL_SUCCESS
           : sl_examples_refuse (e, sl_message ("no features"), sl_message ("columns of numbers"));
}

static SlStatus
find_roles (SlExamples *e)
{
  SlStatus status = SL_SUCCESS;

  for (unsigned j = 0; j < e->columns && sl_ok (&status); j++)
    {
      status = e->arrays->array[j].axes == 1 ? sl_array_load (e->arrays, &e->arrays->array[j])
                                             : SL_SUCCESS;
      if (sl_ok (&status))
        status = find_role (e, j);
    }
  if (sl_ok (&status))
    status = sl_examples_find_class (e);
  return sl_ok (&status) ? settle_features (e) : status;
}

static SlStatus
make (SlExamples *e, SlDraft *draft)
{
  SlStatus status = find_roles (e);

  if (sl_ok (&status))
    status = settle_missing (e);
  if (sl_ok (&status))
    status = sl_examples_find_classes (e);
  return sl_ok (&status) ? make_draft (e, draft) : status;
}

static void
end (SlExamples *e)
{
  if (e == NULL)
    return;
  free (e->role);
  free (e->row);
  free (e->number);
  free (e->label);
  free (e);
}

/* With all rows, none of which has been looked at; to be ended also after a failure. */
static SlStatus
begin (SlArrays *arrays, const SlExampleOptions *options, SlExamples **to)
{
  SlExamples *e = *to = calloc (1, sizeof *e);

  if (e == NULL)
    return sl_status_no_memory (arrays->path);
  e->arrays = arrays;
  while (e->columns < arrays->n && arrays->array[e->columns].axes > 0)
    e->columns++;
  e->options = options;
  e->n = arrays->rows;
  e->role = calloc (arrays->n + 1, sizeof *e->role);
  e->row = calloc (e->n + 1, sizeof *e->row);
  e->number = calloc (e->n + 1, sizeof *e->number);
  e->label = calloc (e->n + 1, sizeof *e->label);
  for (size_t i = 0; i < e->n && e->row != NULL; i++)
    e->row[i] = (uint32_t) i;
  for (unsigned i = 0; i < arrays->n_notes; i++)
    sl_reading_note (&e->reading, arrays->note[i]);
  if (e->role == NULL || e->row == NULL || e->number == NULL || e->label == NULL)
    return sl_examples_no_memory (e);
  if (e->columns < 2)
    return sl_examples_refuse (e, sl_message ("one column"),
                               sl_message ("a table of features and a class"));
  if (e->n == 0)
    return sl_examples_refuse (e, sl_message ("no examples"),
                               sl_message ("a line for each example"));
  return SL_SUCCESS;
}

SlStatus
sl_examples_make (SlArrays *arrays, const SlExampleOptions *options, SlDraft *draft)
{
  SlExamples *e;
  SlStatus    status = begin (arrays, options, &e);

  *draft = (SlDraft) { 0 };
  if (sl_ok (&status))
    status = make (e, draft);
  end (e);
  return status;
}

SlStatus
sl_examples_roles (SlArrays *arrays, const SlExampleOptions *options, SlExampleRole *role)
{
  SlExamples *e;
  SlStatus    status = begin (arrays, options, &e);

  if (sl_ok (&status))
    {
      status = find_roles (e);
      memcpy (role, e->role, e->columns * sizeof *role);
    }
  end (e);
  return status;
}

SlStatus
sl_examples_open (const char *path, const SlTableForm *form, const SlExampleOptions *options,
                  SlDraft *draft)
{
  SlArrays arrays;
  SlStatus status;

  *draft = (SlDraft) { 0 };
  sl_arrays_init (&arrays, path);
  status = sl_table_open (&arrays, path, form);
  if (sl_ok (&status))
    status = sl_examples_make (&arrays, options, draft);
  sl_arrays_clear (&arrays);
  return status;
}
