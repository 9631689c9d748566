/* SPDX-License-Identifier: MIT
 *
 * Messages: sentences that are made where they are shown.  A message holds an English format and
 * its arguments, each already printed, so that the code that shows it can use the format in another
 * language.  The template of the catalogues is made from the formats in the calls below.
 *
 * Nothing here fails: what does not fit is cut between two characters, and an argument is never
 * taken for a format.  Any thread.  */
#pragma once

#include <stdarg.h>
#include <stddef.h>

enum { SL_MESSAGE_SIZE = 320 };

/* Plain memory, which may be copied; sl_message_show() reads it.  "": nothing to say. */
typedef struct
{
  char packed[SL_MESSAGE_SIZE];
} SlMessage;

#define SL_NO_MESSAGE ((SlMessage) { "" })

/* Marks a text for translators that is in none of the calls below. */
#define SL_MARK(text) text

/* Format and arguments as of printf().  A text is shown as it is, but the `packed` of another
 * message is shown as that message.  */
SlMessage sl_message (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Adds a message behind what is there. */
void sl_message_add (SlMessage *message, const char *format, ...)
  __attribute__ ((format (printf, 2, 3)));

/* The same as sl_message() into memory of another size. */
void sl_message_print (char *packed, size_t size, const char *format, ...)
  __attribute__ ((format (printf, 3, 4)));

void sl_message_vprint (char *packed, size_t size, const char *format, va_list list)
  __attribute__ ((format (printf, 3, 0)));

/* A text of a descriptor, which is in the catalogues as it is. */
SlMessage sl_message_word (const char *text);

/* A text that is the same in every language: a name, a part of a file.  NULL: nothing. */
SlMessage sl_message_verbatim (const char *text);

/* Returns a text in another language, or `text` where it is not in the catalogue. */
typedef const char *SlTranslate (const char *text);

/* Writes what `packed` says, in English if `translate` is NULL.  A text that was not packed is
 * translated as a whole.  Returns `out`, of `size` > 0 bytes.  */
const char *sl_message_show (const char *packed, SlTranslate *translate, char *out, size_t size);
