/* SPDX-License-Identifier: MIT
 *
 * .safetensors: a header of JSON gives each tensor a type, a shape and its place in the block of numbers that follows
 * (huggingface.co/docs/safetensors, "Format").  The tensors cover that block: no overlaps, no gaps, nothing behind.  */
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/data/read/containers/container.h"
#include "core/data/read/containers/source.h"
#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

/* A header of a thousand tensors has 100 kB. */
enum { LENGTH_BYTES = 8, HEADER_MAX = 16 << 20 };

static const uint64_t SIZES_MAX = (uint64_t) 1 << 53;

static const struct
{
  const char *name;
  SlArrayType type;
  unsigned    size;
} types[] = {
  { "F64", SL_ARRAY_REALS, 8 },     { "F32", SL_ARRAY_REALS, 4 },
  { "F16", SL_ARRAY_REALS, 2 },     { "BF16", SL_ARRAY_BRAIN, 2 },
  { "I64", SL_ARRAY_INTEGERS, 8 },  { "I32", SL_ARRAY_INTEGERS, 4 },
  { "I16", SL_ARRAY_INTEGERS, 2 },  { "I8", SL_ARRAY_INTEGERS, 1 },
  { "U64", SL_ARRAY_NATURALS, 8 },  { "U32", SL_ARRAY_NATURALS, 4 },
  { "U16", SL_ARRAY_NATURALS, 2 },  { "U8", SL_ARRAY_NATURALS, 1 },
  { "BOOL", SL_ARRAY_TRUTHS, 1 },   { "F8_E4M3", SL_ARRAY_OTHER, 1 },
  { "F8_E5M2", SL_ARRAY_OTHER, 1 },
};

/* A tensor of the header, and its bytes from the end of the header on. */
typedef struct
{
  const SlJson *json;
  uint64_t      begin, end;
  unsigned      array; /* its number */
} Entry;

bool
sl_safetensors_likely (const uint8_t *head, size_t size)
{
  return size > LENGTH_BYTES && head[LENGTH_BYTES] == '{'
         && sl_little_endian (head, LENGTH_BYTES) <= HEADER_MAX;
}

/* Refuses something in the header; found is said with the name of the member that it is or is in. */
static SlStatus
refuse (const SlArrays *arrays, const SlJson *json, SlMessage found, SlMessage expected)
{
  char shown[64];

  if (json->key != NULL)
    found = sl_message (
      "%s: %s", sl_text_quote (json->key, strlen (json->key), shown, sizeof shown), found.packed);
  return sl_arrays_refuse (arrays, LENGTH_BYTES + json->at, found, expected);
}

/* The same of a value of the wrong kind. */
static SlStatus
refuse_value (const SlArrays *arrays, const SlJson *json, const char *expected)
{
  const char *kind = sl_json_kind_text (json);
  char        shown[64];

  return refuse (arrays, json,
                 json->text != NULL ? sl_message (
                   "%s", sl_text_quote (json->text, strlen (json->text), shown, sizeof shown))
                                    : sl_message_word (kind),
                 sl_message_word (expected));
}

static SlStatus
read_type (const SlArrays *arrays, const SlJson *json, SlArray *array)
{
  for (size_t i = 0; json->kind == SL_JSON_TEXT && i < sizeof types / sizeof *types; i++)
    if (strcmp (types[i].name, json->text) == 0)
      {
        array->type = types[i].type;
        array->size = types[i].size;
        return SL_SUCCESS;
      }
  return refuse_value (arrays, json, SL_MARK ("a type such as \"F32\""));
}

static SlStatus
read_shape (const SlArrays *arrays, const SlJson *json, SlArray *array)
{
  if (json->kind != SL_JSON_ARRAY)
    return refuse_value (arrays, json, SL_MARK ("a list of at most 8 dimensions"));
  if (json->n > SL_ARRAY_AXES)
    return refuse (arrays, json, sl_message ("more than 8 dimensions"),
                   sl_message ("a list of at most 8 dimensions"));
  for (const SlJson *each = json->first; each != NULL; each = each->next)
    if (!sl_json_whole (each, SIZES_MAX, &array->shape[array->axes++]))
      return refuse_value (arrays, each, SL_MARK ("dimensions from 0 to 2^53"));
  return SL_SUCCESS;
}

/* Type and shape of an entry, whose bytes have to be theirs. */
static SlStatus
read_array (SlArrays *arrays, const Entry *entry)
{
  const SlJson *json = entry->json;
  SlArray      *array;
  uint64_t      bytes;
  SlStatus      status = sl_arrays_add (arrays, json->key, strlen (json->key), &array);

  if (sl_ok (&status))
    status = read_type (arrays, sl_json_member (json, "dtype"), array);
  if (sl_ok (&status))
    status = read_shape (arrays, sl_json_member (json, "shape"), array);
  if (!sl_ok (&status))
    return status;
  if (!sl_array_extent (array, &bytes))
    return refuse (arrays, json, sl_message ("a shape of more numbers than memory can have"),
                   sl_message ("at most 2^63 bytes"));
  if (bytes != entry->end - entry->begin)
    return refuse (arrays, json,
                   sl_message ("%llu bytes", (unsigned long long) (entry->end - entry->begin)),
                   sl_message ("%llu for its shape and type", (unsigned long long) bytes));
  if (array->type == SL_ARRAY_OTHER)
    sl_arrays_note (arrays, sl_message ("%s: float8, which is not read", array->name));
  return SL_SUCCESS;
}

