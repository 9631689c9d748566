/* SPDX-License-Identifier: MIT */
#include "core/data/read/cifar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/relabel.h"
#include "core/data/text/bytes.h"
#include "core/data/text/folder.h"

enum { SIDE = 32, PIXELS = 3 * SIDE * SIDE, RECORD = 1 + PIXELS, CLASSES = 10, FILES = 10 };

static const char *const titles[CLASSES]
  = { "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck" };

/* The records of one file. */
typedef struct
{
  char    *path;
  uint8_t *data; /* (n, RECORD) */
  size_t   n;
} Batch;

bool
sl_cifar_likely (const uint8_t *head, size_t size)
{
  return size > RECORD && head[0] < CLASSES && head[RECORD] < CLASSES;
}

static SlStatus
read_batch (Batch *batch)
{
  size_t   size;
  SlStatus status = sl_bytes_file (batch->path, SL_DATA_BUDGET, &batch->data, &size);

  if (!sl_ok (&status))
    return status;
  batch->n = size / RECORD;
  if (batch->n == 0 || size % RECORD != 0)
    return sl_status_at (SL_EFORMAT, batch->path, SL_BYTE, batch->n * RECORD,
                         sl_message ("%zu bytes", size),
                         sl_message ("whole records of %d bytes, at least one", RECORD));
  for (size_t i = 0; i < batch->n; i++)
    if (batch->data[i * RECORD] >= CLASSES)
      return sl_status_at (SL_EFORMAT, batch->path, SL_RECORD, i,
                           sl_message ("label %u", batch->data[i * RECORD]),
                           sl_message ("a label from 0 to 9"));
  return SL_SUCCESS;
}

/* One data set of all records, in order. */
static SlStatus
join_batches (const Batch *batches, unsigned n_batches, SlDraft *draft)
{
  size_t   n = 0;
  SlStatus status;

  for (unsigned i = 0; i < n_batches; i++)
    n += batches[i].n;
  status = sl_draft_init (draft, batches[0].path, SL_DRAFT_BYTES, n, PIXELS, false);
  if (!sl_ok (&status))
    return status;
  n = 0;
  for (unsigned i = 0; i < n_batches; i++)
    for (size_t j = 0; j < batches[i].n; j++, n++)
      {
        const uint8_t *record = batches[i].data + j * RECORD;

        draft->label[n] = record[0];
        memcpy (draft->bytes + n * PIXELS, record + 1, PIXELS);
      }
  draft->dataset->width = draft->dataset->height = SIDE;
  draft->dataset->channels = 3;
  status = sl_relabel (
    draft, &(SlLabelling) { .known = CLASSES, .train_path = batches[0].path, .n_train = draft->n });
  if (sl_ok (&status))
    status = sl_draft_titles (draft, titles, CLASSES);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

SlStatus
sl_cifar_open_file (const char *path, SlDraft *draft)
{
  Batch    batch = { .path = strdup (path) };
  SlStatus status;

  *draft = (SlDraft) { 0 };
  status = batch.path != NULL ? read_batch (&batch) : sl_status_no_memory (path);
  if (sl_ok (&status))
    status = join_batches (&batch, 1, draft);
  free (batch.path);
  free (batch.data);
  return status;
}

/* The training files that there are, in order, then the test file; returns how many. */
static unsigned
list_batches (const char *folder, Batch batches[FILES], bool *test)
{
  char     name[32];
  unsigned n = 0;

  for (int i = 1; i < FILES; i++)
    {
      snprintf (name, sizeof name, "data_batch_%d.bin", i);
      batches[n].path = sl_folder_file (folder, name);
      n += batches[n].path != NULL;
    }
  batches[n].path = sl_folder_file (folder, "test_batch.bin");
  *test = batches[n].path != NULL;
  return n + *test;
}

SlStatus
sl_cifar_open_folder (const char *folder, bool *found, SlDraft *draft)
{
  Batch    batches[FILES] = { { 0 } };
  bool     test;
  unsigned n = list_batches (folder, batches, &test);
  SlStatus status = SL_SUCCESS;

  *draft = (SlDraft) { 0 };
  *found = n > 0;
  if (n > 0 && (!test || n < 2))
    status = sl_status_new (
      SL_EIO, folder, test ? sl_message ("test_batch.bin only") : sl_message ("no test_batch.bin"),
      sl_message ("data_batch_1.bin and so on, and test_batch.bin"));
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    status = read_batch (&batches[i]);
  if (n > 0 && sl_ok (&status))
    status = join_batches (batches, n, draft);
  if (n > 0 && sl_ok (&status))
    {
      size_t *sizes = draft->dataset->n;
      size_t  train = draft->n - batches[n - 1].n;

      sizes[SL_TEST] = batches[n - 1].n;
      sizes[SL_VALID] = n > 2 ? batches[n - 2].n : train / 6 > 0 ? train / 6 : 1;
      sizes[SL_TRAIN] = train - sizes[SL_VALID];
      if (sizes[SL_TRAIN] == 0)
        {
          sl_draft_clear (draft);
          status = sl_status_new (SL_EFORMAT, batches[0].path, sl_message ("1 example"),
                                  sl_message ("at least 2 examples"));
        }
    }
  for (unsigned i = 0; i < FILES; i++)
    {
      free (batches[i].path);
      free (batches[i].data);
    }
  return status;
}
