/* SPDX-License-Identifier: MIT
 *
 * From the values of a pickle to arrays; see torch.h.  */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/data/read/containers/torch/torch.h"
#include "core/data/text/text.h"

enum { DEPTH_MAX = 32, PATH_SIZE = 2 * SL_ARRAY_NAME, VISITS_LEAST = 1024 };

/* Types of a storage, torch.XStorage, and of numbers, torch.x. */
typedef struct
{
  const char *storage, *number;
  SlArrayType type;
  unsigned    size;
} Type;

static const Type types[] = {
  { "torch.FloatStorage", "torch.float32", SL_ARRAY_REALS, 4 },
  { "torch.DoubleStorage", "torch.float64", SL_ARRAY_REALS, 8 },
  { "torch.HalfStorage", "torch.float16", SL_ARRAY_REALS, 2 },
  { "torch.BFloat16Storage", "torch.bfloat16", SL_ARRAY_BRAIN, 2 },
  { "torch.LongStorage", "torch.int64", SL_ARRAY_INTEGERS, 8 },
  { "torch.IntStorage", "torch.int32", SL_ARRAY_INTEGERS, 4 },
  { "torch.ShortStorage", "torch.int16", SL_ARRAY_INTEGERS, 2 },
  { "torch.CharStorage", "torch.int8", SL_ARRAY_INTEGERS, 1 },
  { "torch.ByteStorage", "torch.uint8", SL_ARRAY_NATURALS, 1 },
  { "torch.BoolStorage", "torch.bool", SL_ARRAY_TRUTHS, 1 },
  { "", "torch.uint16", SL_ARRAY_NATURALS, 2 },
  { "", "torch.uint32", SL_ARRAY_NATURALS, 4 },
  { "", "torch.uint64", SL_ARRAY_NATURALS, 8 },
  { "torch.UntypedStorage", "", SL_ARRAY_OTHER, 1 },
  { "torch.storage.UntypedStorage", "", SL_ARRAY_OTHER, 1 },
  { "torch.ComplexFloatStorage", "torch.complex64", SL_ARRAY_OTHER, 8 },
  { "torch.ComplexDoubleStorage", "torch.complex128", SL_ARRAY_OTHER, 16 },
  { "torch.QInt8Storage", "torch.qint8", SL_ARRAY_OTHER, 1 },
  { "torch.QUInt8Storage", "torch.quint8", SL_ARRAY_OTHER, 1 },
  { "torch.QInt32Storage", "torch.qint32", SL_ARRAY_OTHER, 4 },
  { "", "torch.float8_e4m3fn", SL_ARRAY_OTHER, 1 },
  { "", "torch.float8_e4m3fnuz", SL_ARRAY_OTHER, 1 },
  { "", "torch.float8_e5m2", SL_ARRAY_OTHER, 1 },
  { "", "torch.float8_e5m2fnuz", SL_ARRAY_OTHER, 1 },
  { "", "torch.float8_e8m0fnu", SL_ARRAY_OTHER, 1 },
};

enum { TYPES = sizeof types / sizeof *types };

/* What else a pickle may name: functions whose arguments are the tensor, or lead to it, and None. */
enum { TENSOR_V1 = TYPES, TENSOR_V2, TENSOR_V3, PARAMETER, SUBCLASS, SIZE };
static const char *const others[] = { "torch._utils._rebuild_tensor",
                                      "torch._utils._rebuild_tensor_v2",
                                      "torch._utils._rebuild_tensor_v3",
                                      "torch._utils._rebuild_parameter",
                                      "torch._tensor._rebuild_from_type_v2",
                                      "torch.Size",
                                      "torch.device",
                                      "torch.Tensor",
                                      "torch.nn.parameter.Parameter" };

/* Values may be shared, again and again, so that visits of them are counted.  After a failure nothing is taken. */
typedef struct
{
  SlTorch *torch;
  char     path[PATH_SIZE];
  size_t   n; /* of its letters */
  unsigned depth;
  uint64_t visits; /* that are left */
  SlStatus status;
} Walk;

int
sl_torch_global (const char *name)
{
  for (int i = 0; i < TYPES; i++)
    if (strcmp (types[i].storage, name) == 0 || strcmp (types[i].number, name) == 0)
      return i;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp (others[i], name) == 0)
      return TYPES + (int) i;
  return -1;
}

static const Type *
type_of (const SlPickleValue *global)
{
  return global != NULL && global->kind == SL_PICKLE_GLOBAL && global->whole >= 0
             && global->whole < TYPES
           ? &types[global->whole]
           : NULL;
}

/* Part of the tuple ("storage", type, key, device, count, …). */
static const SlPickleValue *
storage_item (const SlPickleValue *outer, uint32_t number)
{
  const SlPickleValue *first = sl_pickle_item_of (outer, 0, SL_PICKLE_TEXT);

  return first != NULL && first->n == 7 && memcmp (first->text, "storage", 7) == 0
           ? sl_pickle_item (outer, number)
           : NULL;
}

