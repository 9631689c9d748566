/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/zip.h"

#include <stdlib.h>
#include <string.h>

#include "core/data/text/bytes.h"
#include "core/data/text/text.h"

enum {
  END_SIZE = 22,
  END_MOST = END_SIZE + 65535,
  END64_SIZE = 56,
  LOCATOR_SIZE = 20,
  CENTRAL_SIZE = 46,
  LOCAL_SIZE = 30,
  EXTRA_64 = 1,
  DIRECTORY_MAX = 1 << 26,
  ENCRYPTED = 1, /* of the flags */
};

static const uint32_t end_sign = 0x06054b50, end64_sign = 0x06064b50, locator_sign = 0x07064b50,
                      central_sign = 0x02014b50, local_sign = 0x04034b50;

/* Where the directory is, and its bytes. */
typedef struct
{
  uint64_t place, size, members;
  uint8_t *bytes;
} Directory;

static inline uint64_t
number (const uint8_t *at, size_t size)
{
  return sl_little_endian (at, size);
}

bool
sl_zip_likely (const uint8_t *head, size_t size)
{
  return size >= 4 && (number (head, 4) == local_sign || number (head, 4) == end_sign);
}

static SlStatus
refuse (const SlZip *zip, uint64_t place, SlMessage found, SlMessage expected)
{
  return sl_arrays_refuse (zip->arrays, place, found, expected);
}

static SlStatus
refuse_directory (const SlZip *zip, uint64_t place)
{
  return refuse (zip, place, sl_message ("a broken directory"),
                 sl_message ("a complete zip archive"));
}

/* The larger record of zip64, if the locator before the end leads to one. */
static SlStatus
read_end64 (const SlZip *zip, uint64_t end, Directory *directory)
{
  uint8_t  locator[LOCATOR_SIZE], record[END64_SIZE];
  SlStatus status;

  if (end < LOCATOR_SIZE)
    return SL_SUCCESS;
  status = sl_arrays_read (zip->arrays, end - LOCATOR_SIZE, locator, LOCATOR_SIZE);
  if (!sl_ok (&status) || number (locator, 4) != locator_sign)
    return status;
  status = sl_arrays_read (zip->arrays, number (locator + 8, 8), record, END64_SIZE);
  if (!sl_ok (&status) || number (record, 4) != end64_sign || number (record + 16, 4) != 0
      || number (record + 24, 8) != number (record + 32, 8))
    return refuse_directory (zip, end - LOCATOR_SIZE);
  directory->members = number (record + 32, 8);
  directory->size = number (record + 40, 8);
  directory->place = number (record + 48, 8);
  return SL_SUCCESS;
}

/* The end record is the last one whose comment ends with the file; `tail` are its last bytes. */
static SlStatus
read_end (const SlZip *zip, const uint8_t *tail, size_t size, Directory *directory)
{
  const uint8_t *end = NULL;
  uint64_t       place;

  for (size_t back = END_SIZE; back <= size && end == NULL; back++)
    if (number (tail + size - back, 4) == end_sign
        && number (tail + size - back + 20, 2) + END_SIZE == back)
      end = tail + size - back;
  if (end == NULL)
    return refuse (zip, zip->arrays->size, sl_message ("the end of the file"),
                   sl_message ("a complete zip archive"));
  place = zip->arrays->size - (uint64_t) (tail + size - end);
  if (number (end + 4, 2) != 0 || number (end + 6, 2) != 0
      || number (end + 8, 2) != number (end + 10, 2))
    return refuse (zip, place, sl_message ("an archive on several disks"),
                   sl_message ("one on one"));
  directory->members = number (end + 10, 2);
  directory->size = number (end + 12, 4);
  directory->place = number (end + 16, 4);
  return read_end64 (zip, place, directory);
}

static SlStatus
find_directory (const SlZip *zip, Directory *directory)
{
  uint64_t size = zip->arrays->size < END_MOST ? zip->arrays->size : END_MOST;
  uint8_t *tail = malloc (size + 1);
  SlStatus status = tail != NULL
                      ? sl_arrays_read (zip->arrays, zip->arrays->size - size, tail, size)
                      : sl_status_no_memory (zip->arrays->path);

  if (sl_ok (&status))
    status = read_end (zip, tail, size, directory);
  free (tail);
  if (!sl_ok (&status))
    return status;
  if (directory->members > SL_ZIP_MEMBERS)
    return refuse (zip, directory->place,
                   sl_message ("%llu members", (unsigned long long) directory->members),
                   sl_message ("at most %d", SL_ZIP_MEMBERS));
  if (directory->size > DIRECTORY_MAX || directory->size / CENTRAL_SIZE < directory->members
      || !sl_arrays_inside (zip->arrays, directory->place, directory->size))
    return refuse_directory (zip, directory->place);
  directory->bytes = malloc (directory->size + 1);
  return directory->bytes != NULL
           ? sl_arrays_read (zip->arrays, directory->place, directory->bytes, directory->size)
           : sl_status_no_memory (zip->arrays->path);
}

/* Takes a size from the zip64 field where the plain one is full. */
static bool
take_wide (uint64_t *value, const uint8_t **at, const uint8_t *end)
{
  if (*value != UINT32_MAX)
    return true;
  if (end - *at < 8)
    return false;
  *value = number (*at, 8);
  *at += 8;
  return true;
}

