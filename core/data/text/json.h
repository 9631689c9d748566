/* SPDX-License-Identifier: MIT
 *
 * Reads JSON (RFC 8259) from a file that nobody vouches for, one piece at a time: the caller knows
 * what has to follow, so nothing nests deeper than the caller goes and nothing is allocated.
 * Strict: no comments, no trailing commas, UTF-8 only.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

typedef struct
{
  const char *path; /* for failures */
  const char *text;
  size_t      size, at;
  uint64_t    begin; /* where `text` begins in the file */
} SlJsonReader;

/* Skips white space and takes `c` if it is next. */
bool sl_json_read_char (SlJsonReader *json, char c);

/* Takes `c`, which must be next.  SL_EFORMAT; `expected` says in words what should have been
 * there ("a list of dimensions").  */
SlStatus sl_json_read_expected (SlJsonReader *json, char c, const char *expected);

/* A string, decoded, into `to`, which must have room for what is left of the text and one byte:
 * a zero byte follows that is not counted in *length.  SL_EFORMAT.  */
SlStatus sl_json_read_string (SlJsonReader *json, char *to, size_t *length, const char *expected);

/* A whole number from 0 to 2^53.  SL_EFORMAT. */
SlStatus sl_json_read_size (SlJsonReader *json, uint64_t *number, const char *expected);

/* That nothing but white space is left.  SL_EFORMAT. */
SlStatus sl_json_read_end (SlJsonReader *json);

/* A failure at the place where reading stands. */
SlStatus sl_json_read_fail (const SlJsonReader *json, const char *found, const char *expected);
