/* SPDX-License-Identifier: MIT
 *
 * Arrays of examples and of their classes, by their names.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/read/collection.h"
#include "core/data/read/containers/container.h"
#include "core/data/read/examples.h"
#include "core/data/read/sheets.h"

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
  SlArrays file;
  SlArray *x, *y, *test_x, *test_y; /* the last two NULL: one heap */
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
  if (n->file.columns)
    return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      n->x = find (&n->file, names[i].x);
      n->y = find (&n->file, names[i].y);
      if (!go_together (n->x, n->y))
        continue;
      n->test_x = find (&n->file, names[i].test_x);
      n->test_y = find (&n->file, names[i].test_y);
      if (!go_together (n->test_x, n->test_y))
        n->test_x = n->test_y = NULL;
      return true;
    }
  return false;
}

static SlStatus
open_named (const char *path, Named *n)
{
  SlContainer container;
  SlStatus    status = sl_container_find (path, &container);

  memset (n, 0, sizeof *n);
  sl_arrays_init (&n->file, path);
  if (sl_ok (&status)
      && (container == SL_CONTAINER_NPZ || container == SL_CONTAINER_TORCH
          || container == SL_CONTAINER_SAFETENSORS))
    status = sl_arrays_open (&n->file, path, container, NULL);
  return status;
}

/* Columns of a matrix (N, D) as a table has them, and the classes as its last. */
static SlStatus
add_columns (SlArrays *columns, const SlArray *x, const SlArray *y)
{
  size_t   rows = x->shape[0], width = x->shape[1];
  SlStatus status = SL_SUCCESS;

  columns->columns = columns->headed = true;
  columns->rows = rows;
  for (size_t j = 0; j <= width && sl_ok (&status); j++)
    {
      SlArray *column;
      char     name[24];

      snprintf (name, sizeof name, "x%zu", j + 1);
      status = sl_arrays_add (columns, j < width ? name : "class", j < width ? strlen (name) : 5,
                              &column);
      if (!sl_ok (&status))
        break;
      if (j == width)
        {
          char title[SL_ARRAY_NAME];

          memcpy (title, column->name, sizeof title);
          *column = *y;
          column->owned = false;
          memcpy (column->name, title, sizeof title);
          column->n_texts = 0;
          continue;
        }
      column->type = x->type;
      column->size = x->size;
      column->big = x->big;
      column->axes = 1;
      column->n = column->shape[0] = rows;
      status = sl_array_reserve (columns, column);
      for (size_t i = 0; i < rows && sl_ok (&status); i++)
        memcpy (column->bytes + i * x->size, x->bytes + (i * width + j) * x->size, x->size);
    }
  return status;
}

/* Rows of features: a table without headings of its own. */
static SlStatus
make_rows (Named *n, const SlCollectionOptions *options, SlDraft *draft)
{
  SlExampleOptions how = { .class_column = "last",
                           .standardise = options->standardise,
                           .splitting = options->splitting };
  SlArrays         columns;
  SlStatus         status = sl_array_load (&n->file, n->x);

  if (sl_ok (&status))
    status = sl_array_load (&n->file, n->y);
  sl_arrays_init (&columns, n->file.path);
  if (sl_ok (&status))
    status = add_columns (&columns, n->x, n->y);
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
  const char     *path = n->file.path;
  SlSheets        sheets[2] = { { &n->file, &n->file, n->x, n->y, path, path },
                                { &n->file, &n->file, n->test_x, n->test_y, path, path } };
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

  for (unsigned i = 0; i < n->file.n; i++)
    {
      const SlArray *array = &n->file.array[i];

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
sl_collection_arrays (const char *path, const SlCollectionOptions *options, bool *split,
                      SlDraft *draft)
{
  Named    n;
  SlStatus status = open_named (path, &n);

  *draft = (SlDraft) { 0 };
  *split = true;
  if (sl_ok (&status) && !find_named (&n))
    status = sl_status_line (
      sl_status_new (SL_EFORMAT, path, sl_message ("no examples and classes"),
                     sl_message ("X and y, data and target, or x_train and y_train")),
      "np.savez (\"data.npz\", X=examples, y=classes)");
  else if (sl_ok (&status) && sl_sheets_likely (n.x))
    status = make_sheets (&n, options, split, draft);
  else if (sl_ok (&status) && n.x->axes == 2)
    status = make_rows (&n, options, draft);
  else if (sl_ok (&status))
    status = sl_status_new (SL_EFORMAT, path, sl_message ("examples of %u axes", n.x->axes),
                            sl_message ("rows of features, or images"));
  if (sl_ok (&status))
    note_rest (&n, &draft->dataset->reading);
  sl_arrays_clear (&n.file);
  return status;
}
