/* SPDX-License-Identifier: MIT
 *
 * The header of a .safetensors file; see safetensors-header.h.  */
#include "core/data/read/safetensors-header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/text/json.h"
#include "core/data/text/text.h"

enum { LENGTH_BYTES = 8, TENSORS_MAX = 1 << 16, NAME_MAX_BYTES = 255 };

static const struct
{
  const char  *name;
  SlTensorType type;
} types[] = {
  { "F32", SL_TENSOR_F32 },      { "F16", SL_TENSOR_F16 },         { "BF16", SL_TENSOR_BF16 },
  { "F64", SL_TENSOR_F64 },      { "I64", SL_TENSOR_OTHER_8 },     { "U64", SL_TENSOR_OTHER_8 },
  { "I32", SL_TENSOR_OTHER_4 },  { "U32", SL_TENSOR_OTHER_4 },     { "I16", SL_TENSOR_OTHER_2 },
  { "U16", SL_TENSOR_OTHER_2 },  { "I8", SL_TENSOR_OTHER_1 },      { "U8", SL_TENSOR_OTHER_1 },
  { "BOOL", SL_TENSOR_OTHER_1 }, { "F8_E4M3", SL_TENSOR_OTHER_1 }, { "F8_E5M2", SL_TENSOR_OTHER_1 },
};

size_t
sl_tensor_type_size (SlTensorType type)
{
  switch (type)
    {
    case SL_TENSOR_F64:
    case SL_TENSOR_OTHER_8: return 8;
    case SL_TENSOR_F32:
    case SL_TENSOR_OTHER_4: return 4;
    case SL_TENSOR_F16:
    case SL_TENSOR_BF16:
    case SL_TENSOR_OTHER_2: return 2;
    default: return 1;
    }
}

bool
sl_tensor_type_real (SlTensorType type)
{
  return type <= SL_TENSOR_BF16;
}

