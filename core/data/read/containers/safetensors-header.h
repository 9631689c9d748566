/* SPDX-License-Identifier: MIT
 *
 * The header of a .safetensors file: what is where; see safetensors.h.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/json.h"
#include "core/base/status.h"
#include "core/base/tensors.h"
#include "core/data/text/bytes.h"

/* The longest header that is read; one of a thousand tensors has 100 kB. */
enum { SL_TENSOR_HEADER_MAX = 16 << 20 };

typedef enum {
  SL_TENSOR_F64,
  SL_TENSOR_F32,
  SL_TENSOR_F16,
  SL_TENSOR_BF16,
  SL_TENSOR_I64, /* from here on not numbers for a network */
  SL_TENSOR_U64,
  SL_TENSOR_I32,
  SL_TENSOR_U32,
  SL_TENSOR_I16,
  SL_TENSOR_U16,
  SL_TENSOR_I8,
  SL_TENSOR_U8,
  SL_TENSOR_BOOL,
  SL_TENSOR_OTHER_1, /* by bytes of one */
} SlTensorType;

typedef struct
{
  const char  *name;
  SlTensorType type;
  unsigned     dims;
  size_t       dim[SL_TENSOR_DIMS], n;
  uint64_t     begin, end; /* bytes from the end of the header on */
  uint64_t     place;      /* byte of the file where the entry begins, for failures */
  bool         wanted;     /* for the caller, as is where its numbers go */
  sl_real     *to;
} SlTensorEntry;

typedef struct
{
  SlTensorEntry *entry; /* (n) by rising name */
  size_t         n;
  uint32_t      *order; /* (n) entries in the order of the file */
  SlJson        *json;  /* that the names are in */
} SlTensorHeader;

/* Reads and checks the header: afterwards the entries have names that differ, and cover what
 * follows without gaps; for a plain file, exactly to its end.  SL_EFORMAT, SL_EIO, SL_ENOMEM.
 * To be cleared also after a failure.  */
SlStatus sl_tensor_header_read (SlTensorHeader *header, SlBytes *bytes);

/* That the entries cover what follows the header, and their order; part of reading it.  SL_EFORMAT,
 * SL_ENOMEM.  */
SlStatus sl_tensor_places_check (SlTensorHeader *header, SlBytes *bytes);

void sl_tensor_header_clear (SlTensorHeader *header);

/* A failure of one entry: found is prefixed with the tensor's name. */
SlStatus sl_tensor_entry_fail (const char *path, const SlTensorEntry *entry, SlMessage found,
                               SlMessage expected);

/* Bytes of one number, and whether they can be weights. */
size_t sl_tensor_type_size (SlTensorType type);
bool   sl_tensor_type_real (SlTensorType type);
