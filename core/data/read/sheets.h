/* SPDX-License-Identifier: MIT
 *
 * Labelled images from arrays: (N, H, W), (N, C, H, W) or (N, H, W, C) with 1, 3 or 4 channels, and N labels.  */
#pragma once

#include "core/data/read/containers/array.h"
#include "core/data/set/draft.h"

/* Images and their labels, of one file or several. */
typedef struct
{
  SlArrays   *x_file, *y_file;
  SlArray    *x, *y;
  const char *x_path, *y_path; /* for failures */
} SlSheets;

typedef struct
{
  unsigned           known;  /* classes of a known collection; 0: those that occur in training */
  const char *const *titles; /* (known), or NULL */
  size_t             train;  /* the first so many sheets are of training, the others of the test */
  bool               turned; /* rows and columns are exchanged */
} SlSheetsOptions;

/* Whether an array can be images. */
bool sl_sheets_likely (const SlArray *x);

/* One draft of `n` sheets, one behind the other, not split yet: bytes where all numbers are, else numbers from 0 to 1
 * or as they are.  SL_EFORMAT (a size of 0, other sizes or fewer labels than images, more than 256 classes),
 * SL_ENOMEM, SL_EIO.  On failure there is nothing to clear.  */
SlStatus sl_sheets_join (const SlSheets *sheets, unsigned n, const SlSheetsOptions *options,
                         SlDraft *draft);
