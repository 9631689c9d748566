/* SPDX-License-Identifier: MIT
 *
 * Files that are never half written.  */
#pragma once

#include <glib.h>

/* Writes a file whole or not at all: beside, to disk, renamed.  A path that is no regular
 * file (a pipe, a terminal) is written to as it is.  A link stays one, and what replaces a
 * file is no more readable than it was.  */
gboolean sl_save (const char *path, const void *bytes, gsize length, GError **error);
