/* SPDX-License-Identifier: MIT
 *
 * Zip archives in memory, as NumPy writes them: members stored or deflated, not encrypted, on one
 * disk, with or without zip64.  The central directory is the truth.  */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "core/base/status.h"

enum { SL_ZIP_MEMBERS = 1024, SL_ZIP_NAME = 64 };

typedef struct
{
  char     name[SL_ZIP_NAME]; /* printable; longer ones are cut and match nothing that is known */
  unsigned method, flags;
  uint32_t crc;
  uint64_t packed, size, place; /* place: of the local header */
} SlZipMember;

typedef struct
{
  const char    *path;
  const uint8_t *bytes;
  size_t         size;
  SlZipMember   *member; /* (n) in the order of the directory */
  unsigned       n;
} SlZip;

/* True when the first bytes of a file look like one. */
bool sl_zip_likely (const uint8_t *head, size_t size);

/* Reads the directory of `size` bytes, which stay the caller's and outlive the zip.  SL_EFORMAT: no
 * end record, places outside, more than SL_ZIP_MEMBERS, a name twice; SL_ENOMEM.  To be cleared also
 * after a failure.  */
SlStatus sl_zip_read (SlZip *zip, const char *path, const uint8_t *bytes, size_t size);
void     sl_zip_clear (SlZip *zip);

/* Unpacks the first bytes of a member, at most `size`, unchecked; how many there are, 0 where it cannot be
 * unpacked.  */
size_t sl_zip_head (const SlZip *zip, const SlZipMember *member, uint8_t *to, size_t size);

/* Unpacks a member into a new block of member->size bytes, which the caller frees, and checks its
 * sum.  SL_ENOMEM above `most` bytes.  */
SlStatus sl_zip_unpack (const SlZip *zip, const SlZipMember *member, size_t most, uint8_t **to);
