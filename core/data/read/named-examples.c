/* SPDX-License-Identifier: MIT
 *
 * Arrays of examples and of their classes, by their names.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/read/collection.h"
#include "core/data/read/containers/container.h"
#include "core/data/read/examples.h"
#include "core/data/read/sheets.h"
#include "core/data/text/text.h"

/* Names that go together: examples and classes, of training and of the test. */
static const struct
{
  const char *x, *y, *test_x, *test_y;
} names[] = {
  { "x_train", "y_train", "x_test", "y_test" },                     /* Keras */
  { "train_images", "train_labels", "test_images", "test_labels" }, /* MedMNIST and others */
  { "train_data", "train_labels", "test_data", "test_labels" },
  { "X", "y", NULL, NULL },
  { "images", "labels", NULL, NULL },
  { "images", "target", NULL, NULL }, /* scikit-learn, of pictures */
  { "data", "target", NULL, NULL },   /* scikit-learn */
  { "data", "labels", NULL, NULL },
  { "features", "labels", NULL, NULL },
  { "arr_0", "arr_1", NULL, NULL }, /* numpy.savez (f, X, y) */
};

typedef struct
{
  SlArrays *file;
  SlArray  *x, *y, *test_x, *test_y; /* the last two NULL: one heap */
} Named;

static SlArray *
find (const SlArrays *arrays, const char *name)
{
  for (unsigned i = 0; name != NULL && i < arrays->n; i++)
    if (strcasecmp (arrays->array[i].name, name) == 0)
      return &arrays->array[i];
  return NULL;
}

/* Whether y has a class for each example of x. */
static bool
go_together (const SlArray *x, SlArray *y)
{
  if (x == NULL || y == NULL || x->axes < 2 || !(sl_array_whole (x) || sl_array_real (x)))
    return false;
  /* A column of classes, or a row of them as MATLAB has it. */
  if (y->axes == 2 && (y->shape[0] == 1 || y->shape[1] == 1))
    {
      y->stride[0] = y->shape[1] == 1 ? y->stride[0] : y->stride[1];
      y->shape[0] = y->n;
      y->axes = 1;
    }
  return y->axes == 1 && y->n == x->shape[0]
         && (sl_array_whole (y) || sl_array_real (y) || y->type == SL_ARRAY_TEXTS);
}

static bool
find_named (Named *n)
{
  if (n->file->columns)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      n->x = find (n->file, names[i].x);
      n->y = find (n->file, names[i].y);
      if (!go_together (n->x, n->y))
        continue;
      n->test_x = find (n->file, names[i].test_x);
      n->test_y = find (n->file, names[i].test_y);
      if (!go_together (n->test_x, n->test_y))
        n->test_x = n->test_y = NULL;
      return true;
    }
  return false;
}

/* "X (100, 2)" */
static SlMessage
describe (const SlArray *array)
{
  char   text[SL_ARRAY_NAME + SL_ARRAY_AXES * 24], name[41];
  size_t n
    = (size_t) snprintf (text, sizeof text, "%s (",
                         sl_text_printable (array->name, strlen (array->name), name, sizeof name));

  for (unsigned a = 0; a < array->axes; a++)
    n += (size_t) snprintf (text + n, sizeof text - n, a > 0 ? ", %llu" : "%llu",
                            (unsigned long long) array->shape[a]);
  snprintf (text + n, sizeof text - n, ")");
  return sl_message_verbatim (text);
}

/* Says of the first pair of names that is there why it is none of examples and classes. */
static SlStatus
refuse_names (const Named *n)
{
  const char *path = n->file->path;
  SlStatus    status;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const SlArray *x = find (n->file, names[i].x), *y = find (n->file, names[i].y);
      SlMessage      first, second;

      if (x == NULL || y == NULL)
        continue;
      first = describe (x);
      second = describe (y);
      return sl_status_new (SL_EFORMAT, path, sl_message ("%s and %s", first.packed, second.packed),
                            sl_message ("numbers in 2 axes or more, and a class for each row"));
    }
  status = sl_status_new (SL_EFORMAT, path, sl_message ("no examples and classes"),
                          sl_message ("X and y, data and target, x_train and y_train, or recorded "
                                      "routing: topk_ids, router_logits or loads"));
  if (n->file->n == 1 && n->file->array[0].axes > 1)
    return sl_status_try (status, "as", sl_array_real (n->file->array) ? "logits" : "ids");
  return n->file->lent ? status
                       : sl_status_line (status, "np.savez (\"data.npz\", X=examples, y=classes)");
}

/* Columns of a matrix (N, D) as a table has them, and the classes as its last; their numbers stay where they are. */
static SlStatus
add_columns (SlArrays *columns, const SlArray *x, const SlArray *y)
{
  size_t   rows = x->shape[0], width = x->shape[1];
  size_t   across = x->strided ? x->stride[1] : 1, down = x->strided ? x->stride[0] : width;
  SlStatus status = SL_SUCCESS;

  columns->columns = columns->headed = true;
  columns->rows = rows;
  for (size_t j = 0; j <= width && sl_ok (&status); j++)
    {
      const SlArray *whole = j < width ? x : y;
      SlArray       *column;
      char           name[24] = "class", title[SL_ARRAY_NAME];

      if (j < width)
        snprintf (name, sizeof name, "x%zu", j + 1);
      status = sl_arrays_add (columns, name, strlen (name), &column);
      if (!sl_ok (&status))
        break;
      memcpy (title, column->name, sizeof title);
      *column = *whole;
      memcpy (column->name, title, sizeof title);
      column->owned = false;
      column->text = NULL;
      column->n_texts = 0;
      if (j == width)
        continue;
      column->axes = 1;
      column->n = rows;
      column->bytes = x->bytes + j * across * x->size;
      column->strided = true;
      column->stride[0] = down;
    }
  return status;
}

