/* SPDX-License-Identifier: MIT
 *
 * Zip archives with right check sums, so that mutations of members do not only break these.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* At most 16 members with names of at most 64 bytes. */
typedef struct
{
  uint8_t *bytes, *directory;
  size_t   n, n_directory, members;
} FuzzArchive;

/* `size`: of all members together, at most. */
void fuzz_archive_begin (FuzzArchive *archive, size_t size);
void fuzz_archive_add (FuzzArchive *archive, const char *name, const uint8_t *data, size_t n);

/* Writes the directory; the archive is then the `n` bytes, which the caller frees. */
void fuzz_archive_end (FuzzArchive *archive);