const SlPickleValue *
sl_torch_storage_key (const SlPickleValue *outer)
{
  const SlPickleValue *key = storage_item (outer, 2);

  return key != NULL && key->kind == SL_PICKLE_TEXT ? key : NULL;
}

unsigned
sl_torch_storage_size (const SlPickleValue *outer)
{
  const Type *type = type_of (storage_item (outer, 1));

  return type != NULL ? type->size : 0;
}

static void
refuse (Walk *w, SlMessage found, SlMessage expected)
{
  w->status
    = sl_status_new (SL_EFORMAT, w->torch->arrays->path,
                     w->n > 0 ? sl_message ("%s: %s", w->path, found.packed) : found, expected);
}

static void
refuse_tensor (Walk *w)
{
  refuse (w, sl_message ("a tensor put together in an unknown way"),
          sl_message ("one that torch.save wrote"));
}

/* ---- tensors ---- */

bool
sl_torch_same_key (const SlPickleValue *a, const SlPickleValue *b)
{
  return a->n == b->n && memcmp (a->text, b->text, a->n) == 0;
}

/* The bytes of a storage in an archive: a member of its own. */
static void
find_member (Walk *w, const SlPickleValue *key, SlTorchStorage *storage)
{
  const SlZip       *zip = &w->torch->zip;
  const SlZipMember *member;
  char               name[2 * SL_ZIP_NAME];

  snprintf (name, sizeof name, "%sdata/%.*s", w->torch->prefix, key->n < 32 ? (int) key->n : 32,
            key->text);
  member = sl_zip_find (zip, name);
  if (member == NULL)
    refuse (w, sl_message ("a tensor whose numbers are not there"),
            sl_message ("a complete file of torch.save"));
  else if (member->method != SL_ZIP_STORED)
    refuse (w, sl_message ("numbers that were compressed"),
            sl_message ("an archive as torch.save writes it"));
  else
    {
      storage->size = member->size;
      w->status = sl_zip_place (zip, member, &storage->place);
    }
}

static bool
natural (const SlPickleValue *value, uint64_t *number)
{
  if (value == NULL || value->kind != SL_PICKLE_WHOLE || value->whole < 0)
    return false;
  *number = (uint64_t) value->whole;
  return true;
}

/* Old files have storages that are views of others: (key, offset, count) behind the tuple, or None. */
static bool
narrow (const SlPickleValue *outer, SlTorchStorage *storage)
{
  const SlPickleValue *view = storage_item (outer, 5);
  unsigned             size = sl_torch_storage_size (outer);
  uint64_t             offset, count;

  if (view == NULL || view->kind != SL_PICKLE_TUPLE)
    return true;
  if (!natural (sl_pickle_item (view, 1), &offset) || !natural (sl_pickle_item (view, 2), &count)
      || __builtin_mul_overflow (offset, size, &offset)
      || __builtin_mul_overflow (count, size, &count) || offset > storage->size
      || count > storage->size - offset)
    return false;
  storage->place += offset;
  storage->size = count;
  return true;
}

/* The bytes of a storage in the file. */
static void
find_storage (Walk *w, const SlPickleValue *outer, SlTorchStorage *storage)
{
  const SlTorch       *torch = w->torch;
  const SlPickleValue *key = sl_torch_storage_key (outer);
  unsigned             i = 0;

  if (key == NULL)
    {
      refuse_tensor (w);
      return;
    }
  while (i < torch->storages && !sl_torch_same_key (torch->storage[i].key, key))
    i++;
  if (i < torch->storages)
    *storage = torch->storage[i];
  else
    find_member (w, key, storage);
  if (sl_ok (&w->status) && !narrow (outer, storage))
    refuse_tensor (w);
}

/* Lengths or strides, as a tuple, around which torch.Size may stand; false: they are none. */
static bool
read_axes (const SlPickleValue *tuple, uint64_t *axis, unsigned *n)
{
  if (tuple != NULL && tuple->kind == SL_PICKLE_CALL)
    tuple = sl_pickle_item (sl_pickle_item (tuple, 1), 0);
  if (tuple == NULL || tuple->kind != SL_PICKLE_TUPLE || tuple->n > SL_ARRAY_AXES)
    return false;
  *n = tuple->n;
  for (unsigned a = 0; a < *n; a++)
    if (!natural (sl_pickle_item (tuple, a), &axis[a]))
      return false;
  return true;
}

/* Whether rows follow one another, so that there are no strides. */
static bool
is_plain (const SlArray *array)
{
  uint64_t step = 1;

  for (unsigned a = array->axes; a-- > 0;)
    {
      if (array->shape[a] > 1 && array->stride[a] != step)
        return false;
      step *= array->shape[a];
    }
  return true;
}

