/* SPDX-License-Identifier: MIT */
#include "core/data/read/containers/zip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

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
  STORED = 0,
  DEFLATED = 8,
};

static const uint32_t end_sign = 0x06054b50, end64_sign = 0x06064b50, locator_sign = 0x07064b50,
                      central_sign = 0x02014b50, local_sign = 0x04034b50;

/* Where the directory is. */
typedef struct
{
  uint64_t place, size, members;
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
  return sl_status_at (SL_EFORMAT, zip->path, SL_BYTE, place, found, expected);
}

static SlStatus
refuse_directory (const SlZip *zip, uint64_t place)
{
  return refuse (zip, place, sl_message ("a broken directory"),
                 sl_message ("a complete zip archive (.npz)"));
}

/* `size` bytes from `place` on, or NULL if they are not all there. */
static const uint8_t *
span (const SlZip *zip, uint64_t place, uint64_t size)
{
  return place <= zip->size && size <= zip->size - place ? zip->bytes + place : NULL;
}

/* The end record: the last one whose comment ends with the file. */
static const uint8_t *
find_end (const SlZip *zip)
{
  size_t most = zip->size < END_MOST ? zip->size : END_MOST;

  for (size_t back = END_SIZE; back <= most; back++)
    {
      const uint8_t *at = zip->bytes + zip->size - back;

      if (number (at, 4) == end_sign && number (at + 20, 2) + END_SIZE == back)
        return at;
    }
  return NULL;
}

/* The larger record of zip64, if the locator before the end leads to one. */
static SlStatus
read_end64 (const SlZip *zip, uint64_t end, Directory *directory)
{
  const uint8_t *locator = end >= LOCATOR_SIZE ? zip->bytes + end - LOCATOR_SIZE : NULL;
  const uint8_t *record;

  if (locator == NULL || number (locator, 4) != locator_sign)
    return SL_SUCCESS;
  record = span (zip, number (locator + 8, 8), END64_SIZE);
  if (record == NULL || number (record, 4) != end64_sign || number (record + 16, 4) != 0
      || number (record + 24, 8) != number (record + 32, 8))
    return refuse_directory (zip, end - LOCATOR_SIZE);
  *directory = (Directory) { .members = number (record + 32, 8),
                             .size = number (record + 40, 8),
                             .place = number (record + 48, 8) };
  return SL_SUCCESS;
}

