/* SPDX-License-Identifier: MIT */
#include "core/data/routing/open/answers.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/routing/arrays/npy-header.h"
#include "core/data/routing/arrays/parts.h"
#include "core/data/routing/logs/scan.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { BLOCK_NUMBERS = 1 << 14 };

typedef struct
{
  SlRoutingDraft *draft;
  const char     *text; /* of the file */
  SlScan          scan;
  uint32_t        choice; /* that is read, from 0 */
  SlStatus        status; /* of what is wrong with an array; else the text is */
  int64_t         block[BLOCK_NUMBERS];
} Reader;

bool
sl_answers_likely (const char *head)
{
  const char *first = head + strspn (head, " \t\r\n");

  return (*first == '{' || *first == '[') && strstr (head, "\"routed_experts\"") != NULL;
}

static bool
fail (Reader *r, SlMessage found, SlMessage expected)
{
  if (sl_ok (&r->status))
    r->status = sl_status_new (SL_EFORMAT, r->draft->path,
                               sl_message ("choice %u: %s", r->choice, found.packed), expected);
  return false;
}

/* ---- the array ---- */

static int
digit_of (char c)
{
  return c >= 'A' && c <= 'Z'   ? c - 'A'
         : c >= 'a' && c <= 'z' ? c - 'a' + 26
         : c >= '0' && c <= '9' ? c - '0' + 52
         : c == '+'             ? 62
         : c == '/'             ? 63
                                : -1;
}

/* Base 64 to bytes (n / 4 * 3 + 3); returns how many, or SIZE_MAX.  A stroke may have an escape before
 * it, as some writers of JSON have it.  */
static size_t
decode (const char *text, size_t n, uint8_t *to)
{
  uint32_t bits = 0;
  unsigned held = 0;
  size_t   size = 0, at = 0;

  for (; at < n && text[at] != '='; at++)
    {
      int digit = digit_of (text[at]);

      if (text[at] == '\\' && at + 1 < n && text[at + 1] == '/')
        continue;
      if (digit < 0)
        return SIZE_MAX;
      bits = bits << 6 | (uint32_t) digit;
      held += 6;
      if (held < 8)
        continue;
      held -= 8;
      to[size++] = (uint8_t) (bits >> held);
    }
  return n - at <= 2 ? size : SIZE_MAX;
}

/* The layers of the first choice are those of all. */
static bool
settle_layers (Reader *r, const SlArray *array)
{
  SlRoutingDraft      *draft = r->draft;
  SlRoutingDraftLayer *layer;

  if (draft->n_layers == 0 && array->shape[1] <= SL_ROUTING_LAYERS)
    for (int l = 0; l < (int) array->shape[1] && sl_ok (&r->status); l++)
      r->status = sl_routing_draft_layer (draft, l, -1, &layer);
  if (!sl_ok (&r->status))
    return false;
  if (draft->n_layers != array->shape[1])
    return fail (r, sl_message ("%llu layers", (unsigned long long) array->shape[1]),
                 draft->n_layers > 0 ? sl_message ("%u, as the first choice has", draft->n_layers)
                                     : sl_message ("at most %d", SL_ROUTING_LAYERS));
  if (array->type == SL_ARRAY_NATURALS)
    draft->top = array->size == 1 ? UINT8_MAX : SL_RAW_TOP;
  return true;
}

static bool
append_rows (Reader *r, const SlArray *array)
{
  unsigned k = (unsigned) array->shape[2];
  uint64_t rows = array->n / k, most = BLOCK_NUMBERS / k;

  for (uint64_t row = 0; row < rows && sl_ok (&r->status); row += most)
    {
      size_t n = rows - row < most ? (size_t) (rows - row) : (size_t) most;

      r->status = sl_array_integers (array, r->draft->path, row * k, n * k, r->block);
      sl_array_mark_tops (array, r->block, n * k);
      for (size_t i = 0; i < n && sl_ok (&r->status); i++)
        {
          SlRoutingDraftLayer *layer = &r->draft->layer[(row + i) % array->shape[1]];

          r->status = sl_routing_draft_token (r->draft, layer, r->block + i * k, NULL, k, false);
          if (sl_ok (&r->status))
            layer->request[layer->tokens - 1] = r->choice;
        }
    }
  return sl_ok (&r->status);
}

static bool
read_array (Reader *r, uint8_t *bytes, size_t size)
{
  SlArray  array = { .fd = -1 };
  size_t   length;
  uint64_t want;

  if (size < SL_NPY_HEAD || !sl_npy_likely (bytes, size))
    return fail (r, sl_message ("%zu bytes that are no array", size),
                 sl_message ("an array of NumPy (.npy) in base 64"));
  r->status = sl_npy_length (bytes, size, r->draft->path, &length);
  if (sl_ok (&r->status) && length > size)
    return fail (r, sl_message ("%zu bytes", size), sl_message ("a header of %zu", length));
  if (sl_ok (&r->status))
    r->status = sl_npy_header (bytes, length, r->draft->path, &array);
  if (!sl_ok (&r->status))
    return false;
  if (!sl_array_whole (&array) || array.axes != 3 || array.shape[2] > SL_ROUTING_SLOTS)
    return fail (r, sl_message ("an array of another kind"),
                 sl_message ("whole numbers, tokens × layers × k"));
  if (!sl_array_extent (&array, &want) || want != size - length)
    return fail (r, sl_message ("%zu bytes of numbers", size - length),
                 sl_message ("%llu", (unsigned long long) want));
  if (array.n == 0)
    return true;
  array.bytes = bytes + length;
  return settle_layers (r, &array) && append_rows (r, &array);
}

