/* SPDX-License-Identifier: MIT
 *
 * The file of named arrays, for the readers of containers: read at any place, from the disk or, where gzip
 * packs it, from memory.  */
#pragma once

#include "core/data/read/containers/array.h"

/* Opens arrays->path.  SL_EIO, SL_EFORMAT; SL_ENOMEM: unpacked above the budget. */
SlStatus sl_arrays_source (SlArrays *arrays);

/* Lets the numbers of all arrays, and what they are gathered from, take no more than twice the size of the file. */
void sl_arrays_bound (SlArrays *arrays);

/* Exactly `size` bytes.  SL_EFORMAT at the end of the file, SL_EIO. */
SlStatus sl_arrays_read (const SlArrays *arrays, uint64_t place, void *to, size_t size);

/* The same from a file on the disk. */
SlStatus sl_source_read (int fd, const char *path, uint64_t place, uint8_t *to, size_t size);

/* True if so many bytes from `place` on are in the file. */
bool sl_arrays_inside (const SlArrays *arrays, uint64_t place, uint64_t size);

/* That the numbers of an array of known type and shape begin at `place`.  SL_EFORMAT: they are not all in the file.  */
SlStatus sl_arrays_place (const SlArrays *arrays, SlArray *array, uint64_t place);

/* That its numbers are exactly so many bytes, where that is known of its type.  SL_EFORMAT. */
SlStatus sl_array_fills (const SlArrays *arrays, const SlArray *array, uint64_t bytes);

/* A failure at a byte of the file, and one of an array. */
SlStatus sl_arrays_refuse (const SlArrays *arrays, uint64_t place, SlMessage found,
                           SlMessage expected);
SlStatus sl_array_refuse (const SlArrays *arrays, const SlArray *array, SlMessage found,
                          SlMessage expected);

/* A failure for what is no numbers but a pickle, which could run code. */
SlStatus sl_arrays_refuse_objects (const SlArrays *arrays);

/* Bytes of a member of an archive behind the `skip` first, which is told by place, packed, skip, crc and name as of an
 * array: `n`, all there are, which fit its sum; or with `head` no more than `n` unchecked, *head of them.  SL_EFORMAT,
 * SL_EIO, SL_ENOMEM.  */
SlStatus sl_member_read (const SlArrays *arrays, const SlArray *member, uint8_t *to, uint64_t n,
                         size_t *head);

/* Copies `n` numbers of a strided array, from number `first` on, into rows; the first of all is at `from`. */
void sl_array_gather (const SlArray *array, const uint8_t *from, uint64_t first, uint64_t n,
                      uint8_t *to);

/* Strides of an array with the first axis fastest. */
void sl_array_columns_first (SlArray *array);

/* SL_EFORMAT: two arrays have the same name; SL_ENOMEM. */
SlStatus sl_arrays_differ (const SlArrays *arrays);