/* Counts what is NaN in each column of an array (N, D) or (N), into the columns from `first` on. */
static SlStatus
count_missing (SlArrays *columns, unsigned first, const SlArray *array)
{
  enum { BLOCK = 4096 };
  unsigned width = array->axes == 2 ? (unsigned) array->shape[1] : 1, j = 0;
  double   block[BLOCK];
  SlStatus status = SL_SUCCESS;

  for (uint64_t i = 0, n; i < array->n && sl_array_real (array) && sl_ok (&status); i += n)
    {
      n = array->n - i < BLOCK ? array->n - i : BLOCK;
      status = sl_array_reals (array, columns->path, i, n, block);
      for (uint64_t at = 0; at < n && sl_ok (&status); at++)
        {
          columns->array[first + j].missing += isnan (block[at]) != 0;
          j = j + 1 < width ? j + 1 : 0;
        }
    }
  return status;
}

/* Rows of features: a table without headings of its own. */
static SlStatus
make_rows (Named *n, const SlCollectionOptions *options, SlDraft *draft)
{
  SlExampleOptions how = { .class_column = "last",
                           .standardise = options->standardise,
                           .missing = options->missing,
                           .splitting = options->splitting };
  SlArrays         columns;
  SlStatus         status = sl_array_load (n->file, n->x);

  if (sl_ok (&status))
    status = sl_array_load (n->file, n->y);
  sl_arrays_init (&columns, n->file->path);
  if (sl_ok (&status))
    status = add_columns (&columns, n->x, n->y);
  if (sl_ok (&status))
    status = count_missing (&columns, 0, n->x);
  if (sl_ok (&status))
    status = count_missing (&columns, columns.n - 1, n->y);
  if (sl_ok (&status))
    {
      SlArray *class = &columns.array[columns.n - 1];

      /* The texts stay those of the file. */
      class->text = n->y->text;
      class->n_texts = n->y->n_texts;
      status = sl_examples_make (&columns, &how, draft);
      class->text = NULL;
      class->n_texts = 0;
    }
  sl_arrays_clear (&columns);
  n->test_x = n->test_y = NULL; /* left out */
  return status;
}

static SlStatus
make_sheets (Named *n, const SlCollectionOptions *options, bool *split, SlDraft *draft)
{
  const char     *path = n->file->path;
  SlSheets        sheets[2] = { { n->file, n->file, n->x, n->y, path, path },
                                { n->file, n->file, n->test_x, n->test_y, path, path } };
  SlSheetsOptions how = { .train = 1, .turned = options->turned };
  SlStatus        status = sl_sheets_join (sheets, n->test_x != NULL ? 2 : 1, &how, draft);

  *split = n->test_x == NULL;
  if (!sl_ok (&status))
    return status;
  return *split ? sl_collection_split (draft, &options->splitting, path)
                : sl_collection_split_off (draft, n->test_x->shape[0], path);
}

/* The arrays that are neither examples nor their classes. */
static void
note_rest (const Named *n, SlFileReading *reading)
{
  enum { NAMES = 4 };
  SlMessage list = SL_NO_MESSAGE;
  unsigned  left = 0;

  for (unsigned i = 0; i < n->file->n; i++)
    {
      const SlArray *array = &n->file->array[i];

      if (array != n->x && array != n->y && array != n->test_x && array != n->test_y
          && left++ < NAMES)
        sl_message_add (&list, left == 1 ? "%.40s" : ", %.40s", array->name);
    }
  if (left > NAMES)
    sl_reading_note (reading, sl_message ("left out: %s and %u more", list.packed, left - NAMES));
  else if (left > 0)
    sl_reading_note (reading, sl_message ("left out: %s", list.packed));
}

SlStatus
sl_collection_of_arrays (SlArrays *arrays, const SlCollectionOptions *options, bool *split,
                         SlDraft *draft)
{
  Named    n = { .file = arrays };
  SlStatus status;

  *draft = (SlDraft) { 0 };
  *split = true;
  if (!find_named (&n))
    status = refuse_names (&n);
  else if (sl_sheets_likely (n.x))
    status = make_sheets (&n, options, split, draft);
  else if (n.x->axes == 2)
    status = make_rows (&n, options, draft);
  else
    status = sl_status_new (SL_EFORMAT, arrays->path, sl_message ("examples of %u axes", n.x->axes),
                            sl_message ("rows of features, or images"));
  if (sl_ok (&status))
    note_rest (&n, &draft->dataset->reading);
  return status;
}

SlStatus
sl_collection_arrays (const char *path, const SlCollectionOptions *options, bool *split,
                      SlDraft *draft)
{
  SlArrays    arrays;
  SlContainer container;
  SlStatus    status = sl_container_find (path, &container);

  *draft = (SlDraft) { 0 };
  *split = true;
  sl_arrays_init (&arrays, path);
  if (sl_ok (&status)
      && (container == SL_CONTAINER_NPZ || container == SL_CONTAINER_TORCH
          || container == SL_CONTAINER_SAFETENSORS))
    status = sl_arrays_open (&arrays, path, container, NULL);
  if (sl_ok (&status))
    status = sl_collection_of_arrays (&arrays, options, split, draft);
  sl_arrays_clear (&arrays);
  return status;
}
