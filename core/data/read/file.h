/* SPDX-License-Identifier: MIT
 *
 * A file or folder as a data set: labelled examples or a text, whatever it is written in.  */
#pragma once

#include "core/data/read/examples.h"
#include "core/data/set/dataset.h"

/* What a file is read as, and of a text what a symbol is. */
typedef enum {
  SL_TEXT_AUTO,
  SL_TEXT_LETTERS, /* and so on in the order of SlAlphabet */
  SL_TEXT_OWN,
  SL_TEXT_BYTES,
} SlTextMode;

typedef struct
{
  SlSplitting splitting; /* shares of 0 suit the file, and are set when it was opened */
  bool        standardise, turned;
  SlTextMode  text;
  SlTableForm form;
  SlMissing   missing;
  const char *class_column;
} SlFileOptions;

/* Gives shares that are 0 what suits a text or examples. */
void sl_file_settle_shares (bool text, SlSplitting *splitting);

/* Opens it; *split is whether `splitting` was used.  On failure *dataset is not touched.  SL_EIO, SL_EFORMAT,
 * SL_ENOMEM.  */
SlStatus sl_file_open (const char *path, SlFileOptions *options, bool *split, SlDataset **dataset);

/* The same of named arrays of examples and classes, which stay the caller's. */
SlStatus sl_file_of_arrays (SlArrays *arrays, SlFileOptions *options, bool *split,
                            SlDataset **dataset);
