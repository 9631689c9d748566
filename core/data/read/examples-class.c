/* SPDX-License-Identifier: MIT */
#include "core/data/read/examples-parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

enum {
  UNNAMED_CLASSES = 20, /* a column without a heading has few values up to so many, */
  FEWEST_OF_EACH = 4,   /* or beyond if there are so many rows of each */
};

/* The value of class= that names a column. */
static void
option_of (const SlExamples *e, unsigned column, char value[64])
{
  const char *name = e->arrays->array[column].name;

  if (*name != '\0' && strlen (name) < 40 && strpbrk (name, ",:=%\"\\ ") == NULL
      && sl_arrays_find (e->arrays, name) == &e->arrays->array[column])
    snprintf (value, 64, "%.63s", name);
  else
    snprintf (value, 64, "%u", column + 1);
}

static unsigned
find_value (SlExampleValues *values, uint16_t place[4 * SL_CLASSES_MAX], const char *text,
            double value)
{
  uint64_t bits;
  unsigned at;

  value += 0.0; /* no -0 */
  memcpy (&bits, &value, sizeof bits);
  for (at = (unsigned) ((bits * 0x9e3779b97f4a7c15) >> 54);; at = (at + 1) % (4 * SL_CLASSES_MAX))
    {
      if (place[at] == 0)
        break;
      if (values->value[place[at] - 1].value == value)
        return place[at] - 1u;
    }
  if (values->n > SL_CLASSES_MAX)
    return SL_CLASSES_MAX;
  values->whole = values->whole && value == floor (value);
  values->value[values->n] = (SlExampleValue) { text, value, values->n };
  place[at] = (uint16_t) ++values->n;
  return values->n - 1;
}

/* The different values of the rows that are kept, and which each has (unless `label` is NULL). */
static SlStatus
find_values (const SlExamples *e, unsigned column, SlExampleValues *values, uint16_t *label)
{
  const SlArray *array = &e->arrays->array[column];
  uint16_t       place[4 * SL_CLASSES_MAX] = { 0 };
  SlStatus       status = SL_SUCCESS;

  *values = (SlExampleValues) { .whole = true, .words = array->type == SL_ARRAY_TEXTS };
  if (!values->words)
    status = sl_examples_load (e, column);
  for (size_t i = 0; i < e->n && sl_ok (&status); i++)
    {
      uint32_t code = values->words ? sl_examples_code (array, e->row[i]) : 0;
      double   value = values->words ? (double) code : e->number[e->row[i]];
      unsigned which;

      if (code == SL_NO_TEXT || isnan (value))
        continue;
      which = find_value (values, place, values->words ? array->text[code] : NULL, value);
      if (label != NULL)
        label[i] = (uint16_t) which;
      if (values->n > SL_CLASSES_MAX)
        break;
    }
  return status;
}

/* ---- the class ---- */

/* The first of them say so whatever stands below, the others where it can be classes. */
enum { SURE_HEADINGS = 6 };
static const char *const headings[]
  = { "label",    "labels",    "class",    "classes", "classe",  "target",  "y",        "species",
      "survived", "diagnosis", "diagnose", "klasse",  "outcome", "variety", "category", "quality",
      "income",   "churn",     "digit",    "letter",  "kind",    "result",  NULL };

static bool
can_be_class (const SlExamples *e, unsigned column)
{
  SlExampleRole role = e->role[column];

  return role == SL_EXAMPLE_FEATURE || role == SL_EXAMPLE_WORDS || role == SL_EXAMPLE_CLASS
         || (role == SL_EXAMPLE_MANY_WORDS && e->arrays->array[column].type == SL_ARRAY_TEXTS);
}

static bool
has_numbers (const SlExamples *e, unsigned column)
{
  return can_be_class (e, column) || e->role[column] == SL_EXAMPLE_ROW_NUMBERS;
}

/* Few words or whole numbers, which come more than once. */
static bool
has_few (const SlExamples *e, const SlExampleValues *values)
{
  return (values->words || values->whole) && values->n > 1 && values->n < e->n
         && values->n <= SL_CLASSES_MAX
         && (values->n <= UNNAMED_CLASSES || e->n >= (size_t) FEWEST_OF_EACH * values->n);
}

/* Names up to two columns that may be the class as ways out. */
static SlStatus
try_classes (const SlExamples *e, SlStatus status)
{
  SlExampleValues *values = malloc (sizeof *values);
  char             option[64];

  for (unsigned j = e->columns; j-- > 0 && status.n_advice < SL_ADVICE_MAX && values != NULL;)
    {
      SlStatus found;

      if (!can_be_class (e, j) || (j == e->class_column && e->role[j] == SL_EXAMPLE_CLASS))
        continue;
      found = find_values (e, j, values, NULL);
      if (!sl_ok (&found) || !has_few (e, values))
        continue;
      option_of (e, j, option);
      status = sl_status_try (status, "class", option);
    }
  free (values);
  return status;
}

