/* SPDX-License-Identifier: MIT
 *
 * One picture of a network that decides (core/lab/alive.h) in few bytes: shares in 8 bits, counts as small whole numbers,
 * all in one Zstandard frame (docs/file-formats.md).  Any thread.  */
#pragma once

#include "core/lab/sink.h"

enum { SL_MOMENT_BYTES = 100000 };

/* `bytes`, for free(), of such a snapshot.  SL_EINVAL: it is none, or needs more than SL_MOMENT_BYTES; SL_ENOMEM. */
SlStatus sl_moment_pack (const SlSnapshot *snapshot, void **bytes, size_t *n);

/* Makes `snapshot` one that draws the same, with each share within 1/255; its generation and panel are not kept.
 * SL_EFORMAT: these are no such bytes; SL_ENOMEM.  It is then empty.  */
SlStatus sl_moment_unpack (const void *bytes, size_t n, SlSnapshot *snapshot);
