/* SPDX-License-Identifier: MIT
 *
 * Names, words and letters of untrusted files as parts of a line of ours: what surrounds them stays where it is.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
  SL_TEXT_SHOWN_LETTERS = 24,
  /* Room for any of them: letters of at most four bytes, or escapes of ten, then the dots and the marks around. */
  SL_TEXT_SHOWN = SL_TEXT_SHOWN_LETTERS * 10 + 10,
};

/* Writes `text` with control characters and those that set a direction as escapes ("\x0a", "\u202e"), bytes that are
 * no UTF-8 as '?', "␣" where there are blanks alone, and after 24 letters "…".  What is written from right to left is
 * isolated.  Returns `to`.  */
const char *sl_text_shown (const char *text, char to[SL_TEXT_SHOWN]);

/* The sign that is shown for a character: itself where it can be seen, "↵", "→" or "␀" and so on for control
 * characters, "�" for what sets a direction or has no form.  */
uint32_t sl_text_sign (uint32_t code);

/* Writes `length` bytes with the signs of their characters, "�" for what is no UTF-8, and "…" at the end where `size`
 * bytes do not hold all.  Returns `to`.  */
const char *sl_text_signs (const char *text, size_t length, char *to, size_t size);
