/* SPDX-License-Identifier: MIT */
#include "core/data/set/standardise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/set/draft.h"
#include "core/data/set/hash.h"

/* Sums of whole numbers are exact, and so the same on every machine. */
typedef struct
{
  uint64_t sum, squares;
  double   mean, by; /* 1 ÷ standard deviation, 0 where nothing varies */
} Feature;

static void
find_scales (const SlDataset *dataset, Feature *feature)
{
  size_t d = dataset->features;
  double n = (double) dataset->n[SL_TRAIN];

  for (size_t e = 0; e < dataset->n[SL_TRAIN]; e++)
    for (size_t i = 0; i < d; i++)
      {
        uint64_t byte = dataset->bytes[e * d + i];

        feature[i].sum += byte;
        feature[i].squares += byte * byte;
      }
  for (size_t i = 0; i < d; i++)
    {
      double mean = (double) feature[i].sum / n;
      double variance = (double) feature[i].squares / n - mean * mean;

      feature[i].mean = mean;
      feature[i].by = variance > 1e-9 ? 1.0 / sqrt (variance) : 0.0;
    }
}

/* All `n` examples, `to` (n, D). */
static void
fill_values (const SlDataset *dataset, size_t n, const Feature *feature, sl_real *to)
{
  size_t d = dataset->features;

  for (size_t e = 0; e < n; e++)
    for (size_t i = 0; i < d; i++)
      to[e * d + i]
        = (sl_real) (((double) dataset->bytes[e * d + i] - feature[i].mean) * feature[i].by);
}

/* Puts the set on numbers instead of bytes. */
static SlStatus
begin_draft (const SlDataset *dataset, size_t n, SlDraft *draft)
{
  SlStatus status = sl_draft_init (draft, dataset->title, SL_DRAFT_VALUES, n, dataset->features,
                                   dataset->difficulty != NULL);

  if (!sl_ok (&status))
    return status;
  memcpy (draft->label, dataset->label, n);
  if (dataset->difficulty != NULL)
    memcpy (draft->difficulty, dataset->difficulty, n * sizeof *draft->difficulty);
  return status;
}

/* Takes the examples of a draft, whose data set is thrown away. */
static void
take_examples (SlDataset *dataset, SlDraft *draft)
{
  free (dataset->storage);
  dataset->storage = draft->dataset->storage;
  dataset->values = draft->values;
  dataset->bytes = NULL;
  dataset->label = draft->label;
  dataset->difficulty = draft->difficulty;
  draft->dataset->storage = NULL;
  sl_draft_clear (draft);
}

SlStatus
sl_dataset_standardise (SlDataset *dataset)
{
  static const char said[] = "standardised";
  size_t            n = dataset->n[SL_TRAIN] + dataset->n[SL_VALID] + dataset->n[SL_TEST];
  Feature          *feature;
  SlDraft           draft;
  SlStatus          status;

  if (dataset->bytes == NULL)
    return SL_SUCCESS;
  feature = calloc (dataset->features, sizeof *feature);
  if (feature == NULL)
    return sl_status_no_memory (SL_MARK ("standardised pixels"));
  status = begin_draft (dataset, n, &draft);
  if (sl_ok (&status))
    {
      find_scales (dataset, feature);
      fill_values (dataset, n, feature, draft.values);
      take_examples (dataset, &draft);
      dataset->hash = sl_hash (said, sizeof said, dataset->hash);
    }
  free (feature);
  return status;
}