uint64_t
sl_little_endian (const uint8_t *bytes, size_t size)
{
  uint64_t value = 0;

  for (size_t i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

SlStatus
sl_tensor_entry_fail (const char *path, const SlTensorEntry *entry, const char *found,
                      const char *expected)
{
  char shown[64], text[128];

  snprintf (text, sizeof text, "%s: %s",
            sl_text_quote (entry->name, strlen (entry->name), shown, sizeof shown), found);
  return sl_status_at (SL_EFORMAT, path, SL_BYTE, entry->place, text, expected);
}

static SlStatus
read_type (SlJsonReader *json, char *spare, SlTensorType *type)
{
  static const char expected[] = "a type such as \"F32\"";
  size_t            length;
  char              shown[64];
  uint64_t          at = json->at;
  SlStatus          status = sl_json_read_string (json, spare, &length, expected);

  if (!sl_ok (&status))
    return status;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp (types[i].name, spare) == 0)
      {
        *type = types[i].type;
        return SL_SUCCESS;
      }
  return sl_status_at (SL_EFORMAT, json->path, SL_BYTE, json->begin + at,
                       sl_text_quote (spare, length, shown, sizeof shown), expected);
}

/* The dimensions and their product, which must fit into memory. */
static SlStatus
read_shape (SlJsonReader *json, SlTensorEntry *entry)
{
  static const char expected[] = "a list of at most 8 dimensions";
  bool              empty = false;
  SlStatus          status = sl_json_read_expected (json, '[', expected);

  entry->n = 1;
  entry->dims = 0;
  if (sl_ok (&status) && sl_json_read_char (json, ']'))
    return status;
  while (sl_ok (&status))
    {
      uint64_t dim;

      if (entry->dims == SL_TENSOR_DIMS)
        return sl_json_read_fail (json, "more than 8 dimensions", expected);
      status = sl_json_read_size (json, &dim, expected);
      if (!sl_ok (&status))
        return status;
      entry->dim[entry->dims++] = (size_t) dim;
      empty = empty || dim == 0;
      /* Leaves room for eight bytes of each, so that sizes in bytes do not overflow either. */
      if (dim > 0 && entry->n > (SIZE_MAX >> 4) / dim)
        return sl_json_read_fail (json, "a shape of more numbers than memory can have", expected);
      entry->n *= dim > 0 ? (size_t) dim : 1;
      if (sl_json_read_char (json, ','))
        continue;
      if (empty)
        entry->n = 0;
      return sl_json_read_expected (json, ']', expected);
    }
  return status;
}

static SlStatus
read_place (SlJsonReader *json, SlTensorEntry *entry)
{
  static const char expected[] = "two offsets, the second one not smaller";
  SlStatus          status = sl_json_read_expected (json, '[', expected);

  if (sl_ok (&status))
    status = sl_json_read_size (json, &entry->begin, expected);
  if (sl_ok (&status))
    status = sl_json_read_expected (json, ',', expected);
  if (sl_ok (&status))
    status = sl_json_read_size (json, &entry->end, expected);
  if (sl_ok (&status))
    status = sl_json_read_expected (json, ']', expected);
  if (sl_ok (&status) && entry->end < entry->begin)
    status = sl_json_read_fail (json, "offsets that run backwards", expected);
  return status;
}

/* {"dtype": …, "shape": …, "data_offsets": …}, each once, in any order. */
static SlStatus
read_entry (SlJsonReader *json, char *spare, SlTensorEntry *entry)
{
  static const char        expected[] = "\"dtype\", \"shape\" and \"data_offsets\", each once";
  static const char *const keys[] = { "dtype", "shape", "data_offsets" };
  unsigned                 seen = 0;
  size_t                   length;
  SlStatus                 status = sl_json_read_expected (json, '{', expected);

  while (sl_ok (&status))
    {
      unsigned key = 0;

      status = sl_json_read_string (json, spare, &length, expected);
      if (!sl_ok (&status))
        return status;
      while (key < 3 && strcmp (keys[key], spare) != 0)
        key++;
      if (key == 3 || seen & 1u << key)
        return sl_json_read_fail (json, key == 3 ? "another key" : "a key twice", expected);
      seen |= 1u << key;
      status = sl_json_read_expected (json, ':', "a colon");
      if (sl_ok (&status))
        status = key == 0   ? read_type (json, spare, &entry->type)
                 : key == 1 ? read_shape (json, entry)
                            : read_place (json, entry);
      if (sl_ok (&status) && !sl_json_read_char (json, ','))
        {
          status = sl_json_read_expected (json, '}', "a comma or the end of the entry");
          if (sl_ok (&status) && seen != 7)
            status = sl_json_read_fail (json, "an entry without all of its keys", expected);
          return status;
        }
    }
  return status;
}

/* Texts about the file, which are only checked. */
static SlStatus
read_notes (SlJsonReader *json, char *spare)
{
  static const char expected[] = "texts in \"__metadata__\"";
  size_t            length;
  SlStatus          status = sl_json_read_expected (json, '{', expected);

  if (!sl_ok (&status) || sl_json_read_char (json, '}'))
    return status;
  while (sl_ok (&status))
    {
      status = sl_json_read_string (json, spare, &length, expected);
      if (sl_ok (&status))
        status = sl_json_read_expected (json, ':', "a colon");
      if (sl_ok (&status))
        status = sl_json_read_string (json, spare, &length, expected);
      if (sl_ok (&status) && !sl_json_read_char (json, ','))
        return sl_json_read_expected (json, '}', "a comma or the end of \"__metadata__\"");
    }
  return status;
}

/* A name that can be shown. */
static SlStatus
check_name (const SlJsonReader *json, const char *name, size_t length)
{
  static const char expected[] = "a name of 1 to 255 bytes";

  if (length == 0)
    return sl_json_read_fail (json, "a tensor without a name", expected);
  if (length > NAME_MAX_BYTES)
    return sl_json_read_fail (json, "a longer name", expected);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char) name[i] < 0x20 || name[i] == 0x7f)
      return sl_json_read_fail (json, "a control character in a name", expected);
  return SL_SUCCESS;
}

static SlStatus
add_entry (SlTensorHeader *header, const SlJsonReader *json, const SlTensorEntry *entry)
{
  if (header->n == TENSORS_MAX)
    return sl_json_read_fail (json, "more than 65536 tensors", "at most 65536");
  if (header->n == header->room)
    {
      size_t         room = header->room > 0 ? 2 * header->room : 64;
      SlTensorEntry *more = realloc (header->entry, room * sizeof *more);

      if (more == NULL)
        return sl_status_new (SL_ENOMEM, json->path, NULL, NULL);
      header->entry = more;
      header->room = room;
    }
  header->entry[header->n++] = *entry;
  return SL_SUCCESS;
}