static SlStatus
find_chosen (SlExamples *e, const char *option)
{
  unsigned n = e->columns, column = n;
  char    *end;
  long     number = strtol (option, &end, 10);

  for (unsigned j = n; j-- > 0;)
    if (strcasecmp (e->arrays->array[j].name, option) == 0)
      column = j;
  if (column == n && strcmp (option, "first") == 0)
    column = 0;
  else if (column == n && strcmp (option, "last") == 0)
    column = n - 1;
  else if (column == n && *end == '\0' && number >= 1 && number <= (long) n)
    column = (unsigned) number - 1;
  e->class_column = column;
  if (column < n && has_numbers (e, column))
    return SL_SUCCESS;
  if (column < n)
    {
      SlMessage name = sl_examples_name (e, column);

      return try_classes (e, sl_examples_refuse (e, sl_message ("%s without classes", name.packed),
                                                 sl_message ("a column of classes")));
    }
  return try_classes (
    e, strcmp (option, "none") == 0
         ? sl_examples_refuse (e, sl_message ("no class"), sl_message ("a column of classes"))
         : sl_examples_refuse (e, sl_message ("no column \"%s\"", option),
                               sl_message ("a heading or 1 to %u", n)));
}

/* Whether columns without names are those of a picture and its class. */
static bool
is_sheet (const SlExamples *e)
{
  unsigned channels;

  for (unsigned j = 0; j < e->columns; j++)
    if (e->arrays->array[j].size != 1 || e->arrays->array[j].name[0] != '\0')
      return false;
  return sl_examples_side (e->columns - 1, &channels) > 0;
}

/* Takes a column as the class, or as another reading where there is one; unless it is sure, where it has few values. */
static SlStatus
propose (SlExamples *e, unsigned column, bool sure)
{
  SlExampleValues *values = malloc (sizeof *values);
  SlStatus         status
    = values != NULL ? find_values (e, column, values, NULL) : sl_examples_no_memory (e);
  char      option[64];
  SlMessage name = sl_examples_name (e, column);
  bool      fits = sl_ok (&status) && has_few (e, values);

  option_of (e, column, option);
  if (fits && e->class_column < e->columns)
    sl_reading_other (&e->reading, "class", option, sl_message ("class: %s", name.packed));
  else if (fits || (sure && e->class_column == e->columns))
    e->class_column = column;
  free (values);
  return status;
}

/* The first or the last column; of both rather the one with words at the end, or that before pixels. */
static SlStatus
find_unnamed (SlExamples *e)
{
  unsigned         first = 0, last = e->columns - 1;
  SlExampleValues *values = calloc (2, sizeof *values);
  bool             few_first, few_last, told;
  char             option[64];
  SlStatus         status;

  if (values == NULL)
    return sl_examples_no_memory (e);
  while (last > first && !can_be_class (e, last))
    last--;
  if (last == first)
    last = e->columns - 1;
  status = has_numbers (e, last)
             ? find_values (e, last, &values[1], NULL)
             : sl_examples_refuse (e, sl_message ("no classes in the last column"),
                                   sl_message ("a column of classes"));
  if (sl_ok (&status) && can_be_class (e, first))
    status = find_values (e, first, &values[0], NULL);
  few_first = first < last && values[0].n <= UNNAMED_CLASSES && has_few (e, &values[0]);
  few_last = values[1].n <= UNNAMED_CLASSES && has_few (e, &values[1]);
  told = is_sheet (e) || (values[1].words && !values[0].words);
  e->class_column = last;
  if (few_first && (!few_last || is_sheet (e)))
    e->class_column = first;
  else if (!few_first && !few_last && first < last && has_few (e, &values[0])
           && (!has_few (e, &values[1]) || is_sheet (e)))
    e->class_column = first;
  if (sl_ok (&status) && few_first && few_last && !told)
    {
      status = sl_examples_refuse (e, sl_message ("classes in both the first and last column"),
                                   sl_message ("to be told which is the class"));
      option_of (e, first, option);
      status = sl_status_try (status, "class", option);
      option_of (e, last, option);
      status = sl_status_try (status, "class", option);
    }
  else if (sl_ok (&status) && few_first && few_last)
    status = propose (e, e->class_column == last ? first : last, false);
  free (values);
  return status;
}

