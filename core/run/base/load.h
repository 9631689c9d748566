/* SPDX-License-Identifier: MIT
 *
 * Files of others, read whole.  */
#pragma once

#include <glib.h>

/* All of a regular file, decompressed when it is gzip, followed by a zero byte that is not counted in
 * *length; free with g_free().  NULL with a sentence that names the file: when it cannot be read, is a
 * folder, a pipe or a device, or has more than `most` bytes.  Never waits.  */
char *sl_load (const char *path, gsize most, gsize *length, GError **error);
