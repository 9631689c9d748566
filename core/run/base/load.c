/* SPDX-License-Identifier: MIT */
#include "core/run/base/load.h"

#include "core/data/text/bytes.h"
#include "core/run/base/error.h"

char *
sl_load (const char *path, gsize most, gsize *length, GError **error)
{
  uint8_t *bytes;
  SlStatus status = sl_bytes_file (path, most, &bytes, length);

  return sl_status_good (&status, error) ? (char *) bytes : NULL;
}