static bool
is_expanded (const SlArray *array, uint64_t numbers)
{
  for (unsigned a = 0; a < array->axes; a++)
    if (array->shape[a] > 1 && array->stride[a] == 0)
      return true;
  return array->n > numbers;
}

/* Where the numbers of a tensor are, which have to be in its storage. */
static void
place_tensor (Walk *w, SlArray *array, const SlTorchStorage *storage, uint64_t offset)
{
  uint64_t bytes, last = offset, more, numbers = storage->size / array->size;
  bool     beyond = false;

  if (!sl_array_extent (array, &bytes))
    {
      refuse (w, sl_message ("a shape of more numbers than memory can have"),
              sl_message ("at most 2^63 bytes"));
      return;
    }
  for (unsigned a = 0; a < array->axes && array->n > 0; a++)
    beyond = beyond || __builtin_mul_overflow (array->shape[a] - 1, array->stride[a], &more)
             || __builtin_add_overflow (last, more, &last);
  if (array->n > 0 && is_expanded (array, numbers) && !beyond)
    {
      refuse (w, sl_message ("an expanded tensor, whose numbers stand for several"),
              sl_message ("one that has them all"));
      w->status = sl_status_line (w->status, "torch.save({\"name\": tensor.clone(memory_format="
                                             "torch.contiguous_format)}, \"tensors.pt\")");
      return;
    }
  if (array->n > 0 && (beyond || last >= numbers))
    {
      refuse (w, sl_message ("numbers beyond the end of their storage"),
              sl_message ("at most %" PRIu64, numbers));
      return;
    }
  array->strided = array->n > 0 && !is_plain (array);
  w->status = sl_arrays_place (w->torch->arrays, array,
                               storage->place + (array->n > 0 ? offset * array->size : 0));
}

static SlArray *
add_array (Walk *w)
{
  SlArray *array = NULL;

  w->status = sl_arrays_add (w->torch->arrays, w->path, w->n, &array);
  return sl_ok (&w->status) ? array : NULL;
}

/* (storage, offset, shape, strides, …), of the third version with the type of its numbers in place 6. */
static void
take_tensor (Walk *w, const SlPickleValue *arguments, bool typed)
{
  const SlPickleValue *outer = sl_pickle_item_of (arguments, 0, SL_PICKLE_OUTER);
  const Type    *type = type_of (typed ? sl_pickle_item (arguments, 6) : storage_item (outer, 1));
  SlTorchStorage storage;
  SlArray       *array;
  uint64_t       offset;
  unsigned       strides;

  if (type == NULL || !natural (sl_pickle_item (arguments, 1), &offset))
    {
      refuse_tensor (w);
      return;
    }
  find_storage (w, outer, &storage);
  array = sl_ok (&w->status) ? add_array (w) : NULL;
  if (array == NULL)
    return;
  array->type = type->type;
  array->size = type->size;
  array->big = w->torch->big;
  if (!read_axes (sl_pickle_item (arguments, 2), array->shape, &array->axes)
      || !read_axes (sl_pickle_item (arguments, 3), array->stride, &strides)
      || strides != array->axes)
    {
      refuse_tensor (w);
      return;
    }
  if (strncmp (type->number, "torch.float8", strlen ("torch.float8")) == 0)
    sl_arrays_note (w->torch->arrays, sl_message ("%s: float8, which is not read", array->name));
  place_tensor (w, array, &storage, offset);
}

/* ---- numbers and lists of them ---- */

static bool
is_number (const SlPickleValue *value)
{
  return value->kind == SL_PICKLE_WHOLE || value->kind == SL_PICKLE_REAL
         || value->kind == SL_PICKLE_TRUTH;
}

static bool
is_list_of_numbers (const SlPickleValue *value)
{
  for (const SlPickleCell *at = value->first; at != NULL; at = at->next)
    if (!is_number (at->value))
      return false;
  return value->n > 0;
}

/* Lets the array hold the number too: in the narrowest type of whole numbers, or as a real. */
static void
widen (SlArray *array, const SlPickleValue *number)
{
  if (number->kind == SL_PICKLE_REAL)
    array->type = SL_ARRAY_REALS;
  while (array->size < 8
         && (array->type == SL_ARRAY_REALS || number->whole >> (8 * array->size - 1) > 0
             || number->whole >> (8 * array->size - 1) < -1))
    array->size *= 2;
}

static void
put_number (const SlArray *array, uint64_t i, const SlPickleValue *value)
{
  double   real = value->kind == SL_PICKLE_REAL ? value->real : (double) value->whole;
  uint64_t bits = (uint64_t) value->whole;

  if (array->type == SL_ARRAY_REALS)
    memcpy (&bits, &real, sizeof bits);
  for (unsigned b = 0; b < array->size; b++)
    array->bytes[i * array->size + b] = (uint8_t) (bits >> 8 * b);
}

