/* SPDX-License-Identifier: MIT
 *
 * Files that are not what they are called, or that other programs read: a pointer of Git LFS, a page that
 * a server sent instead of the file, Parquet, Excel, archives, MATLAB, HDF5.  Each is told by how it begins
 * and has a way out: a step, or a line of Python that writes what can be read beside it.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

/* How much of a file is enough. */
enum { SL_IMPOSTOR_HEAD = 1024 };

/* Judges the file `path`, which is not opened, by its first bytes, uncompressed where they were gzip.
 * SL_SUCCESS: it is nothing of this; SL_EFORMAT with the name of what it is, and the way out.  */
SlStatus sl_impostor_refuse (const char *path, const void *head, size_t size);
