/* SPDX-License-Identifier: MIT
 *
 * Files of torch.save.  Since 1.6 an archive: NAME/data.pkl, the numbers stored in NAME/data/KEY, and their byte order
 * in NAME/byteorder.  Before, five pickles (a magic number, a version, facts of the system, what was saved, the keys
 * of storages), then for each key the count of its numbers in eight bytes and these, the lowest byte first on all
 * systems.  */
#include "core/data/read/containers/torch/torch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/data/read/containers/container.h"
#include "core/data/text/bytes.h"

enum { PICKLE_LEAST = 1 << 20 /* bytes that values may take in any case */, FIRST_READ = 1 << 20 };

static const uint8_t magic[] = { 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19 };

static SlStatus
refuse_other (const SlArrays *arrays, SlMessage found)
{
  return sl_status_line (
    sl_status_new (SL_EFORMAT, arrays->path, found, sl_message ("tensors that torch.save wrote")),
    "torch.save({\"name\": torch.as_tensor(numbers)}, \"tensors.pt\")");
}

static void
begin_pickle (const SlTorch *torch, SlPickle *pickle, const uint8_t *bytes, size_t size,
              uint64_t place)
{
  size_t budget = torch->arrays->size > PICKLE_LEAST ? (size_t) torch->arrays->size : PICKLE_LEAST;

  *pickle = (SlPickle) { .path = torch->arrays->path,
                         .bytes = bytes,
                         .size = size,
                         .place = place,
                         .budget = budget,
                         .global = sl_torch_global };
}

/* The pickle, of `size` bytes, and its values are there until the arrays are: of a large file they count. */
static SlStatus
take_arrays (SlTorch *torch, size_t size)
{
  SlArrays *arrays = torch->arrays;
  size_t    held = arrays->size > PICKLE_LEAST ? torch->pickle.used + size : 0;
  SlStatus  status;

  if (held > arrays->budget - arrays->used)
    return sl_status_no_memory (arrays->path);
  arrays->used += held;
  status = sl_torch_take (torch);
  arrays->used -= held;
  return status;
}

/* The member NAME/data.pkl with the shortest name. */
static const SlZipMember *
find_pickle (const SlZip *zip)
{
  static const char  end[] = "data.pkl";
  const SlZipMember *found = NULL;

  for (unsigned i = 0; i < zip->n; i++)
    {
      const SlZipMember *member = &zip->member[i];
      size_t             n = strlen (member->name), length = strlen (end);

      if (n >= length && strcmp (member->name + n - length, end) == 0
          && (n == length || member->name[n - length - 1] == '/')
          && (found == NULL || n < strlen (found->name)))
        found = member;
    }
  return found;
}

static SlStatus
read_byte_order (SlTorch *torch)
{
  char               name[SL_ZIP_NAME + 16];
  const SlZipMember *member;
  uint8_t           *text;
  SlStatus           status;

  snprintf (name, sizeof name, "%sbyteorder", torch->prefix);
  member = sl_zip_find (&torch->zip, name);
  if (member == NULL)
    return SL_SUCCESS;
  status = sl_zip_unpack (&torch->zip, member, sizeof name, &text);
  torch->big = sl_ok (&status) && member->size >= 3 && memcmp (text, "big", 3) == 0;
  free (text);
  return status;
}

static SlStatus
read_archive (SlTorch *torch)
{
  const SlZipMember *member;
  uint8_t           *bytes = NULL;
  uint64_t           place = 0;
  SlStatus           status = sl_zip_read (&torch->zip, torch->arrays);

  if (!sl_ok (&status))
    return status;
  member = find_pickle (&torch->zip);
  if (member == NULL)
    return refuse_other (torch->arrays, sl_message ("a zip archive without data.pkl"));
  snprintf (torch->prefix, sizeof torch->prefix, "%.*s",
            (int) (strlen (member->name) - strlen ("data.pkl")), member->name);
  status = read_byte_order (torch);
  if (sl_ok (&status))
    status = sl_zip_place (&torch->zip, member, &place);
  if (sl_ok (&status))
    status = sl_zip_unpack (&torch->zip, member, torch->arrays->size, &bytes);
  if (sl_ok (&status))
    {
      begin_pickle (torch, &torch->pickle, bytes, member->size, place);
      status = sl_pickle_run (&torch->pickle);
    }
  if (sl_ok (&status))
    status = take_arrays (torch, member->size);
  free (bytes);
  return status;
}

/* Bytes of a number of the storage with this key; 0 if no tensor needs it. */
static unsigned
find_size (const SlPickle *pickle, const SlPickleValue *key)
{
  for (const SlPickleCell *at = pickle->outers.first; at != NULL; at = at->next)
    {
      const SlPickleValue *one = sl_torch_storage_key (at->value);

      if (one != NULL && sl_torch_same_key (one, key))
        return sl_torch_storage_size (at->value);
    }
  return 0;
}

