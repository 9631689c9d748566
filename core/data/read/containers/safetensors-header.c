/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/safetensors-header.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/text/text.h"

enum { LENGTH_BYTES = 8, TENSORS_MAX = 1 << 16, NAME_MAX_BYTES = 255 };

static const uint64_t SIZES_MAX = (uint64_t) 1 << 53;

static const struct
{
  const char  *name;
  SlTensorType type;
} types[] = {
  { "F32", SL_TENSOR_F32 },   { "F16", SL_TENSOR_F16 },         { "BF16", SL_TENSOR_BF16 },
  { "F64", SL_TENSOR_F64 },   { "I64", SL_TENSOR_I64 },         { "U64", SL_TENSOR_U64 },
  { "I32", SL_TENSOR_I32 },   { "U32", SL_TENSOR_U32 },         { "I16", SL_TENSOR_I16 },
  { "U16", SL_TENSOR_U16 },   { "I8", SL_TENSOR_I8 },           { "U8", SL_TENSOR_U8 },
  { "BOOL", SL_TENSOR_BOOL }, { "F8_E4M3", SL_TENSOR_OTHER_1 }, { "F8_E5M2", SL_TENSOR_OTHER_1 },
};

size_t
sl_tensor_type_size (SlTensorType type)
{
  switch (type)
    {
    case SL_TENSOR_F64:
    case SL_TENSOR_I64:
    case SL_TENSOR_U64: return 8;
    case SL_TENSOR_F32:
    case SL_TENSOR_I32:
    case SL_TENSOR_U32: return 4;
    case SL_TENSOR_F16:
    case SL_TENSOR_BF16:
    case SL_TENSOR_I16:
    case SL_TENSOR_U16: return 2;
    default: return 1;
    }
}

bool
sl_tensor_type_real (SlTensorType type)
{
  return type <= SL_TENSOR_BF16;
}

SlStatus
sl_tensor_entry_fail (const char *path, const SlTensorEntry *entry, SlMessage found,
                      SlMessage expected)
{
  char shown[64];

  return sl_status_at (
    SL_EFORMAT, path, SL_BYTE, entry->place,
    sl_message ("%s: %s", sl_text_quote (entry->name, strlen (entry->name), shown, sizeof shown),
                found.packed),
    expected);
}

/* A refusal of something in the header. */
static SlStatus
refuse (const char *path, const SlJson *json, const char *found, const char *expected)
{
  return sl_status_at (SL_EFORMAT, path, SL_BYTE, LENGTH_BYTES + json->at, sl_message_word (found),
                       sl_message_word (expected));
}

static SlStatus
read_type (const char *path, const SlJson *json, SlTensorType *type)
{
  char shown[64];

  for (size_t i = 0; json->kind == SL_JSON_TEXT && i < sizeof types / sizeof types[0]; i++)
    if (strcmp (types[i].name, json->text) == 0)
      {
        *type = types[i].type;
        return SL_SUCCESS;
      }
  return refuse (path, json,
                 json->kind == SL_JSON_TEXT
                   ? sl_text_quote (json->text, strlen (json->text), shown, sizeof shown)
                   : sl_json_kind_text (json),
                 SL_MARK ("a type such as \"F32\""));
}

/* The dimensions and their product, which must fit into memory. */
static SlStatus
read_shape (const char *path, const SlJson *json, SlTensorEntry *entry)
{
  static const char expected[] = SL_MARK ("a list of at most 8 dimensions");
  bool              empty = false;
  unsigned          i = 0;

  if (json->kind != SL_JSON_ARRAY)
    return refuse (path, json, sl_json_kind_text (json), expected);
  if (json->n > SL_TENSOR_DIMS)
    return refuse (path, json, SL_MARK ("more than 8 dimensions"), expected);
  entry->n = 1;
  entry->dims = json->n;
  for (const SlJson *each = json->first; each != NULL; each = each->next)
    {
      uint64_t dim;

      if (!sl_json_whole (each, SIZES_MAX, &dim))
        return refuse (path, each, each->text != NULL ? each->text : sl_json_kind_text (each),
                       SL_MARK ("dimensions from 0 to 2^53"));
      /* Leaves room for eight bytes of each, so that sizes in bytes do not overflow either. */
      if (dim > 0 && entry->n > (SIZE_MAX >> 4) / dim)
        return refuse (path, json, SL_MARK ("more numbers than memory can have"), expected);
      entry->dim[i++] = (size_t) dim;
      empty = empty || dim == 0;
      entry->n *= dim > 0 ? (size_t) dim : 1;
    }
  if (empty)
    entry->n = 0;
  return SL_SUCCESS;
}

static SlStatus
read_place (const char *path, const SlJson *json, SlTensorEntry *entry)
{
  static const char expected[] = SL_MARK ("two offsets, the second one not smaller");

  if (json->kind != SL_JSON_ARRAY || json->n != 2
      || !sl_json_whole (json->first, SIZES_MAX, &entry->begin)
      || !sl_json_whole (json->first->next, SIZES_MAX, &entry->end))
    return refuse (path, json, sl_json_kind_text (json), expected);
  if (entry->end < entry->begin)
    return refuse (path, json, SL_MARK ("offsets that run backwards"), expected);
  return SL_SUCCESS;
}

