/* SPDX-License-Identifier: MIT */
#include "core/base/message.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packed message is OPEN, the format, NEXT and the printed argument for each, CLOSE.  One that was
 * cut ends earlier.  */
enum { OPEN = '\016', CLOSE = '\017', NEXT = '\037' };

enum { ARGUMENTS = 12, DEPTH = 8 };

/* The bytes at the end of a text that a cut has left of a character. */
static size_t
left_of_cut (const char *text, size_t length)
{
  size_t        back = 1, whole;
  unsigned char lead;

  while (back < 4 && back < length && ((unsigned char) text[length - back] & 0xc0) == 0x80)
    back++;
  lead = length > 0 ? (unsigned char) text[length - back] : 0;
  whole = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return back < whole ? back : 0;
}

/* Removes what a cut ("%.40s" too) has left of characters, at the ends of arguments and of the whole. */
static void
trim (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0'; from++)
    {
      if (*from == NEXT || *from == CLOSE)
        to -= left_of_cut (text, (size_t) (to - text));
      *to++ = *from;
    }
  to -= left_of_cut (text, (size_t) (to - text));
  *to = '\0';
}

/* The first character behind the conversion that begins at a '%'. */
static const char *
conversion_end (const char *at)
{
  at++;
  at += strcspn (at, "%diouxXeEfFgGaAcsp");
  return *at != '\0' ? at + 1 : at;
}

/* One call prints everything: the format, with its '%' doubled, and then each conversion alone. */
void
sl_message_vprint (char *packed, size_t size, const char *format, va_list list)
{
  char     pattern[4 * SL_MESSAGE_SIZE];
  size_t   length = 0;
  unsigned n = 0;

  assert (4 * strlen (format) + 3 < sizeof pattern);
  pattern[length++] = OPEN;
  for (const char *at = format; *at != '\0'; at++)
    {
      if (*at == '%')
        pattern[length++] = '%';
      pattern[length++] = *at;
    }
  for (const char *at = strchr (format, '%'), *end; at != NULL; at = strchr (end, '%'))
    {
      end = conversion_end (at);
      if (at[1] == '%')
        continue;
      pattern[length++] = NEXT;
      memcpy (pattern + length, at, (size_t) (end - at));
      length += (size_t) (end - at);
      n++;
    }
  assert (n <= ARGUMENTS);
  pattern[length++] = CLOSE;
  pattern[length] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* made of one that the compiler has seen */
  vsnprintf (packed, size, pattern, list);
#pragma GCC diagnostic pop
  trim (packed);
}

void
sl_message_print (char *packed, size_t size, const char *format, ...)
{
  va_list list;

  va_start (list, format);
  sl_message_vprint (packed, size, format, list);
  va_end (list);
}

SlMessage
sl_message (const char *format, ...)
{
  SlMessage message = SL_NO_MESSAGE;
  va_list   list;

  va_start (list, format);
  sl_message_vprint (message.packed, sizeof message.packed, format, list);
  va_end (list);
  return message;
}

void
sl_message_add (SlMessage *message, const char *format, ...)
{
  size_t  used = strlen (message->packed);
  va_list list;

  va_start (list, format);
  sl_message_vprint (message->packed + used, sizeof message->packed - used, format, list);
  va_end (list);
}

SlMessage
sl_message_word (const char *text)
{
  SlMessage message = SL_NO_MESSAGE;

  if (text != NULL && *text != '\0')
    snprintf (message.packed, sizeof message.packed, "%c%s%c", OPEN, text, CLOSE);
  trim (message.packed);
  return message;
}

SlMessage
sl_message_verbatim (const char *text)
{
  static const char nothing_but[] = "%s";

  return text != NULL && *text != '\0' ? sl_message (nothing_but, text) : SL_NO_MESSAGE;
}

typedef struct
{
  const char *at, *end;
} Piece;

typedef struct
{
  char        *out;
  size_t       used, size;
  SlTranslate *translate;
} Writer;

static void
put (Writer *w, const char *text, size_t length)
{
  size_t room = w->size - 1 - w->used;

  length = length < room ? length : room;
  memcpy (w->out + w->used, text, length);
  w->used += length;
}

/* The format or argument that begins at `at`, up to the NEXT or CLOSE that ends it. */
static Piece
piece_at (const char *at, const char *end)
{
  Piece    piece = { at, at };
  unsigned depth = 0;

  for (; piece.end < end && (depth > 0 || (*piece.end != NEXT && *piece.end != CLOSE)); piece.end++)
    depth += (*piece.end == OPEN) - (*piece.end == CLOSE);
  return piece;
}

static void show (Writer *w, Piece text, int depth);

/* The format with its arguments, of which a translation may ask in another order ("%2$s"). */
static void
fill (Writer *w, const char *format, const Piece *argument, unsigned n, int depth)
{
  unsigned next = 0;

  while (*format != '\0')
    {
      size_t        plain = strcspn (format, "%");
      const char   *at = format + plain, *end = *at != '\0' ? conversion_end (at) : at;
      char         *dollar;
      unsigned long number;

      put (w, format, plain);
      format = end;
      if (at == end)
        break;
      number = strtoul (at + 1, &dollar, 10);
      number = *dollar == '$' ? number - 1 : at[1] != '%' ? next++ : n;
      if (number < n)
        show (w, argument[number], depth);
      else
        put (w, at, at[1] == '%' ? 1 : (size_t) (end - at));
    }
}

/* Shows the message whose format begins at `at`; returns what comes behind it. */
static const char *
show_message (Writer *w, const char *at, const char *end, int depth)
{
  Piece    argument[ARGUMENTS], format = piece_at (at, end);
  unsigned n = 0;
  char     text[SL_MESSAGE_SIZE];

  at = format.end;
  while (at < end && *at == NEXT && n < ARGUMENTS)
    {
      argument[n] = piece_at (at + 1, end);
      at = argument[n++].end;
    }
  snprintf (text, sizeof text, "%.*s", (int) (format.end - format.at), format.at);
  fill (w, w->translate != NULL ? w->translate (text) : text, argument, n, depth);
  return at < end ? at + 1 : end;
}

static void
show (Writer *w, Piece text, int depth)
{
  while (text.at < text.end)
    if (*text.at == OPEN && depth < DEPTH)
      text.at = show_message (w, text.at + 1, text.end, depth + 1);
    else
      put (w, text.at++, 1);
}

const char *
sl_message_show (const char *packed, SlTranslate *translate, char *out, size_t size)
{
  Writer w = { out, 0, size, translate };

  if (translate != NULL && strchr (packed, OPEN) == NULL)
    packed = translate (packed);
  show (&w, (Piece) { packed, packed + strlen (packed) }, 0);
  out[w.used] = '\0';
  trim (out);
  return out;
}