static SlStatus
find_directory (const SlZip *zip, Directory *directory)
{
  const uint8_t *end = find_end (zip);
  uint64_t       place = end != NULL ? (uint64_t) (end - zip->bytes) : 0;
  SlStatus       status;

  if (end == NULL)
    return refuse (zip, zip->size, sl_message ("the end of the file"),
                   sl_message ("the end record of a zip archive (.npz)"));
  if (number (end + 4, 2) != 0 || number (end + 6, 2) != 0
      || number (end + 8, 2) != number (end + 10, 2))
    return refuse (zip, place, sl_message ("an archive on several disks"),
                   sl_message ("one on one"));
  *directory = (Directory) { .members = number (end + 10, 2),
                             .size = number (end + 12, 4),
                             .place = number (end + 16, 4) };
  status = read_end64 (zip, place, directory);
  if (!sl_ok (&status))
    return status;
  if (directory->members > SL_ZIP_MEMBERS)
    return refuse (zip, place, sl_message ("%llu members", (unsigned long long) directory->members),
                   sl_message ("at most %d", SL_ZIP_MEMBERS));
  return span (zip, directory->place, directory->size) != NULL ? SL_SUCCESS
                                                               : refuse_directory (zip, place);
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
read_member (SlZip *zip, uint64_t *place)
{
  const uint8_t *at = span (zip, *place, CENTRAL_SIZE), *names;
  SlZipMember   *member = &zip->member[zip->n];
  uint64_t       name, extra, comment;

  if (at == NULL || number (at, 4) != central_sign)
    return refuse_directory (zip, *place);
  name = number (at + 28, 2);
  extra = number (at + 30, 2);
  comment = number (at + 32, 2);
  names = span (zip, *place + CENTRAL_SIZE, name + extra + comment);
  if (names == NULL)
    return refuse_directory (zip, *place);
  *member = (SlZipMember) { .flags = (unsigned) number (at + 8, 2),
                            .method = (unsigned) number (at + 10, 2),
                            .crc = (uint32_t) number (at + 16, 4),
                            .packed = number (at + 20, 4),
                            .size = number (at + 24, 4),
                            .place = number (at + 42, 4) };
  sl_text_printable ((const char *) names, name, member->name, sizeof member->name);
  if (!read_extra (member, names + name, names + name + extra))
    return refuse_directory (zip, *place);
  for (unsigned i = 0; i < zip->n; i++)
    if (name < SL_ZIP_NAME && strcmp (zip->member[i].name, member->name) == 0)
      return refuse (zip, *place, sl_message ("%s twice", member->name),
                     sl_message ("names that differ"));
  zip->n++;
  *place += CENTRAL_SIZE + name + extra + comment;
  return SL_SUCCESS;
}

SlStatus
sl_zip_read (SlZip *zip, const char *path, const uint8_t *bytes, size_t size)
{
  Directory directory = { 0 };
  SlStatus  status;

  *zip = (SlZip) { .path = path, .bytes = bytes, .size = size };
  status = find_directory (zip, &directory);
  if (!sl_ok (&status))
    return status;
  zip->member = calloc (directory.members + 1, sizeof *zip->member);
  if (zip->member == NULL)
    return sl_status_no_memory (path);
  for (uint64_t i = 0; i < directory.members && sl_ok (&status); i++)
    status = read_member (zip, &directory.place);
  return status;
}

void
sl_zip_clear (SlZip *zip)
{
  free (zip->member);
  zip->member = NULL;
  zip->n = 0;
}

static SlStatus
refuse_member (const SlZip *zip, const SlZipMember *member, SlMessage found, SlMessage expected)
{
  return refuse (zip, member->place, sl_message ("%s: %s", member->name, found.packed), expected);
}

/* Where the bytes of a member begin, behind its local header; NULL: outside of the file. */
static const uint8_t *
find_bytes (const SlZip *zip, const SlZipMember *member)
{
  const uint8_t *local = span (zip, member->place, LOCAL_SIZE);
  uint64_t       skip;

  if (local == NULL || number (local, 4) != local_sign)
    return NULL;
  skip = LOCAL_SIZE + number (local + 26, 2) + number (local + 28, 2);
  return span (zip, member->place + skip, member->packed);
}

static bool
inflate_into (const uint8_t *from, uint64_t packed, uint8_t *to, uint64_t size)
{
  z_stream z = {
    .next_in = (Bytef *) from, .avail_in = (uInt) packed, .next_out = to, .avail_out = (uInt) size
  };
  bool whole;

  if (packed > UINT32_MAX || size > UINT32_MAX || inflateInit2 (&z, -15) != Z_OK)
    return false;
  whole = inflate (&z, Z_FINISH) == Z_STREAM_END && z.avail_out == 0 && z.avail_in == 0;
  inflateEnd (&z);
  return whole;
}

size_t
sl_zip_head (const SlZip *zip, const SlZipMember *member, uint8_t *to, size_t size)
{
  const uint8_t *from = find_bytes (zip, member);
  z_stream       z = { .next_in = (Bytef *) from, .next_out = to, .avail_out = (uInt) size };

  if (from == NULL || (member->flags & 1))
    return 0;
  z.avail_in = (uInt) (member->packed < UINT32_MAX ? member->packed : UINT32_MAX);
  if (member->method == STORED)
    {
      size = member->packed < size ? (size_t) member->packed : size;
      memcpy (to, from, size);
      return size;
    }
  if (member->method != DEFLATED || inflateInit2 (&z, -15) != Z_OK)
    return 0;
  inflate (&z, Z_SYNC_FLUSH);
  inflateEnd (&z);
  return size - z.avail_out;
}

SlStatus
sl_zip_unpack (const SlZip *zip, const SlZipMember *member, size_t most, uint8_t **to)
{
  const uint8_t *from = find_bytes (zip, member);
  bool           whole;

  *to = NULL;
  if (member->method != STORED && member->method != DEFLATED)
    return refuse_member (zip, member, sl_message ("compression method %u", member->method),
                          sl_message ("a member that is stored or deflated"));
  if (member->flags & 1)
    return refuse_member (zip, member, sl_message ("an encrypted member"),
                          sl_message ("one that is not"));
  if (from == NULL || (member->method == STORED && member->packed != member->size)
      || member->size / 1032 > member->packed + 64)
    return refuse_member (zip, member, sl_message ("bytes that are not all there"),
                          sl_message ("a complete zip archive (.npz)"));
  if (member->size > most)
    return sl_status_new (SL_ENOMEM, zip->path, sl_message ("%s: more data than fit", member->name),
                          sl_message ("at most %zu MiB", most >> 20));
  *to = malloc (member->size + 1);
  if (*to == NULL)
    return sl_status_no_memory (zip->path);
  whole = member->method == DEFLATED ? inflate_into (from, member->packed, *to, member->size)
                                     : (memcpy (*to, from, member->size), true);
  if (whole && crc32_z (0, *to, member->size) == member->crc)
    return SL_SUCCESS;
  free (*to);
  *to = NULL;
  return refuse_member (zip, member, sl_message ("damaged bytes (a wrong check sum)"),
                        sl_message ("those that were written"));
}
