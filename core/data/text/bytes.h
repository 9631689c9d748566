/* SPDX-License-Identifier: MIT
 *
 * The bytes of a file from front to back, decompressed on the way when they are gzip.
 * Every length a reader trusts is first compared with what can be left.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef struct SlBytes SlBytes;

/* Opens a regular file.  SL_EIO: missing, unreadable; SL_EFORMAT: a folder, pipe or
 * device.  The status names `path`; SL_ENOMEM.  On failure *bytes is NULL.  */
SlStatus sl_bytes_open (SlBytes **bytes, const char *path);

/* Closes and frees; NULL is fine. */
void sl_bytes_close (SlBytes *bytes);

/* The path it was opened with. */
const char *sl_bytes_path (const SlBytes *bytes);

/* Decompressed bytes read so far. */
uint64_t sl_bytes_position (const SlBytes *bytes);

/* No more than this can follow: exact for a plain file, the limit of deflate (1032 to 1)
 * for gzip.  */
uint64_t sl_bytes_left (const SlBytes *bytes);

/* True when sl_bytes_left() is exact. */
bool sl_bytes_plain (const SlBytes *bytes);

/* Reads up to `size` bytes; *got is less only at the end of the file.  SL_EIO; SL_EFORMAT:
 * broken or cut-off gzip, at the byte where the good data end.  */
SlStatus sl_bytes_some (SlBytes *bytes, void *to, size_t size, size_t *got);

/* Reads the first bytes of a file, at most `size`; *got is 0 after a failure. */
SlStatus sl_bytes_head (const char *path, void *to, size_t size, size_t *got);

/* Reads all of a file into a new block (*to, free() it) of *size bytes, followed by a zero
 * byte that is not counted.  SL_ENOMEM above `most` bytes.  On failure *to is NULL.  */
SlStatus sl_bytes_file (const char *path, size_t most, uint8_t **to, size_t *size);

/* The number of `size` <= 8 bytes, the lowest or the highest first. */
static inline uint64_t
sl_little_endian (const uint8_t *bytes, size_t size)
{
  uint64_t value = 0;

  for (size_t i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

static inline uint64_t
sl_big_endian (const uint8_t *bytes, size_t size)
{
  uint64_t value = 0;

  for (size_t i = 0; i < size; i++)
    value = value << 8 | bytes[i];
  return value;
}
