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

/* What to know of data and settings that a run can begin with, but hardly does what is expected: a batch of
 * more examples than there are.  Free it.  NULL: there is nothing to say.  */
char *sl_data_note (const SlLab *lab, const SlSettings *settings, const SlDataset *dataset);
