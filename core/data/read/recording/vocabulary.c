/* SPDX-License-Identifier: MIT */
#include "core/data/read/recording/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/data/read/containers/text/json-text.h"
#include "core/data/read/containers/text/scan.h"
#include "core/data/text/bytes.h"
#include "core/data/text/grow.h"
#include "core/data/text/text.h"

enum { SIZE_MAX_MIB = 64 };

void
sl_vocabulary_clear (SlVocabulary *v)
{
  free (v->text);
  free (v->name);
  *v = (SlVocabulary) { .text = NULL };
}

/* ---- the document ---- */

typedef struct
{
  SlVocabulary *v;
  SlScan        scan;
  bool          no_memory;
} Reader;

static bool
is_key (const char *key, size_t n, const char *wanted)
{
  return n == strlen (wanted) && memcmp (key, wanted, n) == 0;
}

static bool
begins (const char *text, size_t n, const char *with)
{
  return n >= strlen (with) && memcmp (text, with, strlen (with)) == 0;
}

/* A name that is empty, or of no id that a recording can have, is as if it were not there. */
static bool
put_name (Reader *r, int64_t id, const char *name, size_t length, bool added)
{
  SlVocabulary *v = r->v;
  size_t        before = v->n;

  if (id < 0 || id >= SL_ROUTING_VOCABULARY || length == 0)
    return true;
  if ((size_t) id >= v->n)
    {
      if (!sl_grow (&v->name, &v->room, (size_t) id + 1, sizeof *v->name))
        {
          r->no_memory = true;
          return false;
        }
      v->n = (size_t) id + 1;
      memset (v->name + before, 0, (v->n - before) * sizeof *v->name);
    }
  v->named += v->name[id].length == 0;
  v->name[id]
    = (SlVocabularyName) { (uint32_t) (name - (const char *) v->text), (uint32_t) length, added };
  v->of_bytes += !added && (begins (name, length, "Ġ") || begins (name, length, "\\u0120"));
  v->of_blanks += !added && (begins (name, length, "▁") || begins (name, length, "\\u2581"));
  return true;
}

/* {"the": 5, …} */
static bool
read_ids (Reader *r)
{
  bool        first = true, ended = false;
  const char *name;
  size_t      n;
  int64_t     id;

  while (sl_scan_member (&r->scan, &first, &ended, &name, &n))
    if (!sl_scan_whole (&r->scan, &id) || !put_name (r, id, name, n, false))
      return false;
  return ended;
}

/* [["the", -1.5], …] */
static bool
read_scores (Reader *r)
{
  for (int64_t id = 0; !sl_scan_take (&r->scan, ']'); id++)
    {
      const char *name;
      size_t      n;

      if ((id > 0 && !sl_scan_take (&r->scan, ',')) || !sl_scan_take (&r->scan, '[')
          || !sl_scan_text (&r->scan, &name, &n) || !sl_scan_take (&r->scan, ',')
          || !sl_scan_skip (&r->scan) || !sl_scan_take (&r->scan, ']')
          || !put_name (r, id, name, n, false))
        return false;
    }
  return true;
}

/* "vocab" of "model". */
static bool
read_model (Reader *r)
{
  bool        first = true, ended = false, read;
  const char *key;
  size_t      n;

  if (!sl_scan_take (&r->scan, '{'))
    return sl_scan_skip (&r->scan);
  while (sl_scan_member (&r->scan, &first, &ended, &key, &n))
    {
      if (!is_key (key, n, "vocab"))
        read = sl_scan_skip (&r->scan);
      else if (sl_scan_take (&r->scan, '{'))
        read = read_ids (r);
      else
        read = sl_scan_take (&r->scan, '[') && read_scores (r);
      if (!read)
        return false;
    }
  return ended;
}

/* {"id": 50256, "content": "<|endoftext|>", …} */
static bool
read_added (Reader *r)
{
  bool        first = true, ended = false, read;
  const char *key, *name = NULL;
  size_t      n, length = 0;
  int64_t     id = -1;

  if (!sl_scan_take (&r->scan, '{'))
    return false;
  while (sl_scan_member (&r->scan, &first, &ended, &key, &n))
    {
      if (is_key (key, n, "id"))
        read = sl_scan_whole (&r->scan, &id);
      else if (is_key (key, n, "content"))
        read = sl_scan_text (&r->scan, &name, &length);
      else
        read = sl_scan_skip (&r->scan);
      if (!read)
        return false;
    }
  return ended && (name == NULL || put_name (r, id, name, length, true));
}

static bool
read_added_tokens (Reader *r)
{
  if (!sl_scan_take (&r->scan, '['))
    return sl_scan_skip (&r->scan);
  for (bool first = true; !sl_scan_take (&r->scan, ']'); first = false)
    if ((!first && !sl_scan_take (&r->scan, ',')) || !read_added (r))
      return false;
  return true;
}