static bool
read_routing (Reader *r)
{
  const char *text;
  size_t      n, size;
  uint8_t    *bytes;
  bool        good;

  /* null: the server was not asked to tell. */
  if (!sl_scan_text (&r->scan, &text, &n))
    return sl_scan_skip (&r->scan);
  bytes = malloc (n / 4 * 3 + 3);
  if (bytes == NULL)
    {
      r->status = sl_status_no_memory (r->draft->path);
      return false;
    }
  size = decode (text, n, bytes);
  good = size != SIZE_MAX ? read_array (r, bytes, size)
                          : fail (r, sl_message ("text that is not base 64"),
                                  sl_message ("an array of NumPy (.npy) in base 64"));
  free (bytes);
  return good;
}

/* ---- the text around it ---- */

static bool read_answer (Reader *r);
static bool read_choice (Reader *r);

/* A list, each of its elements read by `element`. */
static bool
read_list (Reader *r, bool (*element) (Reader *))
{
  if (!sl_scan_take (&r->scan, '['))
    return false;
  for (bool first = true; !sl_scan_take (&r->scan, ']'); first = false)
    if ((!first && !sl_scan_take (&r->scan, ',')) || !element (r))
      return false;
  return true;
}

/* An object whose member of this name is read by `member`, all others skipped. */
static bool
read_object (Reader *r, const char *name, bool (*member) (Reader *))
{
  bool        first = true, ended = false;
  const char *key;
  size_t      n;

  if (!sl_scan_take (&r->scan, '{'))
    return false;
  while (sl_scan_member (&r->scan, &first, &ended, &key, &n))
    if (!(n == strlen (name) && memcmp (key, name, n) == 0 ? member (r) : sl_scan_skip (&r->scan)))
      return false;
  return ended;
}

static bool
read_choice (Reader *r)
{
  bool good = read_object (r, "routed_experts", read_routing);

  r->choice++;
  return good;
}

static bool
read_choices (Reader *r)
{
  return read_list (r, read_choice);
}

static bool
read_answer (Reader *r)
{
  return read_object (r, "choices", read_choices);
}

static bool
read_all (Reader *r)
{
  while (!sl_scan_end (&r->scan))
    {
      SlScan list = r->scan;

      if (sl_scan_take (&list, '[') ? !read_list (r, read_answer) : !read_answer (r))
        return false;
    }
  return true;
}

static SlStatus
refuse_text (const Reader *r)
{
  char shown[64];

  return sl_status_at (SL_EFORMAT, r->draft->path, SL_BYTE, (uint64_t) (r->scan.at - r->text),
                       *r->scan.at == '\0' ? sl_message ("the end of the file")
                                           : sl_message_verbatim (sl_text_quote (
                                             r->scan.at, strlen (r->scan.at), shown, sizeof shown)),
                       sl_message ("answers of a server, with choices"));
}

static SlStatus
read_text (SlRoutingDraft *draft, const char *text)
{
  Reader  *r = malloc (sizeof *r);
  SlStatus status = SL_SUCCESS;

  if (r == NULL)
    return sl_status_no_memory (draft->path);
  r->draft = draft;
  r->text = r->scan.at = text;
  r->choice = 0;
  r->status = SL_SUCCESS;
  draft->requests = true;
  if (!read_all (r))
    status = sl_ok (&r->status) ? refuse_text (r) : r->status;
  else if (draft->n_layers == 0)
    status = sl_status_new (SL_EFORMAT, draft->path, sl_message ("no routed_experts with tokens"),
                            sl_message ("answers of a server that was started with "
                                        "--enable-return-routed-experts"));
  free (r);
  return status;
}

SlStatus
sl_answers_read (SlRoutingDraft *draft, const char *path)
{
  uint8_t *text;
  size_t   size;
  SlStatus status = sl_bytes_file (path, SL_ROUTING_BUDGET, &text, &size);

  if (!sl_ok (&status))
    return status;
  /* Ends of lines are blanks between values; within a text they are not allowed. */
  for (size_t i = 0; i < size; i++)
    if (text[i] == '\n')
      text[i] = ' ';
  status = memchr (text, '\0', size) == NULL
             ? read_text (draft, (const char *) text)
             : sl_status_new (SL_EFORMAT, path, sl_message ("a zero byte"), sl_message ("text"));
  free (text);
  return status;
}