static void
take_number (Walk *w, const SlPickleValue *value)
{
  SlArray *array = add_array (w);

  if (array == NULL)
    return;
  array->type = value->kind == SL_PICKLE_REAL ? SL_ARRAY_REALS : SL_ARRAY_INTEGERS;
  array->size = 8;
  w->status = sl_array_reserve (w->torch->arrays, array);
  if (sl_ok (&w->status))
    put_number (array, 0, value);
}

static void
take_list (Walk *w, const SlPickleValue *list)
{
  SlArray *array = add_array (w);
  uint64_t i = 0;

  if (array == NULL)
    return;
  array->type = SL_ARRAY_INTEGERS;
  array->size = 1;
  array->axes = 1;
  array->shape[0] = list->n;
  for (const SlPickleCell *at = list->first; at != NULL; at = at->next)
    widen (array, at->value);
  w->status = sl_array_reserve (w->torch->arrays, array);
  for (const SlPickleCell *at = list->first; at != NULL && sl_ok (&w->status); at = at->next)
    put_number (array, i++, at->value);
}

/* ---- values of several ---- */

static void take_value (Walk *w, const SlPickleValue *value);

/* A value under a key that is a text or a number, which is added to the path. */
static void
take_part (Walk *w, const SlPickleValue *key, const SlPickleValue *value)
{
  size_t before = w->n;
  char   part[32];

  if (w->n > 0 && w->n + 1 < PATH_SIZE)
    w->path[w->n++] = '.';
  snprintf (part, sizeof part, "%" PRId64, key->whole);
  if (key->kind == SL_PICKLE_TEXT)
    sl_text_printable (key->text, key->n, w->path + w->n, PATH_SIZE - w->n);
  else
    sl_text_printable (part, strlen (part), w->path + w->n, PATH_SIZE - w->n);
  w->n += strlen (w->path + w->n);
  take_value (w, value);
  w->n = before;
  w->path[before] = '\0';
}

static void
take_items (Walk *w, const SlPickleValue *value)
{
  SlPickleValue number = { .kind = SL_PICKLE_WHOLE };

  for (const SlPickleCell *at = value->first; at != NULL && sl_ok (&w->status); at = at->next)
    {
      take_part (w, &number, at->value);
      number.whole++;
    }
}

static void
take_members (Walk *w, const SlPickleValue *value)
{
  for (const SlPickleCell *at = value->first; at != NULL && sl_ok (&w->status); at = at->next->next)
    if (at->value->kind == SL_PICKLE_TEXT || at->value->kind == SL_PICKLE_WHOLE)
      take_part (w, at->value, at->next->value);
}

/* What a function of torch would have made. */
static void
take_call (Walk *w, const SlPickleValue *call)
{
  const SlPickleValue *of = sl_pickle_item (call, 0), *arguments = sl_pickle_item (call, 1);

  if (of->whole == SUBCLASS)
    {
      of = sl_pickle_item_of (arguments, 0, SL_PICKLE_GLOBAL);
      arguments = sl_pickle_item_of (arguments, 2, SL_PICKLE_TUPLE);
    }
  if (of == NULL || arguments == NULL)
    refuse_tensor (w);
  else if (of->whole == TENSOR_V1 || of->whole == TENSOR_V2 || of->whole == TENSOR_V3)
    take_tensor (w, arguments, of->whole == TENSOR_V3);
  else if ((of->whole == PARAMETER || of->whole == SIZE) && arguments->n > 0)
    take_value (w, sl_pickle_item (arguments, 0));
}

static void
take_value (Walk *w, const SlPickleValue *value)
{
  if (w->depth == DEPTH_MAX || w->visits == 0)
    {
      refuse (w, sl_message ("values within values, again and again"),
              sl_message ("at most %d levels", DEPTH_MAX));
      return;
    }
  w->depth++;
  w->visits--;
  if (is_number (value))
    take_number (w, value);
  else if (value->kind == SL_PICKLE_CALL)
    take_call (w, value);
  else if (value->kind == SL_PICKLE_DICT)
    take_members (w, value);
  else if (value->kind == SL_PICKLE_LIST || value->kind == SL_PICKLE_TUPLE)
    {
      if (is_list_of_numbers (value))
        take_list (w, value);
      else
        take_items (w, value);
    }
  w->depth--;
}

SlStatus
sl_torch_take (SlTorch *torch)
{
  Walk walk = { .torch = torch,
                .visits = 16 * (uint64_t) torch->pickle.cells + VISITS_LEAST,
                .status = SL_SUCCESS };

  take_value (&walk, torch->pickle.result);
  return walk.status;
}
