/* SPDX-License-Identifier: MIT
 *
 * JSON in one line, read as it goes by without a tree: for logs of hundreds of megabytes, of which
 * every line is an object of a few known members.  Functions return false where the text is not
 * what they read; `at` is then the place.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  const char *at; /* a zero byte ends the text */
} SlScan;

/* Takes a byte, after any blanks. */
bool sl_scan_take (SlScan *scan, char c);

/* A text in quotes, without them and as it is written. */
bool sl_scan_text (SlScan *scan, const char **text, size_t *n);

/* A whole number. */
bool sl_scan_whole (SlScan *scan, int64_t *whole);

/* Any value, which is not kept. */
bool sl_scan_skip (SlScan *scan);

/* The next member of an object that was begun with '{': its key, with the value next.  False at the
 * end of the object, when *ended is true, and where there is no member.  `first` is true at first.  */
bool sl_scan_member (SlScan *scan, bool *first, bool *ended, const char **key, size_t *n);

/* That nothing but blanks follows. */
bool sl_scan_end (SlScan *scan);
