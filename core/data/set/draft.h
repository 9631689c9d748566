/* SPDX-License-Identifier: MIT
 *
 * A data set while it is being made: the writable view of an SlDataset.  Every generator
 * and reader begins one, fills in examples and labels, splits and finishes it.  */
#pragma once

#include "core/base/rng.h"
#include "core/data/set/dataset.h"

/* The most memory that examples may take.  Anything larger is refused before it is
 * allocated: 2 GiB hold MNIST forty times.  */
#define SL_DATA_BUDGET ((size_t) 2 << 30)

/* The most features of one example, and the most classes (a label is one byte). */
enum {
  SL_FEATURES_MAX = 1 << 20,
  SL_CLASSES_MAX = 256,
};

typedef enum {
  SL_DRAFT_VALUES, /* features are numbers */
  SL_DRAFT_BYTES,  /* features are bytes, scaled to x/128 - 1 */
} SlDraftKind;

typedef struct
{
  SlDataset *dataset;    /* its titles, class and image sizes are the maker's to fill in */
  size_t     n;          /* examples */
  sl_real   *values;     /* (n, D) or NULL */
  uint8_t   *bytes;      /* (n, D) or NULL */
  uint8_t   *label;      /* (n) */
  sl_real   *difficulty; /* (n) or NULL */
} SlDraft;

/* Room for `n` examples of `features` features, not set to anything.  `subject` names the
 * file or source in a failure.  SL_ENOMEM, also for more than SL_DATA_BUDGET.  On failure
 * there is nothing to clear.  */
SlStatus sl_draft_init (SlDraft *draft, const char *subject, SlDraftKind kind, size_t n,
                        size_t features, bool difficulty);

/* Throws an unfinished draft away. */
void sl_draft_clear (SlDraft *draft);

/* Names the `n` classes; the texts are copied.  SL_ENOMEM. */
SlStatus sl_draft_titles (SlDraft *draft, const char *const *title, size_t n);

/* Names the features, all of them; the texts are copied.  SL_ENOMEM. */
SlStatus sl_draft_feature_titles (SlDraft *draft, const char *const *title);

/* How examples that come in one heap are split. */
typedef struct
{
  double   valid, test; /* shares of all examples */
  uint64_t seed;
} SlSplitting;

/* The sizes of the three splits of `n` examples: the nearest to the shares, at least one
 * example each.  SL_EFORMAT of `subject` for fewer than 3 examples.  */
SlStatus sl_split_sizes (const SlSplitting *splitting, const char *subject, size_t n,
                         size_t sizes[SL_N_SPLITS]);

/* A random order of `n` examples from the stream "order"; free() it.  NULL when there is no
 * memory.  */
uint32_t *sl_split_order (const SlSplitting *splitting, size_t n);

/* Splits a filled draft.  The examples are put into random order first: where they came
 * sorted by class, a split would otherwise miss some of them.  SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_draft_split (SlDraft *draft, const SlSplitting *splitting, const char *subject);

/* Computes the hash and hands the data set over. */
SlDataset *sl_draft_finish (SlDraft *draft);

/* The same for a data set of this title, or after a failure throws the draft, which may be zeros,
 * away.  Returns `status`.  */
SlStatus sl_draft_deliver (SlDraft *draft, SlStatus status, const char *title, SlDataset **dataset);
