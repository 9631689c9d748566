/* SPDX-License-Identifier: MIT
 *
 * A recording of routing from a file or folder, whatever it is written in: .npy, .npz, .safetensors,
 * JSON lines, tables.  Nothing in a file is trusted, and nothing in it can run: headers are not
 * evaluated, pickles are refused, no name of a file is taken out of a file.  */
#pragma once

#include "core/data/routing/draft.h"

/* Opens `path`; the caller frees *routing.  On failure *routing is NULL and the status says file, place,
 * found and expected.  Blocks on files; any thread.  SL_EIO, SL_EFORMAT, SL_ENOMEM.  */
SlStatus sl_routing_open (const char *path, const SlRoutingOptions *options, SlRouting **routing);

/* Whether a file or folder is one, by its name or its first bytes.  Tables of two columns without a
 * heading are not: they are recordings only where the user says so.  */
bool sl_routing_likely (const char *path);
