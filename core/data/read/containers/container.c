/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/container.h"

#include <string.h>
#include <strings.h>

#include "core/data/read/containers/event.h"
#include "core/data/read/containers/npy-header.h"
#include "core/data/read/containers/zip.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum { ZIP_NAME = 30 /* where the name of the first member is */, HEAD = 1 << 16 };

static bool
ends_with (const char *text, size_t n, const char *end)
{
  size_t length = strlen (end);

  return n >= length && strncasecmp (text + n - length, end, length) == 0;
}

/* Whether the name, without ".gz", has one of these endings, which follow one another up to "". */
static bool
is_named (const char *path, const char *endings)
{
  const char *name = basename (path);
  size_t      n = strlen (name);

  n -= ends_with (name, n, ".gz") ? 3 : 0;
  for (; *endings != '\0'; endings += strlen (endings) + 1)
    if (ends_with (name, n, endings))
      return true;
  return false;
}

static SlContainer
zip_of (const char *path, const uint8_t *head, size_t size)
{
  size_t      n = size > ZIP_NAME ? (size_t) sl_little_endian (head + 26, 2) : 0;
  const char *name = (const char *) head + ZIP_NAME;

  if (n > size - (size < ZIP_NAME ? size : ZIP_NAME))
    n = 0;
  if (ends_with (name, n, "/data.pkl"))
    return SL_CONTAINER_TORCH;
  if (ends_with (name, n, ".npy") || is_named (path, ".npz\0"))
    return SL_CONTAINER_NPZ;
  return is_named (path, ".pt\0.pth\0.bin\0.ckpt\0") ? SL_CONTAINER_TORCH : SL_CONTAINER_NONE;
}

/* What begins with bytes that no other container does. */
static SlContainer
container_of_magic (const char *path, const uint8_t *head, size_t size)
{
  if (sl_npy_likely (head, size))
    return SL_CONTAINER_NPY;
  if (sl_zip_likely (head, size))
    return zip_of (path, head, size);
  if (size >= 4 && memcmp (head, "GGUF", 4) == 0)
    return SL_CONTAINER_GGUF;
  if (size >= 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5)
    return SL_CONTAINER_TORCH;
  if (sl_safetensors_likely (head, size))
    return SL_CONTAINER_SAFETENSORS;
  if (sl_events_are_events (head, size))
    return SL_CONTAINER_EVENTS;
  return sl_idx_arrays_likely (head, size) ? SL_CONTAINER_IDX : SL_CONTAINER_NONE;
}

/* Letters alone, but for the one that the end of `head` may cut. */
static bool
is_text (const uint8_t *head, size_t size)
{
  for (size_t i = 0; i < size; i++)
    if (head[i] == 0x7f || (head[i] < 0x20 && strchr ("\t\n\r\f", head[i]) == NULL) || head[i] == 0)
      return false;
  return true;
}

/* The first line that is neither empty nor a comment. */
static const uint8_t *
first_line (const uint8_t *head, size_t size, size_t *n)
{
  const uint8_t *end = head + size, *next;

  for (;; head = next + 1)
    {
      next = memchr (head, '\n', (size_t) (end - head));
      *n = (size_t) ((next != NULL ? next : end) - head);
      if (next == NULL || (*n > 1 && head[0] != '#'))
        return head;
    }
}

/* Numbers between blanks, and nothing else. */
static bool
is_row_of_numbers (const uint8_t *line, size_t n)
{
  bool digit = false;

  for (size_t i = 0; i < n; i++)
    {
      digit = digit || (line[i] >= '0' && line[i] <= '9');
      if (line[i] == '\0' || strchr ("0123456789+-.eE \t\r,;", line[i]) == NULL)
        return false;
    }
  return digit;
}

static SlContainer
container_of_text (const char *path, const uint8_t *head, size_t size)
{
  size_t         n, blanks = 0;
  const uint8_t *line;

  if (size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0)
    {
      head += 3;
      size -= 3;
    }
  while (blanks < size && strchr (" \t\r\n", head[blanks]) != NULL && head[blanks] != '\0')
    blanks++;
  if (blanks == size || head[blanks] == '<' || !is_text (head, size))
    return SL_CONTAINER_NONE;
  if (is_named (path, ".json\0.jsonl\0.ndjson\0") || head[blanks] == '{' || head[blanks] == '[')
    return SL_CONTAINER_JSON;
  if (is_named (path, ".csv\0.tsv\0.arff\0.svm\0.libsvm\0"))
    return SL_CONTAINER_TABLE;
  line = first_line (head, size, &n);
  if (is_row_of_numbers (line, n))
    return SL_CONTAINER_TABLE;
  if (is_named (path, ".txt\0.text\0.md\0.tex\0"))
    return SL_CONTAINER_NONE;
  return memchr (line, ',', n) != NULL || memchr (line, ';', n) != NULL
             || memchr (line, '\t', n) != NULL
           ? SL_CONTAINER_TABLE
           : SL_CONTAINER_NONE;
}

SlContainer
sl_container_of (const char *path, const uint8_t *head, size_t size)
{
  SlContainer container = container_of_magic (path, head, size);
  bool        wide = sl_text_wide (head, size);

  if (container == SL_CONTAINER_NONE && !sl_zip_likely (head, size))
    container = wide
                  ? (is_named (path, ".csv\0.tsv\0.txt\0") ? SL_CONTAINER_TABLE : SL_CONTAINER_NONE)
                  : container_of_text (path, head, size);
  if (container != SL_CONTAINER_NONE || size == 0)
    return container;
  if (strstr (basename (path), "-ubyte") != NULL || is_named (path, ".idx\0"))
    return SL_CONTAINER_IDX;
  return is_named (path, ".bin\0") || sl_cifar_arrays_likely (head, size) ? SL_CONTAINER_CIFAR
                                                                          : SL_CONTAINER_NONE;
}

SlStatus
sl_container_find (const char *path, SlContainer *container)
{
  uint8_t  head[HEAD];
  size_t   size = 0;
  SlStatus status = sl_bytes_head (path, head, sizeof head, &size);

  *container = sl_ok (&status) ? sl_container_of (path, head, size) : SL_CONTAINER_NONE;
  return status;
}

static SlStatus
refuse_unknown (const char *path)
{
  return sl_status_new (SL_EFORMAT, path, sl_message ("a file of another kind"),
                        sl_message ("arrays, JSON or a table"));
}

SlStatus
sl_arrays_open (SlArrays *arrays, const char *path, SlContainer container, const SlTableForm *form)
{
  sl_arrays_init (arrays, path);
  switch (container)
    {
    case SL_CONTAINER_NPY: return sl_npy_open (arrays, path);
    case SL_CONTAINER_NPZ: return sl_npz_open (arrays, path);
    case SL_CONTAINER_SAFETENSORS: return sl_safetensors_arrays_open (arrays, path);
    case SL_CONTAINER_GGUF: return sl_gguf_open (arrays, path);
    case SL_CONTAINER_TORCH: return sl_torch_open (arrays, path);
    case SL_CONTAINER_IDX: return sl_idx_arrays_open (arrays, path);
    case SL_CONTAINER_CIFAR: return sl_cifar_arrays_open (arrays, path);
    case SL_CONTAINER_JSON:
      return sl_json_arrays_open (arrays, path, form != NULL ? form->most : 0);
    case SL_CONTAINER_TABLE: return sl_table_open (arrays, path, form);
    case SL_CONTAINER_EVENTS:
      return sl_events_arrays_open (arrays, path, form != NULL ? form->most : 0);
    case SL_CONTAINER_NONE: break;
    }
  return refuse_unknown (path);
}