/* {"dtype": …, "shape": …, "data_offsets": …} in any order. */
static SlStatus
read_entry (const char *path, const SlJson *json, SlTensorEntry *entry)
{
  static const char expected[] = SL_MARK ("\"dtype\", \"shape\" and \"data_offsets\", each once");
  const SlJson     *type = sl_json_member (json, "dtype"), *shape = sl_json_member (json, "shape");
  const SlJson     *place = sl_json_member (json, "data_offsets");
  SlStatus          status;

  if (json->kind != SL_JSON_OBJECT)
    return refuse (path, json, sl_json_kind_text (json), expected);
  if (type == NULL || shape == NULL || place == NULL)
    return refuse (path, json, SL_MARK ("an entry without all of its keys"), expected);
  if (json->n > 3)
    return refuse (path, json, SL_MARK ("another key"), expected);
  status = read_type (path, type, &entry->type);
  if (sl_ok (&status))
    status = read_shape (path, shape, entry);
  return sl_ok (&status) ? read_place (path, place, entry) : status;
}

/* Texts about the file, which are only checked. */
static SlStatus
check_notes (const char *path, const SlJson *json)
{
  static const char expected[] = SL_MARK ("texts in \"__metadata__\"");

  if (json->kind != SL_JSON_OBJECT)
    return refuse (path, json, sl_json_kind_text (json), expected);
  for (const SlJson *note = json->first; note != NULL; note = note->next)
    if (note->kind != SL_JSON_TEXT)
      return refuse (path, note, sl_json_kind_text (note), expected);
  return SL_SUCCESS;
}

/* A name that can be shown. */
static SlStatus
check_name (const char *path, const SlJson *json)
{
  static const char expected[] = SL_MARK ("a name of 1 to 255 bytes");

  if (json->key[0] == '\0')
    return refuse (path, json, SL_MARK ("a tensor without a name"), expected);
  if (strlen (json->key) > NAME_MAX_BYTES)
    return refuse (path, json, SL_MARK ("a longer name"), expected);
  for (const char *c = json->key; *c != '\0'; c++)
    if ((unsigned char) *c < 0x20 || *c == 0x7f)
      return refuse (path, json, SL_MARK ("a control character in a name"), expected);
  return SL_SUCCESS;
}

static SlStatus
read_members (SlTensorHeader *header, const char *path)
{
  SlStatus status = SL_SUCCESS;

  if (header->json->kind != SL_JSON_OBJECT)
    return refuse (path, header->json, sl_json_kind_text (header->json),
                   SL_MARK ("a header in JSON"));
  if (header->json->n > TENSORS_MAX + 1)
    return refuse (path, header->json, SL_MARK ("more than 65536 tensors"),
                   SL_MARK ("at most 65536"));
  header->entry = calloc (header->json->n + 1, sizeof *header->entry);
  if (header->entry == NULL)
    return sl_status_no_memory (path);
  for (const SlJson *json = header->json->first; json != NULL && sl_ok (&status); json = json->next)
    {
      SlTensorEntry *entry = &header->entry[header->n];

      if (strcmp (json->key, "__metadata__") == 0)
        {
          status = check_notes (path, json);
          continue;
        }
      *entry = (SlTensorEntry) { .name = json->key, .place = LENGTH_BYTES + json->at };
      status = check_name (path, json);
      if (sl_ok (&status))
        status = read_entry (path, json, entry);
      header->n++;
    }
  return status;
}

static int
by_name (const void *a, const void *b)
{
  return strcmp (((const SlTensorEntry *) a)->name, ((const SlTensorEntry *) b)->name);
}

static SlStatus
check_entry (const char *path, const SlTensorEntry *entry)
{
  if (entry->end - entry->begin == entry->n * sl_tensor_type_size (entry->type))
    return SL_SUCCESS;
  return sl_tensor_entry_fail (
    path, entry, sl_message ("%llu bytes", (unsigned long long) (entry->end - entry->begin)),
    sl_message ("%zu for its shape and type", entry->n * sl_tensor_type_size (entry->type)));
}

static SlStatus
read_text (SlBytes *bytes, char **text, size_t *size)
{
  const char *path = sl_bytes_path (bytes);
  uint8_t     head[LENGTH_BYTES];
  uint64_t    length;
  SlStatus status = sl_bytes_exactly (bytes, head, sizeof head, sl_message ("the header's length"));

  if (!sl_ok (&status))
    return status;
  length = sl_little_endian (head, sizeof head);
  if (length < 2 || length > SL_TENSOR_HEADER_MAX || length > sl_bytes_left (bytes))
    return sl_status_at (SL_EFORMAT, path, SL_BYTE, 0,
                         sl_message ("a header of %llu bytes", (unsigned long long) length),
                         length > SL_TENSOR_HEADER_MAX ? sl_message ("at most 16 MiB")
                                                       : sl_message ("a header that is there"));
  *size = (size_t) length;
  *text = malloc (*size);
  return *text != NULL ? sl_bytes_exactly (bytes, *text, *size, sl_message ("the header"))
                       : sl_status_no_memory (path);
}

SlStatus
sl_tensor_header_read (SlTensorHeader *header, SlBytes *bytes)
{
  const char *path = sl_bytes_path (bytes);
  size_t      size = 0;
  char       *text = NULL;
  SlStatus    status = read_text (bytes, &text, &size);

  *header = (SlTensorHeader) { 0 };
  if (sl_ok (&status))
    status = sl_json_read (&header->json, text, size, SL_TENSOR_HEADER_MAX, path);
  free (text);
  if (sl_ok (&status))
    status = read_members (header, path);
  if (!sl_ok (&status))
    return status;
  if (header->n > 0)
    qsort (header->entry, header->n, sizeof *header->entry, by_name);
  for (size_t i = 0; i < header->n && sl_ok (&status); i++)
    status = check_entry (path, &header->entry[i]);
  return sl_ok (&status) ? sl_tensor_places_check (header, bytes) : status;
}

void
sl_tensor_header_clear (SlTensorHeader *header)
{
  free (header->entry);
  free (header->order);
  sl_json_free (header->json);
  *header = (SlTensorHeader) { 0 };
}
