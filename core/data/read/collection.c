/* SPDX-License-Identifier: MIT */
#include "core/data/read/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/data/read/containers/container.h"
#include "core/data/read/sheets.h"
#include "core/data/text/folder.h"

enum { BATCHES = 8 };

static const char *const cifar_titles[]
  = { "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck" };

SlStatus
sl_collection_split_off (SlDraft *draft, size_t test, const char *subject)
{
  size_t *n = draft->dataset->n, train = draft->n - test;

  n[SL_TEST] = test;
  n[SL_VALID] = train / 6 > 0 ? train / 6 : 1;
  n[SL_TRAIN] = train - n[SL_VALID];
  if (train >= 2)
    {
      sl_reading_note (&draft->dataset->reading,
                       sl_message ("for validation: %zu of the training files", n[SL_VALID]));
      return SL_SUCCESS;
    }
  sl_draft_clear (draft);
  return sl_status_new (SL_EFORMAT, subject, sl_message ("1 image"),
                        sl_message ("at least 2 images"));
}

SlStatus
sl_collection_split (SlDraft *draft, const SlSplitting *splitting, const char *subject)
{
  SlStatus status = sl_draft_split (draft, splitting, subject);

  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

/* ---- IDX ---- */

/* A pair of files; the image file is read on the thread that calls. */
static SlStatus
open_pair (const char *images, const char *labels, SlArrays file[2], SlSheets *sheets)
{
  SlStatus status = sl_arrays_open (&file[0], images, SL_CONTAINER_IDX, NULL);

  if (sl_ok (&status))
    status = sl_array_load (&file[0], &file[0].array[0]);
  sl_arrays_init (&file[1], labels);
  if (sl_ok (&status))
    status = sl_arrays_open (&file[1], labels, SL_CONTAINER_IDX, NULL);
  *sheets = (SlSheets) { .x_file = &file[0],
                         .y_file = &file[1],
                         .x = file[0].array,
                         .y = file[1].array,
                         .x_path = images,
                         .y_path = labels };
  return status;
}

SlStatus
sl_collection_four (char *const path[4], unsigned classes, bool turned, SlDraft *draft)
{
  SlArrays        file[4];
  SlSheets        sheets[2];
  SlStatus        status[2];
  SlSheetsOptions options = { .known = classes, .train = 1, .turned = turned };

  *draft = (SlDraft) { 0 };
  for (int i = 0; i < 4; i++)
    sl_arrays_init (&file[i], path[i]);
    /* The two big files are independent, so each gets a thread. */
#pragma omp parallel for num_threads(2) schedule(static, 1)
  for (int i = 0; i < 2; i++)
    status[i] = open_pair (path[2 * i], path[2 * i + 1], &file[2 * i], &sheets[i]);
  if (sl_ok (&status[0]))
    status[0] = status[1];
  if (sl_ok (&status[0]))
    status[0] = sl_sheets_join (sheets, 2, &options, draft);
  if (sl_ok (&status[0]))
    status[0] = sl_collection_split_off (draft, sheets[1].x->shape[0], path[0]);
  for (int i = 0; i < 4; i++)
    sl_arrays_clear (&file[i]);
  return status[0];
}

static SlStatus
open_images (const char *path, const SlCollectionOptions *options, SlDraft *draft)
{
  SlArrays        file[2];
  SlSheets        sheets;
  SlSheetsOptions how = { .train = 1, .turned = options->turned };
  char           *labels;
  SlStatus        status = sl_folder_labels (path, &labels);

  for (int i = 0; i < 2; i++)
    sl_arrays_init (&file[i], path);
  if (sl_ok (&status))
    status = open_pair (path, labels, file, &sheets);
  if (sl_ok (&status))
    status = sl_sheets_join (&sheets, 1, &how, draft);
  for (int i = 0; i < 2; i++)
    sl_arrays_clear (&file[i]);
  free (labels);
  return sl_ok (&status) ? sl_collection_split (draft, &options->splitting, path) : status;
}

/* ---- CIFAR ---- */

/* Files of CIFAR-10 or CIFAR-100, the last `test` of them of the test. */
static SlStatus
open_batches (char *const *path, unsigned n, unsigned test, SlDraft *draft)
{
  SlArrays        file[BATCHES];
  SlSheets        sheets[BATCHES];
  SlSheetsOptions how = { .known = 10, .titles = cifar_titles, .train = n - test };
  SlStatus        status = SL_SUCCESS;

  for (unsigned i = 0; i < n; i++)
    sl_arrays_init (&file[i], path[i]);
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    {
      status = sl_arrays_open (&file[i], path[i], SL_CONTAINER_CIFAR, NULL);
      sheets[i] = (SlSheets) { .x_file = &file[i],
                               .y_file = &file[i],
                               .x_path = path[i],
                               .y_path = path[i],
                               .x = sl_arrays_find (&file[i], "images"),
                               .y = sl_arrays_find (&file[i], "labels") };
      if (sl_ok (&status) && sl_arrays_find (&file[i], "coarse") != NULL)
        {
          how.known = 0;
          how.titles = NULL;
        }
    }
  if (sl_ok (&status))
    status = sl_sheets_join (sheets, n, &how, draft);
  for (unsigned i = 0; i < n; i++)
    sl_arrays_clear (&file[i]);
  return status;
}

static SlStatus
split_batches (SlDraft *draft, size_t last, size_t test, bool several, const char *subject)
{
  size_t *n = draft->dataset->n;

  if (!several)
    return sl_collection_split_off (draft, test, subject);
  n[SL_TEST] = test;
  n[SL_VALID] = last;
  n[SL_TRAIN] = draft->n - test - last;
  sl_reading_note (&draft->dataset->reading,
                   sl_message ("the last training file is for validation"));
  return SL_SUCCESS;
}

static size_t
count_of (const char *path)
{
  SlArrays file;
  size_t   n = 0;
  SlStatus status;

  sl_arrays_init (&file, path);
  status = sl_arrays_open (&file, path, SL_CONTAINER_CIFAR, NULL);
  if (sl_ok (&status))
    n = file.array[0].shape[0];
  sl_arrays_clear (&file);
  return n;
}

/* The training files that there are, in order, then the test file. */
static unsigned
list_batches (const char *folder, char *path[BATCHES], bool *test)
{
  char     name[32];
  unsigned n = 0;

  for (int i = 1; i < BATCHES - 1; i++)
    {
      snprintf (name, sizeof name, "data_batch_%d.bin", i);
      path[n] = sl_folder_file (folder, name);
      n += path[n] != NULL;
    }
  path[n] = sl_folder_file (folder, "test_batch.bin");
  if (n == 0 && path[n] == NULL)
    {
      path[0] = sl_folder_file (folder, "train.bin");
      n += path[0] != NULL;
      path[n] = sl_folder_file (folder, "test.bin");
    }
  *test = path[n] != NULL;
  return n + *test;
}

static SlStatus
open_cifar_folder (const char *folder, bool *found, SlDraft *draft)
{
  char    *path[BATCHES] = { NULL };
  bool     test;
  unsigned n = list_batches (folder, path, &test);
  SlStatus status = SL_SUCCESS;

  *found = n > 0;
  if (n > 0 && (!test || n < 2))
    status = sl_status_new (
      SL_EIO, folder, test ? sl_message ("test_batch.bin only") : sl_message ("no test_batch.bin"),
      sl_message ("data_batch_1.bin and so on, and test_batch.bin"));
  else if (n > 0)
    status = open_batches (path, n, 1, draft);
  if (n > 0 && sl_ok (&status))
    status = split_batches (draft, n > 2 ? count_of (path[n - 2]) : 0, count_of (path[n - 1]),
                            n > 2, path[0]);
  for (unsigned i = 0; i < BATCHES; i++)
    free (path[i]);
  return status;
}

/* ---- files and folders ---- */

SlStatus
sl_collection_file (const char *path, const SlCollectionOptions *options, SlDraft *draft)
{
  char       *one = strdup (path);
  SlContainer container;
  SlStatus status = one != NULL ? sl_container_find (path, &container) : sl_status_no_memory (path);

  *draft = (SlDraft) { 0 };
  if (!sl_ok (&status))
    {
      free (one);
      return status;
    }
  if (container == SL_CONTAINER_CIFAR)
    {
      status = open_batches (&one, 1, 0, draft);
      if (sl_ok (&status))
        status = sl_collection_split (draft, &options->splitting, path);
    }
  else
    status = open_images (path, options, draft);
  free (one);
  return status;
}

static SlStatus
refuse_four (const char *folder, char *const path[4])
{
  return sl_status_new (
    SL_EIO, folder,
    path[0] == NULL   ? sl_message ("no train images")
    : path[1] == NULL ? sl_message ("no train labels")
    : path[2] == NULL ? sl_message ("no test images")
                      : sl_message ("no test labels"),
    sl_message ("train-images-idx3-ubyte, train-labels-idx1-ubyte and t10k-..."));
}

/* The one file of images in a folder, if that is one heap. */
static SlStatus
open_only_images (const char *folder, const SlCollectionOptions *options, bool *found,
                  SlDraft *draft)
{
  char    *images = sl_folder_images (folder);
  SlStatus status = SL_SUCCESS;

  *found = images != NULL;
  if (*found)
    status = open_images (images, options, draft);
  free (images);
  return status;
}

/* EMNIST has rows and columns exchanged, and says who it is. */
static bool
is_emnist (const char *path)
{
  return path != NULL && strcasestr (basename (path), "emnist") != NULL;
}

SlStatus
sl_collection_folder (const char *folder, const SlCollectionOptions *options, bool *split,
                      SlDraft *draft)
{
  char    *path[4];
  unsigned n = sl_folder_four (folder, path);
  bool     found = true;
  SlStatus status = SL_SUCCESS;

  *split = false;
  if (n == 4)
    status = sl_collection_four (path, 0, options->turned || is_emnist (path[0]), draft);
  else if (n > 0)
    status = refuse_four (folder, path);
  else
    status = open_cifar_folder (folder, &found, draft);
  sl_folder_forget (path);
  if (found)
    return status;
  status = open_only_images (folder, options, split, draft);
  if (*split)
    return status;
  status = sl_class_folders_open (folder, options, &found, split, draft);
  if (found)
    return status;
  return sl_status_new (SL_EIO, folder, sl_message ("no files of a known collection"),
                        sl_message ("train-images-idx3-ubyte etc., or a folder for each class"));
}
