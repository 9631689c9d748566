/* SPDX-License-Identifier: MIT */
#include "core/data/set/draft.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/hash.h"

static size_t
align_bytes (size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

static SlStatus
out_of_memory (const char *subject, size_t n, size_t features, size_t size)
{
  return sl_status_new (
    SL_ENOMEM, subject, sl_message ("%zu examples of %zu features at %zu bytes", n, features, size),
    sl_message ("at most %zu MiB of them and %d features", SL_DATA_BUDGET >> 20, SL_FEATURES_MAX));
}

SlStatus
sl_draft_init (SlDraft *draft, const char *subject, SlDraftKind kind, size_t n, size_t features,
               bool difficulty)
{
  size_t     size = kind == SL_DRAFT_BYTES ? 1 : sizeof (sl_real);
  size_t     examples, labels, total;
  SlDataset *dataset;
  uint8_t   *block;

  *draft = (SlDraft) { 0 };
  if (features == 0 || features > SL_FEATURES_MAX || n == 0
      || n > SL_DATA_BUDGET / (features * size))
    return out_of_memory (subject, n, features, size);

  examples = align_bytes (n * features * size);
  labels = align_bytes (n);
  total = examples + labels + (difficulty ? align_bytes (n * sizeof (sl_real)) : 0);
  dataset = calloc (1, sizeof *dataset);
  block = aligned_alloc (64, total);
  if (dataset == NULL || block == NULL)
    {
      free (dataset);
      free (block);
      return out_of_memory (subject, n, features, size);
    }

  if (kind == SL_DRAFT_BYTES)
    {
      draft->bytes = block;
      dataset->scale = (sl_real) 1 / 128;
      dataset->offset = -1;
    }
  else
    draft->values = (sl_real *) block;
  draft->label = block + examples;
  draft->difficulty = difficulty ? (sl_real *) (block + examples + labels) : NULL;
  draft->n = n;
  draft->dataset = dataset;
  dataset->features = (unsigned) features;
  dataset->storage = block;
  dataset->values = draft->values;
  dataset->bytes = draft->bytes;
  dataset->label = draft->label;
  dataset->difficulty = draft->difficulty;
  return SL_SUCCESS;
}

void
sl_draft_clear (SlDraft *draft)
{
  sl_dataset_free (draft->dataset);
  *draft = (SlDraft) { 0 };
}

/* The texts and their addresses in one block; NULL without memory. */
static const char **
copy_titles (const char *const *title, size_t n)
{
  size_t       bytes = n * sizeof (char *);
  const char **titles;
  char        *text;

  for (size_t i = 0; i < n; i++)
    bytes += strlen (title[i]) + 1;
  titles = malloc (bytes);
  if (titles == NULL)
    return NULL;
  text = (char *) (titles + n);
  for (size_t i = 0; i < n; i++)
    {
      titles[i] = text;
      text = stpcpy (text, title[i]) + 1;
    }
  return titles;
}

SlStatus
sl_draft_titles (SlDraft *draft, const char *const *title, size_t n)
{
  const char **titles;

  assert (n <= SL_CLASSES_MAX);
  titles = copy_titles (title, n);
  if (titles == NULL)
    return sl_status_no_memory (SL_MARK ("class titles"));
  draft->dataset->titles = titles;
  draft->dataset->class_title = titles;
  return SL_SUCCESS;
}

SlStatus
sl_draft_feature_titles (SlDraft *draft, const char *const *title)
{
  const char **titles = copy_titles (title, draft->dataset->features);

  if (titles == NULL)
    return sl_status_no_memory (SL_MARK ("titles of features"));
  draft->dataset->feature_titles = titles;
  draft->dataset->feature_title = titles;
  return SL_SUCCESS;
}

static size_t
share_of (size_t n, double share, size_t most)
{
  size_t part = (size_t) rint ((double) n * share);

  return part < 1 ? 1 : part > most ? most : part;
}

SlStatus
sl_split_sizes (const SlSplitting *splitting, const char *subject, size_t n,
                size_t sizes[SL_N_SPLITS])
{
  if (n < SL_N_SPLITS)
    return sl_status_new (SL_EFORMAT, subject,
                          n == 1 ? sl_message ("1 example") : sl_message ("%zu examples", n),
                          sl_message ("at least 3, one each to train, validate and test"));
  sizes[SL_TEST] = share_of (n, splitting->test, n - 2);
  sizes[SL_VALID] = share_of (n, splitting->valid, n - sizes[SL_TEST] - 1);
  sizes[SL_TRAIN] = n - sizes[SL_TEST] - sizes[SL_VALID];
  return SL_SUCCESS;
}

uint32_t *
sl_split_order (const SlSplitting *splitting, size_t n)
{
  uint32_t *order = malloc (n * sizeof *order);
  SlRng     rng;

  if (order == NULL)
    return NULL;
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t) i;
  sl_rng_init (&rng, splitting->seed, "order");
  sl_rng_shuffle (&rng, order, n);
  return order;
}