/* One member of the header; names go to header->names, of which *used bytes are taken. */
static SlStatus
read_member (SlTensorHeader *header, SlJsonReader *json, char *spare, size_t *used)
{
  SlTensorEntry entry = { .name = header->names + *used, .place = json->begin + json->at };
  size_t        length;
  SlStatus status = sl_json_read_string (json, header->names + *used, &length, "a tensor's name");

  if (sl_ok (&status))
    status = check_name (json, entry.name, length);
  if (sl_ok (&status))
    status = sl_json_read_expected (json, ':', "a colon");
  if (!sl_ok (&status))
    return status;
  if (strcmp (entry.name, "__metadata__") == 0)
    {
      if (header->notes)
        return sl_json_read_fail (json, "\"__metadata__\" twice", "every name once");
      header->notes = true;
      return read_notes (json, spare);
    }
  *used += length + 1;
  status = read_entry (json, spare, &entry);
  return sl_ok (&status) ? add_entry (header, json, &entry) : status;
}

static SlStatus
read_members (SlTensorHeader *header, SlJsonReader *json, char *spare)
{
  size_t   used = 0;
  SlStatus status = sl_json_read_expected (json, '{', "a header in JSON");

  if (sl_ok (&status) && sl_json_read_char (json, '}'))
    return sl_json_read_end (json);
  while (sl_ok (&status))
    {
      status = read_member (header, json, spare, &used);
      if (!sl_ok (&status) || sl_json_read_char (json, ','))
        continue;
      status = sl_json_read_expected (json, '}', "a comma or the end of the header");
      return sl_ok (&status) ? sl_json_read_end (json) : status;
    }
  return status;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const SlTensorEntry *) a)->name, ((const SlTensorEntry *) b)->name);
}

static SlStatus
check_entry (const char *path, const SlTensorEntry *entry, const SlTensorEntry *before)
{
  char found[80], expected[80];

  if (before != NULL && strcmp (before->name, entry->name) == 0)
    return sl_tensor_entry_fail (path, entry, "twice", "every name once");
  if (entry->end - entry->begin == entry->n * sl_tensor_type_size (entry->type))
    return SL_SUCCESS;
  snprintf (found, sizeof found, "%llu bytes", (unsigned long long) (entry->end - entry->begin));
  snprintf (expected, sizeof expected, "%zu for its shape and type",
            entry->n * sl_tensor_type_size (entry->type));
  return sl_tensor_entry_fail (path, entry, found, expected);
}

static SlStatus
read_text (SlTensorHeader *header, SlBytes *bytes, size_t *size)
{
  const char *path = sl_bytes_path (bytes);
  uint8_t     head[LENGTH_BYTES];
  uint64_t    length;
  char        found[64];
  SlStatus    status = sl_bytes_exactly (bytes, head, sizeof head, "the header's length");

  if (!sl_ok (&status))
    return status;
  length = sl_little_endian (head, sizeof head);
  if (length < 2 || length > SL_TENSOR_HEADER_MAX || length > sl_bytes_left (bytes))
    {
      snprintf (found, sizeof found, "a header of %llu bytes", (unsigned long long) length);
      return sl_status_at (SL_EFORMAT, path, SL_BYTE, 0, found,
                           length > SL_TENSOR_HEADER_MAX ? "at most 16 MiB"
                                                         : "a header that is there");
    }
  *size = (size_t) length;
  header->text = malloc (*size);
  /* Decoded, a text is not longer than it was in its quotes. */
  header->names = malloc (2 * (*size + 1));
  if (header->text == NULL || header->names == NULL)
    return sl_status_new (SL_ENOMEM, path, NULL, NULL);
  return sl_bytes_exactly (bytes, header->text, *size, "the header");
}

SlStatus
sl_tensor_header_read (SlTensorHeader *header, SlBytes *bytes)
{
  const char  *path = sl_bytes_path (bytes);
  size_t       size = 0;
  SlJsonReader json;
  SlStatus     status;

  *header = (SlTensorHeader) { 0 };
  status = read_text (header, bytes, &size);
  if (!sl_ok (&status))
    return status;
  json = (SlJsonReader) { .path = path, .text = header->text, .size = size, .begin = LENGTH_BYTES };
  status = read_members (header, &json, header->names + size + 1);
  if (!sl_ok (&status))
    return status;
  if (header->n > 0)
    qsort (header->entry, header->n, sizeof *header->entry, by_name);
  for (size_t i = 0; i < header->n && sl_ok (&status); i++)
    status = check_entry (path, &header->entry[i], i > 0 ? &header->entry[i - 1] : NULL);
  return sl_ok (&status) ? sl_tensor_places_check (header, bytes) : status;
}

void
sl_tensor_header_clear (SlTensorHeader *header)
{
  free (header->entry);
  free (header->order);
  free (header->text);
  free (header->names);
  *header = (SlTensorHeader) { 0 };
}