/* {"dtype": …, "shape": …, "data_offsets": …} in any order. */
static SlStatus
read_entry (SlArrays *arrays, Entry *entry)
{
  static const char offsets[] = SL_MARK ("two offsets, the second one not smaller");
  const SlJson     *json = entry->json, *place = sl_json_member (json, "data_offsets");

  if (json->key[0] == '\0')
    return refuse (arrays, json, sl_message ("a tensor without a name"), sl_message ("a name"));
  if (place == NULL || sl_json_member (json, "dtype") == NULL
      || sl_json_member (json, "shape") == NULL || json->n > 3)
    return refuse (arrays, json,
                   json->n > 3 ? sl_message ("another key")
                               : sl_message ("an entry without all of its keys"),
                   sl_message ("\"dtype\", \"shape\" and \"data_offsets\", each once"));
  if (place->n != 2 || !sl_json_whole (place->first, SIZES_MAX, &entry->begin)
      || !sl_json_whole (place->first->next, SIZES_MAX, &entry->end))
    return refuse_value (arrays, place, offsets);
  if (entry->end < entry->begin)
    return refuse (arrays, place, sl_message ("offsets that run backwards"),
                   sl_message_word (offsets));
  return read_array (arrays, entry);
}

/* Texts about the file, which are only checked. */
static SlStatus
check_notes (const SlArrays *arrays, const SlJson *json)
{
  if (json->kind != SL_JSON_OBJECT)
    return refuse_value (arrays, json, SL_MARK ("texts in \"__metadata__\""));
  for (const SlJson *note = json->first; note != NULL; note = note->next)
    if (note->kind != SL_JSON_TEXT)
      return refuse_value (arrays, note, SL_MARK ("texts in \"__metadata__\""));
  return SL_SUCCESS;
}

/* Empty ones before those that begin at the same byte. */
static int
by_place (const void *a, const void *b)
{
  const Entry *x = a, *y = b;

  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/* That the `n` entries, in the order of their places, follow one another from `begin` to the end of the file. */
static SlStatus
check_places (const SlArrays *arrays, const Entry *entry, size_t n, uint64_t begin)
{
  unsigned long long end = 0, left = arrays->size - begin;

  for (size_t i = 0; i < n; end = entry[i++].end)
    if (entry[i].begin != end)
      return refuse (arrays, entry[i].json,
                     entry[i].begin < end ? sl_message ("an overlap at offset %llu",
                                                        (unsigned long long) entry[i].begin)
                                          : sl_message ("a gap at offset %llu", end),
                     sl_message ("its numbers from %llu on", end));
  if (end == left)
    return SL_SUCCESS;
  return sl_arrays_refuse (arrays, begin, sl_message ("%llu bytes of numbers", end),
                           sl_message ("%llu, which follow the header", left));
}

/* All tensors of the header. */
static SlStatus
take_members (SlArrays *arrays, const SlJson *json, Entry *entry, uint64_t begin)
{
  SlStatus status = SL_SUCCESS;
  unsigned n = 0;

  for (const SlJson *member = json->first; member != NULL && sl_ok (&status); member = member->next)
    if (strcmp (member->key, "__metadata__") == 0)
      status = check_notes (arrays, member);
    else
      {
        entry[n] = (Entry) { .json = member, .array = n };
        status = read_entry (arrays, &entry[n++]);
      }
  if (!sl_ok (&status))
    return status;
  qsort (entry, n, sizeof *entry, by_place);
  status = check_places (arrays, entry, n, begin);
  for (unsigned i = 0; i < n && sl_ok (&status); i++)
    status = sl_arrays_place (arrays, &arrays->array[entry[i].array], begin + entry[i].begin);
  return sl_ok (&status) ? sl_arrays_differ (arrays) : status;
}

static SlStatus
read_json (SlArrays *arrays, SlJson **json, uint64_t *begin)
{
  uint8_t  head[LENGTH_BYTES];
  uint64_t length;
  char    *text;
  SlStatus status = sl_arrays_read (arrays, 0, head, LENGTH_BYTES);

  if (!sl_ok (&status))
    return status;
  length = sl_little_endian (head, LENGTH_BYTES);
  if (length < 2 || length > HEADER_MAX || !sl_arrays_inside (arrays, LENGTH_BYTES, length))
    return sl_arrays_refuse (
      arrays, 0, sl_message ("a header of %llu bytes", (unsigned long long) length),
      length > HEADER_MAX ? sl_message ("at most 16 MiB") : sl_message ("a header that is there"));
  *begin = LENGTH_BYTES + length;
  text = malloc (length);
  if (text == NULL)
    return sl_status_no_memory (arrays->path);
  status = sl_arrays_read (arrays, LENGTH_BYTES, text, length);
  if (sl_ok (&status))
    status = sl_json_read (json, text, length, HEADER_MAX, arrays->path);
  free (text);
  return status;
}

SlStatus
sl_safetensors_arrays_open (SlArrays *arrays, const char *path)
{
  SlJson  *json = NULL;
  Entry   *entry = NULL;
  uint64_t begin = 0;
  SlStatus status = sl_arrays_source (arrays);

  if (sl_ok (&status))
    status = read_json (arrays, &json, &begin);
  if (sl_ok (&status) && json->kind != SL_JSON_OBJECT)
    status = refuse_value (arrays, json, SL_MARK ("a header in JSON"));
  if (sl_ok (&status))
    {
      entry = calloc (json->n + 1, sizeof *entry);
      status
        = entry != NULL ? take_members (arrays, json, entry, begin) : sl_status_no_memory (path);
    }
  free (entry);
  sl_json_free (json);
  return status;
}
