/* SPDX-License-Identifier: MIT
 *
 * UTF-8 from untrusted files.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at `text`, of which `size` bytes may be read; 0 when it is not one (RFC
 * 3629: shortest form, no surrogates).  */
size_t sl_utf8_length (const char *text, size_t size);

/* The code of a character of so many bytes, as sl_utf8_length() says. */
uint32_t sl_utf8_code (const char *text, size_t bytes);

/* Writes the character of a code up to 0x10ffff, at most 4 bytes; returns how many. */
size_t sl_utf8_write (uint32_t code, char *to);

enum {
  SL_UTF8_QUOTED = 24, /* letters */
  SL_UTF8_QUOTE = SL_UTF8_QUOTED * 4 + sizeof "\"…\"",
};

/* A text of valid UTF-8 in quotes, cut to SL_UTF8_QUOTED letters, for a refusal.  Returns `to`. */
const char *sl_utf8_quote (const char *text, char to[SL_UTF8_QUOTE]);
