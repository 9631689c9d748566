/* SPDX-License-Identifier: MIT */
#include "core/data/read/svhn.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/read/mat.h"
#include "core/data/set/relabel.h"
#include "core/data/text/folder.h"

enum { SIDE = 32, AREA = SIDE * SIDE, CHANNELS = 3, PIXELS = CHANNELS * AREA, CLASSES = 10 };

static const char *const titles[CLASSES] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };

/* What one file has. */
typedef struct
{
  const char *path;
  size_t      n, n_labels;
  uint8_t    *pixels; /* (n, PIXELS), or NULL until X is there */
  uint8_t    *label;  /* (n_labels), or NULL until y is there */
} Digits;

static void
clear_digits (Digits *digits)
{
  free (digits->pixels);
  free (digits->label);
  digits->pixels = digits->label = NULL;
}

/* A picture as MATLAB has it, column after column, from row after row. */
static void
turn_picture (const uint8_t *columns, uint8_t *rows)
{
  for (size_t c = 0; c < CHANNELS; c++)
    for (size_t row = 0; row < SIDE; row++)
      for (size_t column = 0; column < SIDE; column++)
        *rows++ = columns[c * AREA + column * SIDE + row];
}

static SlStatus
read_pictures (SlMat *mat, const SlMatArray *array, Digits *digits)
{
  const uint64_t *size = array->size;
  uint8_t         picture[PIXELS];
  SlStatus        status = SL_SUCCESS;

  /* A single picture has lost its last axis. */
  if ((array->axes != 3 && array->axes != 4) || size[0] != SIDE || size[1] != SIDE
      || size[2] != CHANNELS || !array->bytes || array->numbers == 0)
    return sl_status_new (SL_EFORMAT, digits->path,
                          sl_message ("X of %u axes, %llu × %llu × %llu", array->axes,
                                      (unsigned long long) size[0], (unsigned long long) size[1],
                                      (unsigned long long) size[2]),
                          sl_message ("X of 32 × 32 × 3 × N bytes (uint8)"));
  if (array->numbers > SL_DATA_BUDGET)
    return sl_status_new (SL_ENOMEM, digits->path,
                          sl_message ("%.1f MiB of pictures", (double) array->numbers / 1048576.0),
                          sl_message ("at most %zu MiB", SL_DATA_BUDGET >> 20));
  digits->n = (size_t) array->numbers / PIXELS;
  digits->pixels = malloc (digits->n * PIXELS);
  if (digits->pixels == NULL)
    return sl_status_no_memory (digits->path);
  for (size_t i = 0; i < digits->n && sl_ok (&status); i++)
    {
      status = sl_mat_bytes (mat, picture, sizeof picture);
      if (sl_ok (&status))
        turn_picture (picture, digits->pixels + i * PIXELS);
    }
  return status;
}

static SlStatus
read_labels (SlMat *mat, const SlMatArray *array, Digits *digits)
{
  SlStatus status = SL_SUCCESS;

  if (array->axes != 2 || array->numbers == 0 || array->numbers > SL_DATA_BUDGET / PIXELS)
    return sl_status_new (SL_EFORMAT, digits->path,
                          sl_message ("y of %llu numbers", (unsigned long long) array->numbers),
                          sl_message ("y of a label for each picture"));
  digits->n_labels = (size_t) array->numbers;
  digits->label = malloc (digits->n_labels);
  if (digits->label == NULL)
    return sl_status_no_memory (digits->path);
  for (size_t i = 0; i < digits->n_labels && sl_ok (&status); i++)
    {
      double label;

      status = sl_mat_doubles (mat, &label, 1);
      if (!sl_ok (&status))
        return status;
      if (!(label >= 1 && label <= CLASSES) || label != (double) (int) label)
        return sl_status_at (SL_EFORMAT, digits->path, SL_RECORD, i, sl_message ("label %g", label),
                             sl_message ("a label from 1 to 10"));
      digits->label[i] = (uint8_t) ((int) label % CLASSES);
    }
  return status;
}

