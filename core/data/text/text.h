/* SPDX-License-Identifier: MIT
 *
 * Text from untrusted files.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/utf8.h"

/* True when all of `text` is UTF-8. */
bool sl_utf8_valid (const char *text, size_t size);

/* Whether a file that begins with these bytes has the mark of UTF-16. */
bool sl_text_wide (const uint8_t *head, size_t size);

/* Copies `length` bytes as a text that can be shown: '?' for what is not printable UTF-8,
 * cut between two letters to fit into `size` bytes.  Returns `to`.  */
const char *sl_text_printable (const char *text, size_t length, char *to, size_t size);

/* The same in quotes, cut after about 40 bytes with "...".  Returns `to`. */
const char *sl_text_quote (const char *text, size_t length, char *to, size_t size);
