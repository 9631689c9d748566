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
static const struct
{
  const char *storage, *number;
  SlArrayType type;
  unsigned    size;
} types[] = {
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

/* Functions whose arguments are the tensor, or lead to it. */
static const char tensor_v1[] = "torch._utils._rebuild_tensor",
                  tensor_v2[] = "torch._utils._rebuild_tensor_v2",
                  tensor_v3[] = "torch._utils._rebuild_tensor_v3",
                  parameter[] = "torch._utils._rebuild_parameter",
                  subclass[] = "torch._tensor._rebuild_from_type_v2", size_of[] = "torch.Size";

typedef struct
{
  SlTorch *torch;
  char     path[PATH_SIZE];
  size_t   n; /* of its letters */
  unsigned depth;
  SlStatus status; /* of what failed, which returns false then */
  uint64_t visits; /* that are left: values may be shared, again and again */
} Walk;

static const int NO_TYPE = -1;

static int
find_type (const char *global)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp (types[i].storage, global) == 0 || strcmp (types[i].number, global) == 0)
      return (int) i;
  return NO_TYPE;
}

bool
sl_torch_known (const char *global)
{
  const char *const others[] = { tensor_v1,
                                 tensor_v2,
                                 tensor_v3,
                                 parameter,
                                 subclass,
                                 size_of,
                                 "torch.device",
                                 "torch.Tensor",
                                 "torch.nn.parameter.Parameter",
                                 "collections.OrderedDict" };

  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp (others[i], global) == 0)
      return true;
  return find_type (global) != NO_TYPE;
}

static int
type_of (const SlPickle *p, const SlPickleValue *global)
{
  char name[SL_PICKLE_GLOBAL_MAX];

  if (global == NULL || global->kind != SL_PICKLE_GLOBAL)
    return NO_TYPE;
  sl_pickle_global (p, global, name);
  return find_type (name);
}

/* Part of the tuple ("storage", type, key, device, count, …). */
static const SlPickleValue *
storage_item (const SlPickle *p, const SlPickleValue *outer, uint32_t number)
{
  const SlPickleValue *tuple = &p->value[outer->first], *first = sl_pickle_item (p, tuple, 0);

  return first != NULL && sl_pickle_text_is (p, first, "storage")
           ? sl_pickle_item (p, tuple, number)
           : NULL;
}

const SlPickleValue *
sl_torch_storage_key (const SlPickle *p, const SlPickleValue *outer)
{
  const SlPickleValue *key = storage_item (p, outer, 2);

  return key != NULL && key->kind == SL_PICKLE_TEXT ? key : NULL;
}

unsigned
sl_torch_storage_size (const SlPickle *p, const SlPickleValue *outer)
{
  int type = type_of (p, storage_item (p, outer, 1));

  return type != NO_TYPE ? types[type].size : 0;
}

static bool
refuse (Walk *w, SlMessage found, SlMessage expected)
{
  w->status
    = sl_status_new (SL_EFORMAT, w->torch->arrays->path,
                     w->n > 0 ? sl_message ("%s: %s", w->path, found.packed) : found, expected);
  return false;
}

static bool
refuse_tensor (Walk *w)
{
  return refuse (w, sl_message ("an unknown kind of tensor"),
                 sl_message ("one that torch.save wrote"));
}

static bool
refuse_view (Walk *w)
{
  refuse (w, sl_message ("an expanded tensor"), sl_message ("one with all numbers"));
  w->status = sl_status_line (w->status, "torch.save({\"name\": tensor.clone(memory_format="
                                         "torch.contiguous_format)}, \"tensors.pt\")");
  return false;
}

