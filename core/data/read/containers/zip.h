/* SPDX-License-Identifier: MIT
 *
 * Zip archives, as NumPy and PyTorch write them: members stored or deflated, not encrypted, on one
 * disk, with or without zip64.  The central directory is the truth; members stay in the file.  */
#pragma once

#include "core/data/read/containers/source.h"

enum {
  SL_ZIP_MEMBERS = 4096,
  SL_ZIP_NAME = 160,
  SL_ZIP_STORED = 0,
  SL_ZIP_DEFLATED = 8,
};

typedef struct
{
  char     name[SL_ZIP_NAME]; /* printable; longer ones are cut and match nothing that is known */
  unsigned method, flags;
  uint32_t crc;
  uint64_t packed, size, place; /* place: of the local header */
} SlZipMember;

typedef struct
{
  const SlArrays *arrays;
  SlZipMember    *member; /* (n) in the order of the directory */
  unsigned        n;
} SlZip;

/* True when the first bytes of a file look like one. */
bool sl_zip_likely (const uint8_t *head, size_t size);

/* Reads the directory of the file of `arrays`, which has a source and outlives the zip.  SL_EFORMAT: no
 * end record, places outside, more than SL_ZIP_MEMBERS, a name twice; SL_EIO, SL_ENOMEM.  To be cleared also
 * after a failure.  */
SlStatus sl_zip_read (SlZip *zip, const SlArrays *arrays);
void     sl_zip_clear (SlZip *zip);

const SlZipMember *sl_zip_find (const SlZip *zip, const char *name);

/* Where the bytes of a member begin, behind its local header.  SL_EFORMAT: encrypted, packed in a way that is
 * not read, not all in the file; SL_EIO.  */
SlStatus sl_zip_place (const SlZip *zip, const SlZipMember *member, uint64_t *place);

/* Unpacks the first bytes of a member from its place on, at most `size`, unchecked; *got is how many there are. */
SlStatus sl_zip_head (const SlZip *zip, const SlZipMember *member, uint64_t place, uint8_t *to,
                      size_t size, size_t *got);

/* Unpacks a member into a new block of member->size bytes, which the caller frees, and checks its
 * sum.  SL_ENOMEM above `most` bytes.  */
SlStatus sl_zip_unpack (const SlZip *zip, const SlZipMember *member, size_t most, uint8_t **to);