SlStatus
sl_examples_find_class (SlExamples *e)
{
  const char *option = e->options->class_column;
  SlStatus    status = SL_SUCCESS;

  e->class_column = e->columns;
  if (option != NULL && *option != '\0')
    status = find_chosen (e, option);
  else
    for (unsigned i = 0; headings[i] != NULL; i++)
      for (unsigned j = e->columns; j-- > 0 && sl_ok (&status);)
        if (strcasecmp (headings[i], e->arrays->array[j].name) == 0 && can_be_class (e, j))
          status = propose (e, j, i < SURE_HEADINGS);
  e->named = e->class_column < e->columns;
  if (sl_ok (&status) && !e->named)
    status = find_unnamed (e);
  if (sl_ok (&status))
    e->role[e->class_column] = SL_EXAMPLE_CLASS;
  return status;
}

/* ---- classes ---- */

static int
compare_values (const void *a, const void *b)
{
  const SlExampleValue *one = a, *other = b;

  /* Numbers come before words. */
  if ((one->text == NULL) != (other->text == NULL))
    return one->text == NULL ? -1 : 1;
  if (one->text == NULL)
    return (one->value > other->value) - (one->value < other->value);
  return strcmp (one->text, other->text);
}

/* Classes that are numbers in a column that also has words. */
static SlStatus
read_numbers (SlExamples *e)
{
  SlNumbers numbers;

  if (!sl_numbers_init (&numbers, '.'))
    return sl_examples_no_memory (e);
  for (unsigned i = 0; i < e->classes.n && e->classes.words; i++)
    {
      SlExampleValue *class = &e->classes.value[i];
      SlNumber    number;
      const char *end = sl_number_read (&numbers, class->text, &number);

      if (end != NULL && *end == '\0')
        *class = (SlExampleValue) { NULL, number.real, class->label };
    }
  sl_numbers_clear (&numbers);
  return SL_SUCCESS;
}

SlStatus
sl_examples_find_classes (SlExamples *e)
{
  SlExampleValues *classes = &e->classes;
  SlMessage        name = sl_examples_name (e, e->class_column);
  SlStatus         status = find_values (e, e->class_column, classes, e->label);

  if (!sl_ok (&status))
    return status;
  if (classes->n < 2)
    return try_classes (e, sl_examples_refuse (e, sl_message ("one class only"),
                                               sl_message ("at least 2 different classes")));
  if (!e->named && classes->words && classes->n == e->n && e->n > UNNAMED_CLASSES)
    return try_classes (
      e, sl_examples_refuse (e, sl_message ("another word in each row of %s", name.packed),
                             sl_message ("classes, which come more than once (class=)")));
  if (classes->n <= SL_CLASSES_MAX
      && (classes->words || (e->named && classes->whole) || has_few (e, classes)
          || (classes->n <= UNNAMED_CLASSES
              && (classes->whole || e->n >= (size_t) FEWEST_OF_EACH * classes->n))))
    {
      status = read_numbers (e);
      qsort (classes->value, classes->n, sizeof *classes->value, compare_values);
      return status;
    }
  if (classes->words)
    return try_classes (
      e,
      sl_examples_refuse (e, sl_message ("more than %d words in %s", SL_CLASSES_MAX, name.packed),
                          sl_message ("at most %d classes", SL_CLASSES_MAX)));
  return try_classes (
    e, sl_examples_refuse (
         e,
         classes->n <= SL_CLASSES_MAX
           ? sl_message ("%u different numbers in %zu rows of %s", classes->n, e->n, name.packed)
           : sl_message ("more than %d different numbers in %s", SL_CLASSES_MAX, name.packed),
         sl_message ("a column of classes (class=)")));
}

void
sl_examples_class_title (const SlExampleValue *class, char number[SL_NUMBER_TEXT],
                         const char **title)
{
  *title = class->text;
  if (class->text == NULL)
    {
      sl_number_show (class->value, number);
      *title = number;
    }
}

SlStatus
sl_examples_name_classes (const SlExamples *e, SlDraft *draft)
{
  const char *title[SL_CLASSES_MAX];
  char (*number)[SL_NUMBER_TEXT] = malloc (e->classes.n * sizeof *number);
  bool     plain = true;
  SlStatus status = SL_SUCCESS;

  if (number == NULL)
    return sl_examples_no_memory (e);
  draft->dataset->classes = e->classes.n;
  for (unsigned i = 0; i < e->classes.n; i++)
    {
      const SlExampleValue *class = &e->classes.value[i];

      sl_examples_class_title (class, number[i], &title[i]);
      plain = plain && class->text == NULL && class->value == i;
    }
  if (!plain)
    status = sl_draft_titles (draft, title, e->classes.n);
  free (number);
  return status;
}