static SlStatus
read_arrays (SlMat *mat, Digits *digits)
{
  SlMatArray array;
  bool       found = true;
  SlStatus   status = SL_SUCCESS;

  while (found && sl_ok (&status) && (digits->pixels == NULL || digits->label == NULL))
    {
      status = sl_mat_next (mat, &array, &found);
      if (!sl_ok (&status) || !found)
        return status;
      if (digits->pixels == NULL && strcmp (array.name, "X") == 0)
        status = read_pictures (mat, &array, digits);
      else if (digits->label == NULL && strcmp (array.name, "y") == 0)
        status = read_labels (mat, &array, digits);
    }
  return status;
}

static SlStatus
read_file (Digits *digits)
{
  SlMat   *mat;
  SlStatus status = sl_mat_open (&mat, digits->path);

  if (!sl_ok (&status))
    return status;
  status = read_arrays (mat, digits);
  sl_mat_close (mat);
  if (!sl_ok (&status))
    return status;
  if (digits->pixels == NULL || digits->label == NULL)
    return sl_status_new (
      SL_EFORMAT, digits->path,
      digits->pixels == NULL ? sl_message ("no pictures X") : sl_message ("no labels y"),
      sl_message ("cropped digits: X of 32 × 32 × 3 × N bytes and y of N labels"));
  if (digits->n != digits->n_labels)
    return sl_status_new (SL_EFORMAT, digits->path, sl_message ("%zu labels", digits->n_labels),
                          sl_message ("%zu, one for each picture", digits->n));
  return SL_SUCCESS;
}

/* One data set of all digits, in order. */
static SlStatus
join (const Digits *files, unsigned n_files, SlDraft *draft)
{
  size_t   n = files[0].n + (n_files > 1 ? files[1].n : 0);
  SlStatus status = sl_draft_init (draft, files[0].path, SL_DRAFT_BYTES, n, PIXELS, false);

  if (!sl_ok (&status))
    return status;
  n = 0;
  for (unsigned i = 0; i < n_files; n += files[i++].n)
    {
      memcpy (draft->bytes + n * PIXELS, files[i].pixels, files[i].n * PIXELS);
      memcpy (draft->label + n, files[i].label, files[i].n);
    }
  draft->dataset->width = draft->dataset->height = SIDE;
  draft->dataset->channels = CHANNELS;
  status = sl_relabel (
    draft, &(SlLabelling) { .known = CLASSES, .train_path = files[0].path, .n_train = draft->n });
  if (sl_ok (&status))
    status = sl_draft_titles (draft, titles, CLASSES);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

SlStatus
sl_svhn_open_file (const char *path, SlDraft *draft)
{
  Digits   digits = { .path = path };
  SlStatus status = read_file (&digits);

  *draft = (SlDraft) { 0 };
  if (sl_ok (&status))
    status = join (&digits, 1, draft);
  clear_digits (&digits);
  return status;
}

static SlStatus
open_both (const char *const path[2], SlDraft *draft)
{
  Digits   files[2] = { { .path = path[0] }, { .path = path[1] } };
  SlStatus status = read_file (&files[0]);

  if (sl_ok (&status) && files[0].n < 2)
    status = sl_status_new (SL_EFORMAT, path[0], sl_message ("1 example"),
                            sl_message ("at least 2 examples"));
  if (sl_ok (&status))
    status = read_file (&files[1]);
  if (sl_ok (&status))
    status = join (files, 2, draft);
  if (sl_ok (&status))
    {
      size_t *sizes = draft->dataset->n, valid = files[0].n * 15 / 100;

      sizes[SL_VALID] = valid > 0 ? valid : 1;
      sizes[SL_TRAIN] = files[0].n - sizes[SL_VALID];
      sizes[SL_TEST] = files[1].n;
    }
  clear_digits (&files[0]);
  clear_digits (&files[1]);
  return status;
}

SlStatus
sl_svhn_open_folder (const char *folder, bool *found, SlDraft *draft)
{
  char    *train = sl_folder_file (folder, "train_32x32.mat");
  char    *test = sl_folder_file (folder, "test_32x32.mat");
  SlStatus status = SL_SUCCESS;

  *draft = (SlDraft) { 0 };
  *found = train != NULL || test != NULL;
  if (train != NULL && test != NULL)
    status = open_both ((const char *const[]) { train, test }, draft);
  else if (*found)
    status = sl_status_new (SL_EIO, folder,
                            train == NULL ? sl_message ("no train_32x32.mat")
                                          : sl_message ("no test_32x32.mat"),
                            sl_message ("train_32x32.mat and test_32x32.mat"));
  free (train);
  free (test);
  return status;
}
