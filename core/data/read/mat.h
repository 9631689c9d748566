/* SPDX-License-Identifier: MIT
 *
 * Files of MATLAB, which are not read: how to tell them, and what to do instead.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* True for the first bytes of such a file, versions 5 to 7.3. */
bool sl_mat_likely (const uint8_t *head, size_t size);

/* SL_EFORMAT, with the line of Python that writes the file's arrays as npz. */
SlStatus sl_mat_refuse (const char *path);