static bool
read_document (Reader *r)
{
  bool        first = true, ended = false, read;
  const char *key;
  size_t      n;

  if (!sl_scan_take (&r->scan, '{'))
    return false;
  while (sl_scan_member (&r->scan, &first, &ended, &key, &n))
    {
      read = is_key (key, n, "model")          ? read_model (r)
             : is_key (key, n, "added_tokens") ? read_added_tokens (r)
                                               : sl_scan_skip (&r->scan);
      if (!read)
        return false;
    }
  return ended && sl_scan_end (&r->scan);
}

SlStatus
sl_vocabulary_read (SlVocabulary *v, const char *path)
{
  Reader      r = { .v = v };
  const char *at;
  char        shown[64];
  SlStatus    status;

  *v = (SlVocabulary) { .text = NULL };
  status = sl_bytes_file (path, (size_t) SIZE_MAX_MIB << 20, &v->text, &v->size);
  if (!sl_ok (&status))
    return status;
  for (size_t i = 0; i < v->size; i++)
    if (v->text[i] == '\n')
      v->text[i] = ' '; /* between values; within a text they are not allowed */
  r.scan.at = (const char *) v->text;
  if (!read_document (&r))
    {
      at = r.scan.at;
      return r.no_memory
               ? sl_status_no_memory (path)
               : sl_status_at (SL_EFORMAT, path, SL_BYTE, (uint64_t) (at - (const char *) v->text),
                               *at == '\0' ? sl_message ("the end of the text")
                                           : sl_message_verbatim (
                                             sl_text_quote (at, strlen (at), shown, sizeof shown)),
                               sl_message ("names of tokens in model.vocab"));
    }
  return v->named > 0 ? SL_SUCCESS
                      : sl_status_new (SL_EFORMAT, path, sl_message ("no names of tokens"),
                                       sl_message ("model.vocab or added_tokens"));
}

/* ---- names ---- */

/* The byte that a character of GPT-2's alphabet means, or -1: bytes that can be printed mean themselves, the
 * others are those from U+0100 on in their order.  */
static int
byte_of (uint32_t code)
{
  int byte = 0;

  if (code < 0x100)
    return (code > 0x20 && code < 0x7f) || (code > 0xa0 && code != 0xad) ? (int) code : -1;
  for (code -= 0x100; byte < 0x100; byte++)
    if (byte_of ((uint32_t) byte) < 0 && code-- == 0)
      return byte;
  return -1;
}

/* In place: a byte for each of its characters that has one. */
static size_t
take_bytes (char *text, size_t n)
{
  size_t used = 0, bytes;

  for (size_t i = 0; i < n; i += bytes)
    {
      int byte = -1;

      bytes = sl_utf8_length (text + i, n - i);
      if (bytes == 1 || bytes == 2)
        byte = byte_of (sl_utf8_code (text + i, bytes));
      bytes = bytes > 0 ? bytes : 1;
      if (byte < 0)
        memmove (text + used, text + i, bytes);
      else
        text[used] = (char) byte;
      used += byte < 0 ? bytes : 1;
    }
  return used;
}

/* In place: "▁" is a blank, and "<0x0A>" a byte. */
static size_t
take_blanks (char *text, size_t n)
{
  static const char blank[] = "▁", digits[] = "0123456789ABCDEF";
  size_t            used = 0;

  if (n == 6 && memcmp (text, "<0x", 3) == 0 && text[5] == '>')
    {
      const char *high = memchr (digits, text[3], 16), *low = memchr (digits, text[4], 16);

      if (high != NULL && low != NULL)
        {
          text[0] = (char) (16 * (high - digits) + (low - digits));
          return 1;
        }
    }
  for (size_t i = 0; i < n;)
    if (begins (text + i, n - i, blank))
      {
        text[used++] = ' ';
        i += strlen (blank);
      }
    else
      text[used++] = text[i++];
  return used;
}

size_t
sl_vocabulary_name (const void *vocabulary, uint32_t id, char to[SL_TOKEN_NAME])
{
  const SlVocabulary     *v = vocabulary;
  const SlVocabularyName *name = id < v->n ? &v->name[id] : NULL;
  size_t                  n;

  if (name == NULL || name->length == 0)
    return 0;
  n = name->length < SL_TOKEN_NAME - 1 ? name->length : SL_TOKEN_NAME - 1;
  n = sl_json_unescape ((const char *) v->text + name->at, n, to);
  if (name->added)
    return n;
  if (v->of_bytes > v->of_blanks)
    return take_bytes (to, n);
  return v->of_blanks > 0 ? take_blanks (to, n) : n;
}
