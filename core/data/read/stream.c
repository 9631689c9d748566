/* SPDX-License-Identifier: MIT */
#include "core/data/read/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/bible.h"
#include "core/data/text/text.h"

enum { CODE_POINTS = 0x110000, TITLE = 8 };

/* The symbols of an alphabet that was made for a text. */
typedef struct
{
  size_t classes;
  char   title[SL_CLASSES_MAX][TITLE];
} Titles;

/* Checks that a text has letters: UTF-8, without zero bytes. */
static SlStatus
check_letters (const char *subject, const uint8_t *text, size_t size)
{
  for (size_t i = 0, length; i < size; i += length)
    {
      length = sl_utf8_length ((const char *) text + i, size - i);
      if (length > 0 && text[i] != 0)
        continue;
      return sl_status_at (SL_EFORMAT, subject, SL_BYTE, i, sl_message ("the byte 0x%02x", text[i]),
                           sl_message ("text in UTF-8 (text=bytes: any)"));
    }
  return SL_SUCCESS;
}

/* Symbols in place; returns how many. */
static size_t
map_letters (uint8_t *text, size_t size, Titles *titles)
{
  size_t n = 0;

  titles->classes = 27;
  strcpy (titles->title[0], " ");
  for (int i = 0; i < 26; i++)
    snprintf (titles->title[1 + i], TITLE, "%c", 'a' + i);
  for (size_t i = 0; i < size; i++)
    {
      uint8_t lower = text[i] | 0x20, symbol = 0;

      if (text[i] < 0x80 && lower >= 'a' && lower <= 'z')
        symbol = (uint8_t) (lower - 'a' + 1);
      if (symbol != 0 || (n > 0 && text[n - 1] != 0))
        text[n++] = symbol;
    }
  return n;
}

static size_t
map_bytes (size_t size, Titles *titles)
{
  titles->classes = SL_CLASSES_MAX;
  for (int i = 0; i < SL_CLASSES_MAX; i++)
    snprintf (titles->title[i], TITLE, i >= 0x20 && i < 0x7f ? "%c" : "\\x%02x", i);
  return size;
}

static void
write_code (uint32_t code, char *to)
{
  if (code == '\n')
    strcpy (to, "⏎");
  else if (code < 0x20 || code == 0x7f)
    snprintf (to, TITLE, "\\x%02x", (unsigned) code);
  else
    to[sl_utf8_write (code, to)] = '\0';
}

/* The same with the letters that occur, in the order of their numbers. */
static SlStatus
map_own (const char *subject, uint8_t *text, size_t *size, Titles *titles)
{
  uint16_t *symbol = calloc (CODE_POINTS, sizeof *symbol); /* 1 + number, 0: does not occur */
  size_t    n = 0, classes = 0;

  if (symbol == NULL)
    return sl_status_no_memory (subject);
  for (size_t i = 0, length; i < *size; i += length)
    {
      length = sl_utf8_length ((const char *) text + i, *size - i);
      symbol[sl_utf8_code ((const char *) text + i, length)] = 1;
    }
  for (uint32_t code = 0; code < CODE_POINTS; code++)
    if (symbol[code] != 0)
      {
        if (classes < SL_CLASSES_MAX)
          write_code (code, titles->title[classes]);
        symbol[code] = (uint16_t) (++classes < UINT16_MAX ? classes : UINT16_MAX);
      }
  titles->classes = classes;
  if (classes > SL_CLASSES_MAX)
    {
      free (symbol);
      return sl_status_new (SL_EFORMAT, subject, sl_message ("%zu different letters", classes),
                            sl_message ("at most 256 (text=bytes: any)"));
    }
  for (size_t i = 0, length; i < *size; i += length)
    {
      length = sl_utf8_length ((const char *) text + i, *size - i);
      text[n++] = (uint8_t) (symbol[sl_utf8_code ((const char *) text + i, length)] - 1);
    }
  *size = n;
  free (symbol);
  return SL_SUCCESS;
}

static SlStatus
map_text (const char *subject, uint8_t *text, size_t *size, SlAlphabet alphabet, Titles *titles)
{
  SlStatus status = SL_SUCCESS;

  if (*size == 0)
    return sl_status_new (SL_EFORMAT, subject, sl_message ("nothing"), sl_message ("text"));
  if (alphabet != SL_ALPHABET_BYTES)
    status = check_letters (subject, text, *size);
  if (!sl_ok (&status))
    return status;
  switch (alphabet)
    {
    case SL_ALPHABET_LETTERS: *size = map_letters (text, *size, titles); break;
    case SL_ALPHABET_BYTES: *size = map_bytes (*size, titles); break;
    case SL_ALPHABET_OWN: status = map_own (subject, text, size, titles); break;
    }
  return status;
}

SlStatus
sl_stream_make (SlDraft *draft, const char *subject, uint8_t *text, size_t size,
                SlAlphabet alphabet, const SlSplitting *splitting)
{
  Titles      titles;
  const char *title[SL_CLASSES_MAX];
  SlStatus    status = map_text (subject, text, &size, alphabet, &titles);

  if (!sl_ok (&status))
    return status;
  if (titles.classes < 2 || size < SL_STREAM_LEAST)
    {
      SlMessage symbols = size == 1 ? sl_message ("1 symbol") : sl_message ("%zu symbols", size);
      SlMessage kinds
        = titles.classes == 1 ? sl_message ("1 kind") : sl_message ("%zu kinds", titles.classes);

      return sl_status_new (SL_EFORMAT, subject,
                            sl_message ("%s of %s", symbols.packed, kinds.packed),
                            sl_message ("at least 64 of two kinds"));
    }
  status = sl_draft_init (draft, subject, SL_DRAFT_BYTES, size - 1, 1, false);
  if (!sl_ok (&status))
    return status;
  memcpy (draft->bytes, text, size - 1);
  memcpy (draft->label, text + 1, size - 1);
  draft->dataset->classes = (unsigned) titles.classes;
  draft->dataset->stream = true;
  for (size_t i = 0; i < titles.classes; i++)
    title[i] = titles.title[i];
  status = sl_draft_titles (draft, title, titles.classes);
  if (sl_ok (&status))
    status = sl_split_sizes (splitting, subject, size - 1, draft->dataset->n);
  if (!sl_ok (&status))
    sl_draft_clear (draft);
  return status;
}

SlStatus
sl_stream_open (const char *path, SlAlphabet alphabet, const SlSplitting *splitting, SlDraft *draft)
{
  uint8_t *text;
  size_t   size;
  SlStatus status = sl_bytes_file (path, SL_DATA_BUDGET, &text, &size);

  if (sl_ok (&status) && sl_bible_likely (text, size))
    status = sl_bible_expand (path, &text, &size);
  if (sl_ok (&status))
    status = sl_stream_make (draft, path, text, size, alphabet, splitting);
  free (text);
  return status;
}

bool
sl_stream_likely (const uint8_t *head, size_t size)
{
  size_t line = 0;

  if (sl_bible_likely (head, size))
    return true;
  while (line < size && head[line] != '\n')
    {
      if (head[line] < 0x20 && head[line] != '\r')
        return false; /* a tab is a delimiter too */
      if (head[line] == ',' || head[line] == ';')
        return false;
      line++;
    }
  return line > 0;
}