/* Moves the rows of `size` bytes so that row i becomes the former row order[i], along the
 * cycles of the permutation.  */
static void
permute_rows (uint8_t *rows, size_t size, const uint32_t *order, size_t n, uint8_t *done,
              uint8_t *spare)
{
  memset (done, 0, n);
  for (size_t start = 0; start < n; start++)
    {
      size_t at = start;

      if (done[start])
        continue;
      memcpy (spare, rows + start * size, size);
      while (done[at] = 1, order[at] != start)
        {
          memcpy (rows + at * size, rows + order[at] * size, size);
          at = order[at];
        }
      memcpy (rows + at * size, spare, size);
    }
}

SlStatus
sl_draft_split (SlDraft *draft, const SlSplitting *splitting, const char *subject)
{
  assert (draft->dataset != NULL);

  size_t    n = draft->n;
  size_t    size = draft->dataset->features * (draft->bytes != NULL ? 1 : sizeof (sl_real));
  SlStatus  status = sl_split_sizes (splitting, subject, n, draft->dataset->n);
  uint32_t *order = sl_split_order (splitting, n);
  uint8_t  *done = malloc (n), *spare = malloc (size);

  if (sl_ok (&status) && (order == NULL || done == NULL || spare == NULL))
    status = sl_status_no_memory (subject);
  if (sl_ok (&status))
    {
      permute_rows (draft->bytes != NULL ? draft->bytes : (uint8_t *) draft->values, size, order, n,
                    done, spare);
      permute_rows (draft->label, 1, order, n, done, spare);
    }
  free (order);
  free (done);
  free (spare);
  return status;
}

static uint64_t
hash_sizes (const SlDataset *dataset)
{
  const uint64_t sizes[]
    = { dataset->n[SL_TRAIN], dataset->n[SL_VALID], dataset->n[SL_TEST], dataset->features,
        dataset->classes,     dataset->width,       dataset->height,     dataset->channels };
  uint8_t bytes[sizeof sizes];

  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t) (sizes[i / 8] >> (8 * (i % 8)));
  return sl_hash (bytes, sizeof bytes, 0);
}

SlDataset *
sl_draft_finish (SlDraft *draft)
{
  assert (draft->dataset != NULL);

  SlDataset *dataset = draft->dataset;
  size_t     numbers = draft->n * dataset->features;
  uint64_t   hash = hash_sizes (dataset);

  if (draft->bytes != NULL)
    hash = sl_hash (draft->bytes, numbers, hash);
  else
    hash = sl_hash_reals (draft->values, numbers, hash);
  dataset->hash = sl_hash (draft->label, draft->n, hash);
  *draft = (SlDraft) { 0 };
  return dataset;
}

SlStatus
sl_draft_deliver (SlDraft *draft, SlStatus status, const char *title, SlDataset **dataset)
{
  if (sl_ok (&status))
    {
      snprintf (draft->dataset->title, sizeof draft->dataset->title, "%s", title);
      *dataset = sl_draft_finish (draft);
    }
  else
    sl_draft_clear (draft);
  return status;
}
