/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/archive.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/fuzz/input.h"

enum { ROOM = 8192 };

static void
put (uint8_t *to, size_t *at, const void *from, size_t n)
{
  if (n > 0)
    memcpy (to + *at, from, n);
  *at += n;
}

static void
put_number (uint8_t *to, size_t *at, uint64_t number, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[(*at)++] = i < sizeof number ? (uint8_t) (number >> 8 * i) : 0;
}

/* What local header and directory have in common, from the version that is needed on. */
static void
put_facts (uint8_t *to, size_t *at, const char *name, const uint8_t *data, size_t n)
{
  put_number (to, at, 20, 2);
  put_number (to, at, 0, 2 + 2 + 4);
  put_number (to, at, crc32_z (0, data, n), 4);
  put_number (to, at, n, 4);
  put_number (to, at, n, 4);
  put_number (to, at, strlen (name), 2);
  put_number (to, at, 0, 2);
}

void
fuzz_archive_begin (FuzzArchive *archive, size_t size)
{
  *archive = (FuzzArchive) { .bytes = malloc (size + ROOM), .directory = malloc (ROOM) };
  fuzz_require (archive->bytes != NULL && archive->directory != NULL);
}

void
fuzz_archive_add (FuzzArchive *archive, const char *name, const uint8_t *data, size_t n)
{
  uint8_t *directory = archive->directory;
  size_t  *at = &archive->n_directory;

  put_number (directory, at, 0x02014b50, 4);
  put_number (directory, at, 20, 2);
  put_facts (directory, at, name, data, n);
  put_number (directory, at, 0, 2 + 2 + 2 + 4);
  put_number (directory, at, archive->n, 4);
  put (directory, at, name, strlen (name));
  put_number (archive->bytes, &archive->n, 0x04034b50, 4);
  put_facts (archive->bytes, &archive->n, name, data, n);
  put (archive->bytes, &archive->n, name, strlen (name));
  put (archive->bytes, &archive->n, data, n);
  archive->members++;
}

void
fuzz_archive_end (FuzzArchive *archive)
{
  size_t place = archive->n;

  put (archive->bytes, &archive->n, archive->directory, archive->n_directory);
  put_number (archive->bytes, &archive->n, 0x06054b50, 4);
  put_number (archive->bytes, &archive->n, 0, 4);
  put_number (archive->bytes, &archive->n, archive->members, 2);
  put_number (archive->bytes, &archive->n, archive->members, 2);
  put_number (archive->bytes, &archive->n, archive->n_directory, 4);
  put_number (archive->bytes, &archive->n, place, 4);
  put_number (archive->bytes, &archive->n, 0, 2);
  free (archive->directory);
  archive->directory = NULL;
}
