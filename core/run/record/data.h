/* SPDX-License-Identifier: MIT
 *
 * Data of a run.  */
#pragma once

#include "core/data/set/dataset.h"
#include "core/lab/lab.h"

/* sl_source_open(), with a message for debugging: what was read, how much of it and how long it took.
 * Any thread.  */
SlStatus sl_open_data (const char *spec, SlDataset **dataset);

/* The lab for data that the user opens while `lab` is shown: that one, unless the specification
 * says that they are of a kind which only another lab has a use for.  Reads the beginning of a
 * file.  */
const SlLab *sl_lab_for_data (const SlLab *lab, const char *spec);
/* The same for data of a known kind, which SL_NEEDS_NOTHING is not. */
const SlLab *sl_lab_for_kind (const SlLab *lab, SlDataNeeds kind);

/* How a file was read, what was left out and what else it could be, in the user's language: sentences with `between`
 * between them, free with g_free(); NULL: there is nothing to say.  */
char *sl_data_reading (const SlFileReading *reading, const char *between);

/* How the data were read, and what else to know of data and settings that a run can begin with, but hardly does what is
 * expected: a batch of more examples than there are.  A line each; free it.  NULL: there is nothing to say.  */
char *sl_data_note (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset);
