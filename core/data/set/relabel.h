/* SPDX-License-Identifier: MIT
 *
 * From the labels in a file to the classes 0 … C-1 of a data set.  */
#pragma once

#include "core/data/set/draft.h"

typedef struct
{
  unsigned    known;      /* classes of a known collection; 0: those that occur in training */
  const char *train_path; /* the file that the first n_train labels came from */
  size_t      n_train;
  const char *test_path; /* and the others */
} SlLabelling;

/* Sets the number of classes and checks every label: below `known`, or else among those of
 * the first n_train examples, which are renumbered without gaps and, where there were gaps,
 * named by their old numbers.  SL_EFORMAT at the record of its file, also for fewer than two
 * classes; SL_ENOMEM.  */
SlStatus sl_relabel (SlDraft *draft, const SlLabelling *labelling);
