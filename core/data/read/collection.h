/* SPDX-License-Identifier: MIT
 *
 * Collections of labelled images as they are spread: IDX (MNIST and its kin), CIFAR, folders of class folders, arrays of
 * images and labels.  Whatever has its own test is split by its files, all else is one heap.  */
#pragma once

#include "core/data/read/examples.h"

/* What the person says of images. */
typedef struct
{
  bool        turned; /* rows and columns are exchanged, as EMNIST has them */
  bool        standardise;
  SlMissing   missing; /* of named arrays: NaN among the features or classes of a row */
  SlSplitting splitting;
} SlCollectionOptions;

/* The four files of a collection laid out like MNIST: train images, train labels, test images, test labels.  The last
 * sixth of the train file (10 000 of 60 000) is for validation.  `classes`: how many labels there may be, or 0: those
 * that occur in the train file.  SL_EFORMAT, SL_EIO, SL_ENOMEM.  */
SlStatus sl_collection_four (char *const path[4], unsigned classes, bool turned, SlDraft *draft);

/* One file of images, IDX with its labels beside it or CIFAR; one heap, split here. */
SlStatus sl_collection_file (const char *path, const SlCollectionOptions *options, SlDraft *draft);

/* A folder; *split is whether it is one heap and was split here.  SL_EIO: nothing that is known. */
SlStatus sl_collection_folder (const char *folder, const SlCollectionOptions *options, bool *split,
                               SlDraft *draft);

/* Named arrays of examples and classes: "X" and "y", "data" and "target", "x_train" … "y_test", the first two of
 * numpy.savez (f, X, y).  *split as above.  */
SlStatus sl_collection_arrays (const char *path, const SlCollectionOptions *options, bool *split,
                               SlDraft *draft);

/* The same of arrays that are open, which stay the caller's. */
SlStatus sl_collection_of_arrays (SlArrays *arrays, const SlCollectionOptions *options, bool *split,
                                  SlDraft *draft);

/* Folders of one class each, with PNG or JPEG files; in folders of splits ("train", "val", "test") or not.  *found is
 * false, and nothing else happens, where there are none.  */
SlStatus sl_class_folders_open (const char *folder, const SlCollectionOptions *options, bool *found,
                                bool *split, SlDraft *draft);

/* Sizes of the splits of examples of which the last `test` are the test: the last sixth before them is for validation.
 * SL_EFORMAT of `subject`: fewer than 2.  On failure the draft is cleared.  */
SlStatus sl_collection_split_off (SlDraft *draft, size_t test, const char *subject);

/* Splits one heap.  On failure the draft is cleared. */
SlStatus sl_collection_split (SlDraft *draft, const SlSplitting *splitting, const char *subject);