/* The bytes of a storage in the file. */
static bool
find_storage (Walk *w, const SlPickleValue *outer, SlTorchStorage *storage)
{
  const SlTorch       *torch = w->torch;
  const uint8_t       *text = torch->pickle.bytes;
  const SlPickleValue *key = sl_torch_storage_key (&torch->pickle, outer);
  const SlZipMember   *member;
  char                 name[2 * SL_ZIP_NAME];

  if (key == NULL)
    return refuse_tensor (w);
  for (unsigned i = 0; i < torch->storages; i++)
    if (torch->storage[i].key_n == key->n
        && memcmp (torch->storage[i].key, text + key->first, key->n) == 0)
      {
        *storage = torch->storage[i];
        return true;
      }
  snprintf (name, sizeof name, "%sdata/%.*s", torch->prefix, key->n < 32 ? (int) key->n : 32,
            (const char *) text + key->first);
  member = sl_zip_find (&torch->zip, name);
  if (member == NULL)
    return refuse (w, sl_message ("a tensor without storage"),
                   sl_message ("a complete file of torch.save"));
  if (member->method != SL_ZIP_STORED)
    return refuse (w, sl_message ("compressed numbers"),
                   sl_message ("a complete file of torch.save"));
  storage->size = member->size;
  w->status = sl_zip_place (&torch->zip, member, &storage->place);
  return sl_ok (&w->status);
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
narrow (const SlPickle *p, const SlPickleValue *outer, unsigned size, SlTorchStorage *storage)
{
  const SlPickleValue *view = storage_item (p, outer, 5);
  uint64_t             offset, count;

  if (view == NULL || view->kind != SL_PICKLE_TUPLE)
    return true;
  if (!natural (sl_pickle_item (p, view, 1), &offset)
      || !natural (sl_pickle_item (p, view, 2), &count)
      || __builtin_mul_overflow (offset, size, &offset)
      || __builtin_mul_overflow (count, size, &count) || offset > storage->size
      || count > storage->size - offset)
    return false;
  storage->place += offset;
  storage->size = count;
  return true;
}

/* torch.Size may stand around a tuple. */
static const SlPickleValue *
tuple_of (const SlPickle *p, const SlPickleValue *value)
{
  if (value != NULL && value->kind == SL_PICKLE_CALL)
    value = sl_pickle_item (p, &p->value[value->last], 0);
  return value != NULL && value->kind == SL_PICKLE_TUPLE ? value : NULL;
}

static bool
read_axes (const SlPickle *p, const SlPickleValue *value, uint64_t *axis, unsigned *n)
{
  const SlPickleValue *tuple = tuple_of (p, value);

  if (tuple == NULL || tuple->n > SL_ARRAY_AXES)
    return false;
  *n = tuple->n;
  for (unsigned a = 0; a < *n; a++)
    if (!natural (sl_pickle_item (p, tuple, a), &axis[a]))
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

static bool
place_array (Walk *w, SlArray *array, uint64_t place)
{
  w->status = sl_arrays_place (w->torch->arrays, array, place);
  return sl_ok (&w->status);
}

/* Where the numbers of a tensor are, which have to be in its storage. */
static bool
place_tensor (Walk *w, SlArray *array, const SlTorchStorage *storage, uint64_t offset)
{
  uint64_t bytes, last = offset, more, numbers = storage->size / array->size;

  if (!sl_array_extent (array, &bytes))
    return refuse (w, sl_message ("more numbers than memory can have"),
                   sl_message ("at most 2^63 bytes"));
  if (array->n == 0)
    return place_array (w, array, storage->place);
  for (unsigned a = 0; a < array->axes; a++)
    if (__builtin_mul_overflow (array->shape[a] - 1, array->stride[a], &more)
        || __builtin_add_overflow (last, more, &last))
      last = UINT64_MAX;
  if (is_expanded (array, numbers) && last != UINT64_MAX)
    return refuse_view (w);
  if (last >= numbers)
    return refuse (w, sl_message ("numbers beyond the end of their storage"),
                   sl_message ("at most %" PRIu64, numbers));
  array->strided = !is_plain (array);
  return place_array (w, array, storage->place + offset * array->size);
}

static bool
add_array (Walk *w, SlArray **array)
{
  w->status = sl_arrays_add (w->torch->arrays, w->path, w->n, array);
  return sl_ok (&w->status);
}

/* (storage, offset, shape, strides, …), of the third version with the type of its numbers in place 6. */
static bool
take_tensor (Walk *w, const SlPickleValue *arguments, bool typed)
{
  const SlPickle      *p = &w->torch->pickle;
  const SlPickleValue *outer = sl_pickle_item (p, arguments, 0);
  SlTorchStorage       storage;
  SlArray             *array;
  uint64_t             offset;
  unsigned             strides;
  int                  type;

  if (outer == NULL || outer->kind != SL_PICKLE_OUTER
      || !natural (sl_pickle_item (p, arguments, 1), &offset))
    return refuse_tensor (w);
  type = type_of (p, typed ? sl_pickle_item (p, arguments, 6) : storage_item (p, outer, 1));
  if (type == NO_TYPE)
    return refuse_tensor (w);
  if (!find_storage (w, outer, &storage) || !add_array (w, &array))
    return false;
  array->type = types[type].type;
  array->size = types[type].size;
  array->big = w->torch->big;
  if (!read_axes (p, sl_pickle_item (p, arguments, 2), array->shape, &array->axes)
      || !read_axes (p, sl_pickle_item (p, arguments, 3), array->stride, &strides)
      || strides != array->axes || !narrow (p, outer, sl_torch_storage_size (p, outer), &storage))
    return refuse_tensor (w);
  if (strncmp (types[type].number, "torch.float8", strlen ("torch.float8")) == 0)
    sl_arrays_note (w->torch->arrays, sl_message ("%s: float8", array->name));
  return place_tensor (w, array, &storage, offset);
}

static bool
is_number (const SlPickleValue *value)
{
  return value->kind == SL_PICKLE_WHOLE || value->kind == SL_PICKLE_REAL
         || value->kind == SL_PICKLE_TRUTH;
}

/* Bytes of the narrowest whole number, from `size` on, that holds the value. */
static unsigned
widen (int64_t value, unsigned size)
{
  while (size < 8 && value != (int64_t) ((uint64_t) value << (64 - 8 * size)) >> (64 - 8 * size))
    size *= 2;
  return size;
}

static void
put_number (SlArray *array, uint64_t i, const SlPickleValue *value)
{
  double  real = value->kind == SL_PICKLE_REAL ? value->real : (double) value->whole;
  int32_t four = (int32_t) value->whole;
  int16_t two = (int16_t) value->whole;
  int8_t  one = (int8_t) value->whole;
  void   *from = array->type == SL_ARRAY_REALS ? (void *) &real
                 : array->size == 8            ? (void *) &value->whole
                 : array->size == 4            ? (void *) &four
                 : array->size == 2            ? (void *) &two
                                               : (void *) &one;

  memcpy (array->bytes + i * array->size, from, array->size);
}

/* Numbers from one on, or that one alone. */
static bool
take_numbers (Walk *w, const SlPickleValue *one, uint32_t first, uint32_t n)
{
  const SlPickle *p = &w->torch->pickle;
  SlArray        *array;
  uint64_t        i = 0;

  if (!add_array (w, &array))
    return false;
  array->type = one->kind == SL_PICKLE_REAL ? SL_ARRAY_REALS : SL_ARRAY_INTEGERS;
  array->size = n > 0 ? 1 : 8;
  array->axes = n > 0;
  array->shape[0] = n;
  array->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  for (uint32_t at = first; at != SL_PICKLE_END; at = p->cell[at].next)
    {
      const SlPickleValue *each = &p->value[p->cell[at].value];

      if (each->kind == SL_PICKLE_REAL)
        array->type = SL_ARRAY_REALS;
      else
        array->size = widen (each->whole, array->size);
    }
  if (array->type == SL_ARRAY_REALS)
    array->size = 8;
  w->status = sl_array_reserve (w->torch->arrays, array);
  if (!sl_ok (&w->status))
    return false;
  if (n == 0)
    put_number (array, 0, one);
  for (uint32_t at = first; at != SL_PICKLE_END; at = p->cell[at].next)
    put_number (array, i++, &p->value[p->cell[at].value]);
  return true;
}

static bool
is_list_of_numbers (const SlPickle *p, const SlPickleValue *value)
{
  for (uint32_t at = value->first; at != SL_PICKLE_END; at = p->cell[at].next)
    if (!is_number (&p->value[p->cell[at].value]))
      return false;
  return value->n > 0;
}

/* Adds a part to the path, a text or a number; returns how long it was. */
static size_t
enter (Walk *w, const SlPickleValue *key, int64_t number)
{
  const char *text = (const char *) w->torch->pickle.bytes;
  size_t      before = w->n;
  char        part[32];

  if (w->n > 0 && w->n + 1 < PATH_SIZE)
    w->path[w->n++] = '.';
  snprintf (part, sizeof part, "%" PRId64, key != NULL ? key->whole : number);
  if (key != NULL && key->kind == SL_PICKLE_TEXT)
    sl_text_printable (text + key->first, key->n, w->path + w->n, PATH_SIZE - w->n);
  else
    sl_text_printable (part, strlen (part), w->path + w->n, PATH_SIZE - w->n);
  w->n += strlen (w->path + w->n);
  return before;
}

static void
leave (Walk *w, size_t before)
{
  w->n = before;
  w->path[before] = '\0';
}

static bool take_value (Walk *w, const SlPickleValue *value);

/* A value under a key, or under its number. */
static bool
take_part (Walk *w, const SlPickleValue *key, int64_t number, uint32_t cell)
{
  const SlPickle *p = &w->torch->pickle;
  size_t          before = enter (w, key, number);
  bool            taken = take_value (w, &p->value[p->cell[cell].value]);

  leave (w, before);
  return taken;
}

static bool
take_items (Walk *w, const SlPickleValue *value)
{
  const SlPickle *p = &w->torch->pickle;
  int64_t         number = 0;

  for (uint32_t at = value->first; at != SL_PICKLE_END; at = p->cell[at].next)
    if (!take_part (w, NULL, number++, at))
      return false;
  return true;
}

static bool
take_members (Walk *w, const SlPickleValue *value)
{
  const SlPickle *p = &w->torch->pickle;

  for (uint32_t at = value->first, next; at != SL_PICKLE_END; at = p->cell[next].next)
    {
      const SlPickleValue *key = &p->value[p->cell[at].value];

      next = p->cell[at].next;
      if ((key->kind == SL_PICKLE_TEXT || key->kind == SL_PICKLE_WHOLE)
          && !take_part (w, key, 0, next))
        return false;
    }
  return true;
}

/* What a function of torch would have made. */
static bool
take_call (Walk *w, const SlPickleValue *call)
{
  const SlPickle      *p = &w->torch->pickle;
  const SlPickleValue *arguments = &p->value[call->last], *of = &p->value[call->first];
  const SlPickleValue *first = sl_pickle_item (p, arguments, 0);
  char                 name[SL_PICKLE_GLOBAL_MAX];

  sl_pickle_global (p, of, name);
  if (strcmp (name, subclass) == 0)
    {
      arguments = sl_pickle_item (p, arguments, 2);
      if (first == NULL || first->kind != SL_PICKLE_GLOBAL || arguments == NULL
          || arguments->kind != SL_PICKLE_TUPLE)
        return refuse_tensor (w);
      sl_pickle_global (p, first, name);
      first = sl_pickle_item (p, arguments, 0);
    }
  if (strcmp (name, tensor_v1) == 0 || strcmp (name, tensor_v2) == 0)
    return take_tensor (w, arguments, false);
  if (strcmp (name, tensor_v3) == 0)
    return take_tensor (w, arguments, true);
  return (strcmp (name, parameter) != 0 && strcmp (name, size_of) != 0) || first == NULL
         || take_value (w, first);
}

static bool
take_kind (Walk *w, const SlPickleValue *value)
{
  if (is_number (value))
    return take_numbers (w, value, SL_PICKLE_END, 0);
  if (value->kind == SL_PICKLE_CALL)
    return take_call (w, value);
  if (value->kind == SL_PICKLE_DICT)
    return take_members (w, value);
  if (value->kind != SL_PICKLE_LIST && value->kind != SL_PICKLE_TUPLE)
    return true;
  return is_list_of_numbers (&w->torch->pickle, value)
           ? take_numbers (w, value, value->first, value->n)
           : take_items (w, value);
}

static bool
take_value (Walk *w, const SlPickleValue *value)
{
  bool taken;

  if (w->depth == DEPTH_MAX || w->visits == 0)
    return refuse (w, sl_message ("values within values"),
                   sl_message ("at most %d levels", DEPTH_MAX));
  w->depth++;
  w->visits--;
  taken = take_kind (w, value);
  w->depth--;
  return taken;
}

SlStatus
sl_torch_take (SlTorch *torch)
{
  Walk walk = { .torch = torch, .visits = 16 * (uint64_t) torch->pickle.n_cells + VISITS_LEAST };

  return take_value (&walk, sl_pickle_value (&torch->pickle, torch->pickle.result)) ? SL_SUCCESS
                                                                                    : walk.status;
}
