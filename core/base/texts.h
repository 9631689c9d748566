/* SPDX-License-Identifier: MIT
 *
 * Texts that settings hold, such as a network of choices.  Each is kept once and until the program
 * ends, so that a setting stays a plain number that can be copied and compared.  Any thread.  */
#pragma once

#include <stddef.h>

enum {
  SL_TEXT_BYTES = 1 << 16, /* of a text, with its end */
  SL_TEXTS_MAX = 1024,
};

/* The number of a text, from 1; 0 where it is too long, memory is short or there are too many. */
unsigned sl_text_keep (const char *text);

/* The text with this number; NULL: there is none, as for 0. */
const char *sl_text_of (unsigned number);

/* A name for a text that is short enough to show, "#1f2e3d4c"; "none" for the number 0. */
enum { SL_TEXT_NAME = 16 };
const char *sl_text_name (unsigned number, char name[SL_TEXT_NAME]);

/* The number of the text with this name; 0: no text of this name was kept. */
unsigned sl_text_named (const char *name);