/* Where each storage is, in the order of the keys, from `place` on. */
static SlStatus
place_storages (SlTorch *torch, const SlPickle *keys, uint64_t place)
{
  const SlPickleValue *list = keys->result;
  SlStatus             status = SL_SUCCESS;

  if (list->kind != SL_PICKLE_LIST || list->n > SL_ARRAYS_MAX)
    return refuse_other (torch->arrays,
                         sl_message ("no list of at most %d storages", SL_ARRAYS_MAX));
  torch->storage = calloc (list->n + 1, sizeof *torch->storage);
  if (torch->storage == NULL)
    return sl_status_no_memory (torch->arrays->path);
  for (const SlPickleCell *at = list->first; at != NULL && sl_ok (&status); at = at->next)
    {
      SlTorchStorage *storage = &torch->storage[torch->storages];
      uint8_t         count[8];

      if (at->value->kind != SL_PICKLE_TEXT)
        return refuse_other (torch->arrays, sl_message ("a key of a storage that is no text"));
      status = sl_arrays_read (torch->arrays, place, count, sizeof count);
      if (!sl_ok (&status))
        return status;
      *storage = (SlTorchStorage) { .key = at->value, .place = place + sizeof count };
      torch->storages++;
      if (__builtin_mul_overflow (sl_little_endian (count, sizeof count),
                                  (uint64_t) find_size (&torch->pickle, at->value), &storage->size)
          || !sl_arrays_inside (torch->arrays, storage->place, storage->size))
        return sl_arrays_refuse (torch->arrays, place,
                                 sl_message ("numbers beyond the end of their storage"),
                                 sl_message ("a complete file of torch.save"));
      place = storage->place + storage->size;
    }
  return status;
}

/* The pickles that lie in the first bytes; torch->pickle.cut, where there would have to be more of them. */
static SlStatus
run_pickles (SlTorch *torch, const uint8_t *bytes, size_t size, SlPickle *keys)
{
  SlPickle            *pickle = &torch->pickle;
  const SlPickleValue *first;
  SlStatus             status = sl_pickle_run (pickle);

  if (!sl_ok (&status))
    return status;
  first = pickle->result;
  if (first->kind != SL_PICKLE_OTHER || first->n != sizeof magic
      || memcmp (first->text, magic, sizeof magic) != 0)
    return refuse_other (torch->arrays, sl_message ("a pickle of something else"));
  /* A version, facts of the system, and what was saved. */
  for (int i = 0; i < 3 && sl_ok (&status); i++)
    status = sl_pickle_run (pickle);
  if (!sl_ok (&status))
    return status;
  begin_pickle (torch, keys, bytes, size, 0);
  keys->budget -= pickle->used < keys->budget ? pickle->used : keys->budget;
  keys->budget = keys->budget < PICKLE_LEAST ? PICKLE_LEAST : keys->budget;
  keys->at = pickle->at;
  status = sl_pickle_run (keys);
  pickle->cut = keys->cut;
  if (sl_ok (&status))
    status = place_storages (torch, keys, keys->at);
  return sl_ok (&status) ? take_arrays (torch, size) : status;
}

/* From the first `size` bytes. */
static SlStatus
try_legacy (SlTorch *torch, size_t size, bool *cut)
{
  uint8_t *bytes = malloc (size + 1);
  SlPickle keys = { .size = 0 };
  SlStatus status = bytes != NULL ? sl_arrays_read (torch->arrays, 0, bytes, size)
                                  : sl_status_no_memory (torch->arrays->path);

  begin_pickle (torch, &torch->pickle, bytes, size, 0);
  if (sl_ok (&status))
    status = run_pickles (torch, bytes, size, &keys);
  *cut = torch->pickle.cut;
  sl_pickle_clear (&keys);
  sl_pickle_clear (&torch->pickle);
  free (torch->storage);
  torch->storage = NULL;
  torch->storages = 0;
  free (bytes);
  return status;
}

/* How long the pickles are only they tell, so that more is read until they end. */
static SlStatus
read_legacy (SlTorch *torch)
{
  size_t   all = (size_t) torch->arrays->size, size = all < FIRST_READ ? all : FIRST_READ;
  bool     cut;
  SlStatus status = try_legacy (torch, size, &cut);

  while (!sl_ok (&status) && cut && size < all)
    {
      size = all / 8 < size ? all : 8 * size;
      sl_arrays_drop (torch->arrays);
      status = try_legacy (torch, size, &cut);
    }
  return status;
}

SlStatus
sl_torch_open (SlArrays *arrays, const char *path)
{
  SlTorch  torch = { .arrays = arrays };
  uint8_t  head[4] = { 0 };
  SlStatus status = sl_arrays_source (arrays);

  if (!sl_ok (&status))
    return status;
  sl_arrays_bound (arrays);
  status = sl_arrays_read (arrays, 0, head, sizeof head);
  if (sl_ok (&status))
    status = sl_zip_likely (head, sizeof head) ? read_archive (&torch) : read_legacy (&torch);
  sl_pickle_clear (&torch.pickle);
  sl_zip_clear (&torch.zip);
  if (sl_ok (&status) && arrays->n == 0)
    return refuse_other (arrays, sl_message ("a pickle without tensors"));
  return sl_ok (&status) ? sl_arrays_differ (arrays) : status;
}
