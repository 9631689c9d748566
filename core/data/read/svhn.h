/* SPDX-License-Identifier: MIT
 *
 * Cropped house numbers (SVHN; Netzer et al. 2011, format 2): a file of MATLAB with X, 32 x 32 x 3 x N bytes,
 * and y, N labels from 1 to 10, of which 10 is the digit 0.  Read by core/data/read/mat.h.  */
#pragma once

#include <stdbool.h>

#include "core/data/set/draft.h"

/* One file, not split yet.  SL_EFORMAT, SL_EIO, SL_ENOMEM. */
SlStatus sl_svhn_open_file (const char *path, SlDraft *draft);

/* A folder with train_32x32.mat and test_32x32.mat.  The last 15 % of the first are for validation, as in
 * Davis 2016, §3.2.1.  *found is false, and nothing else happens, when there is neither.  */
SlStatus sl_svhn_open_folder (const char *folder, bool *found, SlDraft *draft);