static bool
read_extra (SlZipMember *member, const uint8_t *at, const uint8_t *end)
{
  while (end - at >= 4)
    {
      uint64_t       size = number (at + 2, 2);
      const uint8_t *field = at + 4, *next;

      if (size > (uint64_t) (end - field))
        return false;
      next = field + size;
      if (number (at, 2) == EXTRA_64)
        return take_wide (&member->size, &field, next) && take_wide (&member->packed, &field, next)
               && take_wide (&member->place, &field, next);
      at = next;
    }
  return true;
}

static SlStatus
read_member (SlZip *zip, const Directory *directory, uint64_t *read)
{
  const uint8_t *at = directory->bytes + *read, *names = at + CENTRAL_SIZE;
  uint64_t       left = directory->size - *read, place = directory->place + *read, name, extra, all;
  SlZipMember   *member = &zip->member[zip->n];

  if (left < CENTRAL_SIZE || number (at, 4) != central_sign)
    return refuse_directory (zip, place);
  name = number (at + 28, 2);
  extra = number (at + 30, 2);
  all = CENTRAL_SIZE + name + extra + number (at + 32, 2);
  if (all > left)
    return refuse_directory (zip, place);
  *member = (SlZipMember) { .flags = (unsigned) number (at + 8, 2),
                            .method = (unsigned) number (at + 10, 2),
                            .crc = (uint32_t) number (at + 16, 4),
                            .packed = number (at + 20, 4),
                            .size = number (at + 24, 4),
                            .place = number (at + 42, 4) };
  sl_text_printable ((const char *) names, name, member->name, sizeof member->name);
  if (!read_extra (member, names + name, names + name + extra))
    return refuse_directory (zip, place);
  if (name < SL_ZIP_NAME && sl_zip_find (zip, member->name) != NULL)
    return refuse (zip, place, sl_message ("%s twice", member->name),
                   sl_message ("names that differ"));
  zip->n++;
  *read += all;
  return SL_SUCCESS;
}

SlStatus
sl_zip_read (SlZip *zip, const SlArrays *arrays)
{
  Directory directory = { 0 };
  uint64_t  read = 0;
  SlStatus  status;

  *zip = (SlZip) { .arrays = arrays };
  status = find_directory (zip, &directory);
  if (sl_ok (&status))
    {
      zip->member = calloc (directory.members + 1, sizeof *zip->member);
      if (zip->member == NULL)
        status = sl_status_no_memory (arrays->path);
    }
  for (uint64_t i = 0; i < directory.members && sl_ok (&status); i++)
    status = read_member (zip, &directory, &read);
  free (directory.bytes);
  return status;
}

void
sl_zip_clear (SlZip *zip)
{
  free (zip->member);
  zip->member = NULL;
  zip->n = 0;
}

const SlZipMember *
sl_zip_find (const SlZip *zip, const char *name)
{
  for (unsigned i = 0; i < zip->n; i++)
    if (strcmp (zip->member[i].name, name) == 0)
      return &zip->member[i];
  return NULL;
}

static SlStatus
refuse_member (const SlZip *zip, const SlZipMember *member, SlMessage found, SlMessage expected)
{
  return refuse (zip, member->place, sl_message ("%s: %s", member->name, found.packed), expected);
}

SlStatus
sl_zip_place (const SlZip *zip, const SlZipMember *member, uint64_t *place)
{
  uint8_t  local[LOCAL_SIZE];
  SlStatus status;

  if (member->method != SL_ZIP_STORED && member->method != SL_ZIP_DEFLATED)
    return refuse_member (zip, member, sl_message ("compression method %u", member->method),
                          sl_message ("a member that is stored or deflated"));
  if (member->flags & ENCRYPTED)
    return refuse_member (zip, member, sl_message ("an encrypted member"),
                          sl_message ("one that is not"));
  status = sl_arrays_read (zip->arrays, member->place, local, LOCAL_SIZE);
  if (!sl_ok (&status))
    return status;
  *place = member->place + LOCAL_SIZE + number (local + 26, 2) + number (local + 28, 2);
  if (number (local, 4) == local_sign && sl_arrays_inside (zip->arrays, *place, member->packed)
      && (member->method == SL_ZIP_DEFLATED || member->packed == member->size)
      && member->size / 1032 <= member->packed + 64)
    return status;
  return refuse_member (zip, member, sl_message ("bytes that are not all there"),
                        sl_message ("a complete zip archive"));
}

static SlArray
as_array (const SlZipMember *member, uint64_t place)
{
  SlArray array = { .place = place,
                    .packed = member->method == SL_ZIP_DEFLATED ? member->packed : 0,
                    .crc = member->crc };

  memcpy (array.name, member->name, sizeof member->name);
  return array;
}

SlStatus
sl_zip_head (const SlZip *zip, const SlZipMember *member, uint64_t place, uint8_t *to, size_t size,
             size_t *got)
{
  SlArray array = as_array (member, place);

  return sl_member_read (zip->arrays, &array, to, size < member->size ? size : member->size, got);
}

SlStatus
sl_zip_unpack (const SlZip *zip, const SlZipMember *member, size_t most, uint8_t **to)
{
  uint64_t place;
  SlArray  array;
  SlStatus status = sl_zip_place (zip, member, &place);

  *to = NULL;
  if (!sl_ok (&status))
    return status;
  if (member->size > most)
    return sl_status_new (SL_ENOMEM, zip->arrays->path,
                          sl_message ("%s: more data than fit", member->name),
                          sl_message ("at most %zu bytes", most));
  *to = malloc (member->size + 1);
  if (*to == NULL)
    return sl_status_no_memory (zip->arrays->path);
  array = as_array (member, place);
  status = sl_member_read (zip->arrays, &array, *to, member->size, NULL);
  if (sl_ok (&status))
    return status;
  free (*to);
  *to = NULL;
  return status;
}
