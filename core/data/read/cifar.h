/* SPDX-License-Identifier: MIT
 *
 * CIFAR-10's binary version (Krizhevsky 2009): records of 3073 bytes, a label from 0 to 9
 * and 32x32 pixels of red, then green, then blue.  Raw or gzip.  */
#pragma once

#include "core/data/set/draft.h"

/* True for the first bytes of such a file, as far as they can tell. */
bool sl_cifar_likely (const uint8_t *head, size_t size);

/* One file, not split yet.  SL_EFORMAT (not whole records, a label above 9), SL_EIO,
 * SL_ENOMEM.  */
SlStatus sl_cifar_open_file (const char *path, SlDraft *draft);

/* A folder with data_batch_1.bin … and test_batch.bin.  The last of several training files
 * is for validation, or else the last sixth of the only one.  *found is false, and nothing
 * else happens, when there are no such files.  */
SlStatus sl_cifar_open_folder (const char *folder, bool *found, SlDraft *draft);
